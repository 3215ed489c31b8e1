#include "proximity/contact_of.hpp"

#include <Eigen/Geometry>

#include "proximity/convex/touching_depth.hpp"
#include "proximity/meeting_point.hpp"
#include "proximity/piece_bracket.hpp"
#include "proximity/world_triangle.hpp"
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

Contact triangle_contact(const Triangle& a, const Triangle& b) {
  const TriangleTriangleDistance d = triangle_triangle_distance(a, b);
  Contact contact;
  contact.point_a = d.point_a;
  contact.point_b = d.point_b;
  contact.distance = d.distance;
  contact.feature_a = d.feature_a;
  contact.feature_b = d.feature_b;
  const Vector3 across = d.point_b - d.point_a;
  const double scale = d.point_a.cwiseAbs().maxCoeff() + d.point_b.cwiseAbs().maxCoeff();
  contact.normal =
      across.norm() > 1e-10 * scale ? Vector3(across.stableNormalized()) : feature_normal(a, b, d);
  return contact;
}

}  // namespace

Contact contact_of(const Shape& shape_a, const Pose& pose_a, std::int32_t number_a, const Shape& shape_b,
                   const Pose& pose_b, std::int32_t number_b) {
  const Piece a(shape_a.data(), number_a), b(shape_b.data(), number_b);
  Contact contact;
  if (a.triangle() >= 0 && b.triangle() >= 0) {
    const auto corners = [](const ShapeData& shape, const Pose& pose, const Piece& piece) {
      return transformed(pose, triangle_of(shape.mesh, static_cast<std::size_t>(piece.triangle())));
    };
    contact = triangle_contact(corners(shape_a.data(), pose_a, a), corners(shape_b.data(), pose_b, b));
    contact.feature_a.part = number_a;
    contact.feature_b.part = number_b;
    return contact;
  }
  const Pose a_to_b = between_trees(shape_a.data(), pose_a, shape_b.data(), pose_b);
  return world_contact(a, number_a, b, number_b, piece_bracket(a, a_to_b, b), a_to_b,
                       {pose_b.rotation, pose_b.apply(shape_b.data().center)});
}

Contact world_contact(const Piece& a, std::int32_t number_a, const Piece& b, std::int32_t number_b,
                      const convex::ConvexDistance& d, const Pose& a_to_b, const Pose& b_to_world) {
  Contact contact;
  contact.feature_a = feature_of(a, d.features, 0, number_a);
  contact.feature_b = feature_of(b, d.features, 1, number_b);
  contact.distance = is_touching(d) ? 0.0 : d.upper;
  contact.normal = b_to_world.rotation * d.direction;
  contact.point_a = b_to_world.apply(d.point_a);
  contact.point_b = b_to_world.apply(d.point_b);
  if (!is_touching(d)) return contact;
  const bool has_plane = a.plane() != nullptr || b.plane() != nullptr;
  const convex::ConvexDepth depth =
      has_plane ? piece_depth(a, a_to_b, b) : convex::touching_depth(a.set(), a_to_b, b.set(), d);
  contact.normal = b_to_world.rotation * depth.normal;
  contact.point_a = contact.point_b = b_to_world.apply(meeting_point(a, a_to_b, b, d, depth));
  return contact;
}

}  // namespace toccata::proximity
