// RegionForest::repair: new trees from pieces of the old ones.
#include <algorithm>
#include <queue>

#include "ccd/deformable/connectivity/region_forest.hpp"
#include "hierarchy/region_chain.hpp"
#include "toccata/base/parallel.hpp"

namespace toccata::deformable {

using region_chain::Chain;

namespace {

constexpr std::int32_t region_size = 32;  // largest regions that are merged anew around a changed element
constexpr std::int32_t smallest_contour = RegionTreeOptions{}.smallest_contour;

// Does the face run from a to b? -1: it does not have this side.
int direction(const Face& f, std::int32_t a, std::int32_t b) {
  for (int k = 0; k < 3; ++k) {
    if (f[k] == a && f[(k + 1) % 3] == b) return 1;
    if (f[k] == b && f[(k + 1) % 3] == a) return 0;
  }
  return -1;
}

}  // namespace

class ForestRepair {
 public:
  ForestRepair(const RegionForest& before, const ElementMesh& mesh, const Topology& topology,
               const Step& step, std::span<const std::int32_t> element_map,
               std::span<const std::int32_t> vertex_map)
      : before_(before),
        mesh_(mesh),
        topology_(topology),
        positions_(positions_t0(step)),
        element_map_(element_map),
        vertex_map_(vertex_map) {}

  RegionForest run(int threads);

 private:
  // A part of a new tree: two parts joined, a subtree of an old tree, or a tree merged anew; of the latter
  // the contours are made here if it is a small one, in the orientation of its neighbours.
  struct Piece {
    enum class Kind : std::uint8_t { Joined, Old, Small, Whole };
    Kind kind = Kind::Joined;
    std::int32_t left = -1, right = -1;  // Joined
    std::int32_t source = -1;            // node of the old forest, or index in fresh_
    std::int32_t size = 0;               // elements
  };
  // The pieces of a node whose elements belong to several components, or changed; sorted by component.
  struct Share {
    std::int32_t component, piece;
  };
  using Shares = std::vector<Share>;
  // Where a piece went in the new forest.
  struct Placed {
    std::int32_t node, piece;
  };

  void map_elements();
  void find_homes();
  void orient_new_elements();
  void mark_regions();
  std::int32_t region_around(std::int32_t rank) const;
  void merge_region(std::int32_t node);
  void cut_trees();
  Shares shares_of(std::int32_t node);
  Shares joined(Shares a, Shares b);
  std::int32_t join(std::int32_t a, std::int32_t b);
  std::int32_t old_piece(std::int32_t node);
  void count_wear();
  std::int32_t piece_of_component(std::int32_t component);
  void lay_out(std::int32_t piece);
  void copy_old(const Piece& piece, std::int32_t at);
  void copy_fresh(const Piece& piece, std::int32_t at);
  void add_contours(const std::vector<Placed>& placed);
  void place_contour(std::int32_t node, const Chain& chain);
  void copy_contours(std::int32_t first, std::int32_t count, std::span<const RegionNode> nodes,
                     std::span<const std::int32_t> contours, bool renumber);
  Chain chain_of_node(std::int32_t node) const;
  std::int32_t component_of(std::int32_t element) const {
    return topology_.vertex_component[mesh_.corners(element)[0]];
  }

