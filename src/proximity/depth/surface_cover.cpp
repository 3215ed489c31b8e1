#include "proximity/depth/surface_cover.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "elementary/convex_set.hpp"
#include "hierarchy/shape_data.hpp"
#include "proximity/point_distance/asked_shape.hpp"
#include "toccata/bound/convex_hull_of.hpp"
#include "toccata/geometry/display_mesh.hpp"

namespace toccata::depth {
namespace {

// Latitudes and longitudes of the directions in which round kinds are looked at: none is farther from one of
// them than half a step of each.
constexpr int rings = 32;
constexpr int around = 64;
const double widest_angle = std::numbers::pi * std::hypot(0.5 / rings, 1.0 / around) * (1.0 + 1e-9);

std::vector<Vector3> directions() {
  std::vector<Vector3> found;
  for (int i = 0; i < rings; ++i) {
    const double latitude = std::numbers::pi * ((i + 0.5) / rings - 0.5);
    for (int j = 0; j < around; ++j) {
      const double longitude = 2.0 * std::numbers::pi * (j + 0.5) / around;
      found.push_back({std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude),
                       std::sin(latitude)});
    }
  }
  return found;
}

// Points of the surface of a set, and how far the set reaches beyond their hull along any direction.
struct SurfacePoints {
  std::vector<Vector3> points;
  double beyond = 0.0;
};

SurfacePoints points_of(const ConvexSet& set) {
  SurfacePoints found;
  if (set.core == Core::Cylinder || set.core == Core::Cone) {
    for (int j = 0; j < around; ++j) {
      const double angle = 2.0 * std::numbers::pi * j / around;
      const Vector3 rim(set.half.x() * std::cos(angle), set.half.x() * std::sin(angle), -set.half.z());
      found.points.push_back(rim);
      if (set.core == Core::Cylinder) found.points.push_back({rim.x(), rim.y(), set.half.z()});
    }
    if (set.core == Core::Cone) found.points.push_back({0.0, 0.0, set.half.z()});
    found.beyond = set.half.x() * (1.0 - std::cos(std::numbers::pi / around));
    return found;
  }
  const double missing = 1.0 - std::cos(widest_angle);
  if (set.core == Core::Ellipsoid) {
    for (const Vector3& d : directions()) found.points.push_back(set.half.cwiseProduct(d));
    found.beyond = set.half.maxCoeff() * missing;
    return found;
  }
  if (set.core == Core::Balls) {
    for (std::size_t i = 0; i < set.points.size(); ++i) {
      const double radius = set.half[static_cast<Eigen::Index>(i)] + set.radius;
      for (const Vector3& d : directions()) found.points.push_back(set.points[i] + radius * d);
      found.beyond = std::max(found.beyond, radius * missing);
    }
    return found;
  }
  // Every corner of the core that is farthest along a direction, or along one that is as near to it as the
  // next: together they have the hull of all corners and all directions.
  const std::int32_t corners = corner_count(set);
  const double near = 4.0 * core_reach(set) * std::sin(widest_angle);
  for (const Vector3& d : directions()) {
    const double height = core_support(set, d).value;
    for (std::int32_t v = 0; v < corners; ++v) {
      const Vector3 corner = corner_of(set, v);
      if (d.dot(corner) >= height - near) found.points.push_back(corner + set.radius * d);
    }
  }
  found.beyond = set.radius * missing;
  return found;
}

TriangleMesh square_of(const Plane& plane, const Vector3& middle, double half_side) {
  const Vector3 x = plane.normal.unitOrthogonal(), y = plane.normal.cross(x);
  const Vector3 foot = middle - plane.height(middle) * plane.normal;
  const auto corner = [&](double i, double j) { return Vector3(foot + half_side * (i * x + j * y)); };
  return {{corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)}, {{0, 1, 2}, {0, 2, 3}}};
}

TriangleMesh shifted(std::vector<Vector3> vertices, std::vector<Face> faces, const Vector3& by) {
  for (Vector3& v : vertices) v += by;
  return {std::move(vertices), std::move(faces)};
}

}  // namespace

Expected<SurfaceCover> surface_cover(const PlacedShape& shape, const PlacedShape& near) {
  const ShapeData& data = shape.shape.data();
  if (std::holds_alternative<Compound>(data.geometry) || data.sets.size() > 1)
    return Error{"a " + std::string(kind_of(data.geometry)) +
                 " has no surface of its own: its parts may cover each other's. Ask them one by one"};
  if (data.is_half_space()) {
    const ShapeData& other = near.shape.data();
    const Vector3 middle =
        shape.pose.rotation.transpose() * (near.pose.apply(other.center) - shape.pose.translation);
    const double reach = 1.1 * other.radius + 1e-9 * (middle.norm() + data.center.norm());
    const TriangleMesh square = square_of(*data.tree.plane, middle - data.center, reach);
    return SurfaceCover{{Shape(shifted(square.vertices, square.faces, data.center)), shape.pose}, 0.0};
  }
  if (shape.shape.is_mesh() || data.tree.heights != nullptr)
    return SurfaceCover{point_distance::asked_shape(shape), 0.0};
  const ConvexSet& set = data.sets[0].set;
  if (is_polytope(set) && set.radius == 0.0) {
    TriangleMesh mesh = display_mesh(shape.shape.geometry());
    if (mesh.faces.size() < 4) return Error{"a hull of points in one plane has no volume"};
    return SurfaceCover{{Shape(std::move(mesh)), shape.pose}, 0.0};
  }
  const SurfacePoints on = points_of(set);
  const Expected<ConvexHull> hull = convex_hull_of(on.points);
  if (!hull || hull->faces.size() < 4) return Error{"a shape without a volume has no inside"};
  const double error = on.beyond + 1e-14 * (data.radius + data.center.norm());
  return SurfaceCover{{Shape(shifted(hull->vertices, hull->faces, data.center)), shape.pose}, error};
}

}  // namespace toccata::depth
