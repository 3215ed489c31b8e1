#pragma once
// How far apart are two meshes, where are they closest, and are they within a distance of each other?
// Meshes are surfaces: one inside the other is apart from it (see containment.hpp).
#include <limits>
#include <span>
#include <vector>

#include "toccata/base/stop.hpp"
#include "toccata/proximity/convex_method.hpp"
#include "toccata/proximity/placed_shape.hpp"
#include "toccata/report/contact.hpp"
#include "toccata/report/query_stats.hpp"

namespace toccata {

struct DistanceOptions {
  // The distance may be too large by at most this fraction of itself, or by this length, whichever is more.
  // Zero: exact up to the rounding of the elementary distance.
  double relative_error = 0.0;
  double absolute_error = 0.0;
  // Farther apart does not matter: the search stops as soon as the distance is proven to be more.
  double limit = std::numeric_limits<double>::infinity();
  Stop stop = {};                           // of a batch: pairs that are not answered by then are `stopped`
  ConvexMethod method = ConvexMethod::Gjk;  // of hulls and boxes
  int threads = 0;                          // of a batch: 0 = all cores
};

struct DistanceResult {
  // 0 exactly when `intersects` says that they meet, and then `penetration` does, too: what is not proven
  // apart meets. Kinds with corners are decided without rounding, on the rounded world coordinates. Where a
  // radius or a curved side takes part (balls, capsules, rounded boxes and hulls, cylinders, cones,
  // ellipsoids), a gap below 256 roundings (3e-14) of the lengths that enter, sizes and distances from the
  // origin, may be said to meet; none above. Infinite if one mesh has no triangles or the distance exceeds
  // the limit.
  double distance = std::numeric_limits<double>::infinity();
  // Proven: the surfaces (as rounded to world coordinates) are no closer than this.
  double lower_distance = 0.0;
  Contact contact;       // the closest points; holds when the distance is finite
  bool stopped = false;  // before the answer: `distance` is the least one found, and may be too large
  QueryStats stats;
};

DistanceResult distance(const PlacedShape& a, const PlacedShape& b, const DistanceOptions& options = {});

// The same answers as one by one, in the same order.
std::vector<DistanceResult> distances(std::span<const PlacedPair> pairs, const DistanceOptions& options = {});

struct WithinResult {
  bool within = false;
  Contact contact;  // holds when within: some pair of points at most that far apart
  // Before the answer: `within` is then true, to be on the safe side, and the contact does not hold.
  bool stopped = false;
  QueryStats stats;
};

// Is the distance at most d? Stops at the first pair of triangles that shows it.
WithinResult within(const PlacedShape& a, const PlacedShape& b, double d, const Stop& stop = {});

}  // namespace toccata
