#include "io/vertex_clustering.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

namespace toccata {
namespace {

std::vector<std::int32_t> object_of_vertex(std::size_t count, std::span<const std::int64_t> objects) {
  std::vector<std::int32_t> object(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const auto next = std::upper_bound(objects.begin(), objects.end(), static_cast<std::int64_t>(i));
    object[i] = static_cast<std::int32_t>(next - objects.begin());
  }
  return object;
}

struct Extent {
  Vector3 lower = Vector3::Zero();
  Vector3 upper = Vector3::Zero();
};

Extent box_of(std::span<const Vector3> positions) {
  Extent box;
  if (!positions.empty()) box.lower = box.upper = positions.front();
  for (const Vector3& p : positions) {
    box.lower = box.lower.cwiseMin(p);
    box.upper = box.upper.cwiseMax(p);
  }
  return box;
}

// The representative of each vertex: the first vertex of its cell.
std::vector<std::int32_t> representatives(std::span<const Vector3> positions,
                                          std::span<const std::int32_t> object, const Extent& box,
                                          double cell) {
  std::unordered_map<std::uint64_t, std::int32_t> first;
  first.reserve(positions.size() / 4);
  std::vector<std::int32_t> result(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Vector3 q = (positions[i] - box.lower) / cell;
    // 18 bits an axis (the finest grid has 2^17 cells), the object's number mixed into the rest.
    std::uint64_t key = static_cast<std::uint64_t>(object[i]) << 54;
    for (int k = 0; k < 3; ++k) key ^= static_cast<std::uint64_t>(q[k]) << (18 * k);
    const auto [entry, fresh] = first.try_emplace(key, static_cast<std::int32_t>(i));
    // Many objects share the ten bits left; never merge across them.
    result[i] = fresh || object[entry->second] == object[i] ? entry->second : static_cast<std::int32_t>(i);
  }
  return result;
}

std::vector<Face> surviving_faces(std::span<const Face> faces, std::span<const std::int32_t> representative) {
  std::vector<Face> result;
  for (const Face& face : faces) {
    const Face mapped = {representative[face[0]], representative[face[1]], representative[face[2]]};
    if (mapped[0] == mapped[1] || mapped[1] == mapped[2] || mapped[2] == mapped[0]) continue;
    result.push_back(mapped);
  }
  // Rotate the smallest index first, then drop equal ones.
  for (Face& face : result) std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

VertexClustering compact(std::vector<Face> faces, std::size_t vertex_count) {
  VertexClustering result;
  std::vector<std::int32_t> position(vertex_count, -1);
  for (const Face& face : faces) {
    for (const std::int32_t index : face) position[index] = 0;
  }
  for (std::size_t i = 0; i < vertex_count; ++i) {
    if (position[i] < 0) continue;
    position[i] = static_cast<std::int32_t>(result.kept.size());
    result.kept.push_back(static_cast<std::int32_t>(i));
  }
  for (Face& face : faces) {
    for (std::int32_t& index : face) index = position[index];
  }
  result.faces = std::move(faces);
  return result;
}

}  // namespace

VertexClustering cluster_vertices(std::span<const Vector3> positions, std::span<const Face> faces,
                                  std::size_t triangle_limit, std::span<const std::int64_t> objects) {
  if (faces.size() <= triangle_limit) return compact({faces.begin(), faces.end()}, positions.size());
  const std::vector<std::int32_t> object = object_of_vertex(positions.size(), objects);
  const Extent box = box_of(positions);
  const double size = (box.upper - box.lower).maxCoeff();
  // The finest grid that stays within the limit, by bisection of the exponent: cells of size * 2^-x.
  double coarse = 0.0, fine = 17.0;
  std::vector<Face> best;
  for (int round = 0; round < 9; ++round) {
    const double middle = 0.5 * (coarse + fine);
    const double cell = size > 0.0 ? size * std::exp2(-middle) : 1.0;
    std::vector<Face> left = surviving_faces(faces, representatives(positions, object, box, cell));
    if (left.size() <= triangle_limit) {
      best = std::move(left);
      coarse = middle;
    } else {
      fine = middle;
    }
  }
  return compact(std::move(best), positions.size());
}

}  // namespace toccata
