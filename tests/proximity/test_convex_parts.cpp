// Convex parts: that hulls hold every triangle is checked in rational arithmetic, by cutting away from each
// triangle what is in a hull until nothing is left; that they hold the inside, and how far they reach beyond
// it, at random points against all triangles in long double.
#include <gmpxx.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "effort.hpp"
#include "oracle/long_distance.hpp"
#include "oracle/moving_bodies.hpp"
#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"
#include "toccata/geometry/display_mesh.hpp"
#include "toccata/proximity/convex_parts.hpp"
#include "toccata/proximity/distance.hpp"

namespace toccata {
namespace {

using Exact3 = std::array<mpq_class, 3>;
using ExactPolygon = std::vector<Exact3>;

Exact3 exactly(const Vector3& v) {
  return {mpq_class(v.x()), mpq_class(v.y()), mpq_class(v.z())};
}
Exact3 minus(const Exact3& a, const Exact3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Exact3 crossed(const Exact3& a, const Exact3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
mpq_class dotted(const Exact3& a, const Exact3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Vector3 rounded_to_double(const Exact3& v) {
  return {v[0].get_d(), v[1].get_d(), v[2].get_d()};
}

// Height over a side of a hull, not above 0 inside; the hull's radius counts as inside.
struct ExactPlane {
  Exact3 normal;
  mpq_class offset;
  Vector3 near_normal;  // of length 1
  double near_offset;

  mpq_class height(const Exact3& at) const { return dotted(normal, at) - offset; }
  // -1, 0, 1; without rational numbers where it is clear.
  int side(const Exact3& at) const {
    const double about = near_normal.dot(rounded_to_double(at)) - near_offset;
    return std::abs(about) > 1e-7 ? (about > 0.0 ? 1 : -1) : sgn(height(at));
  }
};

struct ExactHull {
  std::vector<ExactPlane> planes;
  Vector3 lower, upper;  // a box around it, loose
};

ExactHull exact_hull(const CompoundPart& part) {
  const auto& hull = std::get<ConvexHull>(part.geometry);
  std::vector<Exact3> corners;
  ExactHull made;
  made.lower = Vector3::Constant(1e300);
  made.upper = -made.lower;
  for (const Vector3& v : hull.vertices) {
    const Exact3 at = exactly(v);
    Exact3 placed;
    for (int i = 0; i < 3; ++i) {
      placed[static_cast<std::size_t>(i)] = mpq_class(part.pose.translation[i]);
      for (int k = 0; k < 3; ++k)
        placed[static_cast<std::size_t>(i)] +=
            mpq_class(part.pose.rotation(i, k)) * at[static_cast<std::size_t>(k)];
    }
    corners.push_back(placed);
    const Vector3 near = part.pose.apply(v);
    made.lower = made.lower.cwiseMin((near.array() - 1e-9).matrix());
    made.upper = made.upper.cwiseMax((near.array() + 1e-9).matrix());
  }
  for (const Face& f : hull.faces) {
    const auto corner = [&](std::size_t k) { return corners[static_cast<std::size_t>(f[k])]; };
    ExactPlane plane;
    plane.normal = crossed(minus(corner(1), corner(0)), minus(corner(2), corner(0)));
    // The radius in units of the normal, a little less than it is.
    const double length = std::sqrt(mpq_class(dotted(plane.normal, plane.normal)).get_d()) * (1.0 - 1e-14);
    plane.offset = dotted(plane.normal, corner(0)) + mpq_class(length) * mpq_class(hull.radius);
    plane.near_normal = rounded_to_double(plane.normal) / length;
    plane.near_offset = plane.offset.get_d() / length;
    made.planes.push_back(plane);
  }
  return made;
}

// What of a polygon is above a plane, and what is below.
std::pair<ExactPolygon, ExactPolygon> split(const ExactPolygon& polygon, const ExactPlane& plane) {
  ExactPolygon above, below;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Exact3 &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    const int from = plane.side(a), to = plane.side(b);
    if (from >= 0) above.push_back(a);
    if (from <= 0) below.push_back(a);
    if (from * to >= 0) continue;
    const mpq_class share = plane.height(a) / (plane.height(a) - plane.height(b));
    Exact3 at;
    for (std::size_t k = 0; k < 3; ++k) at[k] = a[k] + share * (b[k] - a[k]);
    above.push_back(at);
    below.push_back(at);
  }
  return {above, below};
}

// Some of the triangle that is in no hull: true if there is any.
bool sticks_out(const Triangle& triangle, const std::vector<ExactHull>& hulls) {
  const Vector3 lower = triangle[0].cwiseMin(triangle[1]).cwiseMin(triangle[2]),
                upper = triangle[0].cwiseMax(triangle[1]).cwiseMax(triangle[2]);
  std::vector<ExactPolygon> left = {{exactly(triangle[0]), exactly(triangle[1]), exactly(triangle[2])}};
  for (const ExactHull& hull : hulls) {
    if ((lower.array() > hull.upper.array()).any() || (upper.array() < hull.lower.array()).any()) continue;
    std::vector<ExactPolygon> next;
    for (ExactPolygon& polygon : left) {
      for (const ExactPlane& plane : hull.planes) {
        bool is_above = false, is_below = false;
        for (const Exact3& at : polygon) {
          const int side = plane.side(at);
          is_above = is_above || side > 0;
          is_below = is_below || side < 0;
        }
        if (!is_above) continue;
        if (is_below) {
          auto [above, below] = split(polygon, plane);
          next.push_back(std::move(above));
          polygon = std::move(below);
        } else {
          next.push_back(std::move(polygon));
          polygon.clear();
        }
        if (polygon.empty()) break;
      }
    }
    left = std::move(next);
    if (left.empty()) return false;
  }
  return !left.empty();
}

int triangles_outside(const TriangleMesh& mesh, const ConvexParts& parts) {
  std::vector<ExactHull> hulls;
  for (const CompoundPart& part : parts.compound.parts) hulls.push_back(exact_hull(part));
  int count = 0;
  const std::size_t every = mesh.faces.size() / static_cast<std::size_t>(with_effort(40)) + 1;
  for (std::size_t i = 0; i < mesh.faces.size(); i += every)
    count += sticks_out(triangle_of(mesh, i), hulls) ? 1 : 0;
  return count;
}

bool is_in(const Vector3& point, const std::vector<ExactHull>& hulls) {
  const Exact3 at = exactly(point);
  return std::any_of(hulls.begin(), hulls.end(), [&](const ExactHull& hull) {
    return std::all_of(hull.planes.begin(), hull.planes.end(),
                       [&](const ExactPlane& plane) { return plane.side(at) <= 0; });
  });
}

TriangleMesh turned_inside_out(TriangleMesh mesh) {
  for (Face& f : mesh.faces) std::swap(f[1], f[2]);
  return mesh;
}

TriangleMesh placed_by(const Pose& pose, TriangleMesh mesh) {
  for (Vector3& v : mesh.vertices) v = pose.apply(v);
  return mesh;
}

TriangleMesh together(const TriangleMesh& a, const TriangleMesh& b) {
  TriangleMesh mesh = a;
  const auto first = static_cast<std::int32_t>(a.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (const Face& f : b.faces) mesh.faces.push_back({f[0] + first, f[1] + first, f[2] + first});
  return mesh;
}

// The letter L, one unit thick: two boxes as one surface.
TriangleMesh letter() {
  const std::vector<Vector2> outline = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 4}, {0, 4}};
  TriangleMesh mesh;
  for (const double z : {0.0, 1.0}) {
    for (const Vector2& p : outline) mesh.vertices.push_back({p.x(), p.y(), z});
  }
  for (std::int32_t i = 0; i < 6; ++i) {
    const std::int32_t k = (i + 1) % 6;
    mesh.faces.push_back({i, k, i + 6});
    mesh.faces.push_back({k, k + 6, i + 6});
  }
  for (const Face& f : {Face{0, 1, 2}, Face{0, 2, 3}, Face{0, 3, 4}, Face{0, 4, 5}}) {
    mesh.faces.push_back({f[0], f[2], f[1]});
    mesh.faces.push_back({f[0] + 6, f[1] + 6, f[2] + 6});
  }
  return mesh;
}

std::vector<TriangleMesh> solids() {
  Random random(3);
  const TriangleMesh knot = scenes::torus_knot({.along = 30, .around = 6});
  const TriangleMesh hollow =
      together(oracle::box({0.5, 0.5, 0.5}), turned_inside_out(oracle::box({0.4, 0.3, 0.35})));
  return {oracle::box({0.5, 0.4, 0.6}),
          letter(),
          turned_inside_out(letter()),
          placed_by(oracle::random_pose(random, 2.0), letter()),
          hollow,
          placed_by(oracle::random_pose(random, 2.0), hollow),
          knot,
          turned_inside_out(knot),
          oracle::box({0.5, 0.5, 0.002}),
          together(oracle::box({0.5, 0.5, 0.5}), oracle::box({0.1, 0.1, 0.1}, {2, 0, 0})),
          display_mesh(Capsule{0.2, 0.8})};
}

void check(const TriangleMesh& mesh, const ConvexParts& parts, Random& random) {
  EXPECT_EQ(triangles_outside(mesh, parts), 0);
  ASSERT_EQ(parts.errors.size(), parts.compound.parts.size());
  const Shape shape(mesh);
  const PlacedShape placed(shape);
  std::vector<ExactHull> hulls;
  for (const CompoundPart& part : parts.compound.parts) hulls.push_back(exact_hull(part));
  Vector3 lower = mesh.vertices[0], upper = lower;
  for (const Vector3& v : mesh.vertices) {
    lower = lower.cwiseMin(v);
    upper = upper.cwiseMax(v);
  }
  for (int trial = 0; trial < with_effort(60); ++trial) {
    const Vector3 share(random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1));
    const Vector3 point = lower + share.cwiseProduct(upper - lower);
    if (!oracle::is_inside(point, placed)) continue;
    EXPECT_TRUE(is_in(point, hulls)) << point.transpose();
  }
  for (std::size_t i = 0; i < parts.errors.size(); ++i) {
    EXPECT_LE(parts.errors[i], parts.error);
    const auto& hull = std::get<ConvexHull>(parts.compound.parts[i].geometry);
    for (int trial = 0; trial < with_effort(20); ++trial) {
      // Mostly on the surface of the hull, where it is far from the solid.
      Vector3 point = Vector3::Zero();
      double sum = 0.0;
      const auto face = static_cast<std::size_t>(random.integer(0, int(hull.faces.size()) - 1));
      for (const std::int32_t corner : hull.faces[face]) {
        const double weight = random.uniform(0.0, 1.0);
        point += weight * hull.vertices[static_cast<std::size_t>(corner)];
        sum += weight;
      }
      point = parts.compound.parts[i].pose.apply(point / sum);
      const long double away = oracle::true_distance(point, placed);
      if (away <= static_cast<long double>(parts.errors[i]) + 1e-12L) continue;
      EXPECT_TRUE(oracle::is_inside(point, placed)) << double(away) << " > " << parts.errors[i];
    }
  }
}

TEST(ConvexParts, EncloseAllOfTheSolidInExactArithmetic) {
  Random random(17);
  int number = 0;
  for (const TriangleMesh& mesh : solids()) {
    SCOPED_TRACE(number++);
    const Shape shape(mesh);
    const double error = 0.08 * shape.size();
    const Expected<ConvexParts> parts = convex_parts(shape, {.error = error});
    ASSERT_TRUE(parts) << parts.error().message;
    EXPECT_LE(parts->error, error);
    check(mesh, *parts, random);
    const Expected<ConvexParts> few = convex_parts(shape, {.count = 3});
    ASSERT_TRUE(few) << few.error().message;
    EXPECT_LE(few->errors.size(), 3U);
    check(mesh, *few, random);
  }
}

TEST(ConvexParts, AMissingCornerIsSeen) {
  // The check itself can fail.
  const TriangleMesh mesh = letter();
  Expected<ConvexParts> parts = convex_parts(mesh, {.error = 0.05});
  ASSERT_TRUE(parts);
  auto& hull = std::get<ConvexHull>(parts->compound.parts[0].geometry);
  hull.vertices[0] = 0.999999 * hull.vertices[0] + 0.000001 * hull.vertices[1];
  EXPECT_GT(triangles_outside(mesh, *parts), 0);
}

TEST(ConvexParts, KnowsWhatIsConvex) {
  const Expected<ConvexParts> box = convex_parts(oracle::box({1, 2, 3}), {.error = 0.1});
  ASSERT_TRUE(box);
  EXPECT_EQ(box->errors.size(), 1U);
  EXPECT_LT(box->error, 1e-12);
  EXPECT_EQ(std::get<ConvexHull>(box->compound.parts[0].geometry).radius, 0.0);
  const Expected<ConvexParts> two = convex_parts(letter(), {.error = 0.05});
  ASSERT_TRUE(two);
  EXPECT_EQ(two->errors.size(), 2U);
  EXPECT_LT(two->error, 1e-8);
  const Expected<ConvexParts> one = convex_parts(letter(), {.count = 1});
  ASSERT_TRUE(one);
  EXPECT_EQ(one->errors.size(), 1U);
  EXPECT_NEAR(one->error, 1.2, 0.03);  // 1.2 from both bars, in the middle between their ends
}

TEST(ConvexParts, ATurnedMeshGetsNoMore) {
  Random random(14);
  for (int trial = 0; trial < with_effort(6); ++trial) {
    const TriangleMesh mesh = placed_by(oracle::random_pose(random, 3.0), letter());
    const Expected<ConvexParts> two = convex_parts(mesh, {.error = 0.05});
    ASSERT_TRUE(two);
    EXPECT_EQ(two->errors.size(), 2U) << trial;
    EXPECT_LT(two->error, 1e-8) << trial;
    check(mesh, *two, random);
  }
}

TEST(ConvexParts, AreAShape) {
  const TriangleMesh knot = scenes::torus_knot({.along = 60, .around = 8});
  const Expected<ConvexParts> parts = convex_parts(knot, {.error = 0.1, .threads = 1});
  const Expected<ConvexParts> again = convex_parts(knot, {.error = 0.1, .threads = 4});
  ASSERT_TRUE(parts && again);
  EXPECT_EQ(parts->errors, again->errors);
  const Shape shape(parts->compound);
  Random random(8);
  for (int trial = 0; trial < 30; ++trial) {
    const PlacedShape ball(Ball{0.1},
                           Pose(Matrix3::Identity(), Vector3(random.uniform(0.0, 4.0) * random.on_sphere())));
    const double hulls = distance(shape, ball).distance, mesh = distance(knot, ball).distance;
    EXPECT_LE(hulls, mesh + 1e-12);
    if (hulls > 0.0) {
      EXPECT_GE(hulls + parts->error, mesh - 1e-12);
    }
  }
}

TEST(ConvexParts, WhatCannotBeEnclosedIsRefused) {
  const auto message = [](const Shape& mesh, const ConvexPartsOptions& options) {
    const Expected<ConvexParts> parts = convex_parts(mesh, options);
    return parts ? std::string() : parts.error().message;
  };
  TriangleMesh open = oracle::box({1, 1, 1});
  open.faces.pop_back();
  EXPECT_NE(message(open, {.error = 0.1}).find("not closed"), std::string::npos);
  EXPECT_NE(message(TriangleMesh{}, {.error = 0.1}).find("no triangles"), std::string::npos);
  const TriangleMesh box = oracle::box({1, 1, 1});
  EXPECT_NE(message(box, {}), "");
  EXPECT_NE(message(box, {.error = 0.1, .count = 2}), "");
  EXPECT_NE(message(box, {.error = -1.0}), "");
  EXPECT_NE(message(box, {.error = 1e-9}).find("1e-09"), std::string::npos);
  EXPECT_NE(message(oracle::box({1e40, 1e40, 1e40}), {.count = 2}).find("unit of length"), std::string::npos);
  EXPECT_NE(message(box, {.error = std::nan("")}), "");
  EXPECT_NE(message(box, {.error = 1e-9}), "");
  EXPECT_NE(message(box, {.count = 0}), "");
  EXPECT_NE(message(Ball{1.0}, {.count = 2}), "");
}

}  // namespace
}  // namespace toccata
