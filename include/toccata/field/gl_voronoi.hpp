#pragma once
// Voronoi grids by drawing: Hoff's distance meshes in a depth buffer, by OpenGL (the component Toccata::gl).
// voronoi_grid needs no graphics, is proven, and is faster on a CPU; here its answers check the drawn ones.
//
//   const GlDevice device = GlDevice::create().value();
//   const GlVoronoi drawn = gl_voronoi_grid(device, voronoi_sites(mesh), {.counts = {64, 64, 8}}).value();
#include <cstddef>

#include "toccata/base/gl_device.hpp"
#include "toccata/field/voronoi_grid.hpp"

namespace toccata {

struct GlVoronoiOptions {
  // How far a distance mesh may be above the distance that it stands for. 0: a sixteenth of a cell's shorter
  // side in the plane of the pictures.
  double mesh_error = 0.0;
  // The drawn sites are held against the certified grid, which is then the answer.
  bool recheck = true;
};

struct GlVoronoi {
  // Rechecked: that of voronoi_grid, whatever was drawn. Otherwise the sites as drawn, each with its true
  // distance at the centre; no cell is certified, and there are neither parts nor neighbours.
  VoronoiGrid grid;
  // The site drawn is no farther than the nearest one by more than this, if the driver interpolates as well
  // as OpenGL asks for: what meshes, pixels cut into 256 and floats are off.
  double bound = 0.0;
  std::size_t triangles = 0;  // drawn, of all slices
  // What the recheck found.
  std::size_t wrong = 0;         // cells whose drawn site is farther than the nearest by more than rounding
  std::size_t beyond_bound = 0;  // of those, by more than `bound`
  std::size_t not_drawn = 0;     // cells that no mesh covered
  double worst = 0.0;            // the largest excess
};

// Slice by slice along z. Error: as voronoi_grid, cells that are more than the pixels of a picture, a mesh
// error that cannot be, or stopped.
Expected<GlVoronoi> gl_voronoi_grid(const GlDevice& device, const VoronoiSites& sites,
                                    const VoronoiOptions& options = {}, const GlVoronoiOptions& drawing = {});

}  // namespace toccata
