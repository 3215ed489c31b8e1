#pragma once
// What a plane is off as a stand-in for the distance from a mesh, over a cell: found by walks over the mesh's
// tree that open only what the bound so far does not cover (docs/notes/field_bounds.md).
#include <cstdint>
#include <span>
#include <vector>

#include "field/plane_needs.hpp"
#include "hierarchy/shape_data.hpp"
#include "toccata/elementary/triangle.hpp"

namespace toccata::field {

// One thread. Triangles and cells relative to the shape's centre.
class PlaneProof {
 public:
  // rounding: more than what the arithmetic of doubles can do to any length here. odd: of each triangle
  // whether one of its edges has an odd number of triangles; empty if none has.
  PlaneProof(const ShapeData& data, double rounding, std::span<const std::uint8_t> odd);

  struct Need {
    double need = 0.0;        // infinite: more than what was allowed
    std::int32_t worst = -1;  // then: of the triangles found that need more, the one nearest to the middle
    Vector3 way = Vector3::Zero();  // unit, from that triangle to the middle
    double gap = 0.0;               // and how far that is
  };
  // The least (from `least` on) with d(x) >= lowest height at x - need for all points x of the cell.
  Need need(const FieldCell& cell, std::span<const FieldPlane> planes, double least, double allowed);

  // The least (from `least` on) such that no triangle that comes within cell.reach() + allowed of the foot of
  // the middle has a point at height -drop or below, as far as points above or below the cell can meet it.
  // Infinite: more than allowed, or a triangle there has an odd edge.
  double drop(const FieldCell& cell, const FieldPlane& plane, double least, double allowed);
  // The same by a list. precondition: all triangles that come so near are in it
  double drop(const FieldCell& cell, const FieldPlane& plane, double least, double allowed,
              std::span<const std::int32_t> triangles) const;

  // Triangles that may be nearest to a point of the cell, where `nearest` is no less than the distance of the
  // middle: false if there are more than `most`.
  bool candidates(const FieldCell& cell, double nearest, std::size_t most, std::vector<std::int32_t>& found);
  // All triangles that come so near to a place, and others whose boxes do.
  bool boxes_near(const Vector3& place, double reach, std::size_t most, std::vector<std::int32_t>& found);

 private:
  // Of all triangles whose boxes come so near, as long as take(triangle) says so.
  template <typename Take>
  bool take_near(const Vector3& place, double reach, Take&& take);
  double triangle_need(const FieldCell& cell, std::span<const FieldPlane> planes, const Triangle& t,
                       double enough) const;
  double way_need(const FieldCell& cell, std::span<const FieldPlane> planes, const Triangle& t,
                  Need& about) const;
  double triangle_drop(const FieldCell& cell, const FieldPlane& plane, std::int32_t triangle, double radius,
                       double enough) const;

  const ShapeData& data_;
  double rounding_;
  std::span<const std::uint8_t> odd_;
  double scale_;
  std::vector<std::int32_t> stack_;
};

}  // namespace toccata::field
