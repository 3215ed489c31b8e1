// The search for the first time within a distance d, on a number or on SIMD lanes.
//
// The distance of two features is the smallest norm over the convex hull of the differences of their
// vertices: at most four points D_j, each linear in time. For a direction n that turns linearly from one
// moment to another, n . D_j is quadratic in time: above d |n| in between if its three Bernstein coefficients
// are. So the search probes a moment, where Newton's method expects nearly the distance d, takes n towards
// the closest point there, and goes on from it if everything up to it is proven to be farther apart than d;
// if not, it probes half of the way. Near a contact the features turn little between two moments, so that the
// probes converge to it as fast as Newton's method does, from below.
//
// Included once per Highway target (no #pragma once).
#include <hwy/highway.h>

#include "base/lane_ops-inl.hpp"
#include "toccata/base/rounding.hpp"

#if defined(TOCCATA_IMPACT_DISTANCE_SEARCH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_IMPACT_DISTANCE_SEARCH_INL
#undef TOCCATA_IMPACT_DISTANCE_SEARCH_INL
#else
#define TOCCATA_IMPACT_DISTANCE_SEARCH_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::impact {
namespace HWY_NAMESPACE {
using namespace lanes::HWY_NAMESPACE;

// The differences of the vertices (second feature minus first) at both ends: one point, a segment, a
// triangle, or the parallelogram of two edges, of which 0 and 3, 1 and 2 are opposite.
template <typename V, int size>
struct MovingDifferences {
  V t0[size][3], t1[size][3];
  V extent;  // bounds every |coordinate|

  HWY_INLINE void measure() {
    extent = number<V>(0.0);
    for (int i = 0; i < size; ++i) {
      for (int k = 0; k < 3; ++k) {
        extent = larger(extent, larger(magnitude(t0[i][k]), magnitude(t1[i][k])));
      }
    }
  }

  HWY_INLINE void at(V t, V (&points)[size][3]) const {
    const V rest = number<V>(1.0) - t;
    for (int i = 0; i < size; ++i) {
      for (int k = 0; k < 3; ++k) points[i][k] = mix(t0[i][k], t1[i][k], t, rest);
    }
  }
};

// What is asked, in the units of the differences.
template <typename V>
struct DistanceQuestion {
  V distance;  // d
  V reach;     // a point of the hull that is found this near is a contact
  V slack;     // of the distance: where probes aim at
  V end;       // of the time
};

// Beside the tolerance 2^-48 = 32 u of the extent are allowed. Half of it is for the point that is found: its
// coordinates are off by 4 u (the differences and their interpolation) and 5 u (the weighted sum), its length
// by sqrt(3) times as much.
template <typename V>
HWY_INLINE DistanceQuestion<V> distance_question(V distance, double tolerance, V extent, double end) {
  return {distance, distance * number<V>(1.0 + tolerance) + number<V>(16.0 * unit_roundoff) * extent,
          distance * number<V>(tolerance), number<V>(end)};
}

// The point of a hull that is closest to the origin.
template <typename V, int size>
class ClosestOfHull {
 public:
  // In the hull whatever the rounding, but for 5 u of its coordinates: its norm bounds the distance from
  // above.
  V point[3];
  V squared_norm;
  // Orthogonal to the face or edge that `point` is on, also where `point` has lost its digits by
  // cancellation.
  V direction[3];
  V weights[size];

  HWY_INLINE explicit ClosestOfHull(const V (&p)[size][3]) {
    const V zero = number<V>(0.0);
    squared_norm = dot(p[0], p[0]);
    for (int k = 0; k < 3; ++k) point[k] = direction[k] = p[0][k];
    for (int i = 0; i < size; ++i) weights[i] = number<V>(i == 0 ? 1.0 : 0.0);
    settled_ = above(zero, zero);
    if constexpr (size >= 3) face(p);
    const MaskOf<V> all = at_least(zero, zero);
    if (!any(without(all, settled_))) return;
    for (int i = 1; i < size; ++i) vertex(p, i);
    if constexpr (size >= 2) edge(p, 0, 1);
    if constexpr (size >= 3) edge(p, 0, 2);
    if constexpr (size == 3) edge(p, 1, 2);
    if constexpr (size == 4) {
      edge(p, 1, 3);
      edge(p, 2, 3);
    }
  }

 private:
  HWY_INLINE void take(MaskOf<V> wanted, V squared, const V* new_point, const V* new_direction,
                       const V* new_weights) {
    squared_norm = choose(wanted, squared, squared_norm);
    for (int k = 0; k < 3; ++k) {
      point[k] = choose(wanted, new_point[k], point[k]);
      direction[k] = choose(wanted, new_direction[k], direction[k]);
    }
    for (int i = 0; i < size; ++i) weights[i] = choose(wanted, new_weights[i], weights[i]);
  }

  HWY_INLINE void vertex(const V (&p)[size][3], int i) {
    V w[size];
    for (int j = 0; j < size; ++j) w[j] = number<V>(i == j ? 1.0 : 0.0);
    const V squared = dot(p[i], p[i]);
    take(without(above(squared_norm, squared), settled_), squared, p[i], p[i], w);
  }

