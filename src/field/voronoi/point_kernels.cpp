#include "field/voronoi/point_kernels.hpp"

#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "field/voronoi/point_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace toccata::voronoi::points {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, 8>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;

// Relative: a square of a distance is off by 4 u, their difference by one more.
constexpr double square_error = 0x1p-48;

HWY_INLINE V set(double value) {
  return hn::Set(D(), value);
}

// The sites of a list, one after the other in memory.
struct Columns {
  double few[4 * 32];
  std::vector<double> many;
  const double* begin = few;  // x, y, z and the number of each
  const double* end = few;

  Columns(const PreparedSites& sites, std::span<const std::int32_t> list) {
    double* to = few;
    if (list.size() > 32) {
      many.resize(4 * list.size());
      to = many.data();
    }
    begin = to;
    end = to + 4 * list.size();
    for (const std::int32_t s : list) {
      const std::array<double, 3>& place = sites.places[static_cast<std::size_t>(s)];
      to[0] = place[0];
      to[1] = place[1];
      to[2] = place[2];
      to[3] = s;
      to += 4;
    }
  }
};

// Boxes in the plane z = 0 of all sites have no third coordinate.
template <bool Flat>
struct Boxes {
  V x, y, z, half_x, half_y, half_z;

  Boxes(const CellColumns& cells, std::size_t at)
      : x(hn::Load(D(), cells.center[0] + at)),
        y(hn::Load(D(), cells.center[1] + at)),
        z(hn::Load(D(), cells.center[2] + at)),
        half_x(hn::Load(D(), cells.half[0] + at)),
        half_y(hn::Load(D(), cells.half[1] + at)),
        half_z(hn::Load(D(), cells.half[2] + at)) {}

  HWY_INLINE V squared_from(const double* place) const {
    const V dx = hn::Sub(x, set(place[0])), dy = hn::Sub(y, set(place[1]));
    const V plane = hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy));
    if constexpr (Flat) return plane;
    const V dz = hn::Sub(z, set(place[2]));
    return hn::Add(plane, hn::Mul(dz, dz));
  }
};

template <bool Flat>
struct NearestPoint {
  V squared, number, x, y, z;

  NearestPoint(const Boxes<Flat>& boxes, const Columns& list) {
    squared = set(1e300);
    V at = set(0.0), count = set(0.0);
    for (const double* place = list.begin; place != list.end; place += 4) {
      const V here = boxes.squared_from(place);
      at = hn::IfThenElse(hn::Lt(here, squared), count, at);
      squared = hn::Min(here, squared);
      count = hn::Add(count, set(1.0));
    }
    alignas(64) double rows[8], values[4][8];
    hn::Store(at, D(), rows);
    for (std::size_t l = 0; l < hn::Lanes(D()); ++l)
      for (int i = 0; i < 4; ++i)
        values[i][l] = list.begin[4 * static_cast<std::size_t>(rows[l]) + static_cast<std::size_t>(i)];
    x = hn::Load(D(), values[0]);
    y = hn::Load(D(), values[1]);
    z = hn::Load(D(), values[2]);
    number = hn::Load(D(), values[3]);
  }

  // Can the other one be nearer anywhere in the boxes?
  HWY_INLINE M may_lose(const Boxes<Flat>& boxes, const double* place, V other_squared) const {
    V apart = hn::Add(hn::Mul(hn::Abs(hn::Sub(x, set(place[0]))), boxes.half_x),
                      hn::Mul(hn::Abs(hn::Sub(y, set(place[1]))), boxes.half_y));
    if constexpr (!Flat) apart = hn::Add(apart, hn::Mul(hn::Abs(hn::Sub(z, set(place[2]))), boxes.half_z));
    const V bound = hn::Add(hn::Mul(apart, set(2.0 * (1.0 + 0x1p-48))),
                            hn::Mul(hn::Add(other_squared, squared), set(square_error)));
    return hn::Le(hn::Sub(other_squared, squared), bound);
  }
};

