#pragma once
// What the files of PathSearch share: the queue, the balls, the ends of edges and the looks at moments.
#include <cstddef>
#include <cstdint>

#include "ccd/articulated/path_search.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata::articulated {

inline std::size_t at(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

// The direction of nearest points is what counts: they are found to this share of the distance only.
inline constexpr double rough_share = 0.05;
// Any contact is looked for at the middles of the whole, of halves and of quarters.
inline constexpr int probed_levels = 3;

// Not above the distance of a point from the box of an obstacle, less the rounding of lengths of this size.
inline double lower_gap(const SceneBody& obstacle, const Vector3& point) {
  if (obstacle.outline.is_plane()) {
    const Plane& plane = *obstacle.outline.shape.data().tree.plane;
    const Pose pose = obstacle.motion.pose(0.0);
    const Vector3 local =
        pose.rotation.transpose() * (point - pose.translation) - obstacle.outline.shape.data().center;
    return plane.height(local);
  }
  const Vector3 local = obstacle.axes.transpose() * (point - obstacle.middle);
  return (local.cwiseAbs() - obstacle.outline.box_half).cwiseMax(0.0).norm();
}

}  // namespace toccata::articulated
