#pragma once
// Do the surfaces of two meshes meet, and which triangles do? Exact on the rounded world coordinates.
#include <cstdint>
#include <span>
#include <vector>

#include "toccata/base/stop.hpp"
#include "toccata/proximity/placed_shape.hpp"
#include "toccata/report/query_stats.hpp"

namespace toccata {

struct IntersectsOptions {
  bool all_pairs = false;  // every pair of triangles that meets, not only one
  Stop stop = {};
  int threads = 0;  // of a batch: 0 = all cores
};

struct TrianglePair {
  std::int32_t a = -1;
  std::int32_t b = -1;

  friend auto operator<=>(const TrianglePair&, const TrianglePair&) = default;
};

struct IntersectsResult {
  bool intersects = false;
  std::vector<TrianglePair> pairs;  // sorted; one pair unless all were asked for
  // Before the answer: `pairs` are those found by then, and `intersects` is true, to be on the safe side.
  bool stopped = false;
  QueryStats stats;
};

// Touching counts. A mesh strictly inside another does not meet it (see containment.hpp).
IntersectsResult intersects(const PlacedShape& a, const PlacedShape& b,
                            const IntersectsOptions& options = {});

// The same answers as one by one, in the same order.
std::vector<IntersectsResult> intersections(std::span<const PlacedPair> pairs,
                                            const IntersectsOptions& options = {});

}  // namespace toccata
