// First contact against the slow oracle, closed forms, and the public trials with certified truth.
#include "effort.hpp"
#include "toccata/ccd/rigid/closest_approach.hpp"
#include "toccata/ccd/rigid/contact_intervals.hpp"
#include "toccata/ccd/rigid/contact_solver.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include "oracle/contact_tally.hpp"
#include "oracle/moving_bodies.hpp"
#include "oracle/rigid_oracle.hpp"
#include "toccata/base/random.hpp"
#include "toccata/io/mesh_io.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata {
namespace {

using oracle::box, oracle::sphere, oracle::random_soup, oracle::random_pose, oracle::random_motion;
using oracle::Tally, oracle::judge, oracle::expect_clean;

TEST(FirstContact, never_misses_random_soups) {
  Random random(101);
  Tally tally;
  for (int i = 0; i < with_effort(1800); ++i) {
    const double scale = i % 4 == 0 ? std::pow(10.0, random.uniform(-6, 6)) : 1.0;
    const TriangleMesh a = random_soup(random, random.integer(1, 6), scale);
    const TriangleMesh b = random_soup(random, random.integer(1, 6), scale);
    const auto motion_a = random_motion(random, 2.0 * scale);
    const auto motion_b = random_motion(random, 2.0 * scale);
    const Shape shape_a(a), shape_b(b);
    const double tolerance = resolved_tolerance(shape_a, shape_b);
    FirstContactOptions options;
    const FirstContactResult r = first_contact({shape_a, OwnedMotion::borrowed(*motion_a)},
                                               {shape_b, OwnedMotion::borrowed(*motion_b)}, options);
    judge(a, *motion_a, b, *motion_b, r, tolerance + 1e-11 * scale, scale, 40, tally);
  }
  expect_clean(tally);
  EXPECT_GT(tally.contacts, tally.queries / 5);
}

// A body passes another at a distance of a few tolerances, above or below zero: over a plate, which it may
// scratch, or corner over corner.
TEST(FirstContact, near_grazing_passes) {
  Random random(102);
  Tally tally;
  int free_passes = 0;
  for (int i = 0; i < with_effort(600); ++i) {
    const Vector3 n = random.on_sphere();
    const Vector3 along = random.on_sphere().cross(n).normalized();
    const bool over_plate = i % 2 == 0;
    const TriangleMesh a = random_soup(random, random.integer(1, 4), 1.0);
    TriangleMesh b = random_soup(random, random.integer(1, 4), 1.0);
    if (over_plate) {
      const Vector3 across = 6.0 * n.cross(along);
      b.vertices = {6.0 * along + across, 6.0 * along - across, -6.0 * along - across, -6.0 * along + across};
      b.faces = {{0, 1, 2}, {0, 2, 3}};
    }
    const Vector3 spin = over_plate && i % 4 == 0 ? random.in_box(1.5) : Vector3(Vector3::Zero());
    const Pose place = random_pose(random, 0.0);
    const RigidMotion turning = RigidMotion::with_velocity(place, Vector3::Zero(), spin);
    // The highest point of a along n during the motion, the lowest of b.
    Vector3 top = turning.pose(0.0).apply(a.vertices[0]), bottom = b.vertices[0];
    for (int k = 0; k <= 2000 * (spin.isZero() ? 0 : 1); ++k) {
      for (const Vector3& v : a.vertices) {
        const Vector3 x = turning.pose(k / 2000.0).apply(v);
        if (n.dot(x) > n.dot(top)) top = x;
      }
    }
    for (const Vector3& v : b.vertices) bottom = n.dot(v) < n.dot(bottom) ? v : bottom;
    const double graze = std::pow(10.0, random.uniform(-9, -4)) * (random.integer(0, 1) == 0 ? 1.0 : -1.0);
    const Vector3 meet = over_plate ? Vector3(n.dot(bottom - top) * n) : Vector3(bottom - top);
    const Pose start = {place.rotation, meet - graze * n - 4.0 * along};
    const RigidMotion motion = RigidMotion::with_velocity(start, 8.0 * along, spin);
    const RigidMotion fixed;
    const Shape shape_a(a), shape_b(b);
    const FirstContactResult r = first_contact({shape_a, motion}, {shape_b, fixed});
    judge(a, motion, b, fixed, r, resolved_tolerance(shape_a, shape_b) + 1e-11, 1.0, 200, tally);
    if (r.status == Status::Separated) ++free_passes;
  }
  expect_clean(tally);
  EXPECT_GT(free_passes, tally.queries / 10);
  EXPECT_GT(tally.contacts, tally.queries / 10);
}

TEST(FirstContact, box_falls_on_box) {
  const Shape a(box({1, 1, 1})), b(box({2, 2, 0.5}));
  const RigidMotion fall({Matrix3::Identity(), Vector3(0.3, 0.2, 5)},
                         {Matrix3::Identity(), Vector3(0.3, 0.2, 0)});
  FirstContactOptions options;
  options.all_contacts = true;
  const FirstContactResult r = first_contact({a, fall}, {b, RigidMotion()}, options);
  ASSERT_EQ(r.status, Status::Contact);
  EXPECT_LE(r.time, 0.7);
  EXPECT_NEAR(r.time, 0.7, 1e-6);
  EXPECT_NEAR(r.contact.normal.z(), -1.0, 1e-9);
  EXPECT_GE(r.contacts.size(), 2u);
  EXPECT_NEAR(r.contact.point_a.z(), 0.5, 1e-5);
  EXPECT_LE(r.upper, 1.0);
}

TEST(FirstContact, spinning_blade_hits_the_pin) {
  const Shape blade(box({2, 0.05, 0.05}));
  const Shape pin(box({0.01, 0.01, 1}));
  // The pin stands at angle 2 rad, radius 1.5; the blade's leading face meets it a little before.
  const double angle = 2.0;
  const Pose at{Eigen::AngleAxisd(angle, Vector3::UnitZ()).toRotationMatrix(),
                1.5 * Vector3(std::cos(angle), std::sin(angle), 0)};
  for (const double turns : {0.5, 3.0, 40.0}) {
    const double total = 2.0 * std::numbers::pi * turns;
    const RigidMotion spin = RigidMotion::with_velocity({}, Vector3::Zero(), Vector3(0, 0, total));
    const FirstContactResult r = first_contact({blade, spin}, {pin, RigidMotion::fixed(at)});
    ASSERT_EQ(r.status, Status::Contact) << turns;
    // The pin's nearer edge sits at tangential -0.01, radius 1.49: the face y = 0.05 reaches it there. The
    // rear half of the blade comes by half a turn later.
    double first = angle - std::atan2(0.01, 1.49) - std::asin(0.05 / std::hypot(1.49, 0.01));
    if (first > std::numbers::pi) first -= std::numbers::pi;
    EXPECT_LE(r.time * total, first + 1e-9);
    EXPECT_NEAR(r.time * total, first, 1e-5);
  }
}

TEST(FirstContact, fine_spheres_meet_where_spheres_do) {
  const Shape a(sphere(1.0, 40)), b(sphere(0.7, 40));
  const RigidMotion move = RigidMotion::with_velocity({Matrix3::Identity(), Vector3(-4, 0.3, 0.2)},
                                                      Vector3(8, 0, 0), Vector3(1, 2, 3));
  const FirstContactResult r = first_contact({a, move}, {b, RigidMotion()});
  ASSERT_EQ(r.status, Status::Contact);
  const double exact = (4.0 - std::sqrt(1.7 * 1.7 - 0.3 * 0.3 - 0.2 * 0.2)) / 8.0;
  EXPECT_GE(r.time, exact - 1e-6);  // the meshes lie inside the spheres
  EXPECT_NEAR(r.time, exact, 2e-3);
}

TEST(FirstContact, peg_slides_into_the_hole_without_touching) {
  // Four walls around a square hole, a peg with 1e-3 of play.
  TriangleMesh walls;
  for (int i = 0; i < 4; ++i) {
    const Matrix3 turn = Eigen::AngleAxisd(0.5 * std::numbers::pi * i, Vector3::UnitZ()).toRotationMatrix();
    const TriangleMesh wall = box({0.5, 2.0, 1.0});
    const int base = static_cast<int>(walls.vertices.size());
    for (const Vector3& v : wall.vertices) walls.vertices.push_back(turn * (v + Vector3(1.5, 0, 0)));
    for (const Face& f : wall.faces) walls.faces.push_back({f[0] + base, f[1] + base, f[2] + base});
  }
  const Shape hole(walls), peg(box({0.999, 0.999, 2.0}));
  const RigidMotion in =
      RigidMotion::with_velocity({Matrix3::Identity(), Vector3(0, 0, 6)}, Vector3(0, 0, -6), Vector3::Zero());
  EXPECT_EQ(first_contact({peg, in}, {hole, RigidMotion()}).status, Status::Separated);
  const ClosestApproachResult clearance = closest_approach({peg, in}, {hole, RigidMotion()});
  EXPECT_EQ(clearance.status, Status::Separated);
  EXPECT_NEAR(clearance.distance, 1e-3, 1e-6);
  EXPECT_GE(clearance.lower_distance, 1e-3 - 3e-6);
  const RigidMotion crooked = RigidMotion::with_velocity({Matrix3::Identity(), Vector3(0.002, 0, 6)},
                                                         Vector3(0, 0, -6), Vector3::Zero());
  const FirstContactResult r = first_contact({peg, crooked}, {hole, RigidMotion()});
  ASSERT_EQ(r.status, Status::Contact);
  EXPECT_NEAR(r.time, 0.5, 1e-5);
}

TEST(FirstContact, does_not_depend_on_names_or_frames) {
  Random random(103);
  for (int i = 0; i < 300; ++i) {
    const Shape a(random_soup(random, 4, 1.0)), b(random_soup(random, 5, 1.0));
    const Pose a0 = random_pose(random, 3.0), a1 = random_pose(random, 3.0), b0 = random_pose(random, 3.0),
               b1 = random_pose(random, 3.0);
    const RigidMotion ma(a0, a1), mb(b0, b1);
    const FirstContactResult r = first_contact({a, ma}, {b, mb});
    const FirstContactResult s = first_contact({b, mb}, {a, ma});
    ASSERT_EQ(r.status, s.status);
    EXPECT_EQ(r.time, s.time);
    EXPECT_EQ(r.contact.feature_a.part, s.contact.feature_b.part);
    EXPECT_EQ(r.contact.point_a, s.contact.point_b);
    EXPECT_EQ(r.contact.normal, Vector3(-s.contact.normal));
    const Pose world = {random_pose(random, 0.0).rotation, random.in_box(1e3)};
    const FirstContactResult w =
        first_contact({a, RigidMotion(world * a0, world * a1)}, {b, RigidMotion(world * b0, world * b1)});
    ASSERT_EQ(r.status, w.status);
    if (r.status == Status::Contact) {
      EXPECT_NEAR(r.time, w.time, 1e-4);
    }
  }
}

TEST(FirstContact, a_million_units_away) {
  const Vector3 far(1e6, -1e6, 1e6);
  const Shape a(box({1, 1, 1})), b(box({1, 1, 1}));
  const RigidMotion fall({Matrix3::Identity(), far + Vector3(0, 0, 6)}, {Matrix3::Identity(), far});
  const FirstContactResult r = first_contact({a, fall}, {b, RigidMotion::fixed({Matrix3::Identity(), far})});
  ASSERT_EQ(r.status, Status::Contact);
  EXPECT_NEAR(r.time, 4.0 / 6.0, 1e-6);
  TriangleMesh shifted = box({1, 1, 1});
  for (Vector3& v : shifted.vertices) v += far;
  const Shape c(shifted);
  const FirstContactResult s =
      first_contact({c, RigidMotion({Matrix3::Identity(), Vector3(0, 0, 6)}, {})}, {c, RigidMotion()});
  ASSERT_EQ(s.status, Status::Contact);
  EXPECT_NEAR(s.time, 4.0 / 6.0, 1e-6);
}

TEST(FirstContact, endings) {
  const Shape a(box({1, 1, 1}));
  const Pose above{Matrix3::Identity(), Vector3(0, 0, 2)};
  const Pose higher{Matrix3::Identity(), Vector3(0, 0, 5)};
  EXPECT_EQ(first_contact({a, RigidMotion()}, {a, RigidMotion()}).status, Status::OverlapAtStart);
  // Resting, then lifted.
  FirstContactOptions options;
  EXPECT_EQ(first_contact({a, RigidMotion(above, higher)}, {a, RigidMotion()}, options).status,
            Status::OverlapAtStart);
  options.at_start = AtStart::Skip;
  EXPECT_EQ(first_contact({a, RigidMotion(above, higher)}, {a, RigidMotion()}, options).status,
            Status::Separated);
  // Lifted and dropped again.
  const PiecewiseMotion hop(std::vector<TimedPose>{{0.0, above}, {0.5, higher}, {1.0, above}});
  const FirstContactResult again = first_contact({a, hop}, {a, RigidMotion()}, options);
  EXPECT_EQ(again.status, Status::Contact);
  EXPECT_NEAR(again.time, 1.0, 1e-5);
  options = {};
  options.budget = 20;
  const Shape fine(sphere(1.0, 30));
  const FirstContactResult cut = first_contact(
      {fine, RigidMotion({Matrix3::Identity(), Vector3(-4, 0, 0)}, {})}, {fine, RigidMotion()}, options);
  EXPECT_EQ(cut.status, Status::OutOfBudget);
  EXPECT_LE(cut.time, 0.5);
  EXPECT_GT(cut.time, 0.2);
  const Shape nothing{TriangleMesh{}};
  EXPECT_EQ(first_contact({nothing, RigidMotion()}, {a, RigidMotion()}).status, Status::Separated);
}

// Boxes of size 2: from an overlap of 1.5 they come apart after 1.5 of the way of 10, and touch again coming
// back.
TEST(FirstContact, says_from_when_on_they_are_apart) {
  const Shape a(box({1, 1, 1}));
  const auto at = [](double x) { return Pose{Matrix3::Identity(), Vector3(x, 0, 0)}; };
  FirstContactOptions options;
  options.at_start = AtStart::Skip;
  const FirstContactResult gone = first_contact({a, RigidMotion(at(0.5), at(10.5))}, {a}, options);
  EXPECT_EQ(gone.status, Status::Separated);
  EXPECT_GE(gone.apart_from, 0.15);
  EXPECT_LE(gone.apart_from, 0.15 + 3e-6);
  const PiecewiseMotion hop(std::vector<TimedPose>{{0.0, at(0.5)}, {0.5, at(10.5)}, {1.0, at(0.5)}});
  const FirstContactResult back = first_contact({a, hop}, {a}, options);
  EXPECT_EQ(back.status, Status::Contact);
  EXPECT_NEAR(back.apart_from, 0.075, 3e-6);
  EXPECT_NEAR(back.time, 0.925, 1e-5);
  // Solids that start one inside the other come apart through their surfaces.
  const Shape small(box({0.1, 0.1, 0.1}));
  const FirstContactResult out =
      first_contact({small, RigidMotion(at(0), at(10)), true}, {a, {}, true}, options);
  EXPECT_EQ(out.status, Status::Separated);
  EXPECT_NEAR(out.apart_from, 0.11, 3e-6);
  // Never apart, apart from the start, not asked for.
  EXPECT_EQ(first_contact({a, RigidMotion(at(0), at(1))}, {a}, options).apart_from, 1.0);
  EXPECT_EQ(first_contact({a, RigidMotion(at(5), at(1))}, {a}, options).apart_from, 0.0);
  EXPECT_EQ(first_contact({a, RigidMotion(at(0.5), at(10.5))}, {a}).apart_from, 0.0);
  options.minimum_distance = 0.5;
  const FirstContactResult far = first_contact({a, RigidMotion(at(0.5), at(10.5))}, {a}, options);
  EXPECT_NEAR(far.apart_from, 0.2, 3e-6);
  EXPECT_EQ(far.minimum_distance, 0.5);
}

TEST(FirstContact, minimum_distance) {
  const Shape a(box({1, 1, 1}));
  FirstContactOptions options;
  options.minimum_distance = 0.25;
  const RigidMotion fall({Matrix3::Identity(), Vector3(0, 0, 6)}, {});
  const FirstContactResult r = first_contact({a, fall}, {a, RigidMotion()}, options);
  ASSERT_EQ(r.status, Status::Contact);
  EXPECT_NEAR(r.time, 3.75 / 6.0, 1e-6);
  EXPECT_LE(r.time, 3.75 / 6.0);
  EXPECT_NEAR(r.distance, 0.25, 1e-5);
}

TEST(FirstContact, sliding_contact_ends_quickly) {
  const Shape plate(sphere(1.0, 24)), slab(box({10, 10, 1}));
  for (const double gap : {0.0, 1e-12, 1e-9, 5e-7, 2e-6, 1e-5}) {
    const RigidMotion slide = RigidMotion::with_velocity({Matrix3::Identity(), Vector3(-4, 0, 2.0 + gap)},
                                                         Vector3(8, 0, 0), Vector3::Zero());
    const FirstContactResult r = first_contact({plate, slide}, {slab, RigidMotion()});
    EXPECT_LT(r.stats.node_pairs + r.stats.piece_pairs, 20000) << gap;
    if (gap <= 1e-9) {
      EXPECT_EQ(r.status, Status::OverlapAtStart) << gap;
    }
    if (gap >= 2e-6) {
      EXPECT_EQ(r.status, Status::Separated) << gap;
    }
  }
}

TEST(ContactIntervals, a_ball_passes_through_a_wall_twice) {
  const Shape ball(sphere(0.5, 12)), wall(box({0.1, 5, 5}));
  const Pose left{Matrix3::Identity(), Vector3(-3, 0, 0)}, right{Matrix3::Identity(), Vector3(3, 0, 0)};
  const PiecewiseMotion there_and_back(std::vector<TimedPose>{{0.0, left}, {0.5, right}, {1.0, left}});
  ContactIntervalsOptions options;
  options.time_resolution = 1e-5;
  const ContactIntervalsResult r = contact_intervals({ball, there_and_back}, {wall, RigidMotion()}, options);
  ASSERT_EQ(r.intervals.size(), 2u);
  EXPECT_NEAR(r.intervals[0].begin_lower, 2.4 / 12.0, 1e-5);
  EXPECT_NEAR(r.intervals[0].end_lower, 3.6 / 12.0, 3e-5);
  EXPECT_NEAR(r.intervals[1].begin_lower, 0.5 + 2.4 / 12.0, 1e-5);
  EXPECT_NEAR(r.intervals[1].end_upper, 0.5 + 3.6 / 12.0, 3e-5);
}

class PublicTrials : public testing::TestWithParam<const char*> {};

TEST_P(PublicTrials, match_the_certified_truth) {
  const std::string base = std::string(TOCCATA_SHARED_DATA) + "/rigid/" + GetParam();
  std::ifstream trials(base + "_trials.txt"), truth(base + "_gt.txt");
  if (!trials || !truth) GTEST_SKIP() << "shared data not present";
  const Shape shape(load_mesh(base + ".obj").value());
  ContactSolver solver(shape, shape);
  int contacts = 0, trial = 0;
  double error = 0.0;
  for (;; ++trial) {
    std::array<Pose, 2> ends;
    for (Pose& pose : ends) {
      for (int i = 0; i < 9; ++i) trials >> pose.rotation(i / 3, i % 3);
      for (int i = 0; i < 3; ++i) trials >> pose.translation[i];
    }
    double toc = 0, lo = 0, hi = 0, nearest = 0;
    if (!trials || !(truth >> toc >> lo >> hi >> nearest)) break;
    const FirstContactResult r = solver.first_contact(RigidMotion(ends[0], ends[1]), RigidMotion());
    ASSERT_EQ(r.status == Status::Contact, toc >= 0.0) << trial;
    if (toc < 0.0) continue;
    ++contacts;
    ASSERT_LE(r.time, hi) << trial;
    ASSERT_LE(r.distance, resolved_tolerance(shape, shape)) << trial;
    ASSERT_GE(r.upper, lo) << trial;
    error += hi - r.time;
  }
  EXPECT_EQ(trial, 200);
  EXPECT_EQ(contacts, 134);
  EXPECT_LE(error / contacts, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Rigid, PublicTrials, testing::Values("gear", "knot"));

TEST(FirstContacts, a_batch_gives_the_same_answers) {
  Random random(104);
  const Shape a(sphere(1.0, 10)), b(box({1, 0.5, 0.2}));
  std::vector<RigidMotion> motions;
  for (int i = 0; i < 60; ++i) motions.emplace_back(random_pose(random, 4.0), random_pose(random, 4.0));
  std::vector<BodyPair> pairs;
  for (const RigidMotion& m : motions) pairs.push_back({{a, m}, {b}});
  const auto one = first_contacts(pairs, {.threads = 1});
  const auto all = first_contacts(pairs);
  for (std::size_t i = 0; i < one.size(); ++i) {
    const FirstContactResult r = first_contact({a, motions[i]}, {b});
    EXPECT_EQ(r.time, one[i].time);
    EXPECT_EQ(r.time, all[i].time);
    EXPECT_EQ(r.contact.feature_a.part, all[i].contact.feature_a.part);
  }
}

}  // namespace
}  // namespace toccata
