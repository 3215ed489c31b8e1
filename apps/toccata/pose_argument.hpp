#pragma once
// A pose as people type it: numbers separated by commas or spaces.
//   3  x y z                       no rotation
//   6  x y z  rx ry rz             rotation vector in degrees (axis times angle)
//   7  x y z  qw qx qy qz          quaternion
//   12 R (row by row) x y z        as in the trial files
//   16 a 4x4 matrix, row by row
#include <string>
#include <vector>

#include "toccata/base/pose.hpp"

namespace toccata::app {

inline constexpr const char* pose_help =
    "numbers separated by commas or spaces: x y z | x y z + rotation vector (degrees) | x y z + quaternion w "
    "x y z | "
    "3x3 rotation row by row + x y z | 4x4 matrix";

// The same in fewer words, for the help of bodies at rest.
inline constexpr const char* place_help =
    "'x y z', 'x y z rx ry rz' (rotation vector in degrees), 'x y z qw qx qy qz', 'r00 .. r22 x y z', or a "
    "4x4 matrix";

// Throws UsageError naming the option if the text is not a pose.
Pose parse_pose(const std::string& text, const std::string& option);
// The same with the rotation made orthonormal, for bodies at rest (motions do that themselves).
Pose parse_place(const std::string& text, const std::string& option);

// A rotation matrix and a translation from 12 numbers; throws UsageError if it is not a rotation to 1e-3.
Pose pose_of_numbers(const std::vector<double>& numbers, const std::string& where);

std::vector<double> parse_numbers(const std::string& text, const std::string& where);

}  // namespace toccata::app
