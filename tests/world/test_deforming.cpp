// Meshes that deform among other bodies: against the exact first contact of a deforming scene where every
// corner goes straight, and against distances at many moments where bodies turn.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "effort.hpp"
#include "toccata/base/random.hpp"
#include "toccata/bound/convex_hull_of.hpp"
#include "toccata/ccd/deformable/deformable_scene.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/world/world.hpp"

namespace toccata {
namespace {

constexpr double tolerance = 1e-6;

// A sheet of 4 x 4 squares that flies, stretches and crumples.
DeformingBody random_sheet(Random& random, const Vector3& from, const Vector3& to) {
  DeformingBody sheet;
  for (int y = 0; y < 5; ++y) {
    for (int x = 0; x < 5; ++x) {
      const Vector3 corner(0.25 * x - 0.5, 0.25 * y - 0.5, 0.0);
      sheet.mesh.vertices.push_back(from + corner + random.in_box(0.05));
      sheet.positions_t1.push_back(to + random.uniform(0.5, 1.5) * corner + random.in_box(0.2));
    }
  }
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 4; ++x) {
      const std::int32_t v = 5 * y + x;
      sheet.mesh.faces.push_back({v, v + 1, v + 6});
      sheet.mesh.faces.push_back({v, v + 6, v + 5});
    }
  }
  return sheet;
}

TriangleMesh tetrahedron() {
  return {{{0.4, 0, -0.2}, {-0.2, 0.35, -0.2}, {-0.2, -0.35, -0.2}, {0, 0, 0.4}},
          {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
}

// The exact first contact where every corner goes straight.
FirstContactResult exact_contact(const DeformingBody& a, const DeformingBody& b) {
  auto scene = DeformableScene::build({DeformableObject(a.mesh), DeformableObject(b.mesh)});
  std::vector<Vector3> start = a.mesh.vertices, end = a.positions_t1;
  start.insert(start.end(), b.mesh.vertices.begin(), b.mesh.vertices.end());
  end.insert(end.end(), b.positions_t1.begin(), b.positions_t1.end());
  EXPECT_TRUE(scene->update(start, end));
  DeformableOptions options;
  options.scope = PairScope::BetweenObjects;
  return scene->first_contact(options);
}

double distance_at(const DeformingBody& a, const Body& b, double t) {
  return distance(Shape(mesh_at(a, t)), {b.shape, b.motion->pose(t)}).distance;
}
double distance_at(const DeformingBody& a, const DeformingBody& b, double t) {
  return distance(Shape(mesh_at(a, t)), Shape(mesh_at(b, t))).distance;
}

// What the one event of a world of two says about the exact answer.
template <typename Other>
void expect_exact(const WorldEventsResult& found, const DeformingBody& a, const Other& b,
                  const FirstContactResult& exact) {
  if (found.events.empty()) {
    EXPECT_EQ(exact.status, Status::Separated) << "missed at " << exact.time;
    return;
  }
  const WorldEvent& event = found.events[0];
  EXPECT_LE(distance_at(a, b, event.time), tolerance);
  EXPECT_EQ(event.status == Status::OverlapAtStart, event.time == 0.0);
  if (exact.status == Status::Separated) return;  // they pass within the tolerance
  EXPECT_LE(event.lower, exact.upper) << "late";
}

TEST(DeformingBodies, MeetEachOtherWhenTheExactSceneSays) {
  int hits = 0;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(with_effort(40)); ++seed) {
    Random random(seed);
    const DeformingBody a = random_sheet(random, {0, 0, 0.6}, random.in_box(0.8));
    const DeformingBody b = random_sheet(random, {0, 0, -0.6}, random.in_box(0.8));
    World world;
    world.insert_deforming(a);
    world.insert_deforming(b);
    const FirstContactResult exact = exact_contact(a, b);
    const WorldEventsResult found = world.events({.pair = {.tolerance = tolerance}});
    expect_exact(found, a, b, exact);
    hits += exact.status == Status::Contact;
  }
  EXPECT_GT(hits, with_effort(40) / 4);
}

TEST(DeformingBodies, MeetMeshesThatFlyStraightWhenTheExactSceneSays) {
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(with_effort(40)); ++seed) {
    Random random(seed);
    const DeformingBody sheet = random_sheet(random, {0, 0, 0.5}, random.in_box(0.8));
    const Vector3 from(random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), -0.7), way = random.in_box(1.5);
    const TriangleMesh mesh = tetrahedron();
    DeformingBody flying = {mesh, mesh.vertices};
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
      flying.mesh.vertices[i] += from;
      flying.positions_t1[i] += from + way;
    }
    const Body body = {mesh, RigidMotion::with_velocity({Matrix3::Identity(), from}, way, Vector3::Zero())};
    World world;
    world.insert(body);
    world.insert_deforming(sheet);
    const WorldEventsResult found = world.events({.pair = {.tolerance = tolerance}});
    expect_exact(found, sheet, body, exact_contact(sheet, flying));
    if (!found.events.empty()) {
      const WorldEvent& event = found.events[0];
      EXPECT_EQ(event.pose_b.translation, Vector3::Zero());
      EXPECT_NEAR((event.contact.point_b - event.contact.point_a).norm(), event.contact.distance, 1e-12);
      EXPECT_LT(event.contact.feature_b.part, 32);
    }
  }
}

