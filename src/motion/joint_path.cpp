#include "toccata/motion/joint_path.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "toccata/base/rounding.hpp"
#include "toccata/base/sha256.hpp"

namespace toccata {
namespace {

constexpr std::size_t most_coefficients = 6;

std::string way_point(std::size_t i) {
  return "way-point " + std::to_string(i);
}

// What is wrong with one of the rows of numbers that way-points have; empty if nothing is.
std::string failure_of_row(const std::vector<double>& row, std::size_t expected, std::size_t i,
                           const char* what) {
  if (row.size() != expected)
    return way_point(i) + " has " + std::to_string(row.size()) + " " + what + ", but the first has " +
           std::to_string(expected);
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (!std::isfinite(row[k]))
      return way_point(i) + ": number " + std::to_string(k) + " of its " + what + " is not finite";
  }
  return {};
}

std::string failure_of(std::span<const JointWayPoint> points) {
  if (points.empty()) return "a path needs at least one way-point";
  const JointWayPoint& first = points.front();
  const std::size_t count = first.values.size();
  const bool has_velocities = !first.velocities.empty(), has_accelerations = !first.accelerations.empty();
  if (has_accelerations && !has_velocities) return way_point(0) + " has accelerations but no velocities";
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::string failure = failure_of_row(points[i].values, count, i, "values");
    if (failure.empty())
      failure = failure_of_row(points[i].velocities, has_velocities ? count : 0, i, "velocities");
    if (failure.empty())
      failure = failure_of_row(points[i].accelerations, has_accelerations ? count : 0, i, "accelerations");
    if (failure.empty() && !std::isfinite(points[i].time))
      failure = way_point(i) + ": its time is not finite";
    if (!failure.empty()) return failure;
  }
  return {};
}

// Scaled to [0, 1]; empty where they do not increase.
std::vector<double> scaled_times(std::span<const JointWayPoint> points) {
  std::vector<double> times;
  const double first = points.front().time, length = points.back().time - first;
  const bool none = std::all_of(points.begin(), points.end(), [](const auto& p) { return p.time == 0.0; });
  const auto last = static_cast<double>(points.size() - 1);
  for (std::size_t i = 0; i < points.size(); ++i)
    times.push_back(none ? static_cast<double>(i) / last : (points[i].time - first) / length);
  times.front() = 0.0;
  times.back() = 1.0;
  return times;
}

}  // namespace

Expected<JointPath> JointPath::build(std::span<const JointWayPoint> points) {
  std::string failure = failure_of(points);
  if (!failure.empty()) return Error{std::move(failure)};
  JointPath path;
  path.variables_ = static_cast<int>(points.front().values.size());
  if (points.size() == 1) {
    path.times_ = {0.0, 1.0};
    for (const double value : points.front().values)
      path.coefficients_.insert(path.coefficients_.end(), {value, 0.0});
    return path;
  }
  const bool timed = std::any_of(points.begin(), points.end(), [](const auto& p) { return p.time != 0.0; });
  for (std::size_t i = 0; timed && i + 1 < points.size(); ++i) {
    if (!(points[i].time < points[i + 1].time))
      return Error{"the times of way-points must increase, but " + way_point(i) + " is at " +
                   std::to_string(points[i].time) + " and " + way_point(i + 1) + " at " +
                   std::to_string(points[i + 1].time)};
  }
  path.times_ = scaled_times(points);
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    if (!(path.times_[i] < path.times_[i + 1]))
      return Error{way_point(i) + " and " + way_point(i + 1) +
                   " are too close in time for the length of the path"};
  }
  const double length = points.back().time - points.front().time;
  path.duration_ = length > 0.0 ? length : 1.0;
  path.degree_ = points.front().velocities.empty() ? 1 : (points.front().accelerations.empty() ? 3 : 5);
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const JointWayPoint &from = points[i], &to = points[i + 1];
    const double h = (path.times_[i + 1] - path.times_[i]) * path.duration_;
    for (std::size_t k = 0; k < from.values.size(); ++k) {
      const double p = from.values[k], d = to.values[k] - p;
      if (path.degree_ == 1) {
        path.coefficients_.insert(path.coefficients_.end(), {p, d});
        continue;
      }
      const double v = h * from.velocities[k], w = h * to.velocities[k];
      if (path.degree_ == 3) {
        path.coefficients_.insert(path.coefficients_.end(), {p, v, 3.0 * d - 2.0 * v - w, v + w - 2.0 * d});
        continue;
      }
      const double a = h * h * from.accelerations[k], b = h * h * to.accelerations[k];
      path.coefficients_.insert(
          path.coefficients_.end(),
          {p, v, 0.5 * a, 10.0 * d - 6.0 * v - 4.0 * w - 1.5 * a + 0.5 * b,
           -15.0 * d + 8.0 * v + 7.0 * w + 1.5 * a - b, 6.0 * d - 3.0 * (v + w) - 0.5 * a + 0.5 * b});
    }
  }
  return path;
}

