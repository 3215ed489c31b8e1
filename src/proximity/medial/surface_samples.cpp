#include "proximity/medial/surface_samples.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

namespace toccata::medial {
namespace {

constexpr int most_rows = 512;

std::uint64_t cell_of(const Vector3& point, const Vector3& origin, double spacing) {
  std::uint64_t key = 0;
  for (int k = 0; k < 3; ++k) {
    const auto along = static_cast<std::uint64_t>(std::floor((point[k] - origin[k]) / spacing));
    key = (key << 21U) | (along & 0x1fffffU);
  }
  return key;
}

bool sample(const TriangleMesh& mesh, const Vector3& origin, double spacing, std::size_t most,
            std::vector<SurfaceSample>& samples) {
  samples.clear();
  std::unordered_set<std::uint64_t> taken;
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    std::array<Vector3, 3> c;
    for (std::size_t k = 0; k < 3; ++k) c[k] = mesh.vertices[static_cast<std::size_t>(mesh.faces[f][k])];
    const double side = std::max({(c[1] - c[0]).norm(), (c[2] - c[1]).norm(), (c[0] - c[2]).norm()});
    const int rows = std::clamp(static_cast<int>(std::ceil(side / spacing)), 1, most_rows);
    for (int i = 0; i <= rows; ++i) {
      for (int j = 0; i + j <= rows; ++j) {
        const Vector3 point = c[0] + (static_cast<double>(i) / rows) * (c[1] - c[0]) +
                              (static_cast<double>(j) / rows) * (c[2] - c[0]);
        if (!taken.insert(cell_of(point, origin, spacing)).second) continue;
        samples.push_back({point, static_cast<std::int32_t>(f)});
        if (samples.size() > most) return false;
      }
    }
  }
  return true;
}

}  // namespace

std::vector<SurfaceSample> surface_samples(const TriangleMesh& mesh, double spacing, std::size_t most) {
  Vector3 lower = mesh.vertices[0], upper = lower;
  for (const Vector3& v : mesh.vertices) {
    lower = lower.cwiseMin(v);
    upper = upper.cwiseMax(v);
  }
  spacing = std::max(spacing, (upper - lower).maxCoeff() * 1e-6);
  std::vector<SurfaceSample> samples;
  while (!sample(mesh, lower, spacing, most, samples)) spacing *= 1.25;
  return samples;
}

}  // namespace toccata::medial
