// Every question that may take long can be stopped, by a token or by a limit in seconds: it ends soon, says
// so, and claims no more than is proven. What nothing stops answers as ever.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include "base/stop_watch.hpp"
#include "oracle/moving_bodies.hpp"
#include "toccata/base/random.hpp"
#include "toccata/toccata.hpp"

namespace toccata {
namespace {

using oracle::box, oracle::sphere;

// Long for a busy machine, short beside what the questions below would take.
constexpr double soon = 5.0;
constexpr double limit = 0.02;

StopToken requested() {
  const StopToken token = StopToken::create();
  token.request_stop();
  return token;
}

double seconds_of(const auto& ask) {
  const auto start = std::chrono::steady_clock::now();
  ask();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Stands still, but for all that its bounds tell it may race: steps of a search are shorter than 1e-12.
CustomMotion restless(const Vector3& place) {
  CustomMotionBounds bounds;
  bounds.speed = 1e12;
  return {[place](double) { return Pose{Matrix3::Identity(), place}; }, bounds};
}

Body cube(double x) {
  return {box({1, 1, 1}), restless({x, 0, 0})};
}

TEST(StoppedQuestions, tokens_and_watches) {
  EXPECT_FALSE(StopToken().stop_possible());
  StopToken().request_stop();
  const StopToken token = StopToken::create();
  const StopToken copy = token;
  EXPECT_FALSE(copy.stop_requested());
  EXPECT_EQ(StopWatch({}).or_null(), nullptr);
  const StopWatch watch({.token = token});
  ASSERT_NE(watch.or_null(), nullptr);
  EXPECT_FALSE(watch.is_over());
  token.request_stop();
  EXPECT_TRUE(copy.stop_requested());
  EXPECT_TRUE(watch.is_over());

  const StopWatch timed({.seconds = 1e-3});
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_TRUE(timed.is_over());
  EXPECT_GT(timed.rest().seconds, 0.0);
  EXPECT_FALSE(StopWatch({.seconds = 1e300}).is_over());
  EXPECT_TRUE(StopWatch({.seconds = -1.0}).is_over());
  EXPECT_TRUE(StopWatch({.seconds = std::nan("")}).is_over());
}

TEST(StoppedQuestions, first_contact_by_every_method) {
  for (const RigidMethod method :
       {RigidMethod::Advancement, RigidMethod::Controlled, RigidMethod::Interval, RigidMethod::Screw}) {
    FirstContactOptions options;
    options.method = method;
    options.stop.seconds = limit;
    FirstContactResult found;
    EXPECT_LT(seconds_of([&] { found = first_contact(cube(0), cube(2.5), options); }), soon);
    EXPECT_EQ(found.status, Status::OutOfBudget) << to_string(method);
    EXPECT_LT(found.lower, 1.0);
    EXPECT_EQ(found.time, found.lower);
    options.stop = {.token = requested()};
    found = first_contact(cube(0), cube(2.5), options);
    EXPECT_EQ(found.status, Status::OutOfBudget) << to_string(method);
    EXPECT_EQ(found.lower, 0.0);
  }
}

// The time up to which the motion is free: a blade turns many times before a post comes down on it.
TEST(StoppedQuestions, claim_no_more_than_is_proven) {
  const Body blade = {box({2, 0.1, 0.1}), RigidMotion::with_velocity({}, {0, 0, 0}, {0, 0, 1e4})};
  const Body post = {box({0.1, 0.1, 1}),
                     RigidMotion::with_velocity({Matrix3::Identity(), {1, 0, 3}}, {0, 0, -2}, {0, 0, 0})};
  const FirstContactResult whole = first_contact(blade, post);
  ASSERT_EQ(whole.status, Status::Contact);
  int stopped = 0;
  for (double seconds = 1e-6; seconds < 1.0; seconds *= 2.0) {
    FirstContactOptions options;
    options.stop.seconds = seconds;
    const FirstContactResult found = first_contact(blade, post, options);
    if (found.status == Status::OutOfBudget) {
      ++stopped;
      EXPECT_LE(found.lower, whole.upper);
      EXPECT_EQ(found.lower, found.time);
      EXPECT_TRUE(found.contacts.empty());
    } else {
      EXPECT_EQ(found.status, whole.status);
      EXPECT_EQ(found.time, whole.time);
    }
  }
  EXPECT_GT(stopped, 0);
}

TEST(StoppedQuestions, closest_approach_and_intervals) {
  ClosestApproachOptions closest;
  closest.stop.seconds = limit;
  ClosestApproachResult nearest;
  EXPECT_LT(seconds_of([&] { nearest = closest_approach(cube(0), cube(2.5), closest); }), soon);
  EXPECT_EQ(nearest.status, Status::OutOfBudget);
  EXPECT_LE(nearest.lower_distance, 0.5);

  ContactIntervalsOptions intervals;
  intervals.stop.seconds = limit;
  intervals.time_resolution = 1e-12;
  ContactIntervalsResult touching;  // overlapping throughout, creeping from look to look
  EXPECT_LT(seconds_of([&] { touching = contact_intervals(cube(0), cube(1.5), intervals); }), soon);
  EXPECT_EQ(touching.status, Status::OutOfBudget);
  ASSERT_EQ(touching.intervals.size(), 1u);
  EXPECT_LT(touching.proven_until, 1.0);
  EXPECT_EQ(touching.intervals[0].end_upper, 1.0);
  ContactIntervalsResult apart;
  EXPECT_LT(seconds_of([&] { apart = contact_intervals(cube(0), cube(2.5), intervals); }), soon);
  EXPECT_EQ(apart.status, Status::OutOfBudget);
  EXPECT_TRUE(apart.intervals.empty());
  EXPECT_LT(apart.proven_until, 1.0);
}

TEST(StoppedQuestions, at_start_skipped) {
  FirstContactOptions options;
  options.at_start = AtStart::Skip;
  options.stop.seconds = limit;
  FirstContactResult found;
  EXPECT_LT(seconds_of([&] { found = first_contact(cube(0), cube(1.5), options); }), soon);
  EXPECT_EQ(found.status, Status::OutOfBudget);
}

TEST(StoppedQuestions, solver) {
  FirstContactOptions options;
  options.stop.seconds = limit;
  ContactSolver solver(Shape(box({1, 1, 1})), Shape(box({1, 1, 1})), options);
  for (int i = 0; i < 2; ++i) {  // each question has its own time
    EXPECT_EQ(solver.first_contact(restless({0, 0, 0}), restless({2.5, 0, 0})).status, Status::OutOfBudget);
    EXPECT_EQ(
        solver.first_contact(RigidMotion(), RigidMotion::fixed({Matrix3::Identity(), {2.5, 0, 0}})).status,
        Status::Separated);
  }
  ClosestApproachOptions closest;
  closest.stop.seconds = limit;
  EXPECT_EQ(solver.closest_approach(restless({0, 0, 0}), restless({2.5, 0, 0}), closest).status,
            Status::OutOfBudget);
}

TEST(StoppedQuestions, batch_keeps_what_is_finished) {
  const Shape shape(sphere(1.0, 12));
  Random random(7);
  std::vector<BodyPair> pairs;
  for (int i = 0; i < 600; ++i) {
    pairs.push_back(
        {{shape, oracle::random_pose(random, 1.0)},
         {shape, RigidMotion(oracle::random_pose(random, 4.0), oracle::random_pose(random, 4.0))}});
    // One in the middle that takes all the time there is.
    if (i == 300) pairs.push_back({cube(0), cube(2.5)});
  }
  for (const int threads : {1, 2}) {
    FirstContactOptions options;
    options.threads = threads;
    options.stop.seconds = 0.5;
    std::vector<FirstContactResult> found;
    EXPECT_LT(seconds_of([&] { found = first_contacts(pairs, options); }), soon);
    ASSERT_EQ(found.size(), pairs.size());
    int finished = 0, begun = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (found[i].status == Status::OutOfBudget) {
        if (i != 301 && found[i].lower > 0.0) ++begun;
        continue;
      }
      const FirstContactResult alone = first_contact(pairs[i].a, pairs[i].b);
      EXPECT_EQ(found[i].status, alone.status);
      EXPECT_EQ(found[i].time, alone.time);
      ++finished;
    }
    EXPECT_LE(begun, threads);  // under way when time was up, on a slow machine
    EXPECT_EQ(found[301].status, Status::OutOfBudget);
    EXPECT_GE(finished, 1);
  }
}

TEST(StoppedQuestions, from_another_thread) {
  const StopToken token = StopToken::create();
  FirstContactOptions options;
  options.stop.token = token;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    token.request_stop();
  });
  FirstContactResult found;
  EXPECT_LT(seconds_of([&] { found = first_contact(cube(0), cube(2.5), options); }), soon);
  EXPECT_EQ(found.status, Status::OutOfBudget);
  other.join();
}