TEST(DeformingBodies, AreNeverLateWithBodiesOfAnyKindThatTurn) {
  const ConvexHull hull = *convex_hull_of(tetrahedron().vertices);
  const std::vector<Shape> kinds = {Shape(Box{{0.3, 0.2, 0.25}}), Shape(Ball{0.3}), Shape(hull),
                                    Shape(tetrahedron()), Shape(HalfSpace{{0.1, 0.2, 1.0}, -0.6})};
  int hits = 0;
  // 64 was late: seen from a body that turns, what goes straight goes along a curve (Coriolis).
  std::vector<std::uint64_t> seeds = {64};
  for (int i = 1; i <= with_effort(30); ++i) seeds.push_back(static_cast<std::uint64_t>(i));
  for (const std::uint64_t seed : seeds) {
    Random random(seed);
    const DeformingBody sheet = random_sheet(random, {0, 0, 0.6}, random.in_box(0.6));
    const Shape& kind = kinds[seed % kinds.size()];
    const Pose start(Matrix3::Identity(), {random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), -0.3});
    const Body body = {kind, RigidMotion::with_velocity(start, random.in_box(1.0),
                                                        random.in_box(seed % 5 == 4 ? 0.5 : 4.0))};
    World world;
    world.insert_deforming(sheet);
    world.insert(body);
    const WorldEventsResult found = world.events({.pair = {.tolerance = tolerance}});
    const double first = found.events.empty() ? 1.0 : found.events[0].time;
    for (int i = 0; i <= 200; ++i) {
      const double t = i / 200.0;
      if (t < first) {
        ASSERT_GT(distance_at(sheet, body, t), 0.0) << "seed " << seed << ": touch at " << t;
      }
    }
    if (found.events.empty()) continue;
    ++hits;
    EXPECT_LE(distance_at(sheet, body, first), tolerance) << "seed " << seed;
  }
  EXPECT_GT(hits, with_effort(30) / 4);
}

// Many bodies: the events are those of each pair alone, in order, warm as cold, on any number of threads.
TEST(DeformingBodies, TakePartInWorlds) {
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(with_effort(4)); ++seed) {
    Random random(seed);
    World world;
    std::vector<std::int32_t> sheets;
    const auto sheet = [&] { return random_sheet(random, random.in_box(1.5), random.in_box(1.5)); };
    for (int i = 0; i < 4; ++i) sheets.push_back(world.insert_deforming(sheet()));
    for (int i = 0; i < 4; ++i)
      world.insert(
          {Box{{0.2, 0.3, 0.2}}, RigidMotion::with_velocity({Matrix3::Identity(), random.in_box(1.5)},
                                                            random.in_box(1.0), random.in_box(3.0))});
    for (int step = 0; step < 3; ++step) {
      const WorldEventsOptions options = {.pair = {.tolerance = tolerance, .threads = 1}};
      const WorldEventsResult found = world.events(options), warm = world.step(options);
      const WorldEventsResult threads = world.events({.pair = {.tolerance = tolerance, .threads = 0}});
      ASSERT_EQ(found.events.size(), warm.events.size());
      ASSERT_EQ(found.events.size(), threads.events.size());
      std::size_t alone = 0;
      for (const std::int32_t a : world.ids()) {
        for (const std::int32_t b : world.ids()) {
          if (b <= a) continue;
          World two;
          for (const std::int32_t id : {a, b}) {
            if (world.deforming(id) != nullptr) {
              two.insert_deforming(*world.deforming(id));
            } else {
              two.insert(world.body(id));
            }
          }
          const WorldEventsResult pair = two.events(options);
          alone += pair.events.size();
          const auto listed = std::ranges::find_if(
              found.events, [&](const WorldEvent& e) { return e.body_a == a && e.body_b == b; });
          ASSERT_EQ(listed != found.events.end(), !pair.events.empty());
          if (listed != found.events.end()) {
            EXPECT_LE(pair.events[0].lower, listed->lower);
          }
        }
      }
      EXPECT_EQ(alone, found.events.size());
      for (std::size_t i = 0; i < found.events.size(); ++i) {
        EXPECT_EQ(found.events[i].lower, warm.events[i].lower);
        EXPECT_EQ(found.events[i].lower, threads.events[i].lower);
        EXPECT_EQ(found.events[i].body_a, warm.events[i].body_a);
        if (i > 0) {
          EXPECT_GE(found.events[i].group, found.events[i - 1].group);
        }
      }
      // At a moment: whoever is within reach of whom.
      for (const NearBodies& near : world.at(0.5).within(0.1)) EXPECT_LE(near.distance, 0.1);
      const DeformingBody next = sheet();
      ASSERT_TRUE(
          world.set_step(sheets[static_cast<std::size_t>(step)], next.mesh.vertices, next.positions_t1));
    }
  }
}

