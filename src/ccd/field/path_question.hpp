#pragma once
// What is asked of all particles and strands of one call.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "ccd/field/free_windows.hpp"
#include "ccd/field/moment.hpp"
#include "ccd/field/surface_distance.hpp"
#include "hierarchy/ray_tree.hpp"
#include "toccata/bound/aabb.hpp"
#include "toccata/motion/motion.hpp"

namespace toccata::field {

// The largest delta with first delta + second delta^2 / 2 <= gap, a little less.
inline double step_of(double first, double second, double gap) {
  if (!(gap > 0.0)) return 0.0;
  const double sum = first + std::sqrt(first * first + 2.0 * second * gap);
  return (sum > 0.0 ? 2.0 * gap / sum : std::numeric_limits<double>::infinity()) * (1.0 - 1e-12);
}

// The largest delta with closing delta + bend delta^2 / 2 <= gap, a little less; closing may be negative.
inline double directed_step(double closing, double bend, double gap) {
  if (!(gap > 0.0)) return 0.0;
  const double root = std::sqrt(closing * closing + 2.0 * bend * gap);
  if (closing < 0.0) return bend > 0.0 ? (root - closing) / bend * (1.0 - 1e-12) : 1e300;
  return closing + root > 0.0 ? 2.0 * gap / (closing + root) * (1.0 - 1e-12) : 1e300;
}

struct Question {
  Surface surface;
  const Motion& motion;
  PoseError pose_error;
  double tolerance = 0.0;
  double minimum = 0.0;
  std::int32_t budget = 0;
  Moment first;
  Aabb box = {};  // around a mesh, in its coordinates
  // At equal times, if many ask: large steps end there, and need no pose of their own.
  std::vector<Moment> moments;
  FreeWindows windows;                         // of particles, beside a field
  const hierarchy::RayTree* walked = nullptr;  // of a mesh, if many ask

  void share_moments(std::size_t askers) {
    if (askers < 64) return;
    std::size_t count = 64;
    while (count < 1024 && 16 * count < askers) count *= 2;
    for (std::size_t i = 0; i < count; ++i)
      moments.push_back(moment_at(motion, static_cast<double>(i) / static_cast<double>(count)));
    if (surface.field != nullptr) windows = FreeWindows(*surface.field, motion, moments);
  }
  // The first time from t on that is in none of these stretches: t, where one begins, or 1.
  static double not_free_from(double t, std::uint32_t free) {
    const auto window = static_cast<unsigned>(t * FreeWindows::count);
    if ((free >> window & 1U) == 0) return t;
    return static_cast<double>(window + static_cast<unsigned>(std::countr_one(free >> window))) /
           FreeWindows::count;
  }
  // precondition: a stretch begins at t < 1, and `windows` knows some
  const Moment* beginning_at(double t) const {
    return &moments[static_cast<std::size_t>(t * static_cast<double>(moments.size()))];
  }
  // One at or a little before `next`, if that loses little of the step.
  const Moment* shared_moment(double now, double next) const {
    const auto count = static_cast<double>(moments.size());
    if (!((next - now) * count > 2.0)) return nullptr;
    return &moments[static_cast<std::size_t>(next * count)];
  }
};

}  // namespace toccata::field
