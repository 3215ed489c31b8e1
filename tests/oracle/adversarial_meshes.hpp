#pragma once
// Small moving meshes made to break the culling of the Connectivity pipeline: folded, wound twice, pinched,
// inverted, non-manifold, full of orphans, on a lattice so that features touch exactly.
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "toccata/base/random.hpp"
#include "toccata/ccd/deformable/deformable_scene.hpp"

namespace toccata::test {

struct MovingMesh {
  std::string name;
  DeformableObject object;
  std::vector<Vector3> t0, t1;

  void add(const Vector3& x) { t0.push_back(x); }
  void face(int a, int b, int c) { object.faces.push_back({a, b, c}); }
};

inline MovingMesh grid_mesh(int columns, int rows) {
  MovingMesh mesh;
  mesh.name = "grid";
  for (int j = 0; j <= rows; ++j) {
    for (int i = 0; i <= columns; ++i) mesh.add({double(i), double(j), 0.0});
  }
  const auto at = [&](int i, int j) { return j * (columns + 1) + i; };
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) {
      mesh.face(at(i, j), at(i + 1, j), at(i + 1, j + 1));
      mesh.face(at(i, j), at(i + 1, j + 1), at(i, j + 1));
    }
  }
  return mesh;
}

// A star whose rim winds `turns` times around the centre: all normals agree, yet it lies in several sheets.
inline MovingMesh wound_star(int spokes, int turns, double height) {
  MovingMesh mesh;
  mesh.name = "wound star";
  mesh.add({0, 0, 0});
  for (int i = 0; i < spokes; ++i) {
    const double angle = 2.0 * std::numbers::pi * turns * i / spokes;
    mesh.add({std::cos(angle), std::sin(angle), height * i});
  }
  for (int i = 0; i < spokes; ++i) mesh.face(0, 1 + i, 1 + (i + 1) % spokes);
  return mesh;
}

// A ribbon along a circle: turns > 1 and no height gives overlapping sheets with simple-looking parts.
// closed: an annulus; twist: half turns of the ribbon (1 = Moebius).
inline MovingMesh ribbon(int segments, double turns, double height, bool closed, int twist) {
  MovingMesh mesh;
  mesh.name = "ribbon";
  const int stations = closed ? segments : segments + 1;
  for (int i = 0; i < stations; ++i) {
    const double u = 2.0 * std::numbers::pi * turns * i / segments;
    const double w = std::numbers::pi * twist * i / segments;
    const Vector3 centre(2.0 * std::cos(u), 2.0 * std::sin(u), height * i);
    const Vector3 side = Vector3(std::cos(u), std::sin(u), 0.0) * std::cos(w) + Vector3(0, 0, std::sin(w));
    mesh.add(centre - 0.5 * side);
    mesh.add(centre + 0.5 * side);
  }
  for (int i = 0; i < segments; ++i) {
    const int a = 2 * i, b = 2 * i + 1;
    int c = 2 * (i + 1), d = 2 * (i + 1) + 1;
    if (closed && i + 1 == segments) {
      c = twist % 2 ? 1 : 0;
      d = twist % 2 ? 0 : 1;
    }
    mesh.face(a, b, d);
    mesh.face(a, d, c);
  }
  return mesh;
}

inline MovingMesh pyramid(int sides, bool closed) {
  MovingMesh mesh;
  mesh.name = "pyramid";
  mesh.add({0, 0, 1});
  for (int i = 0; i < sides; ++i) {
    const double u = 2.0 * std::numbers::pi * i / sides;
    mesh.add({std::cos(u), std::sin(u), 0.0});
  }
  for (int i = 0; i < sides; ++i) mesh.face(0, 1 + i, 1 + (i + 1) % sides);
  if (closed) {
    for (int i = 1; i + 1 < sides; ++i) mesh.face(1, 1 + i + 1, 1 + i);
  }
  return mesh;
}

// A tube whose circumference is three triangles' sides: interior orphans.
inline MovingMesh three_ring(int length) {
  MovingMesh mesh;
  mesh.name = "three-triangle ring";
  for (int i = 0; i <= length; ++i) {
    for (int k = 0; k < 3; ++k) {
      const double u = 2.0 * std::numbers::pi * k / 3;
      mesh.add({std::cos(u), std::sin(u), 0.8 * i});
    }
  }
  for (int i = 0; i < length; ++i) {
    for (int k = 0; k < 3; ++k) {
      const int a = 3 * i + k, b = 3 * i + (k + 1) % 3;
      mesh.face(a, b, b + 3);
      mesh.face(a, b + 3, a + 3);
    }
  }
  return mesh;
}

// A triangle divided again and again by a vertex inside: vertices in the ring of a triangle.
inline MovingMesh divided_triangle(int depth, Random& random) {
  MovingMesh mesh;
  mesh.name = "divided triangle";
  mesh.add({0, 0, 0});
  mesh.add({4, 0, 0});
  mesh.add({0, 4, 0});
  mesh.face(0, 1, 2);
  for (int i = 0; i < depth; ++i) {
    const int which = random.integer(0, static_cast<int>(mesh.object.faces.size()) - 1);
    const Face f = mesh.object.faces[which];
    mesh.add((mesh.t0[f[0]] + mesh.t0[f[1]] + mesh.t0[f[2]]) / 3.0);
    const int v = static_cast<int>(mesh.t0.size()) - 1;
    mesh.object.faces[which] = {f[0], f[1], v};
    mesh.face(f[1], f[2], v);
    mesh.face(f[2], f[0], v);
  }
  return mesh;
}

