#pragma once
// Whether a segment crosses a mesh an odd number of times.
#include <optional>
#include <utility>
#include <vector>

#include "hierarchy/shape_data.hpp"
#include "toccata/proximity/placed_shape.hpp"

namespace toccata::point_distance {

// One thread. Points in the mesh's coordinates.
class SegmentParity {
 public:
  // margin: an end that is nearer than that to the plane of a triangle on its line counts as on the surface.
  // At least 1e-12 of the lengths: heights are right to 4e-13 of them, since slivers are left out.
  SegmentParity(const PlacedShape& mesh, double margin);

  // None if the segment touches an edge or a corner, lies in a triangle's plane, meets a sliver, or ends on
  // the surface. Exact otherwise.
  std::optional<bool> operator()(const Vector3& from, const Vector3& to);

 private:
  const PlacedShape& mesh_;
  const ShapeData& data_;
  double margin_;
  double placement_;
  std::vector<std::int32_t> stack_;
};

}  // namespace toccata::point_distance
