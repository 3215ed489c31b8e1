#include "hierarchy/node_heights.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hierarchy/node_heights.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "hierarchy/box_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::hierarchy {
namespace HWY_NAMESPACE {

void node_heights_kernel(const float* direction, const BoxNode& node, float* heights) {
  const D tag;
  const V3 d = set3(tag, direction);
  for (std::size_t at = 0; at < box_width; at += hn::Lanes(tag)) {
    V height = dot(d, load3(tag, node.center, at));
    for (int i = 0; i < 3; ++i) {
      const V along = dot(d, load3(tag, node.axis[i], at));
      height = hn::MulAdd(hn::Load(tag, node.half[i] + at), hn::Abs(along), height);
    }
    hn::StoreU(height, tag, heights + at);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::hierarchy
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::hierarchy {

HWY_EXPORT(node_heights_kernel);

void node_heights(const Vector3& direction, const BoxNode& node, double* heights) {
  float way[3], inside[box_width];
  double base = 0.0, lengths = 0.0;
  for (int k = 0; k < 3; ++k) {
    way[k] = static_cast<float>(direction[k]);
    const auto origin = static_cast<double>(node.origin[k]);
    base += direction[k] * origin;
    lengths += std::abs(origin);
  }
  HWY_DYNAMIC_DISPATCH(node_heights_kernel)(way, node, inside);
  base += 0x1p-19 * static_cast<double>(node.reach) + 1e-15 * lengths;
  for (int k = 0; k < box_width; ++k)
    heights[k] = k < node.count ? base + static_cast<double>(inside[k]) : -INFINITY;
}

}  // namespace toccata::hierarchy
#endif
