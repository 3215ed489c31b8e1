// What a stranger writes after a look at toccata.hpp and the README: every guess must compile, and mean what
// it says. One header for all of them, and nothing else of the library.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cstdio>
#include <filesystem>
#include <span>
#include <string>
#include <toccata/toccata.hpp>
#include <vector>

namespace {

using namespace toccata;

TriangleMesh tetrahedron() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

Pose at(double x) {
  return {Matrix3::Identity(), {x, 0, 0}};
}

TEST(FirstGuesses, distance_of_two_meshes) {
  const TriangleMesh a = tetrahedron();
  TriangleMesh b = tetrahedron();
  for (Vector3& vertex : b.vertices) vertex.x() += 3;
  EXPECT_DOUBLE_EQ(distance(a, b).distance, 2.0);
}

TEST(FirstGuesses, distance_of_a_shape_at_two_poses) {
  const Shape shape = tetrahedron();
  EXPECT_DOUBLE_EQ(distance({shape, at(0)}, {shape, at(3)}).distance, 2.0);
  EXPECT_TRUE(within({shape, at(0)}, {shape, at(3)}, 2.5).within);
  EXPECT_FALSE(intersects(shape, {shape, at(3)}).intersects);
}

TEST(FirstGuesses, first_contact_of_meshes) {
  const TriangleMesh mesh = tetrahedron();
  const FirstContactResult found = first_contact({mesh, RigidMotion(at(0), at(4))}, {mesh, at(3)});
  EXPECT_EQ(found.status, Status::Contact);
  EXPECT_NEAR(found.time, 0.5, 1e-6);
}

TEST(FirstGuesses, first_contact_of_shapes_and_options_by_name) {
  const Shape shape = tetrahedron();
  const ScrewMotion turn(at(2), Vector3::UnitZ(), Vector3::Zero(), 1.0, 0.0);
  const auto found = first_contact({shape, turn}, {shape}, {.minimum_distance = 0.5, .all_contacts = true});
  EXPECT_NE(found.status, Status::Failed);
}

TEST(FirstGuesses, a_batch_of_values) {
  const Shape shape = tetrahedron();
  std::vector<BodyPair> pairs;
  pairs.push_back({{shape, RigidMotion(at(0), at(4))}, {shape, at(3)}});
  pairs.push_back({{shape}, {shape, at(3)}});
  const std::vector<FirstContactResult> found = first_contacts(pairs, {.threads = 1});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].status, Status::Contact);
  EXPECT_EQ(found[1].status, Status::Separated);
}

TEST(FirstGuesses, a_motion_from_a_list_of_poses) {
  const PiecewiseMotion path = {{0, at(0)}, {0.5, at(1)}, {1, at(0)}};
  EXPECT_EQ(path.times().size(), 3u);
  EXPECT_EQ(first_contact({tetrahedron(), path}, {tetrahedron(), at(5)}).status, Status::Separated);
}

TEST(FirstGuesses, closest_approach_and_intervals_with_options_by_name) {
  const Body moving = {tetrahedron(), RigidMotion(at(0), at(6))};
  const Body post = {tetrahedron(), at(3)};
  EXPECT_EQ(closest_approach(moving, post, {.tolerance = 1e-9}).status, Status::Contact);
  EXPECT_EQ(contact_intervals(moving, post, {.time_resolution = 1e-6}).intervals.size(), 1u);
}

TEST(FirstGuesses, poses_from_eigen) {
  Eigen::Isometry3d placement = Eigen::Isometry3d::Identity();
  placement.translate(Vector3(3, 0, 0));
  const Pose pose = placement;
  EXPECT_EQ(pose.translation, Vector3(3, 0, 0));
  const Pose turned(Eigen::Quaterniond(Eigen::AngleAxisd(0.5, Vector3::UnitZ())), Vector3(1, 2, 3));
  EXPECT_NEAR(turned.rotation(1, 0), std::sin(0.5), 1e-15);
  const RigidMotion between(placement, at(4));
  EXPECT_DOUBLE_EQ(distance(tetrahedron(), {tetrahedron(), placement}).distance, 2.0);
  EXPECT_EQ(between.pose(1.0).translation.x(), 4.0);
}

TEST(FirstGuesses, a_ray_on_a_shape) {
  const Shape shape = tetrahedron();
  const RayCastResult seen = ray_cast(shape, {{-1, 0.2, 0.2}, {1, 0, 0}});
  EXPECT_TRUE(seen.hit);
  EXPECT_EQ(seen.point, Vector3(0, 0.2, 0.2));
}

TEST(FirstGuesses, a_file_becomes_a_body_in_one_line) {
  const std::string path = (std::filesystem::temp_directory_path() / "toccata_first_guess.off").string();
  ASSERT_TRUE(save_mesh(path, tetrahedron(), {.force = true}));
  const Body body = {load_mesh(path).value(), RigidMotion(at(0), at(1)), true};
  EXPECT_TRUE(body.shape.is_closed());
  std::filesystem::remove(path);
}

TEST(FirstGuesses, what_happened_in_words) {
  const auto found = first_contact({tetrahedron()}, {tetrahedron()});
  EXPECT_EQ(std::string(to_string(found.status)), "overlap_at_start");
}

TEST(FirstGuesses, a_solver_kept_for_many_motions) {
  ContactSolver solver(tetrahedron(), tetrahedron());
  EXPECT_EQ(solver.first_contact(RigidMotion(at(0), at(4)), RigidMotion::fixed(at(3))).status,
            Status::Contact);
}

TEST(FirstGuesses, a_motion_of_ones_own) {
  const CustomMotion swing([](double t) { return at(2 + std::sin(t)); }, {.speed = 1.0});
  EXPECT_EQ(first_contact({tetrahedron(), swing}, {tetrahedron()}).status, Status::Separated);
}

TEST(FirstGuesses, vertex_and_face) {
  const LinearMotion4 falling = {{{{0.2, 0.2, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}},
                                 {{{0.2, 0.2, -1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}};
  EXPECT_EQ(vertex_face_impact(falling).status, Status::Contact);
}

TEST(FirstGuesses, a_report_of_an_answer_and_its_sentence) {
  const TriangleMesh mesh = tetrahedron();
  const RigidMotion push(at(0), at(4));
  const FirstContactResult found = first_contact({mesh, push}, {mesh, at(3)});
  const Report report = first_contact_report({"part", mesh, push}, {"wall", mesh, at(3)}, found);
  EXPECT_EQ(report.answer, sentence(found));
  EXPECT_EQ(report.answer.rfind("They first touch at t = 0.49999", 0), 0u) << report.answer;
  ASSERT_EQ(report.results.size(), 1u);
  EXPECT_EQ(report.results[0].time, found.time);
}

}  // namespace
