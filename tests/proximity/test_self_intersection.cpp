#include "toccata/proximity/self_intersection.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "oracle/adversarial_meshes.hpp"
#include "oracle/exact_triangles.hpp"

namespace toccata {
namespace {

using Pairs = std::vector<std::array<std::int32_t, 2>>;

// Some corners of a face, as a hull; one bit a corner.
oracle::Corners hull(const std::vector<Vector3>& x, const Face& f, int bits) {
  oracle::Corners corners;
  int last = 0;
  while (!(bits >> last & 1)) ++last;
  for (int k = 0; k < 3; ++k) corners[k] = x[f[bits >> k & 1 ? k : last]];
  return corners;
}

// 1: a corner, 2: a side, 3: the face, also where corners are equal.
int feature_size(const Face& f, int bits) {
  const int count = std::popcount(unsigned(bits));
  if (count != 2) return count;
  const int missing = std::countr_zero(unsigned(~bits));
  return f[(missing + 1) % 3] == f[(missing + 2) % 3] ? 1 : 2;
}

bool boxes_meet(const oracle::Corners& a, const oracle::Corners& b) {
  for (int k = 0; k < 3; ++k) {
    const double a_low = std::min({a[0][k], a[1][k], a[2][k]}),
                 a_high = std::max({a[0][k], a[1][k], a[2][k]});
    const double b_low = std::min({b[0][k], b[1][k], b[2][k]}),
                 b_high = std::max({b[0][k], b[1][k], b[2][k]});
    if (a_low > b_high || b_low > a_high) return false;
  }
  return true;
}

// Do the faces share a point of features of theirs that have no common vertex?
bool faces_meet(const std::vector<Vector3>& x, const Face& f, const Face& g) {
  for (int s = 7; s >= 1; --s) {
    for (int r = 7; r >= 1; --r) {
      // Vertex and edge, or two vertices, count only as part of a larger feature.
      bool disjoint = feature_size(f, s) + feature_size(g, r) >= 4;
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) disjoint &= !((s >> i & 1) && (r >> j & 1) && f[i] == g[j]);
      }
      if (!disjoint) continue;
      const auto a = hull(x, f, s), b = hull(x, g, r);
      if (boxes_meet(a, b) && oracle::exact_triangle_distance(a, b).meet) return true;
      if (s == 7 && r == 7) return false;  // nothing shared: the whole triangles say it all
    }
  }
  return false;
}

Pairs brute_force(const TriangleMesh& mesh) {
  Pairs pairs;
  const auto count = static_cast<std::int32_t>(mesh.faces.size());
  for (std::int32_t i = 0; i < count; ++i) {
    for (std::int32_t j = i + 1; j < count; ++j) {
      if (faces_meet(mesh.vertices, mesh.faces[i], mesh.faces[j])) pairs.push_back({i, j});
    }
  }
  return pairs;
}

TEST(SelfIntersection, equals_brute_force_on_adversarial_meshes) {
  std::int64_t cleared = 0, intersecting = 0;
  for (int seed = 0; seed < 100; ++seed) {
    Random random(500 + static_cast<std::uint64_t>(seed));
    const test::MovingMesh moving = test::random_moving_mesh(random);
    for (const auto* positions : {&moving.t0, &moving.t1}) {
      const TriangleMesh mesh{*positions, moving.object.faces};
      const Pairs truth = brute_force(mesh);
      const SelfIntersectionResult found = self_intersects(mesh);
      ASSERT_EQ(found.pairs, truth) << moving.name << ", seed " << seed;
      EXPECT_EQ(found.intersects, !truth.empty());
      ASSERT_EQ(self_intersects(mesh, {.curvature_test = false}).pairs, truth)
          << moving.name << ", seed " << seed;
      EXPECT_EQ(self_intersects(mesh, {.first_only = true}).intersects, !truth.empty());
      cleared += found.cleared_regions;
      intersecting += truth.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(cleared, 200);
  EXPECT_GT(intersecting, 20);
}

// The hypotheses of the curvature test that are easy to forget: all normals agree in each of these.
TEST(SelfIntersection, sheets_with_agreeing_normals_are_found) {
  const auto star = test::wound_star(12, 2, 0.0);
  EXPECT_TRUE(self_intersects({star.t0, star.object.faces}).intersects);
  const auto spiral = test::ribbon(20, 2.0, 0.0, false, 0);
  EXPECT_TRUE(self_intersects({spiral.t0, spiral.object.faces}).intersects);
  const auto staircase = test::ribbon(40, 2.0, 0.02, false, 0);
  EXPECT_FALSE(self_intersects({staircase.t0, staircase.object.faces}).intersects);
}

TEST(SelfIntersection, a_flat_sheet_is_cleared_at_once) {
  const auto sheet = test::grid_mesh(40, 40);
  const SelfIntersectionResult found = self_intersects({sheet.t0, sheet.object.faces});
  EXPECT_FALSE(found.intersects);
  EXPECT_EQ(found.cleared_regions, 1);
  EXPECT_EQ(found.triangle_tests, 0);
}

TEST(SelfIntersection, an_empty_mesh_has_none) {
  EXPECT_FALSE(self_intersects({}).intersects);
}

}  // namespace
}  // namespace toccata
