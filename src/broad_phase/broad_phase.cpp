#include "toccata/broad_phase/broad_phase.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>

#include "broad_phase/box_columns.hpp"
#include "broad_phase/pair_forecast.hpp"
#include "broad_phase/pair_order.hpp"
#include "broad_phase/pair_tree.hpp"
#include "broad_phase/row_pairs.hpp"
#include "broad_phase/sweep_and_prune.hpp"

namespace toccata {

using namespace broad_phase;

namespace {

// Below this share of changed boxes their pairs alone are found again, by a tree over all boxes.
constexpr std::size_t few = 16;
// A forecast is worth its making if it serves so many steps; else it is left alone for a while, longer and
// longer.
constexpr int worth_steps = 2;
constexpr int shortest_rest = 4;
constexpr int longest_rest = 64;

Aabb nothing() {
  const Vector3 far = Vector3::Constant(std::numeric_limits<double>::infinity());
  return {far, -far};
}

IndexPair ordered(std::int32_t a, std::int32_t b) {
  return {std::min(a, b), std::max(a, b)};
}

}  // namespace

struct BroadPhase::State {
  OverlappingPairsOptions options;
  std::vector<Aabb> boxes;  // by id; free ids are empty
  std::vector<PairFilter> filters;
  std::vector<bool> is_used;
  std::set<std::int32_t> free_ids;
  std::set<IndexPair> switched_off;
  std::vector<std::int32_t> changed;  // since the last step, each once
  std::vector<bool> is_changed;
  std::vector<IndexPair> pairs;
  PairChanges changes;
  RowPairs rows;
  SweepAndPrune sweep;
  PairTree tree;
  std::vector<Eigen::Vector3f> moved;  // by id: how far the sides of a box went when they were last set
  PairForecast forecast;
  int forecast_steps = 0;  // that it has served
  int rest = 1;            // steps until the next one
  int next_rest = shortest_rest;
  bool has_tree = false;
  std::size_t refits = 0;  // of single boxes since the tree was built

  bool contains(std::int32_t id) const {
    return id >= 0 && static_cast<std::size_t>(id) < is_used.size() && is_used[static_cast<std::size_t>(id)];
  }

  void mark(std::int32_t id) {
    if (is_changed[static_cast<std::size_t>(id)]) return;
    is_changed[static_cast<std::size_t>(id)] = true;
    changed.push_back(id);
  }

  bool is_wanted(const IndexPair& pair) const {
    return may_meet(filters[static_cast<std::size_t>(pair.first)],
                    filters[static_cast<std::size_t>(pair.second)]) &&
           (switched_off.empty() || !switched_off.contains(pair));
  }

  std::vector<std::int32_t> ids_there() const {
    std::vector<std::int32_t> ids;
    ids.reserve(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      if (!is_empty(boxes[i])) ids.push_back(static_cast<std::int32_t>(i));
    }
    return ids;
  }

  std::vector<IndexPair> all_pairs() {
    std::vector<IndexPair> found;
    if (options.method == PairMethod::Sweep) {
      found = sweep.step(boxes);
    } else if (options.method == PairMethod::Tree) {
      bring_tree_up_to_date();
      tree.pairs(boxes, options.threads, found);
    } else {
      has_tree = false;
      rows.find(boxes, ids_there(), options.threads, found);
    }
    std::erase_if(found, [&](const IndexPair& pair) { return !is_wanted(pair); });
    sort_pairs(found, boxes.size());
    return found;
  }

  // Boxes that were not there when the tree was built, or are not there any more, need another one.
  void bring_tree_up_to_date() {
    bool same = has_tree && refits + changed.size() < 4 * boxes.size();
    for (std::size_t i = 0; same && i < changed.size(); ++i) {
      const std::int32_t id = changed[i];
      same = tree.contains(id) != is_empty(boxes[static_cast<std::size_t>(id)]);
    }
    if (!same) {
      tree.build(boxes, ids_there());
      has_tree = true;
      refits = 0;
      return;
    }
    refits += changed.size();
    if (changed.size() * few > boxes.size()) {
      tree.refit(boxes);
      return;
    }
    for (const std::int32_t id : changed) {
      if (tree.contains(id)) tree.refit(boxes, id);
    }
  }

  // The pairs of the boxes that have not changed, and those that the others have now.
  std::vector<IndexPair> pairs_after_few() {
    bring_tree_up_to_date();
    std::vector<IndexPair> kept, fresh, all;
    std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(kept), [&](const IndexPair& pair) {
      return !is_changed[static_cast<std::size_t>(pair.first)] &&
             !is_changed[static_cast<std::size_t>(pair.second)];
    });
    std::vector<std::int32_t> near;
    for (const std::int32_t id : changed) {
      const Aabb& own = boxes[static_cast<std::size_t>(id)];
      if (is_empty(own)) continue;
      near.clear();
      tree.overlapping(own, near);
      for (const std::int32_t other : near) {
        if (other == id || (other < id && is_changed[static_cast<std::size_t>(other)])) continue;  // once
        const IndexPair pair = ordered(id, other);
        if (overlap(own, boxes[static_cast<std::size_t>(other)]) && is_wanted(pair)) fresh.push_back(pair);
      }
    }
    std::sort(fresh.begin(), fresh.end());
    all.reserve(kept.size() + fresh.size());
    std::merge(kept.begin(), kept.end(), fresh.begin(), fresh.end(), std::back_inserter(all));
    return all;
  }

