#include "toccata/geometry/medial_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <string_view>

namespace toccata {
namespace {

using Failure = std::optional<std::string>;

Failure failure_of_balls(const MedialMesh& mesh, std::string_view kind, std::size_t number,
                         std::span<const std::int32_t> balls) {
  const std::string name = "medial mesh: " + std::string(kind) + " " + std::to_string(number) + ": ";
  for (std::size_t i = 0; i < balls.size(); ++i) {
    if (balls[i] < 0 || static_cast<std::size_t>(balls[i]) >= mesh.centers.size())
      return name + "ball " + std::to_string(balls[i]) + " is not among the " +
             std::to_string(mesh.centers.size()) + " balls, which count from 0";
    for (std::size_t k = 0; k < i; ++k) {
      if (balls[k] == balls[i]) return name + "it names ball " + std::to_string(balls[i]) + " twice";
    }
  }
  return {};
}

template <std::size_t N>
std::array<std::int32_t, N> sorted(std::array<std::int32_t, N> balls) {
  std::sort(balls.begin(), balls.end());
  return balls;
}

}  // namespace

std::vector<MedialPrimitive> medial_primitives(const MedialMesh& mesh) {
  std::vector<MedialPrimitive> primitives;
  std::vector<bool> is_held(mesh.centers.size(), false);
  std::set<Edge> sides;
  std::set<Face> slabs;
  for (const Face& slab : mesh.slabs) {
    if (!slabs.insert(sorted(slab)).second) continue;
    primitives.push_back(slab);
    for (std::size_t k = 0; k < 3; ++k) {
      is_held[static_cast<std::size_t>(slab[k])] = true;
      sides.insert(sorted(Edge{slab[k], slab[(k + 1) % 3]}));
    }
  }
  for (const Edge& cone : mesh.cones) {
    if (!sides.insert(sorted(cone)).second) continue;
    primitives.push_back({cone[0], cone[1], -1});
    for (const std::int32_t ball : cone) is_held[static_cast<std::size_t>(ball)] = true;
  }
  for (std::size_t i = 0; i < is_held.size(); ++i) {
    if (!is_held[i]) primitives.push_back({static_cast<std::int32_t>(i), -1, -1});
  }
  return primitives;
}

std::optional<std::string> failure_of(const MedialMesh& mesh) {
  if (mesh.centers.empty()) return "medial mesh: it has no balls";
  if (mesh.centers.size() != mesh.radii.size())
    return "medial mesh: " + std::to_string(mesh.centers.size()) + " centers, but " +
           std::to_string(mesh.radii.size()) + " radii";
  for (std::size_t i = 0; i < mesh.centers.size(); ++i) {
    const std::string name = "medial mesh: ball " + std::to_string(i) + ": ";
    if (!mesh.centers[i].allFinite()) return name + "its center has a coordinate that is not a finite number";
    if (!(mesh.radii[i] >= 0.0) || !std::isfinite(mesh.radii[i]))
      return name + "its radius is " + std::to_string(mesh.radii[i]) +
             ", but must be a finite number that is not negative";
  }
  for (std::size_t i = 0; i < mesh.cones.size(); ++i) {
    if (Failure failure = failure_of_balls(mesh, "cone", i, mesh.cones[i])) return failure;
  }
  for (std::size_t i = 0; i < mesh.slabs.size(); ++i) {
    if (Failure failure = failure_of_balls(mesh, "slab", i, mesh.slabs[i])) return failure;
  }
  return {};
}

}  // namespace toccata
