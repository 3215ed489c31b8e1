// Worlds against all pairs one by one: the same events, in an order that their brackets prove, on any number
// of threads; and what passes through the engines' continuous modes does not pass here.
#include "toccata/world/world.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <typeinfo>

#include "effort.hpp"
#include "oracle/moving_bodies.hpp"
#include "toccata/bound/convex_hull_of.hpp"
#include "toccata/proximity/containment.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/proximity/intersects.hpp"
#include "toccata/proximity/ray_cast.hpp"

namespace toccata {
namespace {

using namespace oracle;

Pose at_place(const Vector3& place) {
  return {Matrix3::Identity(), place};
}

// A world of some kind, different for each seed: of meshes, or of convex kinds, too.
World random_world(std::uint64_t seed, bool has_convex = false) {
  Random random(seed);
  World world;
  const int count = random.integer(0, 14);
  const int kind = static_cast<int>(seed % 6);
  std::vector<Shape> shapes;
  for (int i = 0; i < 3; ++i)
    shapes.emplace_back(
        box(0.5 * Vector3(random.uniform(0.2, 1.0), random.uniform(0.2, 1.0), random.uniform(0.2, 1.0))));
  shapes.emplace_back(box(Vector3(6.0, 6.0, 0.1)));
  if (has_convex) {
    std::vector<Vector3> points;
    for (int i = 0; i < 12; ++i) points.push_back(0.5 * random.on_sphere());
    shapes[0] = Box{{random.uniform(0.2, 1.0), random.uniform(0.2, 1.0), random.uniform(0.2, 1.0)}};
    shapes[1] = random.integer(0, 1) == 0 ? Shape(Ball{0.4}) : Shape(Capsule{0.2, 0.5});
    shapes[2] = convex_hull_of(points).value();
  }
  for (int i = 0; i < count; ++i) {
    Body body{shapes[static_cast<std::size_t>(random.integer(0, 2))]};
    body.solid = random.integer(0, 1) == 0;
    const double reach = kind == 1 ? 0.0 : 3.0;  // all at one point
    const Pose pose = at_place(random.in_box(reach));
    if (kind == 0 || kind == 1) {
      body.motion = RigidMotion::with_velocity(pose, random.in_box(3.0), random.in_box(6.0));
    } else if (kind == 2) {  // static, spinning
      body.motion = RigidMotion::with_velocity(pose, Vector3::Zero(), random.in_box(10.0));
    } else if (kind == 3) {  // head-on, simultaneous: pairs that are mirror images
      const Vector3 place(4.0 * (i / 2), 0.0, i % 2 == 0 ? -2.0 : 2.0);
      body.shape = shapes[0];
      body.motion =
          RigidMotion::with_velocity(at_place(place), {0.0, 0.0, i % 2 == 0 ? 3.0 : -3.0}, Vector3::Zero());
    } else if (kind == 4) {  // a giant among dust
      if (i == 0) body.shape = shapes[3];
      body.motion = RigidMotion::with_velocity(pose, random.in_box(4.0), random.in_box(2.0));
    } else {  // a column
      body.motion = RigidMotion::with_velocity(at_place({0.0, 0.0, 1.5 * i}),
                                               {0.0, 0.0, random.uniform(-3.0, 3.0)}, random.in_box(3.0));
    }
    world.insert(std::move(body));
  }
  return world;
}

std::map<IndexPair, FirstContactResult> pair_by_pair(const World& world) {
  std::map<IndexPair, FirstContactResult> found;
  const std::vector<std::int32_t> ids = world.ids();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    for (std::size_t k = i + 1; k < ids.size(); ++k) {
      const FirstContactResult r = first_contact(world.body(ids[i]), world.body(ids[k]));
      if (r.status == Status::Contact || r.status == Status::OverlapAtStart) found[{ids[i], ids[k]}] = r;
    }
  }
  return found;
}

void expect_same(const WorldEventsResult& x, const WorldEventsResult& y) {
  ASSERT_EQ(x.status, y.status);
  ASSERT_EQ(x.events.size(), y.events.size());
  for (std::size_t i = 0; i < x.events.size(); ++i) {
    EXPECT_EQ(x.events[i].body_a, y.events[i].body_a);
    EXPECT_EQ(x.events[i].body_b, y.events[i].body_b);
    EXPECT_EQ(x.events[i].lower, y.events[i].lower);
    EXPECT_EQ(x.events[i].upper, y.events[i].upper);
    EXPECT_EQ(x.events[i].group, y.events[i].group);
    EXPECT_EQ(x.events[i].contact.point_a, y.events[i].contact.point_a);
  }
}

TEST(World, ListsEveryFirstContactInProvenOrder) {
  std::size_t total = 0;
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(with_effort(120)); ++seed) {
    const World world = random_world(seed, seed / 6 % 2 == 1);
    const auto expected = pair_by_pair(world);
    const WorldEventsResult found = world.events({.pair = {.threads = 1}});
    ASSERT_EQ(found.events.size(), expected.size()) << "seed " << seed;
    EXPECT_EQ(found.status, expected.empty() ? Status::Separated : Status::Contact);
    double group_end = -1.0;  // of all groups before
    double latest = 0.0;      // of the present one
    for (std::size_t i = 0; i < found.events.size(); ++i) {
      const WorldEvent& event = found.events[i];
      const auto one = expected.find({event.body_a, event.body_b});
      ASSERT_NE(one, expected.end()) << "seed " << seed;
      EXPECT_EQ(event.status, one->second.status);
      // Both brackets hold the true time.
      EXPECT_LE(event.lower, one->second.upper) << "seed " << seed;
      EXPECT_GE(event.lower, one->second.lower) << "seed " << seed;
      if (i > 0 && event.group != found.events[i - 1].group) {
        ASSERT_EQ(event.group, found.events[i - 1].group + 1);
        group_end = latest;
      }
      if (event.group > 0) {
        EXPECT_GT(event.lower, group_end) << "seed " << seed;
      }
      latest = std::max(latest, event.upper < 1.0 ? event.upper : event.lower);
      ++total;
    }
    expect_same(found, world.events({.pair = {.threads = 2}}));
    const WorldEventsResult first = world.first_contact({.pair = {.threads = 1}});
    std::vector<WorldEvent> first_group = found.events;
    std::erase_if(first_group, [](const WorldEvent& e) { return e.group > 0; });
    ASSERT_EQ(first.events.size(), first_group.size()) << "seed " << seed;
    for (std::size_t i = 0; i < first_group.size(); ++i) {
      EXPECT_EQ(first.events[i].body_a, first_group[i].body_a);
      EXPECT_EQ(first.events[i].body_b, first_group[i].body_b);
    }
    EXPECT_LE(first.solved_pairs, found.solved_pairs);
  }
  EXPECT_GT(total, 300U);
}

