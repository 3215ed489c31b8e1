#pragma once
// The Minkowski difference of two cores, { x - y : x in a, y in b }, in the coordinates of b's core: their
// distance is that of the difference from the origin, their depth how deep the origin lies inside.
#include <cstdint>
#include <optional>

#include "elementary/convex_set.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata::convex {

struct DifferencePoint {
  Vector3 difference;  // of_a - of_b
  Vector3 of_a;
  Vector3 of_b;
  std::int32_t vertex_a;  // Support::vertex
  std::int32_t vertex_b;
};

// The cores without their places and radii, and how far rounding can lead astray.
struct Difference {
  const ConvexSet* a;
  const ConvexSet* b;
  std::optional<Pose> composed;  // placed sets only
  const Pose& a_to_b;            // of the cores
  double scale = 0.0;  // no coordinate that enters a sum is larger: reach of a, translation, reach of b
  // Of heights: a direction n of unit length (to rounding) and the point w found along -n have
  // n . x >= n . w - height_error for all x of the difference. docs/notes/convex_bounds.md counts them.
  double height_error = 0.0;
  double point_error = 0.0;  // of weighted sums of points

  Difference(const ConvexSet& set_a, const Pose& set_a_to_b, const ConvexSet& set_b)
      : a(&set_a),
        b(&set_b),
        composed(set_a.is_placed || set_b.is_placed ? composed_pose(set_a, set_a_to_b, set_b) : std::nullopt),
        a_to_b(composed ? *composed : set_a_to_b) {
    scale = core_reach(set_a) + core_reach(set_b) + a_to_b.translation.norm();
    // 40 u of all lengths that enter for corners; curved cores have 24 u more in the points that realise the
    // heights (docs/notes/convex_bounds.md).
    const bool has_corners = is_polytope();
    height_error = (has_corners ? 40.0 : 64.0) * unit_roundoff * scale;
    point_error = (has_corners ? 16.0 : 32.0) * unit_roundoff * scale;
    if (composed) add_composition(set_a_to_b);
  }

  Difference(const Difference&) = delete;
  Difference& operator=(const Difference&) = delete;

  bool is_polytope() const { return toccata::is_polytope(*a) && toccata::is_polytope(*b); }

  static std::optional<Pose> composed_pose(const ConvexSet& set_a, const Pose& set_a_to_b,
                                           const ConvexSet& set_b);
  // A composed pose was rounded at the lengths of all that was composed.
  void add_composition(const Pose& set_a_to_b);

  // The farthest point of the difference against `direction`.
  DifferencePoint farthest_against(const Vector3& direction) const {
    const Support p = core_support(*a, a_to_b.rotation.transpose() * -direction);
    const Support q = core_support(*b, direction);
    DifferencePoint point;
    point.of_a = a_to_b.apply(p.point);
    point.of_b = q.point;
    point.difference = point.of_a - point.of_b;
    point.vertex_a = p.vertex;
    point.vertex_b = q.vertex;
    return point;
  }

  // The same, or a point near it that is found from the vertices of `near` on. True: it is the same, which
  // `prove_against` makes of what is found otherwise.
  bool find_against(const Vector3& direction, const DifferencePoint& near, DifferencePoint& found) const;
  void prove_against(const Vector3& direction, DifferencePoint& found) const;

  // Of two corners of polytopes.
  DifferencePoint of_corners(std::int32_t vertex_a, std::int32_t vertex_b) const {
    DifferencePoint point;
    point.of_a = a_to_b.apply(corner_of(*a, vertex_a));
    point.of_b = corner_of(*b, vertex_b);
    point.difference = point.of_a - point.of_b;
    point.vertex_a = vertex_a;
    point.vertex_b = vertex_b;
    return point;
  }
};

}  // namespace toccata::convex
