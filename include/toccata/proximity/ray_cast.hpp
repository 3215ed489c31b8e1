#pragma once
// Where does a ray first meet a shape? Of triangles, whether it does is exact on the rounded world
// coordinates; of the other kinds a miss is proven and a hit is right to rounding (curved kinds: to 1e-9 of
// their size).
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
  // Unit, outwards (of a triangle: counter-clockwise is outside); zero if it is degenerate, or if the ray
  // starts inside of a convex kind, which it meets at once.
  Vector3 normal = Vector3::Zero();
  std::int32_t triangle = -1;  // of a mesh; of other shapes the piece. The lowest number among equals
  QueryStats stats;
};

RayCastResult ray_cast(const PlacedShape& shape, const Ray& ray, const RayCastOptions& options = {});

// Every triangle the ray meets, by parameter and number: of the meshes among a shape's pieces.
struct RayCrossing {
  std::int32_t triangle = -1;  // of a compound: its number as a piece
  RayTriangleResult crossing;
};
std::vector<RayCrossing> ray_crossings(const PlacedShape& shape, const Ray& ray);

}  // namespace toccata
