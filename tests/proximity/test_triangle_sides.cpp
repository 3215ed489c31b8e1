// Sides of triangles against exact containment, and what they say of points beside them.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "effort.hpp"
#include "hierarchy/shape_data.hpp"
#include "proximity/point_distance/curve_order.hpp"
#include "proximity/point_distance/nearest_triangle.hpp"
#include "proximity/point_distance/triangle_sides.hpp"
#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"
#include "toccata/elementary/triangle_intersection.hpp"
#include "toccata/geometry/display_mesh.hpp"
#include "toccata/proximity/containment.hpp"

namespace toccata {
namespace {

using namespace point_distance;

void append(TriangleMesh& to, const TriangleMesh& mesh, double scale, const Vector3& shift,
            bool turned = false) {
  const auto first = static_cast<std::int32_t>(to.vertices.size());
  for (const Vector3& v : mesh.vertices) to.vertices.push_back(scale * v + shift);
  for (Face f : mesh.faces) {
    if (turned) std::swap(f[1], f[2]);
    to.faces.push_back({f[0] + first, f[1] + first, f[2] + first});
  }
}

TriangleMesh box() {
  return display_mesh(Box{Vector3::Ones()});
}

// Of the box, and of another one.
TriangleMesh with_box(double scale, const Vector3& shift, bool turned = false) {
  TriangleMesh mesh = box();
  append(mesh, box(), scale, shift, turned);
  return mesh;
}

TriangleSides sides_of(const Shape& shape) {
  return find_triangle_sides(shape, *hierarchy::ray_tree_at_once(shape.data()));
}

std::size_t known(const TriangleSides& sides) {
  return sides.inner.size() -
         static_cast<std::size_t>(std::count(sides.inner.begin(), sides.inner.end(), InnerSide::Unknown));
}

bool share_a_place(const Triangle& a, const Triangle& b) {
  for (const Vector3& x : a) {
    for (const Vector3& y : b) {
      if (x == y) return true;
    }
  }
  return false;
}

// Points that have one triangle nearest to them are on the side of it that it says, and triangles that meet
// others say nothing.
void check(const TriangleMesh& mesh, std::uint64_t seed) {
  const Shape shape(mesh);
  ASSERT_TRUE(shape.is_closed());
  const PlacedShape placed(shape);
  const TriangleSides sides = sides_of(shape);
  ASSERT_EQ(sides.inner.size(), mesh.faces.size());
  NearestTriangleSearch search(placed, hierarchy::ray_tree_at_once(shape.data()));
  Random random(seed);
  int wrong = 0;
  for (int i = 0; i < with_effort(600); ++i) {
    const auto face = static_cast<std::size_t>(random.integer(0, static_cast<int>(mesh.faces.size()) - 1));
    const Triangle t = triangle_of(mesh, face);
    const double u = random.uniform(0.0, 1.0), v = random.uniform(0.0, 1.0 - u);
    const Vector3 point = t[0] + u * (t[1] - t[0]) + v * (t[2] - t[0]) +
                          std::pow(10.0, random.uniform(-12.0, -1.0)) * random.on_sphere();
    if (search(point, INFINITY).triangle < 0) continue;
    const std::span<const std::int32_t> nearest = search.may_be_nearest();
    if (nearest.size() != 1) continue;
    const auto one = static_cast<std::size_t>(nearest[0]);
    const Triangle n = triangle_of(mesh, one);
    const int side = side_of_plane(point, n[0], n[1], n[2]);
    if (side == 0 || sides.inner[one] == InnerSide::Unknown) continue;
    const bool is_inner = (side > 0) == (sides.inner[one] == InnerSide::Normal);
    wrong += point_containment(point, shape) != (is_inner ? Containment::Inside : Containment::Outside);
  }
  EXPECT_EQ(wrong, 0);
  if (mesh.faces.size() > 3000) return;
  int said = 0;
  for (std::size_t i = 0; i < mesh.faces.size(); ++i) {
    for (std::size_t j = i + 1; j < mesh.faces.size(); ++j) {
      const Triangle a = triangle_of(mesh, i), b = triangle_of(mesh, j);
      if (share_a_place(a, b) || !triangle_triangle_intersect(a, b)) continue;
      said += sides.inner[i] != InnerSide::Unknown || sides.inner[j] != InnerSide::Unknown;
    }
  }
  EXPECT_EQ(said, 0);
}

TEST(TriangleSides, AreThoseOfExactContainment) {
  const TriangleMesh ball = display_mesh(Ball{0.7});
  check(box(), 1);
  check(ball, 2);
  check(scenes::torus_knot(), 3);
  check(with_box(0.5, Vector3::Zero()), 4);                  // a shell whose inner faces run outwards
  check(with_box(0.5, Vector3::Zero(), true), 5);            // and inwards
  check(with_box(1.0, Vector3(0.5, 0.25, 0.125)), 6);        // through each other
  check(with_box(1.0, Vector3(1.0, 0.25, 0.125)), 7);        // a face on a face
  check(with_box(0.5, Vector3(0.75, 0.0, 0.0)), 8);          // inside of it
  check(with_box(1.0, Vector3(1.0, 1.0, 0.25)), 9);          // an edge on an edge
  check(with_box(1.0, Vector3(1.0, 1.0, 1.0)), 10);          // corners in one place
  check(with_box(1.0, Vector3(1.0 + 1e-12, 0.0, 0.0)), 11);  // hardly apart
  check(with_box(1.0 - 1e-9, Vector3::Zero()), 12);          // a shell hardly thicker than nothing
  // Through each other from a corner on that they share.
  TriangleMesh tetrahedron;
  tetrahedron.vertices = {Vector3::Zero(), Vector3::UnitX(), Vector3::UnitY(), Vector3::UnitZ()};
  tetrahedron.faces = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  TriangleMesh other = tetrahedron;
  other.vertices = {Vector3::Zero(), Vector3(0.5, 0.1, -0.15), Vector3(0.15, 0.5, -0.15),
                    Vector3(0.15, 0.15, 0.5)};
  append(tetrahedron, other, 1.0, Vector3::Zero());
  check(tetrahedron, 13);
  TriangleMesh many = ball;
  Random random(15);
  for (int i = 0; i < 12; ++i) append(many, ball, random.uniform(0.1, 0.6), random.in_box(0.8), i % 2 == 0);
  check(many, 16);
  TriangleMesh thin = ball;
  for (Vector3& v : thin.vertices) v.z() *= 1e-7;
  check(thin, 17);
  TriangleMesh flat = ball;
  for (Vector3& v : flat.vertices) v = Vector3(v.x() + 0.1 * v.z(), v.y() + 0.3 * v.z(), 0.0);
  check(flat, 18);
}

TEST(TriangleSides, AreKnownWhereNothingMeets) {
  const std::size_t faces = box().faces.size();
  EXPECT_EQ(known(sides_of(Shape(box()))), faces);
  EXPECT_EQ(known(sides_of(Shape(with_box(0.5, Vector3::Zero())))), 2 * faces);
  EXPECT_EQ(known(sides_of(Shape(with_box(1.0, Vector3(1.0, 1.0, 1.0))))), 2 * faces);
  // Flat: triangles at one edge cover each other.
  TriangleMesh flat;
  flat.vertices = {Vector3::Zero(), Vector3::UnitX(), Vector3::UnitY(), Vector3(0.2, 0.2, 0.0)};
  flat.faces = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  EXPECT_EQ(known(sides_of(Shape(flat))), 0U);
  for (const double scale : {1e-6, 1.0, 1e6}) {
    TriangleMesh mesh = scenes::torus_knot();
    for (Vector3& v : mesh.vertices) v *= scale;
    EXPECT_EQ(known(sides_of(Shape(mesh))), mesh.faces.size());
    append(mesh, display_mesh(Ball{0.01 * scale}), 1.0, mesh.vertices[0]);
    const Shape shape(mesh);
    EXPECT_LT(known(sides_of(shape)), mesh.faces.size());
    EXPECT_GT(known(sides_of(shape)), mesh.faces.size() - mesh.faces.size() / 4);
  }
}

TEST(CurveOrder, HoldsEveryPointOnceAndNeighboursTogether) {
  for (const int count : {0, 1, 5, 255, 256, 5000}) {
    Random random(static_cast<std::uint64_t>(count) + 1);
    std::vector<Vector3> points;
    for (int i = 0; i < count; ++i)
      points.push_back(i % 7 == 6 ? points[static_cast<std::size_t>(i) / 2] : random.in_box(3.0));
    std::vector<std::uint32_t> order = order_along_curve(points), all(points.size());
    double way = 0.0, as_given = 0.0;
    for (std::size_t i = 1; i < points.size(); ++i) {
      way += (points[order[i]] - points[order[i - 1]]).norm();
      as_given += (points[i] - points[i - 1]).norm();
      if (points[order[i]] == points[order[i - 1]]) {
        EXPECT_LT(order[i - 1], order[i]);  // of one place: as given
      }
    }
    if (count > 200) {
      EXPECT_LT(way, 0.5 * as_given);
    }
    std::sort(order.begin(), order.end());
    std::iota(all.begin(), all.end(), 0U);
    EXPECT_EQ(order, all);
  }
}

}  // namespace
}  // namespace toccata
