#pragma once
// RegionForest::repair: new trees from pieces of the old ones. Small regions around changed elements are
// merged again, trees are cut where a mesh broke and joined where parts grew together, and the rest of them
// is copied.
#include <cstdint>
#include <span>
#include <vector>

#include "ccd/deformable/connectivity/region_forest.hpp"
#include "hierarchy/region_chain.hpp"

namespace toccata::deformable::connectivity {

// Largest regions that are merged again around a changed element.
inline constexpr std::int32_t repaired_region_size = 32;

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
  // A part of a new tree: two parts joined, a subtree of an old tree, or a tree merged from its elements; of
  // the latter the contours are made here if it is a small one, in the orientation of its neighbours.
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

  // forest_repair.cpp: what changed, in which order, and which trees are better built as a whole.
  void map_elements();
  void find_homes();
  void orient_new_elements();
  void count_wear();
  void build_worn_components(int threads);

  // forest_cutting.cpp: the old trees taken apart into pieces, and pieces joined.
  void mark_regions();
  std::int32_t region_around(std::int32_t rank) const;
  void merge_region(std::int32_t index);
  void cut_trees();
  Shares shares_of(std::int32_t node);
  Shares joined(Shares a, Shares b);
  std::int32_t join(std::int32_t a, std::int32_t b);
  std::int32_t old_piece(std::int32_t node);
  std::int32_t piece_of_component(std::int32_t component);

  // forest_layout.cpp: the new forest written from the pieces.
  void lay_out(std::int32_t piece);
  void copy_old(const Piece& piece, std::int32_t at);
  void copy_fresh(const Piece& piece, std::int32_t at);
  void add_contours(const std::vector<Placed>& placed);
  void place_contour(std::int32_t node, const region_chain::Chain& chain);
  void copy_contours(std::int32_t first, std::int32_t count, std::span<const RegionNode> nodes,
                     std::span<const std::int32_t> contours, bool renumber);
  region_chain::Chain chain_of_node(std::int32_t node) const;

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
  // again; -2 - i: shares_[i].
  std::vector<std::int32_t> label_;
  std::vector<Shares> shares_;
  std::vector<std::int32_t> regions_;                // old nodes merged again
  std::vector<std::vector<std::int32_t>> settlers_;  // beside regions_: the new elements that live there
  std::vector<Piece> pieces_;
  std::vector<RegionTree> fresh_;
  std::vector<Shares> component_shares_;  // by component
  std::vector<std::int64_t> wear_;
  RegionForest after_;
};

}  // namespace toccata::deformable::connectivity
