#include <cmath>
#include <numbers>

#include "edge_set.hpp"

namespace toccata::bench {
namespace {

// The surface of a box, each side a grid, with bumps a fraction of a millimetre high. Closed.
void add_bumpy_box(const Vector3& center, const Vector3& size, int cells, TriangleMesh& mesh) {
  // Points of a cubic lattice on its surface, by their number.
  const int n = cells + 1;
  std::vector<std::int32_t> number(static_cast<std::size_t>(n * n * n), -1);
  const auto vertex = [&](int i, int j, int k) {
    std::int32_t& id = number[static_cast<std::size_t>((i * n + j) * n + k)];
    if (id < 0) {
      id = static_cast<std::int32_t>(mesh.vertices.size());
      const Vector3 unit(2.0 * i / cells - 1.0, 2.0 * j / cells - 1.0, 2.0 * k / cells - 1.0);
      // Rounded towards a ball a little, and bumpy.
      const Vector3 round = 0.85 * unit + 0.15 * unit.normalized();
      const double bump =
          1.0 + 0.01 * std::sin(40.0 * unit.x()) * std::sin(37.0 * unit.y() + 31.0 * unit.z());
      mesh.vertices.push_back(center + bump * round.cwiseProduct(0.5 * size));
    }
    return id;
  };
  for (int axis = 0; axis < 3; ++axis) {
    for (const int side : {0, cells}) {
      for (int u = 0; u < cells; ++u) {
        for (int v = 0; v < cells; ++v) {
          const auto at = [&](int a, int b) {
            int index[3];
            index[axis] = side;
            index[(axis + 1) % 3] = a;
            index[(axis + 2) % 3] = b;
            return vertex(index[0], index[1], index[2]);
          };
          const std::int32_t a = at(u, v), b = at(u + 1, v), c = at(u + 1, v + 1), d = at(u, v + 1);
          if (side == 0) {
            mesh.faces.push_back({a, c, b});
            mesh.faces.push_back({a, d, c});
          } else {
            mesh.faces.push_back({a, b, c});
            mesh.faces.push_back({a, c, d});
          }
        }
      }
    }
  }
}

void add_ring(const Vector3& center, double radius, double thickness, int cells, TriangleMesh& mesh) {
  const auto first = static_cast<std::int32_t>(mesh.vertices.size());
  const double turn = 2.0 * std::numbers::pi / cells;
  for (int i = 0; i < cells; ++i) {
    for (int k = 0; k < cells; ++k) {
      const double reach = radius + thickness * std::cos(k * turn);
      mesh.vertices.push_back(center + Vector3(reach * std::cos(i * turn), reach * std::sin(i * turn),
                                               thickness * std::sin(k * turn)));
    }
  }
  const auto at = [&](int i, int k) { return first + (i % cells) * cells + k % cells; };
  for (int i = 0; i < cells; ++i) {
    for (int k = 0; k < cells; ++k) {
      mesh.faces.push_back({at(i, k), at(i + 1, k), at(i + 1, k + 1)});
      mesh.faces.push_back({at(i, k), at(i + 1, k + 1), at(i, k + 1)});
    }
  }
}

}  // namespace

TriangleMesh tool_mesh(int triangles) {
  TriangleMesh mesh;
  // A fifth each: ring, palm, two fingers, a camera at the side.
  const double share = triangles / 5.0;
  const int ring = static_cast<int>(std::sqrt(share / 2.0)), box = static_cast<int>(std::sqrt(share / 12.0));
  add_ring(Vector3(0, 0, 0.03), 0.04, 0.012, ring, mesh);
  add_bumpy_box(Vector3(0, 0, 0.08), Vector3(0.14, 0.08, 0.06), box, mesh);
  for (const double side : {-1.0, 1.0})
    add_bumpy_box(Vector3(side * 0.05, 0, 0.17), Vector3(0.02, 0.03, 0.13), box, mesh);
  add_bumpy_box(Vector3(0, 0.09, 0.1), Vector3(0.05, 0.06, 0.04), box, mesh);
  return mesh;
}

}  // namespace toccata::bench
