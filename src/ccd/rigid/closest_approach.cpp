// The smallest distance over a motion, by lowering an upper bound: two triangles that are near each other are
// followed to their nearest time, where a look at all of the bodies shows whether others are nearer; then a
// first-contact question with a minimum distance asks where the bodies first come closer than that. From
// there it goes on in the same way, until the answer is "never".
#include "ccd/rigid/closest_approach.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ccd/rigid/contact_of.hpp"
#include "ccd/rigid/seen_motions.hpp"
#include "ccd/rigid/static_pair.hpp"
#include "ccd/rigid/triangle_steps.hpp"
#include "motion/finite_motion.hpp"
#include "toccata/elementary/triangle_triangle.hpp"

namespace toccata {
namespace {

// What is nearer by less than this share of the tolerance is not looked for.
constexpr double worthwhile_share = 0.25;

class Approach {
 public:
  Approach(const MovingShape& a, const MovingShape& b, double tolerance, std::int64_t budget,
           ApproachMemory& memory)
      : a_(a), b_(b), states_(a, b), memory_(memory), tolerance_(tolerance), budget_(budget) {}

  bool touch = false;  // the distance is zero

  ClosestApproachResult run() {
    AdvancementAnswer answer = ask(0.0, 0.0);
    if (answer.ending == AdvancementAnswer::Ending::Contact) return touching(answer);
    if (answer.ending == AdvancementAnswer::Ending::OutOfBudget) return ended(Status::OutOfBudget, 0.0);
    if (a_.shape->tree.nodes.empty() || b_.shape->tree.nodes.empty())
      return ended(Status::Separated, std::numeric_limits<double>::infinity());
    begin_somewhere();
    double begin = 0.0;
    double proven = 0.0;
    for (;;) {
      tolerance_ = std::max(tolerance_, least_tolerance());
      const double target = std::max(0.0, best_.distance - tolerance_);
      const double before = best_.distance;
      if (target == 0.0) return ended(Status::Separated, proven);
      answer = ask(begin, target);
      if (answer.ending == AdvancementAnswer::Ending::Free) return ended(Status::Separated, target);
      if (answer.ending == AdvancementAnswer::Ending::OutOfBudget) return ended(Status::OutOfBudget, 0.0);
      begin = answer.time;
      improve({answer.triangle_a, answer.triangle_b, answer.time}, 1.0 / 64.0);
      // Every answer lowers the bound by half the tolerance, unless rounding hides it.
      if (!(best_.distance < before)) tolerance_ *= 2.0;
    }
  }

 private:
  // What rounding leaves to be told.
  double least_tolerance() {
    return 32.0 * states_.at(best_time_, best_time_).gap_padding + 1e-14 * best_.distance;
  }

  AdvancementAnswer ask(double begin, double distance) {
    const std::int64_t used = work_of(stats_);
    const std::int64_t left = budget_ > 0 ? std::max<std::int64_t>(1, budget_ - used) : 0;
    const double slack = distance > 0.0 ? 0.5 * tolerance_ : tolerance_;
    const AdvancementAnswer answer =
        advance_to_contact({a_, b_, begin, 1.0, distance, slack, left}, memory_.search);
    stats_.node_pairs += answer.stats.node_pairs;
    stats_.triangle_pairs += answer.stats.triangle_pairs;
    stats_.steps += answer.stats.steps;
    return answer;
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
      const NearestTriangles near = some_near_triangles(states_.at(t, t), *a_.shape, *b_.shape, stats_);
      if (nearest.known() && !(near.distance < least)) continue;
      least = near.distance;
      nearest = {near.triangle_a, near.triangle_b, t};
    }
    improve(nearest, 0.125);
  }

  // Follows the pair to its nearest time, where all the bodies are looked at: a pair that is nearer by more
  // than a share of the tolerance is followed in turn.
  void improve(PairAtMoment pair, double step) {
    for (;;) {
      const double distance = descend(pair, step);
      if (distance < best_.distance || best_.triangle_a < 0) {
        best_ = {distance, pair.triangle_a, pair.triangle_b};
        best_time_ = pair.time;
      }
      const NearestTriangles nearest =
          nearest_triangles(states_.at(pair.time, pair.time), *a_.shape, *b_.shape,
                            best_.distance - worthwhile_share * tolerance_, stats_);
      if (nearest.triangle_a < 0) return;
      best_ = nearest;
      best_time_ = pair.time;
      pair = {nearest.triangle_a, nearest.triangle_b, pair.time};
      step = 1.0 / 64.0;
    }
  }

