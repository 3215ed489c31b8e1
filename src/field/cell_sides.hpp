#pragma once
// On which side of a closed mesh points are, told from one another by the segments between them.
#include "field/plane_needs.hpp"
#include "hierarchy/shape_data.hpp"
#include "proximity/point_distance/segment_parity.hpp"
#include "toccata/proximity/containment.hpp"

namespace toccata::field {

// A point whose side is known. In the mesh's coordinates.
struct Anchor {
  Vector3 point = Vector3::Zero();
  Containment side = Containment::Undefined;
};

// One thread.
class CellSides {
 public:
  // rounding: more than what arithmetic does to lengths.
  CellSides(const PlacedShape& mesh, double rounding);

  // Exact.
  Containment side_of(const Vector3& point, const Anchor& anchor);

  // Lines along the normal from the cell (top = 0) or from height `top` down to -drop cross the surface an
  // odd number of times: told by one, since none ends on it.
  bool is_crossing_odd(const FieldCell& cell, const FieldPlane& plane, double top, double drop);

 private:
  const PlacedShape& mesh_;
  const ShapeData& data_;
  double rounding_;
  point_distance::SegmentParity parity_;
};

}  // namespace toccata::field
