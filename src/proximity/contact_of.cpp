#include "proximity/contact_of.hpp"

#include <Eigen/Geometry>

#include "toccata/base/rounding.hpp"
#include "toccata/elementary/triangle_triangle.hpp"

namespace toccata::proximity {
namespace {

Vector3 edge_of(const Triangle& t, int i) {
  return t[static_cast<std::size_t>((i + 1) % 3)] - t[static_cast<std::size_t>(i)];
}
Vector3 middle_of(const Triangle& t) {
  return (t[0] + t[1] + t[2]) / 3.0;
}

// Corners that meet, or edges side by side, leave the direction to the triangles: a face with the other
// triangle on one side of it, else from middle to middle. The difference of the points says which, as far as
// it is more than rounding.
Vector3 direction_between(const Triangle& a, const Triangle& b, const Vector3& across) {
  const Vector3 between = middle_of(b) - middle_of(a);
  const double size = between.norm();
  const double scale = a[0].cwiseAbs().maxCoeff() + b[0].cwiseAbs().maxCoeff() + size;
  Vector3 hint = Vector3::Zero();
  if (across.norm() > 64.0 * unit_roundoff * scale) hint = across.stableNormalized();
  for (const Triangle* t : {&a, &b}) {
    Vector3 normal = edge_of(*t, 0).cross(edge_of(*t, 1));
    if (normal.stableNorm() == 0.0) continue;
    normal.stableNormalize();
    if (normal.dot(between) < 0.0) normal = -normal;
    if (normal.dot(between) > 1e-6 * size && triangle_triangle_separation(a, b, normal) > -1e-9 * size &&
        (hint.isZero(0.0) || hint.dot(normal) > 0.5))
      return normal;
  }
  return hint.isZero(0.0) ? between : hint;
}

// Where the points coincide, the features give the direction and the triangles' middles its sense.
Vector3 feature_normal(const Triangle& a, const Triangle& b, const TriangleTriangleDistance& d) {
  Vector3 normal = Vector3::Zero();
  if (d.feature_a.kind == FeatureKind::Edge && d.feature_b.kind == FeatureKind::Edge) {
    normal = edge_of(a, d.feature_a.index).cross(edge_of(b, d.feature_b.index));
  } else if (d.feature_b.kind == FeatureKind::Face) {
    normal = edge_of(b, 0).cross(edge_of(b, 1));
  } else if (d.feature_a.kind == FeatureKind::Face) {
    normal = edge_of(a, 0).cross(edge_of(a, 1));
  }
  if (normal.stableNorm() == 0.0) normal = direction_between(a, b, d.point_b - d.point_a);
  normal.stableNormalize();
  return normal.dot(middle_of(b) - middle_of(a)) < 0.0 ? Vector3(-normal) : normal;
}

}  // namespace

Contact contact_of(const Shape& shape_a, const Pose& pose_a, std::int32_t triangle_a, const Shape& shape_b,
                   const Pose& pose_b, std::int32_t triangle_b) {
  const Triangle a = transformed(pose_a, triangle_of(shape_a.mesh(), static_cast<std::size_t>(triangle_a)));
  const Triangle b = transformed(pose_b, triangle_of(shape_b.mesh(), static_cast<std::size_t>(triangle_b)));
  const TriangleTriangleDistance d = triangle_triangle_distance(a, b);
  Contact contact;
  contact.point_a = d.point_a;
  contact.point_b = d.point_b;
  contact.distance = d.distance;
  contact.feature_a = d.feature_a;
  contact.feature_b = d.feature_b;
  contact.feature_a.part = triangle_a;
  contact.feature_b.part = triangle_b;
  const Vector3 across = d.point_b - d.point_a;
  const double scale = d.point_a.cwiseAbs().maxCoeff() + d.point_b.cwiseAbs().maxCoeff();
  contact.normal =
      across.norm() > 1e-10 * scale ? Vector3(across.stableNormalized()) : feature_normal(a, b, d);
  return contact;
}

}  // namespace toccata::proximity
