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
  Balls,      // the hull of balls about `points`, three at most; half: their radii
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
  // Upper bound of the distance of points of the core from the origin of its own coordinates; negative: not
  // known, and found out whenever it is needed. The makers below know it.
  double reach = -1.0;
};

// Sets that know their reach. The points must outlive the set.
ConvexSet set_of_points(std::span<const Vector3> points, double radius = 0.0,
                        const HullIndex* index = nullptr);
// The hull of three balls at most. What all radii share is better told as `radius`: then one of `radii` is 0.
ConvexSet set_of_balls(std::span<const Vector3> centers, const Vector3& radii, double radius = 0.0);
ConvexSet set_of_core(Core core, const Vector3& half, double radius = 0.0);

struct Support {
  Vector3 point = Vector3::Zero();  // of the core, without the radius
  double value = 0.0;               // direction . point, without the radius
  std::int32_t vertex = -1;         // of points and boxes (bit i of a box's: the positive side of axis i)
};

// The farthest point of the core along the direction (any length, finite). The true support height of the
// core differs from `value` by at most support_error(set) times the length of the direction.
Support support(const ConvexSet& set, const Vector3& direction);
double support_error(const ConvexSet& set);

// Upper bound of |x| over the core in its own coordinates: without its place and radius.
double found_reach(const ConvexSet& set);
inline double core_reach(const ConvexSet& set) {
  return set.reach >= 0.0 ? set.reach : found_reach(set);
}

// Whether the core has corners and nothing else: points and boxes.
inline bool is_polytope(const ConvexSet& set) {
  return set.core == Core::Points || set.core == Core::Box;
}

// The corners of a polytope, in the core's own coordinates; their numbers are those of Support::vertex.
inline std::int32_t corner_count(const ConvexSet& set) {
  return set.core == Core::Box ? 8 : static_cast<std::int32_t>(set.points.size());
}
inline Vector3 corner_of(const ConvexSet& set, std::int32_t vertex) {
  if (set.core != Core::Box) return set.points[static_cast<std::size_t>(vertex)];
  return {(vertex & 1) != 0 ? set.half.x() : -set.half.x(), (vertex & 2) != 0 ? set.half.y() : -set.half.y(),
          (vertex & 4) != 0 ? set.half.z() : -set.half.z()};
}

// As support(), in the core's own coordinates: the place is not looked at.
Support core_support(const ConvexSet& set, const Vector3& direction);

// Upper bound of the distance of any point of the set, its radius included, from `center`.
double reach_from(const ConvexSet& set, const Vector3& center);

}  // namespace toccata
