// First contacts with height fields, of which the search sees the skin only where it may: held against the
// columns at rest, at many times. From above, from the side, through holes, from below and from within.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "effort.hpp"
#include "oracle/moving_bodies.hpp"
#include "toccata/bound/convex_hull_of.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/proximity/intersects.hpp"

namespace toccata {
namespace {

using std::numbers::pi;

HeightField rough_field(Random& random, double hole_share) {
  HeightField field;
  field.columns = random.integer(2, 24);
  field.rows = random.integer(2, 24);
  field.spacing = {random.uniform(0.2, 1.0), random.uniform(0.2, 1.0)};
  const double height = random.uniform(0.0, 3.0);
  for (std::int32_t i = 0; i < field.columns * field.rows; ++i) {
    field.heights.push_back(random.unit() < hole_share ? std::numeric_limits<double>::quiet_NaN()
                                                       : height * random.unit());
  }
  field.floor = -random.uniform(0.0, 2.0);
  return field;
}

Shape any_body(Random& random) {
  switch (random.integer(0, 4)) {
    case 0:
      return Ball{random.uniform(0.05, 0.6)};
    case 1:
      return Capsule{random.uniform(0.05, 0.3), random.uniform(0.1, 1.0)};
    case 2:
      return Cylinder{random.uniform(0.05, 0.4), random.uniform(0.1, 1.0)};
    case 3: {
      std::vector<Vector3> points;
      for (int i = 0; i < 12; ++i) points.push_back(random.in_box(0.6));
      return convex_hull_of(points).value();
    }
    default:
      return Box{{random.uniform(0.05, 1.5), random.uniform(0.05, 1.0), random.uniform(0.05, 0.5)}};
  }
}

struct Tally {
  int contacts = 0, starts = 0, free = 0;
};

// Never late, and touching when it says so; at the start it says so if and only if they touch.
void expect_first(const Body& body, const Body& field, Tally& tally) {
  const FirstContactResult r = first_contact(body, field);
  ASSERT_NE(r.status, Status::Failed) << r.failure;
  const auto at = [](const Body& b, double t) { return PlacedShape(b.shape, b.motion->pose(t)); };
  const double tolerance = resolved_tolerance(body.shape, field.shape);
  if (r.status == Status::OverlapAtStart) {
    ++tally.starts;
    ASSERT_LE(distance(at(body, 0.0), at(field, 0.0)).distance, tolerance * 1.001 + 1e-12);
    return;
  }
  constexpr int samples = 60;
  for (int i = 0; i <= samples; ++i) {
    const double t = static_cast<double>(i) / samples;
    if (t >= r.time && r.status != Status::Separated) break;
    ASSERT_FALSE(intersects(at(body, t), at(field, t)).intersects)
        << "late: " << r.time << ", overlap at " << t;
  }
  if (r.status == Status::Separated) {
    ++tally.free;
    return;
  }
  ++tally.contacts;
  ASSERT_LE(distance(at(body, r.time), at(field, r.time)).distance, tolerance * 1.001 + 1e-12);
  ASSERT_LE(r.time, r.upper);
  if (r.upper < 1.0) {
    ASSERT_TRUE(intersects(at(body, r.upper), at(field, r.upper)).intersects);
  }
  ASSERT_LE(std::abs(r.contact.distance - (r.contact.point_b - r.contact.point_a).norm()), 1e-9);
}

Vector3 any_place(Random& random, const HeightField& field, double low, double high) {
  return {random.uniform(-1.5, field.columns * field.spacing.x() + 1.5),
          random.uniform(-1.5, field.rows * field.spacing.y() + 1.5), random.uniform(low, high)};
}

// How the field stands: its own way up is not the world's.
Pose any_stand(Random& random) {
  return {Eigen::AngleAxisd(random.uniform(-pi, pi), random.on_sphere()).toRotationMatrix(),
          random.in_box(5.0)};
}

void cast_from(double low, double high, double end_low, double end_high, std::uint64_t seed, Tally& tally) {
  Random random(seed_or(seed));
  for (int trial = 0; trial < with_effort(400); ++trial) {
    const HeightField field = rough_field(random, trial % 3 == 0 ? 0.05 : 0.0);
    const Shape shape = field;
    const Shape body = any_body(random);
    const Pose stand = any_stand(random);
    const Vector3 from = any_place(random, field, low, high);
    const Vector3 to = any_place(random, field, end_low, end_high);
    const Pose start = stand * Pose(any_stand(random).rotation, from);
    const Vector3 way = stand.rotation * (to - from), spin = random.uniform(0.0, 7.0) * random.on_sphere();
    const Body moving = {body, RigidMotion::with_velocity(start, way, spin)};
    expect_first(moving, {shape, stand}, tally);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(FieldSkin, from_above) {
  Tally tally;
  cast_from(3.0, 6.0, -1.0, 2.0, 1, tally);
  EXPECT_GT(tally.contacts, with_effort(100));
  EXPECT_GT(tally.free, 0);
}

TEST(FieldSkin, from_anywhere_to_anywhere) {
  Tally tally;
  cast_from(-4.0, 4.0, -4.0, 4.0, 2, tally);
  EXPECT_GT(tally.contacts, with_effort(20));
  EXPECT_GT(tally.starts, with_effort(20));
}

TEST(FieldSkin, low_over_it_and_from_the_side) {
  Tally tally;
  cast_from(0.5, 3.0, 0.2, 3.0, 3, tally);
  EXPECT_GT(tally.contacts, with_effort(50));
  EXPECT_GT(tally.starts, with_effort(20));
}

// A small body deep in a column, far from every top, and one that goes sideways from there.
TEST(FieldSkin, what_starts_within_is_found_there) {
  HeightField field;
  field.columns = field.rows = 20;
  field.heights.assign(400, 5.0);
  field.floor = -5.0;
  const Body body = {Ball{0.01}, RigidMotion::with_velocity({Matrix3::Identity(), {9.3, 9.4, 0.0}},
                                                            {3.0, 1.0, 0.5}, Vector3::Zero())};
  EXPECT_EQ(first_contact(body, {Shape(field)}).status, Status::OverlapAtStart);
}

// Down a hole of one column, and then into its wall.
TEST(FieldSkin, walls_of_holes_are_met) {
  HeightField field;
  field.columns = field.rows = 21;
  field.heights.assign(441, 1.0);
  field.heights[10 * 21 + 10] = std::numeric_limits<double>::quiet_NaN();
  field.floor = -5.0;
  const Shape shape = field;
  const Body body = {Ball{0.1}, RigidMotion::with_velocity({Matrix3::Identity(), {10.0, 10.0, -2.0}},
                                                           {6.0, 0.0, 0.0}, Vector3::Zero())};
  const FirstContactResult r = first_contact(body, {shape});
  ASSERT_EQ(r.status, Status::Contact);
  // The wall from (10, 9) to (11, 10) is met at half a right angle.
  EXPECT_NEAR(10.0 + 6.0 * r.time, 11.0 - 0.1 * std::numbers::sqrt2, 1e-5);
}

}  // namespace
}  // namespace toccata
