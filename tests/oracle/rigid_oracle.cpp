#include "oracle/rigid_oracle.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace toccata::oracle {
namespace {

using Corners = std::array<Vector3, 3>;

std::vector<Corners> placed(const TriangleMesh& mesh, const Pose& pose) {
  std::vector<Corners> triangles;
  for (const Face& f : mesh.faces) {
    triangles.push_back({pose.apply(mesh.vertices[static_cast<std::size_t>(f[0])]),
                         pose.apply(mesh.vertices[static_cast<std::size_t>(f[1])]),
                         pose.apply(mesh.vertices[static_cast<std::size_t>(f[2])])});
  }
  return triangles;
}

// Signed volumes decide; margin is relative to the size.
bool pierces(const Vector3& p, const Vector3& q, const Corners& t, double margin) {
  const Vector3 n = (t[1] - t[0]).cross(t[2] - t[0]);
  const double size = std::max({(t[1] - t[0]).norm(), (t[2] - t[0]).norm(), (q - p).norm()});
  const double eps = margin * size * size * size;
  const double hp = n.dot(p - t[0]);
  const double hq = n.dot(q - t[0]);
  if (!((hp > eps && hq < -eps) || (hp < -eps && hq > eps))) return false;
  const Vector3 d = q - p;
  double sign = hp > 0.0 ? -1.0 : 1.0;
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(sign * d.dot((t[i] - p).cross(t[(i + 1) % 3] - p)) > eps)) return false;
  }
  return true;
}

bool any_edge_pierces(const Corners& a, const Corners& b, double margin) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (pierces(a[i], a[(i + 1) % 3], b, margin) || pierces(b[i], b[(i + 1) % 3], a, margin)) return true;
  }
  return false;
}

double point_segment(const Vector3& p, const Vector3& a, const Vector3& b) {
  const Vector3 d = b - a;
  const double l = d.squaredNorm();
  const double s = l > 0.0 ? std::clamp(d.dot(p - a) / l, 0.0, 1.0) : 0.0;
  return (p - a - s * d).norm();
}

double point_triangle(const Vector3& p, const Corners& t) {
  double best =
      std::min({point_segment(p, t[0], t[1]), point_segment(p, t[1], t[2]), point_segment(p, t[2], t[0])});
  const Vector3 n = (t[1] - t[0]).cross(t[2] - t[0]);
  if (n.squaredNorm() == 0.0) return best;
  for (std::size_t i = 0; i < 3; ++i) {
    if (n.dot((t[(i + 1) % 3] - t[i]).cross(p - t[i])) < 0.0) return best;
  }
  return std::min(best, std::abs(n.dot(p - t[0])) / n.norm());
}

double segment_segment(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) {
  double best = std::min(
      {point_segment(a, c, d), point_segment(b, c, d), point_segment(c, a, b), point_segment(d, a, b)});
  const Vector3 u = b - a, v = d - c, w = a - c;
  const double uu = u.squaredNorm(), uv = u.dot(v), vv = v.squaredNorm(), det = uu * vv - uv * uv;
  if (!(det > 0.0)) return best;
  const double s = (uv * v.dot(w) - vv * u.dot(w)) / det;
  const double r = (uu * v.dot(w) - uv * u.dot(w)) / det;
  if (s < 0.0 || s > 1.0 || r < 0.0 || r > 1.0) return best;
  return std::min(best, (w + s * u - r * v).norm());
}

double triangle_distance(const Corners& a, const Corners& b) {
  if (any_edge_pierces(a, b, 0.0)) return 0.0;
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    best = std::min({best, point_triangle(a[i], b), point_triangle(b[i], a)});
    for (std::size_t j = 0; j < 3; ++j) {
      best = std::min(best, segment_segment(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]));
    }
  }
  return best;
}

}  // namespace

bool surely_intersect(const TriangleMesh& a, const Pose& pose_a, const TriangleMesh& b, const Pose& pose_b) {
  const auto triangles_a = placed(a, pose_a);
  const auto triangles_b = placed(b, pose_b);
  for (const Corners& x : triangles_a) {
    for (const Corners& y : triangles_b) {
      if (any_edge_pierces(x, y, 1e-9)) return true;
    }
  }
  return false;
}

double mesh_distance(const TriangleMesh& a, const Pose& pose_a, const TriangleMesh& b, const Pose& pose_b) {
  const auto triangles_a = placed(a, pose_a);
  const auto triangles_b = placed(b, pose_b);
  double best = std::numeric_limits<double>::infinity();
  for (const Corners& x : triangles_a) {
    for (const Corners& y : triangles_b) best = std::min(best, triangle_distance(x, y));
  }
  return best;
}

double first_contact_upper(const TriangleMesh& a, const PoseAt& pose_a, const TriangleMesh& b,
                           const PoseAt& pose_b, int samples) {
  for (int i = 0; i <= samples; ++i) {
    const double t = static_cast<double>(i) / samples;
    if (!surely_intersect(a, pose_a(t), b, pose_b(t))) continue;
    double low = i == 0 ? 0.0 : static_cast<double>(i - 1) / samples;
    double high = t;
    for (int k = 0; k < 45 && i > 0; ++k) {
      const double middle = 0.5 * (low + high);
      (surely_intersect(a, pose_a(middle), b, pose_b(middle)) ? high : low) = middle;
    }
    return high;
  }
  return 2.0;
}

}  // namespace toccata::oracle
