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

// Adding one to the exponent carries into the sign bit exactly where it is that of infinity and NaN; the
// compiler does it with whole registers.
std::uint32_t carried(const BoxNode& node) {
  constexpr std::uint32_t exponent = 0x7f800000U, carry = 0x00800000U;
  constexpr std::size_t before = offsetof(BoxNode, child) / sizeof(float);
  std::uint32_t words[before], any = 0;
  std::memcpy(words, &node, sizeof words);
  for (const std::uint32_t word : words) any |= (word & exponent) + carry;
  for (const float x : {node.origin[0], node.origin[1], node.origin[2], node.reach})
    any |= (std::bit_cast<std::uint32_t>(x) & exponent) + carry;
  return any;
}

// One pass over the nodes in the order of memory, and a second one only where children do not follow their
// parents: where they do, and each has one parent, there is no circle.
class TreeCheck {
 public:
  explicit TreeCheck(const ShapeData& shape)
      : shape_(shape),
        nodes_(shape.tree.nodes),
        levels_(nodes_.size(), 0),
        seen_pieces_(static_cast<std::size_t>(shape.piece_count()), 0) {}

  std::optional<std::string> failure() {
    auto pieces = static_cast<std::size_t>(shape_.piece_count());
    if (!shape_.is_mesh) {
      for (std::int32_t i = 0; i < shape_.piece_count(); ++i) pieces -= shape_.is_hole(i) ? 1U : 0U;
    }
    if (nodes_.empty() && pieces == 0) return std::nullopt;
    if (nodes_.empty()) return wrong("there are no nodes");
    if (nodes_[0].count != 1) return wrong("node 0 is not the box of all");
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const BoxNode& node = nodes_[i];
      if (node.count < 1 || node.count > box_width) return wrong_at(i, "has no such number of children");
      for (std::int32_t slot = 0; slot < box_width; ++slot) {
        if (const char* const why = wrong_child(i, slot)) return wrong_at(i, why);
      }
    }
    if (found_pieces_ != pieces) return wrong("not every piece is in a leaf");
    // Each node but the first is the child of one other.
    if (found_nodes_ + 1 != nodes_.size() || levels_[0] != 0) return wrong("a node is below no other");
    if (!in_order_ && reached() != nodes_.size()) return wrong("it runs in a circle");
    if (*std::max_element(levels_.begin(), levels_.end()) > most_levels) return wrong("it is too deep");
    return std::nullopt;
  }

 private:
  const char* wrong_child(std::size_t parent, std::int32_t slot) {
    const BoxNode& node = nodes_[parent];
    const std::int32_t child = node.child[slot];
    // Nobody looks beyond the count; where trees were joined it is -1 renumbered.
    if (slot >= node.count)
      return child >= 0 || ~child > shape_.piece_count() ? "has more children than it counts" : nullptr;
    if (child >= 0) {
      const auto index = static_cast<std::size_t>(child);
      if (index >= nodes_.size() || levels_[index] != 0) return "has a child that is no node of its own";
      levels_[index] = levels_[parent] + 1;
      in_order_ = in_order_ && index > parent;
      ++found_nodes_;
      return nullptr;
    }
    const auto piece = static_cast<std::size_t>(~child);
    if (piece >= seen_pieces_.size() || std::exchange(seen_pieces_[piece], std::uint8_t{1}) != 0 ||
        (!shape_.is_mesh && shape_.is_hole(~child)))
      return "has a leaf that is no piece of its own";
    ++found_pieces_;
    return nullptr;
  }

  // Nodes below the first, itself included; sets their levels again.
  std::size_t reached() {
    std::vector<std::size_t> open = {0};
    std::size_t count = 0;
    while (!open.empty()) {
      const std::size_t index = open.back();
      open.pop_back();
      if (++count > nodes_.size()) break;
      for (std::int32_t slot = 0; slot < nodes_[index].count; ++slot) {
        const std::int32_t child = nodes_[index].child[slot];
        if (child < 0) continue;
        levels_[static_cast<std::size_t>(child)] = levels_[index] + 1;
        open.push_back(static_cast<std::size_t>(child));
      }
    }
    return count;
  }

  static std::string wrong(const char* why) { return std::string("its tree is not right: ") + why; }
  static std::string wrong_at(std::size_t node, const char* why) {
    return "its tree is not right: node " + std::to_string(node) + " " + why;
  }

  const ShapeData& shape_;
  const std::vector<BoxNode>& nodes_;
  std::vector<std::int32_t> levels_;  // 0 of the first node, and of those not seen yet
  std::vector<std::uint8_t> seen_pieces_;
  std::size_t found_nodes_ = 0, found_pieces_ = 0;
  bool in_order_ = true;
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

bool are_finite(std::span<const BoxNode> nodes) {
  std::uint32_t carries = 0;
  for (const BoxNode& node : nodes) carries |= carried(node);
  return (carries & 0x80000000U) == 0;
}

std::optional<std::string> failure_of_tree(const ShapeData& shape) {
  return TreeCheck(shape).failure();
}

}  // namespace toccata
