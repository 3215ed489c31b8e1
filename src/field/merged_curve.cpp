#include "field/merged_curve.hpp"

#include <algorithm>
#include <cmath>

#include "toccata/base/rounding.hpp"

namespace toccata::field {

Vector3 MergedCurve::middle(int k, double quarter) {
  return quarter * Vector3((k & 1) != 0 ? 1.0 : -1.0, (k & 2) != 0 ? 1.0 : -1.0, (k & 4) != 0 ? 1.0 : -1.0);
}

MergedCurve::Part MergedCurve::part_of(const DistanceFieldData::Curve& curve, double sign) {
  const auto at = [&](float x) { return sign * static_cast<double>(x); };
  const float* const b = curve.bend;
  Part part;
  part.value = at(curve.plane.value);
  part.slope = {at(curve.plane.slope[0]), at(curve.plane.slope[1]), at(curve.plane.slope[2])};
  part.bend << at(b[0]), at(b[3]), at(b[4]), at(b[3]), at(b[1]), at(b[5]), at(b[4]), at(b[5]), at(b[2]);
  part.width = static_cast<double>(curve.plane.width);
  part.triangle = curve.plane.triangle;
  return part;
}

// Least squares of the slopes: a linear function of the place.
MergedCurve::MergedCurve(std::span<const Part, 8> parts, double half) : parts_(parts), half_(half) {
  const double quarter = 0.5 * half;
  for (int k = 0; k < 8; ++k) {
    const Part& part = parts_[static_cast<std::size_t>(k)];
    slope_ += part.slope / 8.0;
    const Matrix3 outer = part.slope * middle(k, quarter).transpose();
    bend_ += (outer + outer.transpose()) / (16.0 * quarter * quarter);
  }
}

std::optional<DistanceFieldData::Curve> MergedCurve::curve(double error, double rounding) const {
  const double quarter = 0.5 * half_, reach = quarter * (1.0 + 1e-9) + rounding;
  DistanceFieldData::Curve result;
  for (int i = 0; i < 3; ++i) result.plane.slope[i] = static_cast<float>(slope_[i]);
  const Matrix3& b = bend_;
  const double entries[6] = {b(0, 0), b(1, 1), b(2, 2), b(0, 1), b(0, 2), b(1, 2)};
  for (int i = 0; i < 6; ++i) result.bend[i] = static_cast<float>(entries[i]);
  // As it is stored, but for the value.
  const Part stored = part_of(result, 1.0);
  double lowest = INFINITY, highest = -INFINITY;
  for (int k = 0; k < 8; ++k) {
    const Part& part = parts_[static_cast<std::size_t>(k)];
    const Vector3 place = middle(k, quarter);
    const Vector3 slope = part.slope - stored.slope - stored.bend * place;
    const Matrix3 bend = part.bend - stored.bend;
    double low = part.value - stored.slope.dot(place) - 0.5 * place.dot(stored.bend * place), high = low;
    const double linear = reach * slope.lpNorm<1>() + part.width;
    const double cross = reach * reach * (std::abs(bend(0, 1)) + std::abs(bend(0, 2)) + std::abs(bend(1, 2)));
    low -= linear + cross;
    high += linear + cross;
    for (int i = 0; i < 3; ++i) {
      low += std::min(0.0, 0.5 * bend(i, i) * reach * reach);
      high += std::max(0.0, 0.5 * bend(i, i) * reach * reach);
    }
    lowest = std::min(lowest, low);
    highest = std::max(highest, high);
  }
  const double value = 0.5 * (lowest + highest);
  const double width = 0.5 * (highest - lowest) + std::abs(value) * 0x1p-23 + 4.0 * rounding;
  if (!(width * (1.0 + 1e-6) <= error)) return std::nullopt;
  result.plane.value = static_cast<float>(value);
  result.plane.width = float_above(width);
  const Part* nearest = &parts_[0];
  for (const Part& part : parts_) {
    if (std::abs(part.value) < std::abs(nearest->value)) nearest = &part;
  }
  result.plane.triangle = nearest->triangle;
  return result;
}

}  // namespace toccata::field