  const RegionForest& before_;
  const ElementMesh& mesh_;
  const Topology& topology_;
  std::vector<Vector3> positions_;
  std::span<const std::int32_t> element_map_, vertex_map_;
  std::vector<std::int32_t> old_rank_;              // by new element; -1: it is new
  std::vector<std::int32_t> home_;                  // by new element: an old rank beside it; -1: none
  std::vector<std::uint8_t> flip_;                  // by new element
  std::vector<std::int32_t> added_;                 // new elements
  std::vector<std::vector<std::int32_t>> members_;  // by component, where it is built as a whole
  // By old node: a component if all its elements are there and unchanged; -1: inside a region that is merged
  // anew; -2 - i: shares_[i].
  std::vector<std::int32_t> label_;
  std::vector<Shares> shares_;
  std::vector<std::int32_t> regions_;                // old nodes merged anew
  std::vector<std::vector<std::int32_t>> settlers_;  // beside regions_: the new elements that live there
  std::vector<Piece> pieces_;
  std::vector<RegionTree> fresh_;
  std::vector<Shares> component_shares_;  // by component
  std::vector<std::int64_t> wear_;
  RegionForest after_;
};

void ForestRepair::map_elements() {
  old_rank_.assign(mesh_.element_count(), -1);
  flip_.assign(mesh_.element_count(), 0);
  for (std::size_t rank = 0; rank < before_.order_.size(); ++rank) {
    const std::int32_t element = element_map_[before_.order_[rank]];
    if (element < 0) continue;
    old_rank_[element] = static_cast<std::int32_t>(rank);
    flip_[element] = before_.flipped_[rank];
  }
  for (std::int32_t t = 0; t < mesh_.element_count(); ++t) {
    if (old_rank_[t] < 0) added_.push_back(t);
  }
}

// New elements live beside an old one that they share an edge with, or else a vertex, or with new ones that
// do.
void ForestRepair::find_homes() {
  home_.assign(mesh_.element_count(), -1);
  std::vector<std::int32_t> queue;
  for (const std::int32_t t : added_) {
    for (const std::int32_t e : mesh_.edges(topology_, t)) {
      if (e < 0 || home_[t] >= 0) continue;
      for (const std::int32_t other : mesh_.around_edge(e)) home_[t] = std::max(home_[t], old_rank_[other]);
    }
    for (int k = 0; k < 3 && home_[t] < 0; ++k) {
      for (const std::int32_t other : mesh_.around_vertex(mesh_.corners(t)[k])) {
        home_[t] = std::max(home_[t], old_rank_[other]);
      }
    }
    if (home_[t] >= 0) queue.push_back(t);
  }
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const std::int32_t v : mesh_.corners(queue[i])) {
      for (const std::int32_t other : mesh_.around_vertex(v)) {
        if (old_rank_[other] >= 0 || home_[other] >= 0) continue;
        home_[other] = home_[queue[i]];
        queue.push_back(other);
      }
    }
  }
}

// As their neighbours over two-sided edges have it, from the old ones on. Where that contradicts itself the
// regions over such an edge are not culled; nothing else depends on it.
void ForestRepair::orient_new_elements() {
  std::vector<std::uint8_t> known(mesh_.element_count(), 1);
  for (const std::int32_t t : added_) known[t] = 0;
  const auto neighbours = [&](std::int32_t t, auto&& visit) {
    if (!mesh_.is_face(t)) return;
    for (const std::int32_t e : mesh_.edges(topology_, t)) {
      if (e < 0) continue;
      const auto beside = mesh_.around_edge(e);
      if (beside.size() != 2) continue;
      const std::int32_t other = beside[0] == t ? beside[1] : beside[0];
      const auto [a, b] = topology_.edges[e];
      const bool same = direction(mesh_.corners(t), a, b) == direction(mesh_.corners(other), a, b);
      visit(other, same);
    }
  };
  std::vector<std::int32_t> queue;
  const auto spread = [&] {
    while (!queue.empty()) {
      const std::int32_t t = queue.back();
      queue.pop_back();
      neighbours(t, [&](std::int32_t other, bool same) {
        if (known[other]) return;
        known[other] = 1;
        flip_[other] = static_cast<std::uint8_t>(flip_[t] ^ (same ? 1 : 0));
        queue.push_back(other);
      });
    }
  };
  for (const std::int32_t t : added_) {
    if (known[t]) continue;
    neighbours(t, [&](std::int32_t other, bool same) {
      if (known[t] || !known[other]) return;
      known[t] = 1;
      flip_[t] = static_cast<std::uint8_t>(flip_[other] ^ (same ? 1 : 0));
      queue.push_back(t);
    });
    spread();
  }
}

// The largest region of at most region_size elements that holds this one.
std::int32_t ForestRepair::region_around(std::int32_t rank) const {
  const auto root =
      std::upper_bound(before_.roots_.begin(), before_.roots_.end(), rank,
                       [&](std::int32_t r, std::int32_t node) { return r < before_.nodes_[node].begin; }) -
      1;
  std::int32_t i = *root;
  while (before_.nodes_[i].size() > region_size) {
    const std::int32_t right = before_.nodes_[i].right;
    i = rank < before_.nodes_[right].begin ? i + 1 : right;
  }
  return i;
}

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
    after_.merged_anew_ += count;
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

