#include "scenes/cloth_particles.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>

namespace toccata::scenes {
namespace {

struct EdgeUse {
  std::int32_t low, high, opposite;
  bool operator<(const EdgeUse& o) const { return low != o.low ? low < o.low : high < o.high; }
};

std::uint64_t cell_key(std::int64_t i, std::int64_t j, std::int64_t k) {
  const auto part = [](std::int64_t x) { return static_cast<std::uint64_t>(x) & 0x1fffff; };
  return part(i) | part(j) << 21 | part(k) << 42;
}

}  // namespace

ClothParticles::ClothParticles(const TriangleMesh& mesh, const ClothOptions& options)
    : positions(mesh.vertices),
      velocities(mesh.vertices.size(), Vector3::Zero()),
      inverse_mass(mesh.vertices.size(), 1.0),
      options_(options),
      rest_(mesh.vertices) {
  std::vector<EdgeUse> uses;
  for (const Face& f : mesh.faces) {
    for (int k = 0; k < 3; ++k) {
      const std::int32_t a = f[k], b = f[(k + 1) % 3];
      uses.push_back({std::min(a, b), std::max(a, b), f[(k + 2) % 3]});
    }
  }
  std::stable_sort(uses.begin(), uses.end());
  const auto add = [&](std::int32_t a, std::int32_t b, double stiffness) {
    constraints_.push_back({a, b, (rest_[a] - rest_[b]).norm(), stiffness});
  };
  for (std::size_t i = 0; i < uses.size(); ++i) {
    const bool again = i > 0 && uses[i].low == uses[i - 1].low && uses[i].high == uses[i - 1].high;
    if (!again) add(uses[i].low, uses[i].high, options.stretch_stiffness);
    if (again) add(uses[i - 1].opposite, uses[i].opposite, options.bend_stiffness);
  }
}

void ClothParticles::sweep(std::vector<Vector3>& x) const {
  for (const Constraint& c : constraints_) {
    const double weight = inverse_mass[c.a] + inverse_mass[c.b];
    if (weight == 0.0) continue;
    const Vector3 d = x[c.b] - x[c.a];
    const double length = d.norm();
    if (length < 1e-12) continue;
    const Vector3 correction = (c.stiffness * (length - c.length) / (length * weight)) * d;
    x[c.a] += inverse_mass[c.a] * correction;
    x[c.b] -= inverse_mass[c.b] * correction;
  }
}

std::vector<Vector3> ClothParticles::predict(
    double dt, const std::function<void(Vector3&, const Vector3&)>& collide) const {
  std::vector<Vector3> next = positions;
  for (std::size_t i = 0; i < next.size(); ++i) {
    if (inverse_mass[i] > 0.0) next[i] += dt * (velocities[i] + dt * options_.gravity);
  }
  for (int s = 0; s < options_.sweeps; ++s) {
    sweep(next);
    if (!collide) continue;
    for (std::size_t i = 0; i < next.size(); ++i) {
      if (inverse_mass[i] > 0.0) collide(next[i], positions[i]);
    }
  }
  return next;
}

void ClothParticles::accept(const std::vector<Vector3>& next, double dt) {
  for (std::size_t i = 0; i < next.size(); ++i) {
    velocities[i] = (1.0 - options_.damping) / dt * (next[i] - positions[i]);
  }
  positions = next;
}

void ClothParticles::step(double dt, const std::function<void(Vector3&, const Vector3&)>& collide) {
  accept(predict(dt, collide), dt);
}

void ClothParticles::keep_apart(double radius) {
  std::unordered_map<std::uint64_t, std::vector<std::int32_t>> cells;
  cells.reserve(positions.size());
  const auto cell = [&](double x) { return static_cast<std::int64_t>(std::floor(x / radius)); };
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Vector3& x = positions[i];
    cells[cell_key(cell(x[0]), cell(x[1]), cell(x[2]))].push_back(static_cast<std::int32_t>(i));
  }
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Vector3 x = positions[i];
    for (int n = 0; n < 27; ++n) {
      const auto it =
          cells.find(cell_key(cell(x[0]) + n % 3 - 1, cell(x[1]) + n / 3 % 3 - 1, cell(x[2]) + n / 9 - 1));
      if (it == cells.end()) continue;
      for (const std::int32_t j : it->second) {
        if (static_cast<std::size_t>(j) <= i) continue;
        const double weight = inverse_mass[i] + inverse_mass[j];
        const Vector3 d = positions[j] - positions[i];
        const double distance = d.norm();
        if (weight == 0.0 || distance >= radius || distance < 1e-12) continue;
        if ((rest_[i] - rest_[j]).norm() < 2.0 * radius) continue;
        const Vector3 push = (0.5 * (radius - distance) / (distance * weight)) * d;
        positions[i] -= inverse_mass[i] * push;
        positions[j] += inverse_mass[j] * push;
      }
    }
  }
}

TriangleMesh cloth_grid(int columns, int rows, double width) {
  TriangleMesh mesh;
  const double cell = width / columns;
  for (int j = 0; j <= rows; ++j) {
    for (int i = 0; i <= columns; ++i)
      mesh.vertices.push_back({cell * (i - 0.5 * columns), cell * (j - 0.5 * rows), 0.0});
  }
  const auto at = [&](int i, int j) { return j * (columns + 1) + i; };
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) {
      // Diagonals alternate, so that the cloth has no preferred direction.
      if ((i + j) % 2 == 0) {
        mesh.faces.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
        mesh.faces.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
      } else {
        mesh.faces.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
        mesh.faces.push_back({at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
      }
    }
  }
  return mesh;
}

TriangleMesh surface_of_revolution(const std::vector<Vector2>& profile, int around) {
  TriangleMesh mesh;
  for (const Vector2& p : profile) {
    for (int k = 0; k < around; ++k) {
      const double u = 2.0 * std::numbers::pi * k / around;
      mesh.vertices.push_back({p[0] * std::cos(u), p[0] * std::sin(u), p[1]});
    }
  }
  for (int i = 0; i + 1 < static_cast<int>(profile.size()); ++i) {
    for (int k = 0; k < around; ++k) {
      const int a = i * around + k, b = i * around + (k + 1) % around;
      mesh.faces.push_back({a, b, b + around});
      mesh.faces.push_back({a, b + around, a + around});
    }
  }
  return mesh;
}

TriangleMesh round_ball(double radius, int around, int rings) {
  std::vector<Vector2> profile;
  for (int i = 1; i < rings; ++i) {
    const double u = std::numbers::pi * i / rings;
    profile.push_back({radius * std::sin(u), -radius * std::cos(u)});
  }
  TriangleMesh mesh = surface_of_revolution(profile, around);
  const auto south = static_cast<std::int32_t>(mesh.vertices.size());
  mesh.vertices.push_back({0, 0, -radius});
  mesh.vertices.push_back({0, 0, radius});
  const std::int32_t last = (rings - 2) * around;
  for (int k = 0; k < around; ++k) {
    mesh.faces.push_back({south, (k + 1) % around, k});
    mesh.faces.push_back({south + 1, last + k, last + (k + 1) % around});
  }
  return mesh;
}

}  // namespace toccata::scenes
