#pragma once
// Where does a ray first meet a mesh? Whether it does is exact on the rounded world coordinates.
#include <cstdint>
#include <limits>
#include <vector>

#include "toccata/elementary/ray_triangle.hpp"
#include "toccata/proximity/placed_shape.hpp"
#include "toccata/report/query_stats.hpp"

namespace toccata {

struct RayCastOptions {
  double limit = std::numeric_limits<double>::infinity();  // largest parameter that counts
};

struct RayCastResult {
  bool hit = false;
  // The rest holds when hit.
  double parameter = 0.0;  // the point is origin + parameter * direction
  Vector3 point = Vector3::Zero();
  Vector3 normal = Vector3::Zero();  // unit, of the triangle, counter-clockwise outside; zero if degenerate
  std::int32_t triangle = -1;        // the lowest id among equals
  QueryStats stats;
};

RayCastResult ray_cast(const PlacedShape& shape, const Ray& ray, const RayCastOptions& options = {});

// Every triangle the ray meets, by parameter and id.
struct RayCrossing {
  std::int32_t triangle = -1;
  RayTriangleResult crossing;
};
std::vector<RayCrossing> ray_crossings(const PlacedShape& shape, const Ray& ray);

}  // namespace toccata
