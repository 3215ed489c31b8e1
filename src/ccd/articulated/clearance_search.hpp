#pragma once
// How close the pairs of a robot come between two times of its path.
//
// The least distance found so far is lowered by looking at pairs: does one come closer than it, less the
// tolerance? If so, the way goes down from there to the bottom of the valley, and the question is asked
// again; if not, the pair is done.
#include <algorithm>
#include <limits>

#include "ccd/articulated/path_search.hpp"
#include "toccata/proximity/distance.hpp"

namespace toccata::articulated {

inline constexpr double infinite_distance = std::numeric_limits<double>::infinity();
struct Nearest {
  double distance = infinite_distance;
  double time = 0.0;
  PathPair pair;
  DistanceResult found;
};

class ClearanceSearch {
 public:
  ClearanceSearch(PathSearch& search, double tolerance, std::int64_t budget, const StopWatch* stop)
      : search_(search), tolerance_(tolerance), budget_(budget), stop_(stop) {}

  // Between two times within one piece of the path; `nearest` is what is known already.
  void lower(int piece, double begin, double end, Nearest& nearest) {
    std::vector<Candidate> candidates;
    search_.collect(piece, infinite_distance, candidates);
    for (const Candidate& candidate : candidates) look_around(candidate.pair, begin, end, nearest);
    search_.collect(piece, nearest.distance, candidates);
    for (const Candidate& candidate : candidates) {
      if (nearest.distance == 0.0 || out_of_budget_) return;
      lower_pair(candidate.pair, std::max(begin, candidate.from), std::min(end, candidate.until), nearest);
    }
  }

  // The same of one pair.
  void lower_one(const PathPair& pair, double begin, double end, Nearest& nearest) {
    look_around(pair, begin, end, nearest);
    if (nearest.distance > 0.0) lower_pair(pair, begin, end, nearest);
  }

  bool out_of_budget() const { return out_of_budget_; }
  const QueryStats& stats() const { return stats_; }

  // Its distance at t, if that is less.
  double look(const PathPair& pair, double t, Nearest& nearest) {
    const PathSearch::Seen both = search_.seen(pair);
    const std::array<Pose, 2> poses = search_.poses_at(pair, t);
    DistanceOptions options;
    options.limit = nearest.distance;
    const int first = pair.self ? 1 : 0, second = 1 - first;
    DistanceResult found =
        distance({both.outline[first]->shape, poses[static_cast<std::size_t>(first)]},
                 {both.outline[second]->shape, poses[static_cast<std::size_t>(second)]}, options);
    stats_ += found.stats;
    const double value = found.distance;
    if (value < nearest.distance) nearest = {value, t, pair, std::move(found)};
    return value;
  }

 private:
  // Moments of a part of a path at which a pair is looked at first.
  static constexpr int first_looks = 5;
  static constexpr int golden_steps = 16;

  void look_around(const PathPair& pair, double begin, double end, Nearest& nearest) {
    for (int i = 0; i < first_looks; ++i) look(pair, begin + (end - begin) * i / (first_looks - 1), nearest);
  }

  void lower_pair(const PathPair& pair, double from, double end, Nearest& nearest) {
    const PathSearch::Seen both = search_.seen(pair);
    bool hulls = both.has_hulls;
    while (from <= end) {
      search::SearchQuestion question;
      question.a = hulls ? both.hull[0] : both.shape[0];
      question.b = hulls ? both.hull[1] : both.shape[1];
      question.start = from;
      question.end = end;
      question.distance = std::max(0.0, nearest.distance - tolerance_);
      question.tolerance = 0.25 * tolerance_;
      question.budget = search::budget_left(budget_, stats_);
      question.stop = stop_;
      const search::SearchAnswer answer = search::search_contact(question, search_.memory());
      stats_ += answer.stats;
      if (answer.ending == search::SearchAnswer::Ending::Free) return;
      if (answer.ending == search::SearchAnswer::Ending::OutOfBudget) {
        out_of_budget_ = true;
        return;
      }
      from = answer.time;
      if (hulls) {
        hulls = false;
        continue;
      }
      const double before = nearest.distance;
      look(pair, from, nearest);
      descend(pair, from, end, nearest);
      if (nearest.distance == 0.0) return;
      if (!(nearest.distance < before)) {
        // Where doubles do not tell any more: what was found counts, though a search says less.
        nearest.distance = std::max(0.0, std::min(before, question.distance + question.tolerance));
      }
    }
  }

  // Down from t, ahead, to the bottom of the valley.
  void descend(const PathPair& pair, double t, double end, Nearest& nearest) {
    const auto value = [&](double s) {
      Nearest alone;
      alone.distance = infinite_distance;
      const double d = look(pair, s, alone);
      if (d < nearest.distance) nearest = std::move(alone);
      return d;
    };
    double low = t, width = 0x1p-10, best = value(t);
    while (low + width < end) {
      const double next = value(low + width);
      if (!(next < best)) break;
      best = next;
      low += width;
      width *= 2.0;
    }
    double a = std::max(t, low - width), b = std::min(end, low + width);
    const double ratio = 0.6180339887498949;
    double c = b - ratio * (b - a), d = a + ratio * (b - a);
    double at_c = value(c), at_d = value(d);
    for (int i = 0; i < golden_steps && nearest.distance > 0.0; ++i) {
      if (at_c < at_d) {
        b = d;
        d = c;
        at_d = at_c;
        c = b - ratio * (b - a);
        at_c = value(c);
      } else {
        a = c;
        c = d;
        at_c = at_d;
        d = a + ratio * (b - a);
        at_d = value(d);
      }
    }
  }

  PathSearch& search_;
  double tolerance_;
  std::int64_t budget_;
  const StopWatch* stop_;
  bool out_of_budget_ = false;
  QueryStats stats_;
};

}  // namespace toccata::articulated
