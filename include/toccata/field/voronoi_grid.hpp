#pragma once
// Generalized Voronoi diagrams on grids, in the plane and in space: which site is nearest to each cell, how
// far it is, and whether that holds for the whole cell.
//
//   const VoronoiGrid grid = voronoi_grid(voronoi_sites(mesh), {.counts = {64, 64, 64}}).value();
//   const std::int32_t site = grid.site[grid.index(1, 2, 3)];
//
// By a certified tree of cells: a site is left out of a part of the grid only where it is proven that another
// one is nearer everywhere in it (docs/notes/voronoi_bounds.md). No answer is sampled or propagated.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "toccata/base/stop.hpp"
#include "toccata/bound/aabb.hpp"
#include "toccata/field/voronoi_sites.hpp"

namespace toccata {

enum class VoronoiKind : std::uint8_t {
  Nearest,   // of the features: corner, edge, face; ties go to the lower feature; of wholes if there are
             // polygons
  Farthest,  // of the wholes: the site whose nearest point is farthest; not of polygons
};

enum class VoronoiWeights : std::uint8_t {
  None,
  Additive,        // distance - weight: balls of that radius
  Multiplicative,  // distance / weight
};

constexpr std::string_view to_string(VoronoiKind kind) {
  return kind == VoronoiKind::Nearest ? "nearest" : "farthest";
}
constexpr std::string_view to_string(VoronoiWeights weights) {
  constexpr std::string_view names[] = {"none", "additive", "multiplicative"};
  return names[static_cast<int>(weights)];
}

struct VoronoiOptions {
  // Cells along the axes, at least 1 and all in all at most 2^31 - 1. A grid in the plane has one along z.
  std::array<std::int32_t, 3> counts = {128, 128, 1};
  // What the cells fill. lower > upper (as it is by default): the box around the sites, a twentieth of its
  // largest side larger to every side. With one cell along z and no height it is a slice: cells are flat.
  Aabb box = {Vector3::Constant(1.0), Vector3::Constant(-1.0)};
  VoronoiKind kind = VoronoiKind::Nearest;
  VoronoiWeights weighting = VoronoiWeights::None;
  // One per whole (voronoi_wholes), where there is a weighting: finite; multiplicative ones above zero. Then,
  // and of farthest sites, the diagram is one of wholes, not of features.
  std::vector<double> weights = {};
  // Cells that are not certified are cut into 4 (of 8 in space) this many times: see VoronoiGrid::finer.
  int refine = 0;
  // Collect the neighbours of each site: VoronoiGrid::neighbours.
  bool with_neighbours = false;
  int threads = 0;  // 0 = all cores; the grid does not depend on it
  Stop stop = {};   // an error if it comes before the grid is done
};

// A part of a cell that was cut.
struct VoronoiPart {
  std::int32_t cell = 0;  // of the grid
  std::int32_t level = 1;
  Vector3 center = Vector3::Zero();  // its size is that of a cell / 2^level
  std::int32_t site = -1;
  double distance = 0.0;
  bool certified = false;
};

// Two sites whose regions meet.
struct VoronoiNeighbours {
  std::int32_t first = 0;  // < second
  std::int32_t second = 0;
  // In some cell both are nearest somewhere and nothing else can be: they are neighbours for sure. Otherwise
  // cells next to each other, or centres of parts of one, have the two: so close that another region may be
  // between them.
  bool proven = false;

  friend bool operator==(const VoronoiNeighbours&, const VoronoiNeighbours&) = default;
};

struct VoronoiGrid {
  std::array<std::int32_t, 3> counts = {0, 0, 0};
  Vector3 lower = Vector3::Zero();      // corner of the first cell
  Vector3 cell_size = Vector3::Zero();  // sides of a cell
  // What `site` counts. Empty sites: every site is -1 and every distance infinite.
  std::vector<VoronoiSite> sites;
  // Of each cell, x fastest. The site at the centre: none is nearer (farther) by more than `error`, and of
  // those that may be equally near it is the one of the lowest number.
  std::vector<std::int32_t> site;
  std::vector<double> distance;         // at the centre; weighted as asked; right to `error`
  std::vector<std::uint8_t> certified;  // 1: proven to be the site of every point of the cell
  double error = 0.0;                   // from rounding: 2^-46 of the lengths
  // Anywhere in a cell the distance differs from that at the centre by no more than this and `error`: half
  // the cell's diagonal, over the least weight of multiplicative ones.
  double reach = 0.0;
  std::vector<VoronoiPart> finer;             // of the cells that are not certified, by cell
  std::vector<VoronoiNeighbours> neighbours;  // sorted

  std::size_t index(std::int32_t i, std::int32_t j, std::int32_t k = 0) const {
    return (static_cast<std::size_t>(k) * static_cast<std::size_t>(counts[1]) + static_cast<std::size_t>(j)) *
               static_cast<std::size_t>(counts[0]) +
           static_cast<std::size_t>(i);
  }
  // As rounded: the point that the answers are of.
  Vector3 center(std::int32_t i, std::int32_t j, std::int32_t k = 0) const {
    return {lower.x() + (i + 0.5) * cell_size.x(), lower.y() + (j + 0.5) * cell_size.y(),
            lower.z() + (k + 0.5) * cell_size.z()};
  }
  Vector3 center(std::size_t cell) const;
  bool is_certified(std::size_t cell) const { return certified[cell] != 0; }
};

// Error: sites or options that cannot be, or stopped.
Expected<VoronoiGrid> voronoi_grid(const VoronoiSites& sites, const VoronoiOptions& options = {});

// The cells through which a boundary may go: not certified, or next to one (across a side) of another site.
std::vector<std::uint8_t> voronoi_boundaries(const VoronoiGrid& grid);

}  // namespace toccata
