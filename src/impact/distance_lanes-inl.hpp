// The steps of distance_impact in SIMD lanes, operation by operation as the single call takes them: the hull
// of the differences of two features, its point closest to the origin, and until when a direction keeps the
// features apart.
//
// Included once per Highway target (no #pragma once).
#include <hwy/highway.h>

#include "base/lane_ops-inl.hpp"
#include "toccata/base/rounding.hpp"

#if defined(TOCCATA_IMPACT_DISTANCE_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_IMPACT_DISTANCE_LANES_INL
#undef TOCCATA_IMPACT_DISTANCE_LANES_INL
#else
#define TOCCATA_IMPACT_DISTANCE_LANES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::impact {
namespace HWY_NAMESPACE {
using namespace lanes::HWY_NAMESPACE;

template <bool edge_edge>
inline constexpr int hull_size = edge_edge ? 4 : 3;

// The differences of the vertices at both ends, scaled so that the largest coordinate is below one.
template <bool edge_edge>
struct LaneHull {
  Lane t0[hull_size<edge_edge>][3], t1[hull_size<edge_edge>][3];
  Lane magnitude;     // bounds every |coordinate| difference
  Lane scale;         // a power of two
  LaneMask is_usual;  // of a size whose squares and scale are in range
};

// 2^-e, where the number is 2^e times one in [1/2, 1): not zero, not beyond 1e300 or below 1e-300.
HWY_INLINE Lane inverse_power(Lane number) {
  const hn::RebindToUnsigned<LaneTag> bits;
  const auto exponent = hn::And(hn::BitCast(bits, number), hn::Set(bits, 0x7ff0000000000000ULL));
  return hn::BitCast(LaneTag(), hn::Sub(hn::Set(bits, 2045ULL << 52U), exponent));
}

// x[12 * end + 3 * point + axis]
template <bool edge_edge>
HWY_INLINE void lane_hull(const Lane* x, LaneHull<edge_edge>& hull) {
  Lane largest = hn::Zero(LaneTag());
  for (int i = 0; i < 24; ++i) largest = hn::Max(largest, hn::Abs(x[i]));
  hull.is_usual = hn::And(hn::Gt(largest, lane(1e-60)), hn::Lt(largest, lane(1e60)));
  hull.scale = inverse_power(hn::IfThenElse(hull.is_usual, largest, lane(1.0)));
  hull.magnitude = hn::Zero(LaneTag());
  constexpr int first = edge_edge ? 2 : 1;
  for (int i = 0, n = 0; i < first; ++i) {
    for (int j = first; j < 4; ++j, ++n) {
      for (int k = 0; k < 3; ++k) {
        hull.t0[n][k] = x[3 * j + k] * hull.scale - x[3 * i + k] * hull.scale;
        hull.t1[n][k] = x[12 + 3 * j + k] * hull.scale - x[12 + 3 * i + k] * hull.scale;
        hull.magnitude = hn::Max(hull.magnitude, hn::Max(hn::Abs(hull.t0[n][k]), hn::Abs(hull.t1[n][k])));
      }
    }
  }
}

// The closest point of all vertices, edges and triangles of a hull: ClosestSearch of difference_hull.cpp.
class LaneClosest {
 public:
  template <int size>
  HWY_INLINE explicit LaneClosest(const Lane (&p)[size][3]) {
    squared_norm_ = dot(p[0], p[0]);
    for (int k = 0; k < 3; ++k) point_[k] = direction_[k] = p[0][k];
    for (int i = 1; i < size; ++i) {
      const Lane squared = dot(p[i], p[i]);
      take(hn::Lt(squared, squared_norm_), squared, p[i], p[i]);
    }
    for (int i = 0; i < size; ++i) {
      for (int j = i + 1; j < size; ++j) {
        edge(p[i], p[j]);
        for (int k = j + 1; k < size; ++k) triangle(p[i], p[j], p[k]);
      }
    }
  }

  const Lane* point() const { return point_; }
  const Lane* direction() const { return direction_; }
  Lane squared_norm() const { return squared_norm_; }

 private:
  HWY_INLINE void take(LaneMask wanted, Lane squared, const Lane* point, const Lane* direction) {
    squared_norm_ = hn::IfThenElse(wanted, squared, squared_norm_);
    for (int k = 0; k < 3; ++k) {
      point_[k] = hn::IfThenElse(wanted, point[k], point_[k]);
      direction_[k] = hn::IfThenElse(wanted, direction[k], direction_[k]);
    }
  }

  HWY_INLINE void edge(const Lane* p, const Lane* q) {
    const Lane zero = hn::Zero(LaneTag()), one = lane(1.0);
    Lane d[3], point[3], direction[3];
    for (int k = 0; k < 3; ++k) d[k] = q[k] - p[k];
    const Lane dd = dot(d, d);
    const Lane s = hn::Neg(dot(p, d)) / dd;
    const LaneMask inside = hn::And(hn::Gt(dd, zero), hn::And(hn::Gt(s, zero), hn::Lt(s, one)));
    if (hn::AllFalse(LaneTag(), inside)) return;
    for (int k = 0; k < 3; ++k) point[k] = (one - s) * p[k] + s * q[k];
    const Lane squared = dot(point, point);
    const Lane along = dot(point, d) / dd;
    for (int k = 0; k < 3; ++k) direction[k] = point[k] - along * d[k];
    take(hn::And(inside, hn::Lt(squared, squared_norm_)), squared, point, direction);
  }