// Pages along a common spine: an edge of many triangles.
inline MovingMesh book(int pages, int rows) {
  MovingMesh mesh;
  mesh.name = "book";
  for (int j = 0; j <= rows; ++j) mesh.add({0, 0, double(j)});
  for (int p = 0; p < pages; ++p) {
    const int base = static_cast<int>(mesh.t0.size());
    const double u = 2.0 * std::numbers::pi * p / pages;
    for (int j = 0; j <= rows; ++j) mesh.add({std::cos(u), std::sin(u), double(j)});
    for (int j = 0; j < rows; ++j) {
      mesh.face(j, base + j, base + j + 1);
      mesh.face(j, base + j + 1, j + 1);
    }
  }
  return mesh;
}

inline MovingMesh triangle_soup(int vertices, int faces, Random& random) {
  MovingMesh mesh;
  mesh.name = "soup";
  for (int i = 0; i < vertices; ++i) mesh.add(random.in_box(2.0));
  for (int i = 0; i < faces; ++i) {
    // Degenerate faces now and then: two or three equal corners.
    mesh.face(random.integer(0, vertices - 1), random.integer(0, vertices - 1),
              random.integer(0, vertices - 1));
  }
  return mesh;
}

// A mesh of a random kind with a random motion and random damage.
inline MovingMesh random_moving_mesh(Random& random) {
  MovingMesh mesh;
  switch (random.integer(0, 9)) {
    case 0:
    case 1:
      mesh = grid_mesh(random.integer(2, 6), random.integer(1, 5));
      break;
    case 2:
      mesh = wound_star(random.integer(5, 14), random.integer(1, 3), random.integer(0, 1) * 0.01);
      break;
    case 3: {
      const bool closed = random.integer(0, 1) == 1;
      mesh = ribbon(random.integer(6, 18), closed ? random.integer(1, 2) : random.uniform(0.3, 2.5),
                    random.integer(0, 1) * 0.05, closed, random.integer(0, 3));
      break;
    }
    case 4:
      mesh = pyramid(random.integer(3, 6), random.integer(0, 1) == 1);
      break;
    case 5:
      mesh = three_ring(random.integer(1, 4));
      break;
    case 6:
      mesh = divided_triangle(random.integer(1, 12), random);
      break;
    case 7:
      mesh = book(random.integer(3, 5), random.integer(1, 3));
      break;
    case 8:
      mesh = triangle_soup(random.integer(4, 14), random.integer(3, 16), random);
      break;
    default:
      mesh = ribbon(random.integer(8, 24), 1.0, 0.0, true, 0);
      break;
  }
  // Some noise and some bending of the shape itself.
  const double noise = std::pow(10.0, random.uniform(-6.0, 0.0)) * random.integer(0, 1);
  const double bend = random.uniform(-1.0, 1.0) * random.integer(0, 1);
  for (Vector3& x : mesh.t0)
    x += noise * random.in_box(1.0) + Vector3(0, 0, bend * std::sin(x[0] + 0.5 * x[1]));
  // The motion: still, drifting, noise of any size, affine (also turning inside out), folding.
  mesh.t1 = mesh.t0;
  switch (random.integer(0, 5)) {
    case 0:
      break;
    case 1: {
      const double size = std::pow(10.0, random.uniform(-5.0, 0.5));
      for (Vector3& x : mesh.t1) x += size * random.in_box(1.0);
      break;
    }
    case 2: {
      Matrix3 m = Matrix3::Identity();
      for (int i = 0; i < 9; ++i) m(i / 3, i % 3) += random.uniform(-1.0, 1.0) * random.unit();
      for (Vector3& x : mesh.t1) x = m * x;
      break;
    }
    case 3: {
      const double cut = random.uniform(0.0, 3.0);
      for (Vector3& x : mesh.t1) {
        if (x[0] > cut) x[0] = 2.0 * cut - x[0];  // folded over flat
      }
      break;
    }
    case 4:
      for (Vector3& x : mesh.t1) x[2] = random.uniform(-0.3, 0.3) - 0.5 * x[2];
      break;
    default: {
      const double angle = random.uniform(-3.0, 3.0);
      for (Vector3& x : mesh.t1) {
        const double turn = angle * x[1] * 0.2;
        x = Vector3(std::cos(turn) * x[0] - std::sin(turn) * x[2], x[1],
                    std::sin(turn) * x[0] + std::cos(turn) * x[2]);
      }
    }
  }
  // On a lattice features touch exactly, and triangles and motions degenerate.
  if (random.integer(0, 2) == 0) {
    const double cell = random.integer(0, 1) ? 1.0 : 0.25;
    for (auto* points : {&mesh.t0, &mesh.t1}) {
      for (Vector3& x : *points) x = (x / cell).array().round() * cell;
    }
  }
  if (random.integer(0, 2) == 0) {
    for (Face& f : mesh.object.faces) {
      if (random.integer(0, 3) == 0) std::swap(f[0], f[1]);
    }
  }
  if (random.integer(0, 4) == 0 && mesh.object.faces.size() > 3) {
    mesh.object.faces.erase(mesh.object.faces.begin() +
                            random.integer(0, static_cast<int>(mesh.object.faces.size()) - 1));
  }
  if (random.integer(0, 6) == 0) mesh.object.faces.push_back(mesh.object.faces[0]);
  if (random.integer(0, 3) == 0) {
    const int count = static_cast<int>(mesh.t0.size());
    for (int i = 0; i < 3; ++i) {
      mesh.t0.push_back(random.in_box(2.0));
      mesh.t1.push_back(random.in_box(2.0));
    }
    mesh.object.wires.push_back({count, count + 1});
    mesh.object.wires.push_back({0, count});
  }
  mesh.object.vertex_count = static_cast<std::int32_t>(mesh.t0.size());
  return mesh;
}

}  // namespace toccata::test
