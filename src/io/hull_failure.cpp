#include "io/hull_failure.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "toccata/elementary/orientation.hpp"

namespace toccata::io {
namespace {

using Failure = std::optional<std::string>;

Failure failure_of_lists(const ConvexHull& hull) {
  const auto n = static_cast<std::int32_t>(hull.vertices.size());
  const auto is_vertex = [n](std::int32_t v) { return v >= 0 && v < n; };
  if (hull.sources.size() != hull.vertices.size()) return "its hull has not one source per vertex";
  if (hull.planes.size() != hull.faces.size()) return "its hull has not one plane per face";
  for (const std::int32_t source : hull.sources) {
    if (source < 0) return "its hull has a source below zero";
  }
  for (const Face& f : hull.faces) {
    if (!is_vertex(f[0]) || !is_vertex(f[1]) || !is_vertex(f[2]) || f[0] == f[1] || f[1] == f[2] ||
        f[2] == f[0])
      return "its hull has a face that is no triangle of its vertices";
  }
  std::int32_t planes = 0;
  for (const std::int32_t plane : hull.planes) {
    if (plane < 0 || plane > planes)
      return "its hull has planes that are not counted in the order of its faces";
    planes = std::max(planes, plane + 1);
  }
  if (hull.first_neighbour.size() != hull.vertices.size() + 1 || hull.first_neighbour.front() != 0 ||
      hull.first_neighbour.back() != static_cast<std::int64_t>(hull.neighbours.size()) ||
      !std::is_sorted(hull.first_neighbour.begin(), hull.first_neighbour.end()))
    return "its hull has lists of neighbours that do not fit its vertices";
  for (std::int32_t v = 0; v < n; ++v) {
    const auto begin = hull.neighbours.begin() + hull.first_neighbour[static_cast<std::size_t>(v)];
    const auto end = hull.neighbours.begin() + hull.first_neighbour[static_cast<std::size_t>(v) + 1];
    const bool rising = std::adjacent_find(begin, end, [](auto a, auto b) { return a >= b; }) == end;
    if (!rising || !std::all_of(begin, end, [&](std::int32_t w) { return is_vertex(w) && w != v; }))
      return "its hull has neighbours that are not its vertices in order";
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> hull_failure(const ConvexHull& hull) {
  if (hull.vertices.empty()) return "its hull has no vertices";
  for (const Vector3& v : hull.vertices) {
    if (!v.allFinite()) return "its hull has a vertex that is not finite";
  }
  if (Failure failure = failure_of_lists(hull)) return failure;
  if (hull.faces.empty())
    return hull.vertices.size() <= 2 ? std::nullopt : Failure("its hull has vertices and no faces");
  // The corner opposite to each directed edge. Each comes once, but for the diagonals of a polygon, which
  // both of its sides have.
  const auto at = [&](std::int32_t v) { return hull.vertices[static_cast<std::size_t>(v)]; };
  const Face& base = hull.faces[0];
  bool flat = true;
  for (std::size_t v = 0; v < hull.vertices.size() && flat; ++v)
    flat = orientation_3d(at(base[0]), at(base[1]), at(base[2]), hull.vertices[v]) == 0;
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> opposite;
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    for (int k = 0; k < 3; ++k) {
      const std::pair edge(hull.faces[f][k], hull.faces[f][(k + 1) % 3]);
      if (!opposite.emplace(edge, hull.faces[f][(k + 2) % 3]).second && !flat)
        return "its hull has faces that overlap";
    }
  }
  std::vector<std::uint8_t> used(hull.vertices.size(), 0);
  for (const auto& [edge, third] : opposite) {
    const auto other = opposite.find({edge.second, edge.first});
    if (other == opposite.end()) return "its hull has faces that do not close up";
    if (orientation_3d(at(edge.first), at(edge.second), at(third), at(other->second)) > 0)
      return "its hull is not convex";
    used[static_cast<std::size_t>(edge.first)] = 1;
  }
  if (std::find(used.begin(), used.end(), 0) != used.end()) return "its hull has a vertex of no face";
  for (std::size_t v = 0; v < hull.vertices.size(); ++v) {
    for (auto k = hull.first_neighbour[v]; k < hull.first_neighbour[v + 1]; ++k) {
      if (!opposite.contains({static_cast<std::int32_t>(v), hull.neighbours[static_cast<std::size_t>(k)]}))
        return "its hull has neighbours that no face joins";
    }
  }
  return std::nullopt;
}

}  // namespace toccata::io
