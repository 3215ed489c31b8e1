// Piercing: seen from the triangle's body only the edge pq moves, each of its points by at most e. Let hp, hq
// be the heights of its ends on either side of the plane, c the crossing point, beta its distance to the
// sides of the triangle. With e <= min(|hp|, |hq|) / 2 the edge still crosses, under a slope of at least
// (|hp| + |hq|) / (2 |pq|), so the crossing moves by at most e (1 + 2 |pq| / (|hp| + |hq|)).
#include "ccd/rigid/persistence.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "toccata/elementary/triangle_triangle.hpp"
#include "toccata/motion/displacement_bound.hpp"

namespace toccata {
namespace {

double edge_margin(const Vector3& p, const Vector3& q, const std::array<Vector3, 3>& t) {
  Vector3 normal = (t[1] - t[0]).cross(t[2] - t[0]);
  const double length = normal.norm();
  const double size =
      std::max({(t[1] - t[0]).norm(), (t[2] - t[0]).norm(), (p - t[0]).norm(), (q - t[0]).norm()});
  if (!(length > 1e-10 * size * size)) return 0.0;
  normal /= length;
  const double hp = normal.dot(p - t[0]);
  const double hq = normal.dot(q - t[0]);
  if (!(hp * hq < 0.0)) return 0.0;
  const double rise = std::abs(hp) + std::abs(hq);
  const Vector3 crossing = p + (hp / (hp - hq)) * (q - p);
  double inside = std::min(std::abs(hp), std::abs(hq));
  double beta = size;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vector3 edge = t[(i + 1) % 3] - t[i];
    beta = std::min(beta, normal.cross(edge).dot(crossing - t[i]) / edge.norm());
  }
  const double margin = std::min(0.5 * inside, beta / (1.0 + 2.0 * (q - p).norm() / rise));
  // A normal this well conditioned carries at most 1e-5 of relative error into heights and distances.
  return std::max(0.0, margin * (1.0 - 1e-4) - 1e-5 * 1e-10 * size);
}

}  // namespace

double piercing_margin(const std::array<Vector3, 3>& a, const std::array<Vector3, 3>& b) {
  double margin = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    margin = std::max({margin, edge_margin(a[i], a[(i + 1) % 3], b), edge_margin(b[i], b[(i + 1) % 3], a)});
  }
  return margin;
}

double contact_step(const PairState& state, const std::array<Vector3, 3>& body_a,
                    const std::array<Vector3, 3>& body_b, double reach) {
  const TrianglePairState pair = triangle_pair_state(state, body_a, body_b);
  const FrameView& view = state.view[1];
  // Relative speed of the two bodies at every corner: how fast a point of one moves seen from the other.
  double speed = 0.0;
  double acceleration = pair.acceleration;
  for (std::size_t i = 0; i < 3; ++i) {
    speed = std::max({speed, (pair.velocity_a[i] - view.own.at(pair.a[i])).norm(),
                      (view.other.at(pair.b[i]) - pair.velocity_b[i]).norm()});
    // A point of one body as a point of the other: its turning speed there.
    acceleration = std::max(
        acceleration, state.acceleration +
                          state.turn[0].rate * std::max((view.other.at(pair.b[i]) - view.other.drift).norm(),
                                                        (pair.velocity_a[i] - view.other.drift).norm()) +
                          state.turn[1].rate * std::max((view.own.at(pair.a[i]) - view.own.drift).norm(),
                                                        (pair.velocity_b[i] - view.own.drift).norm()));
  }
  const double rate = speed * (1.0 + 1e-12) + state.rate_padding;
  double step = 0.0;
  const double margin = piercing_margin(pair.a, pair.b) - 2.0 * state.gap_padding;
  if (margin > 0.0) step = conservative_step(margin, rate, 2.0 * acceleration);
  const TriangleTriangleDistance d = triangle_triangle_distance(pair.a, pair.b);
  const double room = reach - d.distance - 2.0 * state.gap_padding;
  if (room > 0.0) step = std::max(step, conservative_step(room, rate, 2.0 * acceleration));
  return step;
}

}  // namespace toccata
