// The tree of boxes of one mesh, best of n: for profilers and for comparing two builds by processor time.
//   time_tree [TRIANGLES] [RUNS] [THREADS]
// Prints the processor time of the calling thread, the time by the clock, a digest of the nodes and the
// summed area of their boxes, which tells how good the tree is.
#include <fmt/core.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <ctime>
#include <string>

#include "hierarchy/box_tree.hpp"

namespace toccata::bench {
namespace {

double processor_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

double wall_milliseconds() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// A bent ring with bumps of two sizes, twice as long as around.
TriangleMesh bumpy_ring(int triangles) {
  const int around = std::max(3, static_cast<int>(std::sqrt(triangles / 4.0))), along = 2 * around;
  constexpr double turn = 6.283185307179586;
  TriangleMesh mesh;
  for (int i = 0; i < along; ++i) {
    for (int j = 0; j < around; ++j) {
      const double u = turn * i / along, v = turn * j / around;
      const double tube = 0.3 + 0.05 * std::sin(7 * u) * std::cos(5 * v) + 0.02 * std::sin(31 * u + 11 * v);
      const double ring = 1.0 + 0.2 * std::cos(3 * u) + tube * std::cos(v);
      mesh.vertices.emplace_back(ring * std::cos(u), ring * std::sin(u),
                                 tube * std::sin(v) + 0.3 * std::sin(2 * u));
    }
  }
  const auto at = [&](int i, int j) { return (i % along) * around + j % around; };
  for (int i = 0; i < along; ++i) {
    for (int j = 0; j < around; ++j) {
      mesh.faces.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.faces.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return mesh;
}

std::uint64_t digest_of(const BoxTree& tree) {
  std::uint64_t digest = 1469598103934665603U;
  for (const BoxNode& node : tree.nodes) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(&node);
    for (std::size_t i = 0; i < offsetof(BoxNode, count); ++i) digest = (digest ^ bytes[i]) * 1099511628211U;
  }
  return digest;
}

// Of the boxes around nodes.
double area_of(const BoxTree& tree) {
  double area = 0.0;
  for (const BoxNode& node : tree.nodes) {
    for (std::int32_t slot = 0; slot < node.count; ++slot) {
      if (node.child[slot] < 0) continue;
      const double x = node.half[0][slot], y = node.half[1][slot], z = node.half[2][slot];
      area += 8.0 * (x * y + y * z + z * x);
    }
  }
  return area;
}

void run(int triangles, int runs, int threads) {
  const TriangleMesh mesh = bumpy_ring(triangles);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads));
  double processor = 1e300, wall = 1e300;
  BoxTree tree;
  tbb::task_arena(threads).execute([&] {
    for (int i = 0; i < runs; ++i) {
      const double used = processor_milliseconds(), start = wall_milliseconds();
      tree = build_box_tree(mesh, Vector3::Zero());
      processor = std::min(processor, processor_milliseconds() - used);
      wall = std::min(wall, wall_milliseconds() - start);
    }
  });
  fmt::print(
      "{} triangles, {} threads: processor {:.2f} ms, wall {:.2f} ms, {} nodes ({:016x}), area {:.3f}\n",
      mesh.faces.size(), threads, processor, wall, tree.nodes.size(), digest_of(tree), area_of(tree));
}

}  // namespace
}  // namespace toccata::bench

int main(int argc, char** argv) {
  const auto argument = [&](int i, int otherwise) { return i < argc ? std::stoi(argv[i]) : otherwise; };
  toccata::bench::run(argument(1, 69664), std::max(1, argument(2, 5)), std::max(1, argument(3, 1)));
  return 0;
}
