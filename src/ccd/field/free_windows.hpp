#pragma once
// When a particle is far from the surface for sure: told of 32 equal stretches of time at once, from the
// coarse grid of a field.
#include <cstdint>
#include <memory>
#include <span>

#include "ccd/field/moment.hpp"
#include "toccata/field/distance_field.hpp"

namespace toccata::field {

// The body at the ends of the stretches, as columns: a point x of the world is at turn x - shift in its
// frame. Column 8 row + lane is where stretch 4 lane + row begins, and that of the next row where it ends.
struct WindowTable {
  static constexpr std::size_t lanes = 8, rows = 4, windows = lanes * rows, ends = windows + lanes;
  alignas(64) double turn[3][3][ends];
  alignas(64) double shift[3][ends];
  alignas(64) double time[ends];
  alignas(64) double taken[windows];  // 0, or infinite: the motion breaks, nothing is told
};

// The grid of DistanceField::rough_bound.
struct WindowGrid {
  const float* lower;
  double center[3];
  double half;
  double rounding;
};

// How a particle moves: it is at from + t way, and in the body's frame no farther from the line between where
// it is at the ends of a stretch than `bend`, which includes what is taken off every distance.
struct WindowPath {
  double from[3], way[3];
  double bend;
};

class FreeWindows {
 public:
  static constexpr int count = WindowTable::windows;

  // None are known to be free.
  FreeWindows() = default;
  // moments: at 0 / n, 1 / n, ..., n a multiple of `count`. The field must outlive this.
  FreeWindows(const DistanceField& field, const Motion& motion, std::span<const Moment> moments);

  // Bit i: from i / count to (i + 1) / count a particle that goes from `from` to `to` is farther than the
  // minimum from the surface.
  std::uint32_t operator()(const Vector3& from, const Vector3& to, double minimum) const;

 private:
  std::shared_ptr<const WindowTable> table_;
  WindowGrid grid_ = {};
  PoseError pose_error_;
  // The most of all expansions.
  Vector3 center_ = Vector3::Zero();
  double spread_ = 0.0, velocity_ = 0.0, spin_ = 0.0, turning_ = 0.0, translation_ = 0.0;
  double speed_slack_ = 0.0, spin_slack_ = 0.0, acceleration_ = 0.0;
};

}  // namespace toccata::field
