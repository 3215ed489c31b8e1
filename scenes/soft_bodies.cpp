#include "scenes/soft_bodies.hpp"

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

namespace toccata::scenes {
namespace {

constexpr std::array<std::string_view, 4> soft_names = {"cylinders", "tori", "hearts", "rings"};
constexpr double full_turn = 2.0 * std::numbers::pi;

// A grid of points that closes along u; along v it closes, too, or ends in two poles. 2 u v triangles, or
// 2 u (v - 1) with poles.
TriangleMesh wrapped(int u, int v, bool closes, const std::function<Vector3(double, double)>& place) {
  TriangleMesh mesh;
  const int rows = closes ? v : v - 1;
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < u; ++i)
      mesh.vertices.push_back(
          place(full_turn * i / u, closes ? full_turn * j / v : std::numbers::pi * (j + 1) / v));
  const auto at = [&](int i, int j) { return static_cast<std::int32_t>((j % rows) * u + i % u); };
  for (int j = 0; j < (closes ? rows : rows - 1); ++j) {
    for (int i = 0; i < u; ++i) {
      mesh.faces.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.faces.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  if (closes) return mesh;
  const auto top = static_cast<std::int32_t>(mesh.vertices.size());
  mesh.vertices.push_back(place(0.0, 0.0));
  mesh.vertices.push_back(place(0.0, std::numbers::pi));
  for (int i = 0; i < u; ++i) {
    mesh.faces.push_back({top, at(i + 1, 0), at(i, 0)});
    mesh.faces.push_back({top + 1, at(i, rows - 1), at(i + 1, rows - 1)});
  }
  return mesh;
}

TriangleMesh torus(int along, int around, double radius, double tube, double swelling) {
  return wrapped(along, around, true, [&](double u, double v) {
    const double thick = tube * (1.0 + swelling * std::sin(3.0 * u));
    const double out = radius + thick * std::cos(v);
    return Vector3(out * std::cos(u), out * std::sin(u), thick * std::sin(v));
  });
}

// Along x, bent up and down.
TriangleMesh cylinder(double bend) {
  return wrapped(25, 21, false, [&](double u, double v) {
    const double x = std::clamp(-1.4 * std::cos(v), -1.0, 1.0);
    const double radius = 0.3 * std::min(1.0, 1.6 * std::sin(v));
    return Vector3(x, radius * std::cos(u), radius * std::sin(u) + bend * (1.0 - x * x));
  });
}

TriangleMesh heart(double beat) {
  return wrapped(50, 41, false, [&](double u, double v) {
    const double s = std::sin(v), size = 0.06 * (1.0 + 0.12 * beat * s);
    const double x = 16.0 * s * s * s, y = 13.0 * std::cos(v) - 5.0 * std::cos(2.0 * v) -
                                           2.0 * std::cos(3.0 * v) - std::cos(4.0 * v);
    return Vector3(size * x * std::cos(u), 0.6 * size * x * std::sin(u), size * y);
  });
}

TriangleMesh moved(TriangleMesh mesh, const Eigen::AngleAxisd& turned, const Vector3& by) {
  const Matrix3 rotation = turned.toRotationMatrix();
  for (Vector3& p : mesh.vertices) p = rotation * p + by;
  return mesh;
}

}  // namespace

std::span<const std::string_view> soft_body_names() {
  return soft_names;
}

std::vector<TriangleMesh> soft_bodies(std::string_view name, double moment) {
  const double wave = std::sin(full_turn * moment), other = std::cos(full_turn * moment);
  const Vector3 x = Vector3::UnitX(), y = Vector3::UnitY(), z = Vector3::UnitZ();
  if (name == "cylinders")
    return {cylinder(0.25 * wave), moved(cylinder(0.25 * other), Eigen::AngleAxisd(0.5 * std::numbers::pi, z),
                                         {0.1, 0.05, 0.25 + 0.1 * wave})};
  if (name == "tori")
    return {torus(50, 25, 1.0, 0.35, 0.2 * wave),
            moved(torus(50, 25, 1.0, 0.35, 0.2 * other),
                  Eigen::AngleAxisd(0.5 * std::numbers::pi + 0.1 * wave, x), {0.4, 0.1 * other, 0.0})};
  if (name == "hearts")
    return {heart(wave),
            moved(heart(-wave), Eigen::AngleAxisd(0.4 * wave, z), {0.9 + 0.1 * other, 0.2, 0.1 * wave})};
  if (name == "rings") {
    std::vector<TriangleMesh> chain;
    for (int i = 0; i < 5; ++i) {
      const double angle = 0.5 * std::numbers::pi * (i % 2) + 0.3 * std::sin(full_turn * (moment + 0.2 * i));
      chain.push_back(
          moved(moved(torus(60, 25, 1.0, 0.28, 0.0),
                      Eigen::AngleAxisd(0.2 * std::sin(full_turn * moment + i), y), Vector3::Zero()),
                Eigen::AngleAxisd(angle, x), {1.5 * i, 0.0, 0.0}));
    }
    return chain;
  }
  return {};
}

}  // namespace toccata::scenes
