// Rounding to nearest is off by at most 2^-24 of the value, or half the smallest number: each coordinate is
// moved by more than that, which keeps their order.
#include "broad_phase/placed_boxes.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broad_phase/placed_boxes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace toccata::broad_phase {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void PlaceBoxes(const Rows& rows, const Aabb* boxes, const std::int32_t* ids, std::size_t count, Placed* to) {
  const hn::CappedTag<double, 2> d2;
  const hn::CappedTag<float, 2> f2;
  const hn::CappedTag<float, 4> f4;
  const hn::CappedTag<std::int32_t, 4> i4;
  const auto most = hn::Set(f2, largest_coordinate), least = hn::Set(f2, -largest_coordinate);
  const auto share = hn::Set(f2, 0x1p-23F), smallest = hn::Set(f2, 0x1p-140F);
  // Lower ends go down, upper ends up: the six coordinates of a box lie side by side.
  const float outwards[6] = {-1.0F, -1.0F, -1.0F, 1.0F, 1.0F, 1.0F};
  const float origin[4] = {rows.origin[0], rows.origin[1], rows.origin[0], rows.origin[1]};
  const float per_length[4] = {rows.per_length[0], rows.per_length[1], rows.per_length[0],
                               rows.per_length[1]};
  const float last[4] = {rows.last[0], rows.last[1], rows.last[0], rows.last[1]};
  for (std::size_t i = 0; i < count; ++i) {
    const double* corners = boxes[ids[i]].lower.data();
    float rounded[6];
    for (std::size_t at = 0; at < 6; at += hn::Lanes(d2)) {
      const auto nearest = hn::Min(most, hn::Max(least, hn::DemoteTo(f2, hn::LoadU(d2, corners + at))));
      const auto margin = hn::Add(hn::Mul(hn::Abs(nearest), share), smallest);
      hn::StoreU(hn::Add(nearest, hn::Mul(margin, hn::LoadU(f2, outwards + at))), f2, rounded + at);
    }
    Placed& p = to[i];
    for (std::size_t k = 0; k < 3; ++k) {
      p.box.low[k] = rounded[rows.axis[k]];
      p.box.high[k] = rounded[3 + rows.axis[k]];
    }
    p.box.id = ids[i];
    const float ends[4] = {p.box.low[1], p.box.low[2], p.box.high[1], p.box.high[2]};
    std::int32_t row[4];
    for (std::size_t at = 0; at < 4; at += hn::Lanes(f4)) {
      const auto place = hn::Mul(hn::Sub(hn::LoadU(f4, ends + at), hn::LoadU(f4, origin + at)),
                                 hn::LoadU(f4, per_length + at));
      const auto kept = hn::Min(hn::LoadU(f4, last + at), hn::Max(hn::Zero(f4), place));
      hn::StoreU(hn::ConvertTo(i4, kept), i4, row + at);
    }
    for (std::size_t side = 0; side < 2; ++side) {
      p.box.first_row[side] = static_cast<std::uint16_t>(row[side]);
      p.last_row[side] = static_cast<std::uint16_t>(row[2 + side]);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::broad_phase
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::broad_phase {

HWY_EXPORT(PlaceBoxes);

void place_boxes(const Rows& rows, std::span<const Aabb> boxes, std::span<const std::int32_t> ids,
                 Placed* to) {
  static_assert(sizeof(Aabb) == 6 * sizeof(double));
  HWY_DYNAMIC_DISPATCH(PlaceBoxes)(rows, boxes.data(), ids.data(), ids.size(), to);
}

}  // namespace toccata::broad_phase
#endif
