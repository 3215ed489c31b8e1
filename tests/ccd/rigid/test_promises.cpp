// What docs/first_contact.md and docs/closest_approach.md promise, where it was once broken: fine tolerances,
// far from the origin, bodies that are within the minimum distance at the start.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "oracle/moving_bodies.hpp"
#include "toccata/base/random.hpp"
#include "toccata/ccd/rigid/closest_approach.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/motion/rigid_motion.hpp"
#include "toccata/proximity/distance.hpp"

namespace toccata {
namespace {

using oracle::box;
constexpr auto at = oracle::shifted;

constexpr std::array<RigidMethod, 4> methods = {RigidMethod::Advancement, RigidMethod::Controlled,
                                                RigidMethod::Interval, RigidMethod::Screw};

Shape unit_cube() {
  return Shape(box({0.5, 0.5, 0.5}));
}

// What the rounding of poses may add to a distance, by docs/first_contact.md.
double pose_rounding(double size, double far) {
  return 1e-13 * size + 2e-14 * far;
}

// Promise 3: at `time` they are within minimum distance + tolerance.
TEST(Promises, every_method_stops_within_the_tolerance) {
  const Shape a = unit_cube(), b = unit_cube();
  for (const double far : {0.0, 1e3, 1e5, 1e6, 1e7}) {
    for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
      for (const double minimum_distance : {0.0, 0.25}) {
        double first = 2.0, last = -1.0;
        for (const RigidMethod method : methods) {
          SCOPED_TRACE(std::string(to_string(method)) + ", " + std::to_string(far) + " away, tolerance " +
                       std::to_string(1e12 * tolerance) + "e-12");
          FirstContactOptions options;
          options.tolerance = tolerance;
          options.minimum_distance = minimum_distance;
          options.method = method;
          const Body moving = {a, RigidMotion::with_velocity(at(far + 3, 0.2, 0.1), {-4, 0, 0}, {1, 2, 3})};
          const Body resting = {b, RigidMotion::fixed(at(far, 0, 0))};
          const FirstContactResult r = first_contact(moving, resting, options);
          ASSERT_EQ(r.status, Status::Contact);
          EXPECT_LE(r.distance, minimum_distance + tolerance + pose_rounding(2.0, far));
          EXPECT_EQ(r.distance, r.contact.distance);
          first = std::min(first, r.time);
          last = std::max(last, r.time);
        }
        // They close in at about 4 a unit of time.
        EXPECT_LE(last - first, tolerance + pose_rounding(2.0, far));
      }
    }
  }
}

// Contacts that a method only suspects end as they should: apart, if the bodies pass by.
TEST(Promises, every_method_lets_bodies_pass_beyond_the_tolerance) {
  const Shape a = unit_cube(), b = unit_cube();
  for (const RigidMethod method : methods) {
    FirstContactOptions options;
    options.tolerance = 1e-12;
    options.method = method;
    const Body moving = {a, RigidMotion(at(-3, 1.0 + 1e-9, 0), at(3, 1.0 + 1e-9, 0))};
    EXPECT_EQ(first_contact(moving, {b, Pose()}, options).status, Status::Separated) << to_string(method);
  }
}

// The search may stop at any pair of pieces within the minimum distance; the answer is about the bodies.
TEST(Promises, the_distance_at_the_start_is_that_of_the_bodies) {
  const Shape a = unit_cube(), b = Shape(box({0.5, 0.7, 0.6}));
  Pose crossing = at(0.3, 0.25, 0.2);
  crossing.rotation = Eigen::AngleAxisd(0.7, Vector3(1, 2, 3).normalized()).toRotationMatrix();
  std::vector<Pose> places = {crossing, at(1.2, 0.1, 0.0), at(1.3, 1.4, 0.0)};
  Random random(7);
  for (int i = 0; i < 20; ++i) places.push_back(oracle::random_pose(random, 1.0));
  for (const Pose& place : places) {
    const DistanceResult nearest = distance({a, place}, {b});
    for (const RigidMethod method : methods) {
      for (const bool all_contacts : {false, true}) {
        FirstContactOptions options;
        options.minimum_distance = 0.5;
        options.method = method;
        options.all_contacts = all_contacts;
        const Body placed = {a, RigidMotion::with_velocity(place, {1, 0, 0}, {0, 0, 1})};
        const FirstContactResult r = first_contact(placed, {b}, options);
        const FirstContactResult exchanged = first_contact({b}, placed, options);
        if (nearest.distance > 0.5) continue;
        ASSERT_EQ(r.status, Status::OverlapAtStart) << to_string(method);
        EXPECT_NEAR(r.distance, nearest.distance, 1e-14);
        EXPECT_EQ(r.distance == 0.0, nearest.distance == 0.0);
        EXPECT_EQ(r.distance, r.contact.distance);
        EXPECT_NEAR((r.contact.point_b - r.contact.point_a).norm(), r.distance, 1e-14);
        EXPECT_EQ(exchanged.distance, r.distance);
        EXPECT_EQ(exchanged.contact.feature_b.part, r.contact.feature_a.part);
        EXPECT_EQ(exchanged.contact.feature_a.part, r.contact.feature_b.part);
      }
    }
  }
}

// What closest_approach can reach, by docs/closest_approach.md: the tolerance and 1e-12 of how far from the
// origin the bodies get. Near it, where rounding is far below the tolerance, the tolerance and nothing more.
TEST(Promises, closest_approach_reaches_its_tolerance_or_says_what_it_can) {
  const Shape a = unit_cube(), b = unit_cube();
  Random random(11);
  for (const double far : {0.0, 1.0, 1e4, 1e6, 1e7, 1e9}) {
    for (int i = 0; i < 6; ++i) {
      const Vector3 place = far * Vector3(1, i % 2, i % 3 == 0 ? 1 : 0);
      const Body moving = {a, RigidMotion::with_velocity(at(place.x() + 3, place.y(), place.z()),
                                                         random.in_box(3.0), random.in_box(6.0))};
      const Body resting = {b, RigidMotion::fixed(at(place.x(), place.y(), place.z()))};
      for (const double tolerance : {1e-6, 1e-9}) {
        ClosestApproachOptions options;
        options.tolerance = tolerance;
        const ClosestApproachResult r = closest_approach(moving, resting, options);
        if (r.status != Status::Separated) continue;
        const double reach = a.size() + std::max(moving.motion->pose(0.0).translation.norm(),
                                                 moving.motion->pose(1.0).translation.norm());
        EXPECT_LE(r.distance - r.lower_distance, tolerance + (far < 2.0 ? 0.0 : 1e-12 * reach))
            << far << ' ' << i << ' ' << tolerance;
      }
    }
  }
}

}  // namespace
}  // namespace toccata
