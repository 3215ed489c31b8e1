// What a step keeps for the next one changes no answer, whatever happens in between; handles outlive ids.
#include <gtest/gtest.h>

#include "effort.hpp"
#include "oracle/moving_bodies.hpp"
#include "toccata/bound/convex_hull_of.hpp"
#include "toccata/world/world.hpp"

namespace toccata {
namespace {

using namespace oracle;

void expect_equal(const Pose& x, const Pose& y) {
  EXPECT_EQ(x.translation, y.translation);
  EXPECT_EQ(x.rotation, y.rotation);
}

// Every field but stats and known_pairs.
void expect_same(const WorldEventsResult& x, const WorldEventsResult& y) {
  ASSERT_EQ(x.status, y.status);
  ASSERT_EQ(x.events.size(), y.events.size());
  EXPECT_EQ(x.complete_until, y.complete_until);
  EXPECT_EQ(x.near_pairs, y.near_pairs);
  EXPECT_EQ(x.solved_pairs, y.solved_pairs);
  EXPECT_EQ(x.failure, y.failure);
  for (std::size_t i = 0; i < x.events.size(); ++i) {
    const WorldEvent &e = x.events[i], &f = y.events[i];
    EXPECT_EQ(e.body_a, f.body_a);
    EXPECT_EQ(e.body_b, f.body_b);
    EXPECT_EQ(e.status, f.status);
    EXPECT_EQ(e.inside, f.inside);
    EXPECT_EQ(e.time, f.time);
    EXPECT_EQ(e.lower, f.lower);
    EXPECT_EQ(e.upper, f.upper);
    EXPECT_EQ(e.group, f.group);
    EXPECT_EQ(e.contact.point_a, f.contact.point_a);
    EXPECT_EQ(e.contact.point_b, f.contact.point_b);
    EXPECT_EQ(e.contact.normal, f.contact.normal);
    EXPECT_EQ(e.contact.distance, f.contact.distance);
    EXPECT_EQ(e.contact.feature_a, f.contact.feature_a);
    EXPECT_EQ(e.contact.feature_b, f.contact.feature_b);
    expect_equal(e.pose_a, f.pose_a);
    expect_equal(e.pose_b, f.pose_b);
  }
}

class History {
 public:
  explicit History(std::uint64_t seed) : random_(seed), turning_(random_.uniform(0.0, 1.5)) {
    std::vector<Vector3> points;
    for (int i = 0; i < 12; ++i) points.push_back(0.5 * random_.on_sphere());
    shapes_ = {Ball{0.4},
               Box{{0.7, 0.5, 0.9}},
               Capsule{0.2, 0.6},
               convex_hull_of(points).value(),
               box(Vector3(0.4, 0.3, 0.5)),
               sphere(0.5, 4),
               HalfSpace{Vector3::UnitZ(), -4.0}};
    for (int i = 0; i < 24; ++i) insert();
  }

  // Most bodies go on from where they are, some change, come and go.
  void change() {
    const bool all = random_.integer(0, 3) > 0;
    for (const std::int32_t id : world_.ids()) {
      if (all || random_.integer(0, 9) == 0)
        world_.set_motion(id, moving_from(world_.body(id).motion->pose(1.0)));
    }
    for (int i = random_.integer(0, 2); i > 0; --i) insert();
    for (int i = random_.integer(0, 2); i > 0; --i) world_.remove(random_.integer(0, 30));
    if (random_.integer(0, 2) == 0) world_.switch_off(random_.integer(0, 20), random_.integer(0, 20));
    if (random_.integer(0, 4) == 0)
      world_.set_filter(random_.integer(0, 20), {.groups = 1, .wants = random_.integer(0, 1) == 0 ? 0U : 1U});
  }

  WorldEventsOptions options() {
    WorldEventsOptions options;
    options.pair.threads = random_.integer(1, 2);
    const int kind = random_.integer(0, 9);
    if (kind == 0) options.pair.minimum_distance = 0.1;
    if (kind == 1) options.pair.tolerance = 1e-4;
    if (kind == 2) options.until = 0.5;
    if (kind == 3) options.budget = 5;
    if (kind == 4) options.pair.at_start = AtStart::Skip;
    return options;
  }

