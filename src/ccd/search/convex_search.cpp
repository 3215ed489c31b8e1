#include "ccd/search/convex_search.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/stop_watch.hpp"
#include "ccd/search/convex_steps.hpp"
#include "ccd/search/turning_profiles.hpp"

namespace toccata::search {
namespace {

// Pieces advance until they are within this share of the tolerance, and after so many steps until within all
// of it.
constexpr double target_share = 0.125;
constexpr int patient_steps = 32;
// Far apart, nearest points are found to this share of the distance only: the direction is what counts.
constexpr double rough_share = 0.05;

// A look at the watch takes a tenth of a step.
constexpr int looks_at_watch = 8;
// In radians: from here on a look at all angles at once is worth while.
constexpr double many_turns = 12.0;

class Search {
 public:
  Search(const SearchQuestion& question, ConvexTouch& touch)
      : q_(question),
        touch_(touch),
        pair_(question.a, 0, question.b, 0),
        watch_(question.stop, looks_at_watch) {}

  SearchAnswer run() {
    answer_.time = q_.end;
    ++answer_.stats.piece_pairs;
    double t = q_.start;
    while (true) {
      const double end = std::min({q_.end, q_.a.motion->next_breakpoint(t), q_.b.motion->next_breakpoint(t)});
      if (advance(t, end) || end >= q_.end) return answer_;
      t = end;
    }
  }

 private:
  // Turning so often that a step per radian would take long: apart at whatever angle, from t to the end.
  bool is_apart_at_every_angle(const PairState& state, double t, double end) {
    const double spin = state.turn[0].spin + state.turn[1].spin;
    if (!(spin * (end - t) > many_turns)) return false;
    SearchQuestion span = q_;
    span.start = t;
    span.end = end;
    span.distance += q_.tolerance;  // whoever comes this close may be reported
    return apart_by_profile(span, 1, answer_.stats);
  }

  // True: the search has ended.
  bool advance(double t, double end) {
    if (pair_.a.plane() == nullptr && pair_.b.plane() == nullptr) {
      if (watch_.is_over()) return ended(SearchAnswer::Ending::OutOfBudget, t);
      const std::int64_t most =
          q_.budget > 0 ? budget_left(q_.budget, answer_.stats) : std::numeric_limits<std::int64_t>::max();
      const SteadyAnswer found = search_steadily(q_, pair_, t, end, most, touch_);
      answer_.stats.steps += found.steps;
      switch (found.ending) {
        case SteadyAnswer::Ending::Free:
          return false;
        case SteadyAnswer::Ending::Contact:
          return ended(SearchAnswer::Ending::Contact, found.time);
        case SteadyAnswer::Ending::OutOfBudget:
          return ended(SearchAnswer::Ending::OutOfBudget, found.time);
        case SteadyAnswer::Ending::Unfinished:
          t = found.time;
      }
    }
    return advance_by_bounds(t, end);
  }

  // Any motion, by its expansions.
  bool advance_by_bounds(double t, double end) {
    if (!states_) states_.emplace(q_.a, q_.b);
    PairState state;
    touch_.is_known = false;
    const double target = q_.distance + q_.tolerance * target_share;
    convex::ConvexLimits limits;
    limits.relative_error = rough_share;
    for (int step = 0;; ++step) {
      ++answer_.stats.steps;
      if ((q_.budget > 0 && step > 0 && work_of(answer_.stats) > q_.budget) || watch_.is_over())
        return ended(SearchAnswer::Ending::OutOfBudget, t);
      states_->set_from_b(t, end, state);
      if (step == 0 && is_apart_at_every_angle(state, t, end)) return false;
      ConvexMoment now(state, pair_, end - t);
      const double accepted = step < patient_steps ? target : q_.distance + q_.tolerance;
      // What is within reach is looked at closely.
      limits.absolute_error = 0.125 * (accepted - q_.distance);
      const double upper = now.find_distance(limits) + 2.0 * state.gap_padding;
      if (upper <= accepted) return ended(SearchAnswer::Ending::Contact, t);
      // At the start whoever would be accepted counts as touching, even if the distance grows.
      const double apart = t == q_.start ? target : q_.distance;
      const double until = later(t, now.careful_step(apart, 0.5 * (end - t)));
      if (until > end) return false;
      if (!(until > t)) {
        // No double lies between here and the contact, or the bracket is wide: then once more, closely.
        const double exact = now.find_distance() + 2.0 * state.gap_padding;
        const double further = later(t, now.careful_step(apart, 0.5 * (end - t)));
        if (exact <= accepted || !(further > t)) return ended(SearchAnswer::Ending::Contact, t);
        if (further > end) return false;
        t = further;
        continue;
      }
      t = until;
    }
  }

  bool ended(SearchAnswer::Ending ending, double t) {
    answer_.ending = ending;
    answer_.time = t;
    if (ending == SearchAnswer::Ending::Contact) answer_.piece_a = answer_.piece_b = 0;
    return true;
  }

  const SearchQuestion& q_;
  ConvexTouch& touch_;
  ConvexPair pair_;
  std::optional<PairStates> states_;
  SparseLook watch_;
  SearchAnswer answer_;
};

}  // namespace

SearchAnswer search_convex_contact(const SearchQuestion& question, ConvexTouch& touch) {
  return Search(question, touch).run();
}

}  // namespace toccata::search
