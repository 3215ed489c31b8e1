// First guesses about deforming meshes, from the headers alone.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <toccata/toccata.hpp>
#include <vector>

namespace {

using namespace toccata;

// Two triangles, one above the other; in the second frame the upper one has fallen through.
TriangleMesh two_triangles(double height) {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.2, height}, {0.8, 0.2, height}, {0.2, 0.8, height}},
          {{0, 1, 2}, {3, 4, 5}}};
}

TEST(DeformingGuesses, a_scene_of_meshes) {
  const TriangleMesh start = two_triangles(1), end = two_triangles(-1);
  auto scene = DeformableScene::build({start});
  ASSERT_TRUE(scene);
  ASSERT_TRUE(scene->update(start.vertices, end.vertices));
  EXPECT_FALSE(scene->all_contacts().contacts.empty());
}

TEST(DeformingGuesses, an_object_from_a_mesh) {
  const DeformableObject object = two_triangles(1);
  EXPECT_EQ(object.vertex_count, 6);
}

TEST(DeformingGuesses, the_answer_has_the_type_of_rigid_bodies) {
  const TriangleMesh start = two_triangles(1), end = two_triangles(-1);
  auto scene = DeformableScene::build({start});
  ASSERT_TRUE(scene->update(start.vertices, end.vertices));
  const FirstContactResult found = scene->first_contact();
  EXPECT_EQ(found.status, Status::Contact);
  EXPECT_NEAR(found.time, 0.5, 1e-9);
  EXPECT_LT(scene->safe_step().fraction, 0.5);
}

TEST(DeformingGuesses, matrices_of_eigen) {
  const Eigen::MatrixXd start{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.2, 1}, {0.8, 0.2, 1}, {0.2, 0.8, 1}};
  Eigen::MatrixXd end = start;
  end.bottomRows(3).col(2).array() -= 2.0;
  const Eigen::MatrixXi faces{{0, 1, 2}, {3, 4, 5}};
  const auto found = ccd(start, end, faces);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->contacts.empty());
}

TEST(DeformingGuesses, a_mesh_from_matrices_of_eigen) {
  const Eigen::MatrixXd points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const Eigen::MatrixXi faces{{0, 1, 2}};
  const TriangleMesh mesh = make_triangle_mesh(points, faces).value();
  EXPECT_EQ(mesh.faces.size(), 1u);
}

}  // namespace