TEST(StoppedQuestions, time_that_is_none) {
  for (const double seconds : {-1.0, std::nan("")}) {
    const Stop stop = {.seconds = seconds};
    FirstContactOptions first;
    first.stop = stop;
    const FirstContactResult found = first_contact(cube(0), cube(2.5), first);
    EXPECT_EQ(found.status, Status::Failed);
    EXPECT_NE(found.failure.find("stop.seconds"), std::string::npos);
    ClosestApproachOptions closest;
    closest.stop = stop;
    EXPECT_EQ(closest_approach(cube(0), cube(2.5), closest).status, Status::Failed);
    ContactIntervalsOptions intervals;
    intervals.stop = stop;
    EXPECT_EQ(contact_intervals(cube(0), cube(2.5), intervals).status, Status::Failed);
    DeformableOptions deforming;
    deforming.stop = stop;
    auto scene = DeformableScene::build({box({1, 1, 1})});
    const auto positions = box({1, 1, 1}).vertices;
    ASSERT_TRUE(scene->update(positions, positions).has_value());
    EXPECT_EQ(scene->all_contacts(deforming).status, Status::Failed);
    EXPECT_EQ(scene->first_contact(deforming).status, Status::Failed);
    EXPECT_FALSE(ccd(positions, positions, box({1, 1, 1}).faces, deforming).has_value());
    // Where there is no status, it is over at once.
    IntersectsOptions all = {.all_pairs = true, .stop = stop};
    EXPECT_TRUE(
        intersects({sphere(1, 20)}, {sphere(1, 20), {Matrix3::Identity(), {1.2, 0, 0}}}, all).stopped);
  }
}

