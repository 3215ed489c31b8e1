// The new forest written from its pieces: nodes and order forwards, then contours backwards.
#include "ccd/deformable/connectivity/forest_repair.hpp"

namespace toccata::deformable::connectivity {

using region_chain::Chain;

namespace {

constexpr std::int32_t smallest_contour = RegionTreeOptions{}.smallest_contour;

}  // namespace

// A subtree lies in one run of nodes and ranks: both move by a constant.
void ForestRepair::copy_old(const Piece& piece, std::int32_t at) {
  const RegionNode& top = before_.nodes_[piece.source];
  const auto rank = static_cast<std::int32_t>(after_.order_.size());
  const std::int32_t count = 2 * piece.size - 1;
  for (std::int32_t i = piece.source; i < piece.source + count; ++i) {
    RegionNode node = before_.nodes_[i];
    if (node.right >= 0) node.right += at - piece.source;
    node.begin += rank - top.begin;
    node.end += rank - top.begin;
    after_.nodes_.push_back(node);
  }
  for (std::int32_t r = top.begin; r < top.end; ++r) {
    after_.order_.push_back(element_map_[before_.order_[r]]);
    after_.flipped_.push_back(before_.flipped_[r]);
  }
}

void ForestRepair::copy_fresh(const Piece& piece, std::int32_t at) {
  const RegionTree& tree = fresh_[piece.source];
  const auto rank = static_cast<std::int32_t>(after_.order_.size());
  for (RegionNode node : tree.nodes) {
    if (node.right >= 0) node.right += at;
    node.begin += rank;
    node.end += rank;
    after_.nodes_.push_back(node);
  }
  for (std::size_t i = 0; i < tree.order.size(); ++i) {
    after_.order_.push_back(tree.order[i]);
    after_.flipped_.push_back(piece.kind == Piece::Kind::Whole ? tree.flipped[i] : flip_[tree.order[i]]);
  }
}

// Parents first, left before right, as build_region_tree leaves a tree.
void ForestRepair::lay_out(std::int32_t whole) {
  std::vector<Placed> placed;
  struct Task {
    std::int32_t piece, parent;  // parent: node whose right child it becomes, or -1
  };
  std::vector<Task> stack = {{whole, -1}};
  while (!stack.empty()) {
    const Task task = stack.back();
    stack.pop_back();
    const Piece& piece = pieces_[task.piece];
    const auto at = static_cast<std::int32_t>(after_.nodes_.size());
    if (task.parent >= 0) after_.nodes_[task.parent].right = at;
    placed.push_back({at, task.piece});
    switch (piece.kind) {
      case Piece::Kind::Joined: {
        RegionNode node;
        node.begin = static_cast<std::int32_t>(after_.order_.size());
        node.end = node.begin + piece.size;
        after_.nodes_.push_back(node);
        stack.push_back({piece.right, at});
        stack.push_back({piece.left, -1});
        break;
      }
      case Piece::Kind::Old:
        copy_old(piece, at);
        break;
      case Piece::Kind::Small:
      case Piece::Kind::Whole:
        copy_fresh(piece, at);
        break;
    }
  }
  add_contours(placed);
}

void ForestRepair::copy_contours(std::int32_t first, std::int32_t count, std::span<const RegionNode> nodes,
                                 std::span<const std::int32_t> contours, bool renumber) {
  // A subtree's contours lie together, those of its last node first.
  const std::int32_t low = nodes.back().contour_begin, high = nodes.front().contour_end;
  const auto place = static_cast<std::int32_t>(after_.contours_.size());
  for (std::int32_t i = low; i < high; ++i) {
    const std::int32_t entry = contours[i];
    const std::int32_t vertex = !renumber ? entry : entry < 0 ? ~vertex_map_[~entry] : vertex_map_[entry];
    after_.contours_.push_back(vertex);
  }
  for (std::int32_t i = 0; i < count; ++i) {
    RegionNode& node = after_.nodes_[first + i];
    node.contour_begin = nodes[i].contour_begin - low + place;
    node.contour_end = nodes[i].contour_end - low + place;
  }
}

// From the largest regions below that have a contour.
Chain ForestRepair::chain_of_node(std::int32_t i) const {
  const RegionNode& node = after_.nodes_[i];
  if (node.has_contour()) return region_chain::chain_of(after_.contour(node));
  if (node.is_leaf()) {
    const std::int32_t element = after_.order_[node.begin];
    return region_chain::chain_of(mesh_.corners(element), after_.flipped_[node.begin] != 0);
  }
  const Chain left = chain_of_node(i + 1);
  return left.usable ? region_chain::sum(left, chain_of_node(node.right)) : Chain();
}

void ForestRepair::place_contour(std::int32_t i, const Chain& chain) {
  RegionNode& node = after_.nodes_[i];
  node.contour_begin = node.contour_end = static_cast<std::int32_t>(after_.contours_.size());
  if (!chain.usable || node.size() < smallest_contour) return;
  region_chain::append_loops(chain, after_.contours_);
  node.contour_end = static_cast<std::int32_t>(after_.contours_.size());
}

// Backwards, as build_region_tree does it: the chains of a node's children lie on top of a stack.
void ForestRepair::add_contours(const std::vector<Placed>& placed) {
  std::vector<Chain> stack;
  const auto sum_up = [&](std::int32_t node) {
    const Chain left = std::move(stack.back());
    stack.pop_back();
    stack.back() = region_chain::sum(left, stack.back());
    place_contour(node, stack.back());
  };
  for (std::size_t p = placed.size(); p-- > 0;) {
    const auto [at, index] = placed[p];
    const Piece& piece = pieces_[index];
    const std::int32_t count = 2 * piece.size - 1;
    switch (piece.kind) {
      case Piece::Kind::Joined:
        sum_up(at);
        break;
      case Piece::Kind::Old:
        copy_contours(at, count, std::span(before_.nodes_).subspan(piece.source, count), before_.contours_,
                      true);
        // A tree that is copied whole has nobody above it to sum up for.
        if (placed.size() > 1) stack.push_back(chain_of_node(at));
        break;
      case Piece::Kind::Whole:
        copy_contours(at, count, fresh_[piece.source].nodes, fresh_[piece.source].contours, false);
        if (placed.size() > 1) stack.push_back(chain_of_node(at));
        break;
      case Piece::Kind::Small:
        for (std::int32_t i = at + count - 1; i >= at; --i) {
          if (!after_.nodes_[i].is_leaf()) {
            sum_up(i);
            continue;
          }
          const std::int32_t rank = after_.nodes_[i].begin;
          stack.push_back(
              region_chain::chain_of(mesh_.corners(after_.order_[rank]), after_.flipped_[rank] != 0));
          place_contour(i, stack.back());
        }
        break;
    }
  }
}

}  // namespace toccata::deformable::connectivity
