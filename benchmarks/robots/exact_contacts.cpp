#include "exact_contacts.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "oracle/exact_triangles.hpp"

namespace toccata::bench {
namespace {

using Box3 = Eigen::AlignedBox3d;

constexpr double far = 1e300;
// Rough distances of robots of some metres are better than this.
constexpr double rough_error = 1e-7;

Box3 box_of(const std::array<Vector3, 3>& triangle) {
  Box3 box;
  for (const Vector3& corner : triangle) box.extend(corner);
  return box;
}

// Those whose boxes are within this distance of a box.
Triangles near_to(const Triangles& all, const Box3& box, double distance) {
  Triangles near;
  for (const auto& triangle : all) {
    if (box_of(triangle).squaredExteriorDistance(box) <= distance * distance) near.push_back(triangle);
  }
  return near;
}

// In doubles, and from above only: which pairs are worth the exact test first.
double segment_distance(const Vector3& p, const Vector3& q, const Vector3& r, const Vector3& s) {
  const Vector3 a = q - p, b = s - r, c = p - r;
  const double aa = a.dot(a), ab = a.dot(b), bb = b.dot(b), ac = a.dot(c), bc = b.dot(c);
  const double determinant = aa * bb - ab * ab;
  double x = determinant > 0.0 ? std::clamp((ab * bc - bb * ac) / determinant, 0.0, 1.0) : 0.0;
  const double y = bb > 0.0 ? std::clamp((ab * x + bc) / bb, 0.0, 1.0) : 0.0;
  if (aa > 0.0) x = std::clamp((ab * y - ac) / aa, 0.0, 1.0);
  return (c + x * a - y * b).norm();
}

// Of a segment and the inside of a triangle: 0 where it goes through, else to its ends above the triangle.
double face_distance(const Vector3& p, const Vector3& q, const std::array<Vector3, 3>& triangle) {
  const Vector3 edge = triangle[1] - triangle[0], other = triangle[2] - triangle[0],
                normal = edge.cross(other);
  const double area = normal.squaredNorm();
  if (!(area > 0.0)) return far;
  const auto is_above = [&](const Vector3& x) {
    const Vector3 d = x - triangle[0];
    const double u = d.cross(other).dot(normal) / area, v = edge.cross(d).dot(normal) / area;
    return u >= 0.0 && v >= 0.0 && u + v <= 1.0;
  };
  const double at_p = normal.dot(p - triangle[0]), at_q = normal.dot(q - triangle[0]);
  if (at_p * at_q < 0.0 && is_above(p + at_p / (at_p - at_q) * (q - p))) return 0.0;
  return std::min(is_above(p) ? std::abs(at_p) / std::sqrt(area) : far,
                  is_above(q) ? std::abs(at_q) / std::sqrt(area) : far);
}

double rough_distance(const std::array<Vector3, 3>& a, const std::array<Vector3, 3>& b) {
  double least = far;
  for (std::size_t i = 0; i < 3; ++i) {
    least = std::min(least, face_distance(a[i], a[(i + 1) % 3], b));
    least = std::min(least, face_distance(b[i], b[(i + 1) % 3], a));
    for (std::size_t k = 0; k < 3; ++k)
      least = std::min(least, segment_distance(a[i], a[(i + 1) % 3], b[k], b[(k + 1) % 3]));
  }
  return least;
}

Box3 box_of(const Triangles& all) {
  Box3 box;
  for (const auto& triangle : all) box.extend(box_of(triangle));
  return box;
}

}  // namespace

bool are_within(const Triangles& a, const Triangles& b, double distance) {
  if (a.empty() || b.empty()) return false;
  const double room = distance * (1.0 + 1e-9) + 1e-12;
  const Triangles near_a = near_to(a, box_of(b), room);
  if (near_a.empty()) return false;
  const Triangles near_b = near_to(b, box_of(near_a), room);
  struct Near {
    double rough;
    std::size_t a, b;
    bool operator<(const Near& other) const { return rough < other.rough; }
  };
  std::vector<Near> pairs;
  for (std::size_t i = 0; i < near_a.size(); ++i) {
    const Box3 box = box_of(near_a[i]);
    for (std::size_t k = 0; k < near_b.size(); ++k) {
      if (box_of(near_b[k]).squaredExteriorDistance(box) > room * room) continue;
      const double rough = rough_distance(near_a[i], near_b[k]);
      // Deep in each other they are by many pairs: the first one will do.
      if (rough == 0.0 && oracle::exact_triangle_distance(near_a[i], near_b[k]).meet) return true;
      pairs.push_back({rough, i, k});
    }
  }
  std::sort(pairs.begin(), pairs.end());
  for (const Near& pair : pairs) {
    if (pair.rough > room + rough_error) break;
    const oracle::ExactTriangleDistance found =
        oracle::exact_triangle_distance(near_a[pair.a], near_b[pair.b]);
    if (found.meet || found.distance <= distance) return true;
  }
  return false;
}

bool is_inside(const Triangles& inner, const Triangles& outer) {
  if (inner.empty()) return false;
  const Vector3 point = inner[0][0], ray = Vector3(0.61, 0.53, 0.59).normalized();
  bool inside = false;
  for (const auto& [a, b, c] : outer) {
    const Vector3 across = ray.cross(c - a);
    const double volume = across.dot(b - a);
    if (volume == 0.0) continue;
    const double u = across.dot(point - a) / volume;
    const Vector3 upright = (point - a).cross(b - a);
    const double v = upright.dot(ray) / volume;
    if (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && upright.dot(c - a) / volume > 0.0) inside = !inside;
  }
  return inside;
}

}  // namespace toccata::bench
