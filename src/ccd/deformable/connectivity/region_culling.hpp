#pragma once
// High-level culling (Tang et al., ICCD, IV and Algorithm 4): walks down a component's tree; a region whose
// normals stay in one cone and whose projected contour stays simple has no self-contact and is cleared. The
// children of every other node are left to be tested against each other. Hypotheses and proof:
// docs/notes/connectivity_culling.md.
#include <cstdint>
#include <memory>
#include <vector>

#include "ccd/deformable/connectivity/node_pair.hpp"
#include "ccd/deformable/connectivity/region_forest.hpp"
#include "motion/contour_tester_pool.hpp"

namespace toccata::deformable::connectivity {

struct RegionCounts {
  std::int64_t cone_tests = 0;  // nodes whose own cone was looked at
  std::int64_t cones_passed = 0;
  std::int64_t inherited_failures = 0;  // contours not tested, since a failing pair came down from the parent
  std::int64_t cleared_regions = 0;
  std::int64_t cleared_elements = 0;
};

// What a node inherits from its ancestors: the direction that served them all, and the two elements whose
// contour edges could not be separated.
struct RegionTask {
  std::int32_t node = 0;
  bool has_direction = false;
  Vector3 direction = Vector3::Zero();
  Vector3 origin = Vector3::Zero();
  std::int32_t failed_ranks[2] = {-1, -1};
};

class RegionCulling {
 public:
  // cleared: by rank, the node that cleared the element; written only at the ranks of the tasks given.
  RegionCulling(const RegionForest& forest, const RegionBounds& bounds, const ElementMesh& mesh,
                const Step& step, bool enabled, ContourTesterPool& pool, std::span<std::int32_t> cleared)
      : forest_(forest),
        bounds_(bounds),
        mesh_(mesh),
        step_(step),
        enabled_(enabled),
        pool_(pool),
        cleared_(cleared) {
    if (enabled_) tester_ = pool_.take(step.vertices.size());
  }
  ~RegionCulling() {
    if (tester_) pool_.give_back(std::move(tester_));
  }
  RegionCulling(const RegionCulling&) = delete;
  RegionCulling& operator=(const RegionCulling&) = delete;

  // Descends from the task's node; nodes of at most `stop` elements are not entered but returned as tasks.
  void run(const RegionTask& task, std::int32_t stop, std::vector<RegionTask>& rest,
           std::vector<NodePair>& pairs);

  const RegionCounts& counts() const { return counts_; }
  const ContourCounts& contour_counts() const { return contour_counts_; }

 private:
  void prepare(const RegionTask& task);
  bool clear(RegionTask& task);
  std::int32_t rank_beside(const ContourEdge& edge, const RegionNode& node) const;

  const RegionForest& forest_;
  const RegionBounds& bounds_;
  const ElementMesh& mesh_;
  const Step& step_;
  bool enabled_;
  ContourTesterPool& pool_;
  std::span<std::int32_t> cleared_;
  std::unique_ptr<ContourTester> tester_;
  Vector3 begun_direction_ = Vector3::Zero();
  Vector3 begun_origin_ = Vector3::Zero();
  RegionCounts counts_;
  ContourCounts contour_counts_;
};

}  // namespace toccata::deformable::connectivity
