// Casts against many triangles: the truth is a conservative step of all of them that are near enough to
// matter.
#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "oracle/solid_oracle.hpp"
#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"
#include "toccata/bound/convex_hull_of.hpp"
#include "workload.hpp"

namespace toccata::bench {
namespace {

using oracle::LongSolid;
using oracle::LongVector;

constexpr double degree = std::numbers::pi / 180.0;

// A convex piece of what stands, and a ball that holds it.
struct Obstacle {
  LongSolid solid;
  Vector3 middle;
  double reach;
};

Obstacle obstacle_of(std::vector<Vector3> points) {
  Vector3 middle = Vector3::Zero();
  for (const Vector3& p : points) middle += p / static_cast<double>(points.size());
  double reach = 0.0;
  for (const Vector3& p : points) reach = std::max(reach, (p - middle).norm());
  ConvexHull hull;
  hull.vertices = std::move(points);
  hull.first_neighbour.assign(hull.vertices.size() + 1, 0);
  return {LongSolid(hull, Pose()), middle, reach * 1.000001};
}

// As first_contact_truth, for the earliest of many.
double time_among(const oracle::LongMotion& moving, const std::vector<Obstacle>& obstacles) {
  constexpr double tolerance = 1e-8;
  const double speed = moving.velocity.norm(), spin = moving.spin.norm();
  double t = 0.0;
  while (t <= 1.0) {
    const LongSolid here = moving.at(t);
    const double reach = static_cast<double>(here.reach());
    const Vector3 middle = here.translation().cast<double>();
    double step = 2.0;
    for (const Obstacle& o : obstacles) {
      const double far = (o.middle - middle).norm() - o.reach - reach;
      if (far - tolerance >= step * (speed + spin * reach)) continue;
      const auto gap = oracle::solid_gap(here, o.solid);
      if (gap.lower <= tolerance) return t;
      step = std::min(step, static_cast<double>(oracle::safe_step(moving, here, gap, 0.5L * tolerance)));
    }
    t += step;
  }
  return 2.0;
}

Matrix3 any_rotation(Random& random) {
  return Eigen::AngleAxisd(random.uniform(-std::numbers::pi, std::numbers::pi), random.on_sphere())
      .toRotationMatrix();
}

// Rolling hills with some roughness, about as high as a few cells are wide.
HeightField hills(std::int32_t width, Random& random) {
  HeightField field;
  field.columns = field.rows = width;
  field.heights.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(width));
  for (std::int32_t row = 0; row < width; ++row) {
    for (std::int32_t column = 0; column < width; ++column) {
      field.heights.push_back(8.0 * std::sin(0.031 * column) * std::cos(0.023 * row) +
                              2.0 * std::sin(0.21 * column + 0.17 * row) + 0.3 * random.unit());
    }
  }
  return field;
}

// The columns below the way of a body.
std::vector<Obstacle> columns_below(const HeightField& field, double floor, const oracle::LongMotion& moving,
                                    double reach) {
  const Vector3 from = moving.pose.translation, to = from + moving.velocity;
  const Vector3 low = from.cwiseMin(to).array() - reach, high = from.cwiseMax(to).array() + reach;
  std::vector<Obstacle> obstacles;
  const auto corner = [&](std::int32_t c, std::int32_t r) {
    return Vector3(c * field.spacing.x(), r * field.spacing.y(),
                   field.heights[static_cast<std::size_t>(r * field.columns + c)]);
  };
  for (auto r = static_cast<std::int32_t>(low.y()) - 1; r <= static_cast<std::int32_t>(high.y()) + 1; ++r) {
    for (auto c = static_cast<std::int32_t>(low.x()) - 1; c <= static_cast<std::int32_t>(high.x()) + 1; ++c) {
      const Vector3 a = corner(c, r), b = corner(c + 1, r), d = corner(c + 1, r + 1), e = corner(c, r + 1);
      const auto base = [&](const Vector3& p) { return Vector3(p.x(), p.y(), floor); };
      obstacles.push_back(obstacle_of({a, b, d, base(a), base(b), base(d)}));
      obstacles.push_back(obstacle_of({a, d, e, base(a), base(d), base(e)}));
    }
  }
  return obstacles;
}

}  // namespace

Row mesh_row(const std::string& kind) {
  Random random(kind == "box" ? 11 : 12);
  Row row;
  row.question = Question::Cast;
  row.kind = kind;
  row.name = "mesh 34560";
  row.tolerance = 1e-3;
  std::vector<Vector3> points;
  for (int i = 0; i < 50; ++i) points.push_back(0.2 * random.on_sphere());
  row.shapes = {kind == "box" ? Geometry(Box{{0.3, 0.2, 0.25}}) : Geometry(convex_hull_of(points).value())};
  TriangleMesh knot = scenes::torus_knot({.along = 720, .around = 24});
  std::vector<Obstacle> triangles;
  double size = 0.0;
  for (const Face& f : knot.faces) {
    std::vector<Vector3> corners;
    for (const std::int32_t v : f) corners.push_back(knot.vertices[static_cast<std::size_t>(v)]);
    triangles.push_back(obstacle_of(corners));
  }
  for (const Vector3& v : knot.vertices) size = std::max(size, v.norm());
  row.shapes.push_back(std::move(knot));
  while (row.cases.size() < 50) {
    PairCase c;
    c.a = 0;
    c.b = 1;
    c.pose_a = {any_rotation(random), (size + 1.0) * random.on_sphere()};
    c.spin = random.uniform(30, 170) * degree * random.on_sphere();
    c.velocity = random.in_box(0.5 * size) - c.pose_a.translation;
    row.cases.push_back(c);
    row.truth.push_back(time_among({row.shapes[0], c.pose_a, c.spin, c.velocity}, triangles));
  }
  return row;
}

Row field_row() {
  Random random(13);
  Row row;
  row.question = Question::Cast;
  row.kind = "box";
  row.name = "field 1024";
  row.tolerance = 1e-3;
  HeightField field = hills(1024, random);
  field.floor = -50.0;
  row.shapes = {Box{{3, 2, 1}}, field};
  while (row.cases.size() < 200) {
    PairCase c;
    c.a = 0;
    c.b = 1;
    const Vector3 start(random.uniform(60, 960), random.uniform(60, 960), 16.0);
    c.pose_a = {any_rotation(random), start};
    c.spin = random.uniform(30, 170) * degree * random.on_sphere();
    c.velocity = Vector3(random.uniform(-20, 20), random.uniform(-20, 20), random.uniform(-24, -12));
    const oracle::LongMotion moving{row.shapes[0], c.pose_a, c.spin, c.velocity};
    row.cases.push_back(c);
    row.truth.push_back(time_among(moving, columns_below(field, *field.floor, moving, 2.0)));
  }
  return row;
}

}  // namespace toccata::bench
