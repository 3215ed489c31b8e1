// The four methods behind first_contact answer alike, and none of them late.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <cstdlib>

#include "ccd/rigid/screw.hpp"
#include "ccd/rigid/screw_equation.hpp"
#include "toccata/base/random.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/elementary/triangle_triangle.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata {
namespace {

TriangleMesh random_soup(Random& random, int count, double size) {
  TriangleMesh mesh;
  for (int i = 0; i < count; ++i) {
    const Vector3 middle = random.in_box(0.5);
    for (int k = 0; k < 3; ++k) mesh.vertices.push_back(middle + size * random.in_box(1.0));
    mesh.faces.push_back({3 * i, 3 * i + 1, i % 7 == 3 ? 3 * i : 3 * i + 2});  // some are segments
  }
  return mesh;
}

Pose random_pose(Random& random, double reach) {
  return {Eigen::AngleAxisd(random.uniform(-3.0, 3.0), random.on_sphere()).toRotationMatrix(),
          random.in_box(reach)};
}

double distance_at(const RigidShape& a, const Pose& pose_a, const RigidShape& b, const Pose& pose_b) {
  double distance = INFINITY;
  for (std::size_t i = 0; i < a.mesh().faces.size(); ++i) {
    const Triangle ta = transformed(pose_a, triangle_of(a.mesh(), i));
    for (std::size_t j = 0; j < b.mesh().faces.size(); ++j) {
      distance = std::min(
          distance,
          triangle_triangle_distance(ta, transformed(pose_b, triangle_of(b.mesh(), j)), distance).distance);
    }
  }
  return distance;
}

// TOCCATA_LONG_TESTS=n multiplies the trials.
int trials(int usual) {
  const char* factor = std::getenv("TOCCATA_LONG_TESTS");
  return usual * std::max(1, factor == nullptr ? 1 : std::atoi(factor));
}

constexpr std::array<RigidMethod, 3> others = {RigidMethod::Controlled, RigidMethod::Interval,
                                               RigidMethod::Screw};

void expect_agreement(const RigidShape& a, const Motion& ma, const RigidShape& b, const Motion& mb,
                      double minimum_distance, int trial) {
  RigidContactOptions options;
  options.tolerance = 1e-5;
  options.minimum_distance = minimum_distance;
  const FirstContactResult reference = first_contact(a, ma, b, mb, options);
  for (const RigidMethod method : others) {
    SCOPED_TRACE(testing::Message() << "trial " << trial << " method " << static_cast<int>(method));
    options.method = method;
    const FirstContactResult result = first_contact(a, ma, b, mb, options);
    // Between the tolerance and touching the methods may differ: a grazing pass within it.
    if (result.status != reference.status) {
      const FirstContactResult& touching = result.status == Status::Separated ? reference : result;
      EXPECT_GT(touching.distance, minimum_distance + 0.0);
      EXPECT_LE(touching.distance, minimum_distance + 1.001e-5);
      continue;
    }
    if (result.status != Status::Contact) continue;
    // Each is at most the tolerance away at its own time, so the later of the two was reached by a closing
    // pair: the distance at either time is within the tolerance of contact.
    EXPECT_LE(distance_at(a, result.pose_a, b, result.pose_b), minimum_distance + 1.001e-5);
    const double earlier = std::min(result.time, reference.time);
    EXPECT_LE(distance_at(a, ma.pose(earlier), b, mb.pose(earlier)), minimum_distance + 1.001e-5);
    EXPECT_NEAR(result.time, reference.time, 2e-3);
    // Not late: free of contact before it.
    for (int k = 1; k <= 4; ++k) {
      const double t = result.time * k / 5.0;
      EXPECT_GT(distance_at(a, ma.pose(t), b, mb.pose(t)), minimum_distance);
    }
  }
}

TEST(Methods, agree_on_linear_motions) {
  Random random(1);
  for (int trial = 0; trial < trials(40); ++trial) {
    const RigidShape a(random_soup(random, 1 + trial % 8, 0.3)), b(random_soup(random, 1 + trial % 5, 0.3));
    const Pose from = {random_pose(random, 0.0).rotation, 2.5 * random.on_sphere()};
    const Pose to = {random_pose(random, 0.0).rotation,
                     Vector3(-0.5 * from.translation + random.in_box(1.0))};
    expect_agreement(a, RigidMotion(from, to), b, RigidMotion::fixed(random_pose(random, 0.1)), 0.0, trial);
    if (HasFailure()) return;
  }
}

TEST(Methods, agree_on_screws_and_moving_pairs) {
  Random random(2);
  for (int trial = 0; trial < trials(30); ++trial) {
    const RigidShape a(random_soup(random, 1 + trial % 8, 0.3)), b(random_soup(random, 1 + trial % 5, 0.3));
    const Pose from = {random_pose(random, 0.0).rotation, 2.5 * random.on_sphere()};
    const Pose to = {random_pose(random, 0.0).rotation,
                     Vector3(-0.5 * from.translation + random.in_box(1.0))};
    const ScrewMotion screw(from, to);
    if (trial % 2 == 0) {
      expect_agreement(a, screw, b, RigidMotion::fixed({}), 0.0, trial);
    } else {
      expect_agreement(a, screw, b, RigidMotion(random_pose(random, 0.1), random_pose(random, 0.2)), 0.0,
                       trial);
    }
    if (HasFailure()) return;
  }
}

TEST(Methods, agree_with_a_minimum_distance_and_on_translations) {
  Random random(3);
  for (int trial = 0; trial < trials(15); ++trial) {
    const RigidShape a(random_soup(random, 1 + trial % 4, 0.3)), b(random_soup(random, 1 + trial % 5, 0.3));
    const Pose from = {random_pose(random, 0.0).rotation, 2.5 * random.on_sphere()};
    const Pose to = {from.rotation, Vector3(-from.translation + random.in_box(1.0))};
    expect_agreement(a, RigidMotion(from, to), b, RigidMotion::fixed({}), trial % 2 == 0 ? 0.0 : 0.05, trial);
    if (HasFailure()) return;
  }
}

TEST(Methods, the_screw_method_rejects_features_before_it_solves) {
  Random random(4);
  ScrewRejections sum;
  for (int trial = 0; trial < 30; ++trial) {
    const RigidShape a(random_soup(random, 20, 0.2)), b(random_soup(random, 20, 0.2));
    const Pose from = {random_pose(random, 0.0).rotation, 1.5 * random.on_sphere()};
    const ScrewMotion screw(from, random.on_sphere(), random.in_box(0.5), 2.5, 0.3);
    const RigidMotion still = RigidMotion::fixed({});
    ScrewRejections rejections;
    screw_to_contact({{&a.data(), &screw}, {&b.data(), &still}, 0.0, 1.0, 0.0, 1e-6, 0}, &rejections);
    EXPECT_LE(rejections.rejected, rejections.feature_pairs);
    sum.feature_pairs += rejections.feature_pairs;
    sum.rejected += rejections.rejected;
  }
  RecordProperty("feature_pairs", static_cast<int>(sum.feature_pairs));
  RecordProperty("rejected", static_cast<int>(sum.rejected));
  EXPECT_GT(sum.feature_pairs, 1000);
  EXPECT_GT(sum.rejected, sum.feature_pairs / 10);
}

TEST(ScrewEquation, no_root_is_jumped_over) {
  Random random(5);
  int with_root = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    ScrewEquation e;
    for (double& k : e.k) k = random.uniform(-1.0, 1.0);
    e.angle = random.uniform(-6.0, 6.0);
    e.band = trial % 3 == 0 ? 1e-6 : 1e-12;
    const auto f = [&](double t) {
      return e.k[0] + e.k[5] * t + (e.k[1] + e.k[3] * t) * std::cos(e.angle * t) +
             (e.k[2] + e.k[4] * t) * std::sin(e.angle * t);
    };
    const double root = first_root_lower(e);
    const bool positive = f(0.0) > 0.0;
    for (int i = 0; i <= 200; ++i) {
      const double t = root * i / 200.0;
      if (root > 1e-9) {
        ASSERT_EQ(f(std::min(t, root * (1.0 - 1e-9))) > 0.0, positive) << "trial " << trial;
      }
    }
    if (root < 1.0) {
      ++with_root;
      EXPECT_LE(std::abs(f(root)), 1e-6 + 40.0 * 1e-9 + e.band) << "trial " << trial;
    }
  }
  EXPECT_GT(with_root, 5000);
}

}  // namespace
}  // namespace toccata