TEST(World, KnowsWhatIsSimultaneous) {
  const World world = random_world(6 * 4 + 3);  // pairs head-on, all alike
  const WorldEventsResult found = world.events();
  ASSERT_GT(found.events.size(), 1U);
  for (const WorldEvent& event : found.events) EXPECT_EQ(event.group, 0);
}

// Two pairs of boxes head-on, the second one a little later.
TEST(World, TellsApartWhatIsABillionthApart) {
  for (const double later : {1e-7, 1e-8, 1e-9}) {
    World world;
    const Shape cube = Box{Vector3::Ones()};
    for (int i = 0; i < 4; ++i) {
      const double side = i % 2 == 0 ? -1.0 : 1.0, extra = i < 2 ? 3.0 * later : 0.0;
      world.insert({cube, RigidMotion::with_velocity(at_place({4.0 * (i / 2), 0.0, side * (2.0 + extra)}),
                                                     {0.0, 0.0, -3.0 * side}, Vector3::Zero())});
    }
    const WorldEventsResult found = world.events();
    ASSERT_EQ(found.events.size(), 2U);
    EXPECT_EQ(found.events[0].body_a, 2) << later;
    EXPECT_EQ(found.events[0].group, 0);
    EXPECT_EQ(found.events[1].group, 1) << later;
    for (const WorldEvent& event : found.events) {
      const double touch = 0.5 + (event.body_a == 0 ? later : 0.0);
      EXPECT_LE(event.lower, touch);
      EXPECT_GE(event.upper, touch - 1e-15);
      EXPECT_LT(event.upper - event.lower, 1.2 * later);
    }
  }
}