  HWY_INLINE void triangle(const Lane* p, const Lane* q, const Lane* r) {
    const Lane zero = hn::Zero(LaneTag());
    Lane e[3], f[3], n[3], area[3], point[3], direction[3];
    for (int k = 0; k < 3; ++k) {
      e[k] = q[k] - p[k];
      f[k] = r[k] - p[k];
    }
    cross(e, f, n);
    cross(q, r, area);
    const Lane w0 = dot(area, n);
    cross(r, p, area);
    const Lane w1 = dot(area, n);
    cross(p, q, area);
    const Lane w2 = dot(area, n);
    const Lane sum = (w0 + w1) + w2;
    const LaneMask inside =
        hn::And(hn::And(hn::Ge(w0, zero), hn::Ge(w1, zero)), hn::And(hn::Ge(w2, zero), hn::Gt(sum, zero)));
    if (hn::AllFalse(LaneTag(), inside)) return;
    const Lane u = w0 / sum, v = w1 / sum, w = w2 / sum;
    for (int k = 0; k < 3; ++k) point[k] = (u * p[k] + v * q[k]) + w * r[k];
    const Lane squared = dot(point, point);
    const LaneMask turned = hn::Lt(dot(n, p), zero);
    for (int k = 0; k < 3; ++k) direction[k] = hn::IfThenElse(turned, hn::Neg(n[k]), n[k]);
    take(hn::And(inside, hn::Lt(squared, squared_norm_)), squared, point, direction);
  }

  Lane point_[3], direction_[3];
  Lane squared_norm_;
};

// The hull at a time, and its closest point.
template <bool edge_edge>
struct LaneMoment {
  Lane points[hull_size<edge_edge>][3];

  HWY_INLINE LaneMoment(const LaneHull<edge_edge>& hull, Lane t) {
    const Lane rest = lane(1.0) - t;
    for (int i = 0; i < hull_size<edge_edge>; ++i) {
      for (int k = 0; k < 3; ++k) points[i][k] = rest * hull.t0[i][k] + t * hull.t1[i][k];
    }
  }
};

struct LaneInterval {
  Lane t, until;
};

// The largest time, from t on, until which every gap along n provably exceeds |n| d: `free_until` of
// distance_impact.cpp, which says why.
template <bool edge_edge>
HWY_INLINE Lane free_along(const LaneHull<edge_edge>& hull, const Lane* n, Lane d,
                           const LaneInterval& interval) {
  const Lane zero = hn::Zero(LaneTag()), t = interval.t, rest = lane(1.0) - t;
  const Lane size = (hn::Abs(n[0]) + hn::Abs(n[1])) + hn::Abs(n[2]);
  const Lane pad = (lane(16.0 * unit_roundoff) * size) * hull.magnitude;
  const Lane threshold = (d * hn::Sqrt(dot(n, n))) * lane(1.0 + 8.0 * unit_roundoff) + pad;
  Lane until = interval.until;
  LaneMask at_once = hn::Lt(t, t);
  for (int i = 0; i < hull_size<edge_edge>; ++i) {
    const Lane g0 = dot(n, hull.t0[i]) - threshold, g1 = dot(n, hull.t1[i]) - threshold;
    at_once = hn::Or(at_once, hn::Le(rest * g0 + t * g1, zero));
    const Lane zero_at = (g0 / (g0 - g1)) * lane(1.0 - 4.0 * unit_roundoff);
    const LaneMask sooner = hn::AndNot(hn::Gt(g1, zero), hn::Lt(zero_at, until));
    until = hn::IfThenElse(sooner, zero_at, until);
  }
  return hn::IfThenElse(at_once, t, until);
}

HWY_INLINE void normalised(const Lane* v, Lane* out) {
  const Lane squared = dot(v, v), zero = hn::Zero(LaneTag());
  const Lane length = hn::Sqrt(squared);
  for (int k = 0; k < 3; ++k) out[k] = hn::IfThenElse(hn::Gt(squared, zero), v[k] / length, v[k]);
}

// Is it proven that all distances between two moments, with these closest points, exceed d?
// `is_free_between` of distance_impact.cpp, which says why.
template <bool edge_edge>
HWY_INLINE LaneMask free_between(const LaneMoment<edge_edge>& now, const LaneMoment<edge_edge>& later,
                                 const Lane* direction, const Lane* later_direction, Lane d, Lane magnitude) {
  Lane n[3], m[3];
  normalised(direction, n);
  normalised(later_direction, m);
  const auto size = [](const Lane* v) { return (hn::Abs(v[0]) + hn::Abs(v[1])) + hn::Abs(v[2]); };
  const Lane length = hn::Max(hn::Sqrt(dot(n, n)), hn::Sqrt(dot(m, m)));
  const Lane pad = (lane(16.0 * unit_roundoff) * hn::Max(size(n), size(m))) * magnitude;
  const Lane threshold = (d * length) * lane(1.0 + 8.0 * unit_roundoff) + pad;
  LaneMask is_free = hn::Ge(d, d);
  for (int i = 0; i < hull_size<edge_edge>; ++i) {
    const Lane *p = now.points[i], *q = later.points[i];
    const Lane middle = lane(0.5) * (dot(n, q) + dot(m, p));
    is_free = hn::And(is_free, hn::And(hn::Gt(dot(n, p), threshold),
                                       hn::And(hn::Gt(middle, threshold), hn::Gt(dot(m, q), threshold))));
  }
  return is_free;
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::impact
HWY_AFTER_NAMESPACE();
#endif
