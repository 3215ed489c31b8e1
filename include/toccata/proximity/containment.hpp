#pragma once
// Is a shape inside the volume of another? A question of its own: `intersects` and `distance` see only the
// surfaces of meshes.
#include <string_view>

#include "toccata/proximity/placed_shape.hpp"

namespace toccata {

enum class Containment {
  Inside,     // every part of the inner shape is inside
  Outside,    // every part is outside
  Mixed,      // no surfaces meet, but parts of the inner shape are inside and parts outside
  Crossing,   // the surfaces meet, or a part that is full overlaps the outer shape without being inside it
  Undefined,  // the outer mesh is not closed, or a shape has no pieces
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

// Of meshes by parity: a point is inside when a ray from it crosses the outer surface an odd number of times.
// Exact on the rounded world coordinates: rays that graze an edge or a corner are thrown again in another
// direction. Of convex pieces by proof; curved inner pieces within a thousandth of their size of the outer
// surface may be said to cross it. Convex parts of a compound that overlap hold together what is inside all
// of them taken as one; where a piece goes from one into the next they must overlap by a twentieth of its
// size, or it may be said to cross. A mesh among the parts is a surface that must not be met.
Containment containment(const PlacedShape& inner, const PlacedShape& outer);

// The same for one point (world). A point on the surface counts as Crossing.
Containment point_containment(const Vector3& point, const PlacedShape& outer);

}  // namespace toccata
