// Vertices of several pairs of features loaded into SIMD lanes, one pair per lane.
//
// Included once per Highway target (no #pragma once).
#include <hwy/highway.h>

#include "impact/lane_ops-inl.hpp"
#include "impact/narrow_kernels.hpp"

#if defined(TOCCATA_IMPACT_VERTEX_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_IMPACT_VERTEX_LANES_INL
#undef TOCCATA_IMPACT_VERTEX_LANES_INL
#else
#define TOCCATA_IMPACT_VERTEX_LANES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::impact::HWY_NAMESPACE {

inline constexpr std::size_t lane_count = hn::MaxLanes(LaneTag());

#if HWY_TARGET == HWY_SCALAR
HWY_INLINE void load_two(const double* const* p, std::size_t offset, Lane& a, Lane& b) {
  a = hn::LoadU(LaneTag(), p[0] + offset);
  b = hn::LoadU(LaneTag(), p[0] + offset + 1);
}
#else
// Two neighbouring doubles of every other vertex from Start on, 128 bits each.
template <std::size_t Lanes, std::size_t Start>
HWY_INLINE auto load_every_other(const double* const* p, std::size_t offset) {
  const hn::FixedTag<double, Lanes> d;
  if constexpr (Lanes == 2) {
    return hn::LoadU(d, p[Start] + offset);
  } else {
    return hn::Combine(d, load_every_other<Lanes / 2, Start + Lanes / 2>(p, offset),
                       load_every_other<Lanes / 2, Start>(p, offset));
  }
}

// a = doubles `offset` and b = `offset + 1` of all vertices.
HWY_INLINE void load_two(const double* const* p, std::size_t offset, Lane& a, Lane& b) {
  const LaneTag d;
  const auto even = load_every_other<lane_count, 0>(p, offset);
  const auto odd = load_every_other<lane_count, 1>(p, offset);
  a = hn::InterleaveLower(d, even, odd);
  b = hn::InterleaveUpper(d, even, odd);
}
#endif

// x[12 * end + 3 * point + axis] of the candidates index[lane].
template <bool edge_edge>
HWY_INLINE void load_motion(const MovingFeatures& features, const Candidates& candidates,
                            const std::uint32_t* index, Lane* x) {
  const std::int32_t *first[lane_count], *second[lane_count];  // the vertices of both features
  HWY_UNROLL(8)
  for (std::size_t l = 0; l < lane_count; ++l) {
    first[l] = edge_edge ? features.edges[candidates.first[index[l]]].data() : candidates.first + index[l];
    second[l] = edge_edge ? features.edges[candidates.second[index[l]]].data()
                          : features.faces[candidates.second[index[l]]].data();
  }
  const MovingVertex* const vertices = features.vertices;
  constexpr std::size_t count = edge_edge ? 2 : 1;  // of the first feature
  HWY_UNROLL(4)
  for (std::size_t k = 0; k < 4; ++k) {
    const double* p[lane_count];
    HWY_UNROLL(8)
    for (std::size_t l = 0; l < lane_count; ++l) {
      p[l] = vertices[k < count ? first[l][k] : second[l][k - count]].t0;
    }
    load_two(p, 0, x[3 * k], x[3 * k + 1]);
    load_two(p, 2, x[3 * k + 2], x[12 + 3 * k]);
    load_two(p, 4, x[12 + 3 * k + 1], x[12 + 3 * k + 2]);
  }
}

}  // namespace toccata::impact::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
