// Enclosures, rechecked in rational arithmetic by code that shares nothing with the proof but the guess of
// weights; how far they stick out, against all triangles in long double.
#include <gmpxx.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "effort.hpp"
#include "oracle/long_distance.hpp"
#include "oracle/moving_bodies.hpp"
#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"
#include "toccata/elementary/ball_hull.hpp"
#include "toccata/geometry/display_mesh.hpp"
#include "toccata/proximity/enclosure.hpp"
#include "toccata/proximity/medial_proxy.hpp"

namespace toccata {
namespace {

using Rational3 = std::array<mpq_class, 3>;

Rational3 rational(const Vector3& v) {
  return {mpq_class(v.x()), mpq_class(v.y()), mpq_class(v.z())};
}
Vector3 rounded(const Rational3& v) {
  return {v[0].get_d(), v[1].get_d(), v[2].get_d()};
}
Rational3 middle(const Rational3& a, const Rational3& b) {
  Rational3 m;
  for (std::size_t k = 0; k < 3; ++k) m[k] = (a[k] + b[k]) / 2;
  return m;
}

BallHull hull_of(const MedialMesh& mesh, const MedialPrimitive& primitive) {
  BallHull hull;
  hull.count = 0;
  for (const std::int32_t ball : primitive) {
    if (ball < 0) continue;
    hull.center[static_cast<std::size_t>(hull.count)] = mesh.centers[static_cast<std::size_t>(ball)];
    hull.radius[static_cast<std::size_t>(hull.count++)] = mesh.radii[static_cast<std::size_t>(ball)];
  }
  return hull;
}

// The point is in the ball of these weights, which are made to sum to 1 exactly. Without rounding.
bool holds_exactly(const BallHull& hull, const BallWeights& guess, const Rational3& point) {
  std::array<mpq_class, 3> weight = {mpq_class(0), mpq_class(0), mpq_class(0)};
  mpq_class rest = 1;
  for (int i = 1; i < hull.count; ++i) {
    weight[static_cast<std::size_t>(i)] = mpq_class(guess[static_cast<std::size_t>(i)]);
    rest -= weight[static_cast<std::size_t>(i)];
  }
  weight[0] = rest;
  if (weight[0] < 0) {  // by a rounding: the others share it
    for (int i = 1; i < hull.count; ++i) weight[static_cast<std::size_t>(i)] /= (1 - weight[0]);
    weight[0] = 0;
  }
  Rational3 center = {mpq_class(0), mpq_class(0), mpq_class(0)};
  mpq_class radius = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(hull.count); ++i) {
    const Rational3 c = rational(hull.center[i]);
    for (std::size_t k = 0; k < 3; ++k) center[k] += weight[i] * c[k];
    radius += weight[i] * mpq_class(hull.radius[i]);
  }
  mpq_class squared = 0;
  for (std::size_t k = 0; k < 3; ++k) squared += (point[k] - center[k]) * (point[k] - center[k]);
  return squared <= radius * radius;
}

class ExactCheck {
 public:
  ExactCheck(const TriangleMesh& mesh, const MedialMesh& medial) : mesh_(mesh) {
    for (const MedialPrimitive& primitive : medial_primitives(medial))
      hulls_.push_back(hull_of(medial, primitive));
  }

  // Triangles that are not in the union, as far as ten cuts show it.
  int violations() {
    int count = 0;
    // Of fine meshes some: rational numbers take their time.
    const std::size_t every = mesh_.faces.size() / static_cast<std::size_t>(with_effort(24)) + 1;
    for (std::size_t i = 0; i < mesh_.faces.size(); i += every) {
      const Face& f = mesh_.faces[i];
      std::array<Rational3, 3> corners;
      for (std::size_t k = 0; k < 3; ++k)
        corners[k] = rational(mesh_.vertices[static_cast<std::size_t>(f[k])]);
      if (!is_held(corners, 0)) ++count;
    }
    return count;
  }

