// Elementary motions that were once answered wrongly, or that are known to be hard, each with its reason.
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
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

// Coordinates of 2^1020 and of the smallest denormal: the coplanarity cubic has two roots near t = 2^-2000,
// which halving of the interval took a quarter of a second to tell apart. Quotients of its coefficients say
// where they are.
TEST(ImpactRegression, roots_of_very_different_size) {
  const double d = std::numeric_limits<double>::denorm_min(), h = 0x1p1020;
  const LinearMotion4 motion = motion_of({Vector3(2 * h, 0, 3 * h), Vector3(3 * h, d, 3 * h),
                                          Vector3(-3 * d, 3 * d, 2 * d), Vector3(-h, -d, 2 * h)},
                                         {Vector3(-3 * d, -2 * h, 2 * d), Vector3(d, -d, -3 * d),
                                          Vector3(0, 2 * h, 3 * d), Vector3(d, 2 * d, 0)});
  const std::clock_t start = std::clock();
  const Impact impact = library_answer(FeaturePairKind::EdgeEdge, motion);
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 0.1);
  EXPECT_EQ(fault_of(impact, FeaturePairKind::EdgeEdge, motion), "");
  // And what is like it.
  Random random(1);
  for (int i = 0; i < 40; ++i) {
    LinearMotion4 mixed;
    for (auto* end : {&mixed.t0, &mixed.t1}) {
      for (Vector3& x : *end) {
        for (int k = 0; k < 3; ++k) x[k] = random.integer(-3, 3) * (random.integer(0, 1) == 0 ? d : h);
      }
    }
    for (const FeaturePairKind pair : main_pairs)
      EXPECT_EQ(fault_of(library_answer(pair, mixed), pair, mixed), "");
  }
}

// All points run into one, as when a sheet collapses: until then the features are a scaled copy of the start.
TEST(ImpactRegression, all_points_run_into_one) {
  Random random(7);
  int at_start = 0, later = 0;
  for (int i = 0; i < 300; ++i) {
    LinearMotion4 motion = grid_motion(random, random.integer(1, 4));
    const double ratio = std::ldexp(random.integer(0, 3), -random.integer(0, 2));
    if (i % 3 == 0) {
      for (Vector3& x : motion.t0) x.z() = 0.0;
    }
    const Vector3 shift(random.integer(-2, 2), random.integer(-2, 2), random.integer(-2, 2));
    for (std::size_t p = 0; p < 4; ++p) motion.t1[p] = shift - ratio * motion.t0[p];
    for (const FeaturePairKind pair : main_pairs) {
      const Impact impact = library_answer(pair, motion);
      EXPECT_EQ(fault_of(impact, pair, motion), "");
      EXPECT_EQ(fault_of(library_answer(pair, motion, {.t_max = 0.25}), pair, motion, {.t_max = 0.25}), "");
      at_start += impact.status == Status::OverlapAtStart;
      later += impact.status == Status::Contact;
      if (impact.status != Status::Contact) continue;
      EXPECT_LE(impact.lower, 1.0 / (1.0 + ratio));
      EXPECT_GE(impact.upper, 1.0 / (1.0 + ratio));
    }
  }
  EXPECT_GT(at_start, 50);
  EXPECT_GT(later, 200);
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
