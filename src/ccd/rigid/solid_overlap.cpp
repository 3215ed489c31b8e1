#include "ccd/rigid/solid_overlap.hpp"

#include "toccata/proximity/containment.hpp"

namespace toccata::rigid {

using namespace search;
namespace {

bool reaches_inside(const PlacedShape& inner, const PlacedShape& outer) {
  const Containment where = containment(inner, outer);
  return where != Containment::Outside && where != Containment::Undefined;
}

}  // namespace

Inside inside_at(const Shape& shape_a, const Pose& pose_a, bool solid_a, const Shape& shape_b,
                 const Pose& pose_b, bool solid_b) {
  const PlacedShape a(shape_a, pose_a), b(shape_b, pose_b);
  if (solid_b && reaches_inside(a, b)) return Inside::FirstInSecond;
  if (solid_a && reaches_inside(b, a)) return Inside::SecondInFirst;
  return Inside::None;
}

}  // namespace toccata::rigid
