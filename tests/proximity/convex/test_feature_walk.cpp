// Walks over features end where long double says the nearest points are, and every method gives one answer.
#include "proximity/convex/feature_walk.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "effort.hpp"
#include "oracle/convex_oracle.hpp"
#include "proximity/convex/convex_pairs.hpp"
#include "proximity/convex/hull_levels.hpp"
#include "toccata/bound/convex_hull_of.hpp"
#include "toccata/proximity/distance.hpp"

namespace toccata {
namespace {

using convex::convex_distance;
using convex::ConvexDistance;
using convex::ConvexMemory;
using convex::distance_by_walk;
using convex::FeatureWalk;
using convex::hull_features_of;
using convex::HullFeatures;
using convex::walk_features;

// A set with all that the walk needs, large hulls with their table.
struct Walked {
  std::vector<Vector3> points;
  std::optional<HullIndex> index;
  ConvexSet set;
  HullFeatures features;

  explicit Walked(const std::vector<Vector3>& from, double radius = 0.0) {
    const ConvexHull hull = convex_hull_of(from).value();
    points = hull.vertices;
    index.emplace(points, hull.neighbours, hull.first_neighbour);
    set = set_of_points(points, radius, &*index);
    features = hull_features_of(set);
  }
  explicit Walked(const Vector3& half) : set(set_of_core(Core::Box, half)), features(hull_features_of(set)) {}
  Walked(const Walked&) = delete;
  Walked& operator=(const Walked&) = delete;
};

std::vector<Vector3> on_ellipsoid(Random& random, int count, const Vector3& radii = {1.0, 1.0, 1.0}) {
  std::vector<Vector3> points;
  for (int i = 0; i < count; ++i) points.push_back(radii.cwiseProduct(random.on_sphere()));
  return points;
}

// A prism over a regular polygon: large faces, parallel edges.
std::vector<Vector3> prism(int corners, double height) {
  std::vector<Vector3> points;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2.0 * M_PI * i / corners;
    for (const double z : {-0.5 * height, 0.5 * height})
      points.emplace_back(std::cos(angle), std::sin(angle), z);
  }
  return points;
}

std::vector<Vector3> cube(double half) {
  std::vector<Vector3> points;
  for (int i = 0; i < 8; ++i)
    points.emplace_back((i & 1) ? half : -half, (i & 2) ? half : -half, (i & 4) ? half : -half);
  return points;
}

// The walk's answer, evaluated, against the oracle and against GJK's.
void expect_right(const Walked& a, const Pose& pose, const Walked& b, ConvexMemory* memory = nullptr) {
  const ConvexDistance walked = distance_by_walk(a.set, a.features, pose, b.set, b.features, memory);
  const ConvexDistance plain = convex_distance(a.set, pose, b.set);
  const oracle::ConvexTruth truth = oracle::convex_distance_truth(a.set, pose, b.set);
  const double scale = core_reach(a.set) + core_reach(b.set) + pose.translation.norm();
  EXPECT_LE(static_cast<long double>(walked.lower), truth.upper);
  EXPECT_GE(static_cast<long double>(walked.upper), truth.lower);
  EXPECT_LE(walked.upper - walked.lower, 4e-14 * scale);
  EXPECT_LE(walked.lower, plain.upper);
  EXPECT_GE(walked.upper, plain.lower);
  EXPECT_EQ(walked.meets, plain.meets);
}

double log_gap(Random& random) {
  return std::pow(10.0, random.uniform(-13.0, 0.5)) * (random.integer(0, 3) == 0 ? -0.1 : 1.0);
}

TEST(HullFeatures, polygons_have_every_edge_twice) {
  for (const auto& [points, faces, edges] :
       {std::tuple(cube(1.0), 6u, 12u), std::tuple(prism(7, 1.0), 9u, 21u),
        std::tuple(std::vector<Vector3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, 2u, 4u),
        std::tuple(std::vector<Vector3>{{0, 0, 0}, {1, 0, 0}}, 0u, 1u),
        std::tuple(std::vector<Vector3>{{1, 2, 3}}, 0u, 0u)}) {
    const Walked hull(points);
    EXPECT_EQ(hull.features.faces.size(), faces);
    EXPECT_EQ(hull.features.edges.size(), edges);
    EXPECT_EQ(hull.features.sides.size(), faces == 0 ? 0 : 2 * edges);
    EXPECT_EQ(hull.features.rays.size(), 2 * edges);
    for (const auto& face : hull.features.faces) {
      for (const Vector3& p : points) EXPECT_LE(face.normal.dot(p), face.offset + 1e-14);
      for (const auto& side : hull.features.sides_of(face)) {  // the whole face is on the inner side
        for (const auto& other : hull.features.sides_of(face))
          EXPECT_GE(side.inward.dot(points[static_cast<std::size_t>(other.corner)]), side.offset - 1e-14);
      }
    }
    for (const auto& edge : hull.features.edges) {
      if (faces == 0) continue;
      EXPECT_GE(edge.face[0], 0);
      EXPECT_GE(edge.face[1], 0);
    }
  }
}

TEST(HullFeatures, curved_cores_have_none) {
  EXPECT_TRUE(hull_features_of(set_of_core(Core::Ellipsoid, {1, 1, 1})).empty());
  EXPECT_EQ(Walked(Vector3(1, 2, 3)).features.edges.size(), 12u);
  EXPECT_EQ(Walked(Vector3(1, 2, 0)).features.edges.size(), 4u);
}

// The walk alone: in general position it ends at features whose points are as far apart as the truth.
TEST(FeatureWalk, ends_at_the_nearest_features) {
  Random random(1);
  int walks = 0, nearest = 0;
  for (int trial = 0; trial < with_effort(300); ++trial) {
    const Walked a(on_ellipsoid(random, random.integer(4, 300), {1.0, 0.7, 0.2}));
    const Walked b(on_ellipsoid(random, random.integer(4, 60)));
    const Pose pose = pose_at_gap(random, a.set, b.set, random.uniform(0.01, 2.0));
    const FeatureWalk walk = walk_features(a.set, a.features, pose, b.set, b.features, nullptr);
    ++walks;
    if (!walk.is_nearest) continue;
    ++nearest;
    // Started from there, the evaluation needs one look.
    ConvexMemory memory;
    memory.features = walk.features;
    EXPECT_LE(convex_distance(a.set, pose, b.set, &memory).iterations, 2);
    EXPECT_LT(walk.steps, convex::most_walk_steps / 2);
    if (HasFailure()) return;
  }
  EXPECT_GE(nearest, walks - walks / 50);
}

TEST(FeatureWalk, brackets_the_truth_at_every_gap) {
  Random random(2);
  for (int trial = 0; trial < with_effort(150); ++trial) {
    const Walked a(on_ellipsoid(random, random.integer(1, 200), {1.0, 0.3, 0.6}));
    const Walked b(on_ellipsoid(random, random.integer(1, 40)));
    const Pose pose = pose_at_gap(random, a.set, b.set, log_gap(random));
    SCOPED_TRACE(trial);
    expect_right(a, pose, b);
    expect_right(b, pose.inverse(), a);
    if (HasFailure()) return;
  }
}

TEST(FeatureWalk, rounded_hulls_boxes_and_small_sets) {
  Random random(3);
  for (int trial = 0; trial < with_effort(100); ++trial) {
    const Walked rounded(on_ellipsoid(random, random.integer(4, 30)), random.uniform(0.01, 0.4));
    const Walked box(Vector3(random.uniform(0, 1), random.uniform(0, 1), random.integer(0, 3) * 0.3));
    const Walked few(on_ellipsoid(random, random.integer(1, 3)));
    for (const auto& [a, b] : {std::pair(&rounded, &box), std::pair(&few, &rounded), std::pair(&box, &few)}) {
      const Pose pose = pose_at_gap(random, a->set, b->set, log_gap(random));
      SCOPED_TRACE(trial);
      expect_right(*a, pose, *b);
    }
    if (HasFailure()) return;
  }
}

// Points that are no corners have no rays to be held against: they prove nothing.
TEST(FeatureWalk, points_inside_and_equal_corners) {
  Random random(9);
  for (int trial = 0; trial < with_effort(100); ++trial) {
    const Walked flat(Vector3(random.uniform(0.1, 1), random.uniform(0.1, 1), 0.0));
    std::vector<Vector3> points = on_ellipsoid(random, 12);
    for (int i = 0; i < 12; ++i) points.push_back(random.integer(0, 1) == 0 ? points[i] : 0.5 * points[i]);
    std::swap(points[0], points[20]);
    OwnedSet heap;
    *heap.points = points;
    heap.set = set_of_points(*heap.points);
    const HullFeatures features = hull_features_of(heap.set);
    const Pose pose = pose_at_gap(random, heap.set, flat.set, log_gap(random));
    ConvexMemory memory;
    memory.features.count = 1;
    memory.features.vertex_a[0] = random.integer(0, 23);
    memory.features.vertex_b[0] = random.integer(0, 7);
    const ConvexDistance walked =
        distance_by_walk(heap.set, features, pose, flat.set, flat.features, &memory);
    const oracle::ConvexTruth truth = oracle::convex_distance_truth(heap.set, pose, flat.set);
    EXPECT_LE(static_cast<long double>(walked.lower), truth.upper);
    EXPECT_GE(static_cast<long double>(walked.upper), truth.lower);
    if (HasFailure()) return;
  }
}

// Parallel edges and faces, features right above each other, and touching ones: planes hold with equality.
TEST(FeatureWalk, degenerate_pairs) {
  Random random(4);
  const std::vector<std::vector<Vector3>> bodies = {
      cube(1.0), cube(0.5), prism(6, 1.0), prism(64, 0.25), prism(3, 2.0), on_ellipsoid(random, 200)};
  std::vector<Matrix3> turns = {Matrix3::Identity()};
  for (int axis = 0; axis < 3; ++axis) {
    for (const double angle : {M_PI / 2, M_PI / 3, M_PI / 4, M_PI})
      turns.push_back(Eigen::AngleAxisd(angle, Vector3::Unit(axis)).toRotationMatrix());
  }
  for (const auto& points_a : bodies) {
    for (const auto& points_b : bodies) {
      const Walked a(points_a), b(points_b);
      for (const Vector3& shift : {Vector3(0, 0, 0), Vector3(3, 0, 0), Vector3(0, 0, 2.5), Vector3(2, 2, 0),
                                   Vector3(0, 1.5, 1.5), Vector3(1e-3, 0, 4), Vector3(2, 2, 2)}) {
        const Matrix3& turn = turns[static_cast<std::size_t>(random.integer(0, 12))];
        expect_right(a, Pose(turn, shift), b);
        if (HasFailure()) return;
      }
    }
  }
}

TEST(FeatureWalk, far_from_the_origin) {
  Random random(5);
  for (const double far : {1e3, 1e6, 1e8}) {
    std::vector<Vector3> points = on_ellipsoid(random, 150);
    const Vector3 place = far * random.on_sphere();
    for (Vector3& p : points) p += place;
    const Walked a(points), b(on_ellipsoid(random, 30));
    for (int trial = 0; trial < 10; ++trial) {
      const Matrix3 turn = random_rotation(random);
      expect_right(a, Pose(turn, turn * -place + random.uniform(0.0, 3.0) * random.on_sphere()), b);
    }
  }
  // Lengths that squares cannot hold.
  for (const double size : {1e-200, 1e200}) {
    std::vector<Vector3> points = on_ellipsoid(random, 20);
    for (Vector3& p : points) p *= size;
    const Walked a(points), b(points);
    const Pose pose(Matrix3::Identity(), Vector3(3 * size, size, 0));
    const ConvexDistance walked = distance_by_walk(a.set, a.features, pose, b.set, b.features);
    const ConvexDistance plain = convex_distance(a.set, pose, b.set);
    EXPECT_LE(walked.lower, plain.upper);
    EXPECT_GE(walked.upper, plain.lower);
    EXPECT_GT(walked.lower, 0.9 * size);
  }
}

// Any memory is right: features of a pose on the other side, and corners that span no feature.
TEST(FeatureWalk, remembered_features_only_save_time) {
  Random random(6);
  const Walked a(on_ellipsoid(random, 400, {1.0, 1.0, 0.1})), b(on_ellipsoid(random, 300));
  ConvexMemory memory;
  for (int trial = 0; trial < with_effort(100); ++trial) {
    const Pose pose = pose_at_gap(random, a.set, b.set, log_gap(random));
    expect_right(a, pose, b, &memory);
    if (random.integer(0, 3) == 0) {
      memory.features.count = random.integer(1, 4);
      for (std::size_t i = 0; i < 4; ++i) {
        memory.features.vertex_a[i] = random.integer(0, 399);
        memory.features.vertex_b[i] = random.integer(0, 299);
      }
    }
    if (HasFailure()) return;
  }
}

// One degree a frame: the walk starts where it ended.
TEST(FeatureWalk, coherent_motion_takes_few_steps) {
  Random random(7);
  const Walked a(on_ellipsoid(random, 1000)), b(on_ellipsoid(random, 1000, {1.0, 0.1, 0.1}));
  const Matrix3 turn = Eigen::AngleAxisd(M_PI / 180, random.on_sphere()).toRotationMatrix();
  Pose pose(Matrix3::Identity(), {2.5, 0, 0});
  ConvexMemory memory;
  std::int32_t steps = 0;
  for (int frame = 0; frame < 360; ++frame) {
    expect_right(a, pose, b, &memory);
    steps += walk_features(a.set, a.features, pose, b.set, b.features, &memory).steps;
    pose.rotation = turn * pose.rotation;
    pose.translation = turn * pose.translation;
  }
  EXPECT_EQ(steps, 0);  // nothing is left to walk after each answer
}

// What users ask: every method, every kind, with and without an error allowed.
TEST(ConvexMethod, all_give_one_answer) {
  Random random(8);
  std::vector<Shape> shapes;
  shapes.emplace_back(convex_hull_of(on_ellipsoid(random, 300, {1.0, 0.5, 0.2})).value());
  shapes.emplace_back(convex_hull_of(on_ellipsoid(random, 20), 0.1).value());
  shapes.emplace_back(convex_hull_of(cube(0.5)).value());
  shapes.emplace_back(Box{{1, 2, 3}});
  shapes.emplace_back(Ball{0.5});
  shapes.emplace_back(Cylinder{0.5, 1.0});
  shapes.emplace_back(HalfSpace{{0, 0, 1}, 0.0});
  Compound compound;
  compound.parts.push_back({convex_hull_of(on_ellipsoid(random, 30)).value(), {}});
  compound.parts.push_back({Box{{0.2, 0.2, 3}}, Pose(random_rotation(random), {1, 0, 0})});
  shapes.emplace_back(compound);
  for (const Shape& shape : shapes) {
    for (const Shape& other : shapes) {
      for (int trial = 0; trial < with_effort(4); ++trial) {
        const PlacedShape a(shape,
                            Pose(random_rotation(random), random.uniform(0.0, 4.0) * random.on_sphere()));
        const PlacedShape b(other, Pose(random_rotation(random), Vector3(0, 0, 0)));
        const DistanceResult plain = distance(a, b);
        for (const ConvexMethod method : {ConvexMethod::FeatureWalk, ConvexMethod::Levels}) {
          DistanceOptions options;
          options.method = method;
          const DistanceResult found = distance(a, b, options);
          EXPECT_NEAR(found.distance, plain.distance, 1e-13);
          EXPECT_EQ(found.distance == 0.0, plain.distance == 0.0);
          EXPECT_LE(found.lower_distance, plain.distance);
          EXPECT_GE(found.distance, plain.lower_distance);
          options.relative_error = 0.1;
          const DistanceResult rough = distance(a, b, options);
          EXPECT_GE(rough.distance, plain.lower_distance);
          EXPECT_LE(rough.distance, plain.distance * 1.12 + 1e-13);
          EXPECT_LE(rough.lower_distance, plain.distance);
        }
        if (HasFailure()) return;
      }
    }
  }
  prepare(shapes[0], ConvexMethod::FeatureWalk);
  prepare(shapes[0], ConvexMethod::Levels);
}

}  // namespace
}  // namespace toccata
