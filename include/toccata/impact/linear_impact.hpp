#pragma once
// When do two features first touch, if every point moves on a straight line from t = 0 to t = 1?
//
// The question is exact: is there a t in [0, 1] at which the closed features share a point, in real
// arithmetic on the doubles as given (x(t) = (1-t) x_t0 + t x_t1). No false positive, no false negative;
// degenerate features, coplanar motion and contact at t = 0 included. Coordinates must be finite.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "toccata/base/vector.hpp"
#include "toccata/report/impact.hpp"

namespace toccata {

// Four points at the two ends of the motion.
// vertex-face: v, f0, f1, f2.  edge-edge: a0, a1, b0, b1.  vertex-edge: v, e0, e1.  vertex-vertex: v, w.
struct LinearMotion4 {
  std::array<Vector3, 4> t0;
  std::array<Vector3, 4> t1;
};

struct LinearImpactOptions {
  bool boolean_only = false;      // stop as soon as contact or separation is known; times are then [0, 1]
  double t_max = 1.0;             // look at [0, t_max] only
  double minimum_distance = 0.0;  // > 0: the first time the features come within this distance
  // With minimum_distance d > 0 the answer is conservative: contact is reported at a time not later than
  // the first time with distance <= d, and never while the distance stays above d * (1 + this).
  double relative_distance_tolerance = 1e-6;
  // Upper limit on the subdivisions of one query; 0 = none. When it runs out the status is OutOfBudget.
  std::int64_t budget = 0;
};

Impact vertex_face_impact(const LinearMotion4& motion, const LinearImpactOptions& options = {});
Impact edge_edge_impact(const LinearMotion4& motion, const LinearImpactOptions& options = {});
Impact vertex_edge_impact(const LinearMotion4& motion, const LinearImpactOptions& options = {});
Impact vertex_vertex_impact(const LinearMotion4& motion, const LinearImpactOptions& options = {});

// Many queries in structure-of-arrays form: coordinates[12 * end + 3 * point + axis][query], end 0 = t0,
// 1 = t1. The answers are bit-identical to the single calls, whatever the instruction set and `threads`
// (0 = all cores).
struct LinearMotionBatch {
  std::array<const double*, 24> coordinates{};
  std::size_t size = 0;
};

std::vector<Impact> vertex_face_impacts(const LinearMotionBatch& batch,
                                        const LinearImpactOptions& options = {}, int threads = 0);
std::vector<Impact> edge_edge_impacts(const LinearMotionBatch& batch,
                                      const LinearImpactOptions& options = {}, int threads = 0);

}  // namespace toccata
