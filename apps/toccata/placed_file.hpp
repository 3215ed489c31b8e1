#pragma once
// Where a mesh stands, as the commands on two meshes at rest take it.
#include <string>
#include <vector>

#include "toccata/base/pose.hpp"
#include "toccata/command.hpp"

namespace toccata::app {

// Numbers separated by blanks or commas:
//   3   x y z                     translation
//   6   x y z rx ry rz            and a rotation vector, radians
//   7   x y z qw qx qy qz         and a quaternion
//   12  r00 r01 ... r22 x y z     rotation matrix row by row, and translation
// Throws UsageError; rotations are made orthonormal, and refused when they are far from it.
Pose parse_pose(const std::string& text);

}  // namespace toccata::app
