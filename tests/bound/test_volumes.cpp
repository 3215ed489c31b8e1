// One suite for all volumes: what each promises in bound/volume.hpp, checked in long double.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <vector>

#include "oracle/exact_triangles.hpp"
#include "toccata/base/random.hpp"
#include "toccata/bound/aabb.hpp"
#include "toccata/bound/k_dop.hpp"
#include "toccata/bound/line_swept_sphere.hpp"
#include "toccata/bound/obb.hpp"
#include "toccata/bound/rectangle_swept_sphere.hpp"
#include "toccata/bound/sphere.hpp"

namespace toccata {
namespace {

using Long3 = Eigen::Matrix<long double, 3, 1>;
using Long33 = Eigen::Matrix<long double, 3, 3>;

Long3 wide(const Vector3& v) {
  return v.cast<long double>();
}

bool holds(const Sphere& s, const Long3& p) {
  return (p - wide(s.center)).norm() <= s.radius;
}
bool holds(const Aabb& b, const Long3& p) {
  return (p.array() >= wide(b.lower).array()).all() && (p.array() <= wide(b.upper).array()).all();
}
template <int K>
bool holds(const KDop<K>& d, const Long3& p) {
  for (int i = 0; i < KDop<K>::slab_count; ++i) {
    const long double h = wide(k_dop_direction<K>(i)).dot(p);
    if (h < d.lower[i] || h > d.upper[i]) return false;
  }
  return true;
}
bool holds(const Obb& b, const Long3& p) {
  const Long3 y = b.axes.cast<long double>().transpose() * (p - wide(b.center));
  return (y.cwiseAbs().array() <= wide(b.half).array()).all();
}
bool holds(const LineSweptSphere& v, const Long3& p) {
  const Long3 along = wide(v.end) - wide(v.start);
  const long double length = along.squaredNorm();
  const long double t =
      length > 0 ? std::clamp<long double>((p - wide(v.start)).dot(along) / length, 0, 1) : 0;
  return (p - wide(v.start) - t * along).norm() <= v.radius;
}
bool holds(const RectangleSweptSphere& v, const Long3& p) {
  const Long33 axes = v.axes.cast<long double>();
  const Long3 y = axes.transpose() * (p - wide(v.center));
  const long double s = std::clamp<long double>(y.x(), -v.half.x(), v.half.x());
  const long double t = std::clamp<long double>(y.y(), -v.half.y(), v.half.y());
  return (p - wide(v.center) - s * axes.col(0) - t * axes.col(1)).norm() <= v.radius;
}

std::vector<Vector3> random_points(Random& random, int trial) {
  const int count = 1 + trial % 40;
  const double scale = std::pow(10.0, random.uniform(-6.0, 6.0));
  const double far = trial % 3 == 0 ? 1e6 : 0.0;
  const Vector3 center = far * random.in_box(1.0) + scale * random.in_box(3.0);
  const Vector3 stretch(1.0, trial % 5 == 0 ? 0.0 : random.unit(), trial % 7 == 0 ? 0.0 : random.unit());
  const Matrix3 turn = Eigen::AngleAxisd(random.uniform(0.0, 3.0), random.on_sphere()).toRotationMatrix();
  std::vector<Vector3> points;
  for (int i = 0; i < count; ++i) {
    points.push_back(center + scale * (turn * stretch.cwiseProduct(random.in_box(1.0))));
  }
  if (trial % 11 == 0) points.assign(points.size(), points[0]);
  return points;
}

Pose random_pose(Random& random, double reach) {
  return {Eigen::AngleAxisd(random.uniform(-4.0, 4.0), random.on_sphere()).toRotationMatrix(),
          random.in_box(reach)};
}

template <typename V>
class Volumes : public testing::Test {};
using All = testing::Types<Sphere, Aabb, KDop14, KDop18, KDop26, Obb, LineSweptSphere, RectangleSweptSphere>;
TYPED_TEST_SUITE(Volumes, All);

TYPED_TEST(Volumes, fit_and_merge_enclose) {
  Random random(1);
  for (int trial = 0; trial < 400; ++trial) {
    const auto a = random_points(random, trial), b = random_points(random, trial + 1);
    const TypeParam va = fit<TypeParam>(a), vb = fit<TypeParam>(b), both = merge(va, vb);
    for (const Vector3& p : a) {
      ASSERT_TRUE(holds(va, wide(p))) << "trial " << trial;
      ASSERT_TRUE(holds(both, wide(p))) << "trial " << trial;
      ASSERT_LE((p - center_of(va)).norm(), radius_of(va));
    }
    for (const Vector3& p : b) ASSERT_TRUE(holds(both, wide(p))) << "trial " << trial;
  }
}

TYPED_TEST(Volumes, moving_encloses_the_moved_contents) {
  Random random(2);
  for (int trial = 0; trial < 400; ++trial) {
    const auto points = random_points(random, trial);
    const Pose pose = random_pose(random, trial % 2 == 0 ? 1.0 : 1e6);
    const TypeParam moved = transformed(pose, fit<TypeParam>(points));
    for (const Vector3& p : points) {
      const Long3 q = pose.rotation.cast<long double>() * wide(p) + wide(pose.translation);
      ASSERT_TRUE(holds(moved, q)) << "trial " << trial;
    }
  }
}

// Whatever is inside both keeps them from being apart; distances never exceed those of the contents.
TYPED_TEST(Volumes, distance_never_exceeds_that_of_the_contents) {
  Random random(3);
  int apart = 0;
  for (int trial = 0; trial < 400; ++trial) {
    auto a = random_points(random, 3 * trial + 1), b = random_points(random, 3 * trial + 1);
    const double size = (a[0] - a.back()).norm() + 1e-9;
    const Vector3 shift = a[0] - b[0] + random.uniform(0.0, 4.0) * size * random.on_sphere();
    for (Vector3& p : b) p += shift;
    const TypeParam va = fit<TypeParam>(a), vb = fit<TypeParam>(b);
    double nearest = INFINITY;
    for (const Vector3& p : a) {
      for (const Vector3& q : b) nearest = std::min(nearest, (p - q).norm());
    }
    const double lower = lower_distance(va, vb);
    EXPECT_LE(lower, nearest * (1.0 + 1e-15)) << "trial " << trial;
    if (lower > 0.0) {
      EXPECT_FALSE(overlap(va, vb)) << "trial " << trial;
    }
    apart += lower > 0.0 ? 1 : 0;
    b.push_back(a[0]);
    EXPECT_TRUE(overlap(va, fit<TypeParam>(b))) << "trial " << trial;
    EXPECT_EQ(lower_distance(va, fit<TypeParam>(b)), 0.0);
  }
  EXPECT_GT(apart, 50);
}

// Triangles: the volume of a triangle is close to it, so the bound is worth something.
TEST(RectangleSweptSphere, distance_of_flat_rectangles_is_that_of_the_rectangles) {
  Random random(4);
  for (int trial = 0; trial < 400; ++trial) {
    std::array<std::array<Vector3, 4>, 2> corner;
    std::array<RectangleSweptSphere, 2> v;
    for (int side = 0; side < 2; ++side) {
      v[side].center = random.in_box(1.5);
      v[side].axes = Eigen::AngleAxisd(random.uniform(0.0, 3.0), random.on_sphere()).toRotationMatrix();
      v[side].half = {random.unit(), random.unit()};
      if (trial % 4 == 0) v[side].axes = Matrix3::Identity();
      const Vector3 x = v[side].half.x() * v[side].axes.col(0), y = v[side].half.y() * v[side].axes.col(1);
      corner[side] = {v[side].center - x - y, v[side].center + x - y, v[side].center + x + y,
                      v[side].center - x + y};
    }
    double truth = INFINITY;
    for (int i = 0; i < 4; ++i) {
      const auto half = [](const std::array<Vector3, 4>& c, int k) {
        return k == 0 ? oracle::Corners{c[0], c[1], c[2]} : oracle::Corners{c[0], c[2], c[3]};
      };
      truth = std::min(
          truth, oracle::exact_triangle_distance(half(corner[0], i / 2), half(corner[1], i % 2)).distance);
    }
    EXPECT_NEAR(lower_distance(v[0], v[1]), truth, 2e-11) << "trial " << trial;
  }
}

TEST(Obb, follows_the_hull_not_the_density_of_points) {
  Random random(5);
  std::vector<Vector3> points;
  const Matrix3 turn = Eigen::AngleAxisd(0.7, Vector3(1, 2, 3).normalized()).toRotationMatrix();
  for (int i = 0; i < 8; ++i) {
    points.push_back(turn * Vector3((i & 1) ? 4 : -4, (i & 2) ? 2 : -2, (i & 4) ? 1 : -1));
  }
  for (int i = 0; i < 20; ++i) points.push_back(turn * (Vector3(3.5, 1.5, 0.5) + random.in_box(0.4)));
  const Obb box = fit<Obb>(points);
  EXPECT_NEAR(box.half.prod(), 8.0, 1e-9);
}

}  // namespace
}  // namespace toccata
