#include "ccd/deformable/connectivity/forest_repair.hpp"

#include <algorithm>

#include "toccata/base/parallel.hpp"

namespace toccata::deformable::connectivity {
namespace {

// Does the face run from a to b? -1: it does not have this side.
int direction(const Face& f, std::int32_t a, std::int32_t b) {
  for (int k = 0; k < 3; ++k) {
    if (f[k] == a && f[(k + 1) % 3] == b) return 1;
    if (f[k] == b && f[(k + 1) % 3] == a) return 0;
  }
  return -1;
}

}  // namespace

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

// How much of each component has changed since its tree was built; those of which it is much, and new ones,
// are built as a whole.
void ForestRepair::count_wear() {
  wear_.assign(topology_.component_count, 0);
  std::vector<std::int32_t> size(topology_.component_count, 0);
  for (std::int32_t t = 0; t < mesh_.element_count(); ++t) ++size[component_of(t)];
  for (const std::int32_t t : added_) ++wear_[component_of(t)];
  for (std::size_t r = 0; r < before_.roots_.size(); ++r) {
    // The wear of an old tree, and what it lost, is shared by the components that it fell into.
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
    for (const std::int32_t c : parts) {
      wear_[c] += (lost + before_.wear_[r]) * size[c] / std::max(top.size(), 1) + 1;
    }
  }
  // A tree of which a third has changed is not worth its repair: its regions no longer fit the surface.
  members_.resize(topology_.component_count);
  for (std::int32_t c = 0; c < topology_.component_count; ++c) {
    wear_[c] += repaired_region_size / 4 * (static_cast<std::int64_t>(component_shares_[c].size()) - 1);
    if (component_shares_[c].empty() || 3 * wear_[c] > size[c] + repaired_region_size)
      members_[c].reserve(size[c]);
  }
  for (std::int32_t t = 0; t < mesh_.element_count(); ++t) {
    const std::int32_t c = component_of(t);
    if (members_[c].capacity() > 0) members_[c].push_back(t);
  }
}

// In place of all the pieces that such a component had.
void ForestRepair::build_worn_components(int threads) {
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
    after_.merged_elements_ += size;
  }
}

RegionForest ForestRepair::run(int threads) {
  map_elements();
  find_homes();
  orient_new_elements();
  mark_regions();
  cut_trees();
  count_wear();
  build_worn_components(threads);
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
  finish(mesh);
}

}  // namespace toccata::deformable::connectivity
