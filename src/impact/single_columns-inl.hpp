// Vertices of several features in single precision, loaded into SIMD lanes, one feature a lane.
//
// Included once per Highway target (no #pragma once).
#include <hwy/highway.h>

#if defined(TOCCATA_IMPACT_SINGLE_COLUMNS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_IMPACT_SINGLE_COLUMNS_INL
#undef TOCCATA_IMPACT_SINGLE_COLUMNS_INL
#else
#define TOCCATA_IMPACT_SINGLE_COLUMNS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::impact::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using SingleTag = hn::CappedTag<float, 16>;
using Single = hn::Vec<SingleTag>;
using SingleMask = hn::Mask<SingleTag>;
inline constexpr std::size_t single_count = hn::MaxLanes(SingleTag());

// One row x0 y0 z0 - x1 y1 z1 - for each lane, as columns: x0 y0 z0 x1 y1 z1.
#if HWY_TARGET == HWY_SCALAR
HWY_INLINE void load_columns(const float* const* rows, Single* x) {
  for (std::size_t k = 0; k < 6; ++k) x[k] = hn::Set(SingleTag(), rows[0][k + (k > 2 ? 1 : 0)]);
}
#else
template <typename D>
HWY_INLINE void transpose_four(D d, const hn::Vec<D>* r, hn::Vec<D>* x) {
  const auto first = hn::InterleaveLower(d, r[0], r[2]), second = hn::InterleaveLower(d, r[1], r[3]);
  x[0] = hn::InterleaveLower(d, first, second);
  x[1] = hn::InterleaveUpper(d, first, second);
  x[2] = hn::InterleaveLower(d, hn::InterleaveUpper(d, r[0], r[2]), hn::InterleaveUpper(d, r[1], r[3]));
}

#if HWY_TARGET == HWY_AVX3
// Two rows beside each other, four pairs of them: blocks of four lanes at t0, t1, t0, t1.
HWY_INLINE void load_eight(const float* const* rows, Single* t) {
  const SingleTag d;
  const hn::Half<SingleTag> half;
  Single r[4];
  HWY_UNROLL(4)
  for (std::size_t i = 0; i < 4; ++i) {
    r[i] = hn::Combine(d, hn::LoadU(half, rows[4 + i]), hn::LoadU(half, rows[i]));
  }
  transpose_four(d, r, t);
}

HWY_INLINE void load_columns(const float* const* rows, Single* x) {
  Single t[3], s[3];
  load_eight(rows, t);
  load_eight(rows + 8, s);
  HWY_UNROLL(3)
  for (std::size_t k = 0; k < 3; ++k) {
    x[k] = Single{_mm512_shuffle_f32x4(t[k].raw, s[k].raw, _MM_SHUFFLE(2, 0, 2, 0))};
    x[3 + k] = Single{_mm512_shuffle_f32x4(t[k].raw, s[k].raw, _MM_SHUFFLE(3, 1, 3, 1))};
  }
}
#else
HWY_INLINE void load_columns(const float* const* rows, Single* x) {
  const SingleTag d;
  if constexpr (single_count == 8) {
    Single low[4], high[4], t[3], s[3];
    HWY_UNROLL(4)
    for (std::size_t i = 0; i < 4; ++i) {
      low[i] = hn::LoadU(d, rows[i]);
      high[i] = hn::LoadU(d, rows[4 + i]);
    }
    transpose_four(d, low, t);
    transpose_four(d, high, s);
    HWY_UNROLL(3)
    for (std::size_t k = 0; k < 3; ++k) {
      x[k] = hn::ConcatLowerLower(d, s[k], t[k]);
      x[3 + k] = hn::ConcatUpperUpper(d, s[k], t[k]);
    }
  } else {
    HWY_UNROLL(2)
    for (std::size_t end = 0; end < 2; ++end) {
      Single r[4];
      for (std::size_t i = 0; i < 4; ++i) r[i] = hn::LoadU(d, rows[i] + 4 * end);
      transpose_four(d, r, x + 3 * end);
    }
  }
}
#endif
#endif

}  // namespace toccata::impact::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
