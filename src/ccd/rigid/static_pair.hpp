#pragma once
// Two bodies held still at one time, on the same trees as the search in time.
#include <array>
#include <vector>

#include "ccd/rigid/pair_state.hpp"
#include "toccata/report/contact.hpp"

namespace toccata {

struct NearestTriangles {
  double distance = 0.0;  // of the two triangles; 0 where they meet
  std::int32_t triangle_a = -1;
  std::int32_t triangle_b = -1;
};

// The distance of one pair, right up to state.gap_padding.
double triangle_distance_at(const PairState& state, const RigidShapeData& a, std::int32_t triangle_a,
                            const RigidShapeData& b, std::int32_t triangle_b);

// The nearest pair of triangles among those nearer than `below`; ids -1 and distance `below` if there is
// none. Right up to state.gap_padding.
NearestTriangles nearest_triangles(const PairState& state, const RigidShapeData& a, const RigidShapeData& b,
                                   double below, QueryStats& stats);

// Two triangles that are near each other, without any promise: the nearest box is opened on and on. Both
// shapes must have triangles.
NearestTriangles some_near_triangles(const PairState& state, const RigidShapeData& a, const RigidShapeData& b,
                                     QueryStats& stats);

// A lower bound on the distance, less state.gap_padding as above: as good as `budget` pairs of boxes
// (two triangles count as sixteen) make it, and not above `enough`.
double proven_gap(const PairState& state, const RigidShapeData& a, const RigidShapeData& b, double enough,
                  std::int64_t budget, QueryStats& stats);

// All pairs of triangles within `distance` (up to state.gap_padding, which is allowed for), sorted by ids.
std::vector<NearestTriangles> triangles_within(const PairState& state, const RigidShapeData& a,
                                               const RigidShapeData& b, double distance, QueryStats& stats);

// Corners relative to the shape's centre.
std::array<Vector3, 3> corners_of(const RigidShapeData& shape, std::int32_t triangle);

}  // namespace toccata
