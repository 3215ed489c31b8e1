// Links of many triangles close to others: the work that paths take.
#include <gtest/gtest.h>

#include <cmath>

#include "ccd/articulated/bar_robots.hpp"

namespace toccata {
namespace {

// A moment is a window without length: looks at boxes that are apart until its end must not wait for more.
TEST(PathContact, moments_of_fine_meshes_close_to_each_other) {
  ArticulatedBody body;
  body.links = {{"base", {}}, {"sheet", {{bars::wavy_sheet(48), {}}}}};
  body.joints = {
      bars::joint("lift", JointKind::Prismatic, "base", "sheet", Vector3::Zero(), Vector3::UnitZ())};
  ObstacleScene scene;
  scene.obstacles = {{"other", bars::wavy_sheet(48), {}}};
  const RobotInScene robot = RobotInScene::build(body, scene).value();
  for (const bool any : {false, true}) {
    PathContactOptions options;
    options.any_contact = any;
    EXPECT_EQ(path_contact(robot, bars::line({1e-3}, {1.1e-3}), options).status, Status::Separated);
    EXPECT_EQ(path_contact(robot, bars::line({1e-3}, {-1e-3}), options).status, Status::Contact);
    EXPECT_EQ(path_contact(robot, bars::line({1e-3}, {1e-3}), options).status, Status::Separated);
  }
  // Looks at moments before the proof must not cost as much as the proof, each.
  PathContactOptions any;
  any.any_contact = true;
  const auto work = [&](const PathContactOptions& options) {
    const QueryStats stats = path_contact(robot, bars::line({1e-3}, {1.1e-3}), options).stats;
    return stats.node_pairs + stats.piece_pairs;
  };
  EXPECT_LT(2 * work(any), 3 * work({}));
}

// A hand of 99,000 triangles whose fingers pass 12 mm from both sides of a board: boxes tell, no triangles.
TEST(PathContact, a_fine_tool_along_a_board_takes_little_work) {
  const auto bumpy_box = [](const Vector3& center, const Vector3& size, int cells, TriangleMesh& mesh) {
    for (int axis = 0; axis < 3; ++axis) {
      for (const double side : {-1.0, 1.0}) {
        const int first = static_cast<int>(mesh.vertices.size());
        for (int i = 0; i <= cells; ++i) {
          for (int k = 0; k <= cells; ++k) {
            Vector3 unit;
            unit[axis] = side;
            unit[(axis + 1) % 3] = 2.0 * i / cells - 1.0;
            unit[(axis + 2) % 3] = side * (2.0 * k / cells - 1.0);
            const double bump = 1.0 - 0.01 * std::abs(std::sin(40.0 * unit.x() + 31.0 * unit.z()));
            mesh.vertices.push_back(center + 0.5 * bump * size.cwiseProduct(unit));
          }
        }
        for (int i = 0; i < cells; ++i) {
          for (int k = 0; k < cells; ++k) {
            const int a = first + i * (cells + 1) + k, b = a + cells + 1;
            mesh.faces.push_back({a, b, b + 1});
            mesh.faces.push_back({a, b + 1, a + 1});
          }
        }
      }
    }
  };
  TriangleMesh tool;
  bumpy_box(Vector3(0, 0, 0.08), Vector3(0.14, 0.08, 0.06), 52, tool);
  for (const double side : {-1.0, 1.0})
    bumpy_box(Vector3(side * 0.05, 0, 0.17), Vector3(0.02, 0.03, 0.13), 52, tool);
  ASSERT_GT(tool.faces.size(), 97000u);
  ArticulatedBody body;
  body.links = {{"base", {}}, {"slide", {}}, {"arm", {}}, {"wrist", {}}, {"tool", {{tool, {}}}}};
  body.joints = {bars::joint("y", JointKind::Prismatic, "base", "slide", Vector3::Zero(), Vector3::UnitY()),
                 bars::joint("a", JointKind::Revolute, "slide", "arm", Vector3(0, 0, -0.5), Vector3::UnitX()),
                 bars::joint("b", JointKind::Revolute, "arm", "wrist", Vector3(0, 0, 0.5), Vector3::UnitX()),
                 bars::joint("c", JointKind::Revolute, "wrist", "tool", Vector3::Zero(), Vector3::UnitZ())};
  ObstacleScene scene;
  scene.obstacles = {
      {"board", Box{Vector3(0.056, 1.0, 0.1)}, Pose(Matrix3::Identity(), Vector3(0, 0, 0.24))}};
  const RobotInScene robot = RobotInScene::build(body, scene).value();
  Random random(12);
  for (int trial = 0; trial < 20; ++trial) {
    const double a = random.uniform(-0.4, 0.4), b = random.uniform(-0.4, 0.4);
    const PathContactResult found =
        path_contact(robot, bars::line({random.uniform(-0.3, 0.3), a, -a, random.uniform(-0.05, 0.05)},
                                       {random.uniform(-0.3, 0.3), b, -b, random.uniform(-0.05, 0.05)}));
    ASSERT_EQ(found.status, Status::Separated) << trial;
    EXPECT_LT(found.stats.node_pairs + found.stats.piece_pairs, 4000) << trial;
  }
}

}  // namespace
}  // namespace toccata
