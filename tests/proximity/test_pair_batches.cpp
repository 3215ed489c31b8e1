// Batches of pairs are the answers one by one; what is still apart along an axis is apart.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <Eigen/Geometry>
#include <cmath>

#include "effort.hpp"
#include "oracle/every_kind.hpp"
#include "toccata/bound/convex_hull_of.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/proximity/intersects.hpp"
#include "toccata/proximity/pair_memory.hpp"
#include "toccata/proximity/penetration.hpp"
#include "toccata/proximity/separation_columns.hpp"

namespace toccata {
namespace {

Pose random_place(Random& random, double far) {
  return Pose(Eigen::AngleAxisd(random.uniform(0, 3), random.on_sphere()).toRotationMatrix(),
              far * random.on_sphere());
}

std::vector<PlacedPair> random_pairs(Random& random, int count, double far) {
  std::vector<Shape> shapes;
  for (const oracle::NamedGeometry& kind : oracle::every_kind())
    shapes.push_back(Shape::build(kind.geometry).value());
  std::vector<PlacedPair> pairs;
  const int last = static_cast<int>(shapes.size()) - 1;
  for (int i = 0; i < count; ++i) {
    const Shape &a = shapes[static_cast<std::size_t>(random.integer(0, last))],
                &b = shapes[static_cast<std::size_t>(random.integer(0, last))];
    pairs.push_back({{a, random_place(random, random.uniform(0, far))}, {b, random_place(random, 0.5)}});
  }
  return pairs;
}

TEST(PairBatches, are_the_answers_one_by_one) {
  Random random(1);
  const std::vector<PlacedPair> pairs = random_pairs(random, with_effort(200), 3.0);
  for (const int threads : {1, 0, 3}) {
    DistanceOptions options;
    options.threads = threads;
    options.method = ConvexMethod::FeatureWalk;
    const std::vector<DistanceResult> apart = distances(pairs, options);
    const std::vector<IntersectsResult> meeting = intersections(pairs, {.threads = threads});
    const std::vector<PenetrationResult> depths = penetrations(pairs, {.threads = threads});
    ASSERT_EQ(apart.size(), pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const DistanceResult one = distance(pairs[i].a, pairs[i].b, options);
      EXPECT_EQ(apart[i].distance, one.distance);
      EXPECT_EQ(apart[i].lower_distance, one.lower_distance);
      EXPECT_EQ(apart[i].contact.point_a, one.contact.point_a);
      EXPECT_FALSE(apart[i].stopped);
      EXPECT_EQ(meeting[i].intersects, intersects(pairs[i].a, pairs[i].b).intersects);
      const PenetrationResult depth = penetration(pairs[i].a, pairs[i].b);
      EXPECT_EQ(depths[i].status, depth.status);
      EXPECT_EQ(depths[i].upper_depth, depth.upper_depth);
    }
  }
  EXPECT_TRUE(distances({}).empty());
}

// Boxes, balls and capsules, most of them at gaps from rounding up: in lanes of every width the bits of the
// single call, which is of one mind with the other questions.
TEST(PairBatches, have_the_bits_of_the_single_call_in_every_lane) {
  Random random(5);
  std::vector<Shape> shapes;
  for (int i = 0; i < 8; ++i) {
    const Vector3 size(random.uniform(0.0, 2.0), random.uniform(0.1, 2.0), random.uniform(0.1, 2.0));
    shapes.push_back(Shape(Box{size, i % 2 == 0 ? 0.0 : random.uniform(0.0, 0.3)}));
    shapes.push_back(Shape(Capsule{random.uniform(0.05, 1.0), random.uniform(0.0, 2.0)}));
  }
  shapes.push_back(Shape(Ball{0.5}));
  shapes.push_back(Shape(Ball{0.0}));
  shapes.push_back(Shape(Cone{0.5, 1.0}));  // none with a closed form, among the others
  const std::size_t cone = shapes.back().geometry().index();
  std::vector<PlacedPair> pairs;
  const int last = static_cast<int>(shapes.size()) - 1;
  for (int i = 0; i < with_effort(1500); ++i) {
    PlacedPair pair{{shapes[static_cast<std::size_t>(random.integer(0, last))], random_place(random, 1.0)},
                    {shapes[static_cast<std::size_t>(random.integer(0, last))], random_place(random, 5.0)}};
    if (i % 7 == 0) pair.b.pose.rotation = pair.a.pose.rotation;  // parallel edges and faces
    const DistanceResult found = distance(pair.a, pair.b);
    const double gap = std::pow(10.0, random.uniform(-17.0, 0.0)) * (random.integer(0, 3) == 0 ? -1.0 : 1.0);
    if (i % 5 != 0 && found.distance > 0.0)
      pair.b.pose.translation -= (found.distance - gap) * found.contact.normal;
    pairs.push_back(pair);
  }
  std::vector<DistanceResult> single;
  std::vector<PenetrationResult> deep;
  for (const PlacedPair& pair : pairs) {
    deep.push_back(penetration(pair.a, pair.b));
    single.push_back(distance(pair.a, pair.b));
    const bool meet = intersects(pair.a, pair.b).intersects;
    EXPECT_EQ(single.back().distance == 0.0, meet);
    EXPECT_EQ(deep.back().status == Status::OverlapAtStart, meet);
    EXPECT_LE(deep.back().lower_depth, deep.back().upper_depth);
    EXPECT_TRUE(within(pair.a, pair.b, single.back().distance).within);
    EXPECT_LE(single.back().lower_distance, single.back().distance);
    if (!meet || !(deep.back().lower_depth > 1e-9)) continue;
    // What is deeper than any rounding is told as the depth tells it, at one point (which one is not unique).
    const Contact &contact = single.back().contact, &deepest = deep.back().contact;
    EXPECT_EQ(contact.point_a, contact.point_b);
    if (pair.a.shape.geometry().index() == cone || pair.b.shape.geometry().index() == cone) continue;
    EXPECT_LE((contact.normal - deepest.normal).norm(), 1e-13);
  }
  // The lower the bit, the better the target: take the best away one by one.
  for (auto left = static_cast<std::int64_t>(hwy::SupportedTargets()); left != 0; left &= left - 1) {
    hwy::SetSupportedTargetsForTest(left);
    hwy::GetChosenTarget().DeInit();
    const std::vector<DistanceResult> batch = distances(pairs, {.threads = 1});
    const std::vector<PenetrationResult> depths = penetrations(pairs, {.threads = 1});
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      EXPECT_EQ(depths[i].lower_depth, deep[i].lower_depth) << i;
      EXPECT_EQ(depths[i].upper_depth, deep[i].upper_depth) << i;
      EXPECT_EQ(depths[i].contact.point_a, deep[i].contact.point_a) << i;
      EXPECT_EQ(depths[i].contact.point_b, deep[i].contact.point_b) << i;
      EXPECT_EQ(depths[i].contact.normal, deep[i].contact.normal) << i;
      EXPECT_EQ(depths[i].contact.feature_a, deep[i].contact.feature_a) << i;
      EXPECT_EQ(batch[i].distance, single[i].distance) << i;
      EXPECT_EQ(batch[i].lower_distance, single[i].lower_distance) << i;
      EXPECT_EQ(batch[i].contact.point_a, single[i].contact.point_a) << i;
      EXPECT_EQ(batch[i].contact.point_b, single[i].contact.point_b) << i;
      EXPECT_EQ(batch[i].contact.normal, single[i].contact.normal) << i;
      EXPECT_EQ(batch[i].contact.feature_a, single[i].contact.feature_a) << i;
      EXPECT_EQ(batch[i].contact.feature_b, single[i].contact.feature_b) << i;
    }
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
  // What is farther than the limit has no more than a proven distance.
  for (const DistanceResult& result : distances(pairs, {.limit = 1e-3})) {
    EXPECT_TRUE(result.distance <= 1e-3 || (std::isinf(result.distance) && result.lower_distance > 0.0));
  }
}

// Hulls that go in lanes: round ones, boxes, flat ones and single points, rounded or not, most of them at
// gaps from rounding up, some with parallel faces or at the same place.
TEST(PairBatches, have_the_bits_of_the_single_call_for_hulls) {
  Random random(7);
  std::vector<Shape> shapes;
  for (const int corners : {4, 5, 8, 20, 50, 50, 120}) {
    const double radius = corners == 20 ? 0.2 : 0.0;
    shapes.push_back(Shape(oracle::random_hull(random, corners, 1.0, radius)));
  }
  for (const Vector3& size : {Vector3(1, 1, 1), Vector3(2, 0.5, 0), Vector3(1, 0, 0), Vector3(0, 0, 0)}) {
    std::vector<Vector3> points;
    for (int i = 0; i < 8; ++i)
      points.push_back(size.cwiseProduct(Vector3(i % 2 - 0.5, i / 2 % 2 - 0.5, i / 4 - 0.5)));
    shapes.push_back(Shape(convex_hull_of(points).value()));
  }
  for (const int corners : {300, 3000})
    shapes.push_back(Shape(oracle::random_hull(random, corners, 1.0, corners == 300 ? 0.1 : 0.0)));
  // A part that is placed in its shape has no lane.
  shapes.push_back(Shape(Compound{{{oracle::random_hull(random, 30, 1.0, 0.1), random_place(random, 0.5)}}}));
  std::vector<PlacedPair> pairs;
  const int last = static_cast<int>(shapes.size()) - 1;
  for (int i = 0; i < with_effort(3000); ++i) {
    PlacedPair pair{{shapes[static_cast<std::size_t>(random.integer(0, last))], random_place(random, 1.0)},
                    {shapes[static_cast<std::size_t>(random.integer(0, last))], random_place(random, 4.0)}};
    if (i % 5 == 0) pair.b.pose.rotation = pair.a.pose.rotation;
    if (i % 31 == 0) pair.b.pose = pair.a.pose;
    if (i % 37 == 0) pair.b.pose.translation *= 1e9;
    const DistanceResult found = distance(pair.a, pair.b);
    const double gap = std::pow(10.0, random.uniform(-17.0, 0.0)) * (random.integer(0, 4) == 0 ? -1.0 : 1.0);
    if (i % 4 != 0 && found.distance > 0.0)
      pair.b.pose.translation -= (found.distance - gap) * found.contact.normal;
    pairs.push_back(pair);
  }
  std::vector<DistanceResult> single;
  for (const PlacedPair& pair : pairs) single.push_back(distance(pair.a, pair.b));
  for (auto left = static_cast<std::int64_t>(hwy::SupportedTargets()); left != 0; left &= left - 1) {
    hwy::SetSupportedTargetsForTest(left);
    hwy::GetChosenTarget().DeInit();
    const std::vector<DistanceResult> batch = distances(pairs, {.threads = 1});
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      EXPECT_EQ(batch[i].distance, single[i].distance) << i;
      EXPECT_EQ(batch[i].lower_distance, single[i].lower_distance) << i;
      EXPECT_EQ(batch[i].contact.point_a, single[i].contact.point_a) << i;
      EXPECT_EQ(batch[i].contact.point_b, single[i].contact.point_b) << i;
      EXPECT_EQ(batch[i].contact.normal, single[i].contact.normal) << i;
      EXPECT_EQ(batch[i].contact.distance, single[i].contact.distance) << i;
      EXPECT_EQ(batch[i].contact.feature_a, single[i].contact.feature_a) << i;
      EXPECT_EQ(batch[i].contact.feature_b, single[i].contact.feature_b) << i;
      EXPECT_EQ(batch[i].stats.piece_pairs, single[i].stats.piece_pairs) << i;
    }
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
}

// A pair that turns and drifts, of every kind with every kind: asked with its memory, with that of another
// pair and with numbers that are none, the brackets hold what is found without, and the words are the same.
TEST(PairMemory, makes_no_difference_but_in_time) {
  Random random(6);
  std::vector<Shape> shapes;
  for (const oracle::NamedGeometry& kind : oracle::every_kind())
    shapes.push_back(Shape::build(kind.geometry).value());
  shapes.push_back(Shape(oracle::random_hull(random, 300, 1.0, 0.0)));
  shapes.push_back(Shape(oracle::random_hull(random, 40, 1.0, 0.0)));
  PairMemory shared;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      PlacedPair pair{{shapes[i], random_place(random, 1.0)}, {shapes[k], random_place(random, 2.5)}};
      const Matrix3 turn = Eigen::AngleAxisd(0.02, random.on_sphere()).toRotationMatrix();
      const Vector3 way = 0.02 * random.on_sphere();
      DistanceOptions options;
      options.method = static_cast<ConvexMethod>(random.integer(0, 2));
      PairMemory own;
      for (int frame = 0; frame < with_effort(6); ++frame) {
        PairMemory odd = own;
        odd.vertex_a[0] = random.integer(-3, 60000);
        odd.count = random.integer(-1, 5);
        odd.direction = random.integer(0, 1) == 0 ? Vector3(NAN, 0, 1) : Vector3(random.on_sphere());
        const DistanceResult cold = distance(pair.a, pair.b, options);
        for (PairMemory* memory : {&own, &shared, &odd}) {
          const DistanceResult warm = distance(pair.a, pair.b, *memory, options);
          EXPECT_EQ(warm.distance == 0.0, cold.distance == 0.0) << i << " " << k;
          EXPECT_LE(warm.lower_distance, cold.distance) << i << " " << k;
          EXPECT_LE(cold.lower_distance, warm.distance) << i << " " << k;
        }
        pair.b.pose.rotation = turn * pair.b.pose.rotation;
        pair.b.pose.translation += way;
      }
    }
  }
  // Two hulls are remembered.
  PairMemory memory;
  distance({shapes.back(), Pose(Matrix3::Identity(), {3, 0, 0})}, {shapes.back()}, memory);
  EXPECT_GT(memory.count, 0);
}

