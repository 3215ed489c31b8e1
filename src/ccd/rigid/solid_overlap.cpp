#include "ccd/rigid/solid_overlap.hpp"

#include <algorithm>

#include "hierarchy/shape_parts.hpp"
#include "toccata/proximity/containment.hpp"

namespace toccata::rigid {

namespace {

// The balls about the shapes do not meet. The margin covers rotations orthonormal to 1e-14 and a dozen
// roundings of the lengths that enter.
bool are_far_apart(const PlacedShape& a, const PlacedShape& b) {
  const ShapeData& x = a.shape.data();
  const ShapeData& y = b.shape.data();
  const double apart = (a.pose.apply(x.center) - b.pose.apply(y.center)).norm();
  const double lengths = x.center.norm() + y.center.norm() + x.radius + y.radius + a.pose.translation.norm() +
                         b.pose.translation.norm();
  return apart > x.radius + y.radius + 1e-12 * lengths;
}

// A part inside another body has all its vertices in that body's bounding box. One of a few beyond it, by
// more than the rounding of the poses, shows that the part is not inside; where all parts show that, no
// surface has to be looked at.
bool beyond_box(const PlacedShape& inner, const PlacedShape& outer) {
  const ShapeParts& parts = parts_of(inner.shape.data());
  const ShapeParts& box = parts_of(outer.shape.data());
  const Vector3 middle = 0.5 * box.lower + 0.5 * box.upper;
  // Seen from the outer body. Rotations are orthonormal to 1e-14, and a dozen roundings are less than that:
  // of all lengths that enter, 1e-12 covers both poses and the box's own rounding.
  const Pose seen = outer.pose.inverse() * inner.pose;
  const double lengths = inner.shape.data().center.norm() + inner.shape.data().radius +
                         outer.shape.data().center.norm() + outer.shape.data().radius +
                         inner.pose.translation.norm() + outer.pose.translation.norm();
  const Vector3 half = (0.5 * box.upper - 0.5 * box.lower).array() + 1e-12 * lengths;
  const auto is_beyond = [&](const Vector3& vertex) {
    return ((seen.apply(vertex) - middle).cwiseAbs().array() > half.array()).any();
  };
  return std::all_of(parts.extremes.begin(), parts.extremes.end(),
                     [&](const auto& part) { return std::any_of(part.begin(), part.end(), is_beyond); });
}

bool reaches_inside(const PlacedShape& inner, const PlacedShape& outer) {
  if (beyond_box(inner, outer)) return false;
  const Containment where = containment(inner, outer);
  return where != Containment::Outside && where != Containment::Undefined;
}

}  // namespace

Inside inside_at(const RigidPair& pair, double t) {
  if (!pair.any_solid()) return Inside::None;
  const PlacedShape a(pair.shape_a, pair.motion_a.pose(t)), b(pair.shape_b, pair.motion_b.pose(t));
  if (are_far_apart(a, b)) return Inside::None;
  if (pair.solid_b && reaches_inside(a, b)) return Inside::FirstInSecond;
  if (pair.solid_a && reaches_inside(b, a)) return Inside::SecondInFirst;
  return Inside::None;
}

}  // namespace toccata::rigid
