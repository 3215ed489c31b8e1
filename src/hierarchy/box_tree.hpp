#pragma once
// An eight-wide tree of oriented boxes over the pieces of a shape (the triangles of a mesh, convex sets), in
// single precision, one piece per leaf.
//
// A child's box is { origin + center + sum_i x_i axis_i : |x_i| <= half_i } with the stored floats taken as
// exact numbers (the axes are orthonormal only up to rounding): extents are fitted in that rounded basis, so
// the box encloses its pieces exactly. Positions are relative to the shape's centre, and within a node to
// the node's origin, so that the rounding of box tests scales with the node and not with the mesh.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata {

inline constexpr int box_width = 8;

struct alignas(32) BoxNode {
  float center[3][box_width];     // relative to origin
  float axis[3][3][box_width];    // axis[i][coordinate][child]
  float half[3][box_width];       // half extents along the axes
  std::int32_t child[box_width];  // >= 0: a node; < 0: ~piece
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

// The points x with normal . x <= offset, relative to the shape's centre; the normal is a unit vector and
// both are right to eight roundings.
struct Plane {
  Vector3 normal = Vector3::UnitZ();
  double offset = 0.0;

  double height(const Vector3& x) const { return normal.dot(x) - offset; }
};

class HeightTree;

// The nodes of a tree, which never change: made by this process, or lying in a file that is mapped. Copies
// share them.
class BoxNodes {
 public:
  BoxNodes() = default;
  BoxNodes(std::vector<BoxNode> nodes);  // implicit: a builder's nodes are a tree's
  // They stay where they are as long as the keeper lives.
  BoxNodes(std::span<const BoxNode> nodes, std::shared_ptr<const void> keeper)
      : first_(nodes.data()), size_(nodes.size()), bytes_(nodes.size_bytes()), keeper_(std::move(keeper)) {}

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  const BoxNode& operator[](std::size_t index) const { return first_[index]; }
  const BoxNode* begin() const { return first_; }
  const BoxNode* end() const { return first_ + size_; }
  std::size_t memory_bytes() const { return bytes_; }

 private:
  const BoxNode* first_ = nullptr;
  std::size_t size_ = 0;
  std::size_t bytes_ = 0;
  std::shared_ptr<const void> keeper_;
};

struct BoxTree {
  // node(0) has one child, the box of the whole shape: BoxId 0. Empty for an empty mesh.
  BoxNodes nodes;
  // Of a height field, whose nodes are not stored but made when asked for.
  std::shared_ptr<const HeightTree> heights;
  std::uint64_t serial = 0;  // of such a tree: no two have the same
  bool is_skin = false;      // of such a tree: see HeightTree
  // Of a half space, whose one piece fits no box: the box in node(0) says nothing.
  std::optional<Plane> plane;

  bool empty() const { return nodes.empty() && heights == nullptr; }
  // Of a height field: holds until two more nodes of height fields have been asked for by this thread.
  const BoxNode& node(std::size_t index) const {
    return heights == nullptr ? nodes[index] : height_node(static_cast<std::uint32_t>(index));
  }

  std::size_t memory_bytes() const;

 private:
  const BoxNode& height_node(std::uint32_t index) const;
};

// center: subtracted from every vertex (exactly, in real arithmetic, up to the padding of the boxes).
BoxTree build_box_tree(const TriangleMesh& mesh, const Vector3& center);

}  // namespace toccata
