#pragma once
// Poses from 4x4 matrices, as Eigen::Matrix4d, robots and graphics hold them. (Eigen::Isometry3d and unit
// quaternions are poses as they are: toccata/base/pose.hpp.)
#include <string>

#include "toccata/base/expected.hpp"
#include "toccata/base/pose.hpp"

namespace toccata {

// How far R^T R of a rotation may be from the identity.
inline constexpr double rotation_tolerance = 1e-6;

// What keeps the matrix from being a rotation to rotation_tolerance, or nothing.
std::string rotation_fault(const Matrix3& matrix);

// [R T; 0 0 0 1], or what is wrong with it: another last row (is it transposed?), no rotation, not finite.
Expected<Pose> pose_from_matrix(const Eigen::Matrix4d& matrix);

}  // namespace toccata
