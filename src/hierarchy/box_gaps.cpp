#include "hierarchy/box_gaps.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hierarchy/box_gaps.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "hierarchy/box_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::hierarchy {
namespace HWY_NAMESPACE {

constexpr double v = 0x1p-24;  // unit roundoff of float

// The other box seen from the node; its axes are beta_i.
struct RestingBox {
  float center[3];
  Four axis[3];  // axis[coordinate].x[i]
  float half[3];
  float gap_padding;
};

HWY_INLINE void put_box(const RestView& view, const BoxNode& node, const BoxNode& theirs, std::uint32_t slot,
                        RestingBox& box) {
  turn_axes(view.float_rotation, theirs, slot, box.axis);
  double center[3];
  turn_center(view.rotation, theirs, slot, center);
  double extent = 0.0;
  for (int k = 0; k < 3; ++k) {
    center[k] = center[k] + view.translation[k] - static_cast<double>(node.origin[k]);
    box.center[k] = static_cast<float>(center[k]);
    box.half[k] = theirs.half[k][slot];
    extent += static_cast<double>(box.half[k]);
  }
  // The 128 roundings of docs/notes/rigid_bounds.md, of all lengths that enter.
  box.gap_padding = rounded_up(128.0 * v * (length_bound(center) + static_cast<double>(node.reach) + extent) +
                               view.gap_padding);
}

// The largest gap along the line of centres, the six face normals and the nine products of edges. The latter
// are not scaled to unit length: a gap along a shorter direction is a smaller lower bound, and still one.
HWY_INLINE V largest_gaps(const BoxNode& node, const RestingBox& in, std::size_t at) {
  const D tag;
  const V3 c = load3(tag, node.center, at);
  const V3 m = set3(tag, in.center);
  const V3 d = {hn::Sub(m.x, c.x), hn::Sub(m.y, c.y), hn::Sub(m.z, c.z)};
  V h[3], g[3], own[3], other[3], cosine[3][3];
  V3 beta[3];
  for (int i = 0; i < 3; ++i) {
    beta[i] = {hn::Set(tag, in.axis[0].x[i]), hn::Set(tag, in.axis[1].x[i]), hn::Set(tag, in.axis[2].x[i])};
    g[i] = hn::Set(tag, in.half[i]);
    other[i] = dot(d, beta[i]);
  }
  for (int j = 0; j < 3; ++j) {
    const V3 b = load3(tag, node.axis[j], at);
    h[j] = hn::Load(tag, node.half[j] + at);
    own[j] = dot(d, b);
    for (int i = 0; i < 3; ++i) cosine[i][j] = dot(beta[i], b);
  }
  // Too short a line of centres is dropped, since its length would not be known.
  const V dd = dot(d, d);
  const V inverse =
      hn::IfThenElseZero(hn::Gt(dd, hn::Set(tag, 1e-30F)), hn::Div(hn::Set(tag, 1.0F), hn::Sqrt(dd)));
  V gap = hn::Sub(hn::Mul(dd, inverse), hn::Mul(hn::Add(support(own, h), support(other, g)), inverse));
  for (int i = 0; i < 3; ++i) {
    gap = hn::Max(gap, hn::Sub(hn::Sub(hn::Abs(other[i]), g[i]), support(cosine[i], h)));
  }
  for (int j = 0; j < 3; ++j) {
    const V column[3] = {cosine[0][j], cosine[1][j], cosine[2][j]};
    gap = hn::Max(gap, hn::Sub(hn::Sub(hn::Abs(own[j]), h[j]), support(column, g)));
  }
  V size[3][3];  // |cosine|
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) size[i][j] = hn::Abs(cosine[i][j]);
  }
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const V distance = determinant(cosine[i][j1], own[j2], cosine[i][j2], own[j1]);
      const V own_reach = hn::MulAdd(h[j1], size[i][j2], hn::Mul(h[j2], size[i][j1]));
      const V reach = hn::MulAdd(g[i1], size[i2][j], hn::MulAdd(g[i2], size[i1][j], own_reach));
      gap = hn::Max(gap, hn::Sub(hn::Abs(distance), reach));
    }
  }
  return hn::Sub(gap, hn::Set(tag, in.gap_padding));
}

void box_gaps_kernel(const RestView& view, const BoxNode& node, const BoxNode& theirs, std::uint32_t slot,
                     float* gaps) {
  const D tag;
  RestingBox box;
  put_box(view, node, theirs, slot, box);
  const auto count = static_cast<std::size_t>(node.count);
  for (std::size_t at = 0; at < box_width; at += hn::Lanes(tag)) {
    const auto used = hn::FirstN(tag, count > at ? count - at : 0);
    hn::StoreU(hn::IfThenElse(used, largest_gaps(node, box, at), hn::Set(tag, 1e30F)), tag, gaps + at);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::hierarchy
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::hierarchy {

HWY_EXPORT(box_gaps_kernel);

RestView::RestView(const Pose& other_to_own, double padding) : gap_padding(padding) {
  for (int k = 0; k < 3; ++k) {
    for (int l = 0; l < 3; ++l) {
      rotation[k][l] = other_to_own.rotation(k, l);
      float_rotation[k][l] = static_cast<float>(other_to_own.rotation(k, l));
    }
    translation[k] = other_to_own.translation[k];
  }
}

void box_gaps(const RestView& view, const BoxNode& node, const BoxNode& theirs, std::uint32_t slot,
              float* gaps) {
  HWY_DYNAMIC_DISPATCH(box_gaps_kernel)(view, node, theirs, slot, gaps);
}

}  // namespace toccata::hierarchy
#endif
