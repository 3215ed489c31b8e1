// How deep two boxes are in each other, one pair per lane: along all normals that their difference can have.
// Notation and bits as in box_cores-inl.hpp.
//
// Included once per Highway target (no #pragma once).
#include <hwy/highway.h>

#include "proximity/convex/box_cores-inl.hpp"

#if defined(TOCCATA_PROXIMITY_BOX_OVERLAP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_PROXIMITY_BOX_OVERLAP_INL
#undef TOCCATA_PROXIMITY_BOX_OVERLAP_INL
#else
#define TOCCATA_PROXIMITY_BOX_OVERLAP_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::convex {
namespace HWY_NAMESPACE {

// The least overlap, and the axis it is along: of edge i of a and edge j of b, a face where the other is -1.
template <typename V>
struct LeastOverlap {
  V overlap;  // along the axis as long as it is; of the normal in the end
  V squared;  // of the axis
  V axis[3];  // the unit normal from a to b in the end
  V middle;   // where a is along it
  V i, j;
  V lowest;  // of all overlaps: they are apart unless it is above zero
};

// Both overlaps are above zero, or `lowest` says that all is in vain.
template <typename V>
HWY_INLINE void keep_less(LeastOverlap<V>& least, const V* axis, V reach, V middle, V squared, int i, int j) {
  const V overlap = reach - magnitude(middle);
  const auto spans = above(squared, number<V>(1e-300));  // parallel edges span no face
  least.lowest = choose(spans, smaller(least.lowest, overlap), least.lowest);
  // overlap / |axis| is less, without the root.
  const auto is_less =
      both(spans, above((least.overlap * least.overlap) * squared, (overlap * overlap) * least.squared));
  if (!any(is_less)) return;
  least.overlap = choose(is_less, overlap, least.overlap);
  least.squared = choose(is_less, squared, least.squared);
  least.middle = choose(is_less, middle, least.middle);
  for (int k = 0; k < 3; ++k) least.axis[k] = choose(is_less, axis[k], least.axis[k]);
  least.i = choose(is_less, number<V>(i), least.i);
  least.j = choose(is_less, number<V>(j), least.j);
}

// With the normals n_k = c_(k+1) x c_(k+2) of a's faces: c_i . n_k is 0 unless i = k, and so is c_i . (c_i x
// e_j). A short product of edges that are nearly parallel keeps all its digits: every term of its reach is
// one of its coordinates times something.
template <typename V>
HWY_INLINE LeastOverlap<V> least_overlap(const BoxCores<V>& p) {
  const V zero = number<V>(0.0), one = number<V>(1.0);
  LeastOverlap<V> least;
  for (int k = 0; k < 3; ++k) {
    const V axis[3] = {k == 0 ? one : zero, k == 1 ? one : zero, k == 2 ? one : zero};
    const V reach = p.g[k] + ((p.h[0] * magnitude(p.c[0][k]) + p.h[1] * magnitude(p.c[1][k])) +
                              p.h[2] * magnitude(p.c[2][k]));
    if (k > 0) {
      keep_less(least, axis, reach, p.t[k], one, -1, k);
      continue;
    }
    least.overlap = least.lowest = reach - magnitude(p.t[0]);
    least.squared = one;
    for (int l = 0; l < 3; ++l) least.axis[l] = axis[l];
    least.middle = p.t[0];
    least.i = number<V>(-1.0);
    least.j = zero;
  }
  V n[3][3];
  for (int k = 0; k < 3; ++k) cross(p.c[(k + 1) % 3], p.c[(k + 2) % 3], n[k]);
  const V volume = magnitude(dot(p.c[0], n[0]));  // c_k . n_k, whichever k
  for (int k = 0; k < 3; ++k) {
    const V reach = p.h[k] * volume + ((p.g[0] * magnitude(n[k][0]) + p.g[1] * magnitude(n[k][1])) +
                                       p.g[2] * magnitude(n[k][2]));
    keep_less(least, n[k], reach, dot(n[k], p.t), dot(n[k], n[k]), k, -1);
  }
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      // c_i x e_j: coordinates of c_i, nothing is rounded.
      const V n1 = p.c[i][j2], n2 = negated(p.c[i][j1]);
      V axis[3];
      axis[j] = zero;
      axis[j1] = n1;
      axis[j2] = n2;
      const V along_1 = magnitude(n1 * p.c[i1][j1] + n2 * p.c[i1][j2]);
      const V along_2 = magnitude(n1 * p.c[i2][j1] + n2 * p.c[i2][j2]);
      const V reach =
          (p.h[i1] * along_1 + p.h[i2] * along_2) + (p.g[j1] * magnitude(n1) + p.g[j2] * magnitude(n2));
      keep_less(least, axis, reach, n1 * p.t[j1] + n2 * p.t[j2], n1 * n1 + n2 * n2, i, j);
    }
  }
  const V inverse = one / square_root(least.squared);
  // a is at t: the way from a to b leads against the middle.
  const V scale = choose(above(least.middle, zero), negated(inverse), inverse);
  least.overlap = least.overlap * inverse;
  for (int k = 0; k < 3; ++k) least.axis[k] = least.axis[k] * scale;
  return least;
}

