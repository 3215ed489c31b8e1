#pragma once
// The first level of the dynamic two-level hierarchy (Tang et al., ICCD, VI.B): a tree over the components'
// bounds. Few components: rebuilt top-down every step. Many: refitted, and sub-trees whose culling efficiency
// has decayed are rebuilt in place (selective restructuring by a volumetric metric, after Yoon et al. 2007).
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "ccd/deformable/connectivity/swept_dop.hpp"

namespace toccata::deformable::connectivity {

class ObjectTree {
 public:
  // New bounds of all objects. restructure: false only refits, unless the number of objects changed.
  void update(std::span<const SweptDop> objects, bool restructure);

  // Calls emit(i, j) for every pair of objects whose bounds come within `distance`, each once; returns the
  // number of bound tests.
  std::int64_t overlapping_pairs(double distance,
                                 const std::function<void(std::int32_t, std::int32_t)>& emit) const;

  std::int32_t rebuilt_subtrees() const { return rebuilt_subtrees_; }  // by the last update
  std::int32_t rebuilt_objects() const { return rebuilt_objects_; }    // objects in them
  // Expected number of nodes that a small box somewhere in the root's volume reaches: the metric.
  double expected_visits() const { return nodes_.empty() ? 0.0 : nodes_[0].visits; }
  std::size_t memory_bytes() const { return nodes_.capacity() * sizeof(Node); }

 private:
  struct Node {
    SweptDop dop;
    std::int32_t object = -1;  // of a leaf
    std::int32_t size = 1;     // leaves below; the left child follows, the right one after its subtree
    float visits = 1.0f;       // expected, given that this node is reached
    float visits_at_build = 1.0f;
  };
  std::int32_t right(std::int32_t node) const { return node + 2 * nodes_[node + 1].size; }
  void build(std::int32_t at, std::span<std::int32_t> objects, std::span<const SweptDop> dops);
  void rebuild(std::int32_t at, std::span<const SweptDop> dops);
  void refit_node(std::int32_t at, std::span<const SweptDop> dops);
  void restructure(std::span<const SweptDop> dops);
  double measure(const SweptDop& dop) const;

  std::vector<Node> nodes_;
  double thickness_ = 0.0;  // added to every extent of the measure, so that flat bounds have a volume
  std::int32_t rebuilt_subtrees_ = 0, rebuilt_objects_ = 0;
};

}  // namespace toccata::deformable::connectivity