// In contact at the start: followed until they part, and what counts is the next contact.
TEST(DeformingBodies, SkipTheContactAtTheStart) {
  const std::vector<Shape> kinds = {Shape(Box{{0.5, 0.4, 0.5}}), Shape(tetrahedron()),
                                    Shape(HalfSpace{{0.1, 0.2, 1.0}, 0.0}), Shape(Ball{0.3})};
  constexpr int samples = 400;
  int again = 0;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(with_effort(32)); ++seed) {
    Random random(seed);
    const DeformingBody sheet = random_sheet(random, {0, 0, 0}, {0, 0, random.uniform(0.2, 0.6)});
    const bool deforms = seed % 5 == 4;
    const DeformingBody other = random_sheet(random, {0.1, 0, 0}, random.in_box(0.4));
    // Some come back: out, and in again.
    const Pose start(Matrix3::Identity(), {0, 0, -0.1}), away(Matrix3::Identity(), {0.2, 0.1, -1.5}),
        back(Matrix3::Identity(), {0.1, 0, random.uniform(-0.2, 0.2)});
    const Body body = {kinds[seed % 4], PiecewiseMotion({{0.0, start}, {0.4, away}, {1.0, back}})};
    World world;
    world.insert_deforming(sheet);
    deforms ? world.insert_deforming(other) : world.insert(body);
    const auto apart = [&](double t) {
      return deforms ? distance_at(sheet, other, t) : distance_at(sheet, body, t);
    };
    const WorldEventsResult first = world.events({.pair = {.tolerance = tolerance}});
    const WorldEventsResult skipped =
        world.events({.pair = {.tolerance = tolerance, .at_start = AtStart::Skip}});
    ASSERT_NE(skipped.status, Status::Failed) << skipped.failure;
    if (apart(0.0) > tolerance) continue;
    ASSERT_EQ(first.events.size(), 1U);
    EXPECT_EQ(first.events[0].status, Status::OverlapAtStart);
    // The first sampled moment at which they are apart, and the next one at which they are not.
    int out = 0;
    while (out <= samples && apart(static_cast<double>(out) / samples) <= 2.0 * tolerance) ++out;
    int in = out;
    while (in <= samples && apart(static_cast<double>(in) / samples) > 0.0) ++in;
    if (in <= samples) {
      ++again;
      ASSERT_EQ(skipped.events.size(), 1U) << "seed " << seed << ": missed at " << in;
      EXPECT_EQ(skipped.events[0].status, Status::Contact) << "seed " << seed;
      EXPECT_LE(skipped.events[0].lower, static_cast<double>(in) / samples) << "late, seed " << seed;
    }
    if (!skipped.events.empty() && skipped.events[0].status == Status::Contact) {
      EXPECT_LE(apart(skipped.events[0].time), tolerance) << "seed " << seed;
      EXPECT_GT(skipped.events[0].time, 0.0);
    } else if (!skipped.events.empty()) {  // they never part
      EXPECT_GT(out, samples) << "seed " << seed;
    }
  }
  EXPECT_GT(again, with_effort(32) / 4);
}

