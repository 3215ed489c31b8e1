// The smallest distance over a motion, by lowering an upper bound: two triangles that are near each other are
// followed to their nearest time, where a look at all of the bodies shows whether others are nearer; then a
// first-contact question with a minimum distance asks where the bodies first come closer than that. From
// there it goes on in the same way, until the answer is "never".
#include "ccd/rigid/closest_approach.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ccd/rigid/question_failure.hpp"
#include "ccd/rigid/seen_motions.hpp"
#include "ccd/rigid/solid_overlap.hpp"
#include "ccd/search/piece_pair.hpp"
#include "ccd/search/turning_profiles.hpp"
#include "proximity/contact_of.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/proximity/distance.hpp"

namespace toccata {

using namespace search;
using namespace rigid;

namespace {

// What is nearer by less than this share of the tolerance is not looked for.
constexpr double worthwhile_share = 0.25;
// From coarse to fine: the first tolerance as a share of the distance, and what each is of the one before.
// The work grows as the tolerance falls, so that the last one takes most of it.
constexpr double first_share = 0.25;
constexpr double finer = 0.25;
// Of a budget: what is spent on the tolerance asked for before coarser ones are proven first.
constexpr std::int64_t fine_part = 4;

// In radians: from here on profiles are asked, at most so many; and how far a look goes to either side.
constexpr double a_turn = 6.28;
constexpr double a_share_of_a_turn = 0.02;
constexpr std::int64_t most_profiles = 2'000'000;

// How far the body's points may get in all directions, by what is not known of their velocities.
double ignorance_of(const MovingShape& body) {
  if (body.motion->is_fixed()) return 0.0;
  const MotionExpansion e = body.motion->expansion(0.0, body.motion->next_breakpoint(0.0));
  return e.speed_slack + e.spin_slack * (body.shape->center.norm() + body.shape->radius);
}

class Approach {
 public:
  Approach(const MovingShape& a, const MovingShape& b, double tolerance, std::int64_t budget,
           const StopWatch* stop, ApproachMemory& memory)
      : a_(a), b_(b), states_(a, b), memory_(memory), tolerance_(tolerance), budget_(budget), stop_(stop) {
    // Where only speeds are known, a body that keeps its distance is looked at so many times.
    const double looks = 2.0 * (ignorance_of(a) + ignorance_of(b)) / tolerance;
    from_coarse_to_fine_ = looks > static_cast<double>(speed_bound_limit);
    if (from_coarse_to_fine_ && (budget_ == 0 || budget_ == approach_limit)) budget_ = speed_bound_limit;
    fine_budget_ = budget_ > 0 ? std::max<std::int64_t>(1, budget_ / fine_part) : 0;
  }

  bool touch = false;  // the distance is zero

  ClosestApproachResult run() {
    if (turns_apart()) return ended(Status::Separated, best_.distance - tolerance_);
    SearchAnswer answer = ask(0.0, 0.0, budget_);
    if (answer.ending == SearchAnswer::Ending::Contact) return touching(answer);
    if (answer.ending == SearchAnswer::Ending::OutOfBudget) return ended(Status::OutOfBudget, 0.0);
    if (a_.shape->tree.empty() || b_.shape->tree.empty())
      return ended(Status::Separated, std::numeric_limits<double>::infinity());
    if (best_.piece_a < 0) begin_somewhere();
    double begin = 0.0;
    double proven = 0.0;
    double coarse = from_coarse_to_fine_ ? first_share * best_.distance : 0.0;
    for (;;) {
      tolerance_ = std::max(tolerance_, least_tolerance());
      slack_ = std::max(tolerance_, coarse);
      const double target = std::max(0.0, best_.distance - slack_);
      const double before = best_.distance;
      if (target == 0.0) return ended(Status::Separated, proven);
      answer = ask(begin, target, from_coarse_to_fine_ ? budget_ : fine_budget_);
      if (answer.ending == SearchAnswer::Ending::OutOfBudget) {
        const bool is_over = from_coarse_to_fine_ || work_of(stats_) >= budget_;
        if (is_over || (stop_ != nullptr && stop_->is_over())) return ended(Status::OutOfBudget, proven);
        // Harder than most: a coarse proof first.
        from_coarse_to_fine_ = true;
        coarse = first_share * best_.distance;
        begin = 0.0;
        continue;
      }
      if (answer.ending == SearchAnswer::Ending::Free) {
        if (!(slack_ > tolerance_)) return ended(Status::Separated, target);
        proven = target;
        coarse *= finer;
        begin = 0.0;
        continue;
      }
      begin = answer.time;
      improve({answer.piece_a, answer.piece_b, answer.time}, 1.0 / 64.0);
      // Every answer lowers the bound by half the tolerance, unless rounding hides it.
      if (!(best_.distance < before)) tolerance_ *= 2.0;
    }
  }

 private:
  PairAtRest rest_at(double t) { return at_rest(states_.at(t, t), a_, b_); }

  // What rounding leaves to be told.
  double least_tolerance() {
    return 32.0 * states_.at(best_time_, best_time_).gap_padding + 1e-14 * best_.distance;
  }

