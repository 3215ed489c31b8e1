#include "ccd/deformable/contact_kernels.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ccd/deformable/contact_kernels.cpp"
#include <hwy/foreach_target.h>
// after foreach_target
#include <hwy/highway.h>

#include "ccd/deformable/vertex_lanes-inl.hpp"
#include "impact/plain_contact-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::deformable::HWY_NAMESPACE {
namespace {

using impact_filter::HWY_NAMESPACE::plain_contact;
using Description = impact_filter::HWY_NAMESPACE::PlainContact<DoubleLanes>;

void store(const Description& d, std::size_t used, DeformableContact* contacts) {
  HWY_ALIGN double values[10][double_lanes];
  for (std::size_t i = 0; i < 4; ++i) hn::Store(d.weights[i], DoubleTag(), values[i]);
  for (std::size_t k = 0; k < 3; ++k) {
    hn::Store(d.point[k], DoubleTag(), values[4 + k]);
    hn::Store(d.normal[k], DoubleTag(), values[7 + k]);
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
std::uint32_t describe_all(const Topology& topology, const Step& step, DeformableContact* contacts,
                           std::size_t count) {
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
  for (std::size_t i = 0; i < count; i += double_lanes) {
    std::uint32_t index[double_lanes];
    for (std::size_t l = 0; l < double_lanes; ++l) index[l] = static_cast<std::uint32_t>(i + l);
    DoubleLanes x[24];
    load_motion<edge_edge>(topology, step, candidates, index, x);
    Description d;
    plain_contact<edge_edge>(x, hn::Load(DoubleTag(), time + i), d);
    store(d, std::min(double_lanes, count - i), contacts + i);
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(DoubleTag(), d.valid, bits);
    filled |= static_cast<std::uint32_t>(bits[0]) << i;
  }
  return filled;
}

}  // namespace

std::uint32_t describe_lanes(const Topology& topology, const Step& step, DeformableContact* contacts,
                             std::size_t count) {
  return contacts[0].pair.kind == FeaturePairKind::EdgeEdge
             ? describe_all<true>(topology, step, contacts, count)
             : describe_all<false>(topology, step, contacts, count);
}

}  // namespace toccata::deformable::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::deformable {

HWY_EXPORT(describe_lanes);

std::uint32_t describe_in_lanes(const Topology& topology, const Step& step, DeformableContact* contacts,
                                std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(describe_lanes)(topology, step, contacts, count);
}

}  // namespace toccata::deformable
#endif