TEST(PairBatches, say_what_a_stop_left_unanswered) {
  Random random(2);
  const std::vector<PlacedPair> pairs = random_pairs(random, 20, 3.0);
  const StopToken token = StopToken::create();
  token.request_stop();
  for (const DistanceResult& result : distances(pairs, {.stop = {.token = token}})) {
    EXPECT_TRUE(result.stopped);
    EXPECT_EQ(result.lower_distance, 0.0);
  }
  for (const IntersectsResult& result : intersections(pairs, {.stop = {.token = token}}))
    EXPECT_TRUE(result.stopped && result.intersects);
}

// Every kind, at gaps of both signs down to rounding along the very axis: what is said to be apart is.
TEST(StillApart, is_proven) {
  Random random(3);
  std::vector<PlacedPair> pairs = random_pairs(random, with_effort(400), 4.0);
  SeparationColumns columns(pairs.size());
  std::vector<std::uint8_t> apart(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const DistanceResult found = distance(pairs[i].a, pairs[i].b);
    columns.set_shapes(i, separation_box(pairs[i].a.shape), separation_box(pairs[i].b.shape));
    columns.set_axis(i, 3.0 * found.contact.normal);
    if (std::isfinite(found.distance) && found.distance > 0.0) {
      const double gap =
          std::pow(10.0, random.uniform(-17.0, 0.0)) * (random.integer(0, 1) == 0 ? 1.0 : -1.0);
      pairs[i].b.pose.translation -= (found.distance - gap) * found.contact.normal;
    }
    columns.set_poses(i, pairs[i].a.pose, pairs[i].b.pose);
  }
  const std::size_t count = still_apart(columns, apart);
  std::size_t seen = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    seen += apart[i];
    if (apart[i] == 0) continue;
    EXPECT_GT(distance(pairs[i].a, pairs[i].b).distance, 0.0) << i;
  }
  EXPECT_EQ(count, seen);
  EXPECT_GT(count, 0u);
  // Farther than a distance: proven, too.
  still_apart(columns, apart, 0.1);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (apart[i] == 0) continue;
    EXPECT_GE(distance(pairs[i].a, pairs[i].b).distance, 0.1) << i;
  }
}