// A sheet that falls on the ground and on a ball: its corners go up again, the ball goes down.
TEST(DeformingBodies, BounceWhenTheyArePlayed) {
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(with_effort(8)); ++seed) {
    Random random(seed);
    World world;
    const std::int32_t sheet = world.insert_deforming(random_sheet(random, {0, 0, 1.2}, {0, 0, -1.5}));
    const Pose place(Matrix3::Identity(), {random.uniform(-0.3, 0.3), 0, 0.5});
    const std::int32_t ball =
        world.insert({Ball{0.2}, RigidMotion::with_velocity(place, {0, 0, 0.3}, Vector3::Zero())});
    const std::int32_t ground = world.insert({HalfSpace{{0, 0, 1}, 0.0}}, {.is_static = true});
    double last = 0.0;
    const auto look_until = [&](const World& seen, double time) {
      for (int i = 1; i < 20; ++i) {
        const double t = last + (time - last) * i / 20.0;
        EXPECT_GT(distance_at(*seen.deforming(sheet), seen.body(ball), t), 0.0) << "seed " << seed;
        EXPECT_GT(distance_at(*seen.deforming(sheet), seen.body(ground), t), 0.0) << "seed " << seed;
      }
      last = time;
    };
    const WorldEventsOptions options = {.pair = {.tolerance = tolerance, .threads = 1}};
    const WorldEventsResult played = world.play(
        [&](const WorldEvent& event, WorldResponse& response) {
          look_until(response.world(), event.time);
          const double up = event.body_b == ground ? 1.0 : 0.5;
          if (event.body_a == sheet)
            response.set_velocities(sheet, std::vector<Vector3>(25, Vector3(0, 0, up)));
          if (event.body_a == ball || event.body_b == ball)
            response.set_motion(
                ball, RigidMotion::through(event.time, response.world().body(ball).motion->pose(event.time),
                                           {0, 0, event.body_b == ground ? 0.4 : -0.4}, Vector3::Zero()));
          return true;
        },
        options);
    ASSERT_EQ(played.status, Status::Contact) << played.failure;
    EXPECT_GE(played.events.size(), 1U);
    look_until(world, 1.0);
  }
}

TEST(DeformingBodies, AreRefusedWhereTheyMeanNothing) {
  Random random(1);
  World world;
  DeformingBody sheet = random_sheet(random, {0, 0, 0}, {0, 0, 1});
  const std::int32_t id = world.insert_deforming(sheet);
  EXPECT_FALSE(world.set_motion(id, Pose()));
  EXPECT_FALSE(world.set_step(7, {}, {}));
  EXPECT_EQ(world.at(0.0).nearest(Vector3(0, 0, -1)).body, id);
  const std::int32_t crate = world.insert({Box{{0.2, 0.2, 0.2}}, Pose(Matrix3::Identity(), {0, 0, 0.5})});
  const std::size_t corners = sheet.mesh.vertices.size();
  const WorldEventsResult played = world.play([&](const WorldEvent&, WorldResponse& response) {
    EXPECT_THROW(response.set_motion(id, Pose()), std::invalid_argument);
    EXPECT_THROW(response.set_velocities(crate, {}), std::invalid_argument);
    EXPECT_THROW(response.set_velocities(id, {Vector3::Zero()}), std::invalid_argument);
    EXPECT_THROW(response.set_velocities(id, std::vector<Vector3>(corners, Vector3(0, 0, INFINITY))),
                 std::invalid_argument);
    return false;
  });
  EXPECT_EQ(played.events.size(), 1U);
  // A sheet inside a solid overlaps it.
  world.remove(crate);
  const TriangleMesh hall = {{{9, 0, -5}, {-9, 9, -5}, {-9, -9, -5}, {0, 0, 9}},
                             {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
  EXPECT_TRUE(world.events().events.empty());
  world.insert({hall, Pose(), true});
  const WorldEventsResult inside = world.events();
  ASSERT_EQ(inside.events.size(), 1U);
  EXPECT_EQ(inside.events[0].inside, Inside::FirstInSecond);
  sheet.positions_t1.pop_back();
  EXPECT_THROW(world.insert_deforming(sheet), std::invalid_argument);
  EXPECT_THROW(world.insert_deforming({}), std::invalid_argument);
  EXPECT_THROW(world.set_step(id, {Vector3::Zero()}, {Vector3::Zero()}), std::invalid_argument);
}

}  // namespace
}  // namespace toccata
