// Intervals of distance fields against all triangles in long double, and the files they are kept in.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <Eigen/Geometry>
#include <cmath>
#include <vector>

#include "effort.hpp"
#include "oracle/long_distance.hpp"
#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"
#include "toccata/field/distance_field.hpp"
#include "toccata/geometry/display_mesh.hpp"
#include "toccata/io/field_io.hpp"
#include "toccata/proximity/signed_distance.hpp"

namespace toccata {
namespace {

using oracle::is_inside;
using oracle::Real;
using oracle::true_distance;

TriangleMesh knot(double scale) {
  scenes::TorusKnotOptions options;
  options.along = 60;
  options.around = 8;
  TriangleMesh mesh = scenes::torus_knot(options);
  for (Vector3& v : mesh.vertices) v = scale * (v + Vector3(0.3, -0.2, 0.1));
  return mesh;
}

// Two boxes in each other, a wall of this width between them.
TriangleMesh shell(double wall) {
  TriangleMesh mesh = display_mesh(Box{Vector3(2.0, 2.0, 2.0)});
  const TriangleMesh inner = display_mesh(Box{Vector3::Constant(2.0 - 2.0 * wall)});
  for (const Vector3& v : inner.vertices) mesh.vertices.push_back(v);
  for (const Face& f : inner.faces) mesh.faces.push_back({f[0] + 8, f[1] + 8, f[2] + 8});
  return mesh;
}

// Anywhere, near the surface, on it, and on faces and corners of cells.
Vector3 random_point(Random& random, const DistanceField& field, int kind) {
  const DistanceFieldData& data = field.data();
  const TriangleMesh& mesh = field.shape().mesh();
  const Triangle t =
      triangle_of(mesh, static_cast<std::size_t>(random.integer(0, static_cast<int>(mesh.faces.size()) - 1)));
  switch (kind % 5) {
    case 0:
      return data.center + random.in_box(1.2 * data.half_side);
    case 1:
      return (t[0] + t[1] + t[2]) / 3.0 +
             data.half_side * std::pow(10.0, random.uniform(-9.0, -1.0)) * random.on_sphere();
    case 2:
      return 0.5 * (t[0] + t[1]);
    case 3: {
      const int cells = 1 << random.integer(1, 7);
      Vector3 p;
      for (int i = 0; i < 3; ++i) p[i] = 2.0 * random.integer(0, cells) / cells - 1.0;
      return data.center + data.half_side * p;
    }
    default: {
      const int cells = 1 << random.integer(1, 7);
      Vector3 p = random.in_box(1.0);
      p[kind / 5 % 3] = 2.0 * random.integer(0, cells) / cells - 1.0;
      return data.center + data.half_side * p;
    }
  }
}

void check_many(const TriangleMesh& mesh, const DistanceFieldOptions& options, std::uint64_t seed,
                int count) {
  const Shape shape(mesh);
  const Expected<DistanceField> field = build_distance_field(shape, options);
  ASSERT_TRUE(field) << field.error().message;
  Random random(seed);
  std::vector<Vector3> points;
  for (int i = 0; i < count; ++i) points.push_back(random_point(random, *field, i));
  std::vector<FieldValue> values(points.size());
  field->at(points, values);
  const PlacedShape placed(shape);
  const double size = field->data().half_side + field->data().center.norm();
  int wrong = 0, wide = 0, wrong_sides = 0, far = 0, wrong_gradients = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const FieldValue& v = values[i];
    const Real distance = true_distance(points[i], placed);
    const bool inside = field->is_signed() && is_inside(points[i], placed);
    const Real truth = inside ? -distance : distance;
    const Real slack = 1e-17L * Real(size);
    if (distance > 1e-12L * Real(size)) {
      wrong += Real(v.lower) > truth + slack || Real(v.upper) < truth - slack;
      wrong_sides += distance > 2 * Real(field->error()) && (v.value() < 0.0) != inside;
    }
    wide += !(v.upper - v.lower <= 2.0 * field->error() * 1.0001);
    far += v.triangle < 0 || static_cast<std::size_t>(v.triangle) >= mesh.faces.size();
    const double length = v.gradient.norm();
    wrong_gradients += !(length == 0.0 || std::abs(length - 1.0) < 1e-12);
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(wide, 0);
  EXPECT_EQ(wrong_sides, 0);
  EXPECT_EQ(far, 0);
  EXPECT_EQ(wrong_gradients, 0);
}

TEST(DistanceField, IntervalsHoldTheDistance) {
  check_many(knot(1.0), {.error = 0.01}, 1, with_effort(700));
}

TEST(DistanceField, BeyondTheBandIntervalsAreWiderAndHold) {
  const Shape shape(knot(1.0));
  const DistanceField all = build_distance_field(shape, {.error = 0.01}).value();
  const DistanceField field = build_distance_field(shape, {.error = 0.01, .band = 0.1}).value();
  EXPECT_LT(field.memory_bytes(), all.memory_bytes());
  const PlacedShape placed(shape);
  Random random(9);
  int wider = 0;
  for (int i = 0; i < with_effort(300); ++i) {
    const Vector3 p = random_point(random, field, 0);
    const FieldValue v = field.at(p);
    const Real distance = true_distance(p, placed);
    const Real truth = is_inside(p, placed) ? -distance : distance;
    EXPECT_LE(Real(v.lower), truth);
    EXPECT_GE(Real(v.upper), truth);
    if (distance < 0.1L) {
      EXPECT_LE(v.upper - v.lower, 0.02 * 1.0001);
    }
    wider += v.upper - v.lower > 0.02 * 1.0001;
  }
  EXPECT_GT(wider, 0);
}

TEST(DistanceField, ScalesAndPlaces) {
  for (const double scale : {1e-6, 1e6})
    check_many(knot(scale), {.error = 0.02 * scale}, 2, with_effort(300));
}

TEST(DistanceField, ThinWallsHaveTheirSides) {
  check_many(shell(1e-6), {.error = 0.02}, 3, with_effort(800));
  // Between the sheets.
  const DistanceField field = build_distance_field(Shape(shell(1e-6)), {.error = 0.02}).value();
  Random random(4);
  for (int i = 0; i < with_effort(200); ++i) {
    const Vector3 p(1.0 - random.uniform(0.1, 0.9) * 1e-6, random.uniform(-0.9, 0.9),
                    random.uniform(-0.9, 0.9));
    const FieldValue v = field.at(p);
    EXPECT_GE(v.upper, -0.5e-6);
    EXPECT_LE(v.lower, -0.05e-6);
    EXPECT_EQ(field.side_at(p), Containment::Inside);
    EXPECT_EQ(field.side_at(p - Vector3(1e-6, 0, 0)), Containment::Outside);  // in the hollow
  }
}

// Cells beside a sheet were cut down to the error: eleven million of them.
TEST(DistanceField, ThinPlatesAreSmall) {
  for (const double thickness : {1e-5, 1e-4}) {
    const TriangleMesh plate = display_mesh(Box{Vector3(1.0, 0.8, thickness)});
    check_many(plate, {.error = 2e-3}, 10, with_effort(500));
    EXPECT_LT(build_distance_field(Shape(plate), {.error = 2e-3}).value().leaf_count(), 300000U);
  }
}

// Quadratic functions are proven in lanes.
TEST(DistanceField, SameBitsOnAllInstructionSets) {
  const Shape shape(knot(1.0));
  std::string first;
  for (std::int64_t targets = hwy::SupportedTargets(); targets != 0; targets &= targets - 1) {
    hwy::SetSupportedTargetsForTest(targets & -targets);
    hwy::GetChosenTarget().DeInit();
    const DistanceField field = build_distance_field(shape, {.error = 0.01, .band = 0.1}).value();
    if (first.empty()) first = distance_field_bytes(field);
    EXPECT_GT(field.data().curves.size(), 1000U);
    EXPECT_EQ(distance_field_bytes(field) == first, true) << targets;
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
}

TEST(DistanceField, OpenMeshesHaveNoInside) {
  TriangleMesh mesh = display_mesh(Box{Vector3(2.0, 1.0, 1.0)});
  mesh.faces.pop_back();
  check_many(mesh, {.error = 0.01}, 5, with_effort(500));
}

TEST(DistanceField, DegenerateTriangles) {
  TriangleMesh mesh = display_mesh(Box{Vector3(1.0, 1.0, 1.0)});
  mesh.vertices.push_back(Vector3(0.2, 0.1, 0.9));
  mesh.faces.push_back({0, 0, 8});
  mesh.faces.push_back({8, 8, 8});
  check_many(mesh, {.error = 0.01}, 6, with_effort(500));
  check_many({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}, {.error = 0.01}, 7, with_effort(200));
}

// Ten million with TOCCATA_TEST_EFFORT=1000: the long test. Against brackets of the exact distance, which
// have their own oracle.
TEST(DistanceField, ManyPoints) {
  TriangleMesh open = knot(1.0);
  open.faces.resize(open.faces.size() - 20);
  struct Case {
    TriangleMesh mesh;
    double error;
  };
  const Case cases[] = {
      {knot(1.0), 0.004}, {knot(1e-6), 0.01e-6}, {knot(1e6), 0.01e6}, {shell(1e-6), 0.01}, {open, 0.01}};
  for (const Case& c : cases) {
    const Shape shape(c.mesh);
    const DistanceField field = build_distance_field(shape, {.error = c.error}).value();
    Random random(12);
    constexpr int batch = 20000;
    int wrong = 0, wide = 0, wrong_sides = 0;
    for (int left = with_effort(2000); left > 0; left -= batch) {
      std::vector<Vector3> points;
      for (int i = 0; i < std::min(left, batch); ++i) {
        points.push_back(random_point(random, field, i));
        // Between the sheets of the shell.
        if (&c == &cases[3] && i % 4 == 0) {
          const double deep = 1.0 - random.uniform(-1.0, 2.0) * 1e-6;
          points.back() = random.in_box(0.9);
          points.back()[i / 4 % 3] = deep;
        }
      }
      std::vector<FieldValue> values(points.size());
      field.at(points, values);
      const SignedDistances truth = signed_distances(points, shape);
      for (std::size_t i = 0; i < points.size(); ++i) {
        const SignedDistance& d = truth.points[i];
        const bool is_on = d.side == Containment::Crossing;
        wrong += values[i].lower > (is_on ? 0.0 : d.upper) || values[i].upper < (is_on ? 0.0 : d.lower);
        wide += !(values[i].upper - values[i].lower <= 2.0 * c.error * 1.0001);
        // A distance that rounds to zero counts as on the surface; the side is exact.
        if (i % 16 == 0 && field.is_signed() && !is_on) wrong_sides += field.side_at(points[i]) != d.side;
        // Without a sign, and roughly; there also far outside of the cube.
        const FieldBounds bounds = field.bounds_at(points[i]);
        const bool is_inside = d.side == Containment::Inside;
        const double least = is_inside ? -d.upper : d.lower, most = is_inside ? -d.lower : d.upper;
        wrong += bounds.lower > most || bounds.upper < least;
        wide += !(bounds.upper - bounds.lower <= 2.0 * c.error * 1.0001);
        wrong += field.rough_bound(points[i]) > most;
        if (i % 64 != 0) continue;
        const Vector3 far =
            field.data().center + random.uniform(0.5, 3.0) * (points[i] - field.data().center);
        wrong += field.rough_bound(far) > signed_distance(far, shape, {.with_sign = false}).upper;
      }
    }
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(wide, 0);
    EXPECT_EQ(wrong_sides, 0);
  }
}

TEST(DistanceField, DoesNotDependOnThreads) {
  const Shape shape(knot(1.0));
  const std::string one =
      distance_field_bytes(build_distance_field(shape, {.error = 0.01, .threads = 1}).value());
  const std::string two =
      distance_field_bytes(build_distance_field(shape, {.error = 0.01, .threads = 2}).value());
  EXPECT_EQ(one, two);
}

TEST(DistanceField, FilesReadBackAndAreChecked) {
  const DistanceField field = build_distance_field(Shape(knot(1.0)), {.error = 0.03}).value();
  const std::string bytes = distance_field_bytes(field);
  const Expected<DistanceField> read = parse_distance_field(bytes);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(distance_field_bytes(*read), bytes);
  Random random(8);
  for (int i = 0; i < 200; ++i) {
    const Vector3 p = random_point(random, field, i);
    const FieldValue x = field.at(p), y = read->at(p);
    EXPECT_EQ(x.lower, y.lower);
    EXPECT_EQ(x.upper, y.upper);
    EXPECT_EQ(x.triangle, y.triangle);
  }
  for (const std::size_t length : {std::size_t{0}, std::size_t{9}, std::size_t{30}, bytes.size() - 1})
    EXPECT_FALSE(parse_distance_field(std::string_view(bytes).substr(0, length)));
  EXPECT_FALSE(parse_distance_field(bytes + "x"));
  std::string other = bytes;
  other[14] = '1';
  const Expected<DistanceField> newer = parse_distance_field(other);
  ASSERT_FALSE(newer);
  EXPECT_NE(newer.error().message.find("another version"), std::string::npos);
  // Bytes that were changed are refused, or give a field that answers without harm.
  for (int i = 0; i < with_effort(300); ++i) {
    std::string damaged = bytes;
    damaged[static_cast<std::size_t>(random.integer(16, static_cast<int>(bytes.size()) - 1))] ^=
        static_cast<char>(1 << random.integer(0, 7));
    const Expected<DistanceField> found = parse_distance_field(damaged);
    if (found) found->at(field.data().center);
  }
}

// Products of lengths overflowed or vanished: a box of 1e60 was told that its field is damaged, and one of
// 1e-150 never ended.
TEST(DistanceField, RefusesSizesWhoseProductsAreNoNumbers) {
  for (const double scale : {1e-300, 1e-150, 1e-70, 1e40, 1e60, 1e160}) {
    const Expected<DistanceField> field =
        build_distance_field(Shape(knot(scale)), {.error = 0.05 * scale, .stop = {.seconds = 20.0}});
    ASSERT_FALSE(field) << scale;
    EXPECT_NE(field.error().message.find("unit of length"), std::string::npos) << field.error().message;
  }
}

TEST(DistanceField, RefusesWhatCannotBe) {
  EXPECT_FALSE(build_distance_field(Shape(Ball{1.0})));
  EXPECT_FALSE(build_distance_field(Shape(TriangleMesh())));
  EXPECT_FALSE(build_distance_field(Shape(knot(1.0)), {.error = -1.0}));
  EXPECT_FALSE(build_distance_field(Shape(knot(1.0)), {.error = 1e-15}));
  const StopToken token = StopToken::create();
  token.request_stop();
  DistanceFieldOptions options;
  options.stop.token = token;
  EXPECT_FALSE(build_distance_field(Shape(knot(1.0)), options));
}

}  // namespace
}  // namespace toccata
