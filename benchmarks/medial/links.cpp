// Spheres that enclose the links of a robot within an error, and how many any set of such spheres has at
// least.
//
// The bound. H: the convex hull of the mesh, D(c): how deep a point is in it, the least over its planes. A
// ball (c, r) reaches at least r - D(c) beyond H, and so beyond the mesh: r <= D(c) + e. It can hold the
// point p only if
//   f(c) = D(c) + e - |c - p| >= 0.
// f is concave: in a cell about c0 of half diagonal h it is at most f(c0) + h |g|, g a supergradient of it at
// c0. Points of the mesh no two of which can be held from one cell need a ball each.
//
// Roundings. Any planes that have the mesh on one side will do, so that a normal need not be the hull's: only
// its height counts. All lengths are below L, the sum of the coordinates' largest and the error; a height, a
// depth, a distance and a point of a triangle are each right to 16 u L, u = 2^-53, a slope to 16 u, a corner
// of the grid to the number of cells in a row times u L, less than 4,000 u L. All of it is less than
// 2^-40 L, by which every comparison gives way; errors below a thousandth of L are not looked at. The box is
// one of the planes, so that no centre inside all of them is outside the grid; one outside of them holds a
// point only from within the error of it.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "bodies.hpp"
#include "groups.hpp"
#include "toccata/bound/convex_hull_of.hpp"
#include "toccata/io/mesh_io.hpp"
#include "toccata/proximity/enclosure.hpp"

namespace toccata::bench {
namespace {

struct Plane {
  Vector3 normal;
  double height;
};

std::vector<Plane> planes_of(const ConvexHull& hull) {
  Vector3 middle = Vector3::Zero();
  for (const Vector3& v : hull.vertices) middle += v / static_cast<double>(hull.vertices.size());
  std::vector<Plane> planes;
  for (const Face& f : hull.faces) {
    const Vector3& a = hull.vertices[static_cast<std::size_t>(f[0])];
    Vector3 normal = (hull.vertices[static_cast<std::size_t>(f[1])] - a)
                         .cross(hull.vertices[static_cast<std::size_t>(f[2])] - a);
    if (!(normal.norm() > 0.0)) continue;
    normal.normalize();
    if (normal.dot(a - middle) < 0.0) normal = -normal;
    double height = -1e300;  // of all corners: no rounding puts one beyond
    for (const Vector3& v : hull.vertices) height = std::max(height, normal.dot(v));
    planes.push_back({normal, height});
  }
  for (int k = 0; k < 3; ++k) {
    for (const double sign : {-1.0, 1.0}) {
      double height = -1e300;
      for (const Vector3& v : hull.vertices) height = std::max(height, sign * v[k]);
      planes.push_back({sign * Vector3::Unit(k), height});
    }
  }
  return planes;
}

struct Cell {
  Vector3 middle, normal;  // of the plane that is nearest
  double depth;
};

std::vector<Cell> cells_of(const std::vector<Plane>& planes, const TriangleMesh& mesh, double error,
                           double side) {
  Vector3 lower = mesh.vertices[0], upper = lower;
  for (const Vector3& v : mesh.vertices) {
    lower = lower.cwiseMin(v);
    upper = upper.cwiseMax(v);
  }
  lower.array() -= error;
  upper.array() += error;
  const double half_diagonal = 0.5 * std::sqrt(3.0) * side;
  std::vector<Cell> cells;
  for (double x = lower.x(); x < upper.x(); x += side) {
    for (double y = lower.y(); y < upper.y(); y += side) {
      for (double z = lower.z(); z < upper.z(); z += side) {
        Cell cell = {Vector3(x, y, z).array() + 0.5 * side, Vector3::Zero(), 1e300};
        for (const Plane& plane : planes) {
          const double depth = plane.height - plane.normal.dot(cell.middle);
          if (depth < cell.depth) cell = {cell.middle, plane.normal, depth};
        }
        if (cell.depth >= -error - 2.0 * half_diagonal) cells.push_back(cell);
      }
    }
  }
  return cells;
}

std::vector<Vector3> points_of(const TriangleMesh& mesh, double spacing) {
  std::vector<Vector3> points;
  for (const Face& f : mesh.faces) {
    const Vector3 &a = mesh.vertices[static_cast<std::size_t>(f[0])],
                  &b = mesh.vertices[static_cast<std::size_t>(f[1])],
                  &c = mesh.vertices[static_cast<std::size_t>(f[2])];
    const int rows =
        static_cast<int>(std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()}) / spacing) + 1;
    for (int i = 0; i <= rows; ++i) {
      for (int j = 0; i + j <= rows; ++j) {
        const Vector3 point = a + (double(i) / rows) * (b - a) + (double(j) / rows) * (c - a);
        const bool is_new = std::none_of(points.begin(), points.end(), [&](const Vector3& known) {
          return (known - point).squaredNorm() < 0.25 * spacing * spacing;
        });
        if (is_new) points.push_back(point);
      }
    }
  }
  return points;
}

