#pragma once
// A shape where it stands: what the questions without time are asked of.
#include <utility>

#include "toccata/base/pose.hpp"
#include "toccata/hierarchy/shape.hpp"

namespace toccata {

// All questions are answered for the world coordinates rotation * x + translation rounded to double (at most
// four roundings per coordinate); the rotation must be orthonormal to 1e-14. A shape alone stands at the
// identity.
struct PlacedShape {
  PlacedShape(Shape placed, const Pose& place = {}) : shape(std::move(placed)), pose(place) {}
  PlacedShape(TriangleMesh mesh, const Pose& place = {}) : shape(std::move(mesh)), pose(place) {}
  template <GeometryKind G>
  requires(!std::same_as<G, TriangleMesh>) PlacedShape(G geometry, const Pose& place = {})
      : shape(std::move(geometry)), pose(place) {}

  Shape shape;
  Pose pose;
};

// Two shapes of a batch.
struct PlacedPair {
  PlacedShape a;
  PlacedShape b;
};

}  // namespace toccata
