#pragma once
// Do the surfaces of two meshes meet, and which triangles do? Exact on the rounded world coordinates.
#include <cstdint>
#include <vector>

#include "toccata/proximity/prepared_mesh.hpp"
#include "toccata/report/contact.hpp"

namespace toccata {

struct IntersectsOptions {
  bool all_pairs = false;  // every pair of triangles that meets, not only one
};

struct TrianglePair {
  std::int32_t a = -1;
  std::int32_t b = -1;

  friend auto operator<=>(const TrianglePair&, const TrianglePair&) = default;
};

struct IntersectsResult {
  bool intersects = false;
  std::vector<TrianglePair> pairs;  // sorted; one pair unless all were asked for
  QueryStats stats;
};

// Touching counts. A mesh strictly inside another does not meet it (see containment.hpp).
IntersectsResult intersects(const PlacedMesh& a, const PlacedMesh& b, const IntersectsOptions& options = {});

}  // namespace toccata
