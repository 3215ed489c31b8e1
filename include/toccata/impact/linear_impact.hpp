#pragma once
// When do two features first touch, if every point moves on a straight line from t = 0 to t = 1?
//
// The question is exact: is there a t in [0, 1] at which the closed features share a point, in real
// arithmetic on the doubles as given (x(t) = (1-t) x_t0 + t x_t1). No false positive, no false negative;
// degenerate features, coplanar motion and contact at t = 0 included.
//
// A coordinate that is NaN or infinite, or an option out of its range, ends as Status::Failed, never as
// Separated. Of vertex_edge and vertex_vertex only the points that count are looked at.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "toccata/base/stop.hpp"
#include "toccata/base/tolerances.hpp"
#include "toccata/impact/linear_motion.hpp"
#include "toccata/report/impact.hpp"

namespace toccata {

// With a minimum distance and budget 0 the search ends after so many steps, OutOfBudget. It needs a few dozen
// unless the features slide along each other at nearly that distance.
inline constexpr std::int64_t distance_step_limit = 20000;

struct LinearImpactOptions {
  // Stop as soon as contact or separation is known. A contact's bracket is then [0, t_max] and its place is
  // not given; the status, an overlap at the start included, is the same. No difference with a minimum
  // distance.
  bool boolean_only = false;
  // Look at [0, t_max] only; in [0, 1].
  double t_max = 1.0;
  // > 0: the first time the features come within this distance; finite.
  double minimum_distance = 0.0;
  // With minimum_distance d > 0 the answer is conservative: contact is reported at a time not later than
  // the first time with distance <= d, and only when the distance is at most d * (1 + this) + 2^-48 m, m
  // the largest difference of two coordinates (the rounding of the closest points). lower = upper = time,
  // and weights, point and normal are those of the closest points. Finite, at least 0.
  double relative_distance_tolerance = tolerances::relative_distance;
  // Upper limit on the subdivisions of one query, at least 0. When it runs out the status is OutOfBudget.
  // 0: no limit, and the query is always decided; but with a minimum distance 0 means distance_step_limit,
  // and the status is OutOfBudget, whatever the budget, where minimum_distance times the tolerance is below
  // 2^-48 m and rounding leaves no step to take. The integer stages do not count: they always end, in
  // microseconds for coordinates of similar size, in milliseconds where exponents differ by hundreds.
  std::int64_t budget = 0;
};

Impact vertex_face_impact(const LinearMotion4& motion, const LinearImpactOptions& options = {});
Impact edge_edge_impact(const LinearMotion4& motion, const LinearImpactOptions& options = {});
Impact vertex_edge_impact(const LinearMotion4& motion, const LinearImpactOptions& options = {});
Impact vertex_vertex_impact(const LinearMotion4& motion, const LinearImpactOptions& options = {});

// Most queries of a batch end separated, so only the others carry a full answer.
struct LinearImpactBatchResult {
  std::vector<ImpactStage> stages;     // of every query: the stage that decided it
  std::vector<std::uint32_t> indices;  // ascending: the queries that did not end Separated
  std::vector<Impact> impacts;         // their answers, in the same order
};

// The answers are bit-identical to the single calls, whatever the instruction set and `threads`
// (0 = all cores). At most 2^32 - 1 queries per batch. Queries that are not answered when the batch is
// stopped are OutOfBudget with time = lower = 0 (stage Start).
LinearImpactBatchResult vertex_face_impacts(const LinearMotionBatch& batch,
                                            const LinearImpactOptions& options = {}, int threads = 0,
                                            const Stop& stop = {});
LinearImpactBatchResult edge_edge_impacts(const LinearMotionBatch& batch,
                                          const LinearImpactOptions& options = {}, int threads = 0,
                                          const Stop& stop = {});

}  // namespace toccata
