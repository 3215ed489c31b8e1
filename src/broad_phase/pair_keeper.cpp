#include "broad_phase/pair_keeper.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "broad_phase/box_columns.hpp"
#include "broad_phase/pair_order.hpp"
#include "broad_phase/row_pairs.hpp"

namespace toccata::broad_phase {
namespace {

// Below this share of changed boxes their pairs alone are found again, by a tree over all boxes.
constexpr std::size_t few = 16;
// A forecast is worth its making if it serves so many steps; else it is left alone for a while, longer and
// longer.
constexpr int worth_steps = 4;
constexpr int shortest_rest = 4;
constexpr int longest_rest = 64;
// While a forecast serves, how far boxes go is noted every so many steps: the next one needs no more.
constexpr int steps_a_note = 4;

// As toccata::overlap, but without a branch, which would be anybody's guess.
inline bool share_a_point(const Aabb& a, const Aabb& b) {
  bool all = true;
  for (int k = 0; k < 3; ++k) {
    all &= a.lower[k] <= b.upper[k];
    all &= b.lower[k] <= a.upper[k];
  }
  return all;
}

std::vector<std::int32_t> ids_there(std::span<const Aabb> boxes) {
  std::vector<std::int32_t> ids;
  ids.reserve(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (!is_empty(boxes[i])) ids.push_back(static_cast<std::int32_t>(i));
  }
  return ids;
}

}  // namespace

void PairKeeper::resize(std::size_t count) {
  const std::size_t before = is_changed_.size();
  if (count <= before) return;
  // One more at a time must not mean all again, and doubling would leave half of it empty.
  if (count > moved_.capacity()) moved_.reserve(std::max(count, before + before / 8 + 16));
  is_changed_.resize(count, false);
  moved_.resize(count);
  for (std::size_t i = before; i < count; ++i) mark(static_cast<std::int32_t>(i));
}

void PairKeeper::mark_all() {
  changed_.reserve(is_changed_.size());
  for (std::size_t i = 0; i < is_changed_.size(); ++i) mark(static_cast<std::int32_t>(i));
}

std::vector<IndexPair> PairKeeper::all_pairs(const SeenBoxes& boxes) {
  std::vector<IndexPair> found;
  if (options_.method == PairMethod::Sweep) {
    found = sweep_.step(boxes.boxes);
  } else if (options_.method == PairMethod::Tree) {
    bring_tree_up_to_date(boxes);
    tree_.pairs(boxes.boxes, options_.threads, found);
  } else {
    drop_tree();
    RowPairs().find(boxes.boxes, ids_there(boxes.boxes), options_.threads, found);
  }
  std::erase_if(found, [&](const IndexPair& pair) { return !boxes.is_wanted(pair); });
  sort_pairs(found, boxes.boxes.size());
  return found;
}

void PairKeeper::drop_tree() {
  if (has_tree_) tree_ = {};
  has_tree_ = false;
}

// Boxes that were not there when the tree was built, or are not there any more, need another one.
void PairKeeper::bring_tree_up_to_date(const SeenBoxes& boxes) {
  bool same = has_tree_ && refits_ + changed_.size() < 4 * boxes.boxes.size();
  for (std::size_t i = 0; same && i < changed_.size(); ++i)
    same = tree_.contains(changed_[i]) != is_empty(boxes[changed_[i]]);
  if (!same) {
    tree_.build(boxes.boxes, ids_there(boxes.boxes));
    has_tree_ = true;
    refits_ = 0;
    return;
  }
  refits_ += changed_.size();
  if (changed_.size() * few > boxes.boxes.size()) {
    tree_.refit(boxes.boxes);
    return;
  }
  for (const std::int32_t id : changed_) {
    if (tree_.contains(id)) tree_.refit(id, boxes[id]);
  }
}

// The pairs of the boxes that have not changed, and those that the others have now.
std::vector<IndexPair> PairKeeper::pairs_after_few(const SeenBoxes& boxes) {
  bring_tree_up_to_date(boxes);
  std::vector<IndexPair> fresh;
  std::vector<std::int32_t> near;
  for (const std::int32_t id : changed_) {
    const Aabb& own = boxes[id];
    if (is_empty(own)) continue;
    near.clear();
    tree_.overlapping(own, near);
    for (const std::int32_t other : near) {
      if (other == id || (other < id && is_changed(other))) continue;  // once
      const IndexPair pair = {std::min(id, other), std::max(id, other)};
      if (share_a_point(own, boxes[other]) && boxes.is_wanted(pair)) fresh.push_back(pair);
    }
  }
  std::sort(fresh.begin(), fresh.end());
  return with_fresh(fresh);
}

// The pairs of boxes that have not changed, and the fresh ones, sorted.
std::vector<IndexPair> PairKeeper::with_fresh(const std::vector<IndexPair>& fresh) const {
  std::vector<IndexPair> kept, all;
  kept.reserve(pairs_.size());
  std::copy_if(pairs_.begin(), pairs_.end(), std::back_inserter(kept),
               [&](const IndexPair& pair) { return !is_changed(pair.first) && !is_changed(pair.second); });
  all.reserve(kept.size() + fresh.size());
  std::merge(kept.begin(), kept.end(), fresh.begin(), fresh.end(), std::back_inserter(all));
  return all;
}

// For the steps to come.
bool PairKeeper::start_forecast(const SeenBoxes& boxes) {
  drop_tree();
  forecast_steps_ = 0;
  if (forecast_.start(boxes.boxes, moved_, ids_there(boxes.boxes), options_.threads)) return true;
  rest_ = longest_rest;
  return false;
}

std::vector<IndexPair> PairKeeper::forecast_pairs(const SeenBoxes& boxes) const {
  std::vector<IndexPair> found;
  found.reserve(pairs_.size() + pairs_.size() / 8 + 8);
  constexpr std::size_t at_once = 64;
  IndexPair some[at_once];
  const std::span<const IndexPair> all = forecast_.candidates();
  for (std::size_t begin = 0; begin < all.size(); begin += at_once) {
    std::size_t count = 0;
    for (const IndexPair& pair : all.subspan(begin, std::min(at_once, all.size() - begin))) {
      some[count] = pair;
      count += share_a_point(boxes[pair.first], boxes[pair.second]) ? 1 : 0;
    }
    for (std::size_t i = 0; i < count; ++i) {
      // One that is not there any more has no point in common even with a box that is everywhere.
      if (boxes.is_wanted(some[i]) && !is_empty(boxes[some[i].first]) && !is_empty(boxes[some[i].second]))
        found.push_back(some[i]);
    }
  }
  return found;
}

// Only those of boxes that have changed are looked at.
std::vector<IndexPair> PairKeeper::forecast_pairs_after_few(const SeenBoxes& boxes) const {
  std::vector<IndexPair> fresh;
  for (const IndexPair& pair : forecast_.candidates()) {
    if (!is_changed(pair.first) && !is_changed(pair.second)) continue;
    const Aabb &a = boxes[pair.first], &b = boxes[pair.second];
    if (share_a_point(a, b) && boxes.is_wanted(pair) && !is_empty(a) && !is_empty(b)) fresh.push_back(pair);
  }
  return with_fresh(fresh);
}

bool PairKeeper::follows_forecast(const SeenBoxes& boxes) {
  if (!forecast_.is_there()) return false;
  if (forecast_.follow(boxes.boxes, moved_, changed_)) {
    if (++forecast_steps_ == worth_steps) next_rest_ = shortest_rest;
    return true;
  }
  if (forecast_steps_ < worth_steps) {
    rest_ = next_rest_;
    next_rest_ = std::min(2 * next_rest_, longest_rest);
  }
  return false;
}

std::vector<IndexPair> PairKeeper::pairs_now(const SeenBoxes& boxes) {
  const bool partly = options_.method != PairMethod::Sweep && changed_.size() * few <= boxes.boxes.size();
  if (options_.method == PairMethod::Rows) {
    if (follows_forecast(boxes)) return partly ? forecast_pairs_after_few(boxes) : forecast_pairs(boxes);
    // For few changes the other way is a tree, which takes longer to build.
    if ((rest_ == 0 || (partly && !has_tree_)) && start_forecast(boxes)) return forecast_pairs(boxes);
    if (rest_ > 0) --rest_;
  }
  return partly ? pairs_after_few(boxes) : all_pairs(boxes);
}

const PairChanges& PairKeeper::step(const SeenBoxes& boxes) {
  std::vector<IndexPair> now = pairs_now(boxes);
  notes_ways_ = !forecast_.is_there() || changed_.size() * few <= is_changed_.size() ||
                forecast_steps_ % steps_a_note == steps_a_note - 1;
  changes_.appeared.clear();
  changes_.went.clear();
  std::set_difference(now.begin(), now.end(), pairs_.begin(), pairs_.end(),
                      std::back_inserter(changes_.appeared));
  std::set_difference(pairs_.begin(), pairs_.end(), now.begin(), now.end(),
                      std::back_inserter(changes_.went));
  pairs_ = std::move(now);
  for (const std::int32_t id : changed_) is_changed_[static_cast<std::size_t>(id)] = false;
  if (changed_.size() * few > is_changed_.size()) {
    changed_ = {};  // a list of all is not kept
  } else {
    changed_.clear();
  }
  return changes_;
}

}  // namespace toccata::broad_phase
