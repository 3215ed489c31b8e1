// Meshes from matrices, and what validate says of them.
#include "toccata/geometry/triangle_mesh.hpp"

#include <gtest/gtest.h>

namespace toccata {
namespace {

TEST(TriangleMesh, from_matrices_of_either_storage_order) {
  Eigen::MatrixXd vertices(4, 3);
  vertices << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
  Eigen::MatrixXi faces(2, 3);
  faces << 0, 2, 1, 0, 1, 3;
  const Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor> vertex_rows = vertices;
  const Eigen::Matrix<int, Eigen::Dynamic, 3, Eigen::RowMajor> face_rows = faces;
  const auto by_columns = make_triangle_mesh(vertices, faces);
  const auto by_rows = make_triangle_mesh(vertex_rows, face_rows);
  ASSERT_TRUE(by_columns.has_value() && by_rows.has_value());
  const std::vector<Vector3> expected = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const TriangleMesh& mesh : {*by_columns, *by_rows}) {
    EXPECT_EQ(mesh.vertices, expected);
    EXPECT_EQ(mesh.faces, (std::vector<Face>{{0, 2, 1}, {0, 1, 3}}));
    EXPECT_TRUE(validate(mesh).has_value());
  }
}

TEST(TriangleMesh, matrices_of_other_widths_are_named) {
  const auto flat = make_triangle_mesh(Eigen::MatrixXd(4, 2), Eigen::MatrixXi(1, 3));
  ASSERT_FALSE(flat.has_value());
  EXPECT_EQ(flat.error().message, "vertices must have three columns, not 2");
  const auto quads = make_triangle_mesh(Eigen::MatrixXd(4, 3), Eigen::MatrixXi(1, 4));
  ASSERT_FALSE(quads.has_value());
  EXPECT_EQ(quads.error().message, "faces must have three columns, not 4");
}

TEST(TriangleMesh, validate_names_the_first_offender) {
  TriangleMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 1, 1}}};
  ASSERT_TRUE(validate(mesh).has_value());
  EXPECT_EQ(validate(mesh)->degenerate_faces, 1u);
  mesh.faces.push_back({0, 1, 3});
  ASSERT_FALSE(validate(mesh).has_value());
  EXPECT_NE(validate(mesh).error().message.find("face 2"), std::string::npos);
}

}  // namespace
}  // namespace toccata
