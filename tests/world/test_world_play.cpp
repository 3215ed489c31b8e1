// Bodies that are answered at every first contact: times in closed form, energy kept, and none ever inside
// another by a test of its own (centres of balls, separating axes of boxes and hulls) at every event.
#include <gtest/gtest.h>

#include <numeric>

#include "../../examples/billiards.hpp"
#include "effort.hpp"

namespace toccata {
namespace {

RigidMotion along_x(double x, double speed) {
  return RigidMotion::with_velocity({Matrix3::Identity(), {x, 0, 0}}, {speed, 0, 0}, Vector3::Zero());
}

// Equal balls in a row exchange their velocities.
TEST(WorldPlay, ACradleSwings) {
  World world;
  const Shape ball = Ball{0.5};
  std::vector<double> place = {0.0, 2.0, 3.5, 5.0}, speed = {10.0, 0.0, 0.0, 0.0};
  for (std::size_t i = 0; i < 4; ++i) world.insert({ball, along_x(place[i], speed[i])});
  const auto swap = [&](const WorldEvent& event, WorldResponse& response) {
    const auto a = static_cast<std::size_t>(event.body_a), b = static_cast<std::size_t>(event.body_b);
    EXPECT_EQ(event.time, response.time());
    EXPECT_NEAR(event.contact.normal.x(), 1.0, 1e-9);
    std::swap(speed[a], speed[b]);
    response.set_motion(event.body_a,
                        RigidMotion::through(event.time, event.pose_a, {speed[a], 0, 0}, {0, 0, 0}));
    response.set_motion(event.body_b,
                        RigidMotion::through(event.time, event.pose_b, {speed[b], 0, 0}, {0, 0, 0}));
    return true;
  };
  const WorldEventsResult played = world.play(swap);
  EXPECT_EQ(played.status, Status::Contact);
  EXPECT_EQ(played.complete_until, 1.0);
  ASSERT_EQ(played.events.size(), 3U);
  const double times[] = {0.1, 0.15, 0.2};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(played.events[i].body_a, static_cast<int>(i));
    EXPECT_NEAR(played.events[i].time, times[i], 1e-5);
    EXPECT_LE(played.events[i].time, times[i]);
    EXPECT_EQ(played.events[i].group, static_cast<int>(i));
  }
  EXPECT_NEAR(world.body(3).motion->pose(1.0).translation.x(), 13.0, 1e-4);
  EXPECT_NEAR(world.body(0).motion->pose(1.0).translation.x(), 1.0, 1e-4);
}

// A body between two walls, faster and faster: many events of the same two pairs.
TEST(WorldPlay, BetweenTwoWalls) {
  World world;
  const std::int32_t cube = world.insert({Box{Vector3::Ones()}, along_x(0.0, 100.0)});
  world.insert({HalfSpace{Vector3::UnitX(), -1.0}}, {.is_static = true});
  world.insert({HalfSpace{-Vector3::UnitX(), -1.0}}, {.is_static = true});
  double speed = 100.0;
  const WorldEventsResult played = world.play([&](const WorldEvent& event, WorldResponse& response) {
    EXPECT_EQ(event.body_b, speed > 0.0 ? 2 : 1);
    speed = -speed;
    response.set_motion(cube, RigidMotion::through(event.time, event.pose_a, {speed, 0, 0}, {0, 0, 0}));
    return true;
  });
  ASSERT_EQ(played.events.size(), 100U);  // at 0.005, 0.015, ...
  for (std::size_t i = 0; i < 100; ++i)
    EXPECT_NEAR(played.events[i].time, 0.005 + 0.01 * static_cast<double>(i), 1e-5);
}

// The corners of a solid, in the world; of a ball none.
struct Seen {
  std::vector<Vector3> corners;
  std::vector<Vector3> normals, edges;
  Vector3 center;
  bool is_ball;
};

Seen seen_at(const Body& body, double t) {
  const Pose pose = body.motion->pose(t);
  Seen seen;
  seen.center = pose.translation;
  seen.is_ball = std::holds_alternative<Ball>(body.shape.geometry());
  if (const Box* box = std::get_if<Box>(&body.shape.geometry())) {
    for (int i = 0; i < 8; ++i)
      seen.corners.push_back(
          pose.apply(0.5 * box->size.cwiseProduct(Vector3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1))));
    for (int k = 0; k < 3; ++k) {
      seen.normals.push_back(pose.rotation.col(k));
      seen.edges.push_back(pose.rotation.col(k));
    }
  }
  if (const ConvexHull* hull = std::get_if<ConvexHull>(&body.shape.geometry())) {
    for (const Vector3& x : hull->vertices) seen.corners.push_back(pose.apply(x));
    for (const Face& face : hull->faces) {
      const auto corner = [&](std::size_t k) { return seen.corners[static_cast<std::size_t>(face[k])]; };
      seen.normals.push_back((corner(1) - corner(0)).cross(corner(2) - corner(0)).normalized());
      for (std::size_t k = 0; k < 3; ++k)
        seen.edges.push_back((corner((k + 1) % 3) - corner(k)).normalized());
    }
  }
  return seen;
}

bool separates(const Vector3& axis, const Seen& a, const Seen& b) {
  const auto reach = [&](const Seen& s, double sign) {
    double most = s.is_ball ? sign * axis.dot(s.center) + 0.5 * axis.norm() : -1e300;
    for (const Vector3& x : s.corners) most = std::max(most, sign * axis.dot(x));
    return most;
  };
  return reach(a, 1.0) < -reach(b, -1.0) || reach(b, 1.0) < -reach(a, -1.0);
}

