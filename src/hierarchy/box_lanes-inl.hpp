// Lanes of eight boxes, for the kernels that compare them with one box of another tree.
//
// Included once per Highway target (no #pragma once).
#include <hwy/highway.h>

#if defined(TOCCATA_HIERARCHY_BOX_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_HIERARCHY_BOX_LANES_INL
#undef TOCCATA_HIERARCHY_BOX_LANES_INL
#else
#define TOCCATA_HIERARCHY_BOX_LANES_INL
#endif

#include <cmath>

#include "hierarchy/box_tree.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::hierarchy {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, box_width>;
using V = hn::Vec<D>;

struct V3 {
  V x, y, z;
};

HWY_INLINE V dot(const V3& a, const V3& b) {
  return hn::MulAdd(a.z, b.z, hn::MulAdd(a.y, b.y, hn::Mul(a.x, b.x)));
}
// a b - c d.
HWY_INLINE V determinant(V a, V b, V c, V d) {
  return hn::NegMulAdd(c, d, hn::Mul(a, b));
}
HWY_INLINE V3 load3(D d, const float (*p)[box_width], std::size_t at) {
  return {hn::Load(d, p[0] + at), hn::Load(d, p[1] + at), hn::Load(d, p[2] + at)};
}
HWY_INLINE V3 set3(D d, const float* p) {
  return {hn::Set(d, p[0]), hn::Set(d, p[1]), hn::Set(d, p[2])};
}

// How far a box with half extents h reaches along a direction with coordinates n along its axes.
HWY_INLINE V support(const V (&n)[3], const V (&h)[3]) {
  return hn::MulAdd(h[2], hn::Abs(n[2]), hn::MulAdd(h[1], hn::Abs(n[1]), hn::Mul(h[0], hn::Abs(n[0]))));
}

// Four at once: plain loops, which the compiler turns into vectors of whatever width there is.
struct Four {
  alignas(16) float x[4];
};

// c[0] a[0] + c[1] a[1] + c[2] a[2]
HWY_INLINE void combine(const float* c, const Four (&a)[3], float* to) {
  for (int i = 0; i < 4; ++i) to[i] = c[0] * a[0].x[i] + c[1] * a[1].x[i] + c[2] * a[2].x[i];
}

// The axes of child `slot` in another frame, in float: one rounding for the matrix, three for the products.
HWY_INLINE void turn_axes(const float (&rotation)[3][3], const BoxNode& theirs, std::uint32_t slot,
                          Four (&turned)[3]) {
  Four axes[3];  // one coordinate of the three axes each
  for (int l = 0; l < 3; ++l) {
    axes[l] = {{theirs.axis[0][l][slot], theirs.axis[1][l][slot], theirs.axis[2][l][slot], 0.0F}};
  }
  for (int k = 0; k < 3; ++k) combine(rotation[k], axes, turned[k].x);
}

// The centre of child `slot`, relative to its shape's centre, turned into another frame.
HWY_INLINE void turn_center(const double (&rotation)[3][3], const BoxNode& theirs, std::uint32_t slot,
                            double* arm) {
  const double place[3] = {
      static_cast<double>(theirs.origin[0]) + static_cast<double>(theirs.center[0][slot]),
      static_cast<double>(theirs.origin[1]) + static_cast<double>(theirs.center[1][slot]),
      static_cast<double>(theirs.origin[2]) + static_cast<double>(theirs.center[2][slot])};
  for (int k = 0; k < 3; ++k) {
    const double* row = rotation[k];
    arm[k] = row[0] * place[0] + row[1] * place[1] + row[2] * place[2];
  }
}

// Not below the length, and cheaper.
HWY_INLINE double length_bound(const double* x) {
  return std::abs(x[0]) + std::abs(x[1]) + std::abs(x[2]);
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::hierarchy
HWY_AFTER_NAMESPACE();

#endif
