// Elementary motions that were once answered wrongly, or that are known to be hard, each with its reason.
#include <gtest/gtest.h>

#include <limits>

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
  EXPECT_EQ(fault_of_library(FeaturePairKind::VertexFace, motion_of(x, x)), "");
}

// The contact is at t = 1 exactly, with a double root of the coplanarity cubic there.
TEST(ImpactRegression, double_root_at_the_end) {
  const LinearMotion4 motion =
      motion_of({Vector3(0, 0, 1), Vector3(-1, -1, 0), Vector3(1, -1, 0), Vector3(0, 1, 1)},
                {Vector3(0, 0, 0), Vector3(-1, -1, 0), Vector3(1, -1, 0), Vector3(0, 1, 0)});
  EXPECT_EQ(fault_of_library(FeaturePairKind::VertexFace, motion), "");
}

void expect_right(FeaturePairKind pair, const LinearMotion4& motion,
                  const LinearImpactOptions& options = {}) {
  const Impact impact = library_answer(pair, motion, options);
  EXPECT_EQ(fault_of(impact, pair, motion, options), "");
  EXPECT_EQ(place_fault_of(impact, pair, motion, options), "");
}

// The triangle is a segment at the moment of contact: barycentric numerators over |n|^2 just before it gave
// the weights 2/3, 1/3, 0 for a vertex in the middle of the segment.
TEST(ImpactRegression, weights_where_the_triangle_collapses) {
  expect_right(FeaturePairKind::VertexFace,
               motion_of({Vector3(0, 1, 0), Vector3(-1, 1, -1), Vector3(-1, 1, -1), Vector3(-1, 0, 0)},
                         {Vector3(-1, 0, -1), Vector3(1, -1, 1), Vector3(-1, 1, -1), Vector3(1, 0, 0)}));
}

// Nearly collinear edges that hardly move: the line parameters are ill-conditioned, the ends are not.
TEST(ImpactRegression, weights_of_nearly_collinear_edges) {
  expect_right(FeaturePairKind::EdgeEdge,
               motion_of({Vector3(0x1.100f3aebfb484p+4, 0x1.c01e75d7f6a38p+3, -0x1.ffffffffffc81p+0),
                          Vector3(-0x1.8efbe25ba1e6p-1, -0x1.e3bef896e8798p+1, -0x1p+1),
                          Vector3(0x1.8p+1, 0x0p+0, -0x1p+1), Vector3(0x1p+1, -0x1p+0, -0x1p+1)},
                         {Vector3(0x1.87d42290e0504p-41, -0x1.80000000006b1p+1, -0x1.ffffffffff21ep+0),
                          Vector3(-0x1.8efbe25ba35e8p-1, -0x1.e3bef896e8985p+1, -0x1.ffffffffffe09p+0),
                          Vector3(0x1.7fffffffff8bep+1, -0x1.18353ef2c2178p-43, -0x1.ffffffffff65ap+0),
                          Vector3(0x1.000000000057bp+1, -0x1.0000000000f55p+0, -0x1.ffffffffffa8cp+0)}));
}

// A triangle whose edges are the smallest denormals still has a normal.
TEST(ImpactRegression, normal_at_denormal_scale) {
  const double d = std::numeric_limits<double>::denorm_min();
  const std::array<Vector3, 4> x = {Vector3(0, 0, 0), Vector3(0, -d, 0), Vector3(0, 0, 0), Vector3(-d, 0, 0)};
  const std::array<Vector3, 4> start = {Vector3(d, 0, 0), x[1], x[2], x[3]};
  expect_right(FeaturePairKind::VertexFace, motion_of(start, x));
}

// Within a small distance: the search once gave up without a budget.
TEST(ImpactRegression, small_minimum_distance) {
  LinearImpactOptions options;
  options.minimum_distance = 0x1.39459ac834bcep-19;
  Random random(1);
  for (int i = 0; i < 200; ++i) expect_right(FeaturePairKind::EdgeEdge, grid_motion(random, 2), options);
}

}  // namespace
}  // namespace toccata::oracle
