#pragma once
// A convex set as solvers see it: every point within `radius` of a core, in the coordinates of its shape. All
// convex kinds of geometry, and triangles where they meet one, are handed over as this; what is asked of
// it is how far it reaches along a direction.
#include <cstdint>
#include <span>

#include "toccata/base/pose.hpp"
#include "toccata/base/vector.hpp"

namespace toccata {

struct HullIndex;  // large hulls: what finds the farthest vertex without asking all of them

enum class Core : std::uint8_t {
  Points,     // the hull of `points`
  Box,        // |x_i| <= half_i
  Cylinder,   // x^2 + y^2 <= half_x^2, |z| <= half_z
  Cone,       // base at -half_z with radius half_x, tip at half_z
  Ellipsoid,  // half: the radii
};

struct ConvexSet {
  Core core = Core::Points;
  double radius = 0.0;
  Vector3 half = Vector3::Zero();
  std::span<const Vector3> points;   // they must outlive the set
  const HullIndex* index = nullptr;  // of points; none for few
  // Of the core in the shape (parts of compounds); the identity otherwise, which is then spared.
  Pose place;
  bool is_placed = false;
};

struct Support {
  Vector3 point = Vector3::Zero();  // of the core, without the radius
  double value = 0.0;               // direction . point, without the radius
  std::int32_t vertex = -1;         // of points and boxes (bit i of a box's: the positive side of axis i)
};

// The farthest point of the core along the direction (any length, finite). The true support height of the
// core differs from `value` by at most support_error(set) times the length of the direction.
Support support(const ConvexSet& set, const Vector3& direction);
double support_error(const ConvexSet& set);

// Upper bound of the distance of any point of the set, its radius included, from `center`.
double reach_from(const ConvexSet& set, const Vector3& center);

}  // namespace toccata