// --- deforming scenes ------------------------------------------------------------------------------------

// A sheet of 2 n^2 triangles, every vertex of which goes to one point in the middle of the step.
struct Collapse {
  TriangleMesh mesh;
  std::vector<Vector3> end;

  explicit Collapse(int n) {
    Random random(3);
    for (int i = 0; i <= n; ++i) {
      for (int j = 0; j <= n; ++j) mesh.vertices.push_back(Vector3(i, j, 0) + random.in_box(0.2));
    }
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const int a = i * (n + 1) + j;
        mesh.faces.push_back({a, a + 1, a + n + 1});
        mesh.faces.push_back({a + 1, a + n + 2, a + n + 1});
      }
    }
    for (const Vector3& x : mesh.vertices) end.push_back(-x);
  }
};

TEST(StoppedQuestions, deforming_scenes) {
  const Collapse collapse(60);
  for (const DeformableMethod method :
       {DeformableMethod::Clusters, DeformableMethod::Connectivity, DeformableMethod::BruteForce}) {
    for (const int threads : {1, 2}) {
      auto scene = DeformableScene::build({collapse.mesh}, {.method = method, .threads = threads});
      ASSERT_TRUE(scene->update(collapse.mesh.vertices, collapse.end).has_value());
      DeformableOptions options;
      options.threads = threads;
      options.stop.seconds = limit;
      DeformableContacts all;
      EXPECT_LT(seconds_of([&] { all = scene->all_contacts(options); }), soon);
      EXPECT_EQ(all.status, Status::OutOfBudget) << to_string(method);
      SafeStep safe;
      options.stop.seconds = 1e-9;
      EXPECT_LT(seconds_of([&] { safe = scene->safe_step(options); }), soon);
      EXPECT_EQ(safe.first.status, Status::OutOfBudget) << to_string(method);
      EXPECT_EQ(safe.fraction, 0.0);
      EXPECT_EQ(safe.first.lower, 0.0);
      const std::vector<std::vector<Vector3>> frames = {collapse.mesh.vertices, collapse.mesh.vertices,
                                                        collapse.end, collapse.end};
      options.stop = {.token = requested()};
      const auto steps = all_contacts(*scene, frames, options);
      ASSERT_TRUE(steps.has_value());
      ASSERT_EQ(steps->size(), 3u);
      for (std::size_t i : {1, 2}) EXPECT_EQ((*steps)[i].status, Status::OutOfBudget);
      const auto first = first_contact(*scene, frames, options);
      ASSERT_TRUE(first.has_value());
      EXPECT_EQ(first->status, Status::OutOfBudget);
      EXPECT_LE(first->step, 1);  // in the first one nothing moves, which may be seen at a glance
    }
  }
}

// What is listed of a stopped question is right.
TEST(StoppedQuestions, listed_contacts_are_contacts) {
  const Collapse collapse(12);
  auto scene = DeformableScene::build({collapse.mesh});
  ASSERT_TRUE(scene->update(collapse.mesh.vertices, collapse.end).has_value());
  DeformableOptions options;
  options.budget = std::int64_t{1} << 40;
  const DeformableContacts whole = scene->all_contacts(options);
  ASSERT_EQ(whole.status, Status::Contact);
  for (double seconds = 1e-5; seconds < 1.0; seconds *= 3.0) {
    options.stop.seconds = seconds;
    const DeformableContacts part = scene->all_contacts(options);
    if (part.status == Status::Contact) {
      EXPECT_EQ(part.contacts.size(), whole.contacts.size());
      continue;
    }
    ASSERT_EQ(part.status, Status::OutOfBudget);
    auto at = whole.contacts.begin();
    for (const DeformableContact& c : part.contacts) {
      while (at != whole.contacts.end() && at->pair < c.pair) ++at;
      ASSERT_TRUE(at != whole.contacts.end() && at->pair == c.pair);
      EXPECT_EQ(at->impact.time, c.impact.time);
    }
  }
}

