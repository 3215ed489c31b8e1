// Queries that name their points loaded into SIMD lanes, one query a lane.
//
// Included once per Highway target (no #pragma once).
#include <hwy/highway.h>

#include "base/lane_ops-inl.hpp"
#include "impact/indexed_vertices.hpp"

#if defined(TOCCATA_IMPACT_INDEXED_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_IMPACT_INDEXED_LANES_INL
#undef TOCCATA_IMPACT_INDEXED_LANES_INL
#else
#define TOCCATA_IMPACT_INDEXED_LANES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::impact::HWY_NAMESPACE {
using namespace lanes::HWY_NAMESPACE;

// x[12 * end + 3 * point + axis] of the queries query[lane].
HWY_INLINE void load_points(const IndexedQueries& queries, const std::uint32_t* query, Lane* x) {
  HWY_UNROLL(4)
  for (std::size_t k = 0; k < 4; ++k) {
    const double* p[lane_count];
    HWY_UNROLL(8)
    for (std::size_t l = 0; l < lane_count; ++l) p[l] = queries.vertices[queries.points[query[l]][k]].t0;
    load_two(p, 0, x[3 * k], x[3 * k + 1]);
    load_two(p, 2, x[3 * k + 2], x[12 + 3 * k]);
    load_two(p, 4, x[12 + 3 * k + 1], x[12 + 3 * k + 2]);
  }
}

}  // namespace toccata::impact::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
