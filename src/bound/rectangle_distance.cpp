#include "bound/rectangle_distance.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace toccata::bound {
namespace {

// Nearest points are those of a corner and a rectangle or of two edges. The result is only a direction: the
// caller proves the distance by the slab across it.
struct Best {
  double squared_distance = INFINITY;
  Vector3 difference = Vector3::Zero();

  void take(const Vector3& candidate) {
    const double squared = candidate.squaredNorm();
    if (squared < squared_distance) {
      squared_distance = squared;
      difference = candidate;
    }
  }
};

constexpr std::array<double, 2> signs = {-1.0, 1.0};

// From the rectangle |x| <= half.x, |y| <= half.y, z = 0 to a point.
Vector3 from_rectangle(const Vector2& half, const Vector3& p) {
  return {p.x() - std::clamp(p.x(), -half.x(), half.x()), p.y() - std::clamp(p.y(), -half.y(), half.y()),
          p.z()};
}

void look_at_corners(const RectanglePair& pair, Best& best) {
  const Vector3 x = pair.half_b.x() * pair.rotation.col(0), y = pair.half_b.y() * pair.rotation.col(1);
  for (const double sx : signs) {
    for (const double sy : signs) {
      best.take(from_rectangle(pair.half_a, pair.offset + sx * x + sy * y));
      const Vector3 corner(sx * pair.half_a.x(), sy * pair.half_a.y(), 0.0);
      const Vector3 in_b = pair.rotation.transpose() * (corner - pair.offset);
      best.take(pair.rotation * -from_rectangle(pair.half_b, in_b));
    }
  }
}

// Edges of a along its axis i against edges of b along its axis j.
void look_at_edges(const RectanglePair& pair, int i, int j, Best& best) {
  const double cosine = pair.rotation(i, j);
  const double denominator = 1.0 - cosine * cosine;
  if (denominator < 1e-12) return;  // parallel: a corner is as near
  const Vector3 along_b = pair.rotation.col(j);
  for (const double sa : signs) {
    Vector3 middle_a = Vector3::Zero();
    middle_a[1 - i] = sa * pair.half_a[1 - i];
    for (const double sb : signs) {
      const Vector3 r = pair.offset + sb * pair.half_b[1 - j] * pair.rotation.col(1 - j) - middle_a;
      const double ra = r[i], rb = r.dot(along_b);
      // Where the lines come closest, from the middle of either edge; beyond its end a corner is nearer.
      const double s = (ra - cosine * rb) / denominator;
      const double t = (cosine * ra - rb) / denominator;
      if (std::abs(s) > pair.half_a[i] || std::abs(t) > pair.half_b[j]) continue;
      Vector3 candidate = r + t * along_b;
      candidate[i] -= s;
      best.take(candidate);
    }
  }
}

// Does an edge of the second rectangle cross the first?
bool edge_crosses(const RectanglePair& pair) {
  const Vector3 x = pair.half_b.x() * pair.rotation.col(0), y = pair.half_b.y() * pair.rotation.col(1);
  const std::array<Vector3, 4> corner = {pair.offset - x - y, pair.offset + x - y, pair.offset + x + y,
                                         pair.offset - x + y};
  for (int i = 0; i < 4; ++i) {
    const Vector3 &p = corner[i], &q = corner[(i + 1) % 4];
    if ((p.z() > 0.0) == (q.z() > 0.0)) continue;
    const double t = p.z() / (p.z() - q.z());
    if (std::abs(p.x() + t * (q.x() - p.x())) <= pair.half_a.x() &&
        std::abs(p.y() + t * (q.y() - p.y())) <= pair.half_a.y()) {
      return true;
    }
  }
  return false;
}

}  // namespace

Vector3 rectangle_difference(const RectanglePair& pair) {
  Best best;
  look_at_corners(pair, best);
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) look_at_edges(pair, i, j, best);
  }
  // Rectangles that cross have an edge of one through the other; possible only when each touches the plane of
  // the other.
  const double reach_b =
      pair.half_b.x() * std::abs(pair.rotation(2, 0)) + pair.half_b.y() * std::abs(pair.rotation(2, 1));
  if (std::abs(pair.offset.z()) > reach_b) return best.difference;
  const Vector3 seen_from_b = -(pair.rotation.transpose() * pair.offset);
  const double reach_a =
      pair.half_a.x() * std::abs(pair.rotation(0, 2)) + pair.half_a.y() * std::abs(pair.rotation(1, 2));
  if (std::abs(seen_from_b.z()) > reach_a) return best.difference;
  const RectanglePair swapped = {pair.half_b, pair.half_a, pair.rotation.transpose(), seen_from_b};
  if (edge_crosses(pair) || edge_crosses(swapped)) return Vector3::Zero();
  return best.difference;
}

}  // namespace toccata::bound
