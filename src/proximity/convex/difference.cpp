// Where 40 u and 64 u come from: docs/convex_bounds.md. 40 u of all lengths that enter for corners; curved
// cores have 12 u more in the point that realises the height, and a placed set 24 u in its composed pose.
#include "proximity/convex/difference.hpp"

namespace toccata::convex {
namespace {

Pose between_cores(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b) {
  Pose pose = a_to_b;
  if (a.is_placed) pose = pose * a.place;
  if (b.is_placed) pose = b.place.inverse() * pose;
  return pose;
}

}  // namespace

Difference::Difference(const ConvexSet& set_a, const Pose& set_a_to_b, const ConvexSet& set_b)
    : a(&set_a), b(&set_b), a_to_b(between_cores(set_a, set_a_to_b, set_b)) {
  const double u = unit_roundoff;
  scale = core_reach(set_a) + core_reach(set_b) + a_to_b.translation.norm();
  const bool is_placed = set_a.is_placed || set_b.is_placed;
  // A composed pose was rounded at the lengths of all that was composed.
  double composed = 0.0;
  if (is_placed) {
    composed = scale + set_a_to_b.translation.norm() +
               (set_a.is_placed ? set_a.place.translation.norm() : 0.0) +
               (set_b.is_placed ? set_b.place.translation.norm() : 0.0);
  }
  height_error = ((is_polytope() ? 40.0 : 64.0) * scale + 24.0 * composed) * u;
  point_error = ((is_polytope() ? 16.0 : 32.0) * scale + 24.0 * composed) * u;
}

}  // namespace toccata::convex
