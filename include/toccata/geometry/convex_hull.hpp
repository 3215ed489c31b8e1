#pragma once
// The convex hull of some points as plain data: its corners, faces and neighbours. Made by convex_hull_of
// (bound/convex_hull_of.hpp).
#include <cstdint>
#include <vector>

#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata {

// Every point within `radius` of the hull of `vertices`. Corners are the given doubles, untouched; each is
// a true corner of the hull, so that none is in the hull of the others.
//   points in space   faces are outward triangles; those of one plane share their `plane`
//   points of a plane faces cover the polygon once from either side
//   on a line, a point two vertices or one, no faces
struct ConvexHull {
  std::vector<Vector3> vertices;
  std::vector<std::int32_t> sources;  // of each vertex: its index in the points given
  std::vector<Face> faces;
  // Of each face: the number of the plane (exactly) that it lies in, from 0 in the order of faces. The two
  // sides of a polygon count as two.
  std::vector<std::int32_t> planes;
  // The vertices joined to vertex v by an edge of the hull, which no diagonal in a plane is, in increasing
  // order: neighbours[first_neighbour[v]] .. [first_neighbour[v + 1]).
  std::vector<std::int32_t> neighbours;
  std::vector<std::int32_t> first_neighbour;
  double radius = 0.0;
};

}  // namespace toccata
