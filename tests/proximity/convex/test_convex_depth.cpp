// Brackets of the depth of convex sets against all face normals and products of edges in long double.
#include "proximity/convex/convex_depth.hpp"

#include <gtest/gtest.h>

#include "effort.hpp"
#include "elementary/hull_index.hpp"
#include "oracle/convex_oracle.hpp"
#include "proximity/convex/convex_pairs.hpp"
#include "proximity/convex/touching_depth.hpp"

namespace toccata {
namespace {

using convex::convex_depth;
using convex::ConvexDepth;

double scale_of(const ConvexSet& a, const Pose& pose, const ConvexSet& b) {
  return core_reach(a) + core_reach(b) + pose.translation.norm();
}

double log_depth(Random& random) {
  return -std::pow(10.0, random.uniform(-14.0, -0.5));
}

bool has_space(SetKind kind) {
  return kind == SetKind::Box || kind == SetKind::RoundedBox || kind == SetKind::Hull ||
         kind == SetKind::RoundedHull;
}

// What holds for every kind: b moved along the normal by the upper depth is free, the points tell the depth.
void expect_consistent(const ConvexSet& a, const Pose& pose, const ConvexSet& b, const ConvexDepth& d) {
  const double scale = scale_of(a, pose, b) + a.radius + b.radius;
  EXPECT_LE(d.lower_depth, d.upper_depth);
  if (d.upper_depth > 0.0) {
    EXPECT_NEAR(d.normal.norm(), 1.0, 1e-14);
    EXPECT_GE(static_cast<double>(oracle::gap_along(a, pose, b, d.normal)), -d.upper_depth - 1e-18 * scale);
  }
  if (d.meets) {
    EXPECT_EQ(d.distance.upper, 0.0);
    EXPECT_NEAR((d.point_a - d.point_b).dot(d.normal), d.upper_depth,
                d.upper_depth - d.lower_depth + 1e-13 * scale);
  }
  if (d.distance.lower > 0.0) {
    EXPECT_EQ(d.upper_depth, 0.0);
  }
}

TEST(ConvexDepth, brackets_the_truth_for_polytopes) {
  Random random(2);
  for (int kind_a = 0; kind_a <= last_polytope_kind; ++kind_a) {
    for (int kind_b = 0; kind_b <= last_polytope_kind; ++kind_b) {
      for (int trial = 0; trial < with_effort(20); ++trial) {
        SCOPED_TRACE(testing::Message() << kind_a << " " << kind_b << " trial " << trial);
        const auto of_a = static_cast<SetKind>(kind_a), of_b = static_cast<SetKind>(kind_b);
        const OwnedSet a = random_set(random, of_a), b = random_set(random, of_b);
        const Pose pose = pose_at_gap(random, a.set, b.set, log_depth(random));
        const ConvexDepth d = convex_depth(a.set, pose, b.set);
        expect_consistent(a.set, pose, b.set, d);
        const double scale = scale_of(a.set, pose, b.set);
        EXPECT_LE(d.upper_depth - d.lower_depth, 1e-12 * scale);
        // The same where the distance was asked for first.
        const convex::ConvexDistance touching = convex::convex_distance(a.set, pose, b.set);
        if (!(touching.lower > 0.0)) {
          const ConvexDepth again = convex::touching_depth(a.set, pose, b.set, touching);
          expect_consistent(a.set, pose, b.set, again);
          EXPECT_EQ(again.meets, d.meets);
          EXPECT_LE(again.upper_depth - again.lower_depth, 1e-12 * scale);
          EXPECT_LE(again.lower_depth, d.upper_depth);
          EXPECT_LE(d.lower_depth, again.upper_depth);
        }
        if (has_space(of_a) && has_space(of_b)) {
          const auto truth = static_cast<double>(oracle::polytope_depth_truth(a.set, pose, b.set));
          const oracle::ConvexTruth gap = oracle::convex_distance_truth(a.set, pose, b.set);
          if (gap.lower == 0.0L) {
            // With the cores apart the depth is what the radii overlap by; the oracle's axes are the cores'.
            const double radii = a.set.radius + b.set.radius;
            if (truth >= radii || radii == 0.0) {
              EXPECT_LE(d.lower_depth, truth + 1e-17 * scale);
              EXPECT_GE(d.upper_depth, truth - 1e-17 * scale);
            }
          }
        }
        if (HasFailure()) return;
      }
    }
  }
}

// Corners of several kinds, the poor ones included.
std::vector<Vector3> some_corners(Random& random, int kind) {
  std::vector<Vector3> points;
  const Vector3 half(random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1));
  for (int i = 0; kind == 0 && i < 8; ++i)
    points.push_back(half.cwiseProduct(Vector3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
  const int count = kind == 0 ? 0 : random.integer(4, 70);
  const Vector3 scale = kind == 1   ? Vector3(1, 1, 0)
                        : kind == 2 ? Vector3(1, 1e-7, 1e-7)
                        : kind == 3 ? Vector3(1e-3, 1e-3, 1e-3)
                                    : Vector3::Ones();
  for (int i = 0; i < count; ++i) points.push_back(scale.cwiseProduct(random.on_sphere()));
  if (kind == 4) points.insert(points.end(), {points[0], points[1], 0.5 * (points[0] + points[1])});
  return points;
}

// Hulls a ten-millionth as wide as long have slivers for faces, whose planes are lost in doubles: one pair in
// thirty had a bracket as wide as its depth, or a corner of the surface was taken until there was no room
// left.
TEST(ConvexDepth, is_known_of_slivers) {
  Random random(78);
  for (int trial = 0; trial < with_effort(1500); ++trial) {
    SCOPED_TRACE(testing::Message() << "trial " << trial);
    const std::vector<Vector3> of_a = some_corners(random, 2),
                               of_b = some_corners(random, random.integer(0, 7));
    const HullIndex index_a(of_a, {}, {}), index_b(of_b, {}, {});
    const ConvexSet a = set_of_points(of_a, 0.0, &index_a), b = set_of_points(of_b, 0.0, &index_b);
    const Pose pose = pose_at_gap(random, a, b, -std::pow(10.0, random.uniform(-12.0, -3.0)));
    for (const ConvexDepth& d :
         {convex_depth(a, pose, b), convex_depth(set_of_points(of_a), pose, set_of_points(of_b))}) {
      expect_consistent(a, pose, b, d);
      EXPECT_LE(d.upper_depth - d.lower_depth, 3e-11 * scale_of(a, pose, b));
    }
  }
}

// Hulls of few corners are spread about the line of their middles, without a walk; sets that name no index
// walk as ever.
TEST(ConvexDepth, of_scanned_hulls_is_that_of_a_walk) {
  Random random(77);
  int deep = 0, apart = 0;
  for (int trial = 0; trial < with_effort(3000); ++trial) {
    SCOPED_TRACE(testing::Message() << "trial " << trial);
    const std::vector<Vector3> of_a = some_corners(random, random.integer(0, 7)),
                               of_b = some_corners(random, random.integer(0, 7));
    const HullIndex index_a(of_a, {}, {}), index_b(of_b, {}, {});
    const ConvexSet a = set_of_points(of_a, 0.0, &index_a), b = set_of_points(of_b, 0.0, &index_b);
    const double gap = (random.integer(0, 2) == 0 ? 1.0 : -1.0) * std::pow(10.0, random.uniform(-16.0, 0.0));
    Pose pose = pose_at_gap(random, a, b, gap);
    if (trial % 10 == 0) pose.translation.setZero();
    const ConvexDepth walked = convex_depth(set_of_points(of_a), pose, set_of_points(of_b));
    const ConvexDepth d = convex_depth(a, pose, b);
    expect_consistent(a, pose, b, d);
    EXPECT_EQ(d.meets, walked.meets);
    EXPECT_LE(d.lower_depth, walked.upper_depth);
    EXPECT_LE(walked.lower_depth, d.upper_depth);
    const double scale = scale_of(a, pose, b);
    EXPECT_LE(d.upper_depth - d.lower_depth, 3e-11 * scale + (walked.upper_depth - walked.lower_depth));
    EXPECT_EQ(d.distance.lower > 0.0, walked.distance.lower > 0.0);
    // Who asks only whether they are apart is told no more.
    convex::ConvexLimits limits;
    limits.enough = 0.0;
    const ConvexDepth asked = convex_depth(a, pose, b, nullptr, limits);
    EXPECT_EQ(asked.distance.lower > 0.0, walked.distance.lower > 0.0);
    EXPECT_LE(asked.distance.lower, walked.distance.upper);
    EXPECT_EQ(asked.meets, d.meets);
    EXPECT_EQ(asked.lower_depth, d.lower_depth);
    EXPECT_EQ(asked.upper_depth, d.upper_depth);
    for (std::int32_t i = 0; i < d.distance.features.count; ++i) {
      EXPECT_LT(d.distance.features.vertex_a[static_cast<std::size_t>(i)], corner_count(a));
      EXPECT_LT(d.distance.features.vertex_b[static_cast<std::size_t>(i)], corner_count(b));
    }
    if (trial % 8 == 0 && of_a.size() + of_b.size() < 24 && d.lower_depth > 0.0) {
      // The oracle's axes, of needles, are rounded: along another one they may part sooner.
      const auto truth = static_cast<double>(
          std::min(oracle::polytope_depth_truth(a, pose, b), -oracle::gap_along(a, pose, b, d.normal)));
      EXPECT_LE(d.lower_depth, truth + 1e-17 * scale);
      EXPECT_GE(d.upper_depth, truth - 1e-17 * scale);
    }
    (d.meets ? deep : apart) += 1;
    if (HasFailure()) return;
  }
  EXPECT_GT(deep, 100);
  EXPECT_GT(apart, 100);
}

// Edges that are nearly parallel have products with few digits left unless they are taken with care.
TEST(ConvexDepth, of_boxes_that_are_nearly_aligned) {
  Random random(12);
  for (int trial = 0; trial < with_effort(300); ++trial) {
    const OwnedSet a = random_set(random, SetKind::Box), b = random_set(random, SetKind::Box);
    const double angle = std::pow(10.0, random.uniform(-5.0, -1.0));
    Pose pose(Eigen::AngleAxisd(angle, random.on_sphere()).toRotationMatrix(), random.in_box(1.5));
    if (random.integer(0, 2) == 0) pose.translation.x() = 0.0;
    const ConvexDepth d = convex_depth(a.set, pose, b.set);
    expect_consistent(a.set, pose, b.set, d);
    if (!d.meets) continue;
    const auto truth = static_cast<double>(oracle::polytope_depth_truth(a.set, pose, b.set));
    EXPECT_NEAR(d.lower_depth, truth, 1e-13) << angle;
    EXPECT_NEAR(d.upper_depth, truth, 1e-13) << angle;
    if (HasFailure()) return;
  }
}

// The same flat, thin or curved set at the same place: no direction is known at the start, and the cores of
// curved ones are not seen to meet by their nearest points. The depth has a finite bracket all the same.
TEST(ConvexDepth, is_known_of_equal_sets_at_one_place) {
  struct Case {
    Core core;
    Vector3 half;
    double depth;
  };
  const Case cases[] = {{Core::Cone, {0, 0, 0.55}, 0},   {Core::Cylinder, {0, 0, 1e-3}, 0},
                        {Core::Cylinder, {1, 1, 0}, 0},  {Core::Ellipsoid, {0, 0.92, 0.19}, 0},
                        {Core::Ellipsoid, {0, 0, 0}, 0}, {Core::Ellipsoid, {1, 2, 3}, 2},
                        {Core::Cylinder, {1, 1, 4}, 2},  {Core::Cylinder, {2, 2, 0.5}, 1},
                        {Core::Box, {0, 1, 1}, 0},       {Core::Box, {1, 2, 3}, 2}};
  for (const Case& c : cases) {
    const ConvexSet set = set_of_core(c.core, c.half);
    const ConvexDepth d = convex_depth(set, Pose(), set);
    const double slack = 1e-6 * c.half.norm() + 1e-12;
    EXPECT_LE(d.lower_depth, c.depth + slack) << c.half.transpose();
    EXPECT_GE(d.upper_depth, c.depth - slack) << c.half.transpose();
    EXPECT_LE(d.upper_depth, c.depth * 1.001 + slack) << c.half.transpose();
    EXPECT_GE(d.lower_depth, c.depth * 0.999 - slack) << c.half.transpose();
    EXPECT_NEAR(d.normal.norm(), 1.0, 1e-12) << c.half.transpose();
  }
}

}  // namespace
}  // namespace toccata
