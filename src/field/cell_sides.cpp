#include "field/cell_sides.hpp"

#include <optional>

#include "hierarchy/ray_tree.hpp"

namespace toccata::field {

CellSides::CellSides(const PlacedShape& mesh, double rounding)
    : mesh_(mesh),
      data_(mesh.shape.data()),
      rounding_(rounding),
      parity_(mesh, rounding, hierarchy::ray_tree_at_once(data_)) {}

Containment CellSides::side_of(const Vector3& point, const Anchor& anchor) {
  if (anchor.side == Containment::Inside || anchor.side == Containment::Outside) {
    if (point == anchor.point) return anchor.side;
    if (const std::optional<bool> odd = parity_(anchor.point, point)) {
      const bool is_inside = (anchor.side == Containment::Inside) != *odd;
      return is_inside ? Containment::Inside : Containment::Outside;
    }
  }
  return point_containment(point, mesh_);
}

bool CellSides::is_crossing_odd(const FieldCell& cell, const FieldPlane& plane, double top, double drop) {
  const double margin = 4.0 * rounding_;
  constexpr double aside[3][3] = {{0.0113, -0.0217, 0.0171}, {0.131, 0.071, -0.093}, {-0.17, 0.083, 0.123}};
  for (const auto& a : aside) {
    const Vector3 from = cell.middle + cell.half * Vector3(a[0], a[1], a[2]);
    const double height = plane.value + plane.normal.dot(from - cell.middle);
    const Vector3 start = top > 0.0 ? Vector3(from + (top + margin - height) * plane.normal) : from;
    const Vector3 end = from - (height + drop + margin) * plane.normal;
    if (const std::optional<bool> odd = parity_(start + data_.center, end + data_.center)) return *odd;
  }
  return false;
}

}  // namespace toccata::field