// How much of each component has changed since its tree was built; those of which it is much, and new ones,
// are built as a whole.
void ForestRepair::count_wear() {
  wear_.assign(topology_.component_count, 0);
  std::vector<std::int32_t> size(topology_.component_count, 0);
  for (std::int32_t t = 0; t < mesh_.element_count(); ++t) ++size[component_of(t)];
  for (const std::int32_t t : added_) ++wear_[component_of(t)];
  for (std::size_t r = 0; r < before_.roots_.size(); ++r) {
    const RegionNode& top = before_.nodes_[before_.roots_[r]];
    std::vector<std::int32_t> parts;
    std::int64_t lost = 0;
    if (const std::int32_t label = label_[before_.roots_[r]]; label >= 0) {
      wear_[label] += before_.wear_[r];
      continue;
    }
    for (std::int32_t rank = top.begin; rank < top.end; ++rank) {
      const std::int32_t element = element_map_[before_.order_[rank]];
      if (element < 0) {
        ++lost;
      } else {
        parts.push_back(component_of(element));
      }
    }
    std::sort(parts.begin(), parts.end());
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    for (const std::int32_t c : parts) {  // in proportion
      wear_[c] += (lost + before_.wear_[r]) * size[c] / std::max(top.size(), 1) + 1;
    }
  }
  members_.resize(topology_.component_count);
  for (std::int32_t c = 0; c < topology_.component_count; ++c) {
    wear_[c] += region_size / 4 * (static_cast<std::int64_t>(component_shares_[c].size()) - 1);
    if (component_shares_[c].empty() || 3 * wear_[c] > size[c] + region_size) members_[c].reserve(size[c]);
  }
  for (std::int32_t t = 0; t < mesh_.element_count(); ++t) {
    const std::int32_t c = component_of(t);
    if (members_[c].capacity() > 0) members_[c].push_back(t);
  }
}

std::int32_t ForestRepair::piece_of_component(std::int32_t component) {
  // Several trees grew together: the smallest two first, as in a code of least length.
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

RegionForest ForestRepair::run(int threads) {
  map_elements();
  find_homes();
  orient_new_elements();
  mark_regions();
  cut_trees();
  count_wear();
  std::vector<std::int32_t> whole;
  for (std::int32_t c = 0; c < topology_.component_count; ++c) {
    if (!members_[c].empty()) whole.push_back(c);
  }
  const std::size_t first = fresh_.size();
  fresh_.resize(first + whole.size());
  parallel_blocks(whole.size(), 1, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      fresh_[first + i] = build_region_tree(positions_, mesh_.elements(), members_[whole[i]]);
    }
  });
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const auto size = static_cast<std::int32_t>(members_[whole[i]].size());
    pieces_.push_back({Piece::Kind::Whole, -1, -1, static_cast<std::int32_t>(first + i), size});
    component_shares_[whole[i]] = {{whole[i], static_cast<std::int32_t>(pieces_.size()) - 1}};
    wear_[whole[i]] = 0;
    after_.merged_anew_ += size;
  }
  const auto elements = static_cast<std::size_t>(mesh_.element_count());
  after_.nodes_.reserve(2 * elements);
  after_.order_.reserve(elements);
  after_.flipped_.reserve(elements);
  after_.contours_.reserve(before_.contours_.size() + before_.contours_.size() / 16);
  for (std::int32_t c = 0; c < topology_.component_count; ++c) {
    after_.roots_.push_back(static_cast<std::int32_t>(after_.nodes_.size()));
    after_.wear_.push_back(static_cast<std::int32_t>(wear_[c]));
    lay_out(piece_of_component(c));
  }
  return std::move(after_);
}

void RegionForest::repair(const ElementMesh& mesh, const Topology& topology, const Step& step,
                          std::span<const std::int32_t> element_map, std::span<const std::int32_t> vertex_map,
                          int threads) {
  RegionForest after = ForestRepair(*this, mesh, topology, step, element_map, vertex_map).run(threads);
  after.bounds_.dops = std::move(bounds_.dops);  // refit writes them all; their memory serves again
  *this = std::move(after);
  finish(mesh, threads);
}

}  // namespace toccata::deformable
