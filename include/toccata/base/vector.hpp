#pragma once
// The vector vocabulary of the library: Eigen's fixed-size types in double.
#include <Eigen/Core>

namespace toccata {

using Vector2 = Eigen::Vector2d;
using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;

}  // namespace toccata