int least_spheres(const TriangleMesh& mesh, double error) {
  const Expected<ConvexHull> hull = convex_hull_of(mesh.vertices);
  if (!hull || hull->faces.empty()) return 1;
  double lengths = error;
  for (const Vector3& v : mesh.vertices) lengths = std::max(lengths, v.lpNorm<1>() + error);
  if (!(error >= 1e-3 * lengths)) return 1;
  const double slack = 0x1p-40 * lengths;
  const double side = 0.5 * error, half_diagonal = 0.5 * std::sqrt(3.0) * side + slack;
  const std::vector<Cell> cells = cells_of(planes_of(*hull), mesh, error, side);
  const std::vector<Vector3> points = points_of(mesh, 1.5 * error);
  std::vector<std::vector<std::int32_t>> from(points.size());  // the cells that a point can be held from
  for (std::size_t p = 0; p < points.size(); ++p) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const Vector3 away = cells[i].middle - points[p];
      const double length = away.norm(), f = cells[i].depth + error - length;
      if (f < -2.0 * half_diagonal - 4.0 * slack) continue;
      const double slope = length > 0.0 ? (cells[i].normal + away / length).norm() : 2.0;
      if (f + slope * half_diagonal + 4.0 * slack >= 0.0) from[p].push_back(static_cast<std::int32_t>(i));
    }
  }
  std::vector<std::size_t> order(points.size());
  for (std::size_t p = 0; p < order.size(); ++p) order[p] = p;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return from[a].size() < from[b].size(); });
  std::vector<bool> is_used(cells.size(), false);
  int count = 0;
  for (const std::size_t p : order) {
    if (std::any_of(from[p].begin(), from[p].end(),
                    [&](std::int32_t i) { return is_used[static_cast<std::size_t>(i)]; }))
      continue;
    for (const std::int32_t i : from[p]) is_used[static_cast<std::size_t>(i)] = true;
    ++count;
  }
  return count;
}

}  // namespace

int measure_links(const std::string& folder, double error) {
  std::printf("link,triangles,asked_mm,of_hull,spheres,error_mm,at_least,cpu_s,proven_at_usual_fineness\n");
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::size_t spheres = 0;
  int least = 0;
  double seconds = 0.0, worst = 0.0;
  for (const auto& file : files) {
    const Expected<TriangleMesh> loaded = load_mesh(file.string());
    if (!loaded) continue;
    TriangleMesh mesh = *loaded;
    const bool of_hull = !Shape(mesh).is_closed();
    if (of_hull) {
      const Expected<ConvexHull> hull = convex_hull_of(mesh.vertices);
      if (!hull) continue;
      mesh = {hull->vertices, hull->faces};
    }
    const double begin = cpu_seconds();
    const Expected<MedialProxy> proxy = medial_proxy(Shape(mesh), {.error = error, .spheres_only = true});
    const double taken = cpu_seconds() - begin;
    if (!proxy) {
      std::fprintf(stderr, "bench_medial: %s: %s\n", file.c_str(), proxy.error().message.c_str());
      return 1;
    }
    const int at_least = least_spheres(mesh, error);
    std::printf("%s,%zu,%g,%s,%zu,%.2f,%d,%.2f,%s\n", file.stem().c_str(), mesh.faces.size(), 1e3 * error,
                of_hull ? "yes" : "no", proxy->outer.centers.size(), 1e3 * proxy->error, at_least, taken,
                encloses(mesh, proxy->outer).holds ? "yes" : "no");
    std::fflush(stdout);
    const int times = file.stem() == "finger" ? 2 : 1;  // a hand has two
    spheres += static_cast<std::size_t>(times) * proxy->outer.centers.size();
    least += times * at_least;
    seconds += taken;
    worst = std::max(worst, proxy->error);
  }
  std::printf("all,0,%g,,%zu,%.2f,%d,%.2f,\n", 1e3 * error, spheres, 1e3 * worst, least, seconds);
  return 0;
}

}  // namespace toccata::bench
