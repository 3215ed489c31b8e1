#pragma once
// Parts of a surface without contact in themselves: the theorem that clears smooth components
// (smooth_components.hpp, docs/notes/connectivity_culling.md) for sets of clusters: patches of normals that
// are near each other, and two such patches side by side. Which regions there are is a proposal, made once
// and kept for many steps (region_proposal.hpp); each step proves which of them hold.
#include <cstdint>
#include <memory>
#include <vector>

#include "ccd/deformable/clusters/cluster_boxes.hpp"
#include "ccd/deformable/clusters/cluster_kernels.hpp"
#include "ccd/deformable/clusters/region_proposal.hpp"
#include "ccd/deformable/clusters/smooth_components.hpp"
#include "motion/contour_tester_pool.hpp"

namespace toccata::deformable::clusters {

class SmoothRegions {
 public:
  void prepare(const Topology& topology, const ClusterMesh& mesh);
  void forget();
  bool is_prepared() const { return prepared_; }

  // Which regions have no contact in themselves, in this step. boxes: of the whole step.
  void update(const Topology& topology, const ClusterMesh& mesh, const Step& step, const ClusterBoxes& boxes,
              int threads);

  // None, in this step.
  void skip() { cleared_clusters_ = 0; }

  bool any() const { return cleared_clusters_ > 0; }
  // Most of what held at first no longer does: the surface has bent, and new patches would be better.
  bool are_worn() const;
  // Whether one region that holds has both clusters.
  bool are_cleared(std::int32_t a, std::int32_t b) const {
    const std::int32_t p = patch_of_[static_cast<std::size_t>(a)], q = patch_of_[static_cast<std::size_t>(b)];
    if (p < 0 || q < 0) return false;
    if (p == q) return holds_[static_cast<std::size_t>(p)] != 0;
    const auto from = static_cast<std::size_t>(p);
    for (std::int32_t i = link_begin_[from]; i < link_begin_[from + 1]; ++i) {
      const Link& link = links_[static_cast<std::size_t>(i)];
      if (link.patch == q) return holds_[static_cast<std::size_t>(link.region)] != 0;
    }
    return false;
  }
  // Faces of clusters that have no contact in themselves, but for those of the components that are cleared.
  std::int64_t cleared_faces(const ClusterMesh& mesh, const SmoothComponents& components) const;
  std::size_t memory_bytes() const;

 private:
  struct Region {
    std::array<std::int32_t, 2> patches;  // the second is -1: one alone
    std::vector<std::int32_t> contour;    // none: never tried
    NormalAxis axis = {0, 0, 0};          // of this step
    int resting = 0;                      // steps to go before it is tried again
    int failures = 0;                     // in a row
  };
  struct Link {
    std::int32_t patch, region;
  };

  // Says in tried_ for which regions it is time, and along which axes.
  void choose_axes(const Topology& topology, const ClusterMesh& mesh, const Step& step);
  // Closes the open regions whose normals are not proven to stay along their axes.
  void test_normals(const ClusterMesh& mesh, const ClusterBoxes& boxes, int threads);
  // Which of the open regions hold.
  void test_contours(const Step& step, int threads);
  // Of a cluster in a patch.
  bool is_cleared(std::int32_t cluster) const {
    return holds_[static_cast<std::size_t>(patch_of_[static_cast<std::size_t>(cluster)])] != 0;
  }

  // The first ones are the patches themselves, the others pairs of them.
  std::vector<Region> regions_;
  std::vector<std::uint8_t> tried_, open_, holds_;          // by region: in this step
  std::vector<std::int32_t> patch_of_;                      // by cluster, or -1
  std::vector<std::int32_t> patch_begin_, patch_clusters_;  // clusters by patch
  std::vector<std::int32_t> link_begin_;                    // by patch
  std::vector<Link> links_;                                 // the pairs that a patch is in
  std::unique_ptr<ContourTesterPool> pool_;
  std::size_t vertex_count_ = 0;
  bool prepared_ = false;
  int steps_ = 0;
  std::int32_t cleared_clusters_ = 0, cleared_at_first_ = 0;
};

}  // namespace toccata::deformable::clusters
