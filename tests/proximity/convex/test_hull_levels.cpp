// Levels enclose their hull within the deviation, and give the answer of the hulls.
#include "proximity/convex/hull_levels.hpp"

#include <gtest/gtest.h>

#include "effort.hpp"
#include "oracle/convex_oracle.hpp"
#include "proximity/convex/convex_pairs.hpp"
#include "toccata/bound/convex_hull_of.hpp"

namespace toccata {
namespace {

using convex::convex_distance;
using convex::ConvexDistance;
using convex::ConvexLimits;
using convex::ConvexMemory;
using convex::Decimation;
using convex::HullLevels;

ConvexHull ellipsoid_hull(Random& random, int count, const Vector3& radii, double radius = 0.0) {
  std::vector<Vector3> points;
  for (int i = 0; i < count; ++i) points.push_back(radii.cwiseProduct(random.on_sphere()));
  return convex_hull_of(points, radius).value();
}

TEST(HullLevels, enclose_the_hull_within_the_deviation) {
  Random random(1);
  for (const Decimation decimation : {Decimation::DobkinKirkpatrick, Decimation::Quadric}) {
    const ConvexHull hull = ellipsoid_hull(random, 500, {1.0, 1.0, 0.1});
    const HullLevels levels(hull, decimation);
    ASSERT_GE(levels.size(), 4u);
    EXPECT_EQ(levels[0].deviation, 0.0);
    for (std::size_t i = 1; i < levels.size(); ++i) {
      EXPECT_LT(levels[i].points.size(), levels[i - 1].points.size());
      EXPECT_GT(levels[i].deviation, 0.0);
      EXPECT_LT(levels[i].deviation, 1.0);
      for (std::size_t v = 0; v < levels[i].points.size(); ++v)
        EXPECT_EQ(levels[i].points[v], levels[i - 1].points[levels[i].in_finer[v]]);
      for (int trial = 0; trial < 20;
           ++trial) {  // heights of the hull are within the deviation of the level's
        const Vector3 d = random.on_sphere();
        double hull_height = -1e9, level_height = -1e9;
        for (const Vector3& p : hull.vertices) hull_height = std::max(hull_height, d.dot(p));
        for (const Vector3& p : levels[i].points) level_height = std::max(level_height, d.dot(p));
        EXPECT_LE(level_height, hull_height);
        EXPECT_LE(hull_height, level_height + levels[i].deviation + 1e-14);
      }
    }
  }
}

TEST(HullLevels, give_the_answer_of_the_hulls) {
  Random random(2);
  const ConvexHull fat = ellipsoid_hull(random, 300, {1.0, 1.0, 1.0});
  const ConvexHull plate = ellipsoid_hull(random, 200, {1.0, 1.0, 0.1}, 0.05);
  const HullLevels a(fat), b(plate, Decimation::DobkinKirkpatrick);
  for (int trial = 0; trial < with_effort(100); ++trial) {
    const double gap = std::pow(10.0, random.uniform(-12.0, 0.0)) * (random.integer(0, 2) == 0 ? -1.0 : 1.0);
    Pose pose = pose_at_gap(random, a[0].set, b[0].set, gap);
    ConvexMemory memory;
    for (int frame = 0; frame < 3; ++frame) {
      const ConvexDistance by_levels = distance_by_levels(a, pose, b, frame == 0 ? nullptr : &memory);
      const ConvexDistance plain = convex_distance(a[0].set, pose, b[0].set);
      EXPECT_LE(by_levels.lower, plain.upper);
      EXPECT_GE(by_levels.upper, plain.lower);
      EXPECT_LE(by_levels.upper - by_levels.lower, 1e-13);
      EXPECT_EQ(by_levels.meets, plain.meets);
      pose.translation += Vector3(0.01, 0.0, 0.0);
    }
    ConvexLimits limits;
    limits.relative_error = 0.2;
    const ConvexDistance rough = distance_by_levels(a, pose, b, nullptr, limits);
    const ConvexDistance plain = convex_distance(a[0].set, pose, b[0].set);
    EXPECT_LE(rough.lower, plain.upper);
    EXPECT_GE(rough.upper, plain.lower);
    EXPECT_LE(rough.upper - rough.lower, 0.2 * rough.upper + 1e-13);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace toccata
