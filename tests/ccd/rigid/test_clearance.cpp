// Closest approach and contact intervals against sampling: no sample may contradict what is said to be
// proven.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <vector>

#include "effort.hpp"
#include "oracle/moving_bodies.hpp"
#include "oracle/rigid_oracle.hpp"
#include "toccata/base/random.hpp"
#include "toccata/ccd/rigid/closest_approach.hpp"
#include "toccata/ccd/rigid/contact_intervals.hpp"
#include "toccata/ccd/rigid/contact_solver.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata {
namespace {

constexpr int samples = 150;

// Two soups on their ways, and what they look like at a time.
struct Trial {
  TriangleMesh a, b;
  std::unique_ptr<Motion> motion_a, motion_b;

  explicit Trial(Random& random)
      : a(oracle::random_soup(random, random.integer(1, 5), 0.8)),
        b(oracle::random_soup(random, random.integer(1, 5), 0.8)),
        motion_a(oracle::random_motion(random, 2.0)),
        motion_b(oracle::random_motion(random, 2.0)) {}

  double distance(double t) const {
    return oracle::mesh_distance(a, motion_a->pose(t), b, motion_b->pose(t));
  }
  bool surely_intersect(double t) const {
    return oracle::surely_intersect(a, motion_a->pose(t), b, motion_b->pose(t));
  }
};

TEST(ClosestApproach, no_sample_contradicts_it) {
  Random random(401);
  int apart = 0, touching = 0;
  for (int i = 0; i < with_effort(600); ++i) {
    const Trial trial(random);
    const Shape a(trial.a), b(trial.b);
    const double tolerance = resolved_tolerance(a, b);
    const ClosestApproachResult r = closest_approach({a, OwnedMotion::borrowed(*trial.motion_a)},
                                                     {b, OwnedMotion::borrowed(*trial.motion_b)});
    const double there = trial.distance(r.time);
    if (r.status != Status::Separated) {
      ASSERT_TRUE(r.status == Status::Contact || r.status == Status::OverlapAtStart) << i;
      EXPECT_LE(there, tolerance + 1e-11) << i;
      EXPECT_EQ(r.lower_distance, 0.0) << i;
      for (int k = 0; k <= samples; ++k) {
        const double t = static_cast<double>(k) / samples;
        ASSERT_FALSE(t < r.time && trial.surely_intersect(t)) << i << " at " << t;
      }
      ++touching;
      continue;
    }
    ++apart;
    EXPECT_NEAR(there, r.distance, 1e-10) << i;
    EXPECT_LE(r.lower_distance, r.distance) << i;
    EXPECT_LE(r.distance - r.lower_distance, tolerance + 1e-12) << i;
    for (int k = 0; k <= samples; ++k) {
      const double t = static_cast<double>(k) / samples;
      ASSERT_GE(trial.distance(t), r.lower_distance - 1e-11) << i << " at " << t;
    }
    // Around the reported time too, where the distance is smallest.
    for (const double step : {-1e-3, -1e-5, 1e-5, 1e-3}) {
      const double t = std::clamp(r.time + step, 0.0, 1.0);
      ASSERT_GE(trial.distance(t), r.lower_distance - 1e-11) << i << " at " << t;
    }
  }
  EXPECT_GT(apart, 60);
  EXPECT_GT(touching, 60);
}

TEST(ContactIntervals, no_sample_contradicts_them) {
  Random random(402);
  int intervals = 0;
  for (int i = 0; i < with_effort(600); ++i) {
    const Trial trial(random);
    const Shape a(trial.a), b(trial.b);
    ContactIntervalsOptions options;
    options.time_resolution = 1e-4;
    const ContactIntervalsResult r = contact_intervals({a, OwnedMotion::borrowed(*trial.motion_a)},
                                                       {b, OwnedMotion::borrowed(*trial.motion_b)}, options);
    const double tolerance = resolved_tolerance(a, b, options.tolerance, options.relative_tolerance);
    double last = -1.0;
    for (const ContactInterval& interval : r.intervals) {
      ASSERT_LT(last, interval.begin_lower) << i;
      ASSERT_LE(interval.begin_lower, interval.begin_upper) << i;
      ASSERT_LE(interval.end_lower, interval.end_upper) << i;
      last = interval.end_upper;
      EXPECT_LE(trial.distance(interval.begin_lower), tolerance + 1e-11) << i;
      ++intervals;
    }
    for (int k = 0; k <= samples; ++k) {
      const double t = static_cast<double>(k) / samples;
      const auto holds = [t](const ContactInterval& v) { return v.begin_lower <= t && t <= v.end_upper; };
      const auto inside = [t](const ContactInterval& v) { return v.begin_upper <= t && t <= v.end_lower; };
      if (trial.surely_intersect(t)) {
        ASSERT_TRUE(std::any_of(r.intervals.begin(), r.intervals.end(), holds)) << i << " at " << t;
      }
      // A gap below the resolution may have been swallowed; in it bodies of this speed part by no more.
      if (std::any_of(r.intervals.begin(), r.intervals.end(), inside)) {
        ASSERT_LE(trial.distance(t), 60.0 * options.time_resolution) << i << " at " << t;
      }
    }
  }
  EXPECT_GT(intervals, 40);
}

}  // namespace
}  // namespace toccata
