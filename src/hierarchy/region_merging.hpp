#pragma once
// The merging phase of the region tree: which regions are joined, in which order.
#include <cstdint>
#include <span>
#include <vector>

#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata::region_merging {

// Two elements side by side along an edge of the mesh.
struct Link {
  std::int32_t a = 0;
  std::int32_t b = 0;
  double length = 0.0;
};

// A node of the merge forest: the first `element_count` are the elements, the last is the root.
struct Merge {
  std::int32_t left = -1;
  std::int32_t right = -1;
};

// Merges all elements into one tree. `members` as in build_region_tree; links refer to positions in members.
std::vector<Merge> merge_regions(std::span<const Vector3> positions, std::span<const Face> elements,
                                 std::span<const std::int32_t> members, std::vector<Link> links);

}  // namespace toccata::region_merging
