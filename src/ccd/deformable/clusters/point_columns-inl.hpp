// Vertices of several features from ClusterBoxes::points, loaded into SIMD lanes, one feature a lane.
//
// Included once per Highway target (no #pragma once).
#include <hwy/highway.h>

#include "impact/single_columns-inl.hpp"

#if defined(TOCCATA_DEFORMABLE_POINT_COLUMNS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_DEFORMABLE_POINT_COLUMNS_INL
#undef TOCCATA_DEFORMABLE_POINT_COLUMNS_INL
#else
#define TOCCATA_DEFORMABLE_POINT_COLUMNS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::deformable::clusters::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using impact::HWY_NAMESPACE::load_columns;
using impact::HWY_NAMESPACE::Single;
using impact::HWY_NAMESPACE::SingleMask;
using impact::HWY_NAMESPACE::SingleTag;
inline constexpr std::size_t width = impact::HWY_NAMESPACE::single_count;

}  // namespace toccata::deformable::clusters::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
