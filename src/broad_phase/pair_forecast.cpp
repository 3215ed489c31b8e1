#include "broad_phase/pair_forecast.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "broad_phase/box_columns.hpp"
#include "broad_phase/pair_order.hpp"

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

Aabb grown_box(const Aabb& box, const Eigen::Vector3f& moved) {
  Aabb grown = box;
  for (int k = 0; k < 3; ++k) {
    const double side = box.upper[k] - box.lower[k];
    if (!std::isfinite(side)) continue;
    const double way = steps_ahead * static_cast<double>(moved[k]);
    const double growth = std::min(way + least_growth * side, most_growth * side);
    if (!(growth > 0.0)) continue;
    grown.lower[k] -= growth;
    grown.upper[k] += growth;
  }
  return grown;
}

bool is_in(const Aabb& box, const Aabb& outer) {
  return (outer.lower.array() <= box.lower.array()).all() && (box.upper.array() <= outer.upper.array()).all();
}

}  // namespace

void PairForecast::forget() {
  grown_.clear();
  candidates_.clear();
}

void PairForecast::start(std::span<const Aabb> boxes, std::span<const Eigen::Vector3f> moved,
                         std::span<const std::int32_t> ids, RowPairs& rows, int threads) {
  grown_.assign(boxes.begin(), boxes.end());
  for (const std::int32_t id : ids) {
    const auto at = static_cast<std::size_t>(id);
    grown_[at] = grown_box(boxes[at], moved[at]);
  }
  candidates_.clear();
  rows.find(grown_, ids, threads, candidates_);
  sort_pairs(candidates_, grown_.size());
  has_tree_ = false;
  served_ = 0;
  has_left_.assign(boxes.size(), false);
}

void PairForecast::build_tree() {
  if (has_tree_) return;
  std::vector<std::int32_t> ids;
  ids.reserve(grown_.size());
  for (std::size_t i = 0; i < grown_.size(); ++i) {
    if (!is_empty(grown_[i])) ids.push_back(static_cast<std::int32_t>(i));
  }
  tree_.build(grown_, ids);
  has_tree_ = true;
}

bool PairForecast::follow(std::span<const Aabb> boxes, std::span<const Eigen::Vector3f> moved,
                          std::span<const std::int32_t> changed) {
  left_.clear();
  bool holds = boxes.size() == grown_.size();
  for (std::size_t i = 0; holds && i < changed.size(); ++i) {
    const auto at = static_cast<std::size_t>(changed[i]);
    if (is_empty(boxes[at]) || is_in(boxes[at], grown_[at])) continue;
    holds = !is_empty(grown_[at]) && left_.size() * most_leaving <= boxes.size();
    left_.push_back(changed[i]);
  }
  if (!left_.empty() && !has_tree_ && served_ >= long_served) holds = false;
  if (!holds) {
    forget();
    return false;
  }
  ++served_;
  if (left_.empty()) return true;
  build_tree();
  for (const std::int32_t id : left_) {
    const auto at = static_cast<std::size_t>(id);
    has_left_[at] = true;
    grown_[at] = grown_box(boxes[at], moved[at]);
    tree_.refit(grown_, id);
  }
  const auto is_left = [&](std::int32_t id) { return has_left_[static_cast<std::size_t>(id)]; };
  std::erase_if(candidates_, [&](const IndexPair& p) { return is_left(p.first) || is_left(p.second); });
  std::vector<IndexPair> fresh;
  std::vector<std::int32_t> near;
  for (const std::int32_t id : left_) {
    near.clear();
    tree_.overlapping(grown_[static_cast<std::size_t>(id)], near);
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
