#include "toccata/elementary/point_triangle.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "oracle/exact_triangles.hpp"
#include "toccata/base/random.hpp"
#include "toccata/elementary/segment_segment.hpp"

namespace toccata {
namespace {

TEST(PointTriangle, agrees_with_rationals) {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    Triangle t;
    const double width = i % 2 == 0 ? 1.0 : std::pow(10.0, random.uniform(-16.0, 0.0));
    t[0] = random.in_box(1.0);
    t[1] = random.in_box(1.0);
    t[2] = t[0] + random.unit() * (t[1] - t[0]) + width * random.on_sphere();
    const Vector3 p = i % 3 == 0 ? Vector3(random.in_box(2.0))
                                 : Vector3(t[0] + 0.4 * (t[1] - t[0]) + width * random.on_sphere());
    const PointTriangleDistance d = point_triangle_distance(p, t);
    EXPECT_NEAR(std::sqrt(d.squared_distance), oracle::exact_triangle_distance({p, p, p}, t).distance, 1e-14);
    EXPECT_NEAR((d.weights[0] * t[0] + d.weights[1] * t[1] + d.weights[2] * t[2] - d.point).norm(), 0.0,
                1e-14);
    EXPECT_EQ(d.squared_distance, (p - d.point).squaredNorm());
  }
}

TEST(PointTriangle, names_the_feature) {
  const Triangle t = {Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0)};
  const auto kind = [&](double x, double y) { return point_triangle_distance({x, y, 1.0}, t).feature.kind; };
  EXPECT_EQ(kind(0.2, 0.2), FeatureKind::Face);
  EXPECT_EQ(kind(0.5, -1.0), FeatureKind::Edge);
  EXPECT_EQ(kind(-1.0, -1.0), FeatureKind::Vertex);
  EXPECT_EQ(point_triangle_distance({2.0, -1.0, 0.0}, t).feature.index, 1);
  EXPECT_EQ(point_triangle_distance({1.0, 1.0, 0.0}, t).feature.index, 1);
}

TEST(SegmentSegment, agrees_with_rationals) {
  Random random(2);
  for (int i = 0; i < 2000; ++i) {
    const double lift = std::pow(10.0, random.uniform(-17.0, 0.0));
    Segment a = {random.in_box(1.0), random.in_box(1.0)};
    Segment b = {random.in_box(1.0), random.in_box(1.0)};
    if (i % 3 == 0) {  // nearly parallel
      b.start = a.start + random.unit() * (a.end - a.start) + lift * random.on_sphere();
      b.end = b.start + random.uniform(-1.0, 1.0) * (a.end - a.start) + lift * random.on_sphere();
    }
    if (i % 17 == 0) b.end = b.start;
    const SegmentSegmentDistance d = segment_segment_distance(a, b);
    const double truth =
        oracle::exact_triangle_distance({a.start, a.end, a.end}, {b.start, b.end, b.end}).distance;
    EXPECT_NEAR(std::sqrt(d.squared_distance), truth, 1e-14) << "trial " << i;
    EXPECT_NEAR((a.start + d.parameter_a * (a.end - a.start) - d.point_a).norm(), 0.0, 1e-14);
    EXPECT_NEAR((b.start + d.parameter_b * (b.end - b.start) - d.point_b).norm(), 0.0, 1e-14);
  }
}

}  // namespace
}  // namespace toccata