  World& world() { return world_; }

 private:
  void insert() {
    const int kind = random_.integer(0, 60);
    const Shape& shape = shapes_[kind == 60 ? 6U : static_cast<std::size_t>(kind) % 6];
    Body body{shape, moving_from({Matrix3::Identity(), random_.in_box(3.0)})};
    if (kind == 60) body.motion = Pose();
    // The poles of a globe make it one that is not closed.
    body.solid = &shape != &shapes_[5] && random_.integer(0, 2) == 0;
    world_.insert(std::move(body));
  }

  RigidMotion moving_from(const Pose& pose) {
    return RigidMotion::with_velocity(pose, random_.in_box(0.2), random_.in_box(turning_));
  }

  Random random_;
  double turning_;
  std::vector<Shape> shapes_;
  World world_;
};

TEST(WorldStep, WarmIsColdOnRandomHistories) {
  std::int64_t known = 0, solved = 0;
  std::size_t events = 0;
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(with_effort(12)); ++seed) {
    History history(seed);
    for (int step = 0; step < 12; ++step) {
      const WorldEventsOptions options = history.options();
      const WorldEventsResult warm = history.world().step(options);
      expect_same(warm, history.world().events(options));
      if (testing::Test::HasFailure()) FAIL() << "seed " << seed << ", step " << step;
      known += warm.known_pairs;
      solved += warm.solved_pairs;
      events += warm.events.size();
      history.change();
    }
  }
  EXPECT_GT(events, 100U);
  EXPECT_GT(known, solved / 20);
}

TEST(WorldStep, NothingIsSolvedTwice) {
  History history(3);
  const WorldEventsResult first = history.world().step();
  const WorldEventsResult again = history.world().step();
  EXPECT_GT(first.solved_pairs, 0);
  EXPECT_EQ(first.known_pairs, 0);
  EXPECT_EQ(again.known_pairs, again.solved_pairs);
  expect_same(first, again);
}

TEST(WorldStep, AHandleIsNotTheNextBodysWithItsId) {
  World world;
  const Shape ball = Ball{1.0};
  const std::int32_t id = world.insert({ball});
  const BodyHandle first = world.handle(id);
  EXPECT_TRUE(world.contains(first));
  EXPECT_TRUE(world.set_motion(id, Pose(Matrix3::Identity(), {1, 0, 0})));
  EXPECT_TRUE(world.contains(first));
  world.remove(id);
  EXPECT_FALSE(world.contains(first));
  ASSERT_EQ(world.insert({ball}), id);
  EXPECT_TRUE(world.contains(id));
  EXPECT_FALSE(world.contains(first));
  EXPECT_TRUE(world.contains(world.handle(id)));
  EXPECT_FALSE(world.contains(BodyHandle{}));
  EXPECT_FALSE(world.contains(BodyHandle{7, 0}));
}

TEST(WorldStep, ThousandsOfChangesAStep) {
  World world;
  Random random(5);
  const Shape shapes[] = {Ball{0.3}, Box{{0.4, 0.5, 0.6}}};
  const auto body = [&] {
    return Body{shapes[random.integer(0, 1)],
                RigidMotion::with_velocity({Matrix3::Identity(), random.in_box(12.0)}, random.in_box(0.5),
                                           random.in_box(1.0))};
  };
  for (int i = 0; i < 3000; ++i) world.insert(body());
  for (int step = 0; step < 4; ++step) {
    for (int i = 0; i < 1000; ++i) world.remove(random.integer(0, 2999));
    while (world.size() < 3000) world.insert(body());
    for (int i = 0; i < 1000; ++i) world.set_motion(random.integer(0, 2999), body().motion);
    expect_same(world.step({.pair = {.threads = 1}}), world.events({.pair = {.threads = 1}}));
  }
  EXPECT_EQ(world.ids().back(), 2999);  // ids are given away again
}

}  // namespace
}  // namespace toccata
