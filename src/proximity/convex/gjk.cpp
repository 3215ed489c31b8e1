#include "proximity/convex/gjk.hpp"

#include <algorithm>
#include <cmath>

#include "proximity/convex/exact_nearest.hpp"

namespace toccata::convex {
namespace {

constexpr int most_iterations = 128;

class Walk {
 public:
  Walk(const Difference& difference, const ConvexLimits& limits) : difference_(difference), limits_(limits) {
    // What rounding leaves open anyway.
    floor_ = 2.0 * (difference.height_error + difference.point_error);
  }

  CoreDistance run(const ConvexMemory* memory) {
    start(memory);
    while (result_.iterations < most_iterations && step()) {
    }
    if (!result_.meets && !is_done()) look_across();
    if (!result_.meets && !is_done() && difference_.is_polytope()) finish_exactly();
    return result_;
  }

 private:
  bool is_done() const {
    if (result_.lower > limits_.enough || result_.upper <= limits_.within) return true;
    const double gap = result_.upper - result_.lower;
    const double wanted = std::max(limits_.absolute_error, limits_.relative_error * result_.upper);
    // Below the floor only whether they meet is open, which `lower` > 0 answers.
    return gap <= wanted || (gap <= floor_ && result_.lower > 0.0);
  }

  void start(const ConvexMemory* memory) {
    if (memory != nullptr && memory->features.count > 0 && difference_.is_polytope()) {
      for (int i = 0; i < memory->features.count; ++i) {
        result_.simplex.add(
            difference_.of_corners(memory->features.vertex_a[i], memory->features.vertex_b[i]));
      }
    } else {
      Vector3 direction = memory != nullptr ? Vector3(-memory->direction) : difference_.a_to_b.translation;
      if (!(direction.squaredNorm() > 0.0)) direction = difference_.a_to_b.translation;
      if (!(direction.squaredNorm() > 0.0)) direction = Vector3::UnitX();
      result_.simplex.add(difference_.farthest_against(direction));
    }
    nearest_ = reduce_to_nearest(result_.simplex);
    note_nearest();
  }

  // The nearest point of the simplex gives the upper bound. False if it did not get nearer.
  bool note_nearest() {
    if (result_.simplex.count == 4) {
      result_.meets = surely_contains_origin(result_.simplex);
      if (result_.meets) {
        result_.upper = 0.0;
        return false;
      }
    }
    // The weighted sum is a point of the difference; the foot of the normal is only as good as the weights.
    const double length = result_.simplex.nearest().norm();
    const double upper = length * (1.0 + 4.0 * unit_roundoff) + difference_.point_error;
    if (!(upper < result_.upper)) return false;
    result_.upper = upper;
    result_.nearest = nearest_;
    return result_.simplex.count < 4 && length > difference_.point_error;
  }

  // Heights along a unit direction.
  DifferencePoint look_along(const Vector3& direction) {
    const DifferencePoint found = difference_.farthest_against(direction);
    const double lower = direction.dot(found.difference) - difference_.height_error;
    if (result_.iterations == 0 || lower > result_.lower) {
      result_.lower = lower;
      result_.direction = direction;
    }
    ++result_.iterations;
    return found;
  }

  bool step() {
    if (result_.simplex.count == 4) return false;
    const double length = nearest_.norm();
    if (!(length > 0.0)) return false;
    const DifferencePoint found = look_along(nearest_ / length);
    if (is_done() || result_.simplex.has(found)) return false;
    const Simplex before = result_.simplex;
    result_.simplex.add(found);
    nearest_ = reduce_to_nearest(result_.simplex);
    if (note_nearest()) return true;
    // No progress: rounding has the last word here, and the nearest simplex so far stays.
    if (!result_.meets && result_.nearest != nearest_) result_.simplex = before;
    return false;
  }

  // Close to the origin the nearest point is too rough a direction.
  void look_across() {
    if (result_.simplex.count == 4) return;
    const Vector3 direction = direction_across(result_.simplex, result_.nearest);
    if (direction.squaredNorm() > 0.0) look_along(direction);
  }

  void finish_exactly() {
    const ExactNearest exact = exact_nearest(difference_, result_.simplex);
    result_.meets = exact.meets;
    result_.simplex = exact.simplex;
    result_.nearest = exact.nearest;
    result_.upper = exact.upper;
    if (exact.meets) return;
    result_.lower = exact.lower;
    result_.direction = exact.direction;
  }

  const Difference& difference_;
  const ConvexLimits& limits_;
  double floor_;
  Vector3 nearest_ = Vector3::Zero();
  CoreDistance result_;
};

}  // namespace

CoreDistance gjk_distance(const Difference& difference, const ConvexMemory* memory,
                          const ConvexLimits& limits) {
  return Walk(difference, limits).run(memory);
}

}  // namespace toccata::convex
