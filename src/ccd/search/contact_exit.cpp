#include "ccd/search/contact_exit.hpp"

#include <algorithm>

#include "ccd/search/contact_search.hpp"
#include "ccd/search/persistence.hpp"

namespace toccata::search {
namespace {

// How many of the touching pairs are asked how long they last.
constexpr std::size_t most_witnesses = 32;
// A witness is given up when it lasts less than this share of what it was chosen for.
constexpr double fading_share = 0.125;
constexpr int most_patience = 1024;
// Bounds of the motion are asked for this many times the last step ahead.
constexpr double foresight = 16.0;

class Follower {
 public:
  Follower(const MovingShape& a, const MovingShape& b, const ContactExitLimits& limits, QueryStats& stats)
      : a_(a), b_(b), limits_(limits), stats_(stats), states_(a, b), persistence_(a, b) {
    work_before_ = work();
  }

  ContactExit run(double begin) {
    double t = begin, horizon = 1.0;
    while (t < 1.0) {
      if (is_out_of_budget()) return {t, 1.0, true, true};
      const double smooth = smooth_until(t);
      const double end = std::min(smooth, t + horizon);
      ++stats_.steps;
      if (unproven_ == 0) {
        const double step = longest_step(t, end);
        if (step >= limits_.resolution || t + step >= end) {
          horizon = std::max(foresight * step, 64.0 * limits_.resolution);
          t = step >= end - t ? end : later(t, step);
          patience_ = 1;
          continue;
        }
        // The longer nothing could be proven, the rarer it is tried.
        patience_ = std::min(2 * patience_, most_patience);
        unproven_ = patience_;
      }
      --unproven_;
      const double there = std::min(1.0, std::max(t + limits_.resolution, later(t, limits_.resolution)));
      if (!touches(there)) return {t, there, false, false};
      t = there;
    }
    return {};
  }

 private:
  std::int64_t work() const { return work_of(stats_); }

  bool is_out_of_budget() const {
    return (limits_.budget > 0 && work() - work_before_ > limits_.budget) ||
           (limits_.stop != nullptr && limits_.stop->is_over());
  }

  double smooth_until(double t) const {
    return std::min({1.0, a_.motion->next_breakpoint(t), b_.motion->next_breakpoint(t)});
  }

  double reach_at(const PairState& state) const {
    return std::max(limits_.tolerance, 8.0 * state.gap_padding);
  }

  double lasting(const NearestPieces& pair, double reach, double enough) {
    ++stats_.piece_pairs;
    return persistence_.step(pair.piece_a, pair.piece_b, reach, enough);
  }

  // What is a few resolutions long is not yet worth taking as it comes.
  double worth(double step, double rest) const {
    return step > 64.0 * limits_.resolution ? std::min(step, rest) : rest;
  }

  // Of the witness, or of a better one where it fades. What is as long as pairs usually last here is taken
  // as it comes.
  double longest_step(double t, double end) {
    states_.set(t, end, looked_at_);
    const double reach = reach_at(looked_at_), rest = end - t;
    persistence_.set(t, end);
    double step = 0.0;
    if (witness_.piece_a >= 0) {
      step = lasting(witness_, reach, worth(0.5 * chosen_for_, rest));
      if (step >= rest || step >= std::max(limits_.resolution, fading_share * chosen_for_)) return step;
    }
    const double enough = worth(usual_, rest);
    for (const NearestPieces& pair :
         touching_pieces(at_rest(looked_at_, a_, b_), reach, most_witnesses, stats_)) {
      const double lasts = lasting(pair, reach, enough);
      if (lasts <= step) continue;
      step = lasts;
      witness_ = pair;
      if (step >= enough) break;
    }
    chosen_for_ = step;
    usual_ = std::max(step, 0.5 * usual_);
    return step;
  }

  bool touches(double t) {
    states_.set(t, smooth_until(t), looked_at_);
    const PairAtRest rest = at_rest(looked_at_, a_, b_);
    const double reach = reach_at(looked_at_);
    if (witness_.piece_a >= 0) {
      ++stats_.piece_pairs;
      if (piece_distance(rest, witness_.piece_a, witness_.piece_b) <= reach) return true;
    }
    const auto pairs = touching_pieces(rest, reach, 1, stats_);
    if (!pairs.empty()) witness_ = pairs.front();
    return !pairs.empty();
  }

  MovingShape a_;
  MovingShape b_;
  ContactExitLimits limits_;
  QueryStats& stats_;
  PairStates states_;
  Persistence persistence_;
  std::int64_t work_before_ = 0;
  NearestPieces witness_;
  PairState looked_at_;
  int patience_ = 1;
  int unproven_ = 0;         // looks until the next attempt at a proof
  double chosen_for_ = 0.0;  // the step the witness promised when it was chosen
  double usual_ = 0.0;       // what witnesses promised of late
};

}  // namespace

ContactExit contact_exit(const MovingShape& a, const MovingShape& b, double begin,
                         const ContactExitLimits& limits, QueryStats& stats) {
  return Follower(a, b, limits, stats).run(begin);
}

}  // namespace toccata::search