Expected<JointPath> JointPath::straight(std::span<const std::vector<double>> points) {
  std::vector<JointWayPoint> way_points;
  for (const std::vector<double>& values : points) way_points.push_back({0.0, values, {}, {}});
  return build(way_points);
}

int JointPath::piece_at(double t) const {
  const auto after = std::upper_bound(times_.begin() + 1, times_.end() - 1, t);
  return static_cast<int>(after - times_.begin()) - 1;
}

std::vector<double> JointPath::values(double t) const {
  const int piece = piece_at(t);
  const auto i = static_cast<std::size_t>(piece);
  const double s = std::clamp((t - times_[i]) / (times_[i + 1] - times_[i]), 0.0, 1.0);
  std::vector<double> result;
  for (int variable = 0; variable < variables_; ++variable) {
    const std::span<const double> c = coefficients(piece, variable);
    double value = 0.0;
    for (std::size_t k = c.size(); k-- > 0;) value = value * s + c[k];
    result.push_back(value);
  }
  return result;
}

std::string content_hash(const JointPath& path) {
  Sha256 hash;
  hash.add(static_cast<std::uint64_t>(path.variable_count()));
  hash.add(static_cast<std::uint64_t>(path.degree()));
  hash.add(std::uint64_t{path.times().size()});
  for (const double t : path.times()) hash.add(t);
  for (int piece = 0; piece < path.piece_count(); ++piece) {
    for (int variable = 0; variable < path.variable_count(); ++variable) {
      for (const double c : path.coefficients(piece, variable)) hash.add(c);
    }
  }
  return hash.hex();
}

PolynomialRange polynomial_range(std::span<const double> coefficients, int derivative) {
  std::array<double, most_coefficients> c = {};
  std::size_t count = std::min(coefficients.size(), most_coefficients);
  std::copy_n(coefficients.begin(), count, c.begin());
  for (int i = 0; i < derivative; ++i) {
    if (count <= 1) return {};
    for (std::size_t k = 1; k < count; ++k) c[k - 1] = static_cast<double>(k) * c[k];
    --count;
  }
  // From powers of s to Bernstein polynomials of degree n: b_i = sum over k <= i of C(i, k) / C(n, k) c_k.
  const auto n = static_cast<double>(count - 1);
  PolynomialRange range{c[0], c[0]};
  double magnitude = 0.0;
  for (std::size_t k = 0; k < count; ++k) magnitude += std::abs(c[k]);
  for (std::size_t i = 0; i < count; ++i) {
    double value = 0.0, weight = 1.0;  // C(i, k) / C(n, k)
    for (std::size_t k = 0; k <= i; ++k) {
      value += weight * c[k];
      weight *= (static_cast<double>(i) - static_cast<double>(k)) / (n - static_cast<double>(k));
    }
    range.lower = std::min(range.lower, value);
    range.upper = std::max(range.upper, value);
  }
  // Weights are at most 1 and carry at most a dozen roundings, sums six more.
  const bool exact = count == 1 && derivative == 0;
  const double rounding = exact ? 0.0 : 32.0 * unit_roundoff * magnitude;
  return {range.lower - rounding, range.upper + rounding};
}

}  // namespace toccata
