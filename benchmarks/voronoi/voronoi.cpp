// Voronoi grids beside jump flooding, distance meshes drawn by OpenGL and a tree query per voxel: one thread
// each (OpenGL in software takes all cores; process CPU time counts), one after the other in one run, the
// least of some passes. Every answer is checked against all sites first. Prints CSV. usage: bench_voronoi
// [PASSES]
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "jump_flooding.hpp"
#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"
#include "toccata/field/voronoi_grid.hpp"
#ifdef TOCCATA_WITH_GL
#include "toccata/field/gl_voronoi.hpp"
#endif
#include "toccata/proximity/signed_distance.hpp"

namespace toccata::bench {
namespace {

double cpu_milliseconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

template <typename Ask>
void keep_least(double& best, const Ask& ask) {
  const double begin = cpu_milliseconds();
  ask();
  best = std::min(best, cpu_milliseconds() - begin);
}

void print(const std::string& task, const std::string& method, double ms, double ours,
           const std::string& wrong, const std::string& note) {
  std::printf("%s,%s,%.3f,%.2f,%s,%s\n", task.c_str(), method.c_str(), ms, ms / ours, wrong.c_str(),
              note.c_str());
  std::fflush(stdout);
}

// Pixels whose site is farther than the nearest one by more than 1e-4 of a pixel; every `stride`th is looked
// at.
int wrong_pixels(const std::vector<Vector3>& points, const VoronoiGrid& grid,
                 const std::vector<std::int32_t>& sites, std::size_t stride) {
  int wrong = 0;
  for (std::size_t cell = 0; cell < sites.size(); cell += stride) {
    const Vector3 p = grid.center(cell);
    double least = 1e300;
    for (const Vector3& q : points) least = std::min(least, (p - q).squaredNorm());
    const bool none = sites[cell] < 0;
    wrong += none || (points[static_cast<std::size_t>(none ? 0 : sites[cell])] - p).norm() >
                         std::sqrt(least) + 1e-4 * grid.cell_size.x();
  }
  return wrong;
}

void points_in_the_plane(int count, int passes) {
  constexpr int side = 512;
  Random random(1000 + static_cast<std::uint64_t>(count));
  VoronoiSites sites;
  for (int i = 0; i < count; ++i) sites.points.emplace_back(random.unit(), random.unit(), 0.0);
  const VoronoiOptions options{.counts = {side, side, 1}, .box = {{0, 0, 0}, {1, 1, 0}}, .threads = 1};
  VoronoiGrid grid;
  std::vector<std::int32_t> flooded;
  double ours = 1e300, theirs = 1e300;
  for (int pass = 0; pass < passes; ++pass) {
    keep_least(ours, [&] { grid = voronoi_grid(sites, options).value(); });
    keep_least(theirs, [&] { flooded = jump_flooding(sites.points, side); });
  }
  const std::string task = "512x512 " + std::to_string(count) + " points";
  const std::size_t stride = 1;
  std::size_t certified = 0;
  for (const std::uint8_t c : grid.certified) certified += c;
  print(task, "toccata", ours, ours, std::to_string(wrong_pixels(sites.points, grid, grid.site, stride)),
        std::to_string(100 * certified / grid.site.size()) + " % of cells certified whole");
  print(task, "jump flooding", theirs, ours,
        std::to_string(wrong_pixels(sites.points, grid, flooded, stride)), "");
#ifdef TOCCATA_WITH_GL
  static const Expected<GlDevice> device = GlDevice::create();
  if (!device) return;
  GlVoronoi drawn;
  double cones = 1e300;
  for (int pass = 0; pass < std::min(passes, 2); ++pass)
    keep_least(cones, [&] { drawn = gl_voronoi_grid(*device, sites, options, {.recheck = false}).value(); });
  print(task, "OpenGL distance meshes", cones, ours,
        std::to_string(wrong_pixels(sites.points, grid, drawn.grid.site, stride)), device->name());
#endif
}

void features_in_space(int along, int around, int side, int passes) {
  scenes::TorusKnotOptions knot;
  knot.along = along;
  knot.around = around;
  const TriangleMesh mesh = scenes::torus_knot(knot);
  VoronoiOptions options{.counts = {side, side, side}, .threads = 1};
  VoronoiGrid grid;
  std::vector<Vector3> centers;
  SignedDistances asked;
  double ours = 1e300, theirs = 1e300;
  const PlacedShape placed{Shape(mesh)};
  for (int pass = 0; pass < passes; ++pass) {
    keep_least(ours, [&] { grid = voronoi_grid(voronoi_sites(mesh), options).value(); });
    if (centers.empty())
      for (std::size_t i = 0; i < grid.site.size(); ++i) centers.push_back(grid.center(i));
    keep_least(theirs,
               [&] { asked = signed_distances(centers, placed, {.with_sign = false, .threads = 1}); });
  }
  int wrong = 0;
  std::size_t certified = 0;
  for (std::size_t i = 0; i < grid.site.size(); ++i) {
    wrong += !(grid.distance[i] >= asked.points[i].lower - grid.error &&
               grid.distance[i] <= asked.points[i].upper + grid.error);
    certified += grid.certified[i];
  }
  const std::string task =
      std::to_string(side) + "^3 features of " + std::to_string(mesh.faces.size()) + " triangles";
  print(task, "toccata", ours, ours, std::to_string(wrong),
        std::to_string(100 * certified / grid.site.size()) + " % of cells certified whole");
  print(task, "tree query per voxel", theirs, ours, "0", "signed_distances without sign");
}

}  // namespace
}  // namespace toccata::bench

int main(int argc, char** argv) {
  using namespace toccata::bench;
  const int passes = argc > 1 ? std::max(1, std::atoi(argv[1])) : 5;
  std::printf("task,method,cpu_ms,times_toccata,wrong,note\n");
  points_in_the_plane(1000, passes);
  points_in_the_plane(10000, passes);
  features_in_space(200, 25, 128, std::min(passes, 2));
}
