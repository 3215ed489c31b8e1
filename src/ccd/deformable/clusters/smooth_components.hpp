#pragma once
// Components without contact in themselves: their normals stay on one side of a plane during the step, and
// their contour, projected along its normal, stays simple. The theorem and its proof:
// docs/notes/connectivity_culling.md. Folds fail after a few faces, so that looking for a smooth cloth costs
// a folded one next to nothing.
#include <cstdint>
#include <memory>
#include <vector>

#include "ccd/deformable/clusters/cluster_boxes.hpp"
#include "motion/contour_test.hpp"

namespace toccata::deformable::clusters {

class SmoothComponents {
 public:
  // Finds the components that can be smooth: large, of triangles only, oriented, with a boundary. The others
  // are never cleared.
  void prepare(const Topology& topology);
  void forget() { *this = {}; }
  bool is_prepared() const { return prepared_; }

  // Which of them are, in this step. boxes: of the whole step.
  void update(const Topology& topology, const Step& step, const ClusterBoxes& boxes, int threads);

  // Of a component, or -1.
  bool is_cleared(std::int32_t component) const {
    return component >= 0 && any_ && cleared_[static_cast<std::size_t>(component)] != 0;
  }
  bool any() const { return any_; }
  std::int64_t cleared_faces() const;
  std::size_t memory_bytes() const;

 private:
  struct Candidate {
    std::int32_t component;
    std::int32_t face_begin, face_end;  // into faces_
    std::vector<std::int32_t> contour;  // loops, as ContourTester takes them
  };
  bool is_smooth(const Candidate& candidate, const Topology& topology, const Step& step,
                 const ClusterBoxes& boxes, int threads);

  bool prepared_ = false, any_ = false;
  std::vector<Candidate> candidates_;
  std::vector<std::int32_t> faces_;        // of the candidates
  std::vector<std::uint8_t> cleared_;      // by component
  std::unique_ptr<ContourTester> tester_;  // once the first contour is reached
  std::size_t vertex_count_ = 0;
};

}  // namespace toccata::deformable::clusters
