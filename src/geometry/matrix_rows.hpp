#pragma once
// The rows of matrices, of either storage order, as points and faces. The error calls the matrix by `name`.
#include <string_view>
#include <vector>

#include "toccata/base/expected.hpp"
#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata {

Expected<std::vector<Vector3>> points_of_rows(const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                                              std::string_view name);
Expected<std::vector<Face>> faces_of_rows(const Eigen::Ref<const Eigen::MatrixXi>& matrix,
                                          std::string_view name);

}  // namespace toccata
