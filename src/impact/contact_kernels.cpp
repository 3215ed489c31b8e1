#include "impact/contact_kernels.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impact/contact_kernels.cpp"
#include <hwy/foreach_target.h>
// after foreach_target
#include <hwy/highway.h>

#include "impact/plain_contact-inl.hpp"
#include "impact/vertex_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::impact::HWY_NAMESPACE {
namespace {

using Description = PlainContact<Lane>;

void store(const Description& d, std::size_t used, DeformableContact* contacts) {
  HWY_ALIGN double values[10][lane_count];
  for (std::size_t i = 0; i < 4; ++i) hn::Store(d.weights[i], LaneTag(), values[i]);
  for (std::size_t k = 0; k < 3; ++k) {
    hn::Store(d.point[k], LaneTag(), values[4 + k]);
    hn::Store(d.normal[k], LaneTag(), values[7 + k]);
  }
  for (std::size_t l = 0; l < used; ++l) {
    Impact& impact = contacts[l].impact;
    for (std::size_t i = 0; i < 4; ++i) impact.weights[i] = values[i][l];
    for (std::size_t k = 0; k < 3; ++k) {
      impact.point[static_cast<int>(k)] = values[4 + k][l];
      impact.normal[static_cast<int>(k)] = values[7 + k][l];
    }
  }
}

template <bool edge_edge>
std::uint32_t describe_all(const MovingFeatures& features, DeformableContact* contacts, std::size_t count) {
  std::int32_t first[describe_width], second[describe_width];
  HWY_ALIGN double time[describe_width];
  for (std::size_t i = 0; i < describe_width; ++i) {
    const DeformableContact& c = contacts[i < count ? i : 0];
    first[i] = c.pair.first;
    second[i] = c.pair.second;
    time[i] = c.impact.time;
  }
  const Candidates candidates{edge_edge, first, second, describe_width};
  std::uint32_t filled = 0;
  for (std::size_t i = 0; i < count; i += lane_count) {
    std::uint32_t index[lane_count];
    for (std::size_t l = 0; l < lane_count; ++l) index[l] = static_cast<std::uint32_t>(i + l);
    Lane x[24];
    load_motion<edge_edge>(features, candidates, index, x);
    Description d;
    plain_contact<edge_edge>(x, hn::Load(LaneTag(), time + i), d);
    store(d, std::min(lane_count, count - i), contacts + i);
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(LaneTag(), d.valid, bits);
    filled |= static_cast<std::uint32_t>(bits[0]) << i;
  }
  return filled;
}

}  // namespace

std::uint32_t describe_lanes(const MovingFeatures& features, DeformableContact* contacts, std::size_t count) {
  return contacts[0].pair.kind == FeaturePairKind::EdgeEdge ? describe_all<true>(features, contacts, count)
                                                            : describe_all<false>(features, contacts, count);
}

}  // namespace toccata::impact::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::impact {

HWY_EXPORT(describe_lanes);

std::uint32_t describe_in_lanes(const MovingFeatures& features, DeformableContact* contacts,
                                std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(describe_lanes)(features, contacts, count);
}

}  // namespace toccata::impact
#endif
