#pragma once
// A binary tree over the elements of one mesh component whose nodes are connected regions of the surface:
// built bottom-up by merging neighbouring regions, best shape first (Volino, SIGGRAPH 2004 course, "Building
// Mesh Hierarchies"). It depends on the connectivity and on the shape at build time only, so it serves every
// later deformation; bounds are kept by its users, in arrays parallel to `nodes`.
//
// Every node that could ever be proven free of self-contact by a projection also stores its contour: the
// directed boundary edges of the region, as loops of vertices. See docs/notes/connectivity_culling.md.
#include <cstdint>
#include <span>
#include <vector>

#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata {

struct RegionNode {
  std::int32_t right = -1;  // the right child; the left one follows its parent; -1: a leaf
  std::int32_t begin = 0;   // the region is order[begin, end)
  std::int32_t end = 0;
  std::int32_t contour_begin = 0;  // contours[contour_begin, contour_end); empty: the region has no usable
  std::int32_t contour_end = 0;    // contour and must not be culled as a whole

  bool is_leaf() const { return right < 0; }
  std::int32_t size() const { return end - begin; }
  bool has_contour() const { return contour_end > contour_begin; }
};

struct RegionTree {
  std::vector<RegionNode> nodes;    // depth-first, the root first; 2 * elements - 1 of them
  std::vector<std::int32_t> order;  // rank -> element; a leaf holds one rank
  std::vector<std::uint8_t>
      flipped;  // per rank: 1 if the triangle's order is turned to agree with its region
  // Loops of vertices along the boundary, each vertex once, in the direction of the (turned) triangles; the
  // last vertex v of each loop is stored as ~v. Every vertex has one edge in and one out.
  std::vector<std::int32_t> contours;

  std::span<const std::int32_t> contour(const RegionNode& node) const {
    return std::span(contours).subspan(node.contour_begin, node.contour_end - node.contour_begin);
  }
};

struct RegionTreeOptions {
  std::int32_t smallest_contour = 4;  // regions of fewer elements store no contour
};

// The tree of `members`, indices into `elements`: triangles, or edges (a, b, b) and points (a, a, a), which
// make every region that holds them unfit for culling. Members need not be connected: the rest is joined by
// position. Shape at build time: `positions`. O(n log n); deterministic.
RegionTree build_region_tree(std::span<const Vector3> positions, std::span<const Face> elements,
                             std::span<const std::int32_t> members, const RegionTreeOptions& options = {});

// The component of each element: elements are connected if they share a vertex (transitively). Components are
// numbered by their first element.
struct ElementComponents {
  std::vector<std::int32_t> of_element;
  std::int32_t count = 0;
};
ElementComponents element_components(std::span<const Face> elements, std::size_t vertex_count);

}  // namespace toccata
