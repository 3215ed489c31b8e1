// Which corner, edge or face of a box is nearest to each cell of a grid, and where that is proven for all of
// the cell.
#include <cstdio>

#include "box.hpp"
#include "toccata/field/penetration_field.hpp"

int main() {
  using namespace toccata;
  const TriangleMesh mesh = box(1.0, 1.0, 1.0);
  const VoronoiSites sites = voronoi_sites(mesh);
  const VoronoiGrid grid = voronoi_grid(sites, {.counts = {32, 32, 32}}).value();
  std::size_t certified = 0;
  for (const std::uint8_t whole : grid.certified) certified += whole;
  const VoronoiSite& first = grid.sites[static_cast<std::size_t>(grid.site[0])];
  std::printf("%zu features; the first cell belongs to a %s; %s cells are certified whole\n",
              grid.sites.size(), to_string(first.kind).data(),
              2 * certified > grid.site.size() ? "most" : "some");

  VoronoiSites moved = sites;
  for (Vector3& p : moved.points) p += Vector3(0.5, 0.25, 0.125);
  const PenetrationField field = penetration_field(sites, moved, {.cell = 0.05}).value();
  const GridDepth& depth = field.depth_in_b;
  std::printf("two boxes: a point of both is at least %.2f and at most %.2f below the second one's surface\n",
              depth.lower, depth.upper);
}
// Output:
// 38 features; the first cell belongs to a vertex; most cells are certified whole
// two boxes: a point of both is at least 0.47 and at most 0.52 below the second one's surface
