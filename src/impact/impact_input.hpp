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

// Of the first `points` points. A sum that is finite has finite terms; one that is not may also have
// overflowed: zero times a finite number is zero, times any other NaN.
template <int points>
bool is_finite(const LinearMotion4& motion) {
  using Coordinates = Eigen::Map<const Eigen::Array<double, 3 * points, 1>>;
  const Coordinates t0(motion.t0[0].data()), t1(motion.t1[0].data());
  const double sum = (t0 + t1).sum();
  return sum - sum == 0.0 || (0.0 * t0 + 0.0 * t1).sum() == 0.0;
}

}  // namespace toccata::impact
