#include "broad_phase/box_columns.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broad_phase/box_columns.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace toccata::broad_phase {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, 8>;
static_assert(BoxColumns::room >= 8);

// The box at `own` of `a` against those of `b` from `begin` on that do not start behind its end; those must
// not start before it, so that the first axis needs no other test. swapped: meetings are (b, a).
HWY_INLINE void MeetFrom(const BoxColumns& a, std::size_t own, const BoxColumns& b, std::size_t begin,
                         bool swapped, std::vector<Meeting>& meetings) {
  const D d;
  const auto end = hn::Set(d, a.high(0)[own]);
  const auto low_y = hn::Set(d, a.low(1)[own]), high_y = hn::Set(d, a.high(1)[own]);
  const auto low_z = hn::Set(d, a.low(2)[own]), high_z = hn::Set(d, a.high(2)[own]);
  for (std::size_t at = begin;; at += hn::Lanes(d)) {
    const auto starts = hn::Le(hn::LoadU(d, b.low(0) + at), end);
    const auto y =
        hn::And(hn::Le(hn::LoadU(d, b.low(1) + at), high_y), hn::Ge(hn::LoadU(d, b.high(1) + at), low_y));
    const auto z =
        hn::And(hn::Le(hn::LoadU(d, b.low(2) + at), high_z), hn::Ge(hn::LoadU(d, b.high(2) + at), low_z));
    const auto meet = hn::And(starts, hn::And(y, z));
    if (!hn::AllFalse(d, meet)) {
      std::uint8_t bits[8] = {};
      hn::StoreMaskBits(d, meet, bits);
      for (unsigned left = bits[0]; left != 0; left &= left - 1) {
        const auto found = static_cast<std::uint32_t>(at) + static_cast<std::uint32_t>(__builtin_ctz(left));
        const auto mine = static_cast<std::uint32_t>(own);
        meetings.push_back(swapped ? Meeting{found, mine} : Meeting{mine, found});
      }
    }
    if (!hn::AllTrue(d, starts) || at + hn::Lanes(d) >= b.size()) return;
  }
}

void SweepOne(const BoxColumns& boxes, std::vector<Meeting>& meetings) {
  for (std::size_t i = 0; i + 1 < boxes.size(); ++i) MeetFrom(boxes, i, boxes, i + 1, false, meetings);
}

void SweepTwo(const BoxColumns& a, const BoxColumns& b, std::vector<Meeting>& meetings) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    // Whoever starts first meets those of the other list that start during it.
    if (a.low(0)[i] <= b.low(0)[j]) {
      MeetFrom(a, i, b, j, false, meetings);
      ++i;
    } else {
      MeetFrom(b, j, a, i, true, meetings);
      ++j;
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::broad_phase
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <limits>

namespace toccata::broad_phase {

HWY_EXPORT(SweepOne);
HWY_EXPORT(SweepTwo);

void BoxColumns::resize(std::size_t count) {
  if (count + room > stride_) {
    stride_ = count + count / 4 + room;
    floats_ = std::make_unique_for_overwrite<float[]>(6 * stride_);
    names_ = std::make_unique_for_overwrite<Name[]>(stride_);
  }
  count_ = count;
  // No comparison with a NaN holds: it meets nothing, not even an infinite box.
  constexpr float nowhere = std::numeric_limits<float>::quiet_NaN();
  for (std::size_t k = 0; k < 6; ++k) {
    float* end = floats_.get() + k * stride_ + count;
    std::fill(end, end + room, nowhere);
  }
}

void sweep(const BoxColumns& boxes, std::vector<Meeting>& meetings) {
  HWY_DYNAMIC_DISPATCH(SweepOne)(boxes, meetings);
}

void sweep(const BoxColumns& a, const BoxColumns& b, std::vector<Meeting>& meetings) {
  HWY_DYNAMIC_DISPATCH(SweepTwo)(a, b, meetings);
}

}  // namespace toccata::broad_phase
#endif