bool are_apart(const Seen& a, const Seen& b) {
  const double radii = 0.87 * 0.6 + 0.5;
  if ((a.center - b.center).norm() > 2.0 * radii) return true;
  if (a.is_ball && b.is_ball) return (a.center - b.center).norm() > 1.0;
  std::vector<Vector3> axes = a.normals;
  axes.insert(axes.end(), b.normals.begin(), b.normals.end());
  for (const Vector3& e : a.edges) {
    for (const Vector3& f : b.edges) {
      const Vector3 axis = e.cross(f);
      if (axis.norm() > 1e-6) axes.push_back(axis.normalized());
    }
  }
  // A ball has other axes: from its centre to a corner, and across each edge.
  for (const auto& [ball, solid] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
    if (!ball->is_ball) continue;
    for (const Vector3& x : solid->corners) {
      axes.push_back(ball->center - x);
      for (const Vector3& e : solid->edges) {
        const Vector3 arm = ball->center - x;
        axes.push_back(arm - arm.dot(e) * e);
      }
    }
  }
  return std::any_of(axes.begin(), axes.end(), [&](const Vector3& axis) { return separates(axis, a, b); });
}

TEST(WorldPlay, NoBodyIsEverInsideAnother) {
  std::size_t events = 0, looked_at = 0;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(with_effort(2)); ++seed) {
    const double side = 5.6;
    Billiards table(24, 18, side, 0.25, seed);
    const double energy = table.energy();
    for (int step = 0; step < 6; ++step) {
      const auto respond = [&](const WorldEvent& event, WorldResponse& response) {
        std::vector<Seen> all;
        for (std::int32_t id = 6; id < static_cast<std::int32_t>(table.world().size()); ++id)
          all.push_back(seen_at(table.world().body(id), event.time));
        for (std::size_t i = 0; i < all.size(); ++i) {
          for (std::size_t k = i + 1; k < all.size(); ++k, ++looked_at)
            EXPECT_TRUE(are_apart(all[i], all[k])) << "bodies " << i + 6 << " and " << k + 6;
          const double reach = all[i].is_ball ? all[i].center.cwiseAbs().maxCoeff() + 0.5 : 0.0;
          EXPECT_LT(reach, 0.5 * side);
          for (const Vector3& x : all[i].corners) EXPECT_LT(x.cwiseAbs().maxCoeff(), 0.5 * side);
        }
        return table.bounce(event, response);
      };
      const WorldEventsResult played = table.world().play(respond);
      ASSERT_EQ(played.status, Status::Contact) << played.failure;
      for (std::size_t i = 1; i < played.events.size(); ++i)
        EXPECT_GE(played.events[i].time, played.events[i - 1].time);
      for (const WorldEvent& event : played.events) EXPECT_EQ(event.status, Status::Contact);
      events += played.events.size();
      table.next_step();
      if (testing::Test::HasFailure()) return;
    }
    EXPECT_NEAR(table.energy(), energy, 1e-12 * energy);
  }
  EXPECT_GT(events, 150U);
  EXPECT_GT(looked_at, 100000U);
}

TEST(WorldPlay, WhatIsNotKeptApartPassesOnce) {
  World world;
  world.insert({Ball{0.5}, along_x(0.0, 10.0)});
  world.insert({Ball{0.5}, along_x(5.0, 0.0)});
  world.insert({Ball{0.5}, along_x(0.2, 0.0)});  // in the first at the start
  std::vector<std::int32_t> met;
  const WorldEventsResult played = world.play([&](const WorldEvent& event, WorldResponse&) {
    met.push_back(event.body_b);
    return event.body_b == 2;  // no use: they overlap at the start
  });
  EXPECT_EQ(met, (std::vector<std::int32_t>{2, 1}));
  EXPECT_EQ(played.events[0].status, Status::OverlapAtStart);
  EXPECT_EQ(played.events[1].status, Status::Contact);
}

TEST(WorldPlay, SaysWhatCannotBe) {
  const auto two_balls = [] {
    World world;
    world.insert({Ball{0.5}, along_x(0.0, 10.0)});
    world.insert({Ball{0.5}, along_x(5.0, 0.0)});
    return world;
  };
  World stubborn = two_balls();  // nothing keeps them apart
  int calls = 0;
  const WorldEventsResult stuck =
      stubborn.play([&](const WorldEvent&, WorldResponse&) { return ++calls > 0; });
  EXPECT_EQ(stuck.status, Status::Failed);
  EXPECT_NE(stuck.failure.find("bodies 0 and 1: they do not come apart"), std::string::npos) << stuck.failure;
  EXPECT_LT(calls, 30);
  World jumping = two_balls();
  EXPECT_THROW(jumping.play([](const WorldEvent&, WorldResponse& response) {
    response.set_motion(0, along_x(-3.0, 0.0));
    return true;
  }),
               std::invalid_argument);
  EXPECT_THROW(jumping.play([](const WorldEvent&, WorldResponse& response) {
    response.set_motion(5, along_x(-3.0, 0.0));
    return true;
  }),
               std::invalid_argument);
  EXPECT_EQ(jumping.play({}).status, Status::Failed);
  World stopped = two_balls();
  stopped.insert({Ball{0.5}, along_x(9.0, 0.0)});
  const WorldEventsResult ended = stopped.play([](const WorldEvent&, WorldResponse& response) {
    response.stop();
    return false;
  });
  EXPECT_EQ(ended.status, Status::OutOfBudget);
  ASSERT_EQ(ended.events.size(), 1U);
  EXPECT_EQ(ended.complete_until, ended.events[0].time);
  EXPECT_EQ(two_balls().play([](const WorldEvent&, WorldResponse&) { return false; }, {.until = 0.3}).status,
            Status::Separated);
}

}  // namespace
}  // namespace toccata
