#include "proximity/piece_bracket.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "toccata/base/rounding.hpp"

namespace toccata::proximity {

using namespace convex;

namespace {

constexpr double u = unit_roundoff;

// From the plane, which bounds what lies below it, to the set above. Plane and set are in the same
// coordinates, up to `error`.
struct AbovePlane {
  double lower;
  double height;  // of the set's lowest point
  double error;
  Vector3 lowest;
  std::int32_t vertex;
};
AbovePlane above_plane(const Vector3& normal, double offset, const ConvexSet& set, const Pose& to_plane) {
  const Support s = support(set, to_plane.rotation.transpose() * -normal);
  const Vector3 lowest = to_plane.apply(s.point) - set.radius * normal;
  const double height = normal.dot(to_plane.translation) - s.value - set.radius - offset;
  // Heights are sums of four terms; the normal, its turn and the offset are right to eight roundings each.
  const double lengths = reach_from(set, Vector3::Zero()) + to_plane.translation.norm() + std::abs(offset);
  const double error = support_error(set) + 32.0 * u * lengths;
  return {height - error, height, error, lowest, s.vertex};
}

ConvexDistance answer_of(const AbovePlane& above, const Vector3& normal, bool set_is_a) {
  ConvexDistance d;
  d.meets = above.height <= 0.0;
  d.upper = d.upper_core = std::max(0.0, above.height);
  d.lower = d.lower_core = std::clamp(above.lower, 0.0, d.upper);
  d.direction = set_is_a ? Vector3(-normal) : normal;
  const Vector3 foot = above.lowest - above.height * normal;
  d.point_a = set_is_a ? above.lowest : foot;
  d.point_b = set_is_a ? foot : above.lowest;
  d.features.count = 1;
  (set_is_a ? d.features.vertex_a : d.features.vertex_b)[0] = above.vertex;
  return d;
}

// One of the two is a half space.
struct PlaneAndSet {
  PlaneAndSet(const Piece& a, const Pose& a_to_b, const Piece& b) : set_is_a(b.plane() != nullptr) {
    const Plane& plane = set_is_a ? *b.plane() : *a.plane();
    normal = set_is_a ? plane.normal : Vector3(a_to_b.rotation * plane.normal);
    const double offset = set_is_a ? plane.offset : plane.offset + normal.dot(a_to_b.translation);
    above = above_plane(normal, offset, set_is_a ? a.set() : b.set(), set_is_a ? a_to_b : Pose());
  }

  bool set_is_a;
  Vector3 normal;  // b's coordinates
  AbovePlane above{};
};

ConvexDistance of_planes(const Plane& a, const Pose& a_to_b, const Plane& b) {
  const Vector3 normal = a_to_b.rotation * a.normal;
  const double offset = a.offset + normal.dot(a_to_b.translation);
  ConvexDistance d;
  d.direction = normal;
  const double gap = -b.offset - offset;
  const bool are_opposite = normal.cross(b.normal).isZero(0.0) && normal.dot(b.normal) < 0.0;
  if (!are_opposite || !(gap > 0.0)) {
    d.meets = true;
    return d;
  }
  const double error = 32.0 * u * (std::abs(offset) + std::abs(b.offset) + a_to_b.translation.norm());
  d.upper = d.upper_core = gap;
  d.lower = d.lower_core = std::max(0.0, gap - error);
  d.point_a = offset * normal;
  d.point_b = b.offset * b.normal;
  return d;
}

}  // namespace

ConvexDistance piece_bracket(const Piece& a, const Pose& a_to_b, const Piece& b, ConvexMemory* memory,
                             const ConvexLimits& limits) {
  if (a.plane() == nullptr && b.plane() == nullptr)
    return convex_distance(a.set(), a_to_b, b.set(), memory, limits);
  if (a.plane() != nullptr && b.plane() != nullptr) return of_planes(*a.plane(), a_to_b, *b.plane());
  const PlaneAndSet pair(a, a_to_b, b);
  return answer_of(pair.above, pair.normal, pair.set_is_a);
}

bool are_single_pieces(const ShapeData& a, const ShapeData& b) {
  return a.piece_count() == 1 && b.piece_count() == 1 && !(a.has_only_triangles() && b.has_only_triangles());
}

ConvexDepth piece_depth(const Piece& a, const Pose& a_to_b, const Piece& b, ConvexMemory* memory,
                        const ConvexLimits& limits) {
  if (a.plane() == nullptr && b.plane() == nullptr)
    return convex_depth(a.set(), a_to_b, b.set(), memory, limits);
  ConvexDepth depth;
  if (a.plane() != nullptr && b.plane() != nullptr) {
    depth.distance = of_planes(*a.plane(), a_to_b, *b.plane());
    depth.meets = depth.distance.meets;
    depth.normal = depth.distance.direction;
    if (!depth.meets) return depth;
    const double overlap = b.plane()->offset + a.plane()->offset + depth.normal.dot(a_to_b.translation);
    const bool are_opposite = (depth.normal + b.plane()->normal).isZero(0.0);
    const double lengths =
        std::abs(b.plane()->offset) + std::abs(a.plane()->offset) + a_to_b.translation.norm();
    constexpr double infinite = std::numeric_limits<double>::infinity();
    depth.lower_depth = are_opposite ? std::max(0.0, overlap - 32.0 * u * lengths) : infinite;
    depth.upper_depth = are_opposite ? std::max(0.0, overlap + 32.0 * u * lengths) : infinite;
    return depth;
  }
  const PlaneAndSet pair(a, a_to_b, b);
  depth.distance = answer_of(pair.above, pair.normal, pair.set_is_a);
  depth.meets = depth.distance.meets;
  depth.normal = depth.distance.direction;
  depth.point_a = depth.distance.point_a;
  depth.point_b = depth.distance.point_b;
  if (!depth.meets) return depth;
  depth.lower_depth = std::max(0.0, -pair.above.height - pair.above.error);
  depth.upper_depth = std::max(0.0, -pair.above.height + pair.above.error);
  return depth;
}

double reach_along(const Piece& piece, const Vector3& direction) {
  if (const Plane* plane = piece.plane()) {
    const double length = direction.norm();
    if (!direction.cross(plane->normal).isZero(0.0) || direction.dot(plane->normal) <= 0.0)
      return std::numeric_limits<double>::infinity();
    return length * plane->offset + 16.0 * u * length * std::abs(plane->offset);
  }
  const double length = direction.norm() * (1.0 + 8.0 * u);
  const ConvexSet& set = piece.set();
  const double reach = support(set, direction).value + length * (set.radius + support_error(set));
  return reach + 4.0 * u * std::abs(reach);
}

Feature feature_of(const Piece& piece, const ConvexFeatures& features, int side, std::int32_t number) {
  const auto& vertices = side == 0 ? features.vertex_a : features.vertex_b;
  Feature feature = feature_of_corners(vertices, piece.plane() != nullptr ? 0 : features.count);
  feature.part = number;
  if (piece.triangle() < 0) return feature;
  // The edge of a triangle is named by the corner it runs from: 2 to 0 is edge 2.
  if (feature.kind == FeatureKind::Face) feature.index = 0;
  if (feature.kind == FeatureKind::Edge && feature.index == 0 &&
      std::find(vertices.begin(), vertices.begin() + features.count, 2) != vertices.begin() + features.count)
    feature.index = 2;
  return feature;
}

}  // namespace toccata::proximity
