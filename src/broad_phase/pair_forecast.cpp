#include "broad_phase/pair_forecast.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "broad_phase/box_columns.hpp"
#include "broad_phase/buffer.hpp"
#include "broad_phase/few_pairs.hpp"
#include "broad_phase/pair_order.hpp"
#include "broad_phase/row_pairs.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata::broad_phase {
namespace {

constexpr double steps_ahead = 10.0;
constexpr double least_growth = 1.0 / 16.0;  // of a side, at each of its ends: no motion is quite straight
constexpr double most_growth = 1.5;          // what goes farther in a step is not worth a forecast
// Where most boxes move, all are grown again as soon as one has left its grown box: others are about to.
// Where few do, so many more than one in that many may leave at one step.
constexpr std::size_t few_at_once = 4;
constexpr std::size_t share_at_once = 64;
constexpr std::size_t share_of_movers = 16;

constexpr float everywhere = std::numeric_limits<float>::infinity();
constexpr FloatBox nothing = {{everywhere, everywhere, everywhere}, {-everywhere, -everywhere, -everywhere}};

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

FloatBox PairForecast::grown(const Aabb& box, const RoughWay& moved) {
  const Vector3 sides = box.upper - box.lower;
  const double size = std::max(sides[0], std::max(sides[1], sides[2]));
  const double way = static_cast<double>(moved[0] + moved[1] + moved[2]);
  // Differences of floats beyond their range, of infinite ends, and what is not a number go the long way.
  if (!(size + way < 1e30) || !(box.lower.cwiseAbs().sum() < 1e30)) return grown_unbounded(box, moved);
  FloatBox to = {};
  for (int k = 0; k < 3; ++k) {
    const double low = box.lower[k], high = box.upper[k];
    const double growth = growth_of(sides[k], static_cast<double>(moved[static_cast<std::size_t>(k)]),
                                    std::max(std::abs(low), std::abs(high)), size);
    to.low[k] = at_least(low - growth);
    to.high[k] = -at_least(-high - growth);
  }
  return to;
}

FloatBox PairForecast::grown_unbounded(const Aabb& box, const RoughWay& moved) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const double size = (box.upper - box.lower).maxCoeff();
  FloatBox to = {};
  for (int k = 0; k < 3; ++k) {
    const double low = box.lower[k], high = box.upper[k], side = high - low;
    double growth = 0.0;
    if (std::isfinite(side))
      growth = growth_of(side, static_cast<double>(moved[static_cast<std::size_t>(k)]),
                         std::max(std::abs(low), std::abs(high)), size);
    if (!(growth > 0.0)) growth = 0.0;
    to.low[k] = low == -infinite ? -everywhere : float_above(low - growth);
    to.high[k] = high == infinite ? everywhere : float_below(high + growth);
  }
  return to;
}

void PairForecast::forget() {
  grown_.clear();
  candidates_.clear();
}

bool PairForecast::start(std::span<const Aabb> boxes, std::span<const RoughWay> moved,
                         std::span<const std::int32_t> ids, int threads) {
  forget();
  regrown_ = 0;
  grown_.assign(boxes.size(), nothing);
  Buffer<Aabb> wide;
  wide.sized(boxes.size());
  for (const std::int32_t id : ids) {
    const auto at = static_cast<std::size_t>(id);
    grown_[at] = grown(boxes[at], moved[at]);
    if (!grown_[at].holds(boxes[at])) {  // far from the origin for its size
      forget();
      return false;
    }
    wide.data()[at] = grown_[at].box();
  }
  RowPairs().find({wide.data(), boxes.size()}, ids, threads, candidates_);
  sort_pairs(candidates_, boxes.size());
  candidates_.shrink_to_fit();
  return true;
}

bool PairForecast::follow(std::span<const Aabb> boxes, std::span<const RoughWay> moved,
                          std::span<const std::int32_t> changed) {
  if (!is_there()) return false;
  if (boxes.size() > grown_.size()) grown_.resize(boxes.size(), nothing);
  const bool few_move = changed.size() * share_of_movers <= grown_.size();
  const std::size_t most = few_move ? few_at_once + grown_.size() / share_at_once : 0;
  std::vector<std::int32_t> left;
  for (std::size_t i = 0; i < changed.size() && left.size() <= most; ++i) {
    const auto at = static_cast<std::size_t>(changed[i]);
    if (!is_empty(boxes[at]) && !grown_[at].holds(boxes[at])) left.push_back(changed[i]);
  }
  if (left.empty()) return true;
  regrown_ += left.size();
  if (left.size() <= most && regrown_ <= grown_.size() && regrow(boxes, moved, left)) return true;
  forget();
  return false;
}

bool PairForecast::regrow(std::span<const Aabb> boxes, std::span<const RoughWay> moved,
                          std::span<const std::int32_t> left) {
  std::vector<bool> is_left(grown_.size(), false);
  for (const std::int32_t id : left) {
    const auto at = static_cast<std::size_t>(id);
    grown_[at] = grown(boxes[at], moved[at]);
    if (!grown_[at].holds(boxes[at])) return false;
    is_left[at] = true;
  }
  std::vector<IndexPair> fresh;
  if (!few_pairs(grown_, left, fresh)) return false;
  std::sort(fresh.begin(), fresh.end());
  std::erase_if(candidates_, [&](const IndexPair& pair) {
    return is_left[static_cast<std::size_t>(pair.first)] || is_left[static_cast<std::size_t>(pair.second)];
  });
  const auto kept = static_cast<std::ptrdiff_t>(candidates_.size());
  candidates_.insert(candidates_.end(), fresh.begin(), fresh.end());
  std::inplace_merge(candidates_.begin(), candidates_.begin() + kept, candidates_.end());
  return true;
}

}  // namespace toccata::broad_phase