  // All pairs, by a forecast for the steps to come.
  void start_forecast() {
    has_tree = false;
    forecast_steps = 0;
    forecast.start(boxes, moved, ids_there(), rows, options.threads);
  }

  std::vector<IndexPair> forecast_pairs() const {
    std::vector<IndexPair> found;
    found.reserve(pairs.size() + pairs.size() / 8 + 8);
    for (const IndexPair& pair : forecast.candidates()) {
      if (overlap(boxes[static_cast<std::size_t>(pair.first)],
                  boxes[static_cast<std::size_t>(pair.second)]) &&
          is_wanted(pair))
        found.push_back(pair);
    }
    return found;
  }

  bool follows_forecast() {
    if (!forecast.is_there()) return false;
    if (forecast.follow(boxes, moved, changed)) {
      if (++forecast_steps == worth_steps) next_rest = shortest_rest;
      return true;
    }
    if (forecast_steps < worth_steps) {
      rest = next_rest;
      next_rest = std::min(2 * next_rest, longest_rest);
    }
    return false;
  }

  std::vector<IndexPair> pairs_now() {
    const bool partly = options.method != PairMethod::Sweep && changed.size() * few <= boxes.size();
    if (options.method == PairMethod::Rows) {
      if (follows_forecast()) return forecast_pairs();
      if (rest == 0) {
        start_forecast();
        return forecast_pairs();
      }
      --rest;
    }
    return partly ? pairs_after_few() : all_pairs();
  }

  void step() {
    std::vector<IndexPair> now = pairs_now();
    changes.appeared.clear();
    changes.went.clear();
    std::set_difference(now.begin(), now.end(), pairs.begin(), pairs.end(),
                        std::back_inserter(changes.appeared));
    std::set_difference(pairs.begin(), pairs.end(), now.begin(), now.end(), std::back_inserter(changes.went));
    pairs = std::move(now);
    for (const std::int32_t id : changed) is_changed[static_cast<std::size_t>(id)] = false;
    changed.clear();
  }
};

BroadPhase::BroadPhase(const OverlappingPairsOptions& options) : state_(std::make_unique<State>()) {
  state_->options = options;
}
BroadPhase::~BroadPhase() = default;
BroadPhase::BroadPhase(BroadPhase&&) noexcept = default;
BroadPhase& BroadPhase::operator=(BroadPhase&&) noexcept = default;

std::int32_t BroadPhase::insert(const Aabb& box, const PairFilter& filter) {
  State& s = *state_;
  if (s.free_ids.empty()) {
    s.free_ids.insert(static_cast<std::int32_t>(s.boxes.size()));
    s.boxes.push_back(nothing());
    s.filters.emplace_back();
    s.is_used.push_back(false);
    s.is_changed.push_back(false);
    s.moved.push_back(Eigen::Vector3f::Zero());
  }
  const std::int32_t id = *s.free_ids.begin();
  s.free_ids.erase(s.free_ids.begin());
  const auto at = static_cast<std::size_t>(id);
  s.boxes[at] = box;
  s.filters[at] = filter;
  s.is_used[at] = true;
  s.moved[at].setZero();
  s.mark(id);
  return id;
}

void BroadPhase::remove(std::int32_t id) {
  State& s = *state_;
  if (!s.contains(id)) return;
  s.boxes[static_cast<std::size_t>(id)] = nothing();
  s.is_used[static_cast<std::size_t>(id)] = false;
  s.free_ids.insert(id);
  std::erase_if(s.switched_off, [&](const IndexPair& pair) { return pair.first == id || pair.second == id; });
  s.mark(id);
}

void BroadPhase::update(std::int32_t id, const Aabb& box) {
  if (!state_->contains(id)) return;
  Aabb& old = state_->boxes[static_cast<std::size_t>(id)];
  state_->moved[static_cast<std::size_t>(id)] =
      (box.lower - old.lower).cwiseAbs().cwiseMax((box.upper - old.upper).cwiseAbs()).cast<float>();
  old = box;
  state_->mark(id);
}

void BroadPhase::set_filter(std::int32_t id, const PairFilter& filter) {
  if (!state_->contains(id)) return;
  state_->filters[static_cast<std::size_t>(id)] = filter;
  state_->mark(id);
}

void BroadPhase::switch_off(std::int32_t a, std::int32_t b) {
  if (a == b || !state_->contains(a) || !state_->contains(b)) return;
  state_->switched_off.insert(ordered(a, b));
  state_->mark(a);
}

void BroadPhase::switch_on(std::int32_t a, std::int32_t b) {
  if (state_->switched_off.erase(ordered(a, b)) > 0) state_->mark(a);
}

bool BroadPhase::contains(std::int32_t id) const {
  return state_->contains(id);
}

std::size_t BroadPhase::size() const {
  return state_->boxes.size() - state_->free_ids.size();
}

const Aabb& BroadPhase::box(std::int32_t id) const {
  return state_->boxes[static_cast<std::size_t>(id)];
}

const PairChanges& BroadPhase::step() {
  state_->step();
  return state_->changes;
}

std::span<const IndexPair> BroadPhase::pairs() const {
  return state_->pairs;
}

}  // namespace toccata
