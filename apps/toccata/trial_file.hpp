#pragma once
// --trials FILE: many motions of one pair of bodies, from text or from numpy.
//
// A row is the poses of A at the start and at the end, or those of A and then those of B: two or four poses,
// each as a quaternion (7 numbers), as a rotation and a translation (12) or as a 4x4 matrix (16).
#include <optional>
#include <string>
#include <vector>

#include "motion_argument.hpp"

namespace toccata::app {

struct Trial {
  OwnedMotion motion_a;
  std::optional<OwnedMotion> motion_b;  // none: as the options say
};

// In all of them B moves, or in none. Throws UsageError.
std::vector<Trial> read_trials(const std::string& path, const MotionReading& reading);

}  // namespace toccata::app
