#pragma once
// What can be asked: finite coordinates and options in their ranges. Everything else ends as Failed.
#include <Eigen/Core>
#include <limits>

#include "toccata/impact/linear_impact.hpp"

namespace toccata::impact {

// Written so that NaN fails every comparison.
inline bool is_usable(const LinearImpactOptions& options) {
  constexpr double most = std::numeric_limits<double>::max();
  return options.t_max >= 0.0 && options.t_max <= 1.0 && options.minimum_distance >= 0.0 &&
         options.minimum_distance <= most && options.relative_distance_tolerance >= 0.0 &&
         options.relative_distance_tolerance <= most && options.budget >= 0;
}

// Of the first `points` points. Zero times a finite number is zero, times any other NaN.
inline bool is_finite(const LinearMotion4& motion, int points) {
  using Coordinates = Eigen::Map<const Eigen::Array<double, Eigen::Dynamic, 1, 0, 12, 1>>;
  const Coordinates t0(motion.t0[0].data(), 3 * points), t1(motion.t1[0].data(), 3 * points);
  return (0.0 * t0 + 0.0 * t1).sum() == 0.0;
}

}  // namespace toccata::impact
