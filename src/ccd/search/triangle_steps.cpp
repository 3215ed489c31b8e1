#include "ccd/search/triangle_steps.hpp"

// SSE4, AVX2 and AVX-512 beside the baseline: the targets between them gain nothing here.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ccd/search/triangle_steps.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef TOCCATA_TRIANGLE_STEPS_INPUT
#define TOCCATA_TRIANGLE_STEPS_INPUT
#include <algorithm>
#include <cmath>

#include "toccata/base/rounding.hpp"

namespace toccata::search {

// Three corners, or what belongs to them, by coordinates; the fourth is the first one again.
using CornerLanes = double[3][4];

// Directions come in four groups of four. Groups 0 to 2: edge i of a times each of `partner` (the edges of b
// and the normal of a); group 3: `single`.
struct alignas(64) TriangleStepsInput {
  CornerLanes a, b, velocity_a, velocity_b;  // about the first corner of b, and its velocity
  CornerLanes edge_a;
  double partner[3][4];  // [coordinate][direction]
  double single[3][4];
  double acceleration;
  double gap_padding;
  double rate_padding;
  double reach;
};

// Corners in the coordinates of their body, once around and on to the second again: so edges are differences
// of two vectors.
struct alignas(64) CornersAround {
  double at[3][8];
};

struct TrianglePairInput {
  const PairState* state;
  CornersAround a, b;
  double distance;
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
    const auto dot = [&](const CornerLanes& p, int i) HWY_ATTR {
      return hn::Add(hn::Add(hn::Mul(x, hn::Set(d, p[0][i])), hn::Mul(y, hn::Set(d, p[1][i]))),
                     hn::Mul(z, hn::Set(d, p[2][i])));
    };
    struct Span {
      V low, high;
    };
    const auto span_of = [&](const CornerLanes& p) HWY_ATTR {
      const V h0 = dot(p, 0), h1 = dot(p, 1), h2 = dot(p, 2);
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

HWY_INLINE TriangleStep best_step(const TriangleStepsInput& in) {
  const D d;
  const BestTag all;
  Best<BestTag> best = {hn::Zero(all), hn::Zero(all)};
  for (std::size_t at = 0; at < 4; at += hn::Lanes(d)) {
    const Directions partner = {hn::Load(d, in.partner[0] + at), hn::Load(d, in.partner[1] + at),
                                hn::Load(d, in.partner[2] + at)};
    const auto across = [&](int i) HWY_ATTR {
      const V x = hn::Set(d, in.edge_a[0][i]), y = hn::Set(d, in.edge_a[1][i]),
              z = hn::Set(d, in.edge_a[2][i]);
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

// Places, velocities or differences of corners, one per lane.
struct Points {
  V x, y, z;

  HWY_INLINE void load(const double (&from)[3][8], std::size_t at) {
    x = hn::LoadU(D(), from[0] + at);
    y = hn::LoadU(D(), from[1] + at);
    z = hn::LoadU(D(), from[2] + at);
  }
  HWY_INLINE void store(double (&to)[3][4], std::size_t at) const {
    hn::Store(x, D(), to[0] + at);
    hn::Store(y, D(), to[1] + at);
    hn::Store(z, D(), to[2] + at);
  }
  HWY_INLINE Points less(const Points& other) const {
    return {hn::Sub(x, other.x), hn::Sub(y, other.y), hn::Sub(z, other.z)};
  }
  HWY_INLINE Points times(V factor) const {
    return {hn::Mul(x, factor), hn::Mul(y, factor), hn::Mul(z, factor)};
  }
  HWY_INLINE V squared() const { return hn::Add(hn::Add(hn::Mul(x, x), hn::Mul(y, y)), hn::Mul(z, z)); }
};

HWY_INLINE Points all_at(const Vector3& v) {
  const D d;
  return {hn::Set(d, v.x()), hn::Set(d, v.y()), hn::Set(d, v.z())};
}

HWY_INLINE Points placed(const FrameView& view, const Points& p) {
  const D d;
  const auto row = [&](int i) HWY_ATTR {
    const V xy =
        hn::Add(hn::Mul(hn::Set(d, view.rotation(i, 0)), p.x), hn::Mul(hn::Set(d, view.rotation(i, 1)), p.y));
    const V turned = hn::Add(xy, hn::Mul(hn::Set(d, view.rotation(i, 2)), p.z));
    return hn::Add(turned, hn::Set(d, view.translation[i]));
  };
  return {row(0), row(1), row(2)};
}

// As VelocityField::at.
HWY_INLINE Points velocities(const VelocityField& field, const Points& p) {
  const Points d = p.less(all_at(field.place)), w = all_at(field.spin), v = all_at(field.velocity);
  return {hn::Add(v.x, hn::Sub(hn::Mul(w.y, d.z), hn::Mul(w.z, d.y))),
          hn::Add(v.y, hn::Sub(hn::Mul(w.z, d.x), hn::Mul(w.x, d.z))),
          hn::Add(v.z, hn::Sub(hn::Mul(w.x, d.y), hn::Mul(w.y, d.x)))};
}

// Largest squares, of the corners' places and velocities, of edges, and of what bodies turn by.
struct alignas(64) Sizes {
  double place[4], speed[4], edge[4], turning_a[4], turning_b[4];

  static double largest(const double (&of)[4]) { return std::max({of[0], of[1], of[2]}); }
};

HWY_INLINE void put_corners(const TrianglePairInput& pair, TriangleStepsInput& in, Sizes& sizes) {
  const D d;
  const PairState& state = *pair.state;
  const FrameView& view = state.view[1];
  const Vector3 first(pair.b.at[0][0], pair.b.at[1][0], pair.b.at[2][0]);
  const Points origin = all_at(first), flow = all_at(view.own.at(first));
  for (std::size_t at = 0; at < 4; at += hn::Lanes(d)) {
    Points body_a, next_a, b, next_b;
    body_a.load(pair.a.at, at);
    next_a.load(pair.a.at, at + 1);
    b.load(pair.b.at, at);
    next_b.load(pair.b.at, at + 1);
    const Points a = placed(view, body_a);
    const Points edge_a = placed(view, next_a).less(a), edge_b = next_b.less(b);
    edge_a.store(in.edge_a, at);
    edge_b.store(in.partner, at);
    hn::Store(hn::Max(edge_a.squared(), edge_b.squared()), d, sizes.edge + at);
    const Points place_a = a.less(origin), place_b = b.less(origin);
    place_a.store(in.a, at);
    place_b.store(in.b, at);
    hn::Store(hn::Max(place_a.squared(), place_b.squared()), d, sizes.place + at);
    const Points va = velocities(view.other, a);
    if (state.turn[0].spins) hn::Store(va.less(all_at(view.other.drift)).squared(), d, sizes.turning_a + at);
    const Points speed_a = va.less(flow);
    speed_a.store(in.velocity_a, at);
    // Of a body that does not turn all points are as fast as the first.
    Points speed_b = all_at(Vector3(0.0, 0.0, 0.0));
    if (state.turn[1].spins) {
      const Points vb = velocities(view.own, b);
      hn::Store(vb.less(all_at(view.own.drift)).squared(), d, sizes.turning_b + at);
      speed_b = vb.less(flow);
    }
    speed_b.store(in.velocity_b, at);
    hn::Store(hn::Max(speed_a.squared(), speed_b.squared()), d, sizes.speed + at);
  }
}

HWY_INLINE void scale_edges(TriangleStepsInput& in, double scale) {
  const D d;
  for (CornerLanes* edges : {&in.edge_a, &in.partner}) {
    for (int k = 0; k < 3; ++k) {
      for (std::size_t at = 0; at < 4; at += hn::Lanes(d))
        hn::Store(hn::Mul(hn::Load(d, (*edges)[k] + at), hn::Set(d, scale)), d, (*edges)[k] + at);
    }
  }
}

TriangleStep triangle_step_kernel(const TrianglePairInput& pair) {
  TriangleStepsInput in;
  Sizes sizes;
  put_corners(pair, in, sizes);
  // Products of directions, of three edges at most, are squared: at unusual scales edges of about unit size
  // keep that away from underflow and overflow.
  const double size = Sizes::largest(sizes.edge);
  double scale = 1.0;
  if (!(size > 1e-40 && size < 1e40)) {
    scale = size > 1e-280 ? 1.0 / std::sqrt(size) : 0.0;
    scale_edges(in, scale);
  }
  const auto normal = [](const CornerLanes& edge, int k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    return edge[i][0] * edge[j][1] - edge[j][0] * edge[i][1];
  };
  double line[3], motion[3];
  for (int k = 0; k < 3; ++k) {
    in.single[k][0] = normal(in.edge_a, k);
    in.single[k][1] = normal(in.partner, k);
    line[k] = ((in.b[k][0] - in.a[k][0]) + (in.b[k][1] - in.a[k][1]) + (in.b[k][2] - in.a[k][2])) * scale;
    motion[k] = in.velocity_a[k][0] - in.velocity_b[k][0];
  }
  const double squared = motion[0] * motion[0] + motion[1] * motion[1] + motion[2] * motion[2];
  const double along = line[0] * motion[0] + line[1] * motion[1] + line[2] * motion[2];
  const double share = squared > 1e-280 ? along / squared : 0.0;
  for (int k = 0; k < 3; ++k) {
    in.partner[k][3] = in.single[k][0];
    in.single[k][2] = line[k];
    in.single[k][3] = line[k] - share * motion[k];
  }
  // Each height: the point's own rounding 1, three products and two sums 3; two heights and their
  // difference 1. The same for the speeds.
  constexpr double u = unit_roundoff;
  const PairState& state = *pair.state;
  in.gap_padding = state.gap_padding + pair.distance + 12.0 * u * std::sqrt(Sizes::largest(sizes.place));
  in.rate_padding = state.rate_padding + 12.0 * u * std::sqrt(Sizes::largest(sizes.speed));
  double acceleration = state.acceleration;
  if (state.turn[0].spins)
    acceleration += state.turn[0].rate * std::sqrt(Sizes::largest(sizes.turning_a)) * (1.0 + 1e-12);
  if (state.turn[1].spins)
    acceleration += state.turn[1].rate * std::sqrt(Sizes::largest(sizes.turning_b)) * (1.0 + 1e-12);
  in.acceleration = acceleration * (1.0 + 8.0 * u) + 1e-200;
  in.reach = pair.reach;
  return best_step(in);
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

HWY_EXPORT(triangle_step_kernel);

namespace {

void put_around(const std::array<Vector3, 3>& corners, CornersAround& to) {
  for (int k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < 5; ++i) to.at[k][i] = corners[i % 3][k];
  }
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

TriangleStep triangle_step(const PairState& state, const std::array<Vector3, 3>& body_a,
                           const std::array<Vector3, 3>& body_b, double distance, double reach) {
  TrianglePairInput pair;
  pair.state = &state;
  put_around(body_a, pair.a);
  put_around(body_b, pair.b);
  pair.distance = distance;
  pair.reach = reach;
  return HWY_DYNAMIC_DISPATCH(triangle_step_kernel)(pair);
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
