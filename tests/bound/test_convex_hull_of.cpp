#include "toccata/bound/convex_hull_of.hpp"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <vector>

#include "effort.hpp"
#include "toccata/base/random.hpp"

namespace toccata {
namespace {

using Points = std::vector<Vector3>;
using Rational = std::array<mpq_class, 3>;

Rational rational(const Vector3& p) {
  return {mpq_class(p.x()), mpq_class(p.y()), mpq_class(p.z())};
}

Rational minus(const Rational& a, const Rational& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

Rational cross(const Rational& a, const Rational& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

mpq_class dot(const Rational& a, const Rational& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

bool is_zero(const Rational& a) {
  return a[0] == 0 && a[1] == 0 && a[2] == 0;
}

// The hull as its header describes it, in rationals.
class ExactCheck {
 public:
  ExactCheck(const Points& points, const ConvexHull& hull) : points_(points), hull_(hull) {
    for (const Vector3& p : points) exact_.push_back(rational(p));
    for (const Vector3& v : hull.vertices) corners_.push_back(rational(v));
    for (const Face& f : hull.faces) {
      normals_.push_back(cross(minus(corners_[f[1]], corners_[f[0]]), minus(corners_[f[2]], corners_[f[0]])));
    }
  }

  void run() {
    sources();
    switch (dimension()) {
      case 0:
        EXPECT_EQ(hull_.vertices.size(), 1u);
        EXPECT_TRUE(hull_.faces.empty());
        break;
      case 1:
        segment();
        break;
      default:
        surface();
        planes();
        corners();
        break;
    }
    neighbours();
  }

 private:
  int dimension() const {
    Rational along, normal;
    int found = 0;
    for (const Rational& p : exact_) {
      const Rational d = minus(p, exact_[0]);
      if (found == 0 && !is_zero(d)) along = d, found = 1;
      if (found == 1 && !is_zero(cross(along, d))) normal = cross(along, d), found = 2;
      if (found == 2 && dot(normal, d) != 0) return 3;
    }
    return found;
  }

  void sources() {
    ASSERT_EQ(hull_.sources.size(), hull_.vertices.size());
    EXPECT_TRUE(std::is_sorted(hull_.sources.begin(), hull_.sources.end()));
    for (std::size_t v = 0; v < hull_.vertices.size(); ++v) {
      const auto first = std::find(points_.begin(), points_.end(), hull_.vertices[v]);
      ASSERT_EQ(first - points_.begin(), hull_.sources[v]) << "vertex " << v;
    }
    EXPECT_EQ(std::set(hull_.sources.begin(), hull_.sources.end()).size(), hull_.sources.size());
  }

  void segment() {
    ASSERT_EQ(hull_.vertices.size(), 2u);
    EXPECT_TRUE(hull_.faces.empty());
    const Rational along = minus(corners_[1], corners_[0]);
    for (const Rational& p : exact_) {
      const mpq_class t = dot(minus(p, corners_[0]), along);
      ASSERT_TRUE(t >= 0 && t <= dot(along, along));
    }
  }

  // Closed, of Euler's number two, and no point in front of any face.
  void surface() {
    std::set<std::array<std::int32_t, 2>> edges;
    for (std::size_t i = 0; i < hull_.faces.size(); ++i) {
      const Face& f = hull_.faces[i];
      for (int k = 0; k < 3; ++k) ASSERT_TRUE(edges.insert({f[k], f[(k + 1) % 3]}).second) << "face " << i;
      ASSERT_FALSE(is_zero(normals_[i])) << "face " << i;
      for (std::size_t p = 0; p < exact_.size(); ++p)
        ASSERT_TRUE(dot(normals_[i], minus(exact_[p], corners_[f[0]])) <= 0)
            << "face " << i << " point " << p;
    }
    for (const auto& e : edges) ASSERT_TRUE(edges.count({e[1], e[0]}));
    EXPECT_EQ(hull_.vertices.size() + hull_.faces.size(), edges.size() / 2 + 2);
  }

  bool share_a_plane(std::size_t i, std::size_t j) const {
    return is_zero(cross(normals_[i], normals_[j])) && dot(normals_[i], normals_[j]) > 0 &&
           dot(normals_[i], minus(corners_[hull_.faces[j][0]], corners_[hull_.faces[i][0]])) == 0;
  }

  void planes() {
    ASSERT_EQ(hull_.planes.size(), hull_.faces.size());
    std::map<std::int32_t, std::size_t> first;
    for (std::size_t i = 0; i < hull_.faces.size(); ++i) {
      const auto [entry, is_new] = first.insert({hull_.planes[i], i});
      if (!is_new) {
        ASSERT_TRUE(share_a_plane(entry->second, i)) << "faces " << entry->second << " " << i;
        continue;
      }
      ASSERT_EQ(hull_.planes[i], static_cast<std::int32_t>(first.size()) - 1);
      for (const auto& [plane, other] : first)
        ASSERT_TRUE(plane == hull_.planes[i] || !share_a_plane(other, i)) << "faces " << other << " " << i;
    }
  }

  // In space, three planes that meet in a point only; in a plane, two edges that are not in line.
  void corners() {
    std::vector<std::vector<Rational>> at(corners_.size());
    for (std::size_t i = 0; i < hull_.faces.size(); ++i) {
      for (const std::int32_t v : hull_.faces[i]) at[v].push_back(normals_[i]);
    }
    const bool is_flat = dimension() == 2;
    for (std::size_t v = 0; v < corners_.size(); ++v) {
      bool is_corner = false;
      if (is_flat) {
        ASSERT_EQ(hull_.first_neighbour[v + 1] - hull_.first_neighbour[v], 2);
        const std::int32_t* n = &hull_.neighbours[hull_.first_neighbour[v]];
        is_corner = !is_zero(cross(minus(corners_[n[0]], corners_[v]), minus(corners_[n[1]], corners_[v])));
      }
      for (std::size_t i = 1; i < at[v].size() && !is_corner; ++i) {
        const Rational line = cross(at[v][0], at[v][i]);
        for (const Rational& n : at[v]) is_corner = is_corner || dot(line, n) != 0;
      }
      ASSERT_TRUE(is_corner) << "vertex " << v;
    }
  }

  // The edges between faces of different planes, in both directions, sorted.
  void neighbours() {
    std::map<std::array<std::int32_t, 2>, std::int32_t> plane_left_of;
    for (std::size_t i = 0; i < hull_.faces.size(); ++i) {
      const Face& f = hull_.faces[i];
      for (int k = 0; k < 3; ++k) plane_left_of[{f[k], f[(k + 1) % 3]}] = hull_.planes[i];
    }
    std::vector<std::vector<std::int32_t>> expected(hull_.vertices.size());
    for (const auto& [edge, plane] : plane_left_of) {
      if (plane_left_of.at({edge[1], edge[0]}) != plane) expected[edge[0]].push_back(edge[1]);
    }
    if (hull_.vertices.size() == 2) expected = {{1}, {0}};
    ASSERT_EQ(hull_.first_neighbour.size(), hull_.vertices.size() + 1);
    for (std::size_t v = 0; v < hull_.vertices.size(); ++v) {
      const std::vector<std::int32_t> found(hull_.neighbours.begin() + hull_.first_neighbour[v],
                                            hull_.neighbours.begin() + hull_.first_neighbour[v + 1]);
      ASSERT_EQ(found, expected[v]) << "vertex " << v;
    }
    EXPECT_EQ(hull_.first_neighbour.back(), static_cast<std::int32_t>(hull_.neighbours.size()));
  }

  const Points& points_;
  const ConvexHull& hull_;
  std::vector<Rational> exact_, corners_, normals_;
};

ConvexHull checked(const Points& points) {
  const auto hull = convex_hull_of(points);
  EXPECT_TRUE(hull) << hull.error().message;
  ExactCheck(points, *hull).run();
  return *hull;
}

TEST(ConvexHullOf, random_points) {
  Random random(1);
  for (int trial = 0; trial < with_effort(30); ++trial) {
    Points ball, sphere;
    const int count = random.integer(4, 60);
    for (int i = 0; i < count; ++i) ball.push_back(random.unit() * random.on_sphere() + Vector3(3, -2, 1));
    for (int i = 0; i < count; ++i) sphere.push_back(random.on_sphere());
    checked(ball);
    checked(sphere);
  }
}

// Small integers: many points of one plane and line, many duplicates, everything in the middle of something.
TEST(ConvexHullOf, small_integers) {
  Random random(2);
  for (int trial = 0; trial < with_effort(300); ++trial) {
    Points points;
    const int count = random.integer(1, 40), width = random.integer(1, 3);
    for (int i = 0; i < count; ++i) {
      points.emplace_back(random.integer(0, width), random.integer(0, width), random.integer(0, width));
    }
    checked(points);
    if (testing::Test::HasFatalFailure()) FAIL() << "trial " << trial;
  }
}

// Planes and lines in general position, exact because the coordinates are integers.
TEST(ConvexHullOf, tilted_planes_and_lines) {
  Random random(3);
  for (int trial = 0; trial < with_effort(100); ++trial) {
    const Vector3 u(random.integer(-99, 99), random.integer(-99, 99), random.integer(-99, 99));
    const Vector3 v(random.integer(-99, 99), random.integer(-99, 99), random.integer(-99, 99));
    Points plane, line;
    for (int i = 0; i < random.integer(1, 50); ++i) {
      plane.push_back(random.integer(-9, 9) * u + random.integer(-9, 9) * v);
      line.push_back(random.integer(-9, 9) * u + v);
    }
    checked(plane);
    checked(line);
    plane.push_back(u.cwiseProduct(v) + Vector3(1, 2, 3));
    checked(plane);  // a pyramid with points in its base
  }
}

// Off a plane by a last place or two: most signs are beyond the filter.
TEST(ConvexHullOf, nearly_flat_points) {
  Random random(4);
  for (int trial = 0; trial < with_effort(30); ++trial) {
    const Vector3 u = random.on_sphere(), v = random.on_sphere();
    Points points;
    for (int i = 0; i < 40; ++i) points.push_back(random.unit() * u + random.unit() * v + Vector3(1, 1, 1));
    checked(points);
  }
}

TEST(ConvexHullOf, lattice_of_a_cube) {
  Points points;
  for (int i = 0; i <= 4; ++i) {
    for (int j = 0; j <= 4; ++j) {
      for (int k = 0; k <= 4; ++k) points.emplace_back(0.1 * i, 0.1 * j, 0.1 * k);
    }
  }
  const ConvexHull cube = checked(points);
  EXPECT_EQ(cube.vertices.size(), 8u);
  EXPECT_EQ(cube.faces.size(), 12u);
  EXPECT_EQ(cube.planes.back(), 5);
  EXPECT_EQ(cube.neighbours.size(), 24u);
}

TEST(ConvexHullOf, a_thousand_corners_in_one_face) {
  Points points;
  for (int i = 0; i < 1000; ++i) {
    const double angle = 2 * std::numbers::pi * i / 1000;
    points.emplace_back(std::cos(angle), std::sin(angle), 1.0);
  }
  const ConvexHull polygon = checked(points);
  EXPECT_GT(polygon.vertices.size(), 990u);
  points.emplace_back(0.0, 0.0, 2.0);
  const auto cone = convex_hull_of(points);
  ASSERT_TRUE(cone);
  EXPECT_EQ(cone->vertices.size(), polygon.vertices.size() + 1);
  EXPECT_EQ(cone->faces.size(), 2 * cone->vertices.size() - 4);
  EXPECT_EQ(std::set(cone->planes.begin(), cone->planes.end()).size(), cone->vertices.size());
}

TEST(ConvexHullOf, one_two_and_three_points) {
  const Points one = {{1, 2, 3}}, same(5, Vector3(1, 2, 3)), two = {{1, 2, 3}, {1, 2, 4}};
  const Points three = {{1, 2, 3}, {1, 2, 4}, {0, 0, 0}}, in_line = {{2, 2, 2}, {1, 1, 1}, {3, 3, 3}};
  EXPECT_EQ(checked(one).vertices.size(), 1u);
  EXPECT_EQ(checked(same).sources, std::vector<std::int32_t>{0});
  EXPECT_EQ(checked(two).vertices.size(), 2u);
  EXPECT_EQ(checked(three).faces.size(), 2u);
  EXPECT_EQ(checked(in_line).sources, (std::vector<std::int32_t>{1, 2}));
}

// Powers of two change nothing: not the range of doubles, up to its ends.
TEST(ConvexHullOf, any_magnitude) {
  Random random(5);
  Points points;
  for (int i = 0; i < 60; ++i)
    points.emplace_back(random.integer(-9, 9), random.integer(-9, 9), random.integer(-9, 9));
  const ConvexHull hull = checked(points);
  for (const int exponent : {-1074, -1060, -900, -300, 300, 900, 1020}) {
    Points moved;
    for (const Vector3& p : points)
      moved.push_back(p.unaryExpr([&](double x) { return std::ldexp(x, exponent); }));
    const auto scaled = convex_hull_of(moved);
    ASSERT_TRUE(scaled);
    EXPECT_EQ(scaled->sources, hull.sources);
    EXPECT_EQ(scaled->faces, hull.faces);
    EXPECT_EQ(scaled->planes, hull.planes);
    EXPECT_EQ(scaled->neighbours, hull.neighbours);
  }
  // Needles: one axis shorter than the others by up to the promised range.
  for (const int exponent : {-1, -60, -590}) {
    Points needle;
    for (const Vector3& p : points) needle.emplace_back(p.x(), p.y(), std::ldexp(p.z(), exponent));
    EXPECT_EQ(checked(needle).sources, hull.sources);
  }
}

TEST(ConvexHullOf, large_sets) {
  Random random(6);
  Points sphere;
  for (int i = 0; i < 5000; ++i) sphere.push_back(random.on_sphere());
  const auto hull = convex_hull_of(sphere, 0.25);
  ASSERT_TRUE(hull);
  EXPECT_EQ(hull->radius, 0.25);
  EXPECT_EQ(hull->vertices.size(), 5000u);
  EXPECT_EQ(hull->faces.size(), 9996u);
  EXPECT_EQ(hull->neighbours.size(), 2u * 14994u);
  const auto again = convex_hull_of(sphere, 0.25);
  EXPECT_EQ(again->faces, hull->faces);
}

TEST(ConvexHullOf, refuses_what_it_cannot_answer) {
  const auto message = [](const Points& points, double radius) {
    const auto hull = convex_hull_of(points, radius);
    return hull ? std::string() : hull.error().message;
  };
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(message({}, 0), "convex hull: there are no points");
  EXPECT_EQ(message({{0, 0, 0}, {0, infinity, 0}}, 0),
            "convex hull: point 1 has a coordinate that is not a finite number");
  EXPECT_EQ(message({{0, std::nan(""), 0}}, 0),
            "convex hull: point 0 has a coordinate that is not a finite number");
  EXPECT_NE(message({{0, 0, 0}}, -1).find("radius is -1"), std::string::npos);
  EXPECT_NE(message({{0, 0, 0}}, infinity).find("radius"), std::string::npos);
  EXPECT_NE(message({{1, 0, 0}, {0, 1e-200, 0}}, 0).find("2^600"), std::string::npos);
  EXPECT_EQ(message({{1, 0, 0}, {0, 1e-170, 0}}, 0), "");
}

}  // namespace
}  // namespace toccata
