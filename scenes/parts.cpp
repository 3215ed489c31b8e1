#include "scenes/parts.hpp"

#include <cmath>
#include <functional>
#include <numbers>

namespace toccata::scenes {
namespace {

constexpr double turn = 2.0 * std::numbers::pi;

// A grid of (rows + 1) x around points, closed around.
TriangleMesh wrapped(int rows, int around, bool closed, const std::function<Vector3(double, double)>& point) {
  TriangleMesh mesh;
  const int points = closed ? rows : rows + 1;
  for (int i = 0; i < points; ++i) {
    for (int j = 0; j < around; ++j) {
      mesh.vertices.push_back(point(static_cast<double>(i) / rows, static_cast<double>(j) / around));
    }
  }
  const auto index = [&](int i, int j) { return (closed ? i % rows : i) * around + j % around; };
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < around; ++j) {
      mesh.faces.push_back({index(i, j), index(i + 1, j), index(i + 1, j + 1)});
      mesh.faces.push_back({index(i, j), index(i + 1, j + 1), index(i, j + 1)});
    }
  }
  return mesh;
}

void add_box(TriangleMesh& mesh, const Vector3& center, const Vector3& half, int cells) {
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {-1.0, 1.0}) {
      const int base = static_cast<int>(mesh.vertices.size());
      for (int i = 0; i <= cells; ++i) {
        for (int j = 0; j <= cells; ++j) {
          Vector3 p;
          p[axis] = side;
          p[(axis + 1) % 3] = 2.0 * i / cells - 1.0;
          p[(axis + 2) % 3] = side * (2.0 * j / cells - 1.0);
          mesh.vertices.push_back(center + half.cwiseProduct(p));
        }
      }
      for (int i = 0; i < cells; ++i) {
        for (int j = 0; j < cells; ++j) {
          const int a = base + i * (cells + 1) + j;
          mesh.faces.push_back({a, a + cells + 1, a + cells + 2});
          mesh.faces.push_back({a, a + cells + 2, a + 1});
        }
      }
    }
  }
}

}  // namespace

TriangleMesh club(int rings, int around) {
  return wrapped(rings, around, false, [](double u, double v) {
    const double z = 2.0 * u - 1.0;
    const double swell = 0.12 + 0.22 * std::exp(-12.0 * (z - 0.35) * (z - 0.35)) +
                         0.05 * std::exp(-80.0 * (z + 0.9) * (z + 0.9));
    const double r = swell * std::sqrt(std::max(0.0, 1.0 - std::pow(z, 16)));
    return Vector3(r * std::cos(turn * v), r * std::sin(turn * v), z);
  });
}

TriangleMesh gear(int teeth, int steps_a_tooth, int layers) {
  // Around the cross-section: up the outside, inwards, down the bore, outwards.
  return wrapped(teeth * steps_a_tooth, 4 * layers, true, [&](double u, double v) {
    const double phase = std::fmod(u * teeth, 1.0);
    const double tooth = std::clamp(3.0 * (0.5 - std::abs(2.0 * phase - 1.0)) + 0.5, 0.0, 1.0);
    const double outer = 0.82 + 0.18 * tooth;
    const double inner = 0.35, height = 0.15;
    const double side = 4.0 * v;
    double r = outer, z = height * (2.0 * side - 1.0);
    if (side >= 3.0) {
      r = inner + (outer - inner) * (side - 3.0), z = -height;
    } else if (side >= 2.0) {
      r = inner, z = height * (1.0 - 2.0 * (side - 2.0));
    } else if (side >= 1.0) {
      r = outer + (inner - outer) * (side - 1.0), z = height;
    }
    return Vector3(r * std::cos(turn * u), r * std::sin(turn * u), z);
  });
}

TriangleMesh hammer(int cells) {
  TriangleMesh mesh;
  add_box(mesh, {0, 0, 0}, {0.06, 0.06, 1.0}, cells);
  add_box(mesh, {0, 0, 0.85}, {0.4, 0.14, 0.14}, cells);
  return mesh;
}

TriangleMesh blob(int rings, int around) {
  return wrapped(rings, around, false, [](double u, double v) {
    const double a = std::numbers::pi * u, b = turn * v;
    const Vector3 d(std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a));
    double r =
        0.6 + 0.05 * std::sin(5.0 * d.x() + 1.0) * std::sin(6.0 * d.y()) + 0.03 * std::sin(11.0 * d.z());
    for (const double side : {-1.0, 1.0}) {
      const Vector3 ear = Vector3(0.35 * side, 0.1, 1.0).normalized();
      r += 0.5 * std::exp(-40.0 * (d - ear).squaredNorm());
    }
    return Vector3(r * d);
  });
}

}  // namespace toccata::scenes
