// The distance of two boxes by closed forms, one pair per lane: faces, clamping and edges say where the
// nearest points may be, and heights along what their features say prove it. What a lane decides depends on
// its own numbers only, so a number and a vector of numbers give the same bits.
//
// Notation. b is |x_j| <= g_j, a is t + sum s_i c_i with |s_i| <= h_i, c_i the columns of the rotation from a
// to b. A rotation that is off orthonormal makes a a parallelepiped; what is proven here is proven for that
// one.
//
// Included once per Highway target (no #pragma once).
#include <hwy/highway.h>

#include "base/lane_ops-inl.hpp"
#include "toccata/base/rounding.hpp"

#if defined(TOCCATA_PROXIMITY_BOX_CORES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_PROXIMITY_BOX_CORES_INL
#undef TOCCATA_PROXIMITY_BOX_CORES_INL
#else
#define TOCCATA_PROXIMITY_BOX_CORES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::convex {
namespace HWY_NAMESPACE {
using namespace lanes::HWY_NAMESPACE;

template <typename V>
struct BoxCores {
  V c[3][3];  // c[i]: column i
  V t[3], h[3], g[3];
  V height_error, point_error;
  // The points found:
  V s[3];  // a's, along its own axes
  V y[3];  // the same in b's coordinates
  V x[3];  // b's
};

// The bracket between the points found.
template <typename V>
struct BoxBracket {
  MaskOf<V> is_proven;  // nothing else holds without
  V lower, upper;
  V n[3];  // unit, from a to b
};

template <typename V>
HWY_INLINE V clamp_to(V at, V half) {
  return smaller(larger(at, negated(half)), half);
}

template <typename V>
HWY_INLINE void place_y(BoxCores<V>& p) {
  for (int j = 0; j < 3; ++j)
    p.y[j] = ((p.s[0] * p.c[0][j] + p.s[1] * p.c[1][j]) + p.s[2] * p.c[2][j]) + p.t[j];
}

// The face of a or b with the widest gap: `n` is its normal, from b to a, `of_b` whether it is b's.
template <typename V>
struct WidestFace {
  V gap;
  V n[3];
  MaskOf<V> of_b;
};

template <typename V>
HWY_INLINE WidestFace<V> widest_face(const BoxCores<V>& p) {
  WidestFace<V> widest;
  V middle = number<V>(0.0);
  widest.gap = number<V>(-largest_of<V>);
  for (int i = 0; i < 3; ++i) {
    const V at = dot(p.c[i], p.t);
    const V reach =
        (magnitude(p.c[i][0]) * p.g[0] + magnitude(p.c[i][1]) * p.g[1]) + magnitude(p.c[i][2]) * p.g[2];
    const V gap = (magnitude(at) - p.h[i]) - reach;
    const auto is_wider = above(gap, widest.gap);
    if (i > 0 && !any(is_wider)) continue;
    for (int k = 0; k < 3; ++k) widest.n[k] = i == 0 ? p.c[0][k] : choose(is_wider, p.c[i][k], widest.n[k]);
    middle = choose(is_wider, at, middle);
    widest.gap = choose(is_wider, gap, widest.gap);
  }
  widest.of_b = above(widest.gap, number<V>(largest_of<V>));  // of none so far
  for (int j = 0; j < 3; ++j) {
    const V reach =
        (magnitude(p.c[0][j]) * p.h[0] + magnitude(p.c[1][j]) * p.h[1]) + magnitude(p.c[2][j]) * p.h[2];
    const V gap = (magnitude(p.t[j]) - p.g[j]) - reach;
    const auto is_wider = above(gap, widest.gap);
    for (int k = 0; k < 3; ++k) widest.n[k] = choose(is_wider, number<V>(j == k ? 1.0 : 0.0), widest.n[k]);
    middle = choose(is_wider, p.t[j], middle);
    widest.gap = choose(is_wider, gap, widest.gap);
    widest.of_b = either(widest.of_b, is_wider);
  }
  const V sign = with_sign(number<V>(1.0), middle);
  for (int k = 0; k < 3; ++k) widest.n[k] = widest.n[k] * sign;
  return widest;
}

// Which features carry a point: the ends of its box that it is at. One is a face, two an edge. `axis` 0 and 1
// (2 otherwise): the one across the face, or along the edge.
template <typename V>
struct Ends {
  MaskOf<V> end[3], is_face, is_edge, axis_0, axis_1;
};

template <typename V>
HWY_INLINE Ends<V> ends_of(const V* at, const V* half) {
  Ends<V> ends;
  for (int i = 0; i < 3; ++i) ends.end[i] = at_least(magnitude(at[i]), half[i]);
  const auto &e0 = ends.end[0], &e1 = ends.end[1], &e2 = ends.end[2];
  const auto one = either(either(e0, e1), e2);
  const auto two = either(either(both(e0, e1), both(e0, e2)), both(e1, e2));
  ends.is_face = without(one, two);
  ends.is_edge = without(two, both(both(e0, e1), e2));
  ends.axis_0 = either(without(ends.is_edge, e0), without(e0, ends.is_edge));
  ends.axis_1 = either(without(ends.is_edge, e1), without(e1, ends.is_edge));
  return ends;
}

template <typename V>
HWY_INLINE V of_axis(const Ends<V>& ends, V of_0, V of_1, V of_2) {
  return choose(ends.axis_0, of_0, choose(ends.axis_1, of_1, of_2));
}

template <typename V>
HWY_INLINE void between_points(const BoxCores<V>& p, V* from_b) {
  for (int k = 0; k < 3; ++k) from_b[k] = p.y[k] - p.x[k];
}

// The nearest points of the edges that the points are on, where `wanted` and where they lie inside both
// edges: there, and only there, the points move.
template <typename V>
HWY_INLINE MaskOf<V> meet_edges(BoxCores<V>& p, const Ends<V>& a, const Ends<V>& b, MaskOf<V> wanted) {
  V u[3], between[3];
  for (int k = 0; k < 3; ++k) u[k] = of_axis(a, p.c[0][k], p.c[1][k], p.c[2][k]);
  between_points(p, between);
  const V uj = of_axis(b, u[0], u[1], u[2]), between_j = of_axis(b, between[0], between[1], between[2]);
  // x + k e_j, y + l u: between_j + l u_j - k = 0, between . u + l u . u - k u_j = 0.
  const V determinant = dot(u, u) - uj * uj;
  const V l = (uj * between_j - dot(u, between)) / determinant;
  const V at_a = of_axis(a, p.s[0], p.s[1], p.s[2]) + l;
  const V at_b = of_axis(b, p.x[0], p.x[1], p.x[2]) + (between_j + l * uj);
  const auto inside = both(above(of_axis(a, p.h[0], p.h[1], p.h[2]), magnitude(at_a)),
                           above(of_axis(b, p.g[0], p.g[1], p.g[2]), magnitude(at_b)));
  const auto met = both(both(wanted, above(determinant, number<V>(0.0))), inside);
  for (int k = 0; k < 3; ++k) {
    p.s[k] = choose(without(met, a.end[k]), at_a, p.s[k]);
    p.x[k] = choose(without(met, b.end[k]), at_b, p.x[k]);
  }
  place_y(p);
  return met;
}

// From the corner that is farthest against the face with the widest gap, clamping to one box after the other.
// Returns where there is such a gap; elsewhere the points are corners that say nothing.
template <typename V>
HWY_INLINE MaskOf<V> start_at_face(BoxCores<V>& p) {
  constexpr int most_rounds = 8;
  const WidestFace<V> face = widest_face(p);
  for (int i = 0; i < 3; ++i) p.s[i] = with_sign(p.h[i], negated(dot(p.c[i], face.n)));
  place_y(p);
  for (int j = 0; j < 3; ++j)
    p.x[j] = choose(face.of_b, clamp_to(p.y[j], p.g[j]), with_sign(p.g[j], face.n[j]));
  const auto has_gap = above(face.gap, number<V>(0.0));
  auto leads_on = has_gap;
  auto is_fresh = without(leads_on, face.of_b);  // b's corner: a's point is still to be found
  for (int round = 0; round < most_rounds && any(leads_on); ++round) {
    const V d[3] = {p.x[0] - p.t[0], p.x[1] - p.t[1], p.x[2] - p.t[2]};
    auto moves = is_fresh;
    for (int i = 0; i < 3; ++i) {
      const V at = clamp_to(dot(p.c[i], d), p.h[i]);
      moves = either(moves, either(above(at, p.s[i]), above(p.s[i], at)));
      p.s[i] = choose(leads_on, at, p.s[i]);  // where nothing moves, to the same place
    }
    leads_on = both(leads_on, moves);
    if (!any(leads_on)) break;  // clamping leads no farther
    is_fresh = without(is_fresh, leads_on);
    place_y(p);
    for (int j = 0; j < 3; ++j) p.x[j] = choose(leads_on, clamp_to(p.y[j], p.g[j]), p.x[j]);
    const Ends<V> a = ends_of(p.s, p.h), b = ends_of(p.x, p.g);
    const auto on_edges = both(leads_on, both(a.is_edge, b.is_edge));
    if (any(on_edges)) leads_on = without(leads_on, meet_edges(p, a, b, on_edges));
  }
  return has_gap;
}

// The pair of edges along whose common normal c_i x e_j the gap is widest.
template <typename V>
struct WidestEdges {
  V gap;      // not above zero: none has one
  V squared;  // of the normal, as long as it is
  V n[3];     // from b to a
  V u[3];     // c_i
  V i, j;
};

template <typename V>
HWY_INLINE WidestEdges<V> widest_edges(const BoxCores<V>& p) {
  WidestEdges<V> widest;
  V middle = number<V>(0.0);
  widest.gap = number<V>(0.0);
  widest.squared = number<V>(1.0);
  widest.i = widest.j = number<V>(0.0);
  for (int k = 0; k < 3; ++k) widest.n[k] = widest.u[k] = number<V>(0.0);
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      // Its coordinates are those of c_i, nothing is rounded, and short products stay exact; c_i itself has
      // no height along it.
      const V n1 = p.c[i][j2], n2 = negated(p.c[i][j1]);
      const V at = n1 * p.t[j1] + n2 * p.t[j2];
      const V along_1 = magnitude(n1 * p.c[i1][j1] + n2 * p.c[i1][j2]);
      const V along_2 = magnitude(n1 * p.c[i2][j1] + n2 * p.c[i2][j2]);
      const V reach =
          (p.h[i1] * along_1 + p.h[i2] * along_2) + (p.g[j1] * magnitude(n1) + p.g[j2] * magnitude(n2));
      const V gap = magnitude(at) - reach;
      if (!any(above(gap, number<V>(0.0)))) continue;
      const V squared = n1 * n1 + n2 * n2;
      // gap / |n| > widest, without the root.
      const auto is_wider = both(above(gap, number<V>(0.0)),
                                 above((gap * gap) * widest.squared, (widest.gap * widest.gap) * squared));
      widest.gap = choose(is_wider, gap, widest.gap);
      widest.squared = choose(is_wider, squared, widest.squared);
      widest.n[j] = choose(is_wider, number<V>(0.0), widest.n[j]);
      widest.n[j1] = choose(is_wider, n1, widest.n[j1]);
      widest.n[j2] = choose(is_wider, n2, widest.n[j2]);
      for (int k = 0; k < 3; ++k) widest.u[k] = choose(is_wider, p.c[i][k], widest.u[k]);
      widest.i = choose(is_wider, number<V>(i), widest.i);
      widest.j = choose(is_wider, number<V>(j), widest.j);
      middle = choose(is_wider, at, middle);
    }
  }
  const V sign = with_sign(number<V>(1.0), middle);
  for (int k = 0; k < 3; ++k) widest.n[k] = widest.n[k] * sign;
  return widest;
}

