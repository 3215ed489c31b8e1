#pragma once
// How the variables of a robot change over t in [0, 1]: polynomials from way-point to way-point.
//
// What counts as the true path is the polynomial of each piece in real arithmetic on the way-points as given;
// rounding is inside the bounds of whoever uses it.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "toccata/base/expected.hpp"

namespace toccata {

struct PlacedRobot;

// All way-points of a path have values only (straight pieces), or velocities as well (cubic pieces), or
// velocities and accelerations (quintic pieces), one number per variable each.
struct JointWayPoint {
  double time = 0.0;  // in the unit of the velocities: seconds, say
  std::vector<double> values = {};
  std::vector<double> velocities = {};
  std::vector<double> accelerations = {};
};

class JointPath {
 public:
  // Times must increase; they are scaled so that the first is 0 and the last is 1. All zero (or not given):
  // way-points are evenly spaced. One way-point alone stays where it is. Errors name the way-point.
  static Expected<JointPath> build(std::span<const JointWayPoint> points);
  // Straight from way-point to way-point, evenly spaced.
  static Expected<JointPath> straight(std::span<const std::vector<double>> points);

  int variable_count() const { return variables_; }
  int degree() const { return degree_; }  // 1, 3 or 5
  int piece_count() const { return static_cast<int>(times_.size()) - 1; }
  const std::vector<double>& times() const { return times_; }  // of way-points, from 0 to 1, increasing
  double duration() const { return duration_; }  // from the first way-point's time to the last's; 1 if none

  std::vector<double> values(double t) const;

  // Of one variable over one piece, s from 0 to 1 within it: c[0] + c[1] s + ... , degree() + 1 of them.
  std::span<const double> coefficients(int piece, int variable) const {
    const auto stride = static_cast<std::size_t>(degree_) + 1;
    const std::size_t first = (static_cast<std::size_t>(piece) * static_cast<std::size_t>(variables_) +
                               static_cast<std::size_t>(variable)) *
                              stride;
    return {coefficients_.data() + first, stride};
  }
  int piece_at(double t) const;  // the later one at a way-point between two

 private:
  friend Expected<JointPath> joined_path(std::span<const PlacedRobot> robots,
                                         std::span<const JointPath> paths);
  JointPath() = default;

  int variables_ = 0;
  int degree_ = 1;
  double duration_ = 1.0;
  std::vector<double> times_;
  std::vector<double> coefficients_;
};

// Which path: a name for all numbers that say how it runs (SHA-256, 64 hexadecimal digits).
std::string content_hash(const JointPath& path);

// The values that a polynomial c[0] + c[1] s + ... and its derivatives take for s in [0, 1], or more: the
// range of its coefficients in Bernstein form, exact at the ends, and for degree 1 everywhere. Rounding
// included. At most six coefficients.
struct PolynomialRange {
  double lower = 0.0;
  double upper = 0.0;
};
PolynomialRange polynomial_range(std::span<const double> coefficients, int derivative = 0);

}  // namespace toccata
