#include "broad_phase/pair_tree.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broad_phase/pair_tree.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace toccata::broad_phase {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A bit for every child that overlaps the box.
unsigned OverlappingChildren(const TreeNode& node, const float* low, const float* high) {
  const hn::CappedTag<float, tree_width> d;
  unsigned bits = 0;
  for (std::size_t at = 0; at < tree_width; at += hn::Lanes(d)) {
    auto meet = hn::And(hn::Le(hn::Load(d, node.low[0] + at), hn::Set(d, high[0])),
                        hn::Ge(hn::Load(d, node.high[0] + at), hn::Set(d, low[0])));
    for (int k = 1; k < 3; ++k) {
      meet = hn::And(meet, hn::And(hn::Le(hn::Load(d, node.low[k] + at), hn::Set(d, high[k])),
                                   hn::Ge(hn::Load(d, node.high[k] + at), hn::Set(d, low[k]))));
    }
    std::uint8_t some[8] = {};
    hn::StoreMaskBits(d, meet, some);
    bits |= static_cast<unsigned>(some[0]) << at;
  }
  return bits;
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::broad_phase
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/morton.hpp"
#include "toccata/base/parallel.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata::broad_phase {

HWY_EXPORT(OverlappingChildren);

namespace {

constexpr float nowhere = std::numeric_limits<float>::quiet_NaN();

void clear(TreeNode& node) {
  for (int k = 0; k < 3; ++k) {
    std::fill(node.low[k], node.low[k] + tree_width, nowhere);
    std::fill(node.high[k], node.high[k] + tree_width, nowhere);
  }
}

// Ids by the Morton code of their middles, ten bits per axis, ties by id.
std::vector<std::int32_t> along_curve(std::span<const Aabb> boxes, std::span<const std::int32_t> ids) {
  const auto middle = [&](std::int32_t id) {
    const Aabb& box = boxes[static_cast<std::size_t>(id)];
    return Vector3((0.5 * box.lower.cwiseMax(-1e300) + 0.5 * box.upper.cwiseMin(1e300)));
  };
  Vector3 lowest = middle(ids[0]), highest = lowest;
  for (const std::int32_t id : ids) {
    lowest = lowest.cwiseMin(middle(id));
    highest = highest.cwiseMax(middle(id));
  }
  Vector3 scale = Vector3::Zero();
  for (int k = 0; k < 3; ++k) {
    const double width = highest[k] - lowest[k];
    if (width > 0.0 && std::isfinite(1023.0 / width)) scale[k] = 1023.0 / width;
  }
  struct Coded {
    std::uint32_t code;
    std::int32_t id;
  };
  std::vector<Coded> coded, spare;
  coded.reserve(ids.size());
  for (const std::int32_t id : ids) {
    const Vector3 cell = (middle(id) - lowest).cwiseProduct(scale).cwiseMax(0.0).cwiseMin(1023.0);
    coded.push_back({morton_code(static_cast<std::uint32_t>(cell.x()), static_cast<std::uint32_t>(cell.y()),
                                 static_cast<std::uint32_t>(cell.z())),
                     id});
  }
  spare.resize(coded.size());
  for (std::uint32_t shift = 0; shift < 30; shift += 10) {  // stable, and ids come in order
    std::uint32_t place[1025] = {};
    for (const Coded& c : coded) ++place[((c.code >> shift) & 1023U) + 1];
    for (int i = 0; i < 1024; ++i) place[i + 1] += place[i];
    for (const Coded& c : coded) spare[place[(c.code >> shift) & 1023U]++] = c;
    coded.swap(spare);
  }
  std::vector<std::int32_t> order;
  order.reserve(coded.size());
  for (const Coded& c : coded) order.push_back(c.id);
  return order;
}

}  // namespace

void PairTree::set_leaf(std::size_t place, const Aabb& box) {
  TreeNode& node = levels_[0][place / tree_width];
  for (int k = 0; k < 3; ++k) {
    node.low[k][place % tree_width] = float_below(box.lower[k]);
    node.high[k][place % tree_width] = float_above(box.upper[k]);
  }
}

void PairTree::set_parent(std::size_t level, std::size_t index) {
  const TreeNode& node = levels_[level][index];
  TreeNode& parent = levels_[level + 1][index / tree_width];
  for (int k = 0; k < 3; ++k) {
    float low = node.low[k][0], high = node.high[k][0];  // the first child is never missing
    for (int i = 1; i < tree_width; ++i) {
      low = node.low[k][i] < low ? node.low[k][i] : low;  // passes over NaN
      high = node.high[k][i] > high ? node.high[k][i] : high;
    }
    parent.low[k][index % tree_width] = low;
    parent.high[k][index % tree_width] = high;
  }
}

void PairTree::build(std::span<const Aabb> boxes, std::span<const std::int32_t> ids) {
  levels_.clear();
  order_.clear();
  place_.assign(boxes.size(), -1);
  if (ids.empty()) return;
  order_ = along_curve(boxes, ids);
  for (std::size_t i = 0; i < order_.size(); ++i)
    place_[static_cast<std::size_t>(order_[i])] = static_cast<std::int32_t>(i);
  for (std::size_t count = order_.size(); levels_.empty() || count > 1;) {
    count = (count + tree_width - 1) / tree_width;
    levels_.emplace_back(count);
    for (TreeNode& node : levels_.back()) clear(node);
  }
  refit(boxes);
}

void PairTree::refit(std::span<const Aabb> boxes) {
  for (std::size_t i = 0; i < order_.size(); ++i) set_leaf(i, boxes[static_cast<std::size_t>(order_[i])]);
  for (std::size_t level = 0; level + 1 < levels_.size(); ++level) {
    for (std::size_t i = 0; i < levels_[level].size(); ++i) set_parent(level, i);
  }
}

void PairTree::refit(std::int32_t id, const Aabb& box) {
  std::size_t place = static_cast<std::size_t>(place_[static_cast<std::size_t>(id)]);
  set_leaf(place, box);
  for (std::size_t level = 0; level + 1 < levels_.size(); ++level) {
    place /= tree_width;
    set_parent(level, place);
  }
}

// Calls visit(place) for every leaf from first_leaf on that overlaps.
template <typename Visit>
void PairTree::visit(const float* low, const float* high, std::size_t first_leaf, Visit&& visit) const {
  struct Open {
    std::uint32_t level;
    std::uint32_t node;
  };
  // At most seven siblings wait on each of eleven levels.
  Open stack[8 * 12];
  int count = 0;
  stack[count++] = {static_cast<std::uint32_t>(levels_.size() - 1), 0};
  while (count > 0) {
    const Open open = stack[--count];
    unsigned bits = HWY_DYNAMIC_DISPATCH(OverlappingChildren)(levels_[open.level][open.node], low, high);
    // Children whose leaves all come before the first one wanted are passed over.
    const std::size_t wanted = first_leaf >> (3U * open.level), begin = std::size_t{open.node} * tree_width;
    if (wanted > begin) bits &= wanted - begin >= tree_width ? 0U : ~0U << (wanted - begin);
    for (; bits != 0; bits &= bits - 1) {
      const std::size_t child = begin + static_cast<std::size_t>(std::countr_zero(bits));
      if (open.level == 0) {
        visit(child);
      } else {
        stack[count++] = {open.level - 1, static_cast<std::uint32_t>(child)};
      }
    }
  }
}

void PairTree::overlapping(const Aabb& box, std::vector<std::int32_t>& ids) const {
  if (levels_.empty()) return;
  float low[3], high[3];
  for (int k = 0; k < 3; ++k) {
    low[k] = float_below(box.lower[k]);
    high[k] = float_above(box.upper[k]);
  }
  visit(low, high, 0, [&](std::size_t place) { ids.push_back(order_[place]); });
}

void PairTree::pairs(std::span<const Aabb> boxes, int threads, std::vector<IndexPair>& pairs) const {
  constexpr std::size_t block = 1024;
  std::vector<std::vector<IndexPair>> found((order_.size() + block - 1) / block);
  parallel_blocks(order_.size(), block, threads, [&](std::size_t begin, std::size_t end) {
    std::vector<IndexPair>& some = found[begin / block];
    for (std::size_t i = begin; i < end; ++i) {
      const TreeNode& node = levels_[0][i / tree_width];
      float low[3], high[3];
      for (int k = 0; k < 3; ++k) {
        low[k] = node.low[k][i % tree_width];
        high[k] = node.high[k][i % tree_width];
      }
      const std::int32_t own = order_[i];
      visit(low, high, i + 1, [&](std::size_t place) {
        const std::int32_t other = order_[place];
        if (overlap(boxes[static_cast<std::size_t>(own)], boxes[static_cast<std::size_t>(other)]))
          some.push_back({std::min(own, other), std::max(own, other)});
      });
    }
  });
  for (const auto& some : found) pairs.insert(pairs.end(), some.begin(), some.end());
}

}  // namespace toccata::broad_phase
#endif