template <typename V>
HWY_INLINE V entry(const V* of, V at) {
  const V half = number<V>(0.5);
  return choose(above(half, at), of[0], choose(above(number<V>(1.5), at), of[1], of[2]));
}

// Where `wanted`, from the nearest points of the edges along whose common normal the gap is widest, if there
// is one: the points of the lines, then one after the other brought into its edge.
template <typename V>
HWY_INLINE void start_at_edges(BoxCores<V>& p, MaskOf<V> wanted) {
  const WidestEdges<V> edges = widest_edges(p);
  const auto starts = both(wanted, above(edges.gap, number<V>(0.0)));
  if (!any(starts)) return;
  const V half = number<V>(0.5);
  MaskOf<V> is_i[3], is_j[3];
  V s[3], x[3], between[3];
  for (int k = 0; k < 3; ++k) {
    is_i[k] = above(half, magnitude(edges.i - number<V>(k)));
    is_j[k] = above(half, magnitude(edges.j - number<V>(k)));
    s[k] = choose(is_i[k], number<V>(0.0), with_sign(p.h[k], negated(dot(p.c[k], edges.n))));
    x[k] = choose(is_j[k], number<V>(0.0), with_sign(p.g[k], edges.n[k]));
  }
  for (int j = 0; j < 3; ++j)
    between[j] = (((s[0] * p.c[0][j] + s[1] * p.c[1][j]) + s[2] * p.c[2][j]) + p.t[j]) - x[j];
  const V h = entry(p.h, edges.i), g = entry(p.g, edges.j);
  const V uj = entry(edges.u, edges.j), between_j = entry(between, edges.j);
  const V uu = dot(edges.u, edges.u), along = dot(edges.u, between);
  const V l = clamp_to((uj * between_j - along) / (uu - uj * uj), h);
  const V at_b = clamp_to(between_j + l * uj, g);
  const V at_a = clamp_to((at_b * uj - along) / uu, h);
  for (int k = 0; k < 3; ++k) {
    p.s[k] = choose(starts, choose(is_i[k], at_a, s[k]), p.s[k]);
    p.x[k] = choose(starts, choose(is_j[k], at_b, x[k]), p.x[k]);
  }
  place_y(p);
}

