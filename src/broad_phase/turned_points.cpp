// A lane per axis: a point costs three products, two sums, a minimum and a maximum. Where the coordinates of
// points are at hand one by one: a lane per point.
#include "broad_phase/turned_points.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broad_phase/turned_points.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace toccata::broad_phase {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// columns: of the rotation, each with a fourth row.
void TurnedExtent(const double (*columns)[4], const double* points, std::size_t count, double* least,
                  double* most) {
  const hn::CappedTag<double, 4> d;
  for (std::size_t at = 0; at < 4; at += hn::Lanes(d)) {
    const auto x = hn::LoadU(d, columns[0] + at), y = hn::LoadU(d, columns[1] + at),
               z = hn::LoadU(d, columns[2] + at);
    const auto turned = [&](const double* p) HWY_ATTR {
      return hn::Add(hn::Add(hn::Mul(x, hn::Set(d, p[0])), hn::Mul(y, hn::Set(d, p[1]))),
                     hn::Mul(z, hn::Set(d, p[2])));
    };
    // Two at a time: each waits for the one before it.
    auto low = turned(points), high = low, other_low = low, other_high = low;
    std::size_t i = 1;
    for (; i + 1 < count; i += 2) {
      const auto value = turned(points + 3 * i), other = turned(points + 3 * i + 3);
      low = hn::Min(low, value);
      high = hn::Max(high, value);
      other_low = hn::Min(other_low, other);
      other_high = hn::Max(other_high, other);
    }
    if (i < count) {
      const auto value = turned(points + 3 * i);
      low = hn::Min(low, value);
      high = hn::Max(high, value);
    }
    hn::StoreU(hn::Min(low, other_low), d, least + at);
    hn::StoreU(hn::Max(high, other_high), d, most + at);
  }
}

// rows: of the rotation.
void TurnedColumns(const double* rows, const double* columns, std::size_t padded, double* least,
                   double* most) {
  const hn::CappedTag<double, 8> d;
  const auto turned = [&](std::size_t row, std::size_t at) HWY_ATTR {
    const double* r = rows + 3 * row;
    const auto xy = hn::Add(hn::Mul(hn::Set(d, r[0]), hn::LoadU(d, columns + at)),
                            hn::Mul(hn::Set(d, r[1]), hn::LoadU(d, columns + padded + at)));
    return hn::Add(xy, hn::Mul(hn::Set(d, r[2]), hn::LoadU(d, columns + 2 * padded + at)));
  };
  auto low_x = turned(0, 0), high_x = low_x, low_y = turned(1, 0), high_y = low_y, low_z = turned(2, 0),
       high_z = low_z;
  for (std::size_t at = hn::Lanes(d); at < padded; at += hn::Lanes(d)) {
    const auto x = turned(0, at), y = turned(1, at), z = turned(2, at);
    low_x = hn::Min(low_x, x);
    high_x = hn::Max(high_x, x);
    low_y = hn::Min(low_y, y);
    high_y = hn::Max(high_y, y);
    low_z = hn::Min(low_z, z);
    high_z = hn::Max(high_z, z);
  }
  least[0] = hn::GetLane(hn::MinOfLanes(d, low_x));
  least[1] = hn::GetLane(hn::MinOfLanes(d, low_y));
  least[2] = hn::GetLane(hn::MinOfLanes(d, low_z));
  most[0] = hn::GetLane(hn::MaxOfLanes(d, high_x));
  most[1] = hn::GetLane(hn::MaxOfLanes(d, high_y));
  most[2] = hn::GetLane(hn::MaxOfLanes(d, high_z));
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::broad_phase
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::broad_phase {

HWY_EXPORT(TurnedExtent);
HWY_EXPORT(TurnedColumns);

Aabb turned_points_box(const Matrix3& rotation, std::span<const Vector3> points) {
  static_assert(sizeof(Vector3) == 3 * sizeof(double));
  double columns[3][4], least[4], most[4];
  for (int k = 0; k < 3; ++k) {
    for (int row = 0; row < 3; ++row) columns[k][row] = rotation(row, k);
    columns[k][3] = 0.0;
  }
  HWY_DYNAMIC_DISPATCH(TurnedExtent)(columns, points[0].data(), points.size(), least, most);
  return {Vector3(least[0], least[1], least[2]), Vector3(most[0], most[1], most[2])};
}

Aabb turned_points_box(const Matrix3& rotation, const ScannedCorners& corners) {
  double rows[9];
  for (int k = 0; k < 3; ++k) {
    for (int column = 0; column < 3; ++column) rows[3 * k + column] = rotation(k, column);
  }
  Aabb box;
  HWY_DYNAMIC_DISPATCH(TurnedColumns)
  (rows, corners.columns, corners.padded, box.lower.data(), box.upper.data());
  return box;
}

}  // namespace toccata::broad_phase
#endif
