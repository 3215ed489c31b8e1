#include "toccata/elementary/ray_triangle.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "oracle/exact_triangles.hpp"
#include "toccata/base/random.hpp"
#include "toccata/elementary/orientation.hpp"

namespace toccata {
namespace {

// The ray as a long segment: with grid data and 1000 units of length, exact.
bool meets(const Ray& ray, const Triangle& t) {
  const Vector3 far = ray.origin + 1024.0 * ray.direction;
  return oracle::exact_triangle_distance({ray.origin, far, far}, t).meet;
}

TEST(RayTriangle, whether_it_hits_is_exact_on_grid_data) {
  Random random(1);
  int hits = 0;
  for (int i = 0; i < 3000; ++i) {
    Triangle t;
    for (Vector3& p : t) p = Vector3(random.integer(-2, 2), random.integer(-2, 2), random.integer(-2, 2));
    Ray ray;
    ray.origin = Vector3(random.integer(-3, 3), random.integer(-3, 3), random.integer(-3, 3));
    ray.direction = Vector3(random.integer(-2, 2), random.integer(-2, 2), random.integer(-2, 2));
    if (ray.direction.isZero()) continue;
    const RayTriangleResult result = ray_triangle(ray, t);
    ASSERT_EQ(result.hit != RayHit::Miss, meets(ray, t)) << "trial " << i;
    if (result.hit == RayHit::Miss) continue;
    ++hits;
    // The reported point is on the triangle, and the ray before it is free.
    const Vector3 point = ray.origin + result.parameter * ray.direction;
    EXPECT_LE(oracle::exact_triangle_distance({point, point, point}, t).distance, 1e-13) << "trial " << i;
    if (result.parameter > 1e-6) {
      const Vector3 before = ray.origin + (result.parameter - 1e-6) * ray.direction;
      EXPECT_FALSE(oracle::exact_triangle_distance({ray.origin, before, before}, t).meet) << "trial " << i;
    }
  }
  EXPECT_GT(hits, 100);
}

TEST(RayTriangle, tells_interior_from_boundary) {
  const Triangle t = {Vector3(0, 0, 1), Vector3(1, 0, 1), Vector3(0, 1, 1)};
  EXPECT_EQ(ray_triangle({Vector3(0.25, 0.25, 0), Vector3(0, 0, 2)}, t).hit, RayHit::Interior);
  EXPECT_EQ(ray_triangle({Vector3(0.25, 0.25, 0), Vector3(0, 0, 2)}, t).parameter, 0.5);
  EXPECT_EQ(ray_triangle({Vector3(0.5, 0.5, 0), Vector3(0, 0, 1)}, t).hit, RayHit::Boundary);
  EXPECT_EQ(ray_triangle({Vector3(0, 0, 0), Vector3(0, 0, 1)}, t).hit, RayHit::Boundary);
  EXPECT_EQ(ray_triangle({Vector3(-1, 0.25, 1), Vector3(1, 0, 0)}, t).hit, RayHit::Coplanar);
  EXPECT_EQ(ray_triangle({Vector3(-1, 0.25, 1), Vector3(1, 0, 0)}, t).parameter, 1.0);
  EXPECT_EQ(ray_triangle({Vector3(0.25, 0.25, 2), Vector3(0, 0, 1)}, t).hit, RayHit::Miss);
}

// Rays through edges, corners and the plane of the triangle up to rounding, of lengths from 1e-90 to 1e90: a
// hit is one by the exact signs.
TEST(RayTriangle, is_exact_next_to_edges_and_planes) {
  Random random(2);
  int hits = 0, close = 0;
  for (int i = 0; i < 20000; ++i) {
    const double scale = i % 4 == 0 ? std::pow(10.0, random.uniform(-90.0, 90.0)) : 1.0;
    Triangle t;
    for (Vector3& p : t) p = scale * random.in_box(1.0);
    const double u = i % 3 == 0 ? 0.0 : random.unit(), w = i % 5 == 0 ? 0.0 : (1.0 - u) * random.unit();
    const double bump = std::pow(10.0, random.uniform(-18.0, -12.0));
    const Vector3 aim = t[0] + u * (t[1] - t[0]) + w * (t[2] - t[0]) + bump * scale * random.on_sphere();
    const double before = i % 7 == 0 ? bump : random.uniform(-0.1, 3.0);
    Ray ray;
    ray.direction = random.on_sphere() * std::pow(10.0, i % 8 == 0 ? random.uniform(-90.0, 90.0) : 0.0);
    ray.origin = aim - before * scale * ray.direction.normalized();
    const auto side = [&](std::size_t from, std::size_t to) {
      return line_side_3d(ray.origin, ray.direction, t[from], t[to]);
    };
    const int ab = side(0, 1), bc = side(1, 2), ca = side(2, 0);
    const bool crosses = ab * bc > 0 && bc * ca > 0;
    const bool is_ahead = orientation_3d(t[0], t[1], t[2], ray.origin) * ab <= 0;
    const RayHit hit = ray_triangle(ray, t).hit;
    ASSERT_EQ(hit == RayHit::Interior, crosses && is_ahead) << i;
    if (ab * bc < 0 || bc * ca < 0 || ca * ab < 0) {
      ASSERT_EQ(hit, RayHit::Miss) << i;
    }
    hits += hit == RayHit::Interior;
    close += crosses && !is_ahead;
  }
  EXPECT_GT(hits, 3000);
  EXPECT_GT(close, 100);
}

}  // namespace
}  // namespace toccata
