#include "hierarchy/given_tree.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace toccata {
namespace {

thread_local std::vector<BoxNode>* given = nullptr;

// Deeper than any tree that is built, and no danger for those who walk it by recursion.
constexpr std::int32_t most_levels = 4096;

// All floats of a node in a row: up to the children, and origin and reach behind them.
bool is_finite(const BoxNode& node) {
  constexpr std::uint32_t exponent = 0x7f800000U;
  constexpr std::size_t before = offsetof(BoxNode, child) / sizeof(float);
  std::uint32_t words[before + 4];
  std::memcpy(words, &node, offsetof(BoxNode, child));
  std::memcpy(words + before, node.origin, 3 * sizeof(float));
  words[before + 3] = std::bit_cast<std::uint32_t>(node.reach);
  std::uint32_t any = 0;
  for (const std::uint32_t word : words) any |= (word & exponent) == exponent ? 1U : 0U;
  return any == 0;
}

class TreeCheck {
 public:
  explicit TreeCheck(const ShapeData& shape)
      : shape_(shape),
        nodes_(shape.tree.nodes),
        seen_nodes_(nodes_.size(), 0),
        seen_pieces_(static_cast<std::size_t>(shape.piece_count()), 0) {}

  std::optional<std::string> failure() {
    std::size_t pieces = 0;
    for (std::int32_t i = 0; i < shape_.piece_count(); ++i) pieces += shape_.is_hole(i) ? 0U : 1U;
    if (nodes_.empty() && pieces == 0) return std::nullopt;
    if (nodes_.empty()) return wrong("there are no nodes");
    if (nodes_[0].count != 1) return wrong("node 0 is not the box of all");
    std::vector<Open> open = {{0, 0}};
    seen_nodes_[0] = 1;
    while (!open.empty()) {
      const Open top = open.back();
      open.pop_back();
      const BoxNode& node = nodes_[top.node];
      if (top.level > most_levels) return wrong("it is too deep");
      if (node.count < 1 || node.count > box_width)
        return wrong_at(top.node, "has no such number of children");
      if (!is_finite(node)) return wrong_at(top.node, "has a number that is not finite");
      for (std::int32_t slot = 0; slot < box_width; ++slot) {
        const std::int32_t child = node.child[slot];
        if (slot >= node.count) {
          // Nobody looks there; where trees were joined it is -1 renumbered.
          if (child >= 0 || ~child > shape_.piece_count())
            return wrong_at(top.node, "has more children than it counts");
        } else if (child >= 0) {
          if (!first_time(seen_nodes_, static_cast<std::size_t>(child)))
            return wrong_at(top.node, "has a child that is no node of its own");
          open.push_back({static_cast<std::size_t>(child), top.level + 1});
        } else {
          if (!first_time(seen_pieces_, static_cast<std::size_t>(~child)) || shape_.is_hole(~child))
            return wrong_at(top.node, "has a leaf that is no piece of its own");
          --pieces;
        }
      }
    }
    if (pieces != 0) return wrong("not every piece is in a leaf");
    if (std::find(seen_nodes_.begin(), seen_nodes_.end(), 0) != seen_nodes_.end())
      return wrong("a node is below no other");
    return std::nullopt;
  }

 private:
  struct Open {
    std::size_t node;
    std::int32_t level;
  };

  static bool first_time(std::vector<std::uint8_t>& seen, std::size_t index) {
    return index < seen.size() && std::exchange(seen[index], std::uint8_t{1}) == 0;
  }
  static std::string wrong(const char* why) { return std::string("its tree is not right: ") + why; }
  static std::string wrong_at(std::size_t node, const char* why) {
    return "its tree is not right: node " + std::to_string(node) + " " + why;
  }

  const ShapeData& shape_;
  const std::vector<BoxNode>& nodes_;
  std::vector<std::uint8_t> seen_nodes_, seen_pieces_;
};

}  // namespace

GivenTree::GivenTree(std::vector<BoxNode> nodes) : nodes_(std::move(nodes)) {
  given = &nodes_;
}

GivenTree::~GivenTree() {
  given = nullptr;
}

std::optional<std::vector<BoxNode>> GivenTree::take() {
  if (given == nullptr) return std::nullopt;
  return std::move(*std::exchange(given, nullptr));
}

std::optional<std::string> failure_of_tree(const ShapeData& shape) {
  return TreeCheck(shape).failure();
}

}  // namespace toccata
