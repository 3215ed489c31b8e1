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

#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace toccata::elementary {
namespace HWY_NAMESPACE {

// The first vertex with the greatest height along (x, y, z). Products and sums as in plain code, one rounding
// each, so that every width gives the same bits. Columns: x of all, y, z, each padded to a multiple of 8.
HWY_INLINE std::int32_t scan_columns(const double* HWY_RESTRICT columns, std::size_t padded, double x,
                                     double y, double z) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<double, 8> tag;
  const std::size_t lanes = hn::Lanes(tag);
  const auto dx = hn::Set(tag, x), dy = hn::Set(tag, y), dz = hn::Set(tag, z);
  const auto height = [&](std::size_t at) HWY_ATTR {
    const auto xy = hn::Add(hn::Mul(dx, hn::LoadU(tag, columns + at)),
                            hn::Mul(dy, hn::LoadU(tag, columns + padded + at)));
    return hn::Add(xy, hn::Mul(dz, hn::LoadU(tag, columns + 2 * padded + at)));
  };
  // Two chains, of every other vector, that do not wait for each other.
  const auto start = hn::Iota(tag, 0.0);
  auto even = height(0), odd = even;
  auto where_even = start, where_odd = start, here = start;
  const auto step = hn::Set(tag, static_cast<double>(lanes));
  const auto look = [&](std::size_t at, auto& best, auto& where) HWY_ATTR {
    const auto next = height(at);
    where = hn::IfThenElse(hn::Gt(next, best), here, where);
    best = hn::Max(best, next);
    here = hn::Add(here, step);
  };
  std::size_t at = 0;
  for (; at + lanes < padded; at += 2 * lanes) {
    look(at, even, where_even);
    look(at + lanes, odd, where_odd);
  }
  if (at < padded) look(at, even, where_even);
  const auto top = hn::MaxOfLanes(tag, hn::Max(even, odd));
  const auto none = hn::Set(tag, 1e9);
  where_even = hn::IfThenElse(hn::Eq(even, top), where_even, none);
  where_odd = hn::IfThenElse(hn::Eq(odd, top), where_odd, none);
  const auto first = hn::GetLane(hn::MinOfLanes(tag, hn::Min(where_even, where_odd)));
  return first < 1e9 ? static_cast<std::int32_t>(first) : 0;  // 0: of directions that are not numbers
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::elementary
HWY_AFTER_NAMESPACE();

#endif  // TOCCATA_ELEMENTARY_HULL_SCAN_INL