// The direction between the points, from a to b, as their features say it: close to contact the line between
// the points does not know it well enough.
template <typename V>
HWY_INLINE void direction_between(const BoxCores<V>& p, const V* between, V* n) {
  const V zero = number<V>(0.0), one = number<V>(1.0);
  const Ends<V> a = ends_of(p.s, p.h), b = ends_of(p.x, p.g);
  V u[3], e[3];
  for (int k = 0; k < 3; ++k) {
    n[k] = between[k];
    u[k] = of_axis(a, p.c[0][k], p.c[1][k], p.c[2][k]);
  }
  e[0] = choose(b.axis_0, one, zero);
  e[1] = choose(b.axis_0, zero, choose(b.axis_1, one, zero));
  e[2] = (one - e[0]) - e[1];
  const V along_u = dot(u, between);
  const auto only_a = without(a.is_edge, b.is_edge), only_b = without(b.is_edge, a.is_edge);
  const auto are_edges = both(a.is_edge, b.is_edge);
  if (any(only_a)) {
    const V share = along_u / dot(u, u);
    for (int k = 0; k < 3; ++k) n[k] = choose(only_a, between[k] - share * u[k], n[k]);
  }
  if (any(only_b)) {
    for (int k = 0; k < 3; ++k) n[k] = choose(only_b, between[k] * (one - e[k]), n[k]);
  }
  if (any(are_edges)) {
    V axis[3];
    cross(u, e, axis);  // coordinates of u: nothing is rounded
    const V along = dot(axis, between), sign = with_sign(one, along);
    const auto are_crossing = both(are_edges, above(magnitude(along), zero));  // not parallel
    for (int k = 0; k < 3; ++k) n[k] = choose(are_crossing, axis[k] * sign, n[k]);
  }
  if (any(a.is_face)) {
    const V sign = with_sign(one, along_u);
    for (int k = 0; k < 3; ++k) n[k] = choose(a.is_face, u[k] * sign, n[k]);
  }
  if (any(b.is_face)) {
    for (int k = 0; k < 3; ++k) n[k] = choose(b.is_face, e[k] * with_sign(one, between[k]), n[k]);
  }
}

