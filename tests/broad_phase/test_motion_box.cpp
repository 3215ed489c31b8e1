// Points of moving bodies at many times are inside the box that is said to hold them, and the box is not much
// larger than it has to be.
#include "toccata/broad_phase/motion_box.hpp"

#include <gtest/gtest.h>

#include "broad_phase/turned_points.hpp"
#include "effort.hpp"
#include "oracle/moving_bodies.hpp"
#include "toccata/bound/convex_hull_of.hpp"

namespace toccata {
namespace {

using namespace oracle;

TEST(MotionBox, HoldsTheBodyAtEveryTime) {
  Random random(5);
  for (int trial = 0; trial < with_effort(400); ++trial) {
    const double scale = std::pow(10.0, random.integer(-4, 4));
    const TriangleMesh mesh = random_soup(random, 6, scale);
    const auto motion = random_motion(random, 3.0 * scale);
    double begin = random.unit(), end = random.unit();
    if (begin > end) std::swap(begin, end);
    if (trial % 4 == 0) begin = 0.0, end = 1.0;
    if (trial % 4 == 1) end = begin;
    const Aabb box = motion_box(mesh, *motion, begin, end);
    Aabb seen = {Vector3::Constant(1e300), Vector3::Constant(-1e300)};
    for (int i = 0; i <= 64; ++i) {
      const double t = begin + (end - begin) * i / 64.0;
      const Pose pose = motion->pose(t);
      for (const Vector3& vertex : mesh.vertices) {
        const Vector3 x = pose.apply(vertex);
        seen.lower = seen.lower.cwiseMin(x);
        seen.upper = seen.upper.cwiseMax(x);
      }
    }
    ASSERT_TRUE((box.lower.array() <= seen.lower.array()).all() &&
                (box.upper.array() >= seen.upper.array()).all())
        << "trial " << trial;
    if (begin == end) {  // at one moment it is as good as the shape's own box
      const double size = (seen.upper - seen.lower).maxCoeff();
      EXPECT_LT((box.upper - box.lower).maxCoeff(), 2.5 * size) << "trial " << trial;
    }
  }
}

TEST(MotionBox, OfStraightMotionsIsTight) {
  const TriangleMesh cube = box(Vector3::Ones());
  const Aabb held = motion_box(cube, RigidMotion::with_velocity({}, {10, 0, 0}, Vector3::Zero()));
  EXPECT_NEAR(held.lower.x(), -1.0, 1e-6);
  EXPECT_NEAR(held.upper.x(), 11.0, 1e-6);
  EXPECT_NEAR(held.upper.y(), 1.0, 1e-6);
}

TEST(MotionBox, AtRestIsTight) {
  Random random(8);
  for (int trial = 0; trial < with_effort(200); ++trial) {
    std::vector<Vector3> points;
    const int count = random.integer(1, trial % 10 == 0 ? 200 : 40);
    for (int i = 0; i < count; ++i) points.push_back(random.on_sphere() + Vector3(0.5, 0, 0));
    const Pose pose = random_pose(random, 5.0);
    Aabb seen = fit<Aabb>(std::vector<Vector3>{pose.apply(points[0])});
    for (const Vector3& x : points) seen = merge(seen, fit<Aabb>(std::vector<Vector3>{pose.apply(x)}));
    const Shape hull = convex_hull_of(points).value();
    const Aabb held = pose_box(hull, pose);
    EXPECT_TRUE((held.lower.array() <= seen.lower.array()).all() &&
                (held.upper.array() >= seen.upper.array()).all());
    const double wider = (held.upper - seen.upper).maxCoeff() + (seen.lower - held.lower).maxCoeff();
    EXPECT_LT(wider, std::get<ConvexHull>(hull.geometry()).vertices.size() <= 64 ? 1e-12 : 2.0);
    const Aabb moment = motion_box(hull, RigidMotion::fixed(pose));
    EXPECT_NEAR((moment.upper - held.upper).norm(), 0.0, 1e-12);
  }
  const Aabb ball = pose_box(Ball{2.0}, {Matrix3::Identity(), {1, 0, 0}});
  EXPECT_NEAR(ball.upper.x(), 3.0, 1e-11);
  EXPECT_NEAR(ball.lower.y(), -2.0, 1e-11);
}

// The centre of what turns about a point far away goes along an arc; of more than half a turn, the whole
// circle counts.
TEST(MotionBox, OfSteadyTurnsIsNoLargerThanThePath) {
  Random random(11);
  for (int trial = 0; trial < with_effort(200); ++trial) {
    const Vector3 arm = random.in_box(4.0);
    const RigidMotion motion = RigidMotion::with_velocity(random_pose(random, 2.0), random.in_box(0.5),
                                                          random.on_sphere() * random.uniform(0.6, 2.9), arm);
    const Aabb held = motion_box(Ball{0.25}, motion);
    Aabb straight = {Vector3::Zero(), Vector3::Zero()},
         seen = fit<Aabb>(std::vector<Vector3>{motion.pose(0.0).translation});
    straight = merge(straight, fit<Aabb>(std::vector<Vector3>{motion.velocity()}));
    for (int i = 0; i <= 2000; ++i)
      seen = merge(seen, fit<Aabb>(std::vector<Vector3>{motion.pose(i / 2000.0).translation}));
    for (int k = 0; k < 3; ++k) {
      EXPECT_LE(held.lower[k], seen.lower[k] - 0.25);
      EXPECT_GE(held.upper[k], seen.upper[k] + 0.25);
      // Straight and around are bounded one by one.
      const double path = seen.upper[k] - seen.lower[k], slack = straight.upper[k] - straight.lower[k];
      EXPECT_LT(held.upper[k] - held.lower[k], path + 2.0 * slack + 0.5 + 1e-4);
    }
  }
}

// Hulls of few corners are turned corner by corner, those of more in columns.
TEST(MotionBox, TurnsColumnsAsPoints) {
  Random random(13);
  for (int trial = 0; trial < with_effort(300); ++trial) {
    std::vector<Vector3> points(static_cast<std::size_t>(random.integer(1, 64)));
    for (Vector3& point : points) point = random.in_box(std::pow(10.0, random.integer(-3, 3)));
    const HullIndex index(points, {}, {});
    const Matrix3 rotation = random_pose(random, 1.0).rotation;
    const Aabb one = broad_phase::turned_points_box(rotation, points),
               two = broad_phase::turned_points_box(rotation, index.scanned_corners());
    EXPECT_EQ(one.lower, two.lower);
    EXPECT_EQ(one.upper, two.upper);
  }
}

TEST(MotionBox, OfNothingIsEmpty) {
  const Aabb held = motion_box(TriangleMesh(), RigidMotion());
  EXPECT_GT(held.lower.x(), held.upper.x());
}

}  // namespace
}  // namespace toccata