  HWY_INLINE void edge(const V (&p)[size][3], int i, int j) {
    const V zero = number<V>(0.0), one = number<V>(1.0);
    V d[3], at[3], across[3], w[size];
    for (int k = 0; k < 3; ++k) d[k] = p[j][k] - p[i][k];
    const V dd = dot(d, d), along = negated(dot(p[i], d));
    const MaskOf<V> inside = without(both(above(along, zero), above(dd, along)), settled_);
    if (!any(inside)) return;
    const V share = one / dd, s = along * share, rest = one - s;
    for (int k = 0; k < 3; ++k) at[k] = mix(p[i][k], p[j][k], s, rest);
    const V squared = dot(at, at);
    // Made orthogonal to the edge once more: `at` is a difference of long vectors where the edge is long.
    const V left = dot(at, d) * share;
    for (int k = 0; k < 3; ++k) across[k] = at[k] - left * d[k];
    for (int n = 0; n < size; ++n) w[n] = n == i ? rest : (n == j ? s : zero);
    take(both(inside, above(squared_norm, squared)), squared, at, across, w);
  }

  // The triangle, or the parallelogram. Where it is well-conditioned and the origin is above its inside,
  // nothing else is closer.
  HWY_INLINE void face(const V (&p)[size][3]) {
    const V zero = number<V>(0.0), one = number<V>(1.0);
    V e[3], f[3], n[3], area[3], w[size];
    for (int k = 0; k < 3; ++k) {
      e[k] = p[1][k] - p[0][k];
      f[k] = p[2][k] - p[0][k];
    }
    cross(e, f, n);
    const V nn = dot(n, n), share = one / nn;
    cross(f, p[0], area);
    const V a = dot(area, n) * share;
    cross(p[0], e, area);
    const V b = dot(area, n) * share;
    const V sum = a + b;
    MaskOf<V> inside = both(at_least(a, zero), at_least(b, zero));
    V corner[3];
    const V *first = p[1], *second = p[2];
    if constexpr (size == 3) {
      inside = both(inside, at_least(one, sum));
      w[0] = one - sum;
      w[1] = a;
      w[2] = b;
      for (int k = 0; k < 3; ++k) corner[k] = p[0][k];
    } else {
      // Three corners: those of the half that the point is in.
      inside = both(inside, both(at_least(one, a), at_least(one, b)));
      const MaskOf<V> near = at_least(one, sum);
      w[0] = choose(near, one - sum, zero);
      w[1] = choose(near, a, one - b);
      w[2] = choose(near, b, one - a);
      w[3] = choose(near, zero, sum - one);
      for (int k = 0; k < 3; ++k) corner[k] = choose(near, p[0][k], p[3][k]);
    }
    if (!any(inside)) return;
    V at[3], normal[3];
    const V of_corner = size == 3 ? w[0] : w[0] + w[size - 1];
    for (int k = 0; k < 3; ++k) at[k] = (of_corner * corner[k] + w[1] * first[k]) + w[2] * second[k];
    const MaskOf<V> turned = above(zero, dot(n, p[0]));
    for (int k = 0; k < 3; ++k) normal[k] = choose(turned, negated(n[k]), n[k]);
    const V squared = dot(at, at);
    take(both(inside, above(squared_norm, squared)), squared, at, normal, w);
    settled_ = both(inside, above(nn, number<V>(1e-10) * (dot(e, e) * dot(f, f))));
  }

