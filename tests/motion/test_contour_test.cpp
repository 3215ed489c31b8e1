#include "motion/contour_test.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "toccata/base/random.hpp"

namespace toccata {
namespace {

struct Loops {
  std::vector<Vector3> t0, t1;
  std::vector<std::int32_t> contour;

  void add(const std::vector<Vector2>& from, const std::vector<Vector2>& to) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      contour.push_back(static_cast<std::int32_t>(t0.size()));
      t0.push_back({from[i][0], from[i][1], 0.1 * std::sin(double(i))});
      t1.push_back({to[i][0], to[i][1], 0.2 * std::cos(double(i))});
    }
    contour.back() = ~contour.back();
  }
  bool simple(const Vector3& direction = {0, 0, 1}) const {
    ContourTester tester(t0.size());
    tester.begin(direction, t0[0]);
    return tester.test(contour, [&](std::int32_t v) { return std::pair(t0[v].data(), t1[v].data()); });
  }
};

std::vector<Vector2> circle(int count, double radius, double turns = 1.0, double shift = 0.0) {
  std::vector<Vector2> points;
  for (int i = 0; i < count; ++i) {
    const double u = 2.0 * std::numbers::pi * turns * i / count;
    points.push_back({shift + radius * std::cos(u), radius * std::sin(u)});
  }
  return points;
}

bool simple(const std::vector<Vector2>& from, const std::vector<Vector2>& to) {
  Loops loops;
  loops.add(from, to);
  return loops.simple();
}

TEST(ContourTest, circles_squares_and_straight_corners_pass) {
  for (const int count : {3, 4, 5, 12, 100}) EXPECT_TRUE(simple(circle(count, 1.0), circle(count, 1.3)));
  const std::vector<Vector2> square = {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
  EXPECT_TRUE(simple(square, square));
}

TEST(ContourTest, crossings_at_any_time_fail) {
  EXPECT_FALSE(simple(circle(12, 1.0, 2.0), circle(12, 1.0, 2.0)));  // wound twice
  EXPECT_FALSE(simple(circle(12, 1.0), circle(12, -1.0)));           // shrinks to a point in between
  const std::vector<Vector2> open = {{0, 0}, {4, 0}, {4, 1}, {2, 0.5}, {0, 1}};
  std::vector<Vector2> pushed = open;
  pushed[3] = {2, -0.5};  // a corner pushed through the opposite side
  EXPECT_TRUE(simple(open, open));
  EXPECT_FALSE(simple(open, pushed));
  std::vector<Vector2> touching = open;
  touching[3] = {2, 0.0};  // just touches at t = 1
  EXPECT_FALSE(simple(open, touching));
  const std::vector<Vector2> spike = {
      {0, 0}, {2, 0}, {1, 0}, {1, 1}};  // an edge runs back over its neighbour
  EXPECT_FALSE(simple(spike, spike));
}

TEST(ContourTest, several_loops_need_one_outer_one) {
  const auto outer = circle(16, 2.0);
  auto hole = circle(12, 1.0);
  Loops same;  // both turn the same way: two sheets
  same.add(outer, outer);
  same.add(hole, hole);
  EXPECT_FALSE(same.simple());
  std::reverse(hole.begin(), hole.end());
  Loops annulus;
  annulus.add(outer, outer);
  annulus.add(hole, hole);
  EXPECT_TRUE(annulus.simple());
  Loops crossing;
  auto far = circle(12, 1.0, 1.0, 1.5);
  std::reverse(far.begin(), far.end());
  crossing.add(outer, outer);
  crossing.add(hole, far);
  EXPECT_FALSE(crossing.simple());
}

// Whatever passes has no crossing at many sampled times, by exact orientation in long double.
TEST(ContourTest, passed_contours_do_not_cross_at_sampled_times) {
  Random random(21);
  int passed = 0, failed = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const int count = random.integer(3, 9);
    std::vector<Vector2> from = circle(count, 1.0), to = from;
    const double noise = std::pow(10.0, random.uniform(-2.0, 0.3));
    for (int i = 0; i < count; ++i) {
      from[i] += noise * Vector2(random.uniform(-1, 1), random.uniform(-1, 1));
      to[i] = from[i] + noise * Vector2(random.uniform(-1, 1), random.uniform(-1, 1));
    }
    if (!simple(from, to)) {
      ++failed;
      continue;
    }
    ++passed;
    for (int s = 0; s <= 32; ++s) {
      const double t = s / 32.0;
      const auto at = [&](int i) { return Vector2((1 - t) * from[i % count] + t * to[i % count]); };
      const auto side = [](const Vector2& a, const Vector2& b, const Vector2& c) {
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
      };
      for (int i = 0; i < count; ++i) {
        for (int j = i + 2; j < count; ++j) {
          if (i == 0 && j == count - 1) continue;
          const Vector2 a = at(i), b = at(i + 1), c = at(j), d = at(j + 1);
          const bool cross = side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
          ASSERT_FALSE(cross) << "trial " << trial << ", t " << t;
        }
      }
    }
  }
  EXPECT_GT(passed, 500);
  EXPECT_GT(failed, 500);
}

}  // namespace
}  // namespace toccata
