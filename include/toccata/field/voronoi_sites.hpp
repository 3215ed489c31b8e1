#pragma once
// What a Voronoi diagram is made of: points, segments and triangles, taken as features, and filled polygons.
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "toccata/base/expected.hpp"
#include "toccata/geometry/triangle_mesh.hpp"
#include "toccata/report/feature.hpp"

namespace toccata {

// Plain data, in world coordinates. In the plane all z are 0, or the same.
struct VoronoiSites {
  std::vector<Vector3> points;
  std::vector<Edge> segments;   // between points
  std::vector<Face> triangles;  // of points
  // Filled, each one site: the points around it, either way. Simple, and all at the same z.
  std::vector<std::vector<std::int32_t>> polygons = {};
};

// All points, edges and faces of a mesh, open or closed.
VoronoiSites voronoi_sites(const TriangleMesh& mesh);
// The outline of a polygon in the plane z = 0: n points, and n segments that close it.
VoronoiSites voronoi_sites(std::span<const Vector2> polygon);
// Filled polygons in the plane z = 0.
VoronoiSites voronoi_sites(std::span<const std::vector<Vector2>> polygons);

// One thing that can be nearest: a corner, the inside of an edge or of a face; or a whole of them.
struct VoronoiSite {
  FeatureKind kind = FeatureKind::Vertex;
  std::array<std::int32_t, 3> points = {-1, -1, -1};  // as many as the kind has
  // Of the list that it is from: the point, the segment or the triangle. Of an edge of triangles that was not
  // given as a segment the lowest triangle that has it, as ~triangle.
  std::int32_t index = 0;

  // A filled polygon: a Face that has no list of points here.
  bool is_polygon() const { return kind == FeatureKind::Face && points[0] < 0; }
};

// Features: every point, then every edge (of segments and triangles, each pair of points once, by their
// numbers), then every triangle. Points equal in place but not in number are different corners. Polygons have
// none: with them a diagram is one of wholes.
std::vector<VoronoiSite> voronoi_features(const VoronoiSites& sites);
// Wholes: the points that no segment, triangle or polygon uses, then the segments, then the triangles, edges
// and corners included, then the polygons.
std::vector<VoronoiSite> voronoi_wholes(const VoronoiSites& sites);

// The error names the first index that is out of range or number that is not finite or beyond 1e100.
Expected<bool> check_voronoi_sites(const VoronoiSites& sites);

}  // namespace toccata
