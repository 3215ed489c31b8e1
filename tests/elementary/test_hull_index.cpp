// The farthest vertex along any direction, from any start, against all vertices in long double.
#include "elementary/hull_index.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "toccata/base/random.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/bound/convex_hull_of.hpp"

namespace toccata {
namespace {

long double exact_height(const Vector3& d, const Vector3& p) {
  return static_cast<long double>(d.x()) * p.x() + static_cast<long double>(d.y()) * p.y() +
         static_cast<long double>(d.z()) * p.z();
}

void expect_farthest(const ConvexHull& hull, const HullIndex& index, const Vector3& d, std::int32_t hint) {
  long double highest = -INFINITY, reach = 0.0L;
  for (const Vector3& p : hull.vertices) {
    highest = std::max(highest, exact_height(d, p));
    reach = std::max(reach, static_cast<long double>(p.stableNorm()));
  }
  const std::int32_t found = proven_farthest(index, d, farthest_vertex(index, d, hint));
  ASSERT_GE(found, 0);
  ASSERT_LT(found, static_cast<std::int32_t>(hull.vertices.size()));
  // Three roundings of each of two heights.
  const long double slack = 8.0L * unit_roundoff * reach * d.stableNorm();
  EXPECT_GE(exact_height(d, hull.vertices[static_cast<std::size_t>(found)]), highest - slack);
  if (!index.is_exact()) return;
  // The very vertex that a scan of all would find.
  std::int32_t first = 0;
  double top = -INFINITY;
  for (std::size_t i = 0; i < hull.vertices.size(); ++i) {
    const Vector3& p = hull.vertices[i];
    const double height = d.x() * p.x() + d.y() * p.y() + d.z() * p.z();
    if (height > top) first = static_cast<std::int32_t>(i);
    top = std::max(top, height);
  }
  EXPECT_EQ(farthest_vertex(index, d, hint), first) << d.transpose();
  if (index.is_scanned()) return;
  const std::uint16_t* const cell = cell_along(index, d);
  fetch_candidates(index, cell);
  EXPECT_EQ(farthest_of_cell(index, d, cell), first) << d.transpose();
}

// Directions anywhere, across faces and edges, and off those by any amount.
Vector3 some_direction(const ConvexHull& hull, Random& random) {
  const Face& f =
      hull.faces[static_cast<std::size_t>(random.integer(0, static_cast<int>(hull.faces.size()) - 1))];
  const Vector3 &p = hull.vertices[static_cast<std::size_t>(f[0])],
                &q = hull.vertices[static_cast<std::size_t>(f[1])],
                &r = hull.vertices[static_cast<std::size_t>(f[2])];
  const Vector3 normal = (q - p).cross(r - p).stableNormalized(), edge = (q - p).stableNormalized();
  Vector3 d = random.on_sphere();
  switch (random.integer(0, 4)) {
    case 0:
      break;
    case 4: {  // where cells of the table meet, or next to it
      const int axis = random.integer(0, 2);
      for (int k = 0; k < 3; ++k) d[k] = random.integer(-12, 12) / 12.0 + random.uniform(-1e-15, 1e-15);
      d[axis] = random.integer(0, 1) == 0 ? 1.0 : -1.0;
      break;
    }
    case 1:
      d = normal + std::pow(10.0, random.uniform(-18.0, -1.0)) * d;
      break;
    case 2:
      d -= d.dot(edge) * edge;
      break;
    default:
      d = normal;
  }
  return std::pow(10.0, random.uniform(-30.0, 30.0)) * d;
}

void expect_farthest_anywhere(const std::vector<Vector3>& points, Random& random) {
  const ConvexHull hull = convex_hull_of(points).value();
  const HullIndex index(hull.vertices, hull.neighbours, hull.first_neighbour);
  for (int i = 0; i < 400; ++i) {
    const std::int32_t hint = random.integer(-1, static_cast<int>(hull.vertices.size()) - 1);
    expect_farthest(hull, index, some_direction(hull, random), hint);
  }
}

TEST(HullIndex, RoundHullsOfAnySize) {
  Random random(1701);
  for (const int count : {4, 9, 20, 50, 128, 129, 200, 500, 3000}) {
    for (const double size : {1.0, 1e-20, 1e20}) {
      std::vector<Vector3> points;
      for (int i = 0; i < count; ++i) points.push_back(size * random.on_sphere());
      expect_farthest_anywhere(points, random);
    }
  }
}

// Every number of scanned corners, with many of the same height: the first of the highest, alone and by twos.
TEST(HullIndex, ScansFindTheFirstOfTheHighest) {
  Random random(1705);
  const auto some_points = [&](int count) {
    std::vector<Vector3> points;
    for (int i = 0; i < count; ++i)
      points.emplace_back(random.integer(-2, 2), random.integer(-2, 2), random.integer(-2, 2));
    return points;
  };
  const auto first_highest = [](const std::vector<Vector3>& points, const Vector3& d) {
    std::size_t first = 0;
    for (std::size_t i = 1; i < points.size(); ++i) {
      if (d.dot(points[i]) > d.dot(points[first])) first = i;
    }
    return static_cast<std::int32_t>(first);
  };
  for (int count = 1; count <= HullIndex::scanned_vertices; ++count) {
    const std::vector<Vector3> of_a = some_points(count), of_b = some_points(random.integer(1, 80));
    const HullIndex a(of_a, {}, {}), b(of_b, {}, {});
    for (int k = 0; k < 20; ++k) {
      const Vector3 along_a(random.integer(-3, 3), random.integer(-3, 3), random.integer(-3, 3));
      const Vector3 along_b(random.integer(-3, 3), random.integer(-3, 3), random.integer(-3, 3));
      const double directions[6] = {along_a.x(), along_a.y(), along_a.z(),
                                    along_b.x(), along_b.y(), along_b.z()};
      const VertexPair both = scan_two_corners()(a.scanned_corners(), b.scanned_corners(), directions);
      EXPECT_EQ(both.a, first_highest(of_a, along_a));
      EXPECT_EQ(both.b, first_highest(of_b, along_b));
      EXPECT_EQ(farthest_vertex(a, along_a, -1), both.a);
    }
    const double none[6] = {NAN, NAN, NAN, NAN, NAN, NAN};
    EXPECT_EQ(scan_two_corners()(a.scanned_corners(), b.scanned_corners(), none).a, 0);
  }
}

// Round hulls are never climbed, whatever their size; a direction that is none finds some vertex.
TEST(HullIndex, RoundHullsNameTheirCorners) {
  Random random(1704);
  for (const int count : {129, 600, 2500}) {
    std::vector<Vector3> points;
    for (int i = 0; i < count; ++i) points.push_back(random.on_sphere());
    const ConvexHull hull = convex_hull_of(points).value();
    const HullIndex index(hull.vertices, hull.neighbours, hull.first_neighbour);
    EXPECT_TRUE(index.is_exact());
    for (const double x : {0.0, static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
      const std::int32_t found = farthest_vertex(index, {x, x, x}, -1);
      EXPECT_GE(found, 0);
      EXPECT_LT(found, count);
      if (index.is_scanned()) continue;
      const std::int32_t of_cell = farthest_of_cell(index, {x, x, x}, cell_along(index, {x, x, x}));
      EXPECT_GE(of_cell, 0);
      EXPECT_LT(of_cell, count);
    }
  }
}

// Flat sides with many corners, needles, plates, and a hull far from its origin.
TEST(HullIndex, HullsWithLevelSides) {
  Random random(1702);
  for (const int corners : {20, 140, 400}) {
    std::vector<Vector3> prism, needle, plate, far;
    for (int i = 0; i < corners; ++i) {
      const double angle = 2.0 * M_PI * i / corners;
      for (const double z : {-0.5, 0.5}) prism.emplace_back(std::cos(angle), std::sin(angle), z);
    }
    for (int i = 0; i < corners; ++i) {
      const Vector3 p = random.on_sphere();
      needle.push_back(p.cwiseProduct(Vector3(1.0, 1e-6, 1e-6)));
      plate.push_back(p.cwiseProduct(Vector3(1.0, 1.0, 1e-9)));
      far.push_back(p + Vector3(1e6, -1e6, 1e6));
    }
    for (const auto& points : {prism, needle, plate, far}) expect_farthest_anywhere(points, random);
  }
}

// A face of a thousand corners, many of them close together.
TEST(HullIndex, CrowdedCorners) {
  Random random(1703);
  std::vector<Vector3> points = {{0.0, 0.0, 1.0}, {0.3, 0.1, -1.0}};
  for (int i = 0; i < 1000; ++i) {
    const double angle = std::pow(random.uniform(0.0, 1.0), 4.0) * 2.0 * M_PI;
    points.emplace_back(std::cos(angle), std::sin(angle), 0.0);
  }
  expect_farthest_anywhere(points, random);
}

}  // namespace
}  // namespace toccata
