#pragma once
// A pose as people type it: numbers separated by commas or spaces, in brackets or not.
//   3  x y z                       no rotation
//   6  x y z  rx ry rz             rotation vector in degrees (axis times angle)
//   7  x y z  qw qx qy qz          unit quaternion; x y z w with --quaternion xyzw
//   12 R (row by row) x y z        as in the trial files
//   16 a 4x4 matrix, row by row    its last row is 0 0 0 1
#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
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

// --quaternion: the order of its numbers, "wxyz" (the default) or "xyzw".
Option quaternion_option(std::string& order);

struct TypedPose {
  Pose pose;
  // Of 3 and 6 numbers: the rotation vector as typed, in degrees. It may say more than a pose can: 360 is not
  // 0.
  std::optional<Vector3> turn = {};
};

// Throws UsageError naming the option if the text is not a pose.
TypedPose parse_typed_pose(const std::string& text, const std::string& option, const std::string& order);
TypedPose typed_pose_of(const std::vector<double>& numbers, const std::string& where,
                        const std::string& order);
// The pose alone, with the rotation made orthonormal, for bodies at rest (motions do that themselves).
Pose parse_place(const std::string& text, const std::string& option, const std::string& order);

// A rotation matrix and a translation from 12 numbers; throws UsageError if it is not a rotation to 1e-6.
Pose pose_of_numbers(const std::vector<double>& numbers, const std::string& where);

std::vector<double> parse_numbers(const std::string& text, const std::string& where);
// Three numbers.
Vector3 parse_vector(const std::string& text, const std::string& where);

}  // namespace toccata::app