 private:
  bool is_held(const std::array<Rational3, 3>& piece, int cuts) {
    for (std::size_t i = 0; i <= hulls_.size(); ++i) {
      const std::size_t h = i == 0 ? last_ : i - 1;
      bool all = true;
      std::array<BallWeights, 3> guess;
      for (std::size_t k = 0; k < 3 && all; ++k) {  // rational numbers only where it looks so
        const PointBallHull at = nearest_ball(rounded(piece[k]), hulls_[h]);
        all = at.distance < 1e-9;
        guess[k] = at.weight;
      }
      for (std::size_t k = 0; k < 3 && all; ++k) all = holds_exactly(hulls_[h], guess[k], piece[k]);
      if (!all) continue;
      last_ = h;
      return true;
    }
    if (cuts == 10) return false;
    const std::array<Rational3, 3> m = {middle(piece[0], piece[1]), middle(piece[1], piece[2]),
                                        middle(piece[2], piece[0])};
    return is_held({piece[0], m[0], m[2]}, cuts + 1) && is_held({m[0], piece[1], m[1]}, cuts + 1) &&
           is_held({m[2], m[1], piece[2]}, cuts + 1) && is_held(m, cuts + 1);
  }

  const TriangleMesh& mesh_;
  std::vector<BallHull> hulls_;
  std::size_t last_ = 0;
};

TriangleMesh turned(TriangleMesh mesh) {
  for (Face& f : mesh.faces) std::swap(f[1], f[2]);
  return mesh;
}

TriangleMesh both(const TriangleMesh& a, const TriangleMesh& b, const Vector3& shift = Vector3::Zero()) {
  TriangleMesh mesh = a;
  const auto first = static_cast<std::int32_t>(a.vertices.size());
  for (const Vector3& v : b.vertices) mesh.vertices.push_back(v + shift);
  for (const Face& f : b.faces) mesh.faces.push_back({f[0] + first, f[1] + first, f[2] + first});
  return mesh;
}

TriangleMesh small_knot() {
  return scenes::torus_knot({.along = 36, .around = 6});
}

// Thirty closed meshes: thin, nested, inward-faced, of several parts, flat.
std::vector<TriangleMesh> closed_meshes() {
  Random random(5);
  std::vector<TriangleMesh> all;
  const TriangleMesh box = oracle::box({0.5, 0.4, 0.6}), ball = display_mesh(Ball{0.5});
  all = {box,
         turned(box),
         oracle::box({0.5, 0.5, 0.005}),
         oracle::box({0.5, 0.02, 0.02}),
         ball,
         turned(ball),
         both(box, oracle::box({0.3, 0.2, 0.3})),
         both(box, turned(oracle::box({0.3, 0.2, 0.3}))),
         both(turned(box), oracle::box({0.45, 0.35, 0.55})),
         both(box, ball, {2, 0, 0}),
         both(box, ball, {0.7, 0, 0}),
         small_knot(),
         turned(small_knot()),
         oracle::box({1e-3, 0.5, 0.5})};
  for (const Geometry& kind : std::vector<Geometry>{Capsule{0.2, 0.8}, Cylinder{0.3, 0.5}, Cone{0.4, 0.8},
                                                    Ellipsoid{{0.5, 0.2, 0.1}}, Box{{0.4, 0.5, 0.6}, 0.1}}) {
    TriangleMesh mesh = display_mesh(kind);
    all.push_back(mesh);
  }
  while (all.size() < 30) {  // stretched, sheared and far away
    TriangleMesh mesh = all.size() % 2 == 0 ? box : ball;
    const Pose pose = oracle::random_pose(random, 3.0);
    const Vector3 scale(random.uniform(0.05, 1.5), random.uniform(0.05, 1.5), random.uniform(0.3, 1.5));
    for (Vector3& v : mesh.vertices) v = pose.apply(v.cwiseProduct(scale));
    all.push_back(mesh);
  }
  return all;
}

TEST(MedialProxy, ThirtyMeshesAreEnclosedInExactArithmetic) {
  Random random(9);
  int number = 0;
  for (const TriangleMesh& mesh : closed_meshes()) {
    SCOPED_TRACE(number++);
    const Shape shape(mesh);
    ASSERT_TRUE(shape.is_closed());
    MedialProxyOptions options;
    options.error = 0.12 * shape.size();
    options.spheres_only = number % 3 == 0;
    const Expected<MedialProxy> proxy = medial_proxy(shape, options);
    ASSERT_TRUE(proxy) << proxy.error().message;
    EXPECT_LE(proxy->error, *options.error);
    EXPECT_EQ(proxy->errors.size(), medial_primitives(proxy->outer).size());
    EXPECT_TRUE(encloses(mesh, proxy->outer, {.finest = 0.005 * shape.size()}).holds);
    EXPECT_EQ(ExactCheck(mesh, proxy->outer).violations(), 0);
    // No point of a primitive is farther from the solid than its error says.
    const std::vector<MedialPrimitive> primitives = medial_primitives(proxy->outer);
    for (int trial = 0; trial < with_effort(20); ++trial) {
      const auto i =
          static_cast<std::size_t>(random.uniform(0.0, double(primitives.size()))) % primitives.size();
      const BallHull hull = hull_of(proxy->outer, primitives[i]);
      double s = random.uniform(0.0, 1.0), t = random.uniform(0.0, 1.0 - s);
      if (hull.count < 3) t = 0.0;
      if (hull.count < 2) s = 0.0;
      const WeightedBall at = ball_at(hull, {1.0 - s - t, s, t});
      const Vector3 point = at.center + at.radius * random.on_sphere();
      const long double away = oracle::true_distance(point, PlacedShape(shape));
      if (away > static_cast<long double>(proxy->errors[i]) * (1.0L + 1e-12L)) {
        EXPECT_TRUE(oracle::is_inside(point, PlacedShape(shape)))
            << double(away) << " > " << proxy->errors[i];
      }
    }
    // Balls inside are inside: centre inside, surface no nearer than the radius.
    for (std::size_t i = 0; i < proxy->inner.centers.size(); i += 7) {
      EXPECT_TRUE(oracle::is_inside(proxy->inner.centers[i], PlacedShape(shape)));
      EXPECT_GE(oracle::true_distance(proxy->inner.centers[i], PlacedShape(shape)),
                static_cast<long double>(proxy->inner.radii[i]) * (1.0L - 1e-15L));
    }
  }
}

TEST(MedialProxy, WhatCannotBeEnclosedIsRefused) {
  TriangleMesh open = oracle::box({1, 1, 1});
  open.faces.pop_back();
  const auto message = [](const TriangleMesh& mesh, const MedialProxyOptions& options) {
    const Expected<MedialProxy> proxy = medial_proxy(mesh, options);
    return proxy ? std::string() : proxy.error().message;
  };
  EXPECT_NE(message(open, {.error = 0.1}).find("not closed"), std::string::npos);
  EXPECT_NE(message({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}, {.error = 0.1}).find("not closed"),
            std::string::npos);
  EXPECT_NE(message(oracle::box({0.5, 0.5, 0.0}), {.error = 0.1}).find("not closed"),
            std::string::npos);  // no volume
  EXPECT_NE(message({}, {.error = 0.1}).find("no triangles"), std::string::npos);
  const TriangleMesh box = oracle::box({1, 1, 1});
  EXPECT_NE(message(box, {}), "");
  EXPECT_NE(message(box, {.error = 0.0}), "");
  EXPECT_NE(message(box, {.error = std::nan("")}), "");
  EXPECT_NE(message(box, {.error = 0.1, .balls = 3}), "");
  EXPECT_NE(message(box, {.balls = 0}), "");
  // It was told as "an error of 0.000000".
  EXPECT_NE(message(box, {.error = 1e-12}).find("1e-12"), std::string::npos);
  for (const double scale : {1e-150, 1e40, 1e160}) {
    EXPECT_NE(message(oracle::box({scale, scale, scale}), {.error = 0.1 * scale}).find("unit of length"),
              std::string::npos);
  }
}

// With room to spare a single ball was grown by all of it, to a radius of 100 about a box of 2 x 1 x 1; and
// one ball by number was twice as large as the one sphere, which had been looked for with more care.
TEST(MedialProxy, OnePrimitiveIsNotLargerThanItNeedBe) {
  const Shape shape(oracle::box({1.0, 0.5, 0.5}));
  for (const double error : {3.0, 100.0, 1e300}) {
    for (const bool spheres_only : {false, true}) {
      const Expected<MedialProxy> proxy = medial_proxy(shape, {.error = error, .spheres_only = spheres_only});
      ASSERT_TRUE(proxy) << proxy.error().message;
      EXPECT_EQ(proxy->errors.size(), 1u);
      EXPECT_LT(proxy->error, 1.2);  // the smallest sphere around it reaches 0.73 beyond its large faces
      EXPECT_TRUE(encloses(shape.mesh(), proxy->outer).holds);
    }
  }
  const Expected<MedialProxy> ball = medial_proxy(shape, {.balls = 1});
  const Expected<MedialProxy> sphere = medial_proxy(shape, {.balls = 1, .spheres_only = true});
  ASSERT_TRUE(ball && sphere);
  EXPECT_EQ(ball->error, sphere->error);
}

// Where exchanges went on to the last round, gaps were left open, and the cover was made again for a smaller
// error: the unit cube within a twentieth took 194 spheres of an error of 0.0436.
TEST(MedialProxy, TheErrorAskedForIsUsed) {
  const Shape shape(oracle::box({0.5, 0.5, 0.5}));
  const Expected<MedialProxy> spheres = medial_proxy(shape, {.error = 0.05, .spheres_only = true});
  ASSERT_TRUE(spheres);
  EXPECT_LE(spheres->error, 0.05);
  EXPECT_GE(spheres->error, 0.048);
  EXPECT_TRUE(encloses(shape.mesh(), spheres->outer, {.finest = 0.0025}).holds);
}

TEST(MedialProxy, ByNumber) {
  const Shape shape(small_knot());
  double before = 1e300;
  for (const int count : {1, 20, 60}) {
    const Expected<MedialProxy> proxy = medial_proxy(shape, {.primitives = count});
    ASSERT_TRUE(proxy) << proxy.error().message;
    EXPECT_LE(static_cast<int>(proxy->errors.size()), count);
    EXPECT_LT(proxy->error, before);
    before = proxy->error;
    const Expected<MedialProxy> spheres = medial_proxy(shape, {.balls = count, .spheres_only = true});
    ASSERT_TRUE(spheres);
    EXPECT_LE(static_cast<int>(spheres->outer.centers.size()), count);
    EXPECT_TRUE(spheres->outer.cones.empty() && spheres->outer.slabs.empty());
  }
}

TEST(MedialLevels, FromOneRunEachWithItsProof) {
  for (const TriangleMesh& mesh :
       {small_knot(), oracle::box({0.5, 0.02, 0.02}), oracle::box({0.5, 0.4, 0.6})}) {
    const Shape shape(mesh);
    const Expected<MedialLevels> levels = medial_levels(shape, {.error = 0.1 * shape.size()});
    ASSERT_TRUE(levels) << levels.error().message;
    const MedialProxy* before = nullptr;
    for (const MedialProxy& level : levels->levels) {
      EXPECT_TRUE(encloses(mesh, level.outer).holds);
      EXPECT_EQ(levels->within(level.error), &level);
      EXPECT_EQ(levels->with_primitives(static_cast<std::int32_t>(level.errors.size())), &level);
      if (before != nullptr) {
        EXPECT_LT(level.errors.size(), before->errors.size());
        EXPECT_GT(level.error, before->error);
      }
      before = &level;
    }
    EXPECT_LE(levels->levels[0].error, 0.1 * shape.size());
    EXPECT_EQ(levels->levels.back().errors.size(), 1u);
    EXPECT_EQ(levels->within(1e-9), nullptr);
    EXPECT_EQ(levels->with_balls(0), nullptr);
  }
  EXPECT_FALSE(medial_levels(small_knot(), {.balls = 3}));
  EXPECT_FALSE(medial_levels(small_knot(), {.error = 0.1, .balls = 3}));
}

TEST(MedialProxy, FewSpheresByExchange) {
  // A box 2 x 1 x 1 within a tenth: the greedy cover alone takes 101, and with the exchange there were 74.
  const Shape shape(oracle::box({1.0, 0.5, 0.5}));
  const Expected<MedialProxy> spheres = medial_proxy(shape, {.error = 0.1, .spheres_only = true});
  ASSERT_TRUE(spheres);
  EXPECT_LE(spheres->error, 0.1);
  EXPECT_LE(spheres->outer.centers.size(), 90u);
  EXPECT_TRUE(encloses(shape.mesh(), spheres->outer).holds);
}

TEST(MedialProxy, TheSameOnAnyNumberOfThreads) {
  const Shape shape(small_knot());
  const Expected<MedialProxy> one = medial_proxy(shape, {.error = 0.05, .threads = 1});
  const Expected<MedialProxy> many = medial_proxy(shape, {.error = 0.05, .threads = 4});
  ASSERT_TRUE(one && many);
  EXPECT_EQ(one->outer.centers, many->outer.centers);
  EXPECT_EQ(one->outer.radii, many->outer.radii);
  EXPECT_EQ(one->outer.slabs, many->outer.slabs);
  EXPECT_EQ(one->error, many->error);
}

TEST(Enclosure, ARadiusLowerByAMillionthOfAMillimetreIsRefused) {
  // A tetrahedron in its ball: the corners are on it.
  TriangleMesh mesh;
  mesh.vertices = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  mesh.faces = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
  MedialMesh ball;
  ball.centers = {Vector3::Zero()};
  ball.radii = {std::sqrt(3.0) * (1.0 + 1e-13)};
  EXPECT_TRUE(encloses(mesh, ball).holds);
  ball.radii[0] -= 1e-9;
  const EnclosureResult lower = encloses(mesh, ball);
  EXPECT_FALSE(lower.holds);
  EXPECT_EQ(lower.triangle, 0);
  EXPECT_NEAR(lower.missing, 1e-9, 1e-12);
  // Of a whole proxy: one ball made as small as the proof allows, then 1e-9 smaller.
  const TriangleMesh knot = small_knot();
  const Expected<MedialProxy> proxy = medial_proxy(knot, {.error = 0.1});
  ASSERT_TRUE(proxy);
  MedialMesh outer = proxy->outer;
  const EnclosureOptions options;  // as fine as medial_proxy proves it
  int refused = 0;
  for (std::size_t i = 0; i < outer.radii.size() && refused < 2; ++i) {
    double enough = outer.radii[i], few = 0.0;
    for (int halving = 0; halving < 34; ++halving) {
      const double trial = 0.5 * (enough + few);
      outer.radii[i] = trial;
      (encloses(knot, outer, options).holds ? enough : few) = trial;
    }
    outer.radii[i] = enough;
    EXPECT_TRUE(encloses(knot, outer, options).holds);
    if (enough > 1e-9) {
      outer.radii[i] = enough - 1e-9;
      EXPECT_FALSE(encloses(knot, outer, options).holds) << i;
      ++refused;
    }
    outer.radii[i] = proxy->outer.radii[i];
  }
  EXPECT_EQ(refused, 2);
}

TEST(Enclosure, DilatesOnlyAsMuchAsIsMissing) {
  const TriangleMesh mesh = display_mesh(Ball{1.0});
  MedialMesh ball;
  ball.centers = {Vector3(0.1, 0, 0)};
  ball.radii = {0.5};
  const Expected<DilatedMedialMesh> grown = dilated_to_enclose(mesh, ball, {.finest = 0.2});
  ASSERT_TRUE(grown);
  EXPECT_TRUE(encloses(mesh, grown->mesh, {.finest = 0.2}).holds);
  EXPECT_LE(grown->mesh.radii[0], 1.1 + 1e-9);
  EXPECT_EQ(ExactCheck(mesh, grown->mesh).violations(), 0);
  EXPECT_FALSE(dilated_to_enclose(mesh, {}));
}

TEST(Enclosure, BothEndsProveAStep) {
  Random random(4);
  const TriangleMesh start = display_mesh(Ball{1.0});
  const Expected<MedialProxy> proxy = medial_proxy(start, {.error = 0.2});
  ASSERT_TRUE(proxy);
  for (int trial = 0; trial < with_effort(4); ++trial) {
    // An affine map, and some noise.
    Matrix3 map = Matrix3::Identity();
    for (int k = 0; k < 9; ++k) map(k / 3, k % 3) += random.uniform(-0.3, 0.3);
    const Vector3 shift = 2.0 * random.on_sphere();
    TriangleMesh end = start;
    for (Vector3& v : end.vertices) v = map * v + shift + 0.02 * random.on_sphere();
    MedialMesh medial_end = proxy->outer;
    for (Vector3& c : medial_end.centers) c = map * c + shift;
    const Expected<DilatedMedialMesh> grown =
        dilated_to_enclose_step(start, end, proxy->outer, medial_end, {.finest = 0.02});
    ASSERT_TRUE(grown) << grown.error().message;
    for (std::size_t i = 0; i < medial_end.radii.size(); ++i) medial_end.radii[i] += grown->dilations[i];
    EXPECT_TRUE(encloses_step(start, end, grown->mesh, medial_end, {.finest = 0.02}).holds);
    // At any time in between, by itself.
    for (const double t : {0.3, 0.77}) {
      TriangleMesh at = start;
      for (std::size_t i = 0; i < at.vertices.size(); ++i)
        at.vertices[i] = (1.0 - t) * start.vertices[i] + t * end.vertices[i];
      MedialMesh medial_at = grown->mesh;
      for (std::size_t i = 0; i < medial_at.radii.size(); ++i) {
        medial_at.centers[i] = (1.0 - t) * grown->mesh.centers[i] + t * medial_end.centers[i];
        medial_at.radii[i] = (1.0 - t) * grown->mesh.radii[i] + t * medial_end.radii[i] + 1e-12;
      }
      EXPECT_EQ(ExactCheck(at, medial_at).violations(), 0);
    }
  }
}

}  // namespace
}  // namespace toccata
