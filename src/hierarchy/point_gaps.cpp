#include "hierarchy/point_gaps.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hierarchy/point_gaps.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "hierarchy/box_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::hierarchy {
namespace HWY_NAMESPACE {

// with_squares: squares of the lengths neither overflow nor underflow. Else the largest gap along an axis.
void point_gaps_kernel(const float* place, float slack, bool with_squares, const BoxNode& node, float* gaps) {
  const D tag;
  const V3 p = set3(tag, place);
  const V pad = hn::Set(tag, slack), zero = hn::Zero(tag);
  const auto count = static_cast<std::size_t>(node.count);
  for (std::size_t at = 0; at < box_width; at += hn::Lanes(tag)) {
    const V3 c = load3(tag, node.center, at);
    const V3 d = {hn::Sub(p.x, c.x), hn::Sub(p.y, c.y), hn::Sub(p.z, c.z)};
    V sum = zero, largest = zero;
    for (int i = 0; i < 3; ++i) {
      const V reach = hn::Add(hn::Load(tag, node.half[i] + at), pad);
      const V beyond = hn::Max(hn::Sub(hn::Abs(dot(d, load3(tag, node.axis[i], at))), reach), zero);
      sum = hn::MulAdd(beyond, beyond, sum);
      largest = hn::Max(largest, beyond);
    }
    const V gap = hn::Mul(with_squares ? hn::Sqrt(sum) : largest, hn::Set(tag, 1.0F - 0x1p-20F));
    const auto used = hn::FirstN(tag, count > at ? count - at : 0);
    hn::StoreU(hn::IfThenElse(used, gap, hn::Set(tag, INFINITY)), tag, gaps + at);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::hierarchy
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::hierarchy {

HWY_EXPORT(point_gaps_kernel);

void point_gaps(const Vector3& point, const BoxNode& node, float padding, float* gaps) {
  constexpr float v = 0x1p-24F;
  float place[3];
  float lengths = node.reach;
  for (int k = 0; k < 3; ++k) {
    place[k] = static_cast<float>(point[k] - static_cast<double>(node.origin[k]));
    lengths += std::abs(place[k]);
  }
  // Below 2^-48 of the lengths a gap is rounding: its square is still a normal number.
  const bool with_squares = lengths > 0x1p-12F && lengths < 0x1p60F;
  HWY_DYNAMIC_DISPATCH(point_gaps_kernel)
  (place, 32.0F * v * lengths + padding, with_squares, node, gaps);
}

}  // namespace toccata::hierarchy
#endif
