#pragma once
// Sites as the kernels read them: records of plain numbers, one kind after the other.
//
// u = 2^-53, and L is the diagonal of the box around sites and grid. Unit vectors are computed in pairs of
// doubles and rounded, so that every component is right to 2 u; a face whose sine between two sides is below
// 2^-40 has no inside that is farther than 2^-41 of its length from its edges, and counts as them.
#include <array>
#include <cstdint>
#include <vector>

#include "toccata/field/voronoi_grid.hpp"

namespace toccata::voronoi {

struct PointRecord {
  double place[3] = {};
  // Directions of edges that start here (features only): beyond one of them the edge is nearer.
  static constexpr int most = 6;
  double edge[most][3] = {};
  int edges = 0;
};

struct EdgeRecord {
  double start[3] = {};
  double end[3] = {};
  double along[3] = {};  // unit; zero if the ends are one point
  double length = 0.0;
  // Within faces that have this edge, away from it (features only): beyond it the face is nearer.
  double inward[2][3] = {};
  int faces = 0;
};

struct FaceRecord {
  double corner[3][3] = {};
  double normal[3] = {};
  double inward[3][3] = {};  // of the edge that starts at that corner
  bool flat = true;          // false: degenerate, only its edges count
};

struct PreparedSites {
  std::vector<PointRecord> points;
  std::vector<EdgeRecord> edges;
  std::vector<FaceRecord> faces;
  std::vector<std::array<EdgeRecord, 3>> face_edges;  // of wholes alone: corners and edges belong to them
  // Points alone, nearest, without weights: places that lie close in memory.
  std::vector<std::array<double, 3>> places;
  bool points_alone = false;
  // Site numbers: points, then edges, then faces.
  std::int32_t first_edge = 0;
  std::int32_t first_face = 0;
  std::int32_t count = 0;
  bool wholes = false;
  // Of filled polygons, which are several parts of one site: whose part it is, and the parts of the same
  // site, from first up to, not including, last. Empty if every part is a site.
  std::vector<std::int32_t> owner, first_part, last_part;
  // value = scale * distance - shift; of wholes with weights only.
  std::vector<double> scale, shift;
  double largest_scale = 1.0;
};

// `options`: weights are those of the list's entries.
PreparedSites prepare_sites(const VoronoiSites& sites, const std::vector<VoronoiSite>& list,
                            const std::vector<std::int32_t>& owner, const VoronoiOptions& options);

}  // namespace toccata::voronoi
