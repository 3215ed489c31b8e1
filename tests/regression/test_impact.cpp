// Elementary motions that were once answered wrongly, or that are known to be hard, each with its reason.
#include <gtest/gtest.h>

#include "oracle/impact_check.hpp"
#include "oracle/motions.hpp"

namespace toccata::oracle {
namespace {

LinearMotion4 motion_of(const std::array<Vector3, 4>& t0, const std::array<Vector3, 4>& t1) {
  return {t0, t1};
}

// A vertex at rest in the plane of a still triangle, on its edge: contact at t = 0 without any motion.
TEST(ImpactRegression, static_contact_on_an_edge) {
  const std::array<Vector3, 4> x = {Vector3(0.5, 0, 0), Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0)};
  EXPECT_EQ(fault_of_library(FeaturePair::VertexFace, motion_of(x, x)), "");
}

// The contact is at t = 1 exactly, with a double root of the coplanarity cubic there.
TEST(ImpactRegression, double_root_at_the_end) {
  const LinearMotion4 motion =
      motion_of({Vector3(0, 0, 1), Vector3(-1, -1, 0), Vector3(1, -1, 0), Vector3(0, 1, 1)},
                {Vector3(0, 0, 0), Vector3(-1, -1, 0), Vector3(1, -1, 0), Vector3(0, 1, 0)});
  EXPECT_EQ(fault_of_library(FeaturePair::VertexFace, motion), "");
}

}  // namespace
}  // namespace toccata::oracle
