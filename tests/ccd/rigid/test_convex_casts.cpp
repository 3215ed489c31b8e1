// Casts of convex kinds against dense samples in long double, bisected: never late, within the tolerance, and
// what is said of the contact holds.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <vector>

#include "effort.hpp"
#include "oracle/moving_bodies.hpp"
#include "oracle/solid_oracle.hpp"
#include "toccata/bound/convex_hull_of.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/ccd/rigid/shape_cast.hpp"

namespace toccata {
namespace {

using oracle::LongMatrix;
using oracle::LongSolid;
using oracle::LongVector;
using oracle::shifted;

using std::numbers::pi;

// x(t) = c + t v + exp(t [w]) (R p + T - c), c the reference point at the start.
struct Moving {
  Geometry geometry;
  Pose pose;
  Vector3 velocity = Vector3::Zero(), spin = Vector3::Zero(), reference = Vector3::Zero();

  Body body() const {
    return {Shape::build(geometry).value(), RigidMotion::with_velocity(pose, velocity, spin, reference)};
  }

  LongSolid at(long double t) const {
    const LongMatrix start = pose.rotation.cast<long double>();
    const LongVector w = spin.cast<long double>(), place = pose.translation.cast<long double>();
    const long double angle = w.norm();
    LongMatrix turn = LongMatrix::Identity();
    if (angle > 0.0L) turn = Eigen::AngleAxis<long double>(t * angle, w / angle).toRotationMatrix();
    const LongVector arm = start * reference.cast<long double>();
    return {geometry, turn * start, place + arm + t * velocity.cast<long double>() - turn * arm};
  }
};

struct Truth {
  bool hit = false;
  long double time = 2.0L;
};

// The first sample at which they overlap, bisected back.
Truth sampled(const Moving& a, const Moving& b, int samples) {
  const auto overlap = [&](long double t) { return oracle::solid_gap(a.at(t), b.at(t)).upper <= 0.0L; };
  for (int i = 0; i <= samples; ++i) {
    long double high = static_cast<long double>(i) / samples;
    if (!overlap(high)) continue;
    long double low = i == 0 ? 0.0L : static_cast<long double>(i - 1) / samples;
    for (int k = 0; k < 62 && i > 0; ++k) {
      const long double middle = 0.5L * (low + high);
      (overlap(middle) ? high : low) = middle;
    }
    return {true, high};
  }
  return {};
}

void check(const Moving& a, const Moving& b, int samples) {
  const Body body_a = a.body(), body_b = b.body();
  const FirstContactResult r = first_contact(body_a, body_b);
  ASSERT_NE(r.status, Status::Failed) << r.failure;
  ASSERT_NE(r.status, Status::OutOfBudget);
  const Truth truth = sampled(a, b, samples);
  const double tolerance = resolved_tolerance(body_a.shape, body_b.shape);
  if (truth.hit) {
    ASSERT_NE(r.status, Status::Separated) << "missed at " << static_cast<double>(truth.time);
    EXPECT_LE(r.time, static_cast<double>(truth.time) + 1e-16) << "late";
  }
  if (r.status == Status::Separated) return;
  const LongSolid at_a = a.at(r.time), at_b = b.at(r.time);
  const auto gap = oracle::solid_gap(at_a, at_b);
  EXPECT_LE(gap.lower, tolerance * (1.0 + 1e-9) + 1e-14);
  if (r.status != Status::Contact) return;
  // By then they overlap, even if no sample shows it.
  if (r.upper < 1.0) {
    EXPECT_LE(oracle::solid_gap(a.at(r.upper), b.at(r.upper)).lower, 0.0L);
  }
  // What is reported: a distance, a direction that parts them, and points of both.
  EXPECT_NEAR(r.distance, static_cast<double>(gap.upper), 0.01 * tolerance);
  EXPECT_NEAR(r.contact.normal.norm(), 1.0, 1e-12);
  const LongVector normal = r.contact.normal.cast<long double>();
  EXPECT_GE(oracle::gap_along(at_a, at_b, normal), -0.01L * tolerance);
  for (const bool first : {true, false}) {
    const Pose at(Matrix3::Identity(), first ? r.contact.point_a : r.contact.point_b);
    EXPECT_LE(oracle::solid_gap(LongSolid(Ball{0.0}, at), first ? at_a : at_b).lower, 1e-9L);
  }
}

Geometry any_kind(Random& random) {
  const auto length = [&] { return random.uniform(0.1, 1.0); };
  switch (random.integer(0, 8)) {
    case 0:
      return Ball{length()};
    case 1:
      return Capsule{0.4 * length(), length()};
    case 2:
      return Cylinder{length(), length()};
    case 3:
      return Cone{length(), length()};
    case 4:
      return Ellipsoid{{length(), length(), length()}};
    case 5:
    case 6: {
      std::vector<Vector3> points;
      const int count = random.integer(0, 3) == 0 ? 200 : 20;
      for (int i = 0; i < count; ++i) points.push_back(random.on_sphere());
      return convex_hull_of(points).value();
    }
    default:
      return Box{{length(), length(), length()}};
  }
}

Moving any_motion(const Geometry& geometry, Random& random, double turn) {
  Moving m{geometry, oracle::random_pose(random, 2.5)};
  m.velocity = -1.6 * m.pose.translation + random.in_box(1.0);
  if (turn == 0.0) return m;
  m.spin = random.uniform(0.0, turn) * random.on_sphere();
  if (random.integer(0, 2) == 0) m.reference = random.in_box(0.8);
  return m;
}

TEST(ConvexCasts, translations_of_every_kind) {
  Random random(101);
  for (int trial = 0; trial < with_effort(120); ++trial) {
    SCOPED_TRACE(trial);
    const Moving b{any_kind(random), oracle::random_pose(random, 0.5)};
    check(any_motion(any_kind(random), random, 0.0), b, 40);
  }
}

TEST(ConvexCasts, turns_of_every_kind) {
  Random random(102);
  for (int trial = 0; trial < with_effort(120); ++trial) {
    SCOPED_TRACE(trial);
    const Moving b = trial % 3 == 0 ? any_motion(any_kind(random), random, 4.0)
                                    : Moving{any_kind(random), oracle::random_pose(random, 0.5)};
    check(any_motion(any_kind(random), random, trial % 2 == 0 ? 3.0 : 2.0 * pi), b, 80);
  }
}

TEST(ConvexCasts, boxes) {
  Random random(103);
  for (int trial = 0; trial < with_effort(300); ++trial) {
    SCOPED_TRACE(trial);
    const auto box = [&] {
      const Vector3 size = random.in_box(1.0).cwiseAbs();
      return Geometry(Box{trial % 10 == 0 ? Vector3(size.x(), size.y(), 0.0) : size});
    };
    Moving a = any_motion(box(), random, trial % 3 == 0 ? 5.0 : 0.0);
    Moving b{box(), oracle::random_pose(random, 0.5)};
    // Parallel faces, and parallel edges.
    if (trial % 4 == 1) a.pose.rotation = b.pose.rotation;
    if (trial % 4 == 3)
      a.pose.rotation = b.pose.rotation * Eigen::AngleAxisd(0.7, Vector3::UnitX()).toRotationMatrix();
    check(a, b, trial % 3 == 0 ? 60 : 30);
  }
}

// Long and thin ones turn past each other.
TEST(ConvexCasts, rods_and_plates) {
  Random random(104);
  for (int trial = 0; trial < with_effort(60); ++trial) {
    SCOPED_TRACE(trial);
    Moving rod{Box{{4, 0.04, 0.04}}, oracle::random_pose(random, 1.5)};
    rod.velocity = random.in_box(1.0);
    rod.spin = random.uniform(0.5, 2.0 * pi) * random.on_sphere();
    check(rod, {Box{{2, 2, 0.02}}, oracle::random_pose(random, 1.0)}, 300);
  }
}

// Both turn, some about points far off, some nearly or quite parallel.
TEST(ConvexCasts, tumbling_boxes) {
  Random random(107);
  for (int trial = 0; trial < with_effort(200); ++trial) {
    SCOPED_TRACE(trial);
    const auto box = [&] {
      const Vector3 size = random.in_box(1.0).cwiseAbs();
      return Geometry(Box{trial % 20 == 0 ? Vector3(size.x(), 0.0, size.z()) : size});
    };
    Moving a = any_motion(box(), random, trial % 2 == 0 ? 6.0 : 2.0);
    Moving b = any_motion(box(), random, 5.0);
    b.pose.translation *= 0.3;
    if (trial % 5 == 1) a.pose.rotation = b.pose.rotation;
    if (trial % 5 == 2) a.spin = a.spin.norm() * a.pose.rotation.col(trial % 3);
    if (trial % 5 == 3) b.spin.setZero();
    if (trial % 15 == 4) std::swap(a.spin, b.spin), a.spin.setZero();
    check(a, b, 100);
  }
}

// Far away, and in other units.
TEST(ConvexCasts, other_places_and_scales) {
  Random random(105);
  for (int trial = 0; trial < with_effort(40); ++trial) {
    const double scale = trial % 2 == 0 ? 1e-4 : 1e5;
    const Vector3 half = scale * (Vector3::Constant(0.1) + random.in_box(0.5).cwiseAbs());
    const Vector3 far = trial % 4 < 2 ? Vector3(Vector3::Zero()) : Vector3(1e4 * scale * random.on_sphere());
    const Pose place = oracle::random_pose(random, 0.5 * scale);
    const Vector3 from = 3.0 * scale * random.on_sphere();
    const Body a = {Box{2.0 * half}, RigidMotion::with_velocity({place.rotation, far + from}, -1.5 * from,
                                                                random.in_box(trial % 3 == 0 ? 0.0 : 3.0))};
    const Body b = {Ball{0.3 * scale}, Pose(Matrix3::Identity(), far)};
    const FirstContactResult r = first_contact(a, b);
    ASSERT_EQ(r.status, Status::Contact);
    EXPECT_LE(r.distance, 1.001 * resolved_tolerance(a.shape, b.shape));
    EXPECT_LT(r.upper, r.time + 1e-4);
  }
}

TEST(ConvexCasts, ends_of_the_motion) {
  const Shape box(Box{{1, 1, 1}});
  // Touches at the very end, and a little after it.
  const FirstContactResult last = shape_cast({box, shifted(-2, 0.3, 0.1)}, {1, 0, 0}, {box});
  EXPECT_EQ(last.status, Status::Contact);
  EXPECT_LE(last.time, 1.0);
  EXPECT_EQ(shape_cast({box, shifted(-2, 0.3, 0.1)}, {0.999, 0, 0}, {box}).status, Status::Separated);
  // Along each other's side, touching and beyond the tolerance.
  EXPECT_EQ(shape_cast({box, shifted(-2, 1.0, 0)}, {4, 0, 0}, {box}).status, Status::Contact);
  EXPECT_EQ(shape_cast({box, shifted(-2, 1.0 + 1e-4, 0)}, {4, 0, 0}, {box}).status, Status::Separated);
  // At the start, receding.
  EXPECT_EQ(shape_cast({box, shifted(-1, 0.3, 0.1)}, {-4, 0, 0}, {box}).status, Status::OverlapAtStart);
  // No motion at all.
  EXPECT_EQ(shape_cast({box, shifted(-2, 0, 0)}, {0, 0, 0}, {box}).status, Status::Separated);
}

// Budgets count steps, and an answer within one is the same.
TEST(ConvexCasts, budgets) {
  Random random(106);
  for (int trial = 0; trial < 40; ++trial) {
    const Body a = any_motion(any_kind(random), random, 4.0).body(), b = {any_kind(random)};
    const FirstContactResult all = first_contact(a, b);
    for (const std::int64_t budget : {1, 2, 3, 5, 1000}) {
      const FirstContactResult r = first_contact(a, b, {.budget = budget});
      if (r.status == Status::OutOfBudget) {
        EXPECT_LE(r.time, all.time);
      } else {
        EXPECT_EQ(r.time, all.time);
        EXPECT_EQ(r.status, all.status);
      }
    }
    EXPECT_NE(first_contact(a, b, {.budget = 100000}).status, Status::OutOfBudget);
  }
}

}  // namespace
}  // namespace toccata
