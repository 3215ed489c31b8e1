#include "proximity/convex/difference.hpp"

namespace toccata::convex {

std::optional<Pose> Difference::composed_pose(const ConvexSet& set_a, const Pose& set_a_to_b,
                                              const ConvexSet& set_b) {
  Pose pose = set_a_to_b;
  if (set_a.is_placed) pose = pose * set_a.place;
  if (set_b.is_placed) pose = set_b.place.inverse() * pose;
  return pose;
}

// Two products of matrices and vectors, 12 u each of the lengths that enter.
void Difference::add_composition(const Pose& set_a_to_b) {
  double lengths = scale + set_a_to_b.translation.norm();
  if (a->is_placed) lengths += a->place.translation.norm();
  if (b->is_placed) lengths += b->place.translation.norm();
  height_error += 24.0 * unit_roundoff * lengths;
  point_error += 24.0 * unit_roundoff * lengths;
}

}  // namespace toccata::convex
