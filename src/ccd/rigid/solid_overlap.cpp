#include "ccd/rigid/solid_overlap.hpp"

#include <algorithm>

#include "hierarchy/shape_parts.hpp"
#include "toccata/proximity/containment.hpp"

namespace toccata::rigid {

namespace {

// All lengths that enter a comparison of the two.
double lengths_of(const PlacedShape& a, const PlacedShape& b) {
  const ShapeData& x = a.shape.data();
  const ShapeData& y = b.shape.data();
  return x.center.norm() + y.center.norm() + x.radius + y.radius + a.pose.translation.norm() +
         b.pose.translation.norm();
}

// The balls about the shapes do not meet, by more than rotations orthonormal to 1e-14 and a dozen roundings.
bool are_far_apart(const PlacedShape& a, const PlacedShape& b) {
  const ShapeData& x = a.shape.data();
  const ShapeData& y = b.shape.data();
  const double apart = (a.pose.apply(x.center) - b.pose.apply(y.center)).norm();
  return apart > x.radius + y.radius + 1e-12 * lengths_of(a, b);
}

// Is a part of the inner body inside the outer one? Its surface is known to be apart from the other, so that
// one vertex of a part tells. A part inside has all its vertices in the other's bounding box, too: one of its
// extreme vertices beyond it, by more than rounding, spares the ray.
// Convex pieces are full: who is in one of them overlaps it, which is known as well. A half space is inside
// nothing.
bool reaches_inside(const PlacedShape& inner, const PlacedShape& outer) {
  if (outer.shape.data().mesh.faces.empty() || inner.shape.data().is_half_space()) return false;
  const ShapeParts& parts = parts_of(inner.shape.data());
  const ShapeParts& box = parts_of(outer.shape.data());
  const Vector3 middle = 0.5 * box.lower + 0.5 * box.upper;
  // Seen from the outer body. Rotations are orthonormal to 1e-14, and a dozen roundings are less than that:
  // of all lengths that enter, 1e-12 covers both poses and the box's own rounding.
  const Pose seen = outer.pose.inverse() * inner.pose;
  const Vector3 half = (0.5 * box.upper - 0.5 * box.lower).array() + 1e-12 * lengths_of(inner, outer);
  const auto is_beyond = [&](const Vector3& vertex) {
    return ((seen.apply(vertex) - middle).cwiseAbs().array() > half.array()).any();
  };
  return std::any_of(parts.extremes.begin(), parts.extremes.end(), [&](const auto& part) {
    if (std::any_of(part.begin(), part.end(), is_beyond)) return false;
    const Containment where = point_containment(inner.pose.apply(part[0]), outer);
    return where != Containment::Outside && where != Containment::Undefined;
  });
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
