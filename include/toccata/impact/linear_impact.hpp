#pragma once
// When do two features first touch, if every point moves on a straight line from t = 0 to t = 1?
//
// The question is exact: is there a t in [0, 1] at which the closed features share a point, in real
// arithmetic on the doubles as given (x(t) = (1-t) x_t0 + t x_t1). No false positive, no false negative;
// degenerate features, coplanar motion and contact at t = 0 included. Coordinates must be finite.
#include <array>
#include <cstddef>
#include <cstdint>
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
  // the first time with distance <= d, and only when the distance is at most d * (1 + this) + 2^-48 m, m
  // the largest difference of two coordinates (the rounding of the closest points). lower = upper = time,
  // and weights, point and normal are those of the closest points.
  double relative_distance_tolerance = 1e-6;
  // Upper limit on the subdivisions of one query; 0 = none. When it runs out the status is OutOfBudget. So
  // it is, whatever the budget, where minimum_distance times the tolerance is below 2^-48 m. The exact stages
  // do not count: they always end, in microseconds for coordinates of similar size, in milliseconds where
  // exponents differ by hundreds.
  std::int64_t budget = 0;
};

Impact vertex_face_impact(const LinearMotion4& motion, const LinearImpactOptions& options = {});
Impact edge_edge_impact(const LinearMotion4& motion, const LinearImpactOptions& options = {});
Impact vertex_edge_impact(const LinearMotion4& motion, const LinearImpactOptions& options = {});
Impact vertex_vertex_impact(const LinearMotion4& motion, const LinearImpactOptions& options = {});

// Many queries in structure-of-arrays form: coordinates[12 * end + 3 * point + axis][query], end 0 = t0,
// 1 = t1. The arrays may be anywhere; those of LinearMotionColumns (linear_motion_columns.hpp) are read
// fastest.
struct LinearMotionBatch {
  std::array<const double*, 24> coordinates{};
  std::size_t size = 0;
};

// Most queries of a batch end separated, so only the others carry a full answer.
struct LinearImpactBatchResult {
  std::vector<ImpactStage> stages;     // of every query: the stage that decided it
  std::vector<std::uint32_t> indices;  // ascending: the queries that did not end Separated
  std::vector<Impact> impacts;         // their answers, in the same order
};

// The answers are bit-identical to the single calls, whatever the instruction set and `threads`
// (0 = all cores). At most 2^32 - 1 queries a batch.
LinearImpactBatchResult vertex_face_impacts(const LinearMotionBatch& batch,
                                            const LinearImpactOptions& options = {}, int threads = 0);
LinearImpactBatchResult edge_edge_impacts(const LinearMotionBatch& batch,
                                          const LinearImpactOptions& options = {}, int threads = 0);

}  // namespace toccata
