// The first experiment of OBBTree's section 6 (Gottschalk, Lin, Manocha 1996): two concentric spheres of
// 32,000 triangles, one larger by a gap; how many pairs of volumes must be tested to show that they do not
// meet.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "peer.hpp"
#include "toccata/bound/aabb.hpp"
#include "toccata/bound/k_dop.hpp"
#include "toccata/bound/obb.hpp"
#include "toccata/bound/rectangle_swept_sphere.hpp"
#include "toccata/bound/sphere.hpp"
#include "toccata/proximity/hierarchy_query.hpp"

namespace toccata::bench {
namespace {

// A series of shrinking gaps ends with the query that takes longer.
constexpr double most_seconds = 2.0;

TriangleMesh ball(double radius) {
  constexpr int rings = 90, around = 180;  // 32,040 triangles without the poles' empty ones
  TriangleMesh mesh;
  for (int i = 0; i <= rings; ++i) {
    for (int j = 0; j < around; ++j) {
      const double a = std::numbers::pi * i / rings, b = 2.0 * std::numbers::pi * j / around;
      mesh.vertices.push_back(radius *
                              Vector3(std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a)));
    }
  }
  for (int i = 0; i < rings; ++i) {
    for (int j = 0; j < around; ++j) {
      const int a = i * around + j, b = i * around + (j + 1) % around;
      if (i + 1 < rings) mesh.faces.push_back({a, a + around, b + around});
      if (i > 0) mesh.faces.push_back({a, b + around, b});
    }
  }
  return mesh;
}

template <typename Volume>
bool series(std::FILE* file, const char* name) {
  const TriangleMesh inner = ball(1.0);
  const Hierarchy<Volume> inner_tree(inner);
  for (int k = 0; k <= 8; ++k) {
    const double gap = std::pow(10.0, -0.5 * k);
    const TriangleMesh outer = ball(1.0 + gap);
    const Hierarchy<Volume> outer_tree(outer);
    const auto begin = std::chrono::steady_clock::now();
    const HierarchyAnswer answer =
        hierarchy_intersects<Volume>({inner, inner_tree, {}}, {outer, outer_tree, {}});
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (answer.intersects) {
      std::fprintf(stderr, "proximity: %s says that spheres %g apart meet\n", name, gap);
      return false;
    }
    std::fprintf(file, "%s,%.6g,%lld,%lld,%.1f\n", name, gap, static_cast<long long>(answer.stats.node_pairs),
                 static_cast<long long>(answer.stats.piece_pairs), 1e6 * seconds);
    if (seconds > most_seconds) break;
  }
  return true;
}

}  // namespace

bool write_close_proximity(const char* path) {
  std::FILE* file = std::fopen(path, "w");
  if (file == nullptr) return false;
  std::fprintf(file, "volume,gap,volume_tests,triangle_tests,microseconds\n");
  const bool right = series<Sphere>(file, "sphere") && series<Aabb>(file, "AABB") &&
                     series<KDop<18>>(file, "18-DOP") && series<RectangleSweptSphere>(file, "RSS") &&
                     series<Obb>(file, "OBB");
  std::fclose(file);
  return right;
}

}  // namespace toccata::bench
