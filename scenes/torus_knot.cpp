#include "scenes/torus_knot.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace toccata::scenes {
namespace {

Vector3 knot_point(const TorusKnotOptions& o, double u) {
  const double r = o.core_radius + o.winding_radius * std::cos(o.q * u);
  return {r * std::cos(o.p * u), r * std::sin(o.p * u), o.winding_radius * std::sin(o.q * u)};
}

}  // namespace

TriangleMesh torus_knot(const TorusKnotOptions& o) {
  TriangleMesh mesh;
  constexpr double turn = 2.0 * std::numbers::pi;
  for (int i = 0; i < o.along; ++i) {
    const double u = turn * i / o.along;
    const Vector3 p = knot_point(o, u);
    const Vector3 tangent = (knot_point(o, u + 1e-4) - knot_point(o, u - 1e-4)).normalized();
    // The direction from the core circle is never along the knot, so the frame closes without twist.
    const Vector3 core(o.core_radius * std::cos(o.p * u), o.core_radius * std::sin(o.p * u), 0.0);
    const Vector3 binormal = tangent.cross(p - core).normalized();
    const Vector3 normal = binormal.cross(tangent);
    for (int j = 0; j < o.around; ++j) {
      const double v = turn * j / o.around;
      mesh.vertices.push_back(p + o.tube_radius * (std::cos(v) * normal + std::sin(v) * binormal));
    }
  }
  const auto index = [&](int i, int j) { return (i % o.along) * o.around + j % o.around; };
  for (int i = 0; i < o.along; ++i) {
    for (int j = 0; j < o.around; ++j) {
      mesh.faces.push_back({index(i, j), index(i + 1, j), index(i + 1, j + 1)});
      mesh.faces.push_back({index(i, j), index(i + 1, j + 1), index(i, j + 1)});
    }
  }
  return mesh;
}

}  // namespace toccata::scenes