  MaskOf<V> settled_;
};

template <typename V>
HWY_INLINE void normalised(const V* v, V* out) {
  const V inverse = number<V>(1.0) / square_root(dot(v, v));
  for (int k = 0; k < 3; ++k) out[k] = v[k] * inverse;
}

template <typename V, int size>
HWY_INLINE V lowest_along(const V* n, const V (&points)[size][3]) {
  V lowest = dot(n, points[0]);
  for (int i = 1; i < size; ++i) lowest = smaller(lowest, dot(n, points[i]));
  return lowest;
}

// How far a search is: everything before t is proven to be farther apart than d.
template <typename V>
struct DistanceSearch {
  V t, probe;
  V n[3], lowest;  // a unit vector, and how far the hull is along it at t
  V leap;          // the longest way to the next probe
  V aim;           // the part of the gap that the next probe leaves
};

template <typename V>
struct DistanceVerdict {
  MaskOf<V> touches, is_free, goes_on;  // touches: at the moment that was probed. None of them: stuck.
};

// The part of the gap that is left to the next probe, at first and after one in vain; squared after each
// success.
inline constexpr double first_aim = 0.125;

template <typename V>
HWY_INLINE void start_search(DistanceSearch<V>& search) {
  search.t = search.probe = search.lowest = number<V>(0.0);
  for (V& x : search.n) x = number<V>(0.0);
  search.leap = number<V>(1.0);
  search.aim = number<V>(first_aim);
}

// Is it proven that all distances between two moments exceed d? Along the direction that turns linearly from
// the one to the other n . D_j is not below the least of its three Bernstein coefficients; |n| is at most the
// larger of its ends, 1 + 4.6 u. Rounding: a coordinate of D_j is off by at most 4 u extent (a difference,
// three operations of the interpolation), a dot product of three terms adds 3.1 u |n|_1 extent, the mean
// u: below the 16 u |n|_1 extent of the threshold. A direction that is none (NaN) proves nothing.
template <typename V, int size>
HWY_INLINE MaskOf<V> free_between(const DistanceSearch<V>& from, const V (&p)[size][3], const V* m,
                                  const V (&q)[size][3], V lowest, V threshold) {
  // The direction may as well stay: then two coefficients are enough.
  V stays = dot(from.n, q[0]), back = dot(m, p[0]), middle = stays + back;
  for (int i = 1; i < size; ++i) {
    const V ahead = dot(from.n, q[i]), behind = dot(m, p[i]);
    stays = smaller(stays, ahead);
    back = smaller(back, behind);
    middle = smaller(middle, ahead + behind);
  }
  const MaskOf<V> starts = above(from.lowest, threshold), ends = above(lowest, threshold);
  const MaskOf<V> turning = both(both(starts, ends), above(number<V>(0.5) * middle, threshold));
  return either(turning, either(both(starts, above(stays, threshold)), both(ends, above(back, threshold))));
}

template <typename V>
HWY_INLINE V sum_of_sizes(const V* v) {
  return (magnitude(v[0]) + magnitude(v[1])) + magnitude(v[2]);
}

// One probe. first: of all, at t = 0, where there is nothing to prove.
template <bool first, typename V, int size>
HWY_INLINE DistanceVerdict<V> probe_distance(const MovingDifferences<V, size>& hull,
                                             const DistanceQuestion<V>& question, DistanceSearch<V>& search) {
  const V zero = number<V>(0.0), one = number<V>(1.0), half = number<V>(0.5), quarter = number<V>(0.25);
  V q[size][3];
  hull.at(search.probe, q);
  const ClosestOfHull<V, size> closest(q);
  DistanceVerdict<V> verdict;
  verdict.touches = at_least(question.reach * question.reach, closest.squared_norm);

  // The direction along which the hull is farther away: the face's or edge's own separates best where the
  // point has lost its digits, the way to the point where the feature that it is on is about to change.
  V m[3], towards[3];
  normalised(closest.direction, m);
  normalised(closest.point, towards);
  const V along = lowest_along(m, q), along_point = lowest_along(towards, q);
  const MaskOf<V> own = at_least(along, along_point);
  for (int k = 0; k < 3; ++k) m[k] = choose(own, m[k], towards[k]);
  const V lowest = choose(own, along, along_point);
  V sizes = sum_of_sizes(m);
  if constexpr (!first) sizes = larger(sizes, sum_of_sizes(search.n));
  const V threshold = question.distance * number<V>(1.0 + 8.0 * unit_roundoff) +
                      (number<V>(16.0 * unit_roundoff) * sizes) * hull.extent;

  MaskOf<V> proven = at_least(zero, zero);
  if constexpr (!first) {
    V p[size][3];
    hull.at(search.t, p);
    proven = free_between(search, p, m, q, lowest, threshold);
  }

  // Along the fixed direction the gaps are linear: free if they are positive here and at the end.
  const V rest = one - question.end;
  V at_end = zero, speed = zero;
  for (int i = 0; i < size; ++i) {
    const V g0 = dot(m, hull.t0[i]), g1 = dot(m, hull.t1[i]), g = mix(g0, g1, question.end, rest);
    at_end = i == 0 ? g : smaller(at_end, g);
    speed = speed + closest.weights[i] * (g0 - g1);
  }
  const MaskOf<V> ends =
      either(at_least(search.probe, question.end), both(above(lowest, threshold), above(at_end, threshold)));

  // Where the closest point, at its speed, is at the slack, or nearly.
  const V gap = dot(m, closest.point) - threshold;
  const V aimed = smaller(larger(quarter * question.slack, search.aim * gap), half * gap);
  const V way = (gap - aimed) / speed;
  const V leap = choose(proven, number<V>(2.0) * search.leap, half * (search.probe - search.t));
  const V from = choose(proven, search.probe, search.t);
  const MaskOf<V> newton = both(proven, both(above(speed, zero), above(leap, way)));
  const V next = smaller(from + choose(newton, way, leap), question.end);

  verdict.touches = both(verdict.touches, proven);
  verdict.is_free = without(both(proven, ends), verdict.touches);
  const MaskOf<V> moves =
      both(above(next, from), either(proven, above(leap, number<V>(2.0 * unit_roundoff))));
  verdict.goes_on = without(without(moves, verdict.touches), verdict.is_free);
  search.aim = choose(proven, search.aim * search.aim, number<V>(first_aim));
  search.leap = leap;
  search.lowest = choose(proven, lowest, search.lowest);
  for (int k = 0; k < 3; ++k) search.n[k] = choose(proven, m[k], search.n[k]);
  search.t = from;
  search.probe = next;
  return verdict;
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::impact
HWY_AFTER_NAMESPACE();
#endif
