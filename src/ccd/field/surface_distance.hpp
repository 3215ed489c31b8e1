#pragma once
// How far a point of a body's frame is from its surface: from a field where that is enough, else from the
// mesh.
#include <memory>
#include <optional>

#include "proximity/point_distance/nearest_triangle.hpp"
#include "toccata/ccd/particle_paths.hpp"
#include "toccata/field/distance_field.hpp"
#include "toccata/proximity/signed_distance.hpp"
#include "toccata/report/particle_contacts.hpp"

namespace toccata::field {

// What is asked for the distance: a shape, and a field of it if there is one.
struct Surface {
  Shape shape;
  const DistanceField* field = nullptr;
  bool refine = true;
  bool is_full = false;  // who is inside touches it
};

// One thread; remembers where it was last.
class SurfaceDistance {
 public:
  explicit SurfaceDistance(const Surface& surface);

  struct Bounds {
    double lower = 0.0;  // of the distance from the surface, without a sign
    double upper = 0.0;
    std::int32_t triangle = -1;  // one that is near, if known
  };
  // near: closer than that the bounds should be as narrow as can be. far: beyond it upper may be infinite.
  Bounds operator()(const Vector3& point, double near, double far);

  bool is_inside(const Vector3& point);
  // Distance, nearest point, normal and feature there.
  void describe(const Vector3& point, ParticleContact& contact);
  // Of a point that is known to be in the body.
  void describe_inside(const Vector3& point, ParticleContact& contact);

 private:
  bool is_in_field(const Vector3& point) const;
  Bounds from_field(const Vector3& point) const;

  const Surface& surface_;
  PlacedShape placed_;
  std::optional<point_distance::NearestTriangleSearch> search_;
};

}  // namespace toccata::field
