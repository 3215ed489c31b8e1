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
// Of all boxes: so many may leave in a step.
constexpr std::size_t most_leaving = 24;
// When the first ones leave after so many steps, the others follow soon: a tree to find their pairs in would
// cost as much as the next forecast.
constexpr int long_served = 5;

}  // namespace

PairForecast::GrownBox PairForecast::grown(const Aabb& box, const Eigen::Vector3f& moved) {
  constexpr float infinite = std::numeric_limits<float>::infinity();
  constexpr double everywhere = std::numeric_limits<double>::infinity();
  const double size = (box.upper - box.lower).maxCoeff();
  GrownBox to = {};
  for (int k = 0; k < 3; ++k) {
    const double low = box.lower[k], high = box.upper[k];
    const double side = high - low, way = steps_ahead * static_cast<double>(moved[k]);
    double growth = std::min(way + least_growth * side, most_growth * side);
    if (!std::isfinite(side) || !(growth > 0.0)) growth = 0.0;
    // A flat side needs at least what single precision tells apart, if that is not more than the box itself.
    const double told_apart = 0x1p-22 * std::max(std::abs(low), std::abs(high));
    if (std::isfinite(side) && (size == 0.0 || told_apart <= most_growth * size))
      growth = std::max(growth, told_apart);
    to.low[k] = low == -everywhere ? -infinite : float_above(low - growth);
    to.high[k] = high == everywhere ? infinite : float_below(high + growth);
  }
  return to;
}

Aabb PairForecast::GrownBox::box() const {
  return {Vector3(low[0], low[1], low[2]), Vector3(high[0], high[1], high[2])};
}

bool PairForecast::GrownBox::holds(const Aabb& box) const {
  for (int k = 0; k < 3; ++k) {
    if (!(static_cast<double>(low[k]) <= box.lower[k] && box.upper[k] <= static_cast<double>(high[k])))
      return false;
  }
  return true;
}

void PairForecast::forget() {
  grown_.clear();
  candidates_.clear();
  tree_ = {};
  has_tree_ = false;
}

bool PairForecast::start(std::span<const Aabb> boxes, std::span<const Eigen::Vector3f> moved,
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
  served_ = 0;
  has_left_.assign(boxes.size(), false);
  return true;
}

void PairForecast::build_tree() {
  if (has_tree_) return;
  std::vector<Aabb> wide(grown_.size());
  std::vector<std::int32_t> ids;
  ids.reserve(grown_.size());
  for (std::size_t i = 0; i < grown_.size(); ++i) {
    wide[i] = grown_[i].box();
    if (!is_empty(wide[i])) ids.push_back(static_cast<std::int32_t>(i));
  }
  tree_.build(wide, ids);
  has_tree_ = true;
}

bool PairForecast::holds(std::span<const Aabb> boxes, std::span<const std::int32_t> changed) const {
  if (!is_there() || boxes.size() != grown_.size()) return false;
  for (const std::int32_t id : changed) {
    const auto at = static_cast<std::size_t>(id);
    if (!is_empty(boxes[at]) && !grown_[at].holds(boxes[at])) return false;
  }
  return true;
}

bool PairForecast::follow(std::span<const Aabb> boxes, std::span<const Eigen::Vector3f> moved,
                          std::span<const std::int32_t> changed) {
  left_.clear();
  bool holds = boxes.size() == grown_.size();
  for (std::size_t i = 0; holds && i < changed.size(); ++i) {
    const auto at = static_cast<std::size_t>(changed[i]);
    if (is_empty(boxes[at]) || grown_[at].holds(boxes[at])) continue;
    holds = !is_empty(grown_[at].box()) && left_.size() * most_leaving <= boxes.size();
    left_.push_back(changed[i]);
  }
  if (!left_.empty() && !has_tree_ && served_ >= long_served) holds = false;
  if (!holds) {
    forget();
    return false;
  }
  ++served_;
  if (left_.empty()) return true;
  build_tree();  // of the boxes as they were: a refit of one follows
  for (const std::int32_t id : left_) {
    const auto at = static_cast<std::size_t>(id);
    grown_[at] = grown(boxes[at], moved[at]);
    if (!grown_[at].holds(boxes[at])) {
      forget();
      return false;
    }
  }
  for (const std::int32_t id : left_) {
    has_left_[static_cast<std::size_t>(id)] = true;
    tree_.refit(id, grown_[static_cast<std::size_t>(id)].box());
  }
  const auto is_left = [&](std::int32_t id) { return has_left_[static_cast<std::size_t>(id)]; };
  std::erase_if(candidates_, [&](const IndexPair& p) { return is_left(p.first) || is_left(p.second); });
  std::vector<IndexPair> fresh;
  std::vector<std::int32_t> near;
  for (const std::int32_t id : left_) {
    near.clear();
    tree_.overlapping(grown_[static_cast<std::size_t>(id)].box(), near);
    for (const std::int32_t other : near) {
      if (other == id || (other < id && is_left(other))) continue;  // once
      fresh.push_back({std::min(id, other), std::max(id, other)});
    }
  }
  std::sort(fresh.begin(), fresh.end());
  const auto middle = static_cast<std::ptrdiff_t>(candidates_.size());
  candidates_.insert(candidates_.end(), fresh.begin(), fresh.end());
  std::inplace_merge(candidates_.begin(), candidates_.begin() + middle, candidates_.end());
  for (const std::int32_t id : left_) has_left_[static_cast<std::size_t>(id)] = false;
  return true;
}

}  // namespace toccata::broad_phase
