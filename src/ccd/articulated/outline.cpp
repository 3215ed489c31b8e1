#include <algorithm>
#include <cmath>
#include <limits>

#include "ccd/articulated/prepared_robot.hpp"
#include "elementary/convex_set.hpp"
#include "hierarchy/piece.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/bound/convex_hull_of.hpp"
#include "toccata/geometry/adjacency.hpp"

namespace toccata::articulated {
namespace {

struct Extent {
  Vector3 lower = Vector3::Constant(std::numeric_limits<double>::infinity());
  Vector3 upper = Vector3::Constant(-std::numeric_limits<double>::infinity());

  void add(const Vector3& point) {
    lower = lower.cwiseMin(point);
    upper = upper.cwiseMax(point);
  }
};

// A box around a convex set, about the shape's centre.
Extent extent_of(const ConvexSet& set) {
  Extent extent;
  const double more = set.radius + support_error(set);
  for (int axis = 0; axis < 3; ++axis) {
    const Vector3 unit = Vector3::Unit(axis);
    extent.upper[axis] = next_up(support(set, unit).value + more);
    extent.lower[axis] = next_down(-support(set, -unit).value - more);
  }
  return extent;
}

std::vector<Vector3> witnesses_of(const ShapeData& data) {
  std::vector<Vector3> witnesses;
  if (!data.mesh.faces.empty()) {
    const MeshComponents parts = connected_components(data.own_mesh());
    std::vector<char> seen(static_cast<std::size_t>(parts.count), 0);
    for (std::size_t i = 0; i < data.mesh.faces.size(); ++i) {
      char& is_seen = seen[static_cast<std::size_t>(parts.of_face[i])];
      if (is_seen == 0)
        witnesses.push_back(data.mesh.vertices[static_cast<std::size_t>(data.mesh.faces[i][0])]);
      is_seen = 1;
    }
  }
  for_each_set(data, [&](const ConvexSet& set) {
    witnesses.push_back(data.center + support(set, Vector3::UnitX()).point);
  });
  return witnesses;
}

}  // namespace

Outline outline_of(Shape shape) {
  Outline outline{std::move(shape)};
  const ShapeData& data = outline.shape.data();
  if (data.is_half_space() || data.piece_count() == 0) return outline;
  Extent extent;
  std::vector<Vector3> points;  // whose hull holds the shape, up to `slack`
  for (const Face& face : data.mesh.faces) {
    for (const std::int32_t vertex : face)
      points.push_back(data.mesh.vertices[static_cast<std::size_t>(vertex)]);
  }
  for (const Vector3& point : points) extent.add(point);
  double slack = 0.0;
  for_each_set(data, [&](const ConvexSet& set) {
    const Extent box = extent_of(set);
    for (int corner = 0; corner < 8; ++corner) {
      const Vector3 x((corner & 1) != 0 ? box.upper.x() : box.lower.x(),
                      (corner & 2) != 0 ? box.upper.y() : box.lower.y(),
                      (corner & 4) != 0 ? box.upper.z() : box.lower.z());
      points.push_back(data.center + x);
      extent.add(points.back());
    }
    slack = 8.0 * unit_roundoff * (data.center.norm() + data.radius);
  });
  outline.witnesses = witnesses_of(data);
  // A few roundings of the places of both ends.
  const double rounding = 16.0 * unit_roundoff * (data.center.norm() + data.radius) + slack;
  outline.box_center = 0.5 * (extent.lower + extent.upper);
  outline.box_half = (0.5 * (extent.upper - extent.lower)).array() * (1.0 + 8.0 * unit_roundoff) + rounding;
  outline.center = data.center;
  outline.radius = data.radius * (1.0 + 8.0 * unit_roundoff);
  const bool is_convex = data.piece_count() == 1 && !data.has_only_triangles();
  if (!is_convex) {
    if (Expected<ConvexHull> hull = convex_hull_of(points, slack)) outline.hull = Shape(std::move(*hull));
  }
  outline.closed = !data.mesh.faces.empty() && outline.shape.is_closed();
  return outline;
}

}  // namespace toccata::articulated
