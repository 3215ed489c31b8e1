#include "toccata/elementary/ray_triangle.hpp"

#include <gtest/gtest.h>

#include "oracle/exact_triangles.hpp"
#include "toccata/base/random.hpp"

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

}  // namespace
}  // namespace toccata
