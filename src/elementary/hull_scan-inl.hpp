// The farthest corner of a small hull, in lanes.
//
// Included once per Highway target (no #pragma once).
#include <hwy/highway.h>

#if defined(TOCCATA_ELEMENTARY_HULL_SCAN_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_ELEMENTARY_HULL_SCAN_INL
#undef TOCCATA_ELEMENTARY_HULL_SCAN_INL
#else
#define TOCCATA_ELEMENTARY_HULL_SCAN_INL
#endif

#include <bit>
#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace toccata::elementary {
namespace HWY_NAMESPACE {

using ScanTag = hwy::HWY_NAMESPACE::CappedTag<double, 8>;
inline constexpr std::size_t scan_lanes = hwy::HWY_NAMESPACE::MaxLanes(ScanTag());

// Products and sums as in plain code, one rounding each, so that every width gives the same bits. Columns: x
// of all, y, z, each padded to a multiple of 8.
struct ScannedHeights {
  const double* columns;
  std::size_t padded;
  hwy::HWY_NAMESPACE::Vec<ScanTag> x, y, z;

  HWY_INLINE ScannedHeights(const double* of_columns, std::size_t of_padded, const double* d)
      : columns(of_columns),
        padded(of_padded),
        x(hwy::HWY_NAMESPACE::Set(ScanTag(), d[0])),
        y(hwy::HWY_NAMESPACE::Set(ScanTag(), d[1])),
        z(hwy::HWY_NAMESPACE::Set(ScanTag(), d[2])) {}

  HWY_INLINE hwy::HWY_NAMESPACE::Vec<ScanTag> at(std::size_t i) const {
    namespace hn = hwy::HWY_NAMESPACE;
    const ScanTag tag;
    const auto xy =
        hn::Add(hn::Mul(x, hn::LoadU(tag, columns + i)), hn::Mul(y, hn::LoadU(tag, columns + padded + i)));
    return hn::Add(xy, hn::Mul(z, hn::LoadU(tag, columns + 2 * padded + i)));
  }
};

// Of as many corners as the heights of all of them stay in registers, or near: no chain leads from one to the
// next, and who is the highest is looked for once it is known how high that is.
template <std::size_t corners>
HWY_INLINE std::int32_t highest_of(const ScannedHeights& heights) {
  namespace hn = hwy::HWY_NAMESPACE;
  const ScanTag tag;
  constexpr std::size_t count = corners / scan_lanes;
  hn::Vec<ScanTag> height[count], most[count];
  for (std::size_t i = 0; i < count; ++i) most[i] = height[i] = heights.at(i * scan_lanes);
  for (std::size_t left = count; left > 1; left = (left + 1) / 2) {
    for (std::size_t i = 0; i < left / 2; ++i) most[i] = hn::Max(most[i], most[left - 1 - i]);
  }
  const auto top = hn::MaxOfLanes(tag, most[0]);
  // Collected without a branch, which nobody could foresee.
  std::uint64_t highest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(tag, hn::Eq(height[i], top), bits);
    highest |= static_cast<std::uint64_t>(bits[0]) << (i * scan_lanes);
  }
  return highest != 0 ? std::countr_zero(highest) : 0;  // 0: of directions that are not numbers
}

// Of any number.
HWY_INLINE std::int32_t highest_of_many(const ScannedHeights& heights) {
  namespace hn = hwy::HWY_NAMESPACE;
  const ScanTag tag;
  // Two chains, of every other vector, that do not wait for each other.
  const auto start = hn::Iota(tag, 0.0);
  auto even = heights.at(0), odd = even;
  auto where_even = start, where_odd = start, here = start;
  const auto step = hn::Set(tag, static_cast<double>(scan_lanes));
  const auto look = [&](std::size_t at, auto& best, auto& where) HWY_ATTR {
    const auto next = heights.at(at);
    where = hn::IfThenElse(hn::Gt(next, best), here, where);
    best = hn::Max(best, next);
    here = hn::Add(here, step);
  };
  std::size_t at = 0;
  for (; at + scan_lanes < heights.padded; at += 2 * scan_lanes) {
    look(at, even, where_even);
    look(at + scan_lanes, odd, where_odd);
  }
  if (at < heights.padded) look(at, even, where_even);
  const auto top = hn::MaxOfLanes(tag, hn::Max(even, odd));
  const auto none = hn::Set(tag, 1e9);
  where_even = hn::IfThenElse(hn::Eq(even, top), where_even, none);
  where_odd = hn::IfThenElse(hn::Eq(odd, top), where_odd, none);
  const auto first = hn::GetLane(hn::MinOfLanes(tag, hn::Min(where_even, where_odd)));
  return first < 1e9 ? static_cast<std::int32_t>(first) : 0;  // 0: of directions that are not numbers
}

// The first vertex with the greatest height along d.
HWY_INLINE std::int32_t scan_columns(const double* HWY_RESTRICT columns, std::size_t padded,
                                     const double* d) {
  const ScannedHeights heights(columns, padded, d);
  switch (padded) {
    case 8:
      return highest_of<8>(heights);
    case 16:
      return highest_of<16>(heights);
    case 24:
      return highest_of<24>(heights);
    case 32:
      return highest_of<32>(heights);
    case 40:
      return highest_of<40>(heights);
    case 48:
      return highest_of<48>(heights);
    case 56:
      return highest_of<56>(heights);
    case 64:
      return highest_of<64>(heights);
    default:
      return highest_of_many(heights);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::elementary
HWY_AFTER_NAMESPACE();

#endif  // TOCCATA_ELEMENTARY_HULL_SCAN_INL
