// Brackets of the distance of convex sets against long double answers, and exact cases.
#include "proximity/convex/convex_distance.hpp"

#include <gtest/gtest.h>

#include "effort.hpp"
#include "oracle/convex_oracle.hpp"
#include "proximity/convex/convex_pairs.hpp"

namespace toccata {
namespace {

using convex::convex_distance;
using convex::ConvexDistance;
using convex::ConvexLimits;
using convex::ConvexMemory;

double scale_of(const ConvexSet& a, const Pose& pose, const ConvexSet& b) {
  return core_reach(a) + core_reach(b) + pose.translation.norm();
}

// Of the oracle's own numbers.
constexpr long double oracle_slack = 64.0L * 0x1p-64L;

void expect_right(const ConvexSet& a, const Pose& pose, const ConvexSet& b, const ConvexDistance& d,
                  double width) {
  const oracle::ConvexTruth truth = oracle::convex_distance_truth(a, pose, b);
  const double scale = scale_of(a, pose, b);
  const long double slack = oracle_slack * scale;
  EXPECT_LE(static_cast<long double>(d.lower), truth.upper + slack);
  EXPECT_GE(static_cast<long double>(d.upper), truth.lower - slack);
  EXPECT_LE(d.upper - d.lower, width * scale);
  if (d.meets) {
    EXPECT_EQ(d.upper, 0.0);
    EXPECT_LE(truth.lower, 1e-15L * scale);
  }
  if (d.lower > 0.0) {
    EXPECT_NEAR(d.direction.norm(), 1.0, 1e-15);
    EXPECT_GE(static_cast<double>(oracle::gap_along(a, pose, b, d.direction)), d.lower - 1e-15 * scale);
    EXPECT_NEAR((d.point_b - d.point_a).norm(), d.upper, 1e-14 * scale);
  }
}

double log_gap(Random& random) {
  return std::pow(10.0, random.uniform(-14.0, 0.0)) * (random.integer(0, 1) == 0 ? 1.0 : -0.3);
}

TEST(ConvexDistance, brackets_the_truth_for_every_pair_of_kinds) {
  Random random(1);
  for (int kind_a = 0; kind_a < set_kind_count; ++kind_a) {
    for (int kind_b = 0; kind_b < set_kind_count; ++kind_b) {
      const bool is_curved = kind_a > last_polytope_kind || kind_b > last_polytope_kind;
      for (int trial = 0; trial < with_effort(20); ++trial) {
        SCOPED_TRACE(testing::Message() << kind_a << " " << kind_b << " trial " << trial);
        const OwnedSet a = random_set(random, static_cast<SetKind>(kind_a));
        const OwnedSet b = random_set(random, static_cast<SetKind>(kind_b));
        const Pose pose = pose_at_gap(random, a.set, b.set, log_gap(random));
        const ConvexDistance d = convex_distance(a.set, pose, b.set);
        expect_right(a.set, pose, b.set, d, is_curved ? 5e-14 : 2e-14);
        if (HasFailure()) return;
      }
    }
  }
}

TEST(ConvexDistance, remembers_without_changing_the_answer) {
  Random random(3);
  for (int trial = 0; trial < with_effort(60); ++trial) {
    const OwnedSet a = random_set(random, static_cast<SetKind>(random.integer(0, set_kind_count - 1)));
    const OwnedSet b = random_set(random, static_cast<SetKind>(random.integer(0, set_kind_count - 1)));
    Pose pose = pose_at_gap(random, a.set, b.set, random.uniform(-0.1, 0.3));
    const Matrix3 turn = Eigen::AngleAxisd(0.02, random.on_sphere()).toRotationMatrix();
    const Vector3 shift = 0.01 * random.on_sphere();
    ConvexMemory memory;
    for (int frame = 0; frame < 32; ++frame) {
      const ConvexDistance warm = convex_distance(a.set, pose, b.set, &memory);
      const ConvexDistance cold = convex_distance(a.set, pose, b.set);
      const double scale = scale_of(a.set, pose, b.set) + a.set.radius + b.set.radius;
      EXPECT_LE(warm.lower, cold.upper);
      EXPECT_GE(warm.upper, cold.lower);
      EXPECT_LE(warm.upper - warm.lower, 5e-14 * scale);
      pose.rotation = turn * pose.rotation;
      pose.translation += shift;
    }
    if (HasFailure()) return;
  }
}

TEST(ConvexDistance, is_symmetric) {
  Random random(4);
  for (int trial = 0; trial < with_effort(300); ++trial) {
    const OwnedSet a = random_set(random, static_cast<SetKind>(random.integer(0, set_kind_count - 1)));
    const OwnedSet b = random_set(random, static_cast<SetKind>(random.integer(0, set_kind_count - 1)));
    const Pose pose = pose_at_gap(random, a.set, b.set, log_gap(random));
    const ConvexDistance there = convex_distance(a.set, pose, b.set);
    const ConvexDistance back = convex_distance(b.set, pose.inverse(), a.set);
    // The inverse is rounded.
    const double rounding = 1e-14 * scale_of(a.set, pose, b.set);
    EXPECT_LE(there.lower, back.upper + rounding);
    EXPECT_GE(there.upper, back.lower - rounding);
  }
}

TEST(ConvexDistance, does_not_depend_on_the_unit) {
  Random random(5);
  for (int trial = 0; trial < with_effort(300); ++trial) {
    const OwnedSet a = random_set(random, static_cast<SetKind>(random.integer(0, set_kind_count - 1)));
    const OwnedSet b = random_set(random, static_cast<SetKind>(random.integer(0, set_kind_count - 1)));
    const Pose pose = pose_at_gap(random, a.set, b.set, log_gap(random));
    const double factor = std::ldexp(1.0, random.integer(-60, 60));
    const auto scaled = [&](const OwnedSet& from) {
      OwnedSet to = from;
      to.points = std::make_shared<std::vector<Vector3>>(*from.points);
      for (Vector3& p : *to.points) p *= factor;
      to.set.points = *to.points;
      to.set.half *= factor;
      to.set.radius *= factor;
      to.set.reach *= factor;
      return to;
    };
    const OwnedSet large_a = scaled(a), large_b = scaled(b);
    const ConvexDistance one = convex_distance(a.set, pose, b.set);
    const ConvexDistance other =
        convex_distance(large_a.set, {pose.rotation, factor * pose.translation}, large_b.set);
    EXPECT_EQ(one.lower * factor, other.lower);
    EXPECT_EQ(one.upper * factor, other.upper);
    EXPECT_EQ(one.meets, other.meets);
    EXPECT_EQ(one.direction, other.direction);
  }
}

// Gaps and overlaps that are powers of two, down to the smallest number there is: all coordinates are exact,
// so that the answer must be, too.
TEST(ConvexDistance, decides_touching_polytopes_exactly) {
  const ConvexSet cube = set_of_core(Core::Box, Vector3::Constant(1.0));
  std::vector<Vector3> corners;
  for (std::int32_t i = 0; i < 8; ++i) corners.push_back(corner_of(cube, i));
  const ConvexSet hull = set_of_points(corners);
  // Tip of one octahedron into the middle of the cube's face.
  const std::vector<Vector3> tips = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  const ConvexSet octahedron = set_of_points(tips);
  for (const ConvexSet* a : {&cube, &hull, &octahedron}) {
    for (const ConvexSet* b : {&cube, &hull, &octahedron}) {
      for (const Vector3& beside : {Vector3(0, 0, 0), Vector3(0, 0.25, 0), Vector3(0, 0.5, 0.125)}) {
        if (a == &octahedron && b == &octahedron && beside.norm() > 0.0) continue;
        Pose pose;
        pose.translation = beside + Vector3(2.0, 0.0, 0.0);
        EXPECT_TRUE(convex_distance(*a, pose, *b).meets);
        EXPECT_EQ(convex_distance(*a, pose, *b).upper, 0.0);
        for (int k = 1; k <= 51; ++k) {
          const double gap = std::ldexp(1.0, -k);
          pose.translation.x() = 2.0 + gap;
          const ConvexDistance apart = convex_distance(*a, pose, *b);
          EXPECT_FALSE(apart.meets) << k;
          EXPECT_GT(apart.lower, 0.0) << k;
          EXPECT_LE(apart.lower, gap);
          EXPECT_GE(apart.upper, gap);
          pose.translation.x() = 2.0 - gap;
          EXPECT_TRUE(convex_distance(*a, pose, *b).meets) << k;
        }
      }
    }
  }
}

// A point over a corner at the origin: the gap can be a denormal.
TEST(ConvexDistance, decides_gaps_down_to_the_smallest_number) {
  const std::vector<Vector3> corner = {{0, 0, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  const std::vector<Vector3> point = {{0, 0, 0}};
  const ConvexSet a = set_of_points(point), b = set_of_points(corner);
  for (int k = 0; k <= 1074; k += 7) {
    const double gap = std::ldexp(1.0, -k);
    for (const Vector3& toward : {Vector3(1, 0, 0), Vector3(1, 1, 0), Vector3(1, 1, 1)}) {
      Pose pose;
      pose.translation = gap * toward;
      const ConvexDistance apart = convex_distance(a, pose, b);
      const double truth = gap * toward.norm();
      EXPECT_FALSE(apart.meets) << k;
      EXPECT_LE(apart.lower, truth);
      EXPECT_GE(apart.upper, truth * (1.0 - 1e-15));
      EXPECT_GT(apart.upper, 0.0) << k;
      pose.translation = -0.25 * gap * Vector3(1, 1, 0);
      EXPECT_TRUE(convex_distance(a, pose, b).meets) << k;
    }
  }
}

// Small integers: whether two tetrahedra share a point by all planes through three of the sixteen
// differences.
bool share_a_point(const std::vector<Vector3>& a, const std::vector<Vector3>& b) {
  std::vector<Eigen::Matrix<std::int64_t, 3, 1>> w;
  for (const Vector3& p : a) {
    for (const Vector3& q : b) w.push_back((p - q).cast<std::int64_t>());
  }
  for (std::size_t i = 0; i < w.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      for (std::size_t k = 0; k < j; ++k) {
        const Eigen::Matrix<std::int64_t, 3, 1> n = (w[j] - w[i]).cross(w[k] - w[i]);
        std::int64_t least = 0, most = 0;
        for (const auto& x : w) {
          least = std::min(least, n.dot(x - w[i]));
          most = std::max(most, n.dot(x - w[i]));
        }
        const std::int64_t origin = -n.dot(w[i]);
        if (least == 0 && most > 0 && origin < 0) return false;
        if (most == 0 && least < 0 && origin > 0) return false;
      }
    }
  }
  return true;
}

TEST(ConvexDistance, decides_random_tetrahedra_of_small_integers_exactly) {
  Random random(6);
  int together = 0;
  for (int trial = 0; trial < with_effort(1500); ++trial) {
    std::vector<Vector3> a, b;
    const int width = random.integer(1, 4);
    for (int i = 0; i < 4; ++i) {
      a.push_back(Vector3(random.integer(-width, width), random.integer(-width, width),
                          random.integer(0, 2 * width)));
      b.push_back(Vector3(random.integer(-width, width), random.integer(-width, width),
                          random.integer(-2 * width, 0)));
    }
    const bool is_flat = std::abs((a[1] - a[0]).cross(a[2] - a[0]).dot(a[3] - a[0])) < 0.5;
    if (is_flat) continue;  // the planes of the oracle need a difference with inner points
    const ConvexDistance d = convex_distance(set_of_points(a), Pose(), set_of_points(b));
    const bool truth = share_a_point(a, b);
    EXPECT_EQ(d.meets, truth);
    EXPECT_EQ(d.lower > 0.0, !truth);
    together += truth ? 1 : 0;
  }
  EXPECT_GT(together, 50);
}

// Points, needles, plates, duplicates, points on a line, the same set on itself, sizes 1 : 1e6, 1e8 away.
TEST(ConvexDistance, ends_for_degenerate_sets) {
  Random random(7);
  std::vector<OwnedSet> sets;
  const auto add_points = [&](std::vector<Vector3> points, double radius) {
    OwnedSet owned;
    *owned.points = std::move(points);
    owned.set = set_of_points(*owned.points, radius);
    sets.push_back(owned);
  };
  const auto add_core = [&](Core core, const Vector3& half) {
    OwnedSet owned;
    owned.set = set_of_core(core, half);
    sets.push_back(owned);
  };
  add_points({{0, 0, 0}}, 0.0);
  add_points({{0, 0, 0}}, 1e-6);
  add_points({{0, 0, 0}, {0, 0, 0}}, 0.5);
  add_points({{-1, 0, 0}, {1, 0, 0}, {0.5, 0, 0}, {0.25, 0, 0}}, 0.0);
  add_points({{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, 0, 0}, {1, 1, 0}}, 0.0);
  add_points({{-1, 0, 0}, {1, 0, 0}, {0, 1e-9, 0}, {0, 0, 1e-9}}, 0.0);
  std::vector<Vector3> ring;
  for (int i = 0; i < 1000; ++i)
    ring.push_back({std::cos(i * 0.00628), std::sin(i * 0.00628), i % 2 == 0 ? 0.5 : -0.5});
  add_points(ring, 0.0);
  add_core(Core::Box, {0, 0, 0});
  add_core(Core::Box, {1, 1, 0});
  add_core(Core::Box, {1, 0, 0});
  add_core(Core::Box, {1e-6, 1, 1e6});
  add_core(Core::Cylinder, {1, 1, 0});
  add_core(Core::Cylinder, {0, 0, 1});
  add_core(Core::Cone, {1, 1, 0});
  add_core(Core::Cone, {0, 0, 1});
  add_core(Core::Ellipsoid, {1, 1e-6, 1});
  add_core(Core::Ellipsoid, {1e-6, 1, 1e-6});
  add_core(Core::Ellipsoid, {0, 0, 0});
  for (const OwnedSet& a : sets) {
    for (const OwnedSet& b : sets) {
      for (int trial = 0; trial < 8; ++trial) {
        Pose pose;
        if (trial == 1) pose.translation = Vector3(1.0, 0.0, 0.0);
        if (trial == 2) pose.translation = Vector3(0.0, 0.0, 1.0 + 1e-9);
        if (trial == 3) pose = Pose(random_rotation(random), Vector3::Zero());
        if (trial == 4) pose = Pose(random_rotation(random), Vector3(1e8, 0, 1));
        if (trial == 5) pose = Pose(random_rotation(random), 1e-9 * random.on_sphere());
        if (trial > 5) pose = Pose(random_rotation(random), random.in_box(2.0));
        const ConvexDistance d = convex_distance(a.set, pose, b.set);
        EXPECT_TRUE(std::isfinite(d.lower) && std::isfinite(d.upper) && d.lower <= d.upper);
        EXPECT_TRUE(d.point_a.allFinite() && d.point_b.allFinite() && d.direction.allFinite());
        const oracle::ConvexTruth truth = oracle::convex_distance_truth(a.set, pose, b.set);
        const long double slack = oracle_slack * scale_of(a.set, pose, b.set);
        EXPECT_LE(static_cast<long double>(d.lower), truth.upper + slack);
        // The oracle is not sure of sets that meet: its lower bound is.
        EXPECT_GE(static_cast<long double>(d.upper), truth.lower - slack);
        if (HasFailure()) {
          ADD_FAILURE() << "sets " << &a - sets.data() << " " << &b - sets.data() << " trial " << trial;
          return;
        }
      }
    }
  }
}

// Lengths whose squares vanish or overflow.
TEST(ConvexDistance, takes_very_small_and_large_sizes) {
  Random random(8);
  for (const double size : {1e-300, 1e-200, 1e-100, 1e100, 1e200, 1e300}) {
    for (int kind = 0; kind < set_kind_count; ++kind) {
      const OwnedSet a = random_set(random, static_cast<SetKind>(kind), size);
      const OwnedSet b = random_set(random, SetKind::Box, size);
      const ConvexDistance d = convex_distance(a.set, Pose(Matrix3::Identity(), {0, 0, 4 * size}), b.set);
      EXPECT_GT(d.lower, 0.5 * size);
      EXPECT_LE(d.upper - d.lower, 1e-7 * size);
    }
  }
}

TEST(ConvexDistance, stops_where_the_limits_say) {
  Random random(9);
  for (int trial = 0; trial < with_effort(200); ++trial) {
    const OwnedSet a = random_set(random, SetKind::Hull), b = random_set(random, SetKind::Ellipsoid);
    const Pose pose = pose_at_gap(random, a.set, b.set, random.uniform(0.1, 1.0));
    const oracle::ConvexTruth truth = oracle::convex_distance_truth(a.set, pose, b.set);
    ConvexLimits limits;
    limits.relative_error = 0.1;
    const ConvexDistance rough = convex_distance(a.set, pose, b.set, nullptr, limits);
    EXPECT_LE(static_cast<long double>(rough.lower), truth.upper);
    EXPECT_GE(static_cast<long double>(rough.upper), truth.lower);
    EXPECT_LE(rough.upper - rough.lower, 0.1 * rough.upper);
    limits = {};
    limits.enough = 0.05;
    EXPECT_GT(convex_distance(a.set, pose, b.set, nullptr, limits).lower, 0.05);
    limits = {};
    limits.within = 1.5;
    EXPECT_LE(convex_distance(a.set, pose, b.set, nullptr, limits).upper, 1.5);
  }
}

}  // namespace
}  // namespace toccata
