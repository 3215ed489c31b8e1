#include "bodies.hpp"

#include <time.h>

#include <array>
#include <cstdio>

#include "scenes/torus_knot.hpp"
#include "toccata/hierarchy/shape.hpp"
#include "toccata/io/mesh_io.hpp"

namespace toccata::bench {
namespace {

double seconds_of(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

double cpu_seconds() {
  return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}
double wall_seconds() {
  return seconds_of(CLOCK_MONOTONIC);
}

TriangleMesh in_unit_box(TriangleMesh mesh) {
  Vector3 lower = mesh.vertices[0], upper = lower;
  for (const Vector3& v : mesh.vertices) {
    lower = lower.cwiseMin(v);
    upper = upper.cwiseMax(v);
  }
  const double size = (upper - lower).maxCoeff();
  for (Vector3& v : mesh.vertices) v = (v - 0.5 * (lower + upper)) / size;
  return mesh;
}

std::optional<TriangleMesh> body(const std::string& folder, std::string_view name) {
  if (name == "knot") return in_unit_box(scenes::torus_knot({.along = 720, .around = 24}));
  if (name == "ring") {
    return in_unit_box(scenes::torus_knot({.p = 1, .q = 0, .along = 48, .around = 12, .tube_radius = 0.16}));
  }
  const Expected<TriangleMesh> mesh = load_mesh(folder + "/" + std::string(name) + ".off");
  if (!mesh) {
    std::fprintf(stderr, "bench_medial: left out: %s\n", mesh.error().message.c_str());
    return std::nullopt;
  }
  if (const auto open = Shape(*mesh).open_edges()) {
    std::fprintf(stderr, "bench_medial: left out: %s: %s\n", std::string(name).c_str(), open->c_str());
    return std::nullopt;
  }
  return in_unit_box(*mesh);
}

long elementary_pairs(const MedialMesh& a, const MedialMesh& b) {
  // Cones and slabs of each; a ball alone is a cone of length 0.
  const auto count = [](const MedialMesh& mesh) {
    std::array<long, 2> kinds = {0, 0};
    for (const MedialPrimitive& primitive : medial_primitives(mesh)) ++kinds[primitive[2] >= 0 ? 1 : 0];
    return kinds;
  };
  const std::array<long, 2> in_a = count(a), in_b = count(b);
  return in_a[0] * in_b[0] + 5 * (in_a[0] * in_b[1] + in_a[1] * in_b[0]) + 15 * in_a[1] * in_b[1];
}

}  // namespace toccata::bench
