#pragma once
// Proximity of two closed bodies on a grid, or of one with itself: where they are in each other and how deep
// at every point, where their surfaces nearly touch and with which normals, or how far apart they are.
//
//   const PenetrationField field = penetration_field(voronoi_sites(a), voronoi_sites(b), {.cell =
//   0.01}).value(); for (const PenetratingPoint& p : field.points) push(p.point, p.depth_b, p.out_of_b);  //
//   a penalty force
//
// After Hoff, Zaferakis, Lin and Manocha, without graphics hardware and without sampling of distances: at the
// centre of every cell sides are exact and distances right to rounding, so that the size of cells alone
// decides how far an answer can be off. Nothing is prepared: deforming bodies are given anew as they are. For
// one certified depth of two meshes, without a grid: penetration (proximity/penetration.hpp).
#include <cstddef>
#include <cstdint>
#include <vector>

#include "toccata/field/voronoi_grid.hpp"

namespace toccata {

struct PenetrationFieldOptions {
  // Side of a cell. 0: a 48th of the longest side of the region.
  double cell = 0.0;
  // Cells whose centre is no farther than this from both surfaces are contacts. 0: half the diagonal of a
  // cell.
  double contact_distance = 0.0;
  std::size_t most_cells = 16'777'216;  // more is an error: a larger cell is meant
  int threads = 0;                      // 0 = all cores; the field does not depend on it
  Stop stop = {};                       // an error if it comes first
};

// The centre of a cell inside both bodies. Of one body with itself a and b are the same.
struct PenetratingPoint {
  Vector3 point = Vector3::Zero();
  std::size_t cell = 0;
  double depth_a = 0.0;  // distance from the surface of a
  double depth_b = 0.0;
  Vector3 out_of_a = Vector3::Zero();  // unit: the shortest way out of a; zero on its surface
  Vector3 out_of_b = Vector3::Zero();
  std::int32_t site_a = -1;  // the feature there: of PenetrationField::a.sites
  std::int32_t site_b = -1;
};

// The centre of a cell near both surfaces.
struct GridContact {
  Vector3 point = Vector3::Zero();
  std::size_t cell = 0;
  double distance_a = 0.0;  // signed: negative inside
  double distance_b = 0.0;
  Vector3 normal =
      Vector3::Zero();  // unit, from a to b: between the gradients of both; zero where they cancel
  std::int32_t site_a = -1;
  std::int32_t site_b = -1;
};

// How deep the deepest point of both is below one surface.
struct GridDepth {
  double lower = 0.0;       // at the centre of a cell
  double upper = 0.0;       // no point of both bodies is deeper
  std::int64_t point = -1;  // of PenetrationField::points; -1: none
};

struct GridSeparation {
  // The surfaces are no nearer and no farther than this: the two are a diagonal of a cell apart. 0 and 0 if
  // the bodies are in each other.
  double lower = 0.0;
  double upper = 0.0;
  Vector3 point_a = Vector3::Zero();  // of the surface of a, nearest to the best cell
  Vector3 point_b = Vector3::Zero();
};

struct PenetrationField {
  // The grid lies over the part of space that both boxes share; if nothing is in both there, over where the
  // nearest points are. Distances without sign, features and their numbers, cells, reach and error.
  VoronoiGrid a;
  VoronoiGrid b;
  std::vector<std::uint8_t> inside_a;  // of each cell: its centre; exact
  std::vector<std::uint8_t> inside_b;
  // Localisation: boxes in which triangles (in the plane: segments) of both may meet, an eighth of the region
  // large. The surfaces touch nowhere else.
  std::vector<Aabb> boxes;
  std::vector<PenetratingPoint> points;  // by cell
  std::vector<GridContact> contacts;     // by cell
  GridDepth depth_in_a;                  // of points of both below the surface of a
  GridDepth depth_in_b;
  GridSeparation separation;  // of one body with itself: not set
  double volume = 0.0;        // of what is in both, by cells; an estimate. In the plane: its area
};

// Error: a body that is not closed (an edge with an odd number of triangles; in the plane a point with an odd
// number of segments), is neither in the plane nor of triangles, cannot be, or options that cannot be;
// stopped.
Expected<PenetrationField> penetration_field(const VoronoiSites& a, const VoronoiSites& b,
                                             const PenetrationFieldOptions& options = {});

// Where a body is in itself: points that its surface goes around more than once.
Expected<PenetrationField> self_penetration_field(const VoronoiSites& body,
                                                  const PenetrationFieldOptions& options = {});

}  // namespace toccata
