#pragma once
// A quadratic function that is the distance all over a cell to within an error: guessed from fifteen
// distances, proven over parts of the cell that are as small as it takes (docs/notes/field_bounds.md).
#include <optional>

#include "field/cell_sides.hpp"
#include "field/cell_triangles.hpp"
#include "field/plane_needs.hpp"
#include "field/plane_proof.hpp"
#include "toccata/field/distance_field.hpp"

namespace toccata::field {

// One thread. Triangles and cells relative to the shape's centre. Of results the triangle is not filled in.
class CurveProof {
 public:
  // rounding: more than what the arithmetic of doubles can do to any length here. center: of the shape
  CurveProof(double error, double rounding, const Vector3& center, const PlaneProof& planes, CellSides& sides)
      : error_(error), rounding_(rounding), center_(center), planes_(planes), sides_(sides) {}

  // Of a cell that the surface does not reach. triangles: all that may be nearest to a point of it.
  std::optional<DistanceFieldData::Curve> apart(const FieldCell& cell, const CellTriangles& triangles);

  // The signed distance of a closed mesh. up: the normal of the nearest triangle, of any length and sign
  std::optional<DistanceFieldData::Curve> crossed(const FieldCell& cell, const CellTriangles& triangles,
                                                  const Vector3& up, const Anchor& anchor);

 private:
  // At the middle, corners, and places towards the sides.
  struct Samples {
    double center = 0.0, corner[8] = {}, side[3][2] = {};
  };
  template <typename Distance>
  static Samples sampled(const FieldCell& cell, Distance&& distance);
  std::optional<DistanceFieldData::Curve> guess(const FieldCell& cell, const Samples& samples) const;
  std::optional<DistanceFieldData::Curve> proven(const FieldCell& cell, const CellTriangles& triangles,
                                                 std::optional<DistanceFieldData::Curve> guessed);
  // What is left to be shown of a part.
  struct Unproven {
    double sign = 1.0;
    std::size_t open = 0;           // the first so many triangles may be nearer than the function says
    bool is_under = false;          // the distance is known not to be above the function
    bool has_side_to_show = false;  // and that the surface does not reach the part
  };
  bool holds_apart(const FieldCell& part, const CellTriangles& triangles, Unproven left, std::size_t depth);
  bool holds_signed(const FieldCell& part, const CellTriangles& triangles, std::size_t depth);
  bool holds_crossed(const FieldCell& part, const CellTriangles& triangles);
  static CurvePiece plane_of(CurvePiece piece);
  FieldCell octant_of(const FieldCell& part, int k) const;
  CurvePiece piece(const FieldCell& part, double sign) const;
  bool is_under(const CurvePiece& piece, const CellTriangles& triangles, std::size_t nearest,
                double sign) const;
  double most_of(const std::vector<double>& over, std::size_t count) const;

  double error_;
  double rounding_;
  Vector3 center_;
  const PlaneProof& planes_;
  CellSides& sides_;
  // What is to be proven, as it is stored.
  Vector3 middle_ = Vector3::Zero();
  double value_ = 0.0;
  Vector3 slope_ = Vector3::Zero();
  Matrix3 bend_ = Matrix3::Zero();
  // Where sides are asked for: null of a cell that the surface does not reach.
  const Anchor* anchor_ = nullptr;
  double farthest_ = 0.0;  // nearest triangles of the part looked at are no farther from its middle
  int looks_ = 0;
  static constexpr std::size_t deepest = 4;
  CellTriangles kept_[deepest];  // by depth
  TriangleLook look_;
  std::vector<std::int32_t> near_;
};

}  // namespace toccata::field
