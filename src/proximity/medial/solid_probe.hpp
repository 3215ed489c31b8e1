#pragma once
// How deep is a point in a solid? Many points of one closed mesh, one after the other.
#include <cstdint>
#include <vector>

#include "proximity/point_distance/nearest_triangle.hpp"
#include "toccata/proximity/placed_shape.hpp"

namespace toccata::medial {

struct Probed {
  double lower = 0.0;  // proven: the signed distance, negative inside, is no less and no more
  double upper = 0.0;
  Vector3 nearest = Vector3::Zero();  // of the surface
  std::int32_t triangle = -1;         // that it is in
  bool is_inside() const { return upper < 0.0; }
};

// One thread.
class SolidProbe {
 public:
  // precondition: a closed mesh with triangles; it must outlive the probe
  explicit SolidProbe(const PlacedShape& solid) : solid_(solid), search_(solid) {}

  Probed operator()(const Vector3& point);
  // Without the side: not negative.
  Probed distance(const Vector3& point);

 private:
  // No surface enters it: all of it is on one side.
  struct FreeBall {
    Vector3 center;
    double radius;
    bool is_inside;
  };

  const PlacedShape& solid_;
  point_distance::NearestTriangleSearch search_;
  std::vector<FreeBall> free_;
  std::size_t oldest_ = 0;
};

}  // namespace toccata::medial
