#include "toccata/proximity/intersects.hpp"

#include <algorithm>

#include "hierarchy/box_kernel.hpp"
#include "proximity/prepared_mesh_data.hpp"
#include "toccata/elementary/triangle_intersection.hpp"

namespace toccata {
namespace {

using namespace hierarchy;

class Search {
 public:
  Search(const PlacedMesh& a, const PlacedMesh& b, const IntersectsOptions& options)
      : a_(a),
        b_(b),
        tree_a_(a.mesh.data().tree),
        tree_b_(b.mesh.data().tree),
        a_to_b_(between_trees(a, b)),
        b_to_a_(between_trees(b, a)),
        padding_(static_cast<float>(placement_error(a, b) * 1.01)),
        all_pairs_(options.all_pairs) {}

  IntersectsResult run() {
    if (tree_a_.nodes.empty() || tree_b_.nodes.empty()) return {};
    for (BoxId i = 0; i < static_cast<BoxId>(tree_a_.nodes[0].count); ++i) open_b(i, 0);
    while (!stack_.empty() && (all_pairs_ || !result_.intersects)) {
      const auto [a, b] = stack_.back();
      stack_.pop_back();
      open(a, b);
    }
    std::sort(result_.pairs.begin(), result_.pairs.end());
    return std::move(result_);
  }

 private:
  struct Pair {
    BoxId a;
    BoxId b;
  };

  static float size_of(const BoxNode& node, int slot) {
    return node.half[0][slot] + node.half[1][slot] + node.half[2][slot];
  }

  void open(BoxId a, BoxId b) {
    const int slot_a = static_cast<int>(a % box_width), slot_b = static_cast<int>(b % box_width);
    const BoxNode &node_a = tree_a_.nodes[a / box_width], &node_b = tree_b_.nodes[b / box_width];
    const std::int32_t child_a = node_a.child[slot_a], child_b = node_b.child[slot_b];
    if (child_a < 0 && child_b < 0) {
      look_at(~child_a, ~child_b);
    } else if (child_b < 0 || (child_a >= 0 && size_of(node_a, slot_a) > size_of(node_b, slot_b))) {
      open_a(child_a, b);
    } else {
      open_b(a, child_b);
    }
  }

  void open_b(BoxId a, std::int32_t b) {
    const BoxNode& node = tree_b_.nodes[b];
    const QueryBox box = moved_box(tree_a_.nodes[a / box_width], static_cast<int>(a % box_width), a_to_b_);
    float lower[box_width];
    box_lower_distances(box, node, padding_, true, lower);
    result_.stats.node_pairs += node.count;
    for (int slot = 0; slot < node.count; ++slot) {
      if (!(lower[slot] > 0.0f)) stack_.push_back({a, static_cast<BoxId>(b * box_width + slot)});
    }
  }

  void open_a(std::int32_t a, BoxId b) {
    const BoxNode& node = tree_a_.nodes[a];
    const QueryBox box = moved_box(tree_b_.nodes[b / box_width], static_cast<int>(b % box_width), b_to_a_);
    float lower[box_width];
    box_lower_distances(box, node, padding_, true, lower);
    result_.stats.node_pairs += node.count;
    for (int slot = 0; slot < node.count; ++slot) {
      if (!(lower[slot] > 0.0f)) stack_.push_back({static_cast<BoxId>(a * box_width + slot), b});
    }
  }

  void look_at(std::int32_t a, std::int32_t b) {
    ++result_.stats.triangle_pairs;
    if (!triangle_triangle_intersect(world_triangle(a_, a), world_triangle(b_, b))) return;
    result_.intersects = true;
    result_.pairs.push_back({a, b});
  }

  const PlacedMesh& a_;
  const PlacedMesh& b_;
  const BoxTree& tree_a_;
  const BoxTree& tree_b_;
  Pose a_to_b_;
  Pose b_to_a_;
  float padding_;
  bool all_pairs_;
  std::vector<Pair> stack_;
  IntersectsResult result_;
};

}  // namespace

IntersectsResult intersects(const PlacedMesh& a, const PlacedMesh& b, const IntersectsOptions& options) {
  return Search(a, b, options).run();
}

}  // namespace toccata