TEST(World, StopsWhereTheBudgetEnds) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const World world = random_world(seed * 6);
    const WorldEventsResult whole = world.events();
    const WorldEventsResult part = world.events({.budget = 3});
    if (whole.solved_pairs <= 3) {
      EXPECT_EQ(part.events.size(), whole.events.size());
      continue;
    }
    EXPECT_EQ(part.status, Status::OutOfBudget);
    EXPECT_LE(part.solved_pairs, 3);
    // Nothing that comes before the end of what is complete is missing.
    for (const WorldEvent& event : whole.events) {
      if (!(event.upper < part.complete_until)) continue;
      EXPECT_TRUE(std::any_of(
          part.events.begin(), part.events.end(),
          [&](const WorldEvent& e) { return e.body_a == event.body_a && e.body_b == event.body_b; }))
          << "seed " << seed;
    }
  }
}

TEST(World, IsStopped) {
  const World world = random_world(0);
  ASSERT_GT(world.events().solved_pairs, 0);
  WorldEventsOptions options;
  options.pair.stop.token = StopToken::create();
  EXPECT_EQ(world.events(options).status, world.events().status);
  options.pair.stop.token.request_stop();
  const WorldEventsResult stopped = world.events(options);
  EXPECT_EQ(stopped.status, Status::OutOfBudget);
  EXPECT_TRUE(stopped.events.empty());
}

TEST(World, FiltersSwitchesAndReusedIds) {
  World world;
  const Shape cube(box(Vector3::Constant(0.5)));
  const auto body = [&](double x, double speed) {
    return Body{cube, RigidMotion::with_velocity(at_place({x, 0, 0}), {speed, 0, 0}, Vector3::Zero())};
  };
  EXPECT_EQ(world.insert(body(0, 4)), 0);
  EXPECT_EQ(world.insert(body(3, 0)), 1);
  EXPECT_EQ(world.insert(body(-3, 0), {.is_static = true}), 2);
  EXPECT_EQ(world.events().events.size(), 1U);
  EXPECT_TRUE(world.switch_off(1, 0));
  EXPECT_TRUE(world.events().events.empty());
  EXPECT_TRUE(world.switch_on(0, 1));
  EXPECT_FALSE(world.switch_on(0, 1));
  EXPECT_TRUE(world.set_filter(0, {.groups = 2, .wants = 4}));
  EXPECT_TRUE(world.events().events.empty());
  EXPECT_TRUE(world.set_filter(0, {}));
  EXPECT_TRUE(world.remove(1));
  EXPECT_FALSE(world.remove(1));
  EXPECT_FALSE(world.contains(1));
  EXPECT_TRUE(world.events().events.empty());
  EXPECT_EQ(world.insert(body(2, 0)), 1);
  EXPECT_EQ(world.events().events.size(), 1U);
  EXPECT_TRUE(world.set_motion(0, RigidMotion()));
  EXPECT_TRUE(world.events().events.empty());
  EXPECT_EQ(world.size(), 3U);
}

