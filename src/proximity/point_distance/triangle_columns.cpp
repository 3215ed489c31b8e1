#include "proximity/point_distance/triangle_columns.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "proximity/point_distance/triangle_columns.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace toccata::point_distance {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, TriangleColumns::width>;
using V = hn::Vec<D>;

struct Corner {
  V x, y, z;
};

HWY_INLINE V dot(const Corner& a, const Corner& b) {
  return hn::MulAdd(a.z, b.z, hn::MulAdd(a.y, b.y, hn::Mul(a.x, b.x)));
}
HWY_INLINE Corner difference(const Corner& a, const Corner& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
HWY_INLINE Corner cross(const Corner& a, const Corner& b) {
  return {hn::NegMulAdd(a.z, b.y, hn::Mul(a.y, b.z)), hn::NegMulAdd(a.x, b.z, hn::Mul(a.z, b.x)),
          hn::NegMulAdd(a.y, b.x, hn::Mul(a.x, b.y))};
}

// The squared distance of zero from the segment that starts at `start`.
HWY_INLINE V squared_to_edge(D tag, const Corner& start, const Corner& edge, V squared_length) {
  const V zero = hn::Zero(tag);
  const V safe = hn::Max(squared_length, hn::Set(tag, 1e-300));  // a point: nothing to divide
  const V t = hn::Min(hn::Max(hn::Div(hn::Neg(dot(start, edge)), safe), zero), hn::Set(tag, 1.0));
  const Corner near = {hn::MulAdd(t, edge.x, start.x), hn::MulAdd(t, edge.y, start.y),
                       hn::MulAdd(t, edge.z, start.z)};
  return dot(near, near);
}

void brackets_kernel(const TriangleColumns& triangles, double* low, double* high) {
  const D tag;
  const V zero = hn::Zero(tag);
  const auto load = [&](int i, std::size_t at) {
    return Corner{hn::Load(tag, triangles.corner[i][0] + at), hn::Load(tag, triangles.corner[i][1] + at),
                  hn::Load(tag, triangles.corner[i][2] + at)};
  };
  for (std::size_t at = 0; at < static_cast<std::size_t>(triangles.count); at += hn::Lanes(tag)) {
    const Corner a = load(0, at), b = load(1, at), c = load(2, at);
    const Corner ab = difference(b, a), bc = difference(c, b), ca = difference(a, c);
    const V ab2 = dot(ab, ab), bc2 = dot(bc, bc), ca2 = dot(ca, ca);
    const V edge2 = hn::Min(squared_to_edge(tag, a, ab, ab2),
                            hn::Min(squared_to_edge(tag, b, bc, bc2), squared_to_edge(tag, c, ca, ca2)));
    const V to_edge = hn::Sqrt(edge2);
    const Corner n = cross(ca, ab);
    const V n2 = dot(n, n);
    // Zero lies on the inner side of all three edges.
    const auto inside =
        hn::And(hn::Gt(dot(cross(a, ab), n), zero),
                hn::And(hn::Gt(dot(cross(b, bc), n), zero), hn::Gt(dot(cross(c, ca), n), zero)));
    const auto is_needle = hn::Le(n2, hn::Mul(hn::Set(tag, 1e-6), hn::Mul(ab2, ca2)));
    const V length_n = hn::Sqrt(n2);
    const V to_plane = hn::Div(hn::Abs(dot(a, n)), hn::Max(length_n, hn::Set(tag, 1e-300)));
    const V perimeter = hn::Add(hn::Sqrt(ab2), hn::Add(hn::Sqrt(bc2), hn::Sqrt(ca2)));
    const V inner_radius = hn::Div(length_n, hn::Max(perimeter, hn::Set(tag, 1e-300)));
    const V near = hn::IfThenElse(hn::AndNot(is_needle, inside), to_plane, to_edge);
    // Of needles the inner radius, twice for the rounding of the normal.
    const V below = hn::IfThenElse(is_needle, hn::Mul(hn::Set(tag, 2.0), inner_radius), zero);
    const V size = hn::Add(hn::Add(hn::Abs(a.x), hn::Add(hn::Abs(a.y), hn::Abs(a.z))), perimeter);
    // And of squares that vanish.
    const V error = hn::MulAdd(hn::Set(tag, 1e-12), size, hn::Set(tag, 1e-150));
    hn::StoreU(hn::Max(hn::Sub(hn::Sub(near, below), error), zero), tag, low + at);
    hn::StoreU(hn::Add(near, error), tag, high + at);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::point_distance
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::point_distance {

HWY_EXPORT(brackets_kernel);

void point_triangle_brackets(const TriangleColumns& triangles, double* low, double* high) {
  HWY_DYNAMIC_DISPATCH(brackets_kernel)(triangles, low, high);
}

}  // namespace toccata::point_distance
#endif
