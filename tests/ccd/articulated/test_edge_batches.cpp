// Many edges and many obstacles at once answer as each alone.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "ccd/articulated/bar_robots.hpp"
#include "effort.hpp"

namespace toccata {
namespace {

// Many obstacles at once answer as the earliest of each alone.
TEST(PathContact, many_obstacles_are_as_each_alone) {
  Random random(41);
  ObstacleScene scene;
  for (int i = 0; i < 120; ++i) {
    const Pose pose(Eigen::AngleAxisd(random.uniform(-3, 3), random.on_sphere()).toRotationMatrix(),
                    Vector3(random.uniform(-4, 4), random.uniform(-4, 4), random.uniform(-0.5, 0.5)));
    scene.obstacles.push_back({"obstacle" + std::to_string(i), Box{Vector3(0.3, 0.01, 0.05)}, pose});
  }
  scene.obstacles.push_back({"wall", HalfSpace{Vector3::UnitX(), -1.9}, {}});
  RobotOptions options;
  options.paddings = {{"obstacle7", 0.3}};
  options.allowed = {{"lower", "obstacle3"}};
  const RobotInScene robot = RobotInScene::build(bars::two_bars(), scene, options).value();
  std::vector<RobotInScene> alone;
  for (const Obstacle& obstacle : scene.obstacles) {
    ObstacleScene single;
    single.obstacles = {obstacle};
    alone.push_back(RobotInScene::build(bars::two_bars(), single, options).value());
  }
  int contacts = 0;
  for (int i = 0; i < with_effort(40); ++i) {
    const std::vector<double> start = {random.uniform(-3, 3), random.uniform(-2, 2)};
    const JointPath path =
        bars::line(start, {start[0] + random.uniform(-1, 1), start[1] + random.uniform(-1, 1)});
    double earliest = 1.0;
    for (const RobotInScene& one : alone) earliest = std::min(earliest, path_contact(one, path).time);
    const PathContactResult found = path_contact(robot, path);
    EXPECT_NEAR(found.time, earliest, 1e-5);
    contacts += found.status == Status::Contact ? 1 : 0;
  }
  EXPECT_GT(contacts, 2);
}

// Batches answer as one by one, on any number of threads.
TEST(PathContact, batches_do_not_depend_on_threads) {
  ObstacleScene scene;
  scene.obstacles = {{"post", Box{Vector3(0.1, 0.1, 1)}, Pose(Matrix3::Identity(), Vector3(0, 1.5, 0))}};
  const RobotInScene robot = RobotInScene::build(bars::two_bars(), scene).value();
  Random random(31);
  std::vector<JointEdge> edges;
  for (int i = 0; i < 100; ++i) edges.push_back(bars::random_edge(robot.kinematics(), random, 2.0));
  PathContactOptions options;
  options.threads = 1;
  const auto one = edge_contacts(robot, edges, options);
  options.threads = 3;
  const auto three = edge_contacts(robot, edges, options);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const PathContactResult alone = path_contact(robot, bars::line(edges[i].start, edges[i].end));
    EXPECT_EQ(one[i].status, three[i].status);
    EXPECT_EQ(one[i].time, three[i].time);
    EXPECT_EQ(one[i].time, alone.time);
    EXPECT_EQ(one[i].link_a, three[i].link_a);
    EXPECT_EQ(one[i].contact.point_a, alone.contact.point_a);
  }
}

// Nodes that many edges share: what is known of them changes no answer, up to the tolerance.
TEST(PathContact, roadmaps_are_as_edge_by_edge) {
  ObstacleScene scene;
  Random random(32);
  for (int i = 0; i < 12; ++i) {
    const Pose pose(Eigen::AngleAxisd(random.uniform(-3, 3), random.on_sphere()).toRotationMatrix(),
                    random.in_box(2.0));
    scene.obstacles.push_back({"board" + std::to_string(i), Box{Vector3(0.4, 0.02, 0.3)}, pose});
  }
  ArticulatedBody body = bars::two_bars();
  body.links.push_back({"tip", {{bars::wavy_sheet(8), {}}}});
  body.joints.push_back(
      bars::joint("wrist", JointKind::Revolute, "lower", "tip", Vector3(1, 0, 0), Vector3::UnitY()));
  const RobotInScene robot = RobotInScene::build(body, scene).value();
  std::vector<std::vector<double>> nodes;
  for (int i = 0; i < 40; ++i) nodes.push_back(bars::random_edge(robot.kinematics(), random, 1.0).start);
  std::vector<JointEdge> edges;
  for (int i = 0; i < 40 * with_effort(10); ++i) {
    // Short ones, too, so that some are known by their ends alone.
    const std::vector<double>& from = nodes[static_cast<std::size_t>(random.integer(0, 39))];
    std::vector<double> to = nodes[static_cast<std::size_t>(random.integer(0, 39))];
    if (i % 2 == 0) {
      const double share = i % 4 == 0 ? 0.05 : 0.2;
      for (std::size_t k = 0; k < to.size(); ++k) to[k] = from[k] + share * (to[k] - from[k]);
      for (int copy = 0; copy < 6; ++copy) edges.push_back({from, to});  // a node as well
    }
    edges.push_back({from, to});
  }
  for (const bool any : {false, true}) {
    PathContactOptions options;
    options.any_contact = any;
    options.threads = 1;
    const auto one = edge_contacts(robot, edges, options);
    options.threads = 3;
    const auto three = edge_contacts(robot, edges, options);
    int free = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const PathContactResult alone = edge_contacts(robot, {&edges[i], 1}, options).front();
      EXPECT_EQ(one[i].status, three[i].status);
      EXPECT_EQ(one[i].time, three[i].time);
      EXPECT_EQ(one[i].status == Status::Separated, alone.status == Status::Separated) << i;
      if (!any) {
        EXPECT_NEAR(one[i].time, alone.time, 1e-3) << i;
      }
      free += alone.status == Status::Separated ? 1 : 0;
    }
    EXPECT_GT(free, 100);
    EXPECT_LT(free, static_cast<int>(edges.size()) - 100);
  }
}

}  // namespace
}  // namespace toccata