  double distance_of(const PairAtMoment& pair, double t) {
    ++stats_.triangle_pairs;
    return triangle_distance_at(states_.at(t, t), *a_.shape, pair.triangle_a, *b_.shape, pair.triangle_b);
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
    result.distance = best_.triangle_a >= 0 ? best_.distance : std::numeric_limits<double>::infinity();
    result.lower_distance = std::min(lower, result.distance);
    fill(result, best_.triangle_a, best_.triangle_b);
    return result;
  }

  // Within the tolerance at that time: where they touch then or a little later the distance is zero, else the
  // smallest one nearby.
  ClosestApproachResult touching(const AdvancementAnswer& answer) {
    if (!meets(answer)) {
      improve({answer.triangle_a, answer.triangle_b, answer.time}, 1.0 / 64.0);
      const PairState state = states_.at(best_time_, best_time_);
      if (best_.triangle_a >= 0 && best_.distance > 2.0 * state.gap_padding)
        return ended(Status::Contact, 0.0);
    }
    touch = true;
    ClosestApproachResult result;
    result.status = answer.time == 0.0 ? Status::OverlapAtStart : Status::Contact;
    result.time = answer.time;
    fill(result, answer.triangle_a, answer.triangle_b);
    return result;
  }

  // Is the pair that came within the tolerance seen to touch, now or further and further ahead?
  bool meets(const AdvancementAnswer& answer) {
    const auto corners_a = corners_of(*a_.shape, answer.triangle_a);
    const auto corners_b = corners_of(*b_.shape, answer.triangle_b);
    for (double ahead = 0.0; ahead < 0.1; ahead = ahead == 0.0 ? 1e-9 : 6.0 * ahead) {
      const double t = std::min(1.0, answer.time + ahead);
      const PairState state = states_.at(t, t);
      const TrianglePairState pair = triangle_pair_state(state, corners_a, corners_b);
      ++stats_.triangle_pairs;
      if (triangle_triangle_distance(pair.a, pair.b).distance <= 2.0 * state.gap_padding) return true;
      if (t == 1.0) break;
    }
    return false;
  }

  void fill(ClosestApproachResult& result, std::int32_t id_a, std::int32_t id_b) {
    result.contact.triangle_a = id_a;
    result.contact.triangle_b = id_b;
    result.stats = stats_;
  }

  MovingShape a_;
  MovingShape b_;
  PairStates states_;
  ApproachMemory& memory_;
  double tolerance_;
  std::int64_t budget_;
  NearestTriangles best_{std::numeric_limits<double>::infinity(), -1, -1};
  double best_time_ = 0.0;
  QueryStats stats_;
};

}  // namespace

ClosestApproachResult closest_approach(const RigidShape& shape_a, const Motion& motion_a,
                                       const RigidShape& shape_b, const Motion& motion_b,
                                       const ClosestApproachOptions& options) {
  ApproachMemory memory;
  return closest_approach(shape_a, motion_a, shape_b, motion_b, options, memory);
}

ClosestApproachResult closest_approach(const RigidShape& shape_a, const Motion& motion_a,
                                       const RigidShape& shape_b, const Motion& motion_b,
                                       const ClosestApproachOptions& options, ApproachMemory& memory) {
  if (!is_finite(motion_a) || !is_finite(motion_b)) {
    ClosestApproachResult nothing_proven;
    nothing_proven.status = Status::OutOfBudget;
    nothing_proven.distance = std::numeric_limits<double>::infinity();
    return nothing_proven;
  }
  const double tolerance = resolved_tolerance(shape_a, shape_b, options.tolerance);
  const SeenMotions seen({&shape_a.data(), &motion_a}, {&shape_b.data(), &motion_b});
  Approach approach(seen.a, seen.b, tolerance, options.budget, memory);
  ClosestApproachResult result = approach.run();
  result.pose_a = motion_a.pose(result.time);
  result.pose_b = motion_b.pose(result.time);
  if (result.contact.triangle_a >= 0) {
    memory.nearest = {result.contact.triangle_a, result.contact.triangle_b, result.time};
    result.contact = contact_of(shape_a, result.pose_a, result.contact.triangle_a, shape_b, result.pose_b,
                                result.contact.triangle_b);
    if (approach.touch) {
      result.contact.point_a = result.contact.point_b =
          result.contact.point_a + 0.5 * (result.contact.point_b - result.contact.point_a);
      result.contact.distance = 0.0;
    }
    result.distance = result.contact.distance;
    result.lower_distance = std::min(result.lower_distance, result.distance);
  }
  return result;
}

}  // namespace toccata
