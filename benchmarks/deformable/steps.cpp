#include "deformable/steps.hpp"

#include <cmath>
#include <filesystem>

#include "scenes/deforming_scene.hpp"
#include "toccata/base/random.hpp"
#include "toccata/io/mesh_io.hpp"

namespace toccata::bench {
namespace {

// A sheet of columns x rows quads of unit size; height(x, y) at both ends of the step. Without a shift the
// vertices of two sheets lie above each other, and every contact is a degenerate one.
template <typename Height>
void add_sheet(Step& step, int columns, int rows, double shift, Height&& height) {
  DeformableObject object;
  object.vertex_count = (columns + 1) * (rows + 1);
  for (int j = 0; j <= rows; ++j) {
    for (int i = 0; i <= columns; ++i) {
      const auto [z0, z1] = height(i, j);
      step.t0.push_back({i + shift, j + 0.7 * shift, z0});
      step.t1.push_back({i + shift, j + 0.7 * shift, z1});
    }
  }
  const auto at = [&](int i, int j) { return j * (columns + 1) + i; };
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) {
      object.faces.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      object.faces.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  step.objects.push_back(std::move(object));
}

}  // namespace

std::optional<Step> load_step(const std::string& name, const std::string& t0, const std::string& t1) {
  if (!std::filesystem::exists(t0) || !std::filesystem::exists(t1)) return std::nullopt;
  const auto a = load_mesh(t0);
  const auto b = load_mesh(t1);
  if (!a || !b || a->vertices.size() != b->vertices.size()) return std::nullopt;
  Step step;
  step.name = name;
  step.objects.push_back({static_cast<std::int32_t>(a->vertices.size()), a->faces, {}});
  step.t0 = a->vertices;
  step.t1 = b->vertices;
  return step;
}

Step scene_step(const std::string& name, int triangles, int frames) {
  const auto scene = scenes::make_deforming_scene(name, {triangles, 1});
  for (int i = 0; i < frames; ++i) scene->advance();
  Step step;
  step.name = name + " scene";
  step.objects = scene->objects();
  step.t0 = scene->start_positions();
  step.t1 = scene->positions();
  return step;
}

Step smooth_cloth(int triangles) {
  Step step;
  step.name = "smooth-cloth";
  const int side = static_cast<int>(std::sqrt(triangles / 2.0));
  add_sheet(step, side, side, 0.0, [](int i, int j) {
    const double z = 6.0 * std::sin(0.05 * i) * std::cos(0.04 * j);
    return std::pair(z, z + 0.05 * std::sin(0.05 * i + 0.3));
  });
  return step;
}

Step layered_cloth(int triangles) {
  Step step;
  step.name = "layered-cloth";
  constexpr int layers = 4;
  const int side = std::max(2, static_cast<int>(std::sqrt(triangles / 2.0 / layers)));
  for (int layer = 0; layer < layers; ++layer) {
    Random random(static_cast<std::uint64_t>(layer) + 1);
    add_sheet(step, side, side, 0.37 * layer, [&](int i, int j) {
      const double wave = 2.0 * std::sin(0.11 * i) * std::cos(0.13 * j) + 0.05 * random.unit();
      const double z0 = wave + 0.4 * layer;
      // The layers move towards each other by up to a little more than their distance.
      return std::pair(z0, z0 - 0.42 * layer * (0.9 + 0.2 * std::sin(0.07 * i + layer)));
    });
  }
  return step;
}

}  // namespace toccata::bench