// The points of both whose difference is the overlap times the normal.
template <typename V>
HWY_INLINE void place_deepest(BoxCores<V>& p, const LeastOverlap<V>& least) {
  const V zero = number<V>(0.0), half = number<V>(0.5), across = number<V>(1e-12);
  const V* const n = least.axis;
  MaskOf<V> is_i[3], is_j[3];
  V way[3];
  const auto of_b = above(zero, least.i), of_a = above(zero, least.j);  // faces
  for (int k = 0; k < 3; ++k) {
    way[k] = least.overlap * n[k];
    is_i[k] = without(above(half, magnitude(least.i - number<V>(k))), of_a);
    is_j[k] = without(above(half, magnitude(least.j - number<V>(k))), of_b);
    // The corner of a farthest along the normal, of b against it; the middle where the box does not care, and
    // of edges that cross.
    const V along = dot(p.c[k], n);
    p.s[k] = choose(above(magnitude(along), across), with_sign(p.h[k], along), zero);
    p.s[k] = choose(is_i[k], zero, p.s[k]);
    p.x[k] = choose(above(magnitude(n[k]), across), with_sign(p.g[k], negated(n[k])), zero);
    p.x[k] = choose(is_j[k], zero, p.x[k]);
  }
  // A face of a: b's corner, brought to a.
  V d[3];
  for (int k = 0; k < 3; ++k) d[k] = (p.x[k] + way[k]) - p.t[k];
  for (int i = 0; i < 3; ++i) p.s[i] = choose(of_a, clamp_to(dot(p.c[i], d), p.h[i]), p.s[i]);
  place_y(p);
  // Edges: b's brought to a's, where they cross.
  const auto are_edges = without(without(above(number<V>(1.0), zero), of_a), of_b);
  if (any(are_edges)) {
    V u[3], between[3];
    for (int k = 0; k < 3; ++k) {
      u[k] = choose(is_i[0], p.c[0][k], choose(is_i[1], p.c[1][k], p.c[2][k]));
      between[k] = (p.y[k] - p.x[k]) - way[k];
    }
    const V uj = entry(u, least.j), between_j = entry(between, least.j);
    const V determinant = dot(u, u) - uj * uj;
    const V l = choose(above(determinant, zero), (uj * between_j - dot(u, between)) / determinant, zero);
    const V at_a = clamp_to(l, entry(p.h, least.i)), at_b = clamp_to(between_j + l * uj, entry(p.g, least.j));
    for (int k = 0; k < 3; ++k) {
      p.s[k] = choose(both(are_edges, is_i[k]), at_a, p.s[k]);
      p.x[k] = choose(both(are_edges, is_j[k]), at_b, p.x[k]);
    }
    place_y(p);
  }
  // Faces: the point of b below or above a's; of b's own face a's point follows.
  for (int k = 0; k < 3; ++k) {
    const V below = clamp_to(p.y[k] - way[k], p.g[k]);
    p.x[k] = choose(are_edges, p.x[k], below);
    p.y[k] = choose(of_b, below + way[k], p.y[k]);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::convex
HWY_AFTER_NAMESPACE();
#endif
