#pragma once
// Elementary impacts of the features of a mesh: queries that share their points, each by the numbers of its
// four vertices. The answers are those of vertex_face_impacts and edge_edge_impacts (linear_impact.hpp) bit
// by bit; less memory is read, and most queries are decided by a look at their vertices where they lie.
#include <array>
#include <cstdint>
#include <span>

#include "toccata/base/vector.hpp"
#include "toccata/impact/linear_impact.hpp"

namespace toccata {

// A view. The points of a query in the order of LinearMotion4: v, f0, f1, f2, or a0, a1, b0, b1.
struct IndexedMotionBatch {
  std::span<const Vector3> vertices_t0;
  std::span<const Vector3> vertices_t1;
  std::span<const std::array<std::int32_t, 4>> points;
};

// A query that names a vertex that is not there ends Failed; so do all if the two ends differ in their number
// of vertices.
LinearImpactBatchResult indexed_vertex_face_impacts(const IndexedMotionBatch& batch,
                                                    const LinearImpactOptions& options = {}, int threads = 0,
                                                    const Stop& stop = {});
LinearImpactBatchResult indexed_edge_edge_impacts(const IndexedMotionBatch& batch,
                                                  const LinearImpactOptions& options = {}, int threads = 0,
                                                  const Stop& stop = {});

}  // namespace toccata
