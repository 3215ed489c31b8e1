#pragma once
// The primitives of a medial mesh as hulls of balls.
#include "toccata/bound/aabb.hpp"
#include "toccata/elementary/ball_hull.hpp"
#include "toccata/geometry/medial_mesh.hpp"

namespace toccata::medial {

inline BallHull ball_hull_of(const MedialMesh& mesh, const MedialPrimitive& primitive) {
  BallHull hull;
  hull.count = 0;
  for (const std::int32_t ball : primitive) {
    if (ball < 0) continue;
    const auto i = static_cast<std::size_t>(ball), k = static_cast<std::size_t>(hull.count++);
    hull.center[k] = mesh.centers[i];
    hull.radius[k] = mesh.radii[i];
  }
  return hull;
}

// Up to a rounding of its coordinates.
inline Aabb box_of(const BallHull& hull) {
  Aabb box = {hull.center[0], hull.center[0]};
  for (std::size_t i = 0; i < static_cast<std::size_t>(hull.count); ++i) {
    box.lower = box.lower.cwiseMin((hull.center[i].array() - hull.radius[i]).matrix());
    box.upper = box.upper.cwiseMax((hull.center[i].array() + hull.radius[i]).matrix());
  }
  return box;
}

}  // namespace toccata::medial
