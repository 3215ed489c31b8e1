#include "ccd/deformable/connectivity/object_tree.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "ccd/deformable/connectivity/node_pair.hpp"

namespace toccata::deformable::connectivity {
namespace {

constexpr std::size_t rebuild_limit = 64;  // up to this many objects the whole tree is rebuilt
constexpr float decay_limit = 1.5f;        // growth of the expected visits that pays for a rebuild
constexpr std::int32_t smallest_rebuild = 4;

double extent(const SweptDop& dop, int axis) {
  return static_cast<double>(dop.high[axis]) + dop.low_negated[axis];
}
double centre(const SweptDop& dop, int axis) {
  return static_cast<double>(dop.high[axis]) - dop.low_negated[axis];
}

}  // namespace

double ObjectTree::measure(const SweptDop& dop) const {
  return (extent(dop, 0) + thickness_) * (extent(dop, 1) + thickness_) * (extent(dop, 2) + thickness_);
}

void ObjectTree::refit_node(std::int32_t at, std::span<const SweptDop> dops) {
  Node& node = nodes_[at];
  if (node.size == 1) {
    node.dop = dops[node.object];
    node.visits = 1.0f;
    return;
  }
  const Node &l = nodes_[at + 1], &r = nodes_[right(at)];
  enclose(node.dop, l.dop, r.dop);
  // A query that reaches this node reaches a child with the probability of the ratio of their volumes.
  const double whole = std::max(measure(node.dop), 1e-300);
  const double reached = measure(l.dop) / whole * l.visits + measure(r.dop) / whole * r.visits;
  node.visits = static_cast<float>(1.0 + (reached < 1e30 ? reached : 1e30));
}

void ObjectTree::build(std::int32_t at, std::span<std::int32_t> objects, std::span<const SweptDop> dops) {
  Node& node = nodes_[at];
  node.size = static_cast<std::int32_t>(objects.size());
  node.object = objects[0];
  if (objects.size() > 1) {
    std::array<double, 3> low = {1e300, 1e300, 1e300}, high = {-1e300, -1e300, -1e300};
    for (const std::int32_t object : objects) {
      for (int k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], centre(dops[object], k));
        high[k] = std::max(high[k], centre(dops[object], k));
      }
    }
    int axis = 0;
    for (int k = 1; k < 3; ++k) {
      if (high[k] - low[k] > high[axis] - low[axis]) axis = k;
    }
    const std::size_t half = objects.size() / 2;
    std::nth_element(objects.begin(), objects.begin() + static_cast<std::ptrdiff_t>(half), objects.end(),
                     [&](std::int32_t a, std::int32_t b) {
                       const double x = centre(dops[a], axis), y = centre(dops[b], axis);
                       return x != y ? x < y : a < b;
                     });
    build(at + 1, objects.first(half), dops);
    build(at + 2 * static_cast<std::int32_t>(half), objects.subspan(half), dops);
  }
  refit_node(at, dops);
  nodes_[at].visits_at_build = nodes_[at].visits;
}

void ObjectTree::rebuild(std::int32_t at, std::span<const SweptDop> dops) {
  std::vector<std::int32_t> objects;
  for (std::int32_t i = at; i < at + 2 * nodes_[at].size - 1; ++i) {
    if (nodes_[i].size == 1) objects.push_back(nodes_[i].object);
  }
  ++rebuilt_subtrees_;
  rebuilt_objects_ += static_cast<std::int32_t>(objects.size());
  build(at, objects, dops);
}

// The highest nodes that have decayed are rebuilt, then everything above them is refitted once more.
void ObjectTree::restructure(std::span<const SweptDop> dops) {
  std::vector<std::int32_t> stack = {0};
  while (!stack.empty()) {
    const std::int32_t at = stack.back();
    stack.pop_back();
    if (nodes_[at].size < smallest_rebuild) continue;
    if (nodes_[at].visits > decay_limit * nodes_[at].visits_at_build) {
      rebuild(at, dops);
    } else {
      stack.push_back(at + 1);
      stack.push_back(right(at));
    }
  }
  if (rebuilt_subtrees_ == 0) return;
  for (auto i = static_cast<std::int32_t>(nodes_.size()); i-- > 0;) refit_node(i, dops);
}

void ObjectTree::update(std::span<const SweptDop> objects, bool restructuring) {
  rebuilt_subtrees_ = rebuilt_objects_ = 0;
  if (objects.empty()) {
    nodes_.clear();
    return;
  }
  double largest = 0.0;
  for (const SweptDop& dop : objects) {
    for (int k = 0; k < 3; ++k) largest = std::max(largest, extent(dop, k));
  }
  // Flat objects would have no volume, and every ratio of volumes be undefined.
  thickness_ = 0.01 * largest + 1e-100;
  const bool new_count = nodes_.size() != 2 * objects.size() - 1;
  if (new_count || (restructuring && objects.size() <= rebuild_limit)) {
    nodes_.assign(2 * objects.size() - 1, Node());
    std::vector<std::int32_t> all(objects.size());
    std::iota(all.begin(), all.end(), 0);
    rebuilt_subtrees_ = 1;
    rebuilt_objects_ = static_cast<std::int32_t>(objects.size());
    build(0, all, objects);
    return;
  }
  for (auto i = static_cast<std::int32_t>(nodes_.size()); i-- > 0;) refit_node(i, objects);
  if (restructuring) restructure(objects);
}

std::int64_t ObjectTree::overlapping_pairs(
    double distance, const std::function<void(std::int32_t, std::int32_t)>& emit) const {
  if (nodes_.empty()) return 0;
  std::int64_t tests = 0;
  std::vector<NodePair> stack = {{0, 0}};
  while (!stack.empty()) {
    const auto [a, b] = stack.back();
    stack.pop_back();
    // A node with itself: either child with itself, and the two with each other, each pair once.
    if (a == b) {
      if (nodes_[a].size == 1) continue;
      stack.push_back({a + 1, a + 1});
      stack.push_back({right(a), right(a)});
      stack.push_back({a + 1, right(a)});
      continue;
    }
    ++tests;
    if (!come_near(nodes_[a].dop, nodes_[b].dop, distance)) continue;
    if (nodes_[a].size == 1 && nodes_[b].size == 1) {
      emit(std::min(nodes_[a].object, nodes_[b].object), std::max(nodes_[a].object, nodes_[b].object));
    } else {
      open_larger(
          {a, b}, [&](std::int32_t i) { return nodes_[i].size; }, [&](std::int32_t i) { return right(i); },
          stack);
    }
  }
  return tests;
}

}  // namespace toccata::deformable::connectivity