// What a world keeps of a motion is that motion.
TEST(World, KeepsMotionsToTheLastBit) {
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    const Pose from(Eigen::AngleAxisd(random.uniform(0.0, 3.0), random.on_sphere()).toRotationMatrix(),
                    random.in_box(3.0));
    const Pose to(Eigen::AngleAxisd(random.uniform(0.0, 3.0), random.on_sphere()).toRotationMatrix(),
                  random.in_box(3.0));
    const OwnedMotion motions[] = {RigidMotion::with_velocity(from, random.in_box(1.0), random.in_box(9.0)),
                                   RigidMotion::with_velocity(from, random.in_box(1.0), Vector3::Zero()),
                                   from,
                                   RigidMotion(from, to),
                                   RigidMotion(from, to, random.in_box(1.0)),
                                   ScrewMotion(from, to),
                                   PiecewiseMotion({{0.0, from}, {0.5, to}, {1.0, from}})};
    for (const OwnedMotion& motion : motions) {
      World world;
      world.insert({Ball{1.0}, motion});
      const Body kept = world.body(0);
      for (const double t : {0.0, 0.3, 1.0}) {
        EXPECT_EQ(kept.motion->pose(t).rotation, motion->pose(t).rotation);
        EXPECT_EQ(kept.motion->pose(t).translation, motion->pose(t).translation);
      }
      EXPECT_EQ(kept.motion->pose_error().rotation, motion->pose_error().rotation);
      EXPECT_EQ(kept.motion->pose_error().translation, motion->pose_error().translation);
      EXPECT_EQ(typeid(*kept.motion), typeid(*motion));
    }
  }
}

TEST(World, RefusesWhatCannotBeAsked) {
  World world;
  const Shape cube(box(Vector3::Ones()));
  const double nan = std::nan("");
  EXPECT_THROW(world.insert({cube, RigidMotion::with_velocity({}, {nan, 0, 0}, Vector3::Zero())}),
               std::invalid_argument);
  EXPECT_THROW(world.insert({TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}, {}, true}),
               std::invalid_argument);
  EXPECT_EQ(world.size(), 0U);
  EXPECT_EQ(world.events({.until = 2.0}).status, Status::Failed);
  EXPECT_EQ(world.events({.budget = -1}).status, Status::Failed);
  EXPECT_EQ(world.events().status, Status::Separated);
}

TEST(World, AMomentAgreesWithAllPairs) {
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(with_effort(60)); ++seed) {
    const World world = random_world(seed);
    Random random(seed);
    const double t = random.unit(), d = random.uniform(0.0, 1.0);
    const WorldMoment moment = world.at(t);
    const std::vector<NearBodies> touching = moment.touching(), near = moment.within(d, 2);
    std::size_t touching_count = 0, near_count = 0;
    const std::vector<std::int32_t> ids = world.ids();
    for (std::size_t i = 0; i < ids.size(); ++i) {
      for (std::size_t k = i + 1; k < ids.size(); ++k) {
        const Body &a = world.body(ids[i]), &b = world.body(ids[k]);
        const PlacedShape x(a.shape, a.motion->pose(t)), y(b.shape, b.motion->pose(t));
        const bool meets = intersects(x, y).intersects ||
                           (b.solid && containment(x, y) == Containment::Inside) ||
                           (a.solid && containment(y, x) == Containment::Inside);
        const bool is_near = meets || distance(x, y).distance <= d;
        const auto is_pair = [&](const NearBodies& n) { return n.body_a == ids[i] && n.body_b == ids[k]; };
        EXPECT_EQ(std::any_of(touching.begin(), touching.end(), is_pair), meets) << "seed " << seed;
        EXPECT_EQ(std::any_of(near.begin(), near.end(), is_pair), is_near) << "seed " << seed;
        touching_count += meets ? 1 : 0;
        near_count += is_near ? 1 : 0;
      }
    }
    EXPECT_EQ(touching.size(), touching_count);
    EXPECT_EQ(near.size(), near_count);
    const Ray ray{random.in_box(5.0), random.on_sphere()};
    const Vector3 point = random.in_box(5.0);
    double first_hit = INFINITY, least = INFINITY;
    for (const std::int32_t id : ids) {
      const Body& b = world.body(id);
      const PlacedShape placed(b.shape, b.motion->pose(t));
      const RayCastResult hit = ray_cast(placed, ray);
      if (hit.hit) first_hit = std::min(first_hit, hit.parameter);
      const bool inside = b.solid && point_containment(point, placed) == Containment::Inside;
      least = std::min(least, inside ? 0.0 : distance(TriangleMesh{{point}, {{0, 0, 0}}}, placed).distance);
    }
    const WorldRayHit hit = moment.ray_cast(ray);
    EXPECT_EQ(hit.body >= 0, std::isfinite(first_hit));
    if (hit.body >= 0) {
      EXPECT_EQ(hit.parameter, first_hit);
    }
    const NearestBody nearest = moment.nearest(point);
    EXPECT_EQ(nearest.body >= 0, !ids.empty());
    if (nearest.body >= 0) {
      EXPECT_NEAR(nearest.distance, least, 1e-12);
    }
  }
}

