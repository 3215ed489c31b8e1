// A point that moves along the ray is a convex set, too: as long as it is `lower` away from the piece along
// n, it can go on until it has come so much nearer along n. Where it comes no nearer along n, it never
// arrives.
#include "proximity/ray_piece.hpp"

#include <algorithm>
#include <cmath>

#include "proximity/convex/convex_distance.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata::proximity {
namespace {

constexpr int most_steps = 128;

RayEntry into_half_space(const Vector3& origin, const Vector3& direction, double limit, const Plane& plane) {
  const double height = plane.height(origin), sinks = -plane.normal.dot(direction);
  if (height <= 0.0) return {true, 0.0, Vector3::Zero()};
  if (!(sinks > 0.0) || height / sinks > limit) return {};
  return {true, height / sinks, plane.normal};
}

}  // namespace

RayEntry ray_piece(const Vector3& origin, const Vector3& direction, double limit, const Piece& piece) {
  if (piece.plane() != nullptr) return into_half_space(origin, direction, limit, *piece.plane());
  const Vector3 zero = Vector3::Zero();
  const ConvexSet point = set_of_points({&zero, 1});
  const double scale = (piece.middle() - origin).norm() + piece.reach();
  const double close = 16.0 * unit_roundoff * (scale + origin.norm() + piece.middle().norm());
  convex::ConvexMemory memory;
  RayEntry entry;
  double t = 0.0;
  for (int step = 0; step < most_steps; ++step) {
    const convex::ConvexDistance d =
        convex::convex_distance(point, {Matrix3::Identity(), origin + t * direction}, piece.set(), &memory);
    if (d.meets || d.upper <= close) break;
    const Vector3& n = d.direction;
    const double nearer = n.dot(direction);
    if (d.lower > 0.0) {
      if (!(nearer > 0.0)) return {};
      entry.normal = -n;
    }
    const double next = t + d.lower / nearer;
    if (next > limit) return {};
    if (!(next > t)) break;
    t = next;
  }
  entry.hit = true;
  entry.parameter = t;
  return entry;
}

}  // namespace toccata::proximity