// Boxes, balls and capsules are what the columns see: nothing is lost but rounding.
TEST(StillApart, finds_what_is_apart_by_more_than_rounding) {
  Random random(4);
  const std::vector<Shape> shapes = {Box{{1, 2, 0.5}}, Box{{0.4, 0.4, 3}, 0.1}, Ball{0.7}, Capsule{0.2, 1.5}};
  const int count = with_effort(300);
  SeparationColumns columns(static_cast<std::size_t>(count));
  std::vector<std::uint8_t> apart(columns.size());
  std::vector<PlacedPair> pairs;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    PlacedShape a(shapes[static_cast<std::size_t>(random.integer(0, 3))], random_place(random, 100.0));
    PlacedShape b(shapes[static_cast<std::size_t>(random.integer(0, 3))], random_place(random, 6.0));
    b.pose.translation += a.pose.translation;
    const DistanceResult found = distance(a, b);
    if (found.distance > 0.0) b.pose.translation -= (found.distance - 1e-11) * found.contact.normal;
    columns.set_shapes(i, separation_box(a.shape), separation_box(b.shape));
    columns.set_axis(i, distance(a, b).contact.normal);
    columns.set_poses(i, a.pose, b.pose);
    pairs.push_back({a, b});
  }
  const std::size_t all = still_apart(columns, apart);
  std::size_t truly = 0;
  for (const PlacedPair& pair : pairs) truly += distance(pair.a, pair.b).distance > 0.0;
  EXPECT_GE(100 * all, 95 * truly);  // an axis from points 1e-11 apart is right to a few percent of them only
}

