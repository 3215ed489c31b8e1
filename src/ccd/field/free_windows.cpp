#include "ccd/field/free_windows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "toccata/base/rounding.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ccd/field/free_windows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "field/lane_vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::field {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, 8>;
using V = hn::Vec<D>;
using V3 = LaneVector<V>;

// DistanceField::rough_bound in lanes.
HWY_INLINE V lower_bound(D tag, const WindowGrid& grid, const V3& point) {
  constexpr double side_count = DistanceField::rough_side;
  const V half = hn::Set(tag, grid.half), reach = hn::Set(tag, grid.half * (1.0 - 0x1p-40));
  const V across = hn::Set(tag, side_count / (2.0 * grid.half));
  const V side = hn::Set(tag, grid.half * (2.0 / side_count));
  const V zero = hn::Zero(tag);
  V cell[3];
  V away = zero, from_middle = zero;
  const auto add = [&](int k, V coordinate) HWY_ATTR {
    const V offset = hn::Sub(coordinate, hn::Set(tag, grid.center[k]));
    const V inside = hn::Min(hn::Max(offset, hn::Neg(reach)), reach);
    cell[k] = hn::Trunc(hn::Mul(hn::Add(inside, half), across));
    const V middle = hn::Sub(hn::Mul(side, hn::Add(cell[k], hn::Set(tag, 0.5))), half);
    const V out = hn::Sub(offset, inside), in = hn::Sub(inside, middle);
    away = hn::Add(away, hn::Mul(out, out));
    from_middle = hn::Add(from_middle, hn::Mul(in, in));
  };
  add(0, point.x);
  add(1, point.y);
  add(2, point.z);
  const V many = hn::Set(tag, side_count);
  const V place = hn::Add(hn::Mul(hn::Add(hn::Mul(cell[2], many), cell[1]), many), cell[0]);
  const hn::Rebind<std::int32_t, D> to_integer;
  const hn::Rebind<float, D> to_float;
  const V known = hn::PromoteTo(tag, hn::GatherIndex(to_float, grid.lower, hn::DemoteTo(to_integer, place)));
  const V lower = hn::Sub(known, hn::Sqrt(from_middle));
  const V at_least = hn::Max(lower, zero);
  const V beyond = hn::Mul(hn::Sqrt(hn::Add(away, hn::Mul(at_least, at_least))), hn::Set(tag, 1.0 - 0x1p-48));
  return hn::Sub(hn::IfThenElse(hn::Gt(away, zero), beyond, lower), hn::Set(tag, grid.rounding));
}

// Eight bits, three zeros after each.
HWY_INLINE std::uint32_t every_fourth(std::uint32_t bits) {
  bits = (bits | bits << 12U) & 0x000F000FU;
  bits = (bits | bits << 6U) & 0x03030303U;
  return (bits | bits << 3U) & 0x11111111U;
}

}  // namespace

