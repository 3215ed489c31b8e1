#include "toccata/hierarchy/region_tree.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "hierarchy/region_chain.hpp"
#include "hierarchy/region_merging.hpp"

namespace toccata {
namespace {

using region_chain::append_loops;
using region_chain::Chain;
using region_chain::chain_of;
using region_chain::is_triangle;
using region_chain::sum;
using region_merging::Link;
using region_merging::Merge;

// One side of a triangle, (from, to) in the triangle's own order.
struct Side {
  std::int32_t low = 0, high = 0;  // the two vertices, ordered
  std::int32_t member = 0;
  bool forward = true;  // from low to high

  bool same_edge(const Side& other) const { return low == other.low && high == other.high; }
  bool operator<(const Side& other) const {
    if (low != other.low) return low < other.low;
    return high != other.high ? high < other.high : member < other.member;
  }
};

std::vector<Side> sorted_sides(std::span<const Face> elements, std::span<const std::int32_t> members) {
  std::vector<Side> sides;
  sides.reserve(3 * members.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Face& f = elements[members[i]];
    if (!is_triangle(f)) continue;
    for (int k = 0; k < 3; ++k) {
      const std::int32_t from = f[k], to = f[(k + 1) % 3];
      sides.push_back({std::min(from, to), std::max(from, to), static_cast<std::int32_t>(i), from < to});
    }
  }
  std::sort(sides.begin(), sides.end());
  return sides;
}

std::vector<Link> links_of(std::span<const Vector3> positions, const std::vector<Side>& sides) {
  std::vector<Link> links;
  for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
    if (!sides[i].same_edge(sides[i + 1])) continue;  // edges of many triangles make a chain of links
    const double length = (positions[sides[i].low] - positions[sides[i].high]).norm();
    links.push_back({sides[i].member, sides[i + 1].member, length});
  }
  return links;
}

// Which triangles to turn so that neighbours over two-sided edges run their edge in opposite directions, as
// far as the surface is orientable.
std::vector<std::uint8_t> agreeing_orientation(std::size_t member_count, const std::vector<Side>& sides) {
  struct Neighbour {
    std::int32_t a, b;
    bool same_direction;
  };
  std::vector<Neighbour> pairs;
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t j = i;
    while (j < sides.size() && sides[j].same_edge(sides[i])) ++j;
    if (j - i == 2) {
      const bool same = sides[i].forward == sides[i + 1].forward;
      pairs.push_back({sides[i].member, sides[i + 1].member, same});
      pairs.push_back({sides[i + 1].member, sides[i].member, same});
    }
    i = j;
  }
  std::vector<std::int32_t> first(member_count + 1, 0);
  for (const Neighbour& p : pairs) ++first[p.a + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<Neighbour> sorted(pairs.size());
  std::vector<std::int32_t> fill = first;
  for (const Neighbour& p : pairs) sorted[fill[p.a]++] = p;
  std::vector<std::uint8_t> flipped(member_count, 2);  // 2: not reached
  std::vector<std::int32_t> queue;
  for (std::size_t seed = 0; seed < member_count; ++seed) {
    if (flipped[seed] != 2) continue;
    flipped[seed] = 0;
    queue.assign(1, static_cast<std::int32_t>(seed));
    while (!queue.empty()) {
      const std::int32_t a = queue.back();
      queue.pop_back();
      for (std::int32_t i = first[a]; i < first[a + 1]; ++i) {
        if (flipped[sorted[i].b] != 2) continue;
        flipped[sorted[i].b] = static_cast<std::uint8_t>(flipped[a] ^ (sorted[i].same_direction ? 1 : 0));
        queue.push_back(sorted[i].b);
      }
    }
  }
  return flipped;
}

void lay_out(const std::vector<Merge>& merges, std::size_t member_count, RegionTree& tree) {
  // Depth-first with an explicit stack: (merge, node whose `right` it becomes or -1).
  std::vector<std::array<std::int32_t, 2>> stack = {{static_cast<std::int32_t>(merges.size()) - 1, -1}};
  while (!stack.empty()) {
    const auto [merge, parent] = stack.back();
    stack.pop_back();
    const auto index = static_cast<std::int32_t>(tree.nodes.size());
    if (parent >= 0) tree.nodes[parent].right = index;
    RegionNode node;
    node.begin = static_cast<std::int32_t>(tree.order.size());
    node.end = node.begin + 1;
    if (static_cast<std::size_t>(merge) < member_count) {
      tree.order.push_back(merge);
    } else {
      stack.push_back({merges[merge].right, index});
      stack.push_back({merges[merge].left, -1});
    }
    tree.nodes.push_back(node);
  }
  for (std::size_t i = tree.nodes.size(); i-- > 0;) {
    RegionNode& node = tree.nodes[i];
    if (!node.is_leaf()) node.end = tree.nodes[node.right].end;
  }
}

void add_contours(std::span<const Face> elements, const RegionTreeOptions& options, RegionTree& tree) {
  // Children come after their parent, the right one last, so that walking backwards the two chains of a
  // node's children lie on top of a stack.
  std::vector<Chain> stack;
  for (std::size_t i = tree.nodes.size(); i-- > 0;) {
    RegionNode& node = tree.nodes[i];
    if (node.is_leaf()) {
      stack.push_back(chain_of(elements[tree.order[node.begin]], tree.flipped[node.begin] != 0));
    } else {
      const Chain left = std::move(stack.back());
      stack.pop_back();
      stack.back() = sum(left, stack.back());
    }
    node.contour_begin = node.contour_end = static_cast<std::int32_t>(tree.contours.size());
    if (!stack.back().usable || node.size() < options.smallest_contour) continue;
    append_loops(stack.back(), tree.contours);
    node.contour_end = static_cast<std::int32_t>(tree.contours.size());
  }
}

}  // namespace

RegionTree build_region_tree(std::span<const Vector3> positions, std::span<const Face> elements,
                             std::span<const std::int32_t> members, const RegionTreeOptions& options) {
  RegionTree tree;
  if (members.empty()) return tree;
  const std::vector<Side> sides = sorted_sides(elements, members);
  const std::vector<Merge> merges =
      region_merging::merge_regions(positions, elements, members, links_of(positions, sides));
  tree.nodes.reserve(merges.size());
  tree.order.reserve(members.size());
  lay_out(merges, members.size(), tree);
  const std::vector<std::uint8_t> flipped = agreeing_orientation(members.size(), sides);
  for (std::int32_t& rank : tree.order) {
    tree.flipped.push_back(flipped[rank]);
    rank = members[rank];
  }
  add_contours(elements, options, tree);
  tree.contours.shrink_to_fit();
  return tree;
}

ElementComponents element_components(std::span<const Face> elements, std::size_t vertex_count) {
  std::vector<std::int32_t> root(vertex_count);
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](std::int32_t v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  for (const Face& f : elements) {
    const std::int32_t a = find(f[0]);
    root[find(f[1])] = a;
    root[find(f[2])] = a;
  }
  ElementComponents components;
  std::vector<std::int32_t> number(vertex_count, -1);
  for (const Face& f : elements) {
    std::int32_t& id = number[find(f[0])];
    if (id < 0) id = components.count++;
    components.of_element.push_back(id);
  }
  return components;
}

}  // namespace toccata
