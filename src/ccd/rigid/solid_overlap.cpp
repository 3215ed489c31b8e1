#include "ccd/rigid/solid_overlap.hpp"

#include "toccata/proximity/containment.hpp"

namespace toccata::rigid {

namespace {

bool reaches_inside(const PlacedShape& inner, const PlacedShape& outer) {
  const Containment where = containment(inner, outer);
  return where != Containment::Outside && where != Containment::Undefined;
}

}  // namespace

Inside inside_at(const RigidPair& pair, double t) {
  if (!pair.any_solid()) return Inside::None;
  const PlacedShape a(pair.shape_a, pair.motion_a.pose(t)), b(pair.shape_b, pair.motion_b.pose(t));
  if (pair.solid_b && reaches_inside(a, b)) return Inside::FirstInSecond;
  if (pair.solid_a && reaches_inside(b, a)) return Inside::SecondInFirst;
  return Inside::None;
}

}  // namespace toccata::rigid
