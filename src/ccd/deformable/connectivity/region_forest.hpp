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

namespace toccata::deformable::connectivity {

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
// its values are non-negative combinations of three control vectors. Adds those of triangle (a, b, c) on
// [0, t_end].
void add_control_vectors(const MovingVertex& a, const MovingVertex& b, const MovingVertex& c, bool flipped,
                         double t_end, ControlVectors& control);

// What bounds the nodes of a forest during [0, t_end] of a step.
struct RegionBounds {
  double t_end = 1.0;
  std::vector<SweptDop> dops;
  std::vector<NormalCone> cones;
};

std::vector<Vector3> positions_t0(const Step& step);

class RegionForest {
 public:
  void build(const ElementMesh& mesh, const Topology& topology, const Step& step, int threads);
  // After a change of the topology: only small regions around changed elements are merged again, the trees of
  // components that broke are cut apart and those of components that grew together are joined; the rest of
  // the trees, contours included, is copied. A component of which much has changed since it was built is
  // built as a whole. The maps: new index of each old element and vertex, -1 where it is gone.
  void repair(const ElementMesh& mesh, const Topology& topology, const Step& step,
              std::span<const std::int32_t> element_map, std::span<const std::int32_t> vertex_map,
              int threads);
  // Bounds of all nodes for a new step, or for its first part, bottom-up, in parallel over subtrees.
  void refit(const ElementMesh& mesh, const Step& step, int threads);
  RegionBounds fit(const ElementMesh& mesh, const Step& step, double t_end, int threads) const;

  std::span<const RegionNode> nodes() const { return nodes_; }
  const RegionNode& node(std::int32_t i) const { return nodes_[i]; }
  const RegionBounds& bounds() const { return bounds_; }  // during the whole step
  std::int32_t element(std::int32_t rank) const { return order_[rank]; }
  std::int32_t rank(std::int32_t element) const { return ranks_[element]; }
  bool flipped(std::int32_t rank) const { return flipped_[rank] != 0; }
  std::span<const std::int32_t> contour(const RegionNode& node) const {
    return std::span(contours_).subspan(node.contour_begin, node.contour_end - node.contour_begin);
  }
  std::span<const std::int32_t> roots() const { return roots_; }     // one per component, in order
  std::int32_t merged_elements() const { return merged_elements_; }  // of the last build or repair

  std::size_t memory_bytes() const;

 private:
  friend class ForestRepair;

  void append(const RegionTree& tree);
  void finish(const ElementMesh& mesh);
  void fit(const ElementMesh& mesh, const Step& step, int threads, RegionBounds& bounds) const;
  NormalCone group_cone(std::int32_t node, const ElementMesh& mesh, const Step& step, double t_end) const;
  void fit_node(std::int32_t node, const ElementMesh& mesh, const Step& step,
                std::span<const SweptDop> vertex_dops, RegionBounds& bounds) const;

  std::vector<RegionNode> nodes_;  // `right` and ranks count over the whole forest
  std::vector<std::int32_t> order_, ranks_, contours_, roots_;
  std::vector<std::uint8_t> flipped_;
  RegionBounds bounds_;
  std::vector<std::int32_t> task_roots_;  // subtrees refitted in parallel
  std::vector<std::int32_t> top_nodes_;   // the nodes above them, parents first
  std::vector<std::int32_t> wear_;        // by root: elements changed since it was built
  std::int32_t merged_elements_ = 0;
};

}  // namespace toccata::deformable::connectivity
