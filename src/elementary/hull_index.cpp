#include "elementary/hull_index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "elementary/expansion.hpp"
#include "toccata/base/rounding.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "elementary/hull_index.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace toccata::elementary {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The first vertex with the greatest height. Products and sums as in plain code, one rounding each, so that
// every width gives the same bits.
std::int32_t scan_columns(const double* HWY_RESTRICT columns, std::size_t padded, const double* d) {
  const hn::CappedTag<double, 8> tag;
  const std::size_t lanes = hn::Lanes(tag);
  const auto dx = hn::Set(tag, d[0]), dy = hn::Set(tag, d[1]), dz = hn::Set(tag, d[2]);
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

#if HWY_ONCE
namespace toccata {
namespace elementary {
HWY_EXPORT(scan_columns);

// Asked from the namespace that exports it, which a build for one instruction set insists on.
std::int32_t scanned(const HullIndex& index, const Vector3& direction) {
  return HWY_DYNAMIC_DISPATCH(scan_columns)(index.columns.data(), index.columns.size() / 3, direction.data());
}
}  // namespace elementary

namespace {

constexpr int cells_of_face = HullIndex::table_width * HullIndex::table_width;

double plain_height(const Vector3& d, const Vector3& p) {
  return d.x() * p.x() + d.y() * p.y() + d.z() * p.z();
}

// The cell of a direction on the cube: the face of its largest coordinate, then the other two as shares of
// it.
int cell_of(const Vector3& d) {
  const double x = std::abs(d.x()), y = std::abs(d.y()), z = std::abs(d.z());
  const int axis = x >= y ? (x >= z ? 0 : 2) : (y >= z ? 1 : 2);
  const double largest = axis == 0 ? d.x() : axis == 1 ? d.y() : d.z();
  const double s = axis == 0 ? d.y() : d.x(), t = axis == 2 ? d.y() : d.z();
  const double scale = (0.5 * HullIndex::table_width) / std::abs(largest);
  const double half = 0.5 * HullIndex::table_width;
  // A direction of length zero gives NaN, which lands in the first cell.
  const auto place = [](double at) {
    return at > 0.0 ? std::min(static_cast<int>(at), HullIndex::table_width - 1) : 0;
  };
  return (2 * axis + (largest < 0.0 ? 1 : 0)) * cells_of_face +
         place(s * scale + half) * HullIndex::table_width + place(t * scale + half);
}

Vector3 middle_of(int cell) {
  const int face = cell / cells_of_face, axis = face / 2;
  const int row = cell % cells_of_face / HullIndex::table_width, column = cell % HullIndex::table_width;
  Vector3 d;
  d[axis] = face % 2 == 0 ? 1.0 : -1.0;
  d[axis == 0 ? 1 : 0] = (row + 0.5) / (0.5 * HullIndex::table_width) - 1.0;
  d[axis == 2 ? 1 : 2] = (column + 0.5) / (0.5 * HullIndex::table_width) - 1.0;
  return d;
}

// Heights strictly rise, so that the climb ends.
std::int32_t climb(const HullIndex& index, const Vector3& d, std::int32_t vertex) {
  double height = plain_height(d, index.points[vertex]);
  for (;;) {
    std::int32_t best = vertex;
    for (std::int32_t i = index.first_neighbour[vertex]; i < index.first_neighbour[vertex + 1]; ++i) {
      const std::int32_t next = index.neighbours[i];
      const double h = plain_height(d, index.points[next]);
      if (!(h > height)) continue;
      height = h;
      best = next;
    }
    if (best == vertex) return vertex;
    vertex = best;
  }
}

}  // namespace

HullIndex::HullIndex(std::span<const Vector3> corners, std::span<const std::int32_t> corner_neighbours,
                     std::span<const std::int32_t> corner_first)
    : count(static_cast<std::int32_t>(corners.size())) {
  if (count <= scanned_vertices || corner_neighbours.empty()) {
    const std::size_t padded = (corners.size() + 7) / 8 * 8;
    columns.resize(3 * padded);
    for (std::size_t i = 0; i < padded; ++i) {
      const Vector3& p = corners[i < corners.size() ? i : 0];
      for (std::size_t k = 0; k < 3; ++k) columns[k * padded + i] = p[static_cast<int>(k)];
    }
    return;
  }
  points.assign(corners.begin(), corners.end());
  neighbours.assign(corner_neighbours.begin(), corner_neighbours.end());
  first_neighbour.assign(corner_first.begin(), corner_first.end());
  table.resize(6 * cells_of_face);
  std::int32_t vertex = 0;
  for (int cell = 0; cell < 6 * cells_of_face; ++cell) {
    vertex = climb(*this, middle_of(cell), vertex);
    table[cell] = vertex;
  }
}

std::int32_t farthest_vertex(const HullIndex& index, const Vector3& direction, std::int32_t hint) {
  if (index.is_scanned()) return elementary::scanned(index, direction);
  std::int32_t start = index.table[cell_of(direction)];
  if (hint >= 0 && plain_height(direction, index.points[hint]) > plain_height(direction, index.points[start]))
    start = hint;
  return climb(index, direction, start);
}

std::int32_t near_vertex(const HullIndex& index, const Vector3& direction) {
  return index.is_scanned() ? elementary::scanned(index, direction) : index.table[cell_of(direction)];
}

namespace {

// Whether q is surely lower than p. Rounded: the difference, the product, two sums, each u of terms that sum
// to `magnitude`, which is computed low by as many. 8 u has room.
bool is_surely_lower(const Vector3& d, const Vector3& q, const Vector3& p) {
  const double x = d.x() * (q.x() - p.x()), y = d.y() * (q.y() - p.y()), z = d.z() * (q.z() - p.z());
  const double magnitude = std::abs(x) + std::abs(y) + std::abs(z);
  return magnitude > 1e-250 && x + y + z < -8.0 * unit_roundoff * magnitude;
}

}  // namespace

int height_sign(const Vector3& d, const Vector3& q, const Vector3& p) {
  const double x = d.x() * (q.x() - p.x()), y = d.y() * (q.y() - p.y()), z = d.z() * (q.z() - p.z());
  const double value = x + y + z, magnitude = std::abs(x) + std::abs(y) + std::abs(z);
  // As for is_surely_lower.
  if (magnitude > 1e-250 && std::abs(value) > 8.0 * unit_roundoff * magnitude) return value > 0.0 ? 1 : -1;
  // Powers of two keep the products in range; zeros of coordinates that differ by 2^1000 stay exact zeros.
  const double largest = std::max({d.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min()});
  const double extent =
      std::max({q.cwiseAbs().maxCoeff(), p.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min()});
  const double scale_d = std::ldexp(1.0, std::clamp(200 - std::ilogb(largest), -1022, 1023));
  const double scale_p = std::ldexp(1.0, std::clamp(200 - std::ilogb(extent), -1022, 1023));
  elementary::Expansion<16> sum;
  for (int k = 0; k < 3; ++k) {
    elementary::Expansion<1> factor;
    factor.push(scale_d * d[k]);
    sum.add(elementary::product(factor, elementary::difference(scale_p * q[k], scale_p * p[k])));
  }
  return sum.sign();
}

std::int32_t farthest_exactly(const HullIndex& index, const Vector3& direction, std::int32_t vertex) {
  if (index.is_scanned()) return vertex;
  for (;;) {
    std::int32_t higher = -1;
    for (std::int32_t i = index.first_neighbour[vertex]; i < index.first_neighbour[vertex + 1]; ++i) {
      const std::int32_t next = index.neighbours[i];
      if (is_surely_lower(direction, index.points[next], index.points[vertex]) ||
          height_sign(direction, index.points[next], index.points[vertex]) <= 0)
        continue;
      higher = next;
      break;
    }
    if (higher < 0) return vertex;
    vertex = higher;
  }
}

}  // namespace toccata
#endif  // HWY_ONCE
