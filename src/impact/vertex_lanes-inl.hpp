// Vertices of several pairs of features loaded into SIMD lanes, one pair per lane.
//
// Included once per Highway target (no #pragma once).
#include <hwy/highway.h>

#include "base/lane_ops-inl.hpp"
#include "impact/narrow_kernels.hpp"

#if defined(TOCCATA_IMPACT_VERTEX_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_IMPACT_VERTEX_LANES_INL
#undef TOCCATA_IMPACT_VERTEX_LANES_INL
#else
#define TOCCATA_IMPACT_VERTEX_LANES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::impact::HWY_NAMESPACE {
using namespace lanes::HWY_NAMESPACE;

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
