#include "scenes/sheet_and_ball.hpp"

#include <cmath>
#include <numbers>

namespace toccata::scenes {
namespace {

DeformingMesh build_sheet(const SheetAndBallOptions& o) {
  DeformingMesh sheet;
  const int n = o.sheet_cells;
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j <= n; ++j) {
      const double x = o.sheet_width * (static_cast<double>(i) / n - 0.5);
      const double y = o.sheet_width * (static_cast<double>(j) / n - 0.5);
      const double wave = o.ripple * std::sin(7.0 * x + 0.5) * std::cos(5.0 * y - 0.3);
      sheet.mesh.vertices.push_back({x, y, o.sheet_height});
      sheet.vertices_t1.push_back({0.95 * x, 0.95 * y, o.sheet_height - o.fall + wave});
    }
  }
  const auto index = [&](int i, int j) { return i * (n + 1) + j; };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      sheet.mesh.faces.push_back({index(i, j), index(i + 1, j), index(i + 1, j + 1)});
      sheet.mesh.faces.push_back({index(i, j), index(i + 1, j + 1), index(i, j + 1)});
    }
  }
  return sheet;
}

DeformingMesh build_ball(const SheetAndBallOptions& o) {
  DeformingMesh ball;
  const int rings = o.ball_rings, segments = 2 * o.ball_rings;
  auto& vertices = ball.mesh.vertices;
  vertices.push_back({0, 0, o.ball_radius});
  for (int i = 1; i < rings; ++i) {
    const double latitude = std::numbers::pi * i / rings;
    for (int j = 0; j < segments; ++j) {
      const double longitude = 2.0 * std::numbers::pi * j / segments;
      vertices.push_back(o.ball_radius * Vector3(std::sin(latitude) * std::cos(longitude),
                                                 std::sin(latitude) * std::sin(longitude),
                                                 std::cos(latitude)));
    }
  }
  vertices.push_back({0, 0, -o.ball_radius});
  const int last = static_cast<int>(vertices.size()) - 1;
  const auto index = [&](int i, int j) { return 1 + (i - 1) * segments + j % segments; };
  for (int j = 0; j < segments; ++j) {
    ball.mesh.faces.push_back({0, index(1, j), index(1, j + 1)});
    for (int i = 1; i + 1 < rings; ++i) {
      ball.mesh.faces.push_back({index(i, j), index(i + 1, j), index(i + 1, j + 1)});
      ball.mesh.faces.push_back({index(i, j), index(i + 1, j + 1), index(i, j + 1)});
    }
    ball.mesh.faces.push_back({index(rings - 1, j), last, index(rings - 1, j + 1)});
  }
  for (const Vector3& p : vertices) ball.vertices_t1.push_back(p + Vector3(0, 0, o.rise));
  return ball;
}

}  // namespace

SheetAndBall sheet_and_ball(const SheetAndBallOptions& options) {
  return {build_sheet(options), build_ball(options)};
}

}  // namespace toccata::scenes