std::uint32_t free_windows_kernel(const WindowTable& table, const WindowGrid& grid, const WindowPath& path) {
  const D tag;
  const V half = hn::Set(tag, 0.5), bend = hn::Set(tag, path.bend);
  // Of the body's frame, at the ends in these columns.
  const auto place_at = [&](std::size_t at) HWY_ATTR {
    const V time = hn::Load(tag, table.time + at);
    const auto world = [&](int k) HWY_ATTR {
      return hn::Add(hn::Set(tag, path.from[k]), hn::Mul(time, hn::Set(tag, path.way[k])));
    };
    const V3 place = {world(0), world(1), world(2)};
    const auto seen = [&](int k) HWY_ATTR {
      const V3 row = {hn::Load(tag, table.turn[k][0] + at), hn::Load(tag, table.turn[k][1] + at),
                      hn::Load(tag, table.turn[k][2] + at)};
      return hn::Sub(dot(row, place), hn::Load(tag, table.shift[k] + at));
    };
    return V3{seen(0), seen(1), seen(2)};
  };
  std::uint32_t result = 0;
  for (std::size_t lane = 0; lane < WindowTable::lanes; lane += hn::Lanes(tag)) {
    V3 begin = place_at(lane);
    for (std::size_t row = 0; row < WindowTable::rows; ++row) {
      const std::size_t at = row * WindowTable::lanes + lane;
      const V3 end = place_at(at + WindowTable::lanes);
      const V3 way = times(minus(end, begin), half);
      const V3 middle = {hn::Add(begin.x, way.x), hn::Add(begin.y, way.y), hn::Add(begin.z, way.z)};
      const V needed = hn::Add(hn::Mul(hn::Sqrt(dot(way, way)), hn::Set(tag, 1.0 + 0x1p-48)),
                               hn::Add(bend, hn::Load(tag, table.taken + at)));
      std::uint8_t bits[8] = {};
      hn::StoreMaskBits(tag, hn::Gt(lower_bound(tag, grid, middle), needed), bits);
      result |= every_fourth(static_cast<std::uint32_t>(bits[0]) << lane) << row;
      begin = end;
    }
  }
  return result;
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::field
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::field {

HWY_EXPORT(free_windows_kernel);

FreeWindows::FreeWindows(const DistanceField& field, const Motion& motion, std::span<const Moment> moments)
    : pose_error_(motion.pose_error()), center_(moments.front().expansion.center) {
  const DistanceFieldData& data = field.data();
  grid_.lower = field.rough_grid().data();
  for (int k = 0; k < 3; ++k) grid_.center[k] = data.center[k];
  grid_.half = data.half_side;
  grid_.rounding = 0x1p-48 * (data.half_side + data.center.cwiseAbs().maxCoeff());
  auto table = std::make_shared<WindowTable>();
  const Moment last = moment_at(motion, 1.0);
  for (std::size_t i = 0; i < WindowTable::ends; ++i) {
    const std::size_t number = i % WindowTable::lanes * WindowTable::rows + i / WindowTable::lanes;
    const Moment& m = number < count ? moments[number * moments.size() / count] : last;
    const Vector3 shift = m.pose.rotation.transpose() * m.pose.translation;
    for (int k = 0; k < 3; ++k) {
      for (int j = 0; j < 3; ++j) table->turn[k][j][i] = m.pose.rotation(j, k);
      table->shift[k][i] = shift[k];
    }
    table->time[i] = static_cast<double>(number) / count;
    translation_ = std::max(translation_, m.translation);
    if (i >= WindowTable::windows) continue;
    const bool breaks = m.end < static_cast<double>(number + 1) / count;
    table->taken[i] = breaks ? std::numeric_limits<double>::infinity() : 0.0;
    const MotionExpansion& e = m.expansion;
    spread_ = std::max(spread_, (e.center - center_).norm());
    velocity_ = std::max(velocity_, e.velocity.norm());
    spin_ = std::max(spin_, m.spin);
    turning_ = std::max(turning_, m.turning);
    speed_slack_ = std::max(speed_slack_, e.speed_slack);
    spin_slack_ = std::max(spin_slack_, e.spin_slack);
    acceleration_ = std::max(acceleration_, e.acceleration);
  }
  table_ = std::move(table);
}

// The bounds of docs/notes/particle_bounds.md, "Stretches of time".
std::uint32_t FreeWindows::operator()(const Vector3& from, const Vector3& to, double minimum) const {
  if (table_ == nullptr) return 0;
  constexpr double length = 1.0 / count;
  const Vector3 way = to - from;
  const double going = way.norm(), arm = (from - center_).norm() + going + spread_;
  const double speed = going + velocity_ + spin_ * arm;
  const double slack = speed_slack_ + spin_slack_ * arm;
  const double second =
      acceleration_ + turning_ * arm + 2.0 * speed * (spin_ + spin_slack_) + length * speed * turning_;
  const double seen = from.cwiseAbs().sum() + to.cwiseAbs().sum() + translation_;
  const double off = pose_error_.translation + pose_error_.rotation * seen + 80.0 * unit_roundoff * seen;
  WindowPath path;
  for (int k = 0; k < 3; ++k) {
    path.from[k] = from[k];
    path.way[k] = way[k];
  }
  path.bend = (2.0 * slack * length + second * (length * length)) * (1.0 + 1e-12) + minimum + 3.0 * off;
  return HWY_DYNAMIC_DISPATCH(free_windows_kernel)(*table_, grid_, path);
}

}  // namespace toccata::field
#endif
