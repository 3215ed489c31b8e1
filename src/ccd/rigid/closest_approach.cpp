// The smallest distance over a motion, by lowering an upper bound: find where the bodies first come closer
// than it (a first-contact question with a minimum distance), slide down to the local minimum there, and ask
// again from that time on, until the answer is "never".
#include <algorithm>
#include <cmath>
#include <limits>

#include "ccd/rigid/advancement.hpp"
#include "ccd/rigid/contact_of.hpp"
#include "ccd/rigid/rigid_shape_data.hpp"
#include "ccd/rigid/seen_motions.hpp"
#include "ccd/rigid/static_pair.hpp"
#include "ccd/rigid/triangle_steps.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/elementary/triangle_triangle.hpp"

namespace toccata {
namespace {

class Approach {
 public:
  Approach(const MovingShape& a, const MovingShape& b, double tolerance, std::int64_t budget)
      : a_(a), b_(b), states_(a, b), tolerance_(tolerance), budget_(budget) {}

  bool touch = false;  // the distance is zero

  ClosestApproachResult run() {
    AdvancementAnswer answer = ask(0.0, 0.0);
    if (answer.ending == AdvancementAnswer::Ending::Contact) return touching(answer);
    if (answer.ending == AdvancementAnswer::Ending::OutOfBudget) return ended(Status::OutOfBudget, 0.0);
    for (const double t : {0.0, 0.25, 0.5, 0.75, 1.0}) look_at(t);
    descend(best_time_, 0.125);
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
      look_at(begin);
      descend(begin, 1.0 / 64.0);
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
    const std::int64_t used = stats_.node_pairs + stats_.triangle_pairs;
    const std::int64_t left = budget_ > 0 ? std::max<std::int64_t>(1, budget_ - used) : 0;
    const double slack = distance > 0.0 ? 0.5 * tolerance_ : tolerance_;
    const AdvancementAnswer answer = advance_to_contact({a_, b_, begin, 1.0, distance, slack, left}, memory_);
    stats_.node_pairs += answer.stats.node_pairs;
    stats_.triangle_pairs += answer.stats.triangle_pairs;
    stats_.steps += answer.stats.steps;
    return answer;
  }

  double distance_at(double t, double below) {
    const NearestTriangles nearest = nearest_triangles(states_.at(t, t), *a_.shape, *b_.shape, below, stats_);
    if (nearest.triangle_a >= 0 && nearest.distance < best_.distance) {
      best_ = nearest;
      best_time_ = t;
    }
    return nearest.distance;
  }

  void look_at(double t) { distance_at(t, best_.distance); }

  // From t, halving steps to either side as long as the distance falls.
  void descend(double t, double step) {
    double here = distance_at(t, std::numeric_limits<double>::infinity());
    while (step > 1e-12) {
      bool better = false;
      for (const double next : {std::min(1.0, t + step), std::max(0.0, t - step)}) {
        const double there = distance_at(next, here);
        if (there < here) {
          here = there;
          t = next;
          better = true;
          break;
        }
      }
      if (!better) step *= 0.25;
    }
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
      look_at(answer.time);
      descend(best_time_, 1.0 / 64.0);
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
  AdvancementMemory memory_;
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
  const double tolerance = resolved_tolerance(shape_a, shape_b, options.tolerance);
  const SeenMotions seen({&shape_a.data(), &motion_a}, {&shape_b.data(), &motion_b});
  Approach approach(seen.a, seen.b, tolerance, options.budget);
  ClosestApproachResult result = approach.run();
  result.pose_a = motion_a.pose(result.time);
  result.pose_b = motion_b.pose(result.time);
  if (result.contact.triangle_a >= 0) {
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
