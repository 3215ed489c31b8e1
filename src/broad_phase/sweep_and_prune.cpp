// Insertion exchanges each pair of ends that is out of order exactly once. A pair of boxes that overlaps now
// and did not before has such an exchange of a lower end that comes before an upper one, on some axis, and is
// then found to overlap; one that has ceased to has an exchange the other way round.
#include "broad_phase/sweep_and_prune.hpp"

#include <algorithm>

#include "broad_phase/box_columns.hpp"
#include "broad_phase/sweep_pairs.hpp"

namespace toccata::broad_phase {
namespace {

std::uint64_t key_of(std::int32_t a, std::int32_t b) {
  return static_cast<std::uint64_t>(std::min(a, b)) << 32U | static_cast<std::uint64_t>(std::max(a, b));
}

}  // namespace

void SweepAndPrune::start_again(std::span<const Aabb> boxes) {
  is_there_.assign(boxes.size(), false);
  std::vector<std::int32_t> ids;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    is_there_[i] = !is_empty(boxes[i]);
    if (is_there_[i]) ids.push_back(static_cast<std::int32_t>(i));
  }
  for (int axis = 0; axis < 3; ++axis) {
    ends_[axis].clear();
    for (const std::int32_t id : ids) {
      const Aabb& box = boxes[static_cast<std::size_t>(id)];
      ends_[axis].push_back({box.lower[axis], id, false});
      ends_[axis].push_back({box.upper[axis], id, true});
    }
    std::sort(ends_[axis].begin(), ends_[axis].end());
  }
  std::vector<IndexPair> found;
  sweep_pairs(boxes, ids, found);
  pairs_.clear();
  for (const IndexPair& pair : found) pairs_.insert(key_of(pair.first, pair.second));
}

void SweepAndPrune::sort_axis(int axis, std::span<const Aabb> boxes) {
  std::vector<End>& ends = ends_[axis];
  for (End& end : ends) {
    const Aabb& box = boxes[static_cast<std::size_t>(end.id)];
    end.value = end.is_upper ? box.upper[axis] : box.lower[axis];
  }
  for (std::size_t i = 1; i < ends.size(); ++i) {
    const End moving = ends[i];
    std::size_t k = i;
    for (; k > 0 && moving < ends[k - 1]; --k) {
      const End& passed = ends[k - 1];
      if (!moving.is_upper && passed.is_upper) {
        if (overlap(boxes[static_cast<std::size_t>(moving.id)], boxes[static_cast<std::size_t>(passed.id)]))
          pairs_.insert(key_of(moving.id, passed.id));
      } else if (moving.is_upper && !passed.is_upper) {
        pairs_.erase(key_of(moving.id, passed.id));
      }
      ends[k] = passed;
    }
    ends[k] = moving;
  }
}

std::vector<IndexPair> SweepAndPrune::step(std::span<const Aabb> boxes) {
  bool same = boxes.size() == is_there_.size();
  for (std::size_t i = 0; same && i < boxes.size(); ++i) same = is_there_[i] == !is_empty(boxes[i]);
  if (same) {
    for (int axis = 0; axis < 3; ++axis) sort_axis(axis, boxes);
  } else {
    start_again(boxes);
  }
  std::vector<IndexPair> pairs;
  pairs.reserve(pairs_.size());
  for (const std::uint64_t key : pairs_)
    pairs.push_back({static_cast<std::int32_t>(key >> 32U), static_cast<std::int32_t>(key & 0xFFFFFFFFU)});
  return pairs;
}

}  // namespace toccata::broad_phase
