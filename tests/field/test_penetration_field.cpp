// Penetration fields against closed forms and all triangles in long double; sides exactly on edges and
// corners.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "effort.hpp"
#include "oracle/long_distance.hpp"
#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"
#include "toccata/field/penetration_field.hpp"
#include "toccata/geometry/display_mesh.hpp"

namespace toccata {
namespace {

TriangleMesh box_at(const Vector3& sides, const Vector3& center) {
  TriangleMesh mesh = display_mesh(Box{sides});
  for (Vector3& v : mesh.vertices) v += center;
  return mesh;
}

TriangleMesh knot_at(const Vector3& center, double turn) {
  scenes::TorusKnotOptions options;
  options.along = 40;
  options.around = 6;
  TriangleMesh mesh = scenes::torus_knot(options);
  const Eigen::AngleAxisd rotation(turn, Vector3(1, 2, 3).normalized());
  for (Vector3& v : mesh.vertices) v = rotation * v + center;
  return mesh;
}

VoronoiSites polygon(const std::vector<Vector2>& corners) {
  return voronoi_sites(std::span<const Vector2>(corners));
}

VoronoiSites circle(double radius, const Vector2& center, int count) {
  std::vector<Vector2> corners;
  for (int i = 0; i < count; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / count;
    corners.push_back(center + radius * Vector2(std::cos(angle), std::sin(angle)));
  }
  return polygon(corners);
}

TEST(PenetrationField, BoxesAgainstClosedForms) {
  // Corners of cells, centres and edges of triangles coincide: sides must come out all the same.
  const PenetrationField field =
      penetration_field(voronoi_sites(box_at({2, 2, 2}, {0, 0, 0})),
                        voronoi_sites(box_at({2, 2, 2}, {1, 0.5, 0})), {.cell = 0.0625})
          .value();
  // Both share [0, 1] x [-0.5, 1] x [-1, 1].
  const double side = field.a.cell_size.x();
  EXPECT_NEAR(field.volume, 1.0 * 1.5 * 2.0, 4.0 * side * (1.5 + 2.0 + 3.0));
  int wrong = 0;
  for (std::size_t i = 0; i < field.inside_a.size(); ++i) {
    const Vector3 p = field.a.center(i);
    const double out_a = p.cwiseAbs().maxCoeff() - 1.0,
                 out_b = (p - Vector3(1, 0.5, 0)).cwiseAbs().maxCoeff() - 1.0;
    if (out_a != 0.0) wrong += (field.inside_a[i] != 0) != (out_a < 0.0);
    if (out_b != 0.0) wrong += (field.inside_b[i] != 0) != (out_b < 0.0);
  }
  EXPECT_EQ(wrong, 0);
  for (const PenetratingPoint& p : field.points) {
    EXPECT_NEAR(p.depth_a, 1.0 - p.point.cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_NEAR(p.depth_b, 1.0 - (p.point - Vector3(1, 0.5, 0)).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_NEAR(p.out_of_b.norm(), 1.0, 1e-12);
    // The way out ends on the surface.
    EXPECT_NEAR((p.point + p.depth_b * p.out_of_b - Vector3(1, 0.5, 0)).cwiseAbs().maxCoeff(), 1.0, 1e-9);
  }
  // The deepest point of both below a: at x = 0 the distance to x = 1 and the others is 1 (y from 0).
  EXPECT_LE(field.depth_in_a.lower, 1.0);
  EXPECT_GE(field.depth_in_a.upper, 1.0);
  EXPECT_LE(field.depth_in_a.upper - field.depth_in_a.lower, 4.0 * field.a.reach);
  ASSERT_GE(field.depth_in_a.point, 0);
  EXPECT_EQ(field.points[static_cast<std::size_t>(field.depth_in_a.point)].depth_a, field.depth_in_a.lower);
  EXPECT_FALSE(field.boxes.empty());
}

TEST(PenetrationField, KnotsAgainstAllTriangles) {
  for (int trial = 0; trial < 3; ++trial) {
    const TriangleMesh a = knot_at(Vector3::Zero(), 0.0), b = knot_at({0.3, 0.2 * trial, 0.1}, 1.0 + trial);
    TriangleMesh inward = b;
    if (trial == 1)
      for (Face& f : inward.faces) std::swap(f[0], f[1]);
    const PenetrationField field =
        penetration_field(voronoi_sites(a), voronoi_sites(inward), {.cell = 0.08}).value();
    const PlacedShape shape_a{Shape(a)}, shape_b{Shape(b)};
    Random random(5);
    int wrong = 0;
    for (int i = 0; i < with_effort(150); ++i) {
      const auto cell =
          static_cast<std::size_t>(random.integer(0, static_cast<int>(field.inside_a.size()) - 1));
      const Vector3 p = field.a.center(cell);
      wrong += (field.inside_a[cell] != 0) != oracle::is_inside(p, shape_a);
      wrong += (field.inside_b[cell] != 0) != oracle::is_inside(p, shape_b);
      wrong += std::abs(oracle::true_distance(p, shape_b) - oracle::Real(field.b.distance[cell])) > 1e-12L;
    }
    EXPECT_EQ(wrong, 0);
    for (std::size_t i = 1; i < field.points.size(); ++i)
      EXPECT_LT(field.points[i - 1].cell, field.points[i].cell);
    if (!field.points.empty()) {
      EXPECT_EQ(field.separation.upper, 0.0);
      // Random points of both are not deeper than said.
      for (int i = 0; i < with_effort(200); ++i) {
        const Vector3 p = field
                              .points[static_cast<std::size_t>(
                                  random.integer(0, static_cast<int>(field.points.size()) - 1))]
                              .point +
                          random.in_box(0.08);
        if (!oracle::is_inside(p, shape_a) || !oracle::is_inside(p, shape_b)) continue;
        EXPECT_LE(oracle::true_distance(p, shape_a), oracle::Real(field.depth_in_a.upper));
        EXPECT_LE(oracle::true_distance(p, shape_b), oracle::Real(field.depth_in_b.upper));
      }
    }
  }
}

TEST(PenetrationField, SeparationOfBodiesApart) {
  for (const double gap : {0.01, 0.5, 7.0}) {
    const PenetrationField field =
        penetration_field(voronoi_sites(box_at({2, 2, 2}, {0, 0, 0})),
                          voronoi_sites(box_at({2, 2, 2}, {2.0 + gap, 0.3, 0.1})), {.cell = 0.05})
            .value();
    EXPECT_TRUE(field.points.empty());
    EXPECT_LE(field.separation.lower, gap);
    EXPECT_GE(field.separation.upper, gap - 1e-12);
    EXPECT_LE(field.separation.upper - field.separation.lower, 2.0001 * field.a.reach + 1e-9);
    EXPECT_NEAR(field.separation.point_a.x(), 1.0, 1e-9);
    EXPECT_NEAR(field.separation.point_b.x(), 1.0 + gap, 1e-9);
  }
  // Boxes that overlap, bodies that do not.
  const PenetrationField circles =
      penetration_field(circle(1.0, {0, 0}, 200), circle(1.0, {1.6, 1.6}, 200), {.cell = 0.02}).value();
  const double gap = 1.6 * std::numbers::sqrt2 - 2.0;
  EXPECT_TRUE(circles.points.empty());
  EXPECT_LE(circles.separation.lower, gap + 1e-3);
  EXPECT_GE(circles.separation.upper, gap);
}

TEST(PenetrationField, ContactsHaveNormals) {
  // Two boxes that nearly touch along x.
  const PenetrationField field = penetration_field(voronoi_sites(box_at({2, 2, 2}, {0, 0, 0})),
                                                   voronoi_sites(box_at({2, 2, 2}, {2.01, 0, 0})),
                                                   {.cell = 0.1, .contact_distance = 0.05})
                                     .value();
  ASSERT_FALSE(field.contacts.empty());
  int along = 0;
  for (const GridContact& c : field.contacts) {
    EXPECT_LE(std::abs(c.distance_a), 0.05);
    EXPECT_LE(std::abs(c.distance_b), 0.05);
    along += c.normal.x() > 0.99;
  }
  EXPECT_GT(along, 300);
}

TEST(PenetrationField, PolygonsInThePlane) {
  const PenetrationField field =
      penetration_field(circle(1.0, {0, 0}, 360), circle(1.0, {1, 0}, 360), {.cell = 0.01}).value();
  const double lens = 2.0 * std::numbers::pi / 3.0 - std::numbers::sqrt3 / 2.0;
  EXPECT_NEAR(field.volume, lens, 0.01);
  EXPECT_LE(field.depth_in_a.lower, 1.0);
  EXPECT_GE(field.depth_in_a.upper, 0.999);
  EXPECT_EQ(field.a.counts[2], 1);
  // A square ring: the hole is not inside.
  VoronoiSites ring = polygon({{0, 0}, {4, 0}, {4, 4}, {0, 4}});
  const VoronoiSites hole = polygon({{1, 1}, {3, 1}, {3, 3}, {1, 3}});
  for (const Edge& e : hole.segments) ring.segments.push_back({e[0] + 4, e[1] + 4});
  ring.points.insert(ring.points.end(), hole.points.begin(), hole.points.end());
  const PenetrationField around =
      penetration_field(ring, polygon({{0.5, 0.5}, {3.5, 0.5}, {3.5, 3.5}, {0.5, 3.5}}), {.cell = 0.0625})
          .value();
  EXPECT_NEAR(around.volume, 9.0 - 4.0, 0.7);
}

TEST(PenetrationField, BodiesInThemselves) {
  // Two boxes as one body, in each other; and a knot that is not.
  TriangleMesh two = box_at({2, 2, 2}, {0, 0, 0});
  const TriangleMesh second = box_at({2, 2, 2}, {1, 0.5, 0});
  for (const Vector3& v : second.vertices) two.vertices.push_back(v);
  for (const Face& f : second.faces) two.faces.push_back({f[0] + 8, f[1] + 8, f[2] + 8});
  const PenetrationField field = self_penetration_field(voronoi_sites(two), {.cell = 0.07}).value();
  EXPECT_NEAR(field.volume, 3.0, 0.6);
  EXPECT_TRUE(self_penetration_field(voronoi_sites(knot_at(Vector3::Zero(), 0.0)), {.cell = 0.1})
                  .value()
                  .points.empty());
  // A figure of eight in the plane goes around its two halves once each; a loop laid twice goes around twice.
  EXPECT_TRUE(self_penetration_field(polygon({{0, 0}, {2, 2}, {2, 0}, {0, 2}}), {.cell = 0.05})
                  .value()
                  .points.empty());
  EXPECT_FALSE(self_penetration_field(
                   polygon({{0, 0}, {3, 0}, {3, 3}, {1, 3}, {1, 1}, {2, 1}, {2, 2}, {0, 2}}), {.cell = 0.05})
                   .value()
                   .points.empty());
}

TEST(PenetrationField, TheSameOnAnyNumberOfThreads) {
  const VoronoiSites a = voronoi_sites(knot_at(Vector3::Zero(), 0.0)),
                     b = voronoi_sites(knot_at({0.2, 0.1, 0}, 1.0));
  const PenetrationField one = penetration_field(a, b, {.cell = 0.1, .threads = 1}).value();
  const PenetrationField two = penetration_field(a, b, {.cell = 0.1, .threads = 2}).value();
  EXPECT_EQ(one.inside_a, two.inside_a);
  EXPECT_EQ(one.b.distance, two.b.distance);
  EXPECT_EQ(one.points.size(), two.points.size());
}

TEST(PenetrationField, RefusesWhatCannotBe) {
  TriangleMesh open = box_at({1, 1, 1}, {0, 0, 0});
  const VoronoiSites whole = voronoi_sites(open);
  open.faces.pop_back();
  const auto message = [](const Expected<PenetrationField>& field) {
    return field ? std::string() : field.error().message;
  };
  EXPECT_NE(message(penetration_field(voronoi_sites(open), whole)).find("the first body is not closed"),
            std::string::npos);
  EXPECT_NE(message(penetration_field(whole, voronoi_sites(open))).find("the second body"),
            std::string::npos);
  EXPECT_NE(message(penetration_field(whole, circle(1, {0, 0}, 8))), "");
  EXPECT_NE(message(penetration_field(whole, whole, {.cell = 1e-9})).find("larger"), std::string::npos);
  EXPECT_NE(message(penetration_field(whole, whole, {.cell = -1.0})), "");
  EXPECT_NE(message(penetration_field({}, whole)), "");
  VoronoiSites line = circle(1, {0, 0}, 8);
  line.segments.pop_back();
  EXPECT_NE(message(penetration_field(line, line)).find("odd number of segments"), std::string::npos);
  const StopToken token = StopToken::create();
  token.request_stop();
  EXPECT_NE(message(penetration_field(whole, whole, {.stop = {.token = token}})), "");
}

}  // namespace
}  // namespace toccata
