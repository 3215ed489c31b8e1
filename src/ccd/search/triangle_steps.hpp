#pragma once
// For two triangles in motion: how long are they proven apart? As box_steps, with the vertices themselves and
// in double precision, along sixteen directions: the edge pairs, the normals, the line of centres, the line
// across the relative motion and the normals of three edges in the plane of the first.
#include <array>

#include "ccd/search/pair_state.hpp"

namespace toccata::search {

// Corners and their velocities, seen from b's frame at one time.
struct TrianglePairState {
  std::array<Vector3, 3> a;
  std::array<Vector3, 3> b;
  std::array<Vector3, 3> velocity_a;
  std::array<Vector3, 3> velocity_b;
  double acceleration = 0.0;  // bound for any two points
  // The shares of it that stay across an axis: of a, of b.
  struct Turn {
    Vector3 axis = Vector3::Zero();  // unit
    double acceleration = 0.0;
  };
  std::array<Turn, 2> turn;
  double angle_padding = 0.0;
};

TrianglePairState triangle_pair_state(const PairState& state, const std::array<Vector3, 3>& body_a,
                                      const std::array<Vector3, 3>& body_b);

struct TriangleStep {
  double step = 0.0;  // in time; they stay more than `distance` apart during it; zero if that cannot be told
  bool is_far = false;  // they are proven more than distance + reach apart now
};

TriangleStep triangle_step(const PairState& state, const std::array<Vector3, 3>& body_a,
                           const std::array<Vector3, 3>& body_b, double distance, double reach);

// The step along one direction (any length), in double. gap_padding and rate_padding as in PairState.
double triangle_step_along(const TrianglePairState& pair, const Vector3& direction, double distance,
                           double gap_padding, double rate_padding);

}  // namespace toccata::search
