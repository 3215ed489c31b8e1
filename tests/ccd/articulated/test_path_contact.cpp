#include "toccata/ccd/articulated/path_contact.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "ccd/articulated/bar_robots.hpp"

namespace toccata {
namespace {

TEST(PathContact, the_bar_meets_the_post_when_geometry_says) {
  ObstacleScene scene;
  scene.obstacles = {{"post", Box{Vector3(0.1, 0.1, 1)}, Pose(Matrix3::Identity(), Vector3(0, 1.5, 0))}};
  const RobotInScene robot = RobotInScene::build(bars::two_bars(), scene).value();
  EXPECT_EQ(robot.pair_count(), 2u);  // adjacent bars may touch
  // Stretched out, it turns by a quarter: the lower bar's side reaches the post's corner (0.05, 1.45), or the
  // other way round, before the bar stands upright.
  const PathContactResult found = path_contact(robot, bars::line({0, 0}, {std::numbers::pi, 0}));
  ASSERT_EQ(found.status, Status::Contact);
  EXPECT_EQ(found.link_a, "lower");
  EXPECT_EQ(found.link_b, "post");
  EXPECT_TRUE(found.with_scene);
  // The bar's leading side is the line at distance 0.05 from the ray of angle a: it meets the corner c where
  // |c| sin(angle of c - a) = 0.05.
  const double corner = std::atan2(1.45, 0.05), length = std::hypot(1.45, 0.05);
  const double angle = corner - std::asin(0.05 / length);
  EXPECT_LE(found.time * std::numbers::pi, angle + 1e-12);
  EXPECT_NEAR(found.time * std::numbers::pi, angle, 1e-5);
  EXPECT_LT(found.distance, 1e-5);
}

TEST(PathContact, a_free_path_is_proven) {
  ObstacleScene scene;
  scene.obstacles = {{"post", Box{Vector3(0.1, 0.1, 1)}, Pose(Matrix3::Identity(), Vector3(0, 2.2, 0))}};
  const RobotInScene robot = RobotInScene::build(bars::two_bars(), scene).value();
  for (const bool any : {false, true}) {
    PathContactOptions options;
    options.any_contact = any;
    EXPECT_EQ(path_contact(robot, bars::line({0, 0}, {6.0, 0}), options).status, Status::Separated);
    // Within a minimum distance it is not.
    options.minimum_distance = 0.2;
    const PathContactResult near = path_contact(robot, bars::line({0, 0}, {6.0, 0}), options);
    EXPECT_EQ(near.status, Status::Contact);
    if (!any) {
      EXPECT_NEAR(near.distance, 0.2, 1e-5);
    }
  }
}

TEST(PathContact, self_contact_only_where_it_matters) {
  ArticulatedBody body = bars::two_bars();
  body.links.push_back({"tip", {{Ball{0.05}, {}}}});
  body.joints.push_back(
      bars::joint("wrist", JointKind::Continuous, "lower", "tip", Vector3(1, 0, 0), Vector3::UnitZ()));
  const JointPath fold = bars::line({0, 0, 0}, {0, 3.1, 0});
  const RobotInScene robot = RobotInScene::build(body).value();
  EXPECT_EQ(robot.pair_count(), 1u);
  const PathContactResult found = path_contact(robot, fold);
  ASSERT_EQ(found.status, Status::Contact);
  EXPECT_EQ(found.link_a, "upper");
  EXPECT_EQ(found.link_b, "tip");
  EXPECT_FALSE(found.with_scene);
  // The ball comes down on the bar: its centre is at height 0.1 when sin(angle) = 0.1.
  EXPECT_NEAR(found.time * 3.1, std::numbers::pi - std::asin(0.1), 1e-5);
  RobotOptions allowed;
  allowed.allowed = {{"tip", "upper"}};
  EXPECT_EQ(path_contact(RobotInScene::build(body, {}, allowed).value(), fold).status, Status::Separated);
  RobotOptions without;
  without.self_contact = false;
  EXPECT_EQ(path_contact(RobotInScene::build(body, {}, without).value(), fold).status, Status::Separated);
  RobotOptions adjacent;
  adjacent.adjacent_allowed = false;
  EXPECT_EQ(path_contact(RobotInScene::build(body, {}, adjacent).value(), fold).status,
            Status::OverlapAtStart);
}

TEST(PathContact, start_inside_and_grazing) {
  ArticulatedBody body;
  const Pose middle(Matrix3::Identity(), Vector3(1, 0, 0));
  body.links = {{"base", {}}, {"ball", {{Ball{0.1}, middle}}}};
  body.joints = {
      bars::joint("turn", JointKind::Continuous, "base", "ball", Vector3::Zero(), Vector3::UnitZ())};
  // A closed mesh of a cube around the ball: no surfaces meet.
  TriangleMesh cube;
  for (int i = 0; i < 8; ++i)
    cube.vertices.emplace_back((i & 1) - 0.5, ((i >> 1) & 1) - 0.5, ((i >> 2) & 1) - 0.5);
  cube.faces = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  ObstacleScene scene;
  scene.obstacles = {{"cube", cube, Pose(Matrix3::Identity(), Vector3(1, 0, 0))}};
  const PathContactResult inside =
      path_contact(RobotInScene::build(body, scene).value(), bars::line({0}, {0.01}));
  EXPECT_EQ(inside.status, Status::OverlapAtStart);
  EXPECT_EQ(inside.inside, Inside::FirstInSecond);
  EXPECT_EQ(inside.link_b, "cube");
  // It comes out later, through the surface: it touches from the start on all the same.
  for (const PathMethod method : {PathMethod::Advancement, PathMethod::Interval}) {
    PathContactOptions options;
    options.method = method;
    const PathContactResult out =
        path_contact(RobotInScene::build(body, scene).value(), bars::line({0}, {1.5}), options);
    EXPECT_EQ(out.status, Status::OverlapAtStart);
    EXPECT_EQ(out.time, 0.0);
  }
  PathContactOptions some;
  some.any_contact = true;
  EXPECT_NE(path_contact(RobotInScene::build(body, scene).value(), bars::line({0}, {1.5}), some).status,
            Status::Separated);
  // A sheet thinner than any step of a sampled check, and one just out of reach.
  for (const double gap : {-1e-4, 1e-4}) {
    scene.obstacles = {
        {"sheet", Box{Vector3(1e-5, 1, 1)}, Pose(Matrix3::Identity(), Vector3(1.1 + 0.5e-5 + gap, 0, 0))}};
    const PathContactResult found =
        path_contact(RobotInScene::build(body, scene).value(), bars::line({-2.0}, {2.0}));
    EXPECT_EQ(found.status, gap < 0 ? Status::Contact : Status::Separated) << gap;
  }
  // Contact exactly at the end, and exactly at a way-point.
  scene.obstacles = {{"wall", Box{Vector3(1, 1, 1)}, Pose(Matrix3::Identity(), Vector3(0, 1.6, 0))}};
  const RobotInScene robot = RobotInScene::build(body, scene).value();
  EXPECT_EQ(path_contact(robot, bars::line({0}, {std::numbers::pi / 2})).status, Status::Contact);
  const JointPath back =
      JointPath::straight(std::vector<std::vector<double>>{{0}, {std::numbers::pi / 2}, {0}}).value();
  const PathContactResult turned = path_contact(robot, back);
  EXPECT_EQ(turned.status, Status::Contact);
  EXPECT_LE(turned.time, 0.5);
  // A path of no length, free and not.
  EXPECT_EQ(path_contact(robot, bars::line({0}, {0})).status, Status::Separated);
  EXPECT_EQ(path_contact(robot, bars::line({std::numbers::pi / 2}, {std::numbers::pi / 2})).status,
            Status::OverlapAtStart);
}

TEST(PathContact, floors_tools_and_paddings) {
  ObstacleScene scene;
  scene.obstacles = {{"floor", HalfSpace{Vector3(0, 1, 0), -1.2}, {}}};
  const RobotInScene robot = RobotInScene::build(bars::two_bars(), scene).value();
  EXPECT_EQ(path_contact(robot, bars::line({0, 0}, {-0.5, 0})).status, Status::Separated);
  EXPECT_EQ(path_contact(robot, bars::line({0, 0}, {-1.0, 0})).status, Status::Contact);
  scene.attached = {
      {"rod",
       "lower",
       {{Capsule{0.01, 1.0},
         Pose(Matrix3(Eigen::AngleAxisd(std::numbers::pi / 2, Vector3::UnitX())), Vector3(0.9, -0.5, 0))}},
       {}}};
  const PathContactResult held =
      path_contact(RobotInScene::build(bars::two_bars(), scene).value(), bars::line({0, 0}, {-0.5, 0}));
  ASSERT_EQ(held.status, Status::Contact);
  EXPECT_EQ(held.link_a, "rod");
  EXPECT_EQ(held.link_b, "floor");
  scene.attached.clear();
  RobotOptions options;
  options.paddings = {{"lower", 0.2}, {"floor", 0.1}};
  const PathContactResult padded = path_contact(RobotInScene::build(bars::two_bars(), scene, options).value(),
                                                bars::line({0, 0}, {-0.5, 0}));
  ASSERT_EQ(padded.status, Status::Contact);
  EXPECT_NEAR(padded.distance, 0.3, 1e-5);
}

TEST(PathContact, paddings_of_pairs) {
  ObstacleScene scene;
  scene.obstacles = {{"post", Box{Vector3(0.1, 0.1, 1)}, Pose(Matrix3::Identity(), Vector3(0, 2.2, 0))},
                     {"wall", Box{Vector3(0.1, 0.1, 1)}, Pose(Matrix3::Identity(), Vector3(0, -2.2, 0))}};
  const auto contact = [&](const RobotOptions& options, PathMethod method = PathMethod::Advancement) {
    PathContactOptions asked;
    asked.method = method;
    return path_contact(RobotInScene::build(bars::two_bars(), scene, options).value(),
                        bars::line({-3, 0}, {3, 0}), asked);
  };
  EXPECT_EQ(contact({}).status, Status::Separated);
  RobotOptions options;
  options.pair_paddings = {{"post", "lower", 0.2}};
  for (const PathMethod method : {PathMethod::Advancement, PathMethod::Interval}) {
    const PathContactResult found = contact(options, method);
    ASSERT_EQ(found.status, Status::Contact);
    EXPECT_EQ(found.link_b, "post");
    EXPECT_NEAR(found.distance, 0.2, 1e-5);
  }
  options.pair_paddings = {{"post", "upper", 0.2}};
  EXPECT_EQ(contact(options).status, Status::Separated);
  options.pair_paddings = {{"post", "upper", -0.2}};
  EXPECT_FALSE(RobotInScene::build(bars::two_bars(), scene, options));
}

TEST(PathContact, wrong_questions_say_so) {
  const RobotInScene robot = RobotInScene::build(bars::two_bars()).value();
  const PathContactResult other = path_contact(robot, bars::line({0}, {1}));
  EXPECT_EQ(other.status, Status::Failed);
  EXPECT_NE(other.failure.find("2 variables"), std::string::npos);
  PathContactOptions options;
  options.minimum_distance = -1.0;
  EXPECT_EQ(path_contact(robot, bars::line({0, 0}, {1, 0}), options).status, Status::Failed);
  const JointEdge bad[] = {{{0, 0}, {1, std::nan("")}}, {{0}, {1, 2}}, {{0, 0}, {1, 1}}};
  const auto results = edge_contacts(robot, bad);
  EXPECT_EQ(results[0].status, Status::Failed);
  EXPECT_EQ(results[1].status, Status::Failed);
  EXPECT_EQ(results[2].status, Status::Separated);
  ObstacleScene scene;
  scene.attached = {{"cup", "hand", {}, {}}};
  const auto unattached = RobotInScene::build(bars::two_bars(), scene);
  ASSERT_FALSE(unattached);
  EXPECT_NE(unattached.error().message.find("link 'hand'"), std::string::npos);
  RobotOptions padded;
  padded.padding = -1;
  EXPECT_FALSE(RobotInScene::build(bars::two_bars(), {}, padded));
}

TEST(PathContact, ends_when_the_budget_does) {
  ObstacleScene scene;
  scene.obstacles = {{"post", Box{Vector3(0.1, 0.1, 1)}, Pose(Matrix3::Identity(), Vector3(0, 2.06, 0))}};
  const RobotInScene robot = RobotInScene::build(bars::two_bars(), scene).value();
  PathContactOptions options;
  options.budget = 3;
  const PathContactResult found = path_contact(robot, bars::line({0, 0}, {3, 0}), options);
  EXPECT_EQ(found.status, Status::OutOfBudget);
  EXPECT_LT(found.time, 1.0);
  options.budget = 0;
  options.stop.token = StopToken::create();
  options.stop.token.request_stop();
  EXPECT_EQ(path_contact(robot, bars::line({0, 0}, {3, 0}), options).status, Status::OutOfBudget);
}

}  // namespace
}  // namespace toccata