TEST(World, CastsABodyIntoTheWorld) {
  World world;
  const Shape cube(box(Vector3::Constant(0.5)));
  for (int i = 0; i < 5; ++i) world.insert({cube, at_place({3.0 * i, 0, 0})});
  const Body bullet{cube, RigidMotion::with_velocity(at_place({-3, 0, 0}), {10, 0, 0}, Vector3::Zero())};
  const WorldEventsResult hits = world.cast(bullet);
  ASSERT_EQ(hits.events.size(), 3U);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(hits.events[static_cast<std::size_t>(i)].body_a, -1);
    EXPECT_EQ(hits.events[static_cast<std::size_t>(i)].body_b, i);
    EXPECT_NEAR(hits.events[static_cast<std::size_t>(i)].time, 0.2 + 0.3 * i, 1e-5);
  }
}

// A step of 1/60 s each.
TEST(World, NothingPassesThrough) {
  Random random(9);
  const double step = 1.0 / 60.0;
  const Shape small(box(Vector3::Constant(0.05))), plate(box({1.0, 1.0, 0.01})), rod(box({1.0, 0.01, 0.01})),
      post(box({0.02, 0.02, 1.0}));
  for (int trial = 0; trial < with_effort(50); ++trial) {
    World world;  // a box at 200 m/s against a plate 0.02 thick
    const double offset = random.uniform(-0.9, 0.9);
    world.insert({small, RigidMotion::with_velocity(at_place({offset, 0, 1.0}), {0, 0, -200.0 * step},
                                                    random.in_box(3.0))});
    world.insert({plate, at_place({0, 0, random.uniform(-1.5, 0.5)})});
    EXPECT_EQ(world.events().events.size(), 1U);

    World ball;  // the same of a ball
    ball.insert({Ball{0.1}, RigidMotion::with_velocity(at_place({offset, 0, 1.0}), {0, 0, -200.0 * step},
                                                       Vector3::Zero())});
    ball.insert({Box{{2.0, 2.0, 0.02}}, at_place({0, 0, random.uniform(-1.5, 0.5)})});
    EXPECT_EQ(ball.events().events.size(), 1U);

    World turning;  // a rod of 2 m at 40 and 100 rad/s into a post
    const double spin = (trial % 2 == 0 ? 40.0 : 100.0) * step;
    const double angle = random.uniform(0.05, spin - 0.05), arm = random.uniform(0.3, 0.9);
    turning.insert({rod, RigidMotion::with_velocity({}, Vector3::Zero(), {0, 0, spin})});
    turning.insert({post, at_place({arm * std::cos(angle), arm * std::sin(angle), 0})});
    EXPECT_EQ(turning.events().events.size(), 1U)
        << "spin " << spin << ", angle " << angle << ", arm " << arm;

    World head_on;  // two boxes at 200 m/s each
    const double gap = random.uniform(0.2, 3.0), aside = random.uniform(-0.08, 0.08);
    head_on.insert({small, RigidMotion::with_velocity(at_place({-gap, aside, 0}), {200.0 * step, 0, 0},
                                                      Vector3::Zero())});
    head_on.insert(
        {small, RigidMotion::with_velocity(at_place({gap, 0, 0}), {-200.0 * step, 0, 0}, Vector3::Zero())});
    EXPECT_EQ(head_on.events().events.size(), 1U);
  }
}

}  // namespace
}  // namespace toccata
