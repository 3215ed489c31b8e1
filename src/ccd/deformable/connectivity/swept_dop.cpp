#include "ccd/deformable/connectivity/swept_dop.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace toccata::deformable::connectivity {
namespace {

std::array<double, 9> along(const double* x, const Vector3& centre, double& magnitude) {
  const double a = x[0] - centre[0], b = x[1] - centre[1], c = x[2] - centre[2];
  magnitude = std::max(magnitude, std::abs(a) + std::abs(b) + std::abs(c));
  return {a, b, c, a + b, a + c, b + c, a - b, a - c, b - c};
}

// Rounded to float by at most 2^-24 of its size, the sum below by as much again: 2^-22 covers both.
float widened(double value, float pad) {
  const float f = std::max(static_cast<float>(value), -FLT_MAX);
  return f + (std::abs(f) * 0x1p-22f + pad);
}

}  // namespace

SweptDop dop_of(const MovingVertex& vertex, const Vector3& centre, double t_end) {
  double magnitude = 0.0;
  const auto p0 = along(vertex.t0, centre, magnitude);
  auto p1 = along(vertex.t1, centre, magnitude);
  if (t_end < 1.0) {
    for (std::size_t i = 0; i < 9; ++i) p1[i] = p0[i] + t_end * (p1[i] - p0[i]);
  }
  // Centring and the sum round by a few 2^-53 of the magnitudes, the position at t_end by a few more: 16 of
  // them are allowed for. FLT_MIN covers underflow.
  const float pad = static_cast<float>(magnitude * 0x1p-49) + FLT_MIN;
  SweptDop dop;
  for (int i = 0; i < 9; ++i) {
    dop.high[i] = widened(std::max(p0[i], p1[i]), pad);
    dop.low_negated[i] = widened(std::max(-p0[i], -p1[i]), pad);
  }
  return dop;
}

bool within(const SweptDop& a, const SweptDop& b, double distance) {
  // The factors exceed 1 and sqrt(2), the directions' lengths, by more than the rounding of a double; the
  // rounding of the bounds' own share is absorbed by their widening.
  const double gap = distance * (1.0 + 1e-12);
  const double diagonal_gap = distance * 1.41421356237310;
  for (int i = 0; i < 9; ++i) {
    const double limit = i < 3 ? gap : diagonal_gap;
    if (-static_cast<double>(b.low_negated[i]) - a.high[i] > limit) return false;
    if (-static_cast<double>(a.low_negated[i]) - b.high[i] > limit) return false;
  }
  return true;
}

double volume(const SweptDop& a) {
  double product = 1.0;
  for (int i = 0; i < 3; ++i) product *= static_cast<double>(a.high[i]) + a.low_negated[i];
  return product;
}

}  // namespace toccata::deformable::connectivity
