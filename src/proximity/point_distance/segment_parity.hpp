#pragma once
// Whether a segment crosses a mesh an odd number of times.
#include <cstdint>
#include <optional>
#include <vector>

#include "hierarchy/ray_tree.hpp"
#include "toccata/elementary/ray_triangle.hpp"
#include "toccata/proximity/placed_shape.hpp"

namespace toccata::point_distance {

// One thread. Points in the mesh's coordinates.
class SegmentParity {
 public:
  // margin: an end that is nearer than that to the plane of a triangle on its line counts as on the surface.
  // At least 1e-12 of the lengths: heights are right to 4e-13 of them, since slivers are left out.
  // walked: ray_tree_at_once, for many segments; else it is used once it pays.
  SegmentParity(const PlacedShape& mesh, double margin, const hierarchy::RayTree* walked = nullptr);

  // None if the segment touches an edge or a corner, lies in a triangle's plane, meets a sliver, or ends on
  // the surface. Exact otherwise.
  std::optional<bool> operator()(const Vector3& from, const Vector3& to);

 private:
  struct Segment {
    Ray ray;  // from one end, the other at 1
    Vector3 to;
  };
  enum class Met : std::uint8_t { No, Yes, Unknown };

  Met met(const Segment& segment, std::int32_t triangle) const;
  std::optional<bool> open_all(const Segment& segment, double length);
  std::optional<bool> walk(const Segment& segment, double length) const;

  const ShapeData& data_;
  const hierarchy::RayTree* walked_;  // null: not yet
  double margin_;
  double placement_;
  std::vector<std::int32_t> stack_;
};

}  // namespace toccata::point_distance
