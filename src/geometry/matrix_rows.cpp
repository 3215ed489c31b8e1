#include "geometry/matrix_rows.hpp"

namespace toccata {
namespace {

Error not_three_columns(std::string_view name, Eigen::Index columns) {
  return {std::string(name) + " must have three columns, not " + std::to_string(columns)};
}

}  // namespace

Expected<std::vector<Vector3>> points_of_rows(const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                                              std::string_view name) {
  if (matrix.cols() != 3) return not_three_columns(name, matrix.cols());
  std::vector<Vector3> points(static_cast<std::size_t>(matrix.rows()));
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) points[static_cast<std::size_t>(i)] = matrix.row(i);
  return points;
}

Expected<std::vector<Face>> faces_of_rows(const Eigen::Ref<const Eigen::MatrixXi>& matrix,
                                          std::string_view name) {
  if (matrix.cols() != 3) return not_three_columns(name, matrix.cols());
  std::vector<Face> faces(static_cast<std::size_t>(matrix.rows()));
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    faces[static_cast<std::size_t>(i)] = {matrix(i, 0), matrix(i, 1), matrix(i, 2)};
  }
  return faces;
}

}  // namespace toccata
