#pragma once
// An eight-wide tree of oriented boxes over the triangles of a mesh, in single precision, one triangle a
// leaf.
//
// A child's box is { origin + center + sum_i x_i axis_i : |x_i| <= half_i } with the stored floats taken as
// exact numbers (the axes are orthonormal only up to rounding): extents are fitted in that rounded basis, so
// the box encloses its triangles exactly. Positions are relative to the shape's centre, and within a node to
// the node's origin, so that the rounding of box tests scales with the node and not with the mesh.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata {

inline constexpr int box_width = 8;

struct alignas(32) BoxNode {
  float center[3][box_width];     // relative to origin
  float axis[3][3][box_width];    // axis[i][coordinate][child]
  float half[3][box_width];       // half extents along the axes
  std::int32_t child[box_width];  // >= 0: a node; < 0: ~triangle
  float origin[3];                // relative to the shape's centre
  float reach;                    // upper bound of |center| + sum of half extents over the children
  std::int32_t count;             // children used
};

// Not below x, a few roundings above.
inline float rounded_up(double x) {
  return static_cast<float>(x * (1.0 + 0x1p-20));
}

// A child of a node: node * box_width + slot.
using BoxId = std::uint32_t;

struct BoxTree {
  // nodes[0] has one child, the box of the whole mesh: BoxId 0. Empty for an empty mesh.
  std::vector<BoxNode> nodes;

  std::size_t memory_bytes() const { return nodes.capacity() * sizeof(BoxNode); }
};

// center: subtracted from every vertex (exactly, in real arithmetic, up to the padding of the boxes).
BoxTree build_box_tree(const TriangleMesh& mesh, const Vector3& center);

}  // namespace toccata
