// Points of moving bodies at many times are inside the box that is said to hold them, and the box is not much
// larger than it has to be.
#include "toccata/broad_phase/motion_box.hpp"

#include <gtest/gtest.h>

#include "effort.hpp"
#include "oracle/moving_bodies.hpp"

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

TEST(MotionBox, OfNothingIsEmpty) {
  const Aabb held = motion_box(TriangleMesh(), RigidMotion());
  EXPECT_GT(held.lower.x(), held.upper.x());
}

}  // namespace
}  // namespace toccata
