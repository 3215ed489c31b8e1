#pragma once
// The features of a polytope as a walk over them needs them: who borders on whom, and the planes between
// their Voronoi regions. In plain arithmetic: what is found by them is a hint.
#include <cstdint>
#include <span>
#include <vector>

#include "elementary/convex_set.hpp"
#include "toccata/geometry/convex_hull.hpp"

namespace toccata::convex {

struct HullFeatures {
  struct Edge {
    Vector3 way = Vector3::Zero();  // unit, from tail to head
    double length = 0.0;
    std::int32_t tail = -1, head = -1;
    // The faces on both sides, and the unit normals of the planes that part the edge's region from theirs:
    // along the face, away from the edge. -1: none (hulls on a line).
    std::int32_t face[2] = {-1, -1};
    Vector3 inward[2] = {Vector3::Zero(), Vector3::Zero()};
  };
  // An edge as a vertex sees it: the plane that parts their regions has the normal `way`.
  struct Ray {
    Vector3 way = Vector3::Zero();  // unit, away from the vertex
    std::int32_t edge = -1;
    std::int32_t to = -1;  // the vertex at the other end
  };
  // An edge as a face sees it: points above the face have inward . x >= offset on all sides.
  struct Side {
    Vector3 inward = Vector3::Zero();
    double offset = 0.0;
    std::int32_t edge = -1;
    std::int32_t corner = -1;  // where it starts, counter-clockwise seen from outside
  };
  struct Face {
    Vector3 normal = Vector3::Zero();  // unit, outward
    double offset = 0.0;
    std::int32_t first_side = 0;
    std::int32_t side_count = 0;
  };

  HullFeatures() = default;
  // Whole polygons count as faces: triangles of one plane are one. Vertex i of the hull is points[names[i]].
  HullFeatures(std::span<const Vector3> points, const ConvexHull& hull, std::span<const std::int32_t> names);

  bool empty() const { return points.empty(); }
  std::span<const Ray> rays_of(std::int32_t vertex) const {
    return {rays.data() + first_ray[static_cast<std::size_t>(vertex)],
            rays.data() + first_ray[static_cast<std::size_t>(vertex) + 1]};
  }
  // The point itself if it is a corner of the hull; of others, which are inside or equal to one, some corner.
  std::int32_t corner_for(std::int32_t point) const { return rays_of(point).empty() ? some_vertex : point; }
  std::span<const Side> sides_of(const Face& face) const {
    return {sides.data() + face.first_side, static_cast<std::size_t>(face.side_count)};
  }

  std::vector<Vector3> points;  // as given; those inside the hull have no rays
  std::vector<Edge> edges;
  std::vector<Face> faces;
  std::vector<Side> sides;
  std::vector<Ray> rays;  // of vertex v: first_ray[v] to first_ray[v + 1]
  std::vector<std::int32_t> first_ray;
  std::int32_t some_vertex = 0;  // one that is a corner
};

// Of a set of points or a box, in its core's coordinates, numbered as Support::vertex; empty for curved
// cores. Costs a convex hull.
HullFeatures hull_features_of(const ConvexSet& set);

}  // namespace toccata::convex
