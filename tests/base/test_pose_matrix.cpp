// Poses from 4x4 matrices: what is one, and what is said of what is none.
#include "toccata/base/pose_matrix.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <limits>

namespace toccata {
namespace {

Eigen::Matrix4d some_matrix() {
  Eigen::Isometry3d placement =
      Eigen::Translation3d(1, 2, 3) * Eigen::AngleAxisd(0.7, Vector3(1, 2, 2) / 3.0);
  return placement.matrix();
}

std::string fault_of(const Eigen::Matrix4d& matrix) {
  const Expected<Pose> pose = pose_from_matrix(matrix);
  return pose ? "" : pose.error().message;
}

TEST(PoseFromMatrix, takes_what_an_isometry_holds) {
  const Eigen::Matrix4d matrix = some_matrix();
  const Expected<Pose> pose = pose_from_matrix(matrix);
  ASSERT_TRUE(pose);
  const Pose same = Eigen::Isometry3d(matrix);
  EXPECT_EQ(pose->rotation, same.rotation);
  EXPECT_EQ(pose->translation, same.translation);
  const Vector3 point(4, 5, 6);
  EXPECT_LT((pose->apply(point) - (matrix * point.homogeneous()).head<3>()).norm(), 1e-14);
  const Pose turned(Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Vector3(1, 2, 2) / 3.0)), Vector3(1, 2, 3));
  EXPECT_LT((turned.rotation - pose->rotation).norm(), 1e-14);
}

TEST(PoseFromMatrix, a_quaternion_alone_turns_about_the_origin) {
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.7, Vector3(1, 2, 2) / 3.0));
  const Pose pose = turn;
  EXPECT_EQ(pose.rotation, Pose(turn, Vector3(1, 2, 3)).rotation);
  EXPECT_EQ(pose.translation, Vector3(0, 0, 0));
  const Vector3 point(4, 5, 6);
  EXPECT_LT((pose.apply(point) - turn * point).norm(), 1e-14);
  const Pose half(Eigen::Quaternion<double, Eigen::DontAlign>(0, 0, 0, 1));
  EXPECT_EQ(half.apply({1, 2, 3}), Vector3(-1, -2, 3));
}

TEST(PoseFromMatrix, says_what_is_wrong) {
  EXPECT_NE(fault_of(some_matrix().transpose()).find("is this column order?"), std::string::npos);
  Eigen::Matrix4d matrix = some_matrix();
  matrix(3, 3) = 2.0;
  EXPECT_EQ(fault_of(matrix), "the last row of a 4x4 matrix must be 0 0 0 1, found 0 0 0 2");
  matrix = some_matrix();
  matrix.topLeftCorner<3, 3>() *= 1.001;
  EXPECT_NE(fault_of(matrix).find("seven digits"), std::string::npos);
  matrix.topLeftCorner<3, 3>() *= 2.0;
  EXPECT_NE(fault_of(matrix).find("not a rotation"), std::string::npos);
  matrix = some_matrix();
  matrix.topLeftCorner<3, 3>() *= -1.0;
  EXPECT_NE(fault_of(matrix).find("a reflection"), std::string::npos);
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (int i = 0; i < 16; ++i) {
      matrix = some_matrix();
      matrix(i / 4, i % 4) = bad;
      EXPECT_NE(fault_of(matrix), "") << i;
    }
  }
}

}  // namespace
}  // namespace toccata
