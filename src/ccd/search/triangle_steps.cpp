#include "ccd/search/triangle_steps.hpp"

// SSE4, AVX2 and AVX-512 beside the baseline: the targets between them gain nothing here.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ccd/search/triangle_steps.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef TOCCATA_TRIANGLE_STEPS_INPUT
#define TOCCATA_TRIANGLE_STEPS_INPUT
namespace toccata::search {

// Directions come in four groups of four. Groups 0 to 2: edge i of a times each of `partner` (the edges of b
// and the normal of a); group 3: `single`.
struct alignas(64) TriangleStepsInput {
  double partner[3][4];  // [coordinate][direction]
  double single[3][4];
  double edge_a[3][3];  // [edge][coordinate]
  double a[3][3];       // [corner][coordinate]
  double b[3][3];
  double velocity_a[3][3];
  double velocity_b[3][3];
  double acceleration;
  double gap_padding;
  double rate_padding;
  double reach;
};
}  // namespace toccata::search
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::search {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, 4>;
using V = hn::Vec<D>;

// Directions, one per lane.
struct Directions {
  V x, y, z;
};

#if HWY_MAX_BYTES >= 64
using BestTag = hn::CappedTag<double, 8>;
#else
using BestTag = D;
#endif

template <typename Tag>
struct Best {
  using V = hn::Vec<Tag>;
  V step, far;  // far > 0: proven beyond the reach

  HWY_INLINE void take(const TriangleStepsInput& in, V x, V y, V z) {
    const Tag d;
    const auto dot = [&](const double* p) HWY_ATTR {
      return hn::Add(hn::Add(hn::Mul(x, hn::Set(d, p[0])), hn::Mul(y, hn::Set(d, p[1]))),
                     hn::Mul(z, hn::Set(d, p[2])));
    };
    struct Span {
      V low, high;
    };
    const auto span_of = [&](const double(*p)[3]) HWY_ATTR {
      const V h0 = dot(p[0]), h1 = dot(p[1]), h2 = dot(p[2]);
      return Span{hn::Min(hn::Min(h0, h1), h2), hn::Max(hn::Max(h0, h1), h2)};
    };
    const Span a = span_of(in.a), b = span_of(in.b);
    const Span va = span_of(in.velocity_a), vb = span_of(in.velocity_b);
    // Either b lies ahead of a along the direction, or behind.
    const V ahead = hn::Sub(b.low, a.high), behind = hn::Sub(a.low, b.high);
    const auto is_ahead = hn::Ge(ahead, behind);
    const V zero = hn::Zero(d);
    const V squared = hn::Add(hn::Add(hn::Mul(x, x), hn::Mul(y, y)), hn::Mul(z, z));
    const V length = hn::Mul(hn::Sqrt(squared), hn::Set(d, 1.0 + 0x1p-49));
    // Directions whose length is not known to a few roundings are dropped.
    const auto known = hn::Gt(squared, hn::Set(d, 1e-200));
    const V s = hn::IfThenElseZero(
        known, hn::Sub(hn::Max(ahead, behind), hn::Mul(length, hn::Set(d, in.gap_padding))));
    const V r = hn::Add(hn::IfThenElse(is_ahead, hn::Sub(va.high, vb.low), hn::Sub(vb.high, va.low)),
                        hn::Mul(length, hn::Set(d, in.rate_padding)));
    const V k = hn::Mul(length, hn::Set(d, in.acceleration));
    const V two_s = hn::Max(hn::Add(s, s), zero);
    const V speed = hn::Abs(r);
    const V sum = hn::Add(speed, hn::Max(hn::Sqrt(hn::Add(hn::Mul(r, r), hn::Mul(k, two_s))), speed));
    const auto closing = hn::Ge(r, zero);
    const V root = hn::Mul(hn::Div(hn::IfThenElse(closing, two_s, sum), hn::IfThenElse(closing, sum, k)),
                           hn::Set(d, 1.0 - 0x1p-48));
    step = hn::Max(step, hn::IfThenElseZero(hn::Gt(s, zero), root));
    far = hn::Max(far, hn::Sub(s, hn::Mul(length, hn::Set(d, in.reach))));
  }
};

// Two times four directions.
HWY_INLINE void take_two(const TriangleStepsInput& in, const Directions& first, const Directions& second,
                         Best<BestTag>& best) {
#if HWY_MAX_BYTES >= 64
  const BestTag d;
  best.take(in, hn::Combine(d, second.x, first.x), hn::Combine(d, second.y, first.y),
            hn::Combine(d, second.z, first.z));
#else
  best.take(in, first.x, first.y, first.z);
  best.take(in, second.x, second.y, second.z);
#endif
}

TriangleStep triangle_steps_kernel(const TriangleStepsInput& in) {
  const D d;
  const BestTag all;
  Best<BestTag> best = {hn::Zero(all), hn::Zero(all)};
  for (std::size_t at = 0; at < 4; at += hn::Lanes(d)) {
    const Directions partner = {hn::Load(d, in.partner[0] + at), hn::Load(d, in.partner[1] + at),
                                hn::Load(d, in.partner[2] + at)};
    const auto across = [&](int i) HWY_ATTR {
      const V x = hn::Set(d, in.edge_a[i][0]), y = hn::Set(d, in.edge_a[i][1]),
              z = hn::Set(d, in.edge_a[i][2]);
      return Directions{hn::Sub(hn::Mul(y, partner.z), hn::Mul(z, partner.y)),
                        hn::Sub(hn::Mul(z, partner.x), hn::Mul(x, partner.z)),
                        hn::Sub(hn::Mul(x, partner.y), hn::Mul(y, partner.x))};
    };
    take_two(in, across(0), across(1), best);
    const Directions single = {hn::Load(d, in.single[0] + at), hn::Load(d, in.single[1] + at),
                               hn::Load(d, in.single[2] + at)};
    take_two(in, across(2), single, best);
  }
  return {hn::GetLane(hn::MaxOfLanes(all, best.step)), hn::GetLane(hn::MaxOfLanes(all, best.far)) > 0.0};
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::search
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "toccata/base/rounding.hpp"
#include "toccata/elementary/triangle_triangle.hpp"
#include "toccata/motion/displacement_bound.hpp"

namespace toccata::search {

HWY_EXPORT(triangle_steps_kernel);

namespace {

void put(double (*to)[4], int at, const Vector3& n) {
  for (int k = 0; k < 3; ++k) to[k][at] = n[k];
}

void put_directions(TriangleStepsInput& in, const TrianglePairState& pair) {
  Vector3 edge_a[3], edge_b[3];
  double size = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    edge_a[i] = pair.a[(i + 1) % 3] - pair.a[i];
    edge_b[i] = pair.b[(i + 1) % 3] - pair.b[i];
    size = std::max({size, edge_a[i].squaredNorm(), edge_b[i].squaredNorm()});
  }
  // Unit-size edges keep the products of directions away from underflow at any scale.
  const double scale = size > 1e-280 ? 1.0 / std::sqrt(size) : 0.0;
  for (int i = 0; i < 3; ++i) {
    edge_a[i] *= scale;
    put(in.partner, i, edge_b[i] * scale);
    for (int k = 0; k < 3; ++k) in.edge_a[i][k] = edge_a[i][k];
  }
  const Vector3 normal_a = edge_a[0].cross(edge_a[1]);
  put(in.partner, 3, normal_a);
  put(in.single, 0, normal_a);
  put(in.single, 1, (edge_b[0] * scale).cross(edge_b[1] * scale));
  const Vector3 line = ((pair.b[0] - pair.a[0]) + (pair.b[1] - pair.a[1]) + (pair.b[2] - pair.a[2])) * scale;
  put(in.single, 2, line);
  const Vector3 motion = pair.velocity_a[0] - pair.velocity_b[0];
  const double squared = motion.squaredNorm();
  put(in.single, 3, squared > 1e-280 ? Vector3(line - (line.dot(motion) / squared) * motion) : line);
}

}  // namespace

TrianglePairState triangle_pair_state(const PairState& state, const std::array<Vector3, 3>& body_a,
                                      const std::array<Vector3, 3>& body_b) {
  TrianglePairState pair;
  const FrameView& view = state.view[1];
  double turning[2] = {0.0, 0.0};
  for (std::size_t i = 0; i < 3; ++i) {
    pair.a[i] = view.rotation * body_a[i] + view.translation;
    pair.b[i] = body_b[i];
    pair.velocity_a[i] = view.other.at(pair.a[i]);
    pair.velocity_b[i] = view.own.at(pair.b[i]);
    turning[0] = std::max(turning[0], (pair.velocity_a[i] - view.other.drift).squaredNorm());
    turning[1] = std::max(turning[1], (pair.velocity_b[i] - view.own.drift).squaredNorm());
  }
  pair.acceleration = state.acceleration;
  for (std::size_t side = 0; side < 2; ++side) {
    if (!state.turn[side].spins) continue;
    const double acceleration = state.turn[side].rate * std::sqrt(turning[side]) * (1.0 + 1e-12);
    pair.acceleration += acceleration;
    if (!state.turn[side].steady) continue;
    const Vector3& spin = side == 0 ? view.other.spin : view.own.spin;
    pair.turn[side] = {spin / state.turn[side].spin, acceleration};
  }
  pair.angle_padding = state.angle_padding;
  return pair;
}

TriangleStep triangle_step(const TrianglePairState& pair, double distance, double reach, double gap_padding,
                           double rate_padding) {
  TriangleStepsInput in;
  const Vector3 origin = pair.b[0];
  const Vector3 flow = pair.velocity_b[0];
  double size = 0.0, speed = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vector3 a = pair.a[i] - origin, b = pair.b[i] - origin;
    const Vector3 va = pair.velocity_a[i] - flow, vb = pair.velocity_b[i] - flow;
    for (int k = 0; k < 3; ++k) {
      in.a[i][k] = a[k];
      in.b[i][k] = b[k];
      in.velocity_a[i][k] = va[k];
      in.velocity_b[i][k] = vb[k];
    }
    size = std::max({size, a.squaredNorm(), b.squaredNorm()});
    speed = std::max({speed, va.squaredNorm(), vb.squaredNorm()});
  }
  put_directions(in, pair);
  // Each height: the point's own rounding 1, three products and two sums 3; two heights and their
  // difference 1. The same for the speeds.
  constexpr double u = unit_roundoff;
  in.gap_padding = gap_padding + distance + 12.0 * u * std::sqrt(size);
  in.rate_padding = rate_padding + 12.0 * u * std::sqrt(speed);
  in.acceleration = pair.acceleration * (1.0 + 8.0 * u) + 1e-200;
  in.reach = reach;
  return HWY_DYNAMIC_DISPATCH(triangle_steps_kernel)(in);
}

namespace {

// Every corner against every corner with their own speeds: the far end of a triangle that turns may close in
// fast, but has far to go.
double corner_step(const TrianglePairState& pair, const Vector3& n, double gap_padding, double rate_padding,
                   double acceleration) {
  double height_a[3], height_b[3], speed_a[3], speed_b[3], size = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vector3 a = pair.a[i] - pair.b[0], b = pair.b[i] - pair.b[0];
    height_a[i] = n.dot(a);
    height_b[i] = n.dot(b);
    speed_a[i] = n.dot(pair.velocity_a[i]);
    speed_b[i] = n.dot(pair.velocity_b[i]);
    size = std::max({size, a.squaredNorm(), b.squaredNorm()});
  }
  // Where the nearest corners are about the fastest, there is nothing to gain.
  const std::ptrdiff_t top = std::max_element(height_a, height_a + 3) - height_a;
  const std::ptrdiff_t bottom = std::min_element(height_b, height_b + 3) - height_b;
  const double fastest = *std::max_element(speed_a, speed_a + 3) - *std::min_element(speed_b, speed_b + 3);
  if (speed_a[top] - speed_b[bottom] > 0.75 * fastest) return 0.0;
  const double padding = gap_padding + 16.0 * unit_roundoff * std::sqrt(size);
  double step = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const double gap = (height_b[j] - height_a[i]) * (1.0 - 8.0 * unit_roundoff) - padding;
      step = std::min(step, conservative_step(gap, speed_a[i] - speed_b[j] + rate_padding, acceleration));
    }
  }
  return step;
}

}  // namespace

