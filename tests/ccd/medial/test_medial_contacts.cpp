// Moving hulls of balls against many moments of theirs, and lists of contacts with and without boxes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "effort.hpp"
#include "toccata/base/random.hpp"
#include "toccata/ccd/medial/medial_contacts.hpp"

namespace toccata {
namespace {

MovingBallHull random_moving(Random& random, int count, bool far, bool deforms) {
  MovingBallHull hull;
  hull.t0.count = hull.t1.count = count;
  const Vector3 start = far ? Vector3(2, 0, 0) : Vector3(Vector3::Zero());
  const Vector3 way =
      Vector3(far ? random.uniform(-4, 1) : 0.0, random.uniform(-1, 1), random.uniform(-1, 1));
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    hull.t0.center[i] = start + 0.7 * random.on_sphere();
    hull.t1.center[i] = hull.t0.center[i] + way + (deforms ? 0.5 : 0.0) * random.on_sphere();
    hull.t0.radius[i] = random.uniform(0.0, 0.3);
    hull.t1.radius[i] = deforms ? random.uniform(0.0, 0.3) : hull.t0.radius[i];
  }
  return hull;
}

TEST(BallHullImpact, NeverLateAndNeverMissed) {
  Random random(3);
  int hits = 0, free = 0, guessed_wrong = 0;
  for (int trial = 0; trial < with_effort(1500); ++trial) {
    const MovingBallHull a = random_moving(random, 1 + trial % 3, false, trial % 2 == 0);
    const MovingBallHull b = random_moving(random, 1 + (trial / 3) % 3, true, trial % 4 < 2);
    const BallHullImpact found = ball_hull_impact(a, b);
    ASSERT_NE(found.status, Status::OutOfBudget);
    // The first of many moments at which they overlap.
    double first = 2.0;
    constexpr int moments = 400;
    for (int i = 0; i <= moments && first > 1.0; ++i) {
      const double t = double(i) / moments;
      if (nearest_balls(hull_at(a, t), hull_at(b, t)).distance < -1e-12) first = t;
    }
    if (found.status == Status::Separated) {
      ++free;
      EXPECT_GT(first, 1.0) << trial;
      continue;
    }
    ++hits;
    EXPECT_LE(found.lower, first + 1e-12) << trial;
    if (found.status == Status::Contact) {
      EXPECT_LE(nearest_balls(hull_at(a, found.lower), hull_at(b, found.lower)).distance, 2e-8) << trial;
      EXPECT_LE(found.lower, found.upper);
      if (found.upper < 1.0) {
        EXPECT_LT(nearest_balls(hull_at(a, found.upper), hull_at(b, found.upper)).distance, 0.0) << trial;
      }
    }
    const BallHullGuess guess = guess_impact(a, b);
    guessed_wrong += first <= 1.0 && (!guess.touches || guess.time > first + 1.0 / moments) ? 1 : 0;
  }
  EXPECT_GT(hits, 100);
  EXPECT_GT(free, 100);
  RecordProperty("guessed_wrong", guessed_wrong);
}

TEST(BallHullImpact, ClosedForms) {
  MovingBallHull a, b;
  a.t0.radius[0] = a.t1.radius[0] = 1.0;
  b.t0.center[0] = {5, 0, 0};
  b.t1.center[0] = {-5, 0, 0};
  b.t0.radius[0] = b.t1.radius[0] = 1.0;
  const BallHullImpact hit = ball_hull_impact(a, b);
  EXPECT_EQ(hit.status, Status::Contact);
  EXPECT_NEAR(hit.lower, 0.3, 1e-8);
  EXPECT_LE(hit.lower, 0.3);
  EXPECT_GE(hit.upper, 0.3);
  EXPECT_NEAR(hit.upper, 0.3, 1e-8);
  // It only grows.
  b.t1.center[0] = {5, 0, 0};
  b.t1.radius[0] = 7.0;
  EXPECT_NEAR(ball_hull_impact(a, b).lower, 0.5, 1e-8);
  // Touching at the start, and parting.
  b = {};
  b.t0.center[0] = {2, 0, 0};
  b.t1.center[0] = {4, 0, 0};
  b.t0.radius[0] = b.t1.radius[0] = 1.0;
  EXPECT_EQ(ball_hull_impact(a, b).status, Status::OverlapAtStart);
}

MedialMesh chain(Random& random, const Vector3& from, int balls) {
  MedialMesh mesh;
  for (int i = 0; i < balls; ++i) {
    mesh.centers.push_back(from + Vector3(0.3 * i, 0.2 * std::sin(1.7 * i), 0.0));
    mesh.radii.push_back(random.uniform(0.05, 0.15));
    if (i > 0) mesh.cones.push_back({i - 1, i});
  }
  mesh.slabs.push_back({0, 1, 2});
  return mesh;
}

TEST(MedialContacts, BoxesOrNotOneListOfAllContacts) {
  Random random(8);
  for (int trial = 0; trial < with_effort(30); ++trial) {
    std::vector<MovingMedialMesh> objects;
    for (int i = 0; i < 4; ++i) {
      MovingMedialMesh object;
      object.t0 = chain(random, Vector3(0, 0, 0.8 * i), 8);
      object.t1 = object.t0;
      const Vector3 way = random.on_sphere();
      for (Vector3& c : object.t1.centers) c += way + 0.6 * random.on_sphere();
      objects.push_back(object);
    }
    const MedialContactsResult with = medial_contacts(objects);
    const MedialContactsResult without = medial_contacts(objects, {.boxes = false, .threads = 1});
    EXPECT_LT(with.tested_pairs, without.tested_pairs);
    EXPECT_EQ(without.tested_pairs, without.possible_pairs);
    ASSERT_EQ(with.contacts.size(), without.contacts.size());
    for (std::size_t i = 0; i < with.contacts.size(); ++i) {
      EXPECT_EQ(with.contacts[i].impact.lower, without.contacts[i].impact.lower);
      EXPECT_EQ(with.contacts[i].primitive_a, without.contacts[i].primitive_a);
      EXPECT_EQ(with.contacts[i].primitive_b, without.contacts[i].primitive_b);
      if (i > 0) {
        EXPECT_GE(with.contacts[i].impact.lower, with.contacts[i - 1].impact.lower);
      }
    }
  }
}

TEST(MedialContacts, WrongInputsAreSaid) {
  Random random(1);
  MovingMedialMesh object = {chain(random, Vector3::Zero(), 4), chain(random, Vector3::Zero(), 5)};
  EXPECT_EQ(medial_contacts({&object, 1}).status, Status::Failed);
  object.t1 = object.t0;
  object.t1.radii[1] = -1.0;
  EXPECT_NE(medial_contacts({&object, 1}).failure.find("ball 1"), std::string::npos);
  EXPECT_EQ(medial_contacts({}).status, Status::Separated);
}

}  // namespace
}  // namespace toccata
