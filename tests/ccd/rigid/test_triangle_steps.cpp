// The first look at two triangles in motion: what it says to stay apart does, whichever of the bodies turn
// and at any scale; and it says nearly as much at unusual scales as at usual ones.
#include "ccd/search/triangle_steps.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "hierarchy/shape_data.hpp"
#include "oracle/moving_bodies.hpp"
#include "oracle/rigid_oracle.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata {

using namespace search;

namespace {

using oracle::random_pose, oracle::random_soup;

RigidMotion some_motion(Random& random, double scale) {
  const Vector3 spin = random.integer(0, 2) == 0
                           ? Vector3::Zero()
                           : Vector3(random.in_box(std::pow(10.0, random.uniform(-2, 1))));
  const Vector3 way = random.integer(0, 2) == 0 ? Vector3::Zero() : Vector3(scale * random.in_box(2.0));
  return RigidMotion::with_velocity(random_pose(random, 2.0 * scale), way, spin);
}

struct Moving {
  Moving(Random& random, double scale)
      : shape(random_soup(random, 1, scale)), motion(some_motion(random, scale)) {}

  double distance(const Moving& other, double t) const {
    return oracle::mesh_distance(shape.mesh(), motion.pose(t), other.shape.mesh(), other.motion.pose(t));
  }

  Shape shape;
  RigidMotion motion;
};

TriangleStep first_look(const Moving& a, const Moving& b, double t, double distance, double reach) {
  PairStates states({&a.shape.data(), &a.motion}, {&b.shape.data(), &b.motion});
  return triangle_step(states.at(t, 1.0), corners_of(a.shape.data(), 0), corners_of(b.shape.data(), 0),
                       distance, reach);
}

TEST(TriangleSteps, triangles_stay_apart_for_their_step) {
  Random random(4711);
  int steps = 0, far = 0;
  for (int round = 0; round < 3000; ++round) {
    const double scale = std::pow(10.0, random.uniform(-3, 3));
    const Moving a(random, scale), b(random, scale);
    const double t = random.uniform(0, 0.9), distance = round % 2 == 0 ? 0.0 : 0.1 * scale;
    const TriangleStep step = first_look(a, b, t, distance, 0.2 * scale);
    if (step.is_far) {
      ++far;
      ASSERT_GT(a.distance(b, t), distance + 0.2 * scale) << round;
    }
    if (step.step == 0.0) continue;
    ++steps;
    const double end = std::min(1.0 - t, step.step);
    for (int i = 0; i <= 40; ++i) ASSERT_GT(a.distance(b, t + end * i / 40.0), distance) << round << ' ' << i;
  }
  EXPECT_GT(steps, 2000);
  EXPECT_GT(far, 1000);
}

// Beyond a size of 1e20, or below 1e-20, edges are scaled.
TEST(TriangleSteps, scale_does_not_matter) {
  int steps = 0;
  for (int seed = 0; seed < 300; ++seed) {
    Random random(seed), again(seed);
    const double scale = seed % 2 == 0 ? 0x1p170 : 0x1p-170;
    const Moving a(random, 1.0), b(random, 1.0);
    const Moving large_a(again, scale), large_b(again, scale);
    // What stays apart for longer than anybody asks about may do so for how long it will.
    const double step = std::min(2.0, first_look(a, b, 0.25, 0.0, 0.0).step);
    const double scaled = std::min(2.0, first_look(large_a, large_b, 0.25, 0.0, 0.0).step);
    // A direction that is all rounding may be the best by chance.
    EXPECT_NEAR(scaled, step, 0.01 * step) << seed;
    if (step > 0.0) ++steps;
  }
  EXPECT_GT(steps, 200);
}

}  // namespace
}  // namespace toccata
