#include "ccd/rigid/triangle_steps.hpp"

// SSE4, AVX2 and AVX-512 beside the baseline: the targets between them gain nothing here.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ccd/rigid/triangle_steps.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef TOCCATA_TRIANGLE_STEPS_DIRECTIONS
#define TOCCATA_TRIANGLE_STEPS_DIRECTIONS
namespace toccata {
inline constexpr int direction_count = 16;

struct alignas(64) TriangleStepsInput {
  float direction[3][direction_count];
  float a[3][3];  // [corner][coordinate]
  float b[3][3];
  float velocity_a[3][3];
  float velocity_b[3][3];
  float acceleration;
  float gap_padding;
  float rate_padding;
};
}  // namespace toccata
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

float triangle_steps_kernel(const TriangleStepsInput& in) {
  using D = hn::CappedTag<float, direction_count>;
  using V = hn::Vec<D>;
  const D d;
  V best = hn::Zero(d);
  for (std::size_t at = 0; at < direction_count; at += hn::Lanes(d)) {
    const V x = hn::Load(d, in.direction[0] + at);
    const V y = hn::Load(d, in.direction[1] + at);
    const V z = hn::Load(d, in.direction[2] + at);
    const auto dot = [&](const float* p) HWY_ATTR {
      return hn::Add(hn::Add(hn::Mul(x, hn::Set(d, p[0])), hn::Mul(y, hn::Set(d, p[1]))),
                     hn::Mul(z, hn::Set(d, p[2])));
    };
    const auto highest = [&](const float(*p)[3])
                             HWY_ATTR { return hn::Max(hn::Max(dot(p[0]), dot(p[1])), dot(p[2])); };
    const auto lowest = [&](const float(*p)[3])
                            HWY_ATTR { return hn::Min(hn::Min(dot(p[0]), dot(p[1])), dot(p[2])); };
    const V a_high = highest(in.a), a_low = lowest(in.a), b_high = highest(in.b), b_low = lowest(in.b);
    const V va_high = highest(in.velocity_a), va_low = lowest(in.velocity_a);
    const V vb_high = highest(in.velocity_b), vb_low = lowest(in.velocity_b);
    // Either b lies ahead of a along the direction, or behind.
    const V ahead = hn::Sub(b_low, a_high), behind = hn::Sub(a_low, b_high);
    const auto is_ahead = hn::Ge(ahead, behind);
    const V zero = hn::Zero(d);
    const V length = hn::Mul(hn::Sqrt(hn::Add(hn::Add(hn::Mul(x, x), hn::Mul(y, y)), hn::Mul(z, z))),
                             hn::Set(d, 1.0F + 0x1p-20F));
    const V s = hn::Sub(hn::Max(ahead, behind), hn::Mul(length, hn::Set(d, in.gap_padding)));
    const V r = hn::Add(hn::IfThenElse(is_ahead, hn::Sub(va_high, vb_low), hn::Sub(vb_high, va_low)),
                        hn::Mul(length, hn::Set(d, in.rate_padding)));
    const V k = hn::Mul(length, hn::Set(d, in.acceleration));
    const V two_s = hn::Add(s, s);
    const V root = hn::Max(hn::Sqrt(hn::Add(hn::Mul(r, r), hn::Mul(k, hn::Max(two_s, zero)))), hn::Abs(r));
    const auto closing = hn::Ge(r, zero);
    const V numerator = hn::IfThenElse(closing, two_s, hn::Sub(root, r));
    const V denominator = hn::IfThenElse(closing, hn::Add(r, root), k);
    const V step = hn::Mul(hn::Div(numerator, denominator), hn::Set(d, 1.0F - 0x1p-20F));
    best = hn::Max(best, hn::IfThenElseZero(hn::Gt(s, zero), step));
  }
  return hn::GetLane(hn::MaxOfLanes(d, best));
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "toccata/elementary/triangle_triangle.hpp"
#include "toccata/motion/displacement_bound.hpp"

namespace toccata {

HWY_EXPORT(triangle_steps_kernel);

namespace {

using Vector3f = Eigen::Vector3f;

void put(TriangleStepsInput& in, int at, const Vector3f& n) {
  // Directions whose length a float does not know to a few roundings are dropped.
  const float squared = n.squaredNorm();
  const float scale = squared > 1e-30F && squared < 1e30F ? 1.0F : 0.0F;
  for (int k = 0; k < 3; ++k) in.direction[k][at] = scale * n[k];
}

void put_directions(TriangleStepsInput& in, const Vector3f (&a)[3], const Vector3f (&b)[3],
                    const Vector3f& motion) {
  Vector3f edge_a[3], edge_b[3];
  float size = 0.0F;
  for (int i = 0; i < 3; ++i) {
    edge_a[i] = a[(i + 1) % 3] - a[i];
    edge_b[i] = b[(i + 1) % 3] - b[i];
    size = std::max({size, edge_a[i].squaredNorm(), edge_b[i].squaredNorm()});
  }
  // Unit-size edges keep the products of directions away from underflow at any scale.
  const float scale = size > 1e-36F ? 1.0F / std::sqrt(size) : 0.0F;
  for (int i = 0; i < 3; ++i) {
    edge_a[i] *= scale;
    edge_b[i] *= scale;
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) put(in, 3 * i + j, edge_a[i].cross(edge_b[j]));
  }
  const Vector3f normal_a = edge_a[0].cross(edge_a[1]);
  put(in, 9, normal_a);
  put(in, 10, edge_b[0].cross(edge_b[1]));
  const Vector3f line = ((b[0] - a[0]) + (b[1] - a[1]) + (b[2] - a[2])) * (scale / 3.0F);
  put(in, 11, line);
  const Vector3f heading = motion.stableNormalized();
  put(in, 12, line - line.dot(heading) * heading);
  for (int i = 0; i < 3; ++i) put(in, 13 + i, normal_a.cross(edge_a[i]));
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
  for (int side = 0; side < 2; ++side) {
    if (state.turn[side].spins)
      pair.acceleration += state.turn[side].rate * std::sqrt(turning[side]) * (1.0 + 1e-12);
  }
  return pair;
}

float triangle_step(const TrianglePairState& pair, double distance, double gap_padding, double rate_padding) {
  TriangleStepsInput in;
  Vector3f a[3], b[3];
  const Vector3 origin = pair.b[0];
  const Vector3 flow = pair.velocity_b[0];
  double size = 0.0, speed = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    a[i] = (pair.a[i] - origin).cast<float>();
    b[i] = (pair.b[i] - origin).cast<float>();
    const Vector3f va = (pair.velocity_a[i] - flow).cast<float>();
    const Vector3f vb = (pair.velocity_b[i] - flow).cast<float>();
    for (int k = 0; k < 3; ++k) {
      in.a[i][k] = a[i][k];
      in.b[i][k] = b[i][k];
      in.velocity_a[i][k] = va[k];
      in.velocity_b[i][k] = vb[k];
    }
    size = std::max({size, static_cast<double>(a[i].norm()), static_cast<double>(b[i].norm())});
    speed = std::max({speed, static_cast<double>(va.norm()), static_cast<double>(vb.norm())});
  }
  put_directions(in, a, b, (pair.velocity_a[0] - flow).cast<float>());
  // Each height: the point's own rounding 1, three products and two sums 3; two heights and their
  // difference 1.
  in.gap_padding = static_cast<float>((gap_padding + distance + 12.0 * 0x1p-24 * size) * (1.0 + 0x1p-20));
  in.rate_padding = static_cast<float>((rate_padding + 12.0 * 0x1p-24 * speed) * (1.0 + 0x1p-20));
  in.acceleration = static_cast<float>(pair.acceleration * (1.0 + 0x1p-20)) + 1e-30F;
  return HWY_DYNAMIC_DISPATCH(triangle_steps_kernel)(in);
}

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
  const double rate = toward - away + rate_padding + 16.0 * 0x1p-53 * speed;
  return conservative_step(gap * (1.0 - 8.0 * 0x1p-53), rate, pair.acceleration * (1.0 + 8.0 * 0x1p-53));
}

}  // namespace toccata
#endif
