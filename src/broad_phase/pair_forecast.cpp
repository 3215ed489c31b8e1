#include "broad_phase/pair_forecast.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "broad_phase/box_columns.hpp"
#include "broad_phase/pair_order.hpp"
#include "broad_phase/row_pairs.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata::broad_phase {
namespace {

constexpr double steps_ahead = 10.0;
constexpr double least_growth = 1.0 / 32.0;  // of a side, at each of its ends: no motion is quite straight
constexpr double most_growth = 0.75;         // what goes farther in a step is not worth a forecast
// Inwards, by a little more than needed.
float at_least(double x) {
  const auto nearest = static_cast<float>(x);
  return nearest + (std::abs(nearest) * 0x1p-23F + 0x1p-140F);
}

double growth_of(double side, double moved, double farthest_end, double size) {
  const double growth = std::min(steps_ahead * moved + least_growth * side, most_growth * side);
  // A flat side needs at least what single precision tells apart, if that is not more than the box itself.
  const double told_apart = 0x1p-21 * farthest_end + 0x1p-138;
  return told_apart <= most_growth * size || size == 0.0 ? std::max(growth, told_apart) : growth;
}

}  // namespace

PairForecast::GrownBox PairForecast::grown(const Aabb& box, const RoughWay& moved) {
  const Vector3 sides = box.upper - box.lower;
  const double size = std::max(sides[0], std::max(sides[1], sides[2]));
  const double way = static_cast<double>(moved[0] + moved[1] + moved[2]);
  // Differences of floats beyond their range, of infinite ends, and what is not a number go the long way.
  if (!(size + way < 1e30) || !(box.lower.cwiseAbs().sum() < 1e30)) return grown_unbounded(box, moved);
  GrownBox to = {};
  for (int k = 0; k < 3; ++k) {
    const double low = box.lower[k], high = box.upper[k];
    const double growth = growth_of(sides[k], static_cast<double>(moved[static_cast<std::size_t>(k)]),
                                    std::max(std::abs(low), std::abs(high)), size);
    to.low[k] = at_least(low - growth);
    to.high[k] = -at_least(-high - growth);
  }
  return to;
}

PairForecast::GrownBox PairForecast::grown_unbounded(const Aabb& box, const RoughWay& moved) {
  constexpr float infinite = std::numeric_limits<float>::infinity();
  constexpr double everywhere = std::numeric_limits<double>::infinity();
  const double size = (box.upper - box.lower).maxCoeff();
  GrownBox to = {};
  for (int k = 0; k < 3; ++k) {
    const double low = box.lower[k], high = box.upper[k], side = high - low;
    double growth = 0.0;
    if (std::isfinite(side))
      growth = growth_of(side, static_cast<double>(moved[static_cast<std::size_t>(k)]),
                         std::max(std::abs(low), std::abs(high)), size);
    if (!(growth > 0.0)) growth = 0.0;
    to.low[k] = low == -everywhere ? -infinite : float_above(low - growth);
    to.high[k] = high == everywhere ? infinite : float_below(high + growth);
  }
  return to;
}

Aabb PairForecast::GrownBox::box() const {
  return {Vector3(low[0], low[1], low[2]), Vector3(high[0], high[1], high[2])};
}

void PairForecast::forget() {
  grown_.clear();
  candidates_.clear();
}

bool PairForecast::start(std::span<const Aabb> boxes, std::span<const RoughWay> moved,
                         std::span<const std::int32_t> ids, int threads) {
  forget();
  constexpr float far = std::numeric_limits<float>::infinity();
  grown_.assign(boxes.size(), {{far, far, far}, {-far, -far, -far}});
  std::vector<Aabb> wide(boxes.begin(), boxes.end());
  for (const std::int32_t id : ids) {
    const auto at = static_cast<std::size_t>(id);
    grown_[at] = grown(boxes[at], moved[at]);
    if (!grown_[at].holds(boxes[at])) {  // far from the origin for its size
      forget();
      return false;
    }
    wide[at] = grown_[at].box();
  }
  RowPairs().find(wide, ids, threads, candidates_);
  sort_pairs(candidates_, wide.size());
  candidates_.shrink_to_fit();
  return true;
}

bool PairForecast::holds(std::span<const Aabb> boxes, std::span<const std::int32_t> changed) const {
  if (!is_there() || boxes.size() != grown_.size()) return false;
  for (const std::int32_t id : changed) {
    const auto at = static_cast<std::size_t>(id);
    if (!is_empty(boxes[at]) && !grown_[at].holds(boxes[at])) return false;
  }
  return true;
}

}  // namespace toccata::broad_phase
