#include "elementary/hull_faces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "elementary/double_pair.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata {
namespace {

using elementary::DoublePair;

// Products of edges below this share of their lengths would cost pairs of doubles digits that count.
constexpr double thinnest = 0x1p-30;
constexpr double least_cosine = -0.5;

// Zero: not to be told.
Vector3 unit_normal(const Vector3& p, const Vector3& q, const Vector3& r) {
  DoublePair e[3], f[3], n[3];
  for (int k = 0; k < 3; ++k) {
    e[k] = elementary::exact_difference(q[k], p[k]);
    f[k] = elementary::exact_difference(r[k], p[k]);
  }
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    n[k] = e[i] * f[j] - e[j] * f[i];
  }
  const DoublePair length = elementary::square_root(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  const double edges = (q - p).norm() * (r - p).norm();
  if (!(length.high > thinnest * edges && length.high > 0x1p-300)) return Vector3::Zero();
  return {(n[0] / length).high, (n[1] / length).high, (n[2] / length).high};
}

}  // namespace

HullFaces::HullFaces(std::span<const Vector3> vertices, std::span<const Face> faces,
                     std::span<const Vector3> points) {
  if (faces.size() < 4 || faces.size() > most_faces || vertices.size() != points.size()) return;
  double largest = 0.0, squared_reach = 0.0;
  for (const Vector3& v : vertices) largest = std::max(largest, v.cwiseAbs().maxCoeff());
  for (const Vector3& v : points) squared_reach = std::max(squared_reach, v.squaredNorm());
  if (!(largest > 1e-100 && largest < 1e100)) return;
  const double unit = std::ldexp(1.0, -std::ilogb(largest));
  const double reach = std::sqrt(squared_reach) * (1.0 + 8.0 * unit_roundoff);

  const std::size_t rows = (faces.size() + 7) / 8 * 8, count = vertices.size();
  std::vector<double> table(4 * rows, 0.0);
  std::vector<std::int16_t> face_of(count * count, -1);  // by the two ends of an edge
  const auto edge = [&](const Face& f, std::size_t i) -> std::int16_t& {
    return face_of[static_cast<std::size_t>(f[i]) * count + static_cast<std::size_t>(f[(i + 1) % 3])];
  };
  const double slack = 16.0 * unit_roundoff * (reach + largest);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < rows; ++i) {
    double& height = table[3 * rows + i];
    height = std::numeric_limits<double>::infinity();
    if (i >= faces.size()) continue;
    const Face& f = faces[i];
    for (const std::int32_t v : f) {
      if (v < 0 || static_cast<std::size_t>(v) >= count) return;
    }
    const auto corner = [&](std::size_t k) { return unit * vertices[static_cast<std::size_t>(f[k])]; };
    const Vector3 n = unit_normal(corner(0), corner(1), corner(2));
    if (n.isZero(0.0)) return;
    for (std::size_t k = 0; k < 3; ++k) {
      table[k * rows + i] = n[static_cast<Eigen::Index>(k)];
      if (edge(f, k) >= 0) return;
      edge(f, k) = static_cast<std::int16_t>(i);
    }
    height = -height;
    for (const Vector3& p : points) height = std::max(height, n.dot(p));
    // Faces are told by whoever made the hull: a plane that cuts some of it off is none of its sides.
    if (height > n.dot(points[static_cast<std::size_t>(f[0])]) + slack) return;
    least = std::min(least, height);
  }
  std::vector<Triangle> all(faces.size());
  double cosine = 1.0;
  const auto normal = [&](std::size_t i) { return Vector3(table[i], table[rows + i], table[2 * rows + i]); };
  for (std::size_t i = 0; i < faces.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto from = static_cast<std::size_t>(faces[i][k]),
                 to = static_cast<std::size_t>(faces[i][(k + 1) % 3]);
      const std::int16_t other = face_of[to * count + from];
      if (other < 0) return;
      all[i].corner[k] = static_cast<std::int16_t>(from);
      all[i].across[k] = other;
      cosine = std::min(cosine, normal(i).dot(normal(static_cast<std::size_t>(other))));
    }
  }
  if (!(cosine > least_cosine)) return;
  lean = std::sqrt(2.0 / (1.0 + cosine)) * (1.0 + 1e-12);
  inner_radius = least > 2.0 * slack ? least - 2.0 * slack : -reach;
  triangles = std::move(all);
  columns = std::move(table);
}

}  // namespace toccata
