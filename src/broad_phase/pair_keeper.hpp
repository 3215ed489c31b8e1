#pragma once
// Which of many boxes overlap, step after step. The boxes belong to others, who tell which have changed.
#include <set>

#include "broad_phase/pair_forecast.hpp"
#include "broad_phase/pair_tree.hpp"
#include "broad_phase/sweep_and_prune.hpp"
#include "toccata/broad_phase/broad_phase.hpp"

namespace toccata::broad_phase {

// Ids beyond the end have the usual one.
inline PairFilter filter_of(std::span<const PairFilter> filters, std::int32_t id) {
  return static_cast<std::size_t>(id) < filters.size() ? filters[static_cast<std::size_t>(id)] : PairFilter();
}

// By id, as they are at a step.
struct SeenBoxes {
  std::span<const Aabb> boxes;  // empty ones are not there
  std::span<const PairFilter> filters;
  const std::set<IndexPair>& switched_off;

  const Aabb& operator[](std::int32_t id) const { return boxes[static_cast<std::size_t>(id)]; }
  bool is_wanted(const IndexPair& pair) const {
    return (filters.empty() || may_meet(filter_of(filters, pair.first), filter_of(filters, pair.second))) &&
           (switched_off.empty() || !switched_off.contains(pair));
  }
};

class PairKeeper {
 public:
  explicit PairKeeper(const OverlappingPairsOptions& options = {}) : options_(options) {}

  // Ids run up to `count`; those that were not there before have changed.
  void resize(std::size_t count);
  // The box of an id, or whom it may meet, is another one at the next step.
  void mark(std::int32_t id) {
    if (is_changed(id)) return;
    is_changed_[static_cast<std::size_t>(id)] = true;
    changed_.push_back(id);
  }
  void mark_all();
  void moved(std::int32_t id, const Aabb& from, const Aabb& to) {
    mark(id);
    if (!notes_ways_) return;
    RoughWay& way = moved_[static_cast<std::size_t>(id)];
    for (int k = 0; k < 3; ++k) {
      const double farther =
          std::max(std::abs(to.lower[k] - from.lower[k]), std::abs(to.upper[k] - from.upper[k]));
      // Else one of them was empty or infinite.
      way.set(static_cast<std::size_t>(k), farther < 1e30 ? static_cast<float>(farther) : 0.0F);
    }
  }
  std::span<const std::int32_t> changed() const { return changed_; }  // since the last step, each once

  const PairChanges& step(const SeenBoxes& boxes);
  std::span<const IndexPair> pairs() const { return pairs_; }  // as of the last step

 private:
  bool is_changed(std::int32_t id) const { return is_changed_[static_cast<std::size_t>(id)]; }
  std::vector<IndexPair> pairs_now(const SeenBoxes& boxes);
  std::vector<IndexPair> all_pairs(const SeenBoxes& boxes);
  std::vector<IndexPair> pairs_after_few(const SeenBoxes& boxes);
  std::vector<IndexPair> with_fresh(const std::vector<IndexPair>& fresh) const;
  std::vector<IndexPair> forecast_pairs(const SeenBoxes& boxes) const;
  std::vector<IndexPair> forecast_pairs_after_few(const SeenBoxes& boxes) const;
  bool start_forecast(const SeenBoxes& boxes);
  bool follows_forecast(const SeenBoxes& boxes);
  void bring_tree_up_to_date(const SeenBoxes& boxes);
  void drop_tree();

  OverlappingPairsOptions options_;
  std::vector<bool> is_changed_;
  std::vector<std::int32_t> changed_;
  std::vector<RoughWay> moved_;  // by id: how far the sides of a box went when that was last noted
  bool notes_ways_ = true;       // for the next forecast
  std::vector<IndexPair> pairs_;
  PairChanges changes_;
  SweepAndPrune sweep_;
  PairTree tree_;
  bool has_tree_ = false;
  std::size_t refits_ = 0;  // of single boxes since the tree was built
  PairForecast forecast_;
  int forecast_steps_ = 0;  // that it has served
  int rest_ = 1;            // steps until the next one
  int next_rest_ = 4;
};

}  // namespace toccata::broad_phase
