#pragma once
// One quadratic function for eight cells, each with a function of its own that is the distance to some width.
#include <optional>
#include <span>

#include "toccata/base/vector.hpp"
#include "toccata/field/distance_field.hpp"

namespace toccata::field {

// The difference of two quadratic functions over a cell is one, and the ranges of its constant, linear and
// quadratic terms add up to a bound of it.
class MergedCurve {
 public:
  // Relative to the middle of its cell.
  struct Part {
    double value = 0.0;
    Vector3 slope = Vector3::Zero();
    Matrix3 bend = Matrix3::Zero();
    double width = 0.0;
    std::int32_t triangle = -1;
  };
  static Part part_of(const DistanceFieldData::Curve& curve, double sign);

  // parts: as an octree numbers them. half: of a side of the cell that they make up.
  MergedCurve(std::span<const Part, 8> parts, double half);

  // None if it cannot be as good as the error.
  std::optional<DistanceFieldData::Curve> curve(double error, double rounding) const;

 private:
  static Vector3 middle(int k, double quarter);

  std::span<const Part, 8> parts_;
  double half_;
  Vector3 slope_ = Vector3::Zero();
  Matrix3 bend_ = Matrix3::Zero();
};

}  // namespace toccata::field