  SearchAnswer ask(double begin, double distance, std::int64_t budget) {
    const double slack = distance > 0.0 ? 0.5 * slack_ : tolerance_;
    const SearchAnswer answer = search_contact(
        {a_, b_, begin, 1.0, distance, slack, budget_left(budget, stats_), stop_}, memory_.search);
    stats_ += answer.stats;
    return answer;
  }

  // Whole turns about one axis, each as all the others: what passes every angle is told by its profile, at
  // once for all turns.
  bool turns_apart() {
    const bool smooth = a_.motion->next_breakpoint(0.0) >= 1.0 && b_.motion->next_breakpoint(0.0) >= 1.0;
    if (!smooth || a_.shape->tree.empty() || b_.shape->tree.empty()) return false;
    const double spin = spin_of(a_) + spin_of(b_);
    if (!(spin > a_turn)) return false;
    begin_somewhere();
    tolerance_ = std::max(tolerance_, least_tolerance());
    NearestMoment nearest{best_.distance, best_.piece_a, best_.piece_b, best_time_};
    const MomentLook look = [&](const NearestMoment& about) {
      PairAtMoment pair{about.piece_a, about.piece_b, about.time};
      NearestMoment seen = about;
      seen.distance = distance_of(pair, about.time);
      // Not worth following if it is farther away than there is to gain.
      if (seen.distance > 2.0 * best_.distance - about.distance) return seen;
      seen.distance = descend(pair, a_share_of_a_turn / spin);
      seen.time = pair.time;
      if (seen.distance < best_.distance) {
        best_ = {seen.distance, pair.piece_a, pair.piece_b};
        best_time_ = seen.time;
      }
      return seen;
    };
    const std::int64_t most =
        budget_ > 0 ? std::min(most_profiles, budget_left(budget_, stats_) / 2) : most_profiles;
    const bool proven =
        closest_by_profile({a_, b_, 0.0, 1.0, 0.0, tolerance_, 0, stop_}, most, look, nearest, stats_);
    return proven && best_.distance - tolerance_ > 0.0;
  }

  static double spin_of(const MovingShape& body) {
    return body.motion->is_fixed() ? 0.0 : body.motion->expansion(0.0, 1.0).angular_velocity.norm();
  }

  // The pair that was nearest the last time, or ones that a quick look finds.
  void begin_somewhere() {
    if (memory_.nearest.known()) {
      improve(memory_.nearest, 1.0 / 64.0);
      return;
    }
    PairAtMoment nearest;
    double least = std::numeric_limits<double>::infinity();
    for (const double t : {0.0, 0.5, 1.0}) {
      const NearestPieces near = some_near_pieces(rest_at(t), stats_);
      if (nearest.known() && !(near.distance < least)) continue;
      least = near.distance;
      nearest = {near.piece_a, near.piece_b, t};
    }
    improve(nearest, 0.125);
  }

  // Follows the pair to its nearest time, where all the bodies are looked at: a pair that is nearer by more
  // than a share of the tolerance is followed in turn.
  void improve(PairAtMoment pair, double step) {
    for (;;) {
      const double distance = descend(pair, step);
      if (distance < best_.distance || best_.piece_a < 0) {
        best_ = {distance, pair.piece_a, pair.piece_b};
        best_time_ = pair.time;
      }
      const NearestPieces nearest =
          nearest_pieces(rest_at(pair.time), best_.distance - worthwhile_share * tolerance_, stats_, stop_);
      if (nearest.piece_a < 0) return;
      best_ = nearest;
      best_time_ = pair.time;
      pair = {nearest.piece_a, nearest.piece_b, pair.time};
      step = 1.0 / 64.0;
    }
  }

  double distance_of(const PairAtMoment& pair, double t) {
    ++stats_.piece_pairs;
    return piece_distance(rest_at(t), pair.piece_a, pair.piece_b);
  }

  // Changes pair.time, in steps to either side that shrink where the distance does not fall any more, and
  // grow where it does.
  double descend(PairAtMoment& pair, double step) {
    double here = distance_of(pair, pair.time);
    while (step > 1e-12) {
      bool better = false;
      for (const double next : {std::min(1.0, pair.time + step), std::max(0.0, pair.time - step)}) {
        const double there = distance_of(pair, next);
        if (!(there < here)) continue;
        here = there;
        pair.time = next;
        better = true;
        break;
      }
      if (!better) step *= 0.25;
    }
    return here;
  }

  ClosestApproachResult ended(Status status, double lower) {
    ClosestApproachResult result;
    result.status = status;
    result.time = best_time_;
    result.distance = best_.piece_a >= 0 ? best_.distance : std::numeric_limits<double>::infinity();
    result.lower_distance = std::min(lower, result.distance);
    fill(result, best_.piece_a, best_.piece_b);
    return result;
  }

