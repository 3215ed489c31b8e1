#pragma once
// Is a mesh inside the volume that a closed mesh encloses? A question of its own: `intersects` and `distance`
// see surfaces only.
#include <string_view>

#include "toccata/proximity/placed_shape.hpp"

namespace toccata {

enum class Containment {
  Inside,     // every part of the inner mesh is inside
  Outside,    // every part is outside
  Mixed,      // no surfaces meet, but parts of the inner mesh are inside and parts outside
  Crossing,   // the surfaces meet
  Undefined,  // the outer mesh is not closed, or a mesh has no triangles
};

constexpr std::string_view to_string(Containment containment) {
  switch (containment) {
    case Containment::Inside:
      return "inside";
    case Containment::Outside:
      return "outside";
    case Containment::Mixed:
      return "mixed";
    case Containment::Crossing:
      return "crossing";
    case Containment::Undefined:
      return "undefined";
  }
  return "unknown";
}

// By parity: a point is inside when a ray from it crosses the outer surface an odd number of times. Exact on
// the rounded world coordinates: rays that graze an edge or a corner are thrown again in another direction.
Containment containment(const PlacedShape& inner, const PlacedShape& outer);

// The same for one point (world). A point on the surface counts as Crossing.
Containment point_containment(const Vector3& point, const PlacedShape& outer);

}  // namespace toccata