HWY_INLINE unsigned bits_of(M mask) {
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(D(), mask, bits);
  return bits[0];
}

template <bool Flat>
HWY_NOINLINE void answer(const Question& question, std::span<const std::int32_t> list,
                         const CellColumns& cells, CellAnswers& answers) {
  const Columns places(*question.sites, list);
  for (std::size_t at = 0; at < static_cast<std::size_t>(cells.count); at += hn::Lanes(D())) {
    const Boxes<Flat> boxes(cells, at);
    const NearestPoint<Flat> best(boxes, places);
    V number = best.number;
    M certified = hn::Eq(number, number);
    if (list.size() > 1) {
      const V equal = hn::Mul(best.squared, set(1.0 + square_error));
      // From the last to the first: the lowest of equals stays.
      for (const double* place = places.end; place != places.begin;) {
        place -= 4;
        const V squared = boxes.squared_from(place);
        const V s = set(place[3]);
        number = hn::IfThenElse(hn::Le(squared, equal), s, number);
        const M rival = hn::AndNot(hn::Eq(best.number, s), best.may_lose(boxes, place, squared));
        certified = hn::AndNot(rival, certified);
      }
    }
    hn::StoreU(hn::DemoteTo(hn::Rebind<std::int32_t, D>(), number), hn::Rebind<std::int32_t, D>(),
               answers.site + at);
    hn::StoreU(hn::Sqrt(best.squared), D(), answers.value + at);
    const unsigned bits = bits_of(certified);
    for (std::size_t l = 0; l < hn::Lanes(D()); ++l)
      answers.certified[at + l] = static_cast<std::uint8_t>((bits >> l) & 1U);
  }
}

template <bool Flat>
HWY_NOINLINE void sift(const Question& question, std::span<const std::int32_t> list, const CellColumns& cells,
                       std::int32_t* const* lists, std::int32_t* counts) {
  const Columns columns(*question.sites, list);
  const auto count = static_cast<std::size_t>(cells.count);
  for (std::size_t at = 0; at < count; at += hn::Lanes(D())) {
    const std::size_t lanes = at + hn::Lanes(D()) <= count ? hn::Lanes(D()) : count - at;
    const Boxes<Flat> boxes(cells, at);
    const NearestPoint<Flat> best(boxes, columns);
    const double* place = columns.begin;
    for (std::size_t i = 0; i < list.size(); ++i, place += 4) {
      const M rival = best.may_lose(boxes, place, boxes.squared_from(place));
      if (hn::AllFalse(D(), rival)) continue;
      const unsigned bits = bits_of(rival);
      for (std::size_t l = 0; l < lanes; ++l) {
        lists[at + l][counts[at + l]] = list[i];
        counts[at + l] += static_cast<std::int32_t>((bits >> l) & 1U);
      }
    }
  }
}

void answer_kernel(const Question& question, std::span<const std::int32_t> list, const CellColumns& cells,
                   CellAnswers& answers) {
  question.flat ? answer<true>(question, list, cells, answers)
                : answer<false>(question, list, cells, answers);
}

void sift_kernel(const Question& question, std::span<const std::int32_t> list, const CellColumns& cells,
                 std::int32_t* const* lists, std::int32_t* counts) {
  question.flat ? sift<true>(question, list, cells, lists, counts)
                : sift<false>(question, list, cells, lists, counts);
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::voronoi::points
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::voronoi::points {

HWY_EXPORT(answer_kernel);
HWY_EXPORT(sift_kernel);

void answer_points(const Question& question, std::span<const std::int32_t> sites, const CellColumns& cells,
                   CellAnswers& answers) {
  HWY_DYNAMIC_DISPATCH(answer_kernel)(question, sites, cells, answers);
}

void sift_points(const Question& question, std::span<const std::int32_t> sites, const CellColumns& cells,
                 std::int32_t* const* lists, std::int32_t* counts) {
  HWY_DYNAMIC_DISPATCH(sift_kernel)(question, sites, cells, lists, counts);
}

}  // namespace toccata::voronoi::points
#endif