  // Within the tolerance at that time: where they touch then or a little later the distance is zero, else the
  // smallest one nearby.
  ClosestApproachResult touching(const SearchAnswer& answer) {
    if (!meets(answer)) {
      improve({answer.piece_a, answer.piece_b, answer.time}, 1.0 / 64.0);
      const PairState state = states_.at(best_time_, best_time_);
      if (best_.piece_a >= 0 && best_.distance > 2.0 * state.gap_padding) return ended(Status::Contact, 0.0);
    }
    touch = true;
    ClosestApproachResult result;
    result.status = answer.time == 0.0 ? Status::OverlapAtStart : Status::Contact;
    result.time = answer.time;
    fill(result, answer.piece_a, answer.piece_b);
    return result;
  }

  // Is the pair that came within the tolerance seen to touch, now or further and further ahead?
  bool meets(const SearchAnswer& answer) {
    const PiecePair pieces(a_, answer.piece_a, b_, answer.piece_b);
    for (double ahead = 0.0; ahead < 0.1; ahead = ahead == 0.0 ? 1e-9 : 6.0 * ahead) {
      const double t = std::min(1.0, answer.time + ahead);
      const PairState state = states_.at(t, t);
      ++stats_.piece_pairs;
      if (PieceMoment(state, pieces, 0.0).find_distance() <= 2.0 * state.gap_padding) return true;
      if (t == 1.0) break;
    }
    return false;
  }

  void fill(ClosestApproachResult& result, std::int32_t id_a, std::int32_t id_b) {
    result.contact.feature_a.part = id_a;
    result.contact.feature_b.part = id_b;
    result.stats = stats_;
  }

  MovingShape a_;
  MovingShape b_;
  PairStates states_;
  ApproachMemory& memory_;
  double tolerance_;
  double slack_ = 0.0;  // the tolerance of the present step
  std::int64_t budget_;
  std::int64_t fine_budget_ = 0;
  bool from_coarse_to_fine_ = false;
  const StopWatch* stop_;
  NearestPieces best_{std::numeric_limits<double>::infinity(), -1, -1};
  double best_time_ = 0.0;
  QueryStats stats_;
};

ClosestApproachResult failed(std::string failure) {
  ClosestApproachResult result;
  result.status = Status::Failed;
  result.distance = std::numeric_limits<double>::infinity();
  result.failure = std::move(failure);
  return result;
}

// One solid inside the other at the start: the contact is where their surfaces come closest.
ClosestApproachResult overlapping_solids(const RigidPair& q, Inside inside) {
  ClosestApproachResult result;
  result.status = Status::OverlapAtStart;
  result.inside = inside;
  result.pose_a = q.motion_a.pose(0.0);
  result.pose_b = q.motion_b.pose(0.0);
  const DistanceResult nearest = distance({q.shape_a, result.pose_a}, {q.shape_b, result.pose_b});
  result.contact = nearest.contact;
  result.stats = nearest.stats;
  return result;
}

}  // namespace

ClosestApproachResult closest_approach(const Body& a, const Body& b, const ClosestApproachOptions& options) {
  std::string failure = failure_of(a, b);
  if (!failure.empty()) return failed(std::move(failure));
  ApproachMemory memory;
  return closest_approach_of(pair_of(a, b), options, memory);
}

ClosestApproachResult rigid::closest_approach_of(const RigidPair& q, const ClosestApproachOptions& options,
                                                 ApproachMemory& memory) {
  std::string failure = failure_of_tolerance(options.tolerance, options.relative_tolerance);
  if (failure.empty()) failure = failure_of_budget(options.budget);
  if (failure.empty()) failure = toccata::failure_of(options.stop);
  if (failure.empty()) failure = failure_of_motions(q.motion_a, q.motion_b);
  if (!failure.empty()) return failed(std::move(failure));
  const double tolerance =
      resolved_tolerance(q.shape_a, q.shape_b, options.tolerance, options.relative_tolerance);
  const SeenMotions seen({&q.shape_a.data(), &q.motion_a}, {&q.shape_b.data(), &q.motion_b});
  const StopWatch watch(options.stop);
  // A little of the tolerance is for the rounding of what is proven and of what it is compared with.
  constexpr double share = 0.999;
  Approach approach(seen.a, seen.b, share * tolerance, options.budget, watch.or_null(), memory);
  ClosestApproachResult result = approach.run();
  if (result.status != Status::OverlapAtStart) {
    const Inside inside = inside_at(q, 0.0);
    if (inside != Inside::None) return overlapping_solids(q, inside);
  }
  result.pose_a = q.motion_a.pose(result.time);
  result.pose_b = q.motion_b.pose(result.time);
  const std::int32_t id_a = result.contact.feature_a.part, id_b = result.contact.feature_b.part;
  if (id_a < 0) return result;
  memory.nearest = {id_a, id_b, result.time};
  result.contact = contact_of(q.shape_a, result.pose_a, id_a, q.shape_b, result.pose_b, id_b);
  if (approach.touch) {
    result.contact.point_a = result.contact.point_b =
        result.contact.point_a + 0.5 * (result.contact.point_b - result.contact.point_a);
    result.contact.distance = 0.0;
  }
  result.distance = result.contact.distance;
  result.lower_distance = std::min(result.lower_distance, result.distance);
  return result;
}

}  // namespace toccata