// Heights along the direction between the points.
template <typename V>
HWY_INLINE BoxBracket<V> bracket_of(const BoxCores<V>& p) {
  BoxBracket<V> result;
  const V between[3] = {p.x[0] - p.y[0], p.x[1] - p.y[1], p.x[2] - p.y[2]};
  V n[3];
  direction_between(p, between, n);
  const V length = square_root(dot(between, between));
  const V inverse = number<V>(1.0) / square_root(dot(n, n));
  V reach = number<V>(0.0);
  for (int k = 0; k < 3; ++k) {
    const V more = p.h[k] * magnitude(dot(p.c[k], n)) + p.g[k] * magnitude(n[k]);
    reach = k == 0 ? more : reach + more;
  }
  result.lower = (negated(dot(n, p.t)) - reach) * inverse - p.height_error;
  result.upper = length * number<V>(1.0 + 4.0 * unit_roundoff) + p.point_error;
  const V floor = number<V>(2.0) * (p.height_error + p.point_error);
  result.is_proven = both(above(result.lower, number<V>(0.0)), at_least(floor, result.upper - result.lower));
  for (int k = 0; k < 3; ++k) result.n[k] = n[k] * inverse;
  return result;
}

// Not proven: boxes that meet, or nearly, and rare poses.
template <typename V>
HWY_INLINE BoxBracket<V> nearest_of_boxes(BoxCores<V>& p) {
  auto is_open = above(number<V>(1.0), number<V>(0.0));
  if (any(start_at_face(p))) {
    const BoxBracket<V> at_face = bracket_of(p);
    is_open = without(is_open, at_face.is_proven);
    if (!any(is_open)) return at_face;
  }
  // Apart, but not along a face, or not seen from there: edges and corners. Where the points stay, the
  // bracket is the same.
  start_at_edges(p, is_open);
  return bracket_of(p);
}

// Bits 0-2: a's point is at an end of the axis, 3-5: not on its negative side; 6-11 of b.
template <typename V>
HWY_INLINE V features_of(const BoxCores<V>& p) {
  V code = number<V>(0.0);
  const V zero = number<V>(0.0);
  for (int k = 0; k < 3; ++k) {
    code = code + choose(at_least(magnitude(p.s[k]), p.h[k]), number<V>(1 << k), zero);
    code = code + choose(at_least(p.s[k], zero), number<V>(8 << k), zero);
    code = code + choose(at_least(magnitude(p.x[k]), p.g[k]), number<V>(64 << k), zero);
    code = code + choose(at_least(p.x[k], zero), number<V>(512 << k), zero);
  }
  return code;
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::convex
HWY_AFTER_NAMESPACE();
#endif
