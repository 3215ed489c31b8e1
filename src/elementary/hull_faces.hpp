#pragma once
// The sides of a small hull for those who ask how far another body reaches beyond each of them: unit normals
// in columns, what lies across each edge, and a ball inside.
#include <cstdint>
#include <span>
#include <vector>

#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata {

struct HullFaces {
  static constexpr std::size_t most_faces = 256;

  struct Triangle {
    std::int16_t corner[3];
    std::int16_t across[3];  // the face beyond edge i, from corner i to corner i + 1
  };

  HullFaces() = default;
  // Triangles, outward, of the true hull of `vertices`; `points` are the same corners moved by one vector.
  // Empty where the hull has too many faces, no inside, slivers, or edges sharper than sixty degrees.
  HullFaces(std::span<const Vector3> vertices, std::span<const Face> faces, std::span<const Vector3> points);

  bool empty() const { return triangles.empty(); }
  std::size_t padded() const { return columns.size() / 4; }
  const double* normal_x() const { return columns.data(); }
  const double* normal_y() const { return columns.data() + padded(); }
  const double* normal_z() const { return columns.data() + 2 * padded(); }
  // How far the points reach along the normals, up to the roundings of a height. Infinite beyond the last.
  const double* offset() const { return columns.data() + 3 * padded(); }

  std::vector<Triangle> triangles;
  // Each coordinate of a normal is right to 2 u. Columns are padded to a multiple of 8.
  std::vector<double> columns;
  double inner_radius = 0.0;  // of a ball about the origin inside; negative: lower than every height
  double lean = 1.0;          // 1 / cos of half the widest angle between normals across an edge, at least
};

}  // namespace toccata
