#pragma once
// How often a closed surface goes around the centres of a grid, exactly.
#include <cstdint>
#include <vector>

#include "toccata/field/voronoi_grid.hpp"

namespace toccata::depth_grid {

// The counters of the course: along rows of cells every surface that is passed counts +1 or -1 by its
// direction.
struct GridTurns {
  std::vector<std::int32_t> turns;      // signed: how many volumes the centre is in
  std::vector<std::uint8_t> crossings;  // the parity of surfaces passed: 1 inside
};

// Of triangles, or in the plane of segments.
GridTurns grid_turns(const VoronoiSites& body, const VoronoiGrid& grid, int threads);

}  // namespace toccata::depth_grid