namespace {

// Of any two points along the unit direction n.
double acceleration_along(const TrianglePairState& pair, const Vector3& n) {
  double acceleration = pair.acceleration;
  for (const TrianglePairState::Turn& turn : pair.turn) {
    // A sine, with 16 roundings of its own.
    const double across = turn.axis.cross(n).norm() + pair.angle_padding + 16.0 * unit_roundoff;
    if (across < 1.0) acceleration -= turn.acceleration * (1.0 - across);
  }
  return std::max(0.0, acceleration) + 8.0 * unit_roundoff * pair.acceleration;
}

}  // namespace

double triangle_step_along(const TrianglePairState& pair, const Vector3& direction, double distance,
                           double gap_padding, double rate_padding) {
  const double length = direction.norm();
  if (!(length > 1e-140)) return 0.0;
  const Vector3 n = direction / length;
  const double gap = triangle_triangle_separation(pair.a, pair.b, n) - gap_padding - distance;
  double toward = n.dot(pair.velocity_a[0]), away = n.dot(pair.velocity_b[0]), speed = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    toward = std::max(toward, n.dot(pair.velocity_a[i]));
    away = std::min(away, n.dot(pair.velocity_b[i]));
    speed = std::max({speed, pair.velocity_a[i].norm(), pair.velocity_b[i].norm()});
  }
  // n is a unit vector to 4 roundings; each height of a velocity carries 4 more.
  const double padding = rate_padding + 16.0 * unit_roundoff * speed;
  const double acceleration = acceleration_along(pair, n) * (1.0 + 8.0 * unit_roundoff);
  const double step =
      conservative_step(gap * (1.0 - 8.0 * unit_roundoff), toward - away + padding, acceleration);
  if (!(gap > 0.0) || !(toward > away)) return step;
  return std::max(step, corner_step(pair, n, gap_padding + distance, padding, acceleration));
}

}  // namespace toccata::search
#endif