TEST(StillApart, is_the_same_in_all_lanes_and_threads) {
  Random random(5);
  const std::vector<PlacedPair> pairs = random_pairs(random, 3001, 4.0);
  SeparationColumns columns(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    columns.set_shapes(i, separation_box(pairs[i].a.shape), separation_box(pairs[i].b.shape));
    columns.set_poses(i, pairs[i].a.pose, pairs[i].b.pose);
    columns.set_axis(i, pairs[i].b.pose.translation - pairs[i].a.pose.translation);
  }
  std::vector<std::uint8_t> first(pairs.size()), other(pairs.size());
  const std::size_t count = still_apart(columns, first);
  EXPECT_GT(count, 300u);
  EXPECT_EQ(still_apart(columns, other, 0.0, 0), count);
  EXPECT_EQ(first, other);
  for (const auto target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    EXPECT_EQ(still_apart(columns, other), count);
    EXPECT_EQ(first, other);
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST(StillApart, ends_of_the_range) {
  SeparationColumns columns(4);
  const SeparationBox unit = separation_box(Box{{1, 1, 1}});
  EXPECT_EQ(unit.radius, 0.0);
  columns.set_shapes(0, unit, unit);  // no axis known
  columns.set_poses(0, {}, Pose(Matrix3::Identity(), {9, 0, 0}));
  columns.set_shapes(1, unit, separation_box(HalfSpace{{0, 0, 1}, 0.0}));
  columns.set_axis(1, {0, 0, -1});
  columns.set_poses(1, Pose(Matrix3::Identity(), {0, 0, 9}), {});
  columns.set_shapes(2, unit, separation_box(TriangleMesh{}));  // touches nothing
  columns.set_axis(2, {1, 0, 0});
  columns.set_shapes(3, unit, unit);
  columns.set_axis(3, {1e-200, 0, 0});
  columns.set_poses(3, {}, Pose(Matrix3::Identity(), {1.5, 0, 0}));
  EXPECT_EQ(columns.axis(3), Vector3(1, 0, 0));
  std::vector<std::uint8_t> apart(4, 7);
  EXPECT_EQ(still_apart(columns, apart), 2u);
  EXPECT_EQ(apart, (std::vector<std::uint8_t>{0, 0, 1, 1}));
  EXPECT_EQ(still_apart(columns, apart, 0.5), 1u);
  EXPECT_EQ(still_apart(columns, apart, std::nan("")), 0u);
  EXPECT_EQ(apart, (std::vector<std::uint8_t>(4, 0)));
}

}  // namespace
}  // namespace toccata
