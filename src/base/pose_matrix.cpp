#include "toccata/base/pose_matrix.hpp"

#include <Eigen/LU>
#include <cstdio>

namespace toccata {

std::string rotation_fault(const Matrix3& matrix) {
  const Matrix3 defect = matrix.transpose() * matrix - Matrix3::Identity();
  const double largest = defect.cwiseAbs().maxCoeff();
  if (!(largest <= rotation_tolerance) || !matrix.allFinite()) {
    char text[120];
    std::snprintf(text, sizeof text,
                  "the 3x3 part is not a rotation: R^T R differs from the identity by %.3g%s", largest,
                  largest < 1e-2 ? "; give it with seven digits or more" : "");
    return text;
  }
  if (!(matrix.determinant() > 0.0)) return "the 3x3 part is not a rotation but a reflection";
  return "";
}

Expected<Pose> pose_from_matrix(const Eigen::Matrix4d& matrix) {
  const Eigen::RowVector4d last = matrix.row(3);
  if (!(last == Eigen::RowVector4d(0, 0, 0, 1))) {
    const bool transposed = matrix.col(3) == Eigen::Vector4d(0, 0, 0, 1);
    char text[200];
    std::snprintf(text, sizeof text, "the last row of a 4x4 matrix must be 0 0 0 1, found %g %g %g %g%s",
                  last[0], last[1], last[2], last[3],
                  transposed ? "; is this column order? It is read row by row" : "");
    return Error{text};
  }
  const Pose pose(Matrix3(matrix.topLeftCorner<3, 3>()), Vector3(matrix.topRightCorner<3, 1>()));
  if (std::string fault = rotation_fault(pose.rotation); !fault.empty()) return Error{std::move(fault)};
  if (!pose.translation.allFinite()) return Error{"the translation is not finite"};
  return pose;
}

}  // namespace toccata