// --- meshes at rest --------------------------------------------------------------------------------------

TEST(StoppedQuestions, meshes_at_rest) {
  const Stop stop = {.token = requested()};
  const PlacedShape a{sphere(1, 20)}, b{sphere(1, 20), {Matrix3::Identity(), {2.1, 0, 0}}};
  DistanceOptions options;
  options.stop = stop;
  const DistanceResult whole = distance(a, b), part = distance(a, b, options);
  EXPECT_FALSE(whole.stopped);
  EXPECT_TRUE(part.stopped);
  EXPECT_GE(part.distance, whole.distance);
  EXPECT_LE(part.lower_distance, whole.distance);

  const double less = 0.999 * whole.distance;
  EXPECT_FALSE(within(a, b, less).within);
  const WithinResult near = within(a, b, less, stop);
  EXPECT_TRUE(near.stopped);
  EXPECT_TRUE(near.within);  // not known, so on the safe side

  const PlacedShape over{sphere(1, 20), {Matrix3::Identity(), {1.2, 0.1, 0}}};
  IntersectsOptions all = {.all_pairs = true, .stop = stop};
  EXPECT_TRUE(intersects(a, over, all).stopped);
  EXPECT_TRUE(intersects(a, over, all).intersects);
  EXPECT_LT(intersects(a, over, all).pairs.size(), intersects(a, over, {.all_pairs = true}).pairs.size());

  const SelfIntersectionResult itself =
      self_intersects(sphere(1, 20), {.curvature_test = false, .stop = stop});
  EXPECT_TRUE(itself.stopped);
  EXPECT_TRUE(itself.intersects);
  EXPECT_FALSE(self_intersects(sphere(1, 20), {.curvature_test = false}).stopped);
}

// --- elementary batches ----------------------------------------------------------------------------------

TEST(StoppedQuestions, elementary_batches) {
  Random random(5);
  constexpr std::size_t count = 20000;
  LinearMotionColumns columns(count);
  for (std::size_t k = 0; k < 24; ++k) {
    for (std::size_t i = 0; i < count; ++i) columns.column(k)[i] = random.uniform(-1, 1);
  }
  const auto ask = [&](const LinearImpactOptions& options, int threads, const Stop& stop) {
    return edge_edge_impacts(columns.batch(), options, threads, stop);
  };
  for (const double distance : {0.0, 1e-3}) {
    LinearImpactOptions options;
    options.minimum_distance = distance;
    const LinearImpactBatchResult whole = ask(options, 1, {});
    const auto status_in = [](const LinearImpactBatchResult& result, std::uint32_t query) {
      const auto at = std::lower_bound(result.indices.begin(), result.indices.end(), query);
      if (at == result.indices.end() || *at != query) return Status::Separated;
      return result.impacts[static_cast<std::size_t>(at - result.indices.begin())].status;
    };
    for (const int threads : {1, 2}) {
      for (const Stop& stop : {Stop{.token = requested()}, Stop{.seconds = 1e-4}, Stop{.seconds = 1e-3}}) {
        const LinearImpactBatchResult part = ask(options, threads, stop);
        ASSERT_EQ(part.stages.size(), count);
        ASSERT_TRUE(std::is_sorted(part.indices.begin(), part.indices.end()));
        std::size_t unanswered = 0;
        for (std::uint32_t q = 0; q < count; ++q) {
          const Status status = status_in(part, q);
          if (status == Status::OutOfBudget && part.stages[q] == ImpactStage::Start) {
            ++unanswered;
          } else {
            EXPECT_EQ(status, status_in(whole, q));
            EXPECT_EQ(part.stages[q], whole.stages[q]);
          }
        }
        if (stop.token.stop_requested()) {
          EXPECT_EQ(unanswered, count);
        }
      }
      const LinearImpactBatchResult unhurried =
          ask(options, threads, {.token = StopToken::create(), .seconds = 1e4});
      EXPECT_EQ(unhurried.indices, whole.indices);
      EXPECT_EQ(unhurried.stages, whole.stages);
    }
  }
}

}  // namespace
}  // namespace toccata
