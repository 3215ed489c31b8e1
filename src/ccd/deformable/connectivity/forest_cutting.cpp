// The old trees taken apart: into subtrees that nothing touched, and small regions merged again.
#include <algorithm>
#include <functional>
#include <queue>

#include "ccd/deformable/connectivity/forest_repair.hpp"

namespace toccata::deformable::connectivity {

// The largest region of at most repaired_region_size elements that holds this one.
std::int32_t ForestRepair::region_around(std::int32_t rank) const {
  const auto root =
      std::upper_bound(before_.roots_.begin(), before_.roots_.end(), rank,
                       [&](std::int32_t r, std::int32_t node) { return r < before_.nodes_[node].begin; }) -
      1;
  std::int32_t i = *root;
  while (before_.nodes_[i].size() > repaired_region_size) {
    const std::int32_t right = before_.nodes_[i].right;
    i = rank < before_.nodes_[right].begin ? i + 1 : right;
  }
  return i;
}

// Around every element that is gone, and every old one that a new one lives beside.
void ForestRepair::mark_regions() {
  label_.assign(before_.nodes_.size(), 0);
  std::vector<std::int32_t> index(before_.nodes_.size(), -1);
  const auto mark = [&](std::int32_t rank) {
    const std::int32_t node = region_around(rank);
    if (index[node] < 0) {
      index[node] = static_cast<std::int32_t>(regions_.size());
      regions_.push_back(node);
      settlers_.emplace_back();
      std::fill_n(label_.begin() + node, 2 * before_.nodes_[node].size() - 1, -1);
    }
    return index[node];
  };
  for (std::size_t rank = 0; rank < before_.order_.size(); ++rank) {
    if (element_map_[before_.order_[rank]] < 0) mark(static_cast<std::int32_t>(rank));
  }
  for (const std::int32_t t : added_) {
    if (home_[t] >= 0) settlers_[mark(home_[t])].push_back(t);
  }
}

std::int32_t ForestRepair::join(std::int32_t a, std::int32_t b) {
  pieces_.push_back({Piece::Kind::Joined, a, b, -1, pieces_[a].size + pieces_[b].size});
  return static_cast<std::int32_t>(pieces_.size()) - 1;
}

std::int32_t ForestRepair::old_piece(std::int32_t node) {
  pieces_.push_back({Piece::Kind::Old, -1, -1, node, before_.nodes_[node].size()});
  return static_cast<std::int32_t>(pieces_.size()) - 1;
}

// One small tree for each component that has elements in the region.
void ForestRepair::merge_region(std::int32_t i) {
  const RegionNode& node = before_.nodes_[regions_[i]];
  std::vector<std::int32_t> members = std::move(settlers_[i]);
  for (std::int32_t rank = node.begin; rank < node.end; ++rank) {
    const std::int32_t element = element_map_[before_.order_[rank]];
    if (element >= 0) members.push_back(element);
  }
  std::sort(members.begin(), members.end(), [&](std::int32_t a, std::int32_t b) {
    const std::int32_t x = component_of(a), y = component_of(b);
    return x != y ? x < y : a < b;
  });
  Shares shares;
  for (std::size_t begin = 0, end = 0; begin < members.size(); begin = end) {
    const std::int32_t component = component_of(members[begin]);
    while (end < members.size() && component_of(members[end]) == component) ++end;
    fresh_.push_back(
        build_region_tree(positions_, mesh_.elements(), std::span(members).subspan(begin, end - begin)));
    const auto count = static_cast<std::int32_t>(end - begin);
    pieces_.push_back({Piece::Kind::Small, -1, -1, static_cast<std::int32_t>(fresh_.size()) - 1, count});
    shares.push_back({component, static_cast<std::int32_t>(pieces_.size()) - 1});
    after_.merged_elements_ += count;
  }
  label_[regions_[i]] = -2 - static_cast<std::int32_t>(shares_.size());
  shares_.push_back(std::move(shares));
}

ForestRepair::Shares ForestRepair::shares_of(std::int32_t node) {
  if (label_[node] >= 0) return {{label_[node], old_piece(node)}};
  return std::move(shares_[-2 - label_[node]]);
}

ForestRepair::Shares ForestRepair::joined(Shares a, Shares b) {
  if (a.empty()) return b;
  Shares both;
  both.reserve(a.size() + b.size());
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (j == b.size() || (i < a.size() && a[i].component < b[j].component)) {
      both.push_back(a[i++]);
    } else if (i == a.size() || b[j].component < a[i].component) {
      both.push_back(b[j++]);
    } else {
      both.push_back({a[i].component, join(a[i].piece, b[j].piece)});
      ++i;
      ++j;
    }
  }
  return both;
}

// Bottom-up: a node keeps its subtree if nothing below changed and all of it is in one component; the pieces
// of all others are handed up, joined where they are of the same component.
void ForestRepair::cut_trees() {
  for (std::size_t i = 0; i < regions_.size(); ++i) merge_region(static_cast<std::int32_t>(i));
  for (std::size_t n = before_.nodes_.size(); n-- > 0;) {
    const auto i = static_cast<std::int32_t>(n);
    if (label_[i] < 0) continue;
    const RegionNode& node = before_.nodes_[i];
    if (node.is_leaf()) {
      label_[i] = component_of(element_map_[before_.order_[node.begin]]);
    } else if (label_[i + 1] >= 0 && label_[i + 1] == label_[node.right]) {
      label_[i] = label_[i + 1];
    } else {
      Shares left = shares_of(i + 1);
      Shares all = joined(std::move(left), shares_of(node.right));
      label_[i] = -2 - static_cast<std::int32_t>(shares_.size());
      shares_.push_back(std::move(all));
    }
  }
  component_shares_.resize(topology_.component_count);
  for (const std::int32_t root : before_.roots_) {
    for (const Share& s : shares_of(root)) component_shares_[s.component].push_back(s);
  }
}

// Several trees grew together: the smallest two first, as in a code of least length.
std::int32_t ForestRepair::piece_of_component(std::int32_t component) {
  using Entry = std::pair<std::int32_t, std::int32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  for (const Share& s : component_shares_[component]) queue.emplace(pieces_[s.piece].size, s.piece);
  while (queue.size() > 1) {
    const std::int32_t a = queue.top().second;
    queue.pop();
    const std::int32_t b = queue.top().second;
    queue.pop();
    const std::int32_t both = join(a, b);
    queue.emplace(pieces_[both].size, both);
  }
  return queue.top().second;
}

}  // namespace toccata::deformable::connectivity
