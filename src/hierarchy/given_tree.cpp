#include "hierarchy/given_tree.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace toccata {
namespace {

thread_local GivenParts* given = nullptr;

// Deeper than any tree that is built, and no danger for those who walk it by recursion.
constexpr std::int32_t most_levels = 4096;

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
  const BoxNodes& nodes_;
  std::vector<std::int32_t> levels_;  // 0 of the first node, and of those not seen yet
  std::vector<std::uint8_t> seen_pieces_;
  std::size_t found_nodes_ = 0, found_pieces_ = 0;
  bool in_order_ = true;
};

}  // namespace

GivenTree::GivenTree(GivenParts parts) : parts_(std::move(parts)) {
  given = &parts_;
}

GivenTree::~GivenTree() {
  given = nullptr;
}

std::optional<GivenParts> GivenTree::take() {
  if (given == nullptr) return std::nullopt;
  return std::move(*std::exchange(given, nullptr));
}

void TreeGlance::take(std::span<const BoxNode> next) {
  std::uint8_t* const seen = seen_.data();
  const std::size_t places = seen_.size(), nodes = nodes_;
  for (const BoxNode& node : next) {
    const std::size_t parent = taken_++;
    const std::uint8_t level = seen[parent];  // from 1; 0 where no node before this one is its parent
    const std::int32_t count = node.count;
    bool is_sound = level != 0 && level < most_levels && count >= 1 && count <= (parent == 0 ? 1 : box_width);
    for (std::int32_t slot = 0; is_sound && slot < count; ++slot) {
      const std::int32_t child = node.child[slot];
      const bool is_leaf = child < 0;
      const std::size_t place =
          is_leaf ? nodes + static_cast<std::size_t>(~child) : static_cast<std::size_t>(child);
      is_sound = place > parent && place < (is_leaf ? places : nodes);
      if (is_sound) seen[place] = static_cast<std::uint8_t>(level + 1);
    }
    for (std::int32_t slot = count; is_sound && slot < box_width; ++slot) is_sound = node.child[slot] == -1;
    is_sound_ = is_sound_ && is_sound;
    if (!is_sound_) return;
    children_ += static_cast<std::size_t>(count);
  }
}

// As many children as there are nodes below the first, and pieces: if all of these were seen, each was once.
bool TreeGlance::is_tree_over(std::size_t pieces) const {
  return is_sound_ && taken_ == nodes_ && children_ + 1 == nodes_ + pieces &&
         std::find(seen_.begin(), seen_.begin() + static_cast<std::ptrdiff_t>(nodes_ + pieces), 0) ==
             seen_.begin() + static_cast<std::ptrdiff_t>(nodes_ + pieces);
}

std::optional<std::string> failure_of_tree(const ShapeData& shape) {
  return TreeCheck(shape).failure();
}

}  // namespace toccata
