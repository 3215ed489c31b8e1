#pragma once
// The distance of two cores, as every method of finding it hands it over.
#include "proximity/convex/convex_distance.hpp"

namespace toccata::convex {

struct CoreDistance {
  double lower =
      0.0;  // proven: no point of the difference is lower along `direction`; negative: they may meet
  double upper = std::numeric_limits<double>::infinity();
  bool meets = false;
  Vector3 direction = Vector3::Zero();  // of lower: unit, towards the difference (from b to a)
  Vector3 of_a = Vector3::Zero();       // of upper: points of the cores
  Vector3 of_b = Vector3::Zero();
  ConvexFeatures features;
  std::int32_t iterations = 0;
};

}  // namespace toccata::convex
