#pragma once
// Boxes that move a little from step to step. Each is grown by as far as it will get in a few steps; as long
// as boxes stay in their grown ones, only pairs of those can overlap.
#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "broad_phase/pair_tree.hpp"

namespace toccata::broad_phase {

class PairForecast {
 public:
  bool is_there() const { return !grown_.empty(); }
  void forget();

  // ids: of the boxes that are not empty, increasing. moved: by id, how far the sides of a box went in the
  // last step. False: boxes are too far from the origin for their size.
  bool start(std::span<const Aabb> boxes, std::span<const Eigen::Vector3f> moved,
             std::span<const std::int32_t> ids, int threads);

  // There is one, and none of the changed boxes has left its grown one.
  bool holds(std::span<const Aabb> boxes, std::span<const std::int32_t> changed) const;

  // After boxes have changed: those that have left their grown ones get others. False, and all is forgotten:
  // they are too many, or boxes are there that were not.
  bool follow(std::span<const Aabb> boxes, std::span<const Eigen::Vector3f> moved,
              std::span<const std::int32_t> changed);

  // Sorted: all pairs that overlap are among them.
  std::span<const IndexPair> candidates() const { return candidates_; }

 private:
  // In single precision, which keeps them small; as large as fits into the box that was grown.
  struct GrownBox {
    float low[3];
    float high[3];

    Aabb box() const;
    bool holds(const Aabb& box) const;
  };
  static GrownBox grown(const Aabb& box, const Eigen::Vector3f& moved);
  void build_tree();

  std::vector<GrownBox> grown_;  // by id
  PairTree tree_;                // of them, once one has left
  bool has_tree_ = false;
  int served_ = 0;  // steps
  std::vector<IndexPair> candidates_;
  std::vector<std::int32_t> left_;
  std::vector<bool> has_left_;
};

}  // namespace toccata::broad_phase
