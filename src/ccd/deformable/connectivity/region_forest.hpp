#pragma once
// The second level of the dynamic two-level hierarchy (Tang et al., ICCD, VI): one region tree per connected
// component, in one array, with the swept 18-DOP and the continuous normal cone of every node.
#include <cstdint>
#include <span>
#include <vector>

#include "ccd/deformable/connectivity/element_mesh.hpp"
#include "ccd/deformable/connectivity/swept_dop.hpp"
#include "toccata/bound/normal_cone.hpp"
#include "toccata/hierarchy/region_tree.hpp"

namespace toccata::deformable {

// Regions of up to this many elements get their cone at once from all their control vectors; the nodes below
// have none, since they are too small to be worth a contour test.
inline constexpr std::int32_t cone_group_size = 8;

class ControlVectors {
 public:
  void push(const BoundedVector& v) { vectors_[count_++] = v; }
  std::span<const BoundedVector> vectors() const { return std::span(vectors_).first(count_); }

 private:
  std::array<BoundedVector, 3 * cone_group_size> vectors_;
  std::size_t count_ = 0;
};

// The continuous normal of a triangle that moves linearly (CNC theorem) is a quadratic in Bernstein form; all
// its values are non-negative combinations of three control vectors. Adds those of triangle (a, b, c).
void add_control_vectors(const MovingVertex& a, const MovingVertex& b, const MovingVertex& c, bool flipped,
                         ControlVectors& control);

class RegionForest {
 public:
  // Trees of all components; those of `before` whose elements are the same are taken over. element_map: the
  // new index of each element of `before`, -1 where it is gone.
  void build(const ElementMesh& mesh, const Topology& topology, const Step& step, int threads);
  void rebuild(const ElementMesh& mesh, const Topology& topology, const Step& step,
               std::span<const std::int32_t> element_map, int threads);
  // Bounds of all nodes for a new step, bottom-up, in parallel over subtrees.
  void refit(const ElementMesh& mesh, const Step& step, int threads);

  std::span<const RegionNode> nodes() const { return nodes_; }
  const RegionNode& node(std::int32_t i) const { return nodes_[i]; }
  const SweptDop& dop(std::int32_t node) const { return dops_[node]; }
  const NormalCone& cone(std::int32_t node) const { return cones_[node]; }
  std::int32_t element(std::int32_t rank) const { return order_[rank]; }
  std::int32_t rank(std::int32_t element) const { return ranks_[element]; }
  std::span<const std::int32_t> contour(const RegionNode& node) const {
    return std::span(contours_).subspan(node.contour_begin, node.contour_end - node.contour_begin);
  }
  std::span<const std::int32_t> roots() const { return roots_; }  // one a component, in order
  std::int32_t kept_trees() const { return kept_trees_; }         // by the last rebuild

  std::size_t memory_bytes() const;

 private:
  void append(const RegionTree& tree);
  RegionTree extract(std::int32_t root, std::span<const std::int32_t> element_map) const;
  void finish(const ElementMesh& mesh, int threads);
  NormalCone group_cone(std::int32_t node, const ElementMesh& mesh, const Step& step) const;
  void refit_node(std::int32_t node, const ElementMesh& mesh, const Step& step,
                  std::span<const SweptDop> vertex_dops);

  std::vector<RegionNode> nodes_;  // `right` and ranks count over the whole forest
  std::vector<std::int32_t> order_, ranks_, contours_, roots_;
  std::vector<std::uint8_t> flipped_;
  std::vector<SweptDop> dops_;
  std::vector<NormalCone> cones_;
  std::vector<std::int32_t> task_roots_;  // subtrees refitted in parallel
  std::vector<std::int32_t> top_nodes_;   // the nodes above them, parents first
  std::int32_t kept_trees_ = 0;
};

}  // namespace toccata::deformable
