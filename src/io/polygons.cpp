#include "io/polygons.hpp"

#include <Eigen/Geometry>
#include <array>
#include <span>

namespace toccata::io {
namespace {

// Twice the signed area of (a, b, c).
double turn(const Vector2& a, const Vector2& b, const Vector2& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

// The corners in the coordinate plane that shows the polygon largest, counter-clockwise.
std::vector<Vector2> project(std::span<const std::int32_t> corners, const std::vector<Vector3>& vertices) {
  const Vector3& origin = vertices[corners[0]];
  Vector3 normal = Vector3::Zero();
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    normal += (vertices[corners[i]] - origin).cross(vertices[corners[i + 1]] - origin);
  }
  int axis = 0;
  normal.cwiseAbs().maxCoeff(&axis);
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const bool flip = normal[axis] < 0;
  std::vector<Vector2> points;
  points.reserve(corners.size());
  for (const std::int32_t corner : corners) {
    const Vector3 p = vertices[corner] - origin;
    points.push_back(flip ? Vector2(p[v], p[u]) : Vector2(p[u], p[v]));
  }
  return points;
}

bool is_convex(const std::vector<Vector2>& points) {
  const std::size_t n = points.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (!(turn(points[i], points[(i + 1) % n], points[(i + 2) % n]) >= 0)) return false;
  }
  return true;
}

// A fan around a convex corner of a star is right too; that all its triangles turn left is enough.
bool fan_is_valid(const std::vector<Vector2>& points) {
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    if (!(turn(points[0], points[i], points[i + 1]) > 0)) return false;
  }
  return true;
}

// The corners not yet cut off, as a ring. Only the two neighbours of a cut can become or cease to be ears,
// so that the whole takes a time quadratic in the corners, not cubic.
class EarClipper {
 public:
  explicit EarClipper(const std::vector<Vector2>& points) : points_(points), ring_(points.size()) {
    const std::size_t n = points.size();
    for (std::size_t i = 0; i < n; ++i) ring_[i] = {(i + n - 1) % n, (i + 1) % n, false};
    for (std::size_t i = 0; i < n; ++i) ring_[i].ear = is_ear(i);
  }

  // Cuts one corner and returns the triangle. Where rounding or a self-crossing outline leaves no ear, it
  // cuts the next corner anyway: the surface of such a polygon is not defined, but every corner stays on it.
  std::array<std::size_t, 3> cut() {
    const std::size_t start = at_;
    while (!ring_[at_].ear && ring_[at_].next != start) at_ = ring_[at_].next;
    const auto [before, after, ear] = ring_[at_];
    const std::array<std::size_t, 3> triangle = {before, at_, after};
    ring_[before].next = after;
    ring_[after].previous = before;
    ring_[before].ear = is_ear(before);
    ring_[after].ear = is_ear(after);
    at_ = after;
    return triangle;
  }

 private:
  struct Corner {
    std::size_t previous;
    std::size_t next;
    bool ear;
  };

  bool is_ear(std::size_t i) const {
    const Vector2& a = points_[ring_[i].previous];
    const Vector2& b = points_[i];
    const Vector2& c = points_[ring_[i].next];
    if (!(turn(a, b, c) > 0)) return false;
    for (std::size_t k = ring_[ring_[i].next].next; k != ring_[i].previous; k = ring_[k].next) {
      const Vector2& p = points_[k];
      if (p == a || p == b || p == c) continue;
      if (turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0) return false;
    }
    return true;
  }

  const std::vector<Vector2>& points_;
  std::vector<Corner> ring_;
  std::size_t at_ = 0;
};

}  // namespace

void PolygonBuilder::finish(const std::vector<Vector3>& vertices) {
  std::vector<std::int32_t> corners;
  for (const Fan& fan : fans_) {
    if (fan.corners > ear_limit) continue;
    Face* faces = faces_.data() + fan.first_face;
    const auto count = static_cast<std::size_t>(fan.corners);
    corners.assign({faces[0][0], faces[0][1]});
    for (std::size_t i = 0; i + 2 < count; ++i) corners.push_back(faces[i][2]);
    const std::vector<Vector2> points = project(corners, vertices);
    if (is_convex(points) || fan_is_valid(points)) continue;
    EarClipper clipper(points);
    for (std::size_t i = 0; i + 2 < count; ++i) {
      const auto [a, b, c] = clipper.cut();
      faces[i] = {corners[a], corners[b], corners[c]};
    }
  }
  fans_.clear();
}

}  // namespace toccata::io
