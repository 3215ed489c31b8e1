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

// A grid of columns x rows quads, point(i, j) at both ends of the step; closed: the last column is the first.
template <typename Point>
void add_grid(Step& step, int columns, int rows, bool closed, Point&& point) {
  const int across = closed ? columns : columns + 1;
  DeformableObject object;
  object.vertex_count = across * (rows + 1);
  for (int j = 0; j <= rows; ++j) {
    for (int i = 0; i < across; ++i) {
      const auto [a, b] = point(i, j);
      step.t0.push_back(a);
      step.t1.push_back(b);
    }
  }
  const auto at = [&](int i, int j) { return j * across + i % across; };
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

Step rolled_sheet(int triangles) {
  Step step;
  step.name = "rolled-sheet";
  const int side = static_cast<int>(std::sqrt(triangles / 2.0));
  const double turns = 3.0, pi = std::acos(-1.0);
  // A spiral whose turns are three edges apart, about as long as the sheet.
  const double radius = side / (2.0 * pi * turns) - 4.5;
  add_grid(step, side, side, false, [&](int i, int j) {
    const auto at = [&](double loose) {
      const double angle = loose * 2.0 * pi * turns * i / side;
      const double r = radius + 3.0 * angle / (2.0 * pi) + 0.3 * std::sin(0.07 * j);
      return Vector3(r * std::cos(angle), r * std::sin(angle), j + 0.1 * std::sin(0.1 * i));
    };
    return std::pair(at(1.0), at(0.995));
  });
  return step;
}

Step twisted_rods(int triangles) {
  Step step;
  step.name = "twisted-rods";
  constexpr int rods = 4, around = 32;
  const int along = triangles / (2 * rods * around);
  const double pi = std::acos(-1.0), radius = around / (2.0 * pi), length = along;
  for (int rod = 0; rod < rods; ++rod) {
    add_grid(step, around, along, true, [&](int i, int j) {
      const auto at = [&](double twist) {
        // The cross-section of a helix leans; circles in horizontal planes just do not touch at its pitch.
        const double turn = twist * 2.0 * pi * (j / length - 0.5), place = turn + 0.5 * pi * rod;
        const double angle = 2.0 * pi * i / around + turn;
        const double lean = 1.0 + 0.1 * std::sin(0.31 * j + rod), far = 1.45 * radius;
        return Vector3(far * std::cos(place) + radius * lean * std::cos(angle),
                       far * std::sin(place) + radius * lean * std::sin(angle), j + 0.2 * std::sin(angle));
      };
      return std::pair(at(2.0), at(2.02));
    });
  }
  return step;
}

}  // namespace toccata::bench
