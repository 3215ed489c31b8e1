#include "hierarchy/box_axes.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hierarchy/box_axes.cpp"
#include <hwy/foreach_target.h>
// after foreach_target
#include <hwy/highway.h>

#include "base/lane_ops-inl.hpp"
#include "hierarchy/axis_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::hierarchy::HWY_NAMESPACE {
namespace {

// xx xy xz yy yz zz of symmetric matrices.
HWY_INLINE Lane trace_of(const Lane* m) {
  return (m[0] + m[3]) + m[5];
}

HWY_INLINE void adjugate(const Lane* m, Lane* to) {
  to[0] = m[3] * m[5] - m[4] * m[4];
  to[1] = m[2] * m[4] - m[1] * m[5];
  to[2] = m[1] * m[4] - m[2] * m[3];
  to[3] = m[0] * m[5] - m[2] * m[2];
  to[4] = m[1] * m[2] - m[0] * m[4];
  to[5] = m[0] * m[3] - m[1] * m[1];
}

HWY_INLINE void square(Lane* m) {
  const Lane xy = m[1] * m[1], xz = m[2] * m[2], yz = m[4] * m[4];
  const Lane next[6] = {
      (m[0] * m[0] + xy) + xz, m[1] * (m[0] + m[3]) + m[2] * m[4], m[2] * (m[0] + m[5]) + m[1] * m[4],
      (xy + m[3] * m[3]) + yz, m[4] * (m[3] + m[5]) + m[1] * m[2], (xz + yz) + m[5] * m[5]};
  for (int i = 0; i < 6; ++i) m[i] = next[i];
}

// Towards the eigenvector of the largest eigenvalue of a matrix whose eigenvalues are not negative: a column
// of its sixteenth power. Where two are nearly as large, something between. Over the trace, the largest is at
// least a third, and its power no small number.
HWY_INLINE void largest_direction(Lane* m, Lane* to) {
  const Lane share = lane(1.0) / trace_of(m);
  for (int i = 0; i < 6; ++i) m[i] = m[i] * share;
  for (int i = 0; i < 4; ++i) square(m);
  const LaneMask by_x = hn::And(hn::Ge(m[0], m[3]), hn::Ge(m[0], m[5]));
  const LaneMask by_y = hn::Ge(m[3], m[5]);
  constexpr int column[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  for (int k = 0; k < 3; ++k) {
    to[k] = hn::IfThenElse(by_x, m[column[0][k]], hn::IfThenElse(by_y, m[column[1][k]], m[column[2][k]]));
  }
}

// p . (m q)
HWY_INLINE Lane form(const Lane* m, const Lane* p, const Lane* q) {
  const Lane image[3] = {(m[0] * q[0] + m[1] * q[1]) + m[2] * q[2], (m[1] * q[0] + m[3] * q[1]) + m[4] * q[2],
                         (m[2] * q[0] + m[4] * q[1]) + m[5] * q[2]};
  return dot(p, image);
}

// The direction of the least variance first: of a flat piece that is what counts. Across it the two others,
// by the half angle.
HWY_INLINE void principal_axes(const Lane* m, Lane (&axes)[3][3]) {
  const Lane one = lane(1.0), zero = hn::Zero(LaneTag());
  const Lane size = trace_of(m);
  Lane power[6], normal[3], u[3], v[3];
  adjugate(m, power);
  const LaneMask flat = hn::Gt(trace_of(power), lane(1e-12) * (size * size));  // else a needle
  for (int i = 0; i < 6; ++i) power[i] = hn::IfThenElse(flat, power[i], m[i]);
  largest_direction(power, normal);
  across(normal, v);
  for (int k = 0; k < 3; ++k) normal[k] = hn::IfThenElse(flat, normal[k], v[k]);
  const Lane length = hn::Sqrt(dot(normal, normal));
  const LaneMask usual =
      hn::And(hn::Gt(size, lane(1e-300)), hn::And(hn::Gt(length, lane(1e-100)), hn::Lt(length, lane(1e100))));
  scaled_by(one / length, normal);
  across(normal, u);
  scaled_by(one / hn::Sqrt(dot(u, u)), u);
  cross(normal, u, v);
  const Lane half = lane(0.5) * (form(m, u, u) - form(m, v, v)), mixed = form(m, u, v);
  const Lane both = hn::Sqrt(half * half + mixed * mixed);
  // Nearly as large as each other, rounding would tell them apart: along the coordinates' axes then, if those
  // lie across.
  const LaneMask unlike = hn::Gt(both, lane(1e-4) * size);
  // The angle is at most an eighth of a turn from the larger of the two.
  const Lane cosine = hn::Sqrt(lane(0.5) + lane(0.5) * hn::Min(one, hn::Abs(half) / both));
  const Lane sine = hn::CopySign(lane(0.5) * hn::Abs(mixed) / (both * cosine), mixed);
  const LaneMask by_u = hn::Ge(half, zero);
  const Lane along_u = hn::IfThenElse(by_u, cosine, sine), along_v = hn::IfThenElse(by_u, sine, cosine);
  Lane first[3], second[3];
  for (int k = 0; k < 3; ++k) first[k] = hn::IfThenElse(unlike, along_u * u[k] + along_v * v[k], u[k]);
  cross(normal, first, second);
  for (int k = 0; k < 3; ++k) {
    axes[0][k] = as_float(hn::IfThenElse(usual, first[k], lane(k == 0 ? 1.0 : 0.0)));
    axes[1][k] = as_float(hn::IfThenElse(usual, second[k], lane(k == 1 ? 1.0 : 0.0)));
    axes[2][k] = as_float(hn::IfThenElse(usual, normal[k], lane(k == 2 ? 1.0 : 0.0)));
  }
}

}  // namespace

void lane_find_axes(std::span<const SplitMoments> moments, BoxAxes& axes) {
  const LaneTag d;
  for (std::size_t first = 0; first < moments.size(); first += lane_count) {
    HWY_ALIGN double columns[10][lane_count];
    for (std::size_t l = 0; l < lane_count; ++l) {
      const SplitMoments& own = moments[first + l < moments.size() ? first + l : first];
      for (std::size_t k = 0; k < 10; ++k) columns[k][l] = static_cast<double>(own[k]);
    }
    const Lane share = lane(1.0) / hn::Load(d, columns[0]);
    const auto mean = [&](std::size_t k) { return hn::Load(d, columns[k]) * share; };
    const Lane x = mean(1), y = mean(2), z = mean(3);
    const Lane m[6] = {mean(4) - x * x, mean(5) - x * y, mean(6) - x * z,
                       mean(7) - y * y, mean(8) - y * z, mean(9) - z * z};
    Lane found[3][3], rows[3][3];
    principal_axes(m, found);
    inverse_rows(found, rows);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        hn::Store(found[i][k], d, axes.axis[i][k] + first);
        hn::Store(rows[i][k], d, axes.inverse[i][k] + first);
      }
    }
  }
}

}  // namespace toccata::hierarchy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::hierarchy {

HWY_EXPORT(lane_find_axes);

void find_axes(std::span<const SplitMoments> moments, BoxAxes& axes) {
  HWY_DYNAMIC_DISPATCH(lane_find_axes)(moments, axes);
}

}  // namespace toccata::hierarchy
#endif
