#include "toccata/ccd/articulated/path_contact.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "effort.hpp"
#include "toccata/base/random.hpp"
#include "toccata/ccd/articulated/path_clearance.hpp"
#include "toccata/proximity/containment.hpp"
#include "toccata/proximity/distance.hpp"
#ifdef TOCCATA_WITH_URDF
#include "toccata/io/robot_io.hpp"
#include "toccata/io/scene_io.hpp"
#endif

namespace toccata {
namespace {

Joint joint(const std::string& name, JointKind kind, const std::string& parent, const std::string& child,
            const Vector3& place, const Vector3& axis) {
  Joint result;
  result.name = name;
  result.kind = kind;
  result.parent = parent;
  result.child = child;
  result.origin.translation = place;
  result.axis = axis;
  result.limits = JointLimits{-7.0, 7.0};
  return result;
}

// Two bars of length 1 in the plane, one after the other, each turning about z at its end.
ArticulatedBody two_bars() {
  ArticulatedBody body;
  const Pose middle(Matrix3::Identity(), Vector3(0.5, 0, 0));
  body.links = {{"base", {}},
                {"upper", {{Box{Vector3(1, 0.1, 0.1)}, middle}}},
                {"lower", {{Box{Vector3(1, 0.1, 0.1)}, middle}}}};
  body.joints = {joint("shoulder", JointKind::Revolute, "base", "upper", Vector3::Zero(), Vector3::UnitZ()),
                 joint("elbow", JointKind::Revolute, "upper", "lower", Vector3(1, 0, 0), Vector3::UnitZ())};
  return body;
}

JointPath line(const std::vector<double>& from, const std::vector<double>& to) {
  return JointPath::straight(std::vector<std::vector<double>>{from, to}).value();
}

TEST(PathContact, the_bar_meets_the_post_when_geometry_says) {
  ObstacleScene scene;
  scene.obstacles = {{"post", Box{Vector3(0.1, 0.1, 1)}, Pose(Matrix3::Identity(), Vector3(0, 1.5, 0))}};
  const RobotInScene robot = RobotInScene::build(two_bars(), scene).value();
  EXPECT_EQ(robot.pair_count(), 2u);  // adjacent bars may touch
  // Stretched out, it turns by a quarter: the lower bar's side reaches the post's corner (0.05, 1.45), or the
  // other way round, before the bar stands upright.
  const PathContactResult found = path_contact(robot, line({0, 0}, {std::numbers::pi, 0}));
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
  const RobotInScene robot = RobotInScene::build(two_bars(), scene).value();
  for (const bool any : {false, true}) {
    PathContactOptions options;
    options.any_contact = any;
    EXPECT_EQ(path_contact(robot, line({0, 0}, {6.0, 0}), options).status, Status::Separated);
    // Within a minimum distance it is not.
    options.minimum_distance = 0.2;
    const PathContactResult near = path_contact(robot, line({0, 0}, {6.0, 0}), options);
    EXPECT_EQ(near.status, Status::Contact);
    if (!any) {
      EXPECT_NEAR(near.distance, 0.2, 1e-5);
    }
  }
}

TEST(PathContact, self_contact_only_where_it_matters) {
  ArticulatedBody body = two_bars();
  body.links.push_back({"tip", {{Ball{0.05}, {}}}});
  body.joints.push_back(
      joint("wrist", JointKind::Continuous, "lower", "tip", Vector3(1, 0, 0), Vector3::UnitZ()));
  const JointPath fold = line({0, 0, 0}, {0, 3.1, 0});
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
  body.joints = {joint("turn", JointKind::Continuous, "base", "ball", Vector3::Zero(), Vector3::UnitZ())};
  // A closed mesh of a cube around the ball: no surfaces meet.
  TriangleMesh cube;
  for (int i = 0; i < 8; ++i)
    cube.vertices.emplace_back((i & 1) - 0.5, ((i >> 1) & 1) - 0.5, ((i >> 2) & 1) - 0.5);
  cube.faces = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  ObstacleScene scene;
  scene.obstacles = {{"cube", cube, Pose(Matrix3::Identity(), Vector3(1, 0, 0))}};
  const PathContactResult inside = path_contact(RobotInScene::build(body, scene).value(), line({0}, {0.01}));
  EXPECT_EQ(inside.status, Status::OverlapAtStart);
  EXPECT_EQ(inside.inside, Inside::FirstInSecond);
  EXPECT_EQ(inside.link_b, "cube");
  // A sheet thinner than any step of a sampled check, and one just out of reach.
  for (const double gap : {-1e-4, 1e-4}) {
    scene.obstacles = {
        {"sheet", Box{Vector3(1e-5, 1, 1)}, Pose(Matrix3::Identity(), Vector3(1.1 + 0.5e-5 + gap, 0, 0))}};
    const PathContactResult found =
        path_contact(RobotInScene::build(body, scene).value(), line({-2.0}, {2.0}));
    EXPECT_EQ(found.status, gap < 0 ? Status::Contact : Status::Separated) << gap;
  }
  // Contact exactly at the end, and exactly at a way-point.
  scene.obstacles = {{"wall", Box{Vector3(1, 1, 1)}, Pose(Matrix3::Identity(), Vector3(0, 1.6, 0))}};
  const RobotInScene robot = RobotInScene::build(body, scene).value();
  EXPECT_EQ(path_contact(robot, line({0}, {std::numbers::pi / 2})).status, Status::Contact);
  const JointPath back =
      JointPath::straight(std::vector<std::vector<double>>{{0}, {std::numbers::pi / 2}, {0}}).value();
  const PathContactResult turned = path_contact(robot, back);
  EXPECT_EQ(turned.status, Status::Contact);
  EXPECT_LE(turned.time, 0.5);
  // A path of no length, free and not.
  EXPECT_EQ(path_contact(robot, line({0}, {0})).status, Status::Separated);
  EXPECT_EQ(path_contact(robot, line({std::numbers::pi / 2}, {std::numbers::pi / 2})).status,
            Status::OverlapAtStart);
}

// z = 0.05 sin(x) sin(y) about, of two triangles a cell: sheets close to each other have many boxes that
// overlap and triangles that do not.
TriangleMesh wavy_sheet(int cells) {
  TriangleMesh mesh;
  for (int i = 0; i <= cells; ++i) {
    for (int k = 0; k <= cells; ++k) {
      const double x = 8.0 * i / cells, y = 8.0 * k / cells;
      mesh.vertices.emplace_back(0.1 * x, 0.1 * y, 0.05 * std::sin(3.0 * x) * std::sin(3.0 * y));
    }
  }
  for (int i = 0; i < cells; ++i) {
    for (int k = 0; k < cells; ++k) {
      const int a = i * (cells + 1) + k, b = a + cells + 1;
      mesh.faces.push_back({a, b, b + 1});
      mesh.faces.push_back({a, b + 1, a + 1});
    }
  }
  return mesh;
}

// A moment is a window without length: looks at boxes that are apart until its end must not wait for more.
TEST(PathContact, moments_of_fine_meshes_close_to_each_other) {
  ArticulatedBody body;
  body.links = {{"base", {}}, {"sheet", {{wavy_sheet(48), {}}}}};
  body.joints = {joint("lift", JointKind::Prismatic, "base", "sheet", Vector3::Zero(), Vector3::UnitZ())};
  ObstacleScene scene;
  scene.obstacles = {{"other", wavy_sheet(48), {}}};
  const RobotInScene robot = RobotInScene::build(body, scene).value();
  for (const bool any : {false, true}) {
    PathContactOptions options;
    options.any_contact = any;
    EXPECT_EQ(path_contact(robot, line({1e-3}, {1.1e-3}), options).status, Status::Separated);
    EXPECT_EQ(path_contact(robot, line({1e-3}, {-1e-3}), options).status, Status::Contact);
    EXPECT_EQ(path_contact(robot, line({1e-3}, {1e-3}), options).status, Status::Separated);
  }
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
  body.joints = {joint("y", JointKind::Prismatic, "base", "slide", Vector3::Zero(), Vector3::UnitY()),
                 joint("a", JointKind::Revolute, "slide", "arm", Vector3(0, 0, -0.5), Vector3::UnitX()),
                 joint("b", JointKind::Revolute, "arm", "wrist", Vector3(0, 0, 0.5), Vector3::UnitX()),
                 joint("c", JointKind::Revolute, "wrist", "tool", Vector3::Zero(), Vector3::UnitZ())};
  ObstacleScene scene;
  scene.obstacles = {
      {"board", Box{Vector3(0.056, 1.0, 0.1)}, Pose(Matrix3::Identity(), Vector3(0, 0, 0.24))}};
  const RobotInScene robot = RobotInScene::build(body, scene).value();
  Random random(12);
  for (int trial = 0; trial < 20; ++trial) {
    const double a = random.uniform(-0.4, 0.4), b = random.uniform(-0.4, 0.4);
    const PathContactResult found =
        path_contact(robot, line({random.uniform(-0.3, 0.3), a, -a, random.uniform(-0.05, 0.05)},
                                 {random.uniform(-0.3, 0.3), b, -b, random.uniform(-0.05, 0.05)}));
    ASSERT_EQ(found.status, Status::Separated) << trial;
    EXPECT_LT(found.stats.node_pairs + found.stats.piece_pairs, 4000) << trial;
  }
}

TEST(PathContact, floors_tools_and_paddings) {
  ObstacleScene scene;
  scene.obstacles = {{"floor", HalfSpace{Vector3(0, 1, 0), -1.2}, {}}};
  const RobotInScene robot = RobotInScene::build(two_bars(), scene).value();
  EXPECT_EQ(path_contact(robot, line({0, 0}, {-0.5, 0})).status, Status::Separated);
  EXPECT_EQ(path_contact(robot, line({0, 0}, {-1.0, 0})).status, Status::Contact);
  scene.attached = {
      {"rod",
       "lower",
       {{Capsule{0.01, 1.0},
         Pose(Matrix3(Eigen::AngleAxisd(std::numbers::pi / 2, Vector3::UnitX())), Vector3(0.9, -0.5, 0))}},
       {}}};
  const PathContactResult held =
      path_contact(RobotInScene::build(two_bars(), scene).value(), line({0, 0}, {-0.5, 0}));
  ASSERT_EQ(held.status, Status::Contact);
  EXPECT_EQ(held.link_a, "rod");
  EXPECT_EQ(held.link_b, "floor");
  scene.attached.clear();
  RobotOptions options;
  options.paddings = {{"lower", 0.2}, {"floor", 0.1}};
  const PathContactResult padded =
      path_contact(RobotInScene::build(two_bars(), scene, options).value(), line({0, 0}, {-0.5, 0}));
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
    return path_contact(RobotInScene::build(two_bars(), scene, options).value(), line({-3, 0}, {3, 0}),
                        asked);
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
  EXPECT_FALSE(RobotInScene::build(two_bars(), scene, options));
}

TEST(PathContact, wrong_questions_say_so) {
  const RobotInScene robot = RobotInScene::build(two_bars()).value();
  const PathContactResult other = path_contact(robot, line({0}, {1}));
  EXPECT_EQ(other.status, Status::Failed);
  EXPECT_NE(other.failure.find("2 variables"), std::string::npos);
  PathContactOptions options;
  options.minimum_distance = -1.0;
  EXPECT_EQ(path_contact(robot, line({0, 0}, {1, 0}), options).status, Status::Failed);
  const JointEdge bad[] = {{{0, 0}, {1, std::nan("")}}, {{0}, {1, 2}}, {{0, 0}, {1, 1}}};
  const auto results = edge_contacts(robot, bad);
  EXPECT_EQ(results[0].status, Status::Failed);
  EXPECT_EQ(results[1].status, Status::Failed);
  EXPECT_EQ(results[2].status, Status::Separated);
  ObstacleScene scene;
  scene.attached = {{"cup", "hand", {}, {}}};
  const auto unattached = RobotInScene::build(two_bars(), scene);
  ASSERT_FALSE(unattached);
  EXPECT_NE(unattached.error().message.find("link 'hand'"), std::string::npos);
  RobotOptions padded;
  padded.padding = -1;
  EXPECT_FALSE(RobotInScene::build(two_bars(), {}, padded));
}

TEST(PathContact, ends_when_the_budget_does) {
  ObstacleScene scene;
  scene.obstacles = {{"post", Box{Vector3(0.1, 0.1, 1)}, Pose(Matrix3::Identity(), Vector3(0, 2.06, 0))}};
  const RobotInScene robot = RobotInScene::build(two_bars(), scene).value();
  PathContactOptions options;
  options.budget = 3;
  const PathContactResult found = path_contact(robot, line({0, 0}, {3, 0}), options);
  EXPECT_EQ(found.status, Status::OutOfBudget);
  EXPECT_LT(found.time, 1.0);
  options.budget = 0;
  options.stop.token = StopToken::create();
  options.stop.token.request_stop();
  EXPECT_EQ(path_contact(robot, line({0, 0}, {3, 0}), options).status, Status::OutOfBudget);
}

TEST(PathClearance, of_the_bar_and_the_post) {
  ObstacleScene scene;
  scene.obstacles = {{"post", Box{Vector3(0.1, 0.1, 1)}, Pose(Matrix3::Identity(), Vector3(0, 2.2, 0))}};
  const RobotInScene robot = RobotInScene::build(two_bars(), scene).value();
  PathClearanceOptions options;
  options.bands = 8;
  const PathClearanceResult found = path_clearance(robot, line({0, 0}, {3.0, 0}), options);
  ASSERT_EQ(found.status, Status::Separated);
  EXPECT_EQ(found.link_a, "lower");
  EXPECT_EQ(found.link_b, "post");
  // A corner of the bar, at sqrt(2^2 + 0.05^2) from the axis, passes below the post.
  const double least = 2.15 - std::hypot(2.0, 0.05);
  EXPECT_LE(found.lower_distance, least + 1e-12);
  EXPECT_NEAR(found.lower_distance, least, 2e-4);
  EXPECT_NEAR(found.distance, least, 1e-4);
  ASSERT_EQ(found.bands.size(), 8u);
  for (const ClearanceBand& band : found.bands) {
    EXPECT_LE(band.lower, band.upper);
    EXPECT_GE(band.upper, least - 1e-9);
  }
  EXPECT_NEAR(state_clearance(robot, std::vector<double>{std::numbers::pi / 2, 0}).distance, 0.15, 1e-12);
  // In contact: the time is that of the first one.
  const PathClearanceResult touching = path_clearance(robot, line({0, 0}, {0, 3.5}));
  EXPECT_EQ(touching.status, Status::Separated);
  scene.obstacles[0].pose.translation = Vector3(0, 1.9, 0);
  const RobotInScene near = RobotInScene::build(two_bars(), scene).value();
  const PathClearanceResult hit = path_clearance(near, line({0, 0}, {3.0, 0}));
  EXPECT_EQ(hit.status, Status::Contact);
  EXPECT_EQ(hit.distance, 0.0);
  EXPECT_NEAR(hit.time, path_contact(near, line({0, 0}, {3.0, 0})).time, 1e-4);
  EXPECT_EQ(state_clearance(near, std::vector<double>{std::numbers::pi / 2, 0}).status,
            Status::OverlapAtStart);
  EXPECT_EQ(path_clearance(near, line({0}, {1})).status, Status::Failed);
}

// ---------------------------------------------------------------- against sampling

// The smallest distance of the robot from the scene and from itself at one moment, by links as they are.
struct Sampler {
  Sampler(const ArticulatedBody& body, const ObstacleScene& scene, const std::vector<AllowedPair>& allowed)
      : kinematics(Kinematics::build(body).value()) {
    for (std::size_t i = 0; i < body.links.size(); ++i) {
      for (const CompoundPart& part : body.links[i].shapes)
        shapes.push_back({i, Shape(part.geometry), part.pose});
    }
    for (const Obstacle& obstacle : scene.obstacles)
      placed.emplace_back(Shape(obstacle.geometry), obstacle.pose);
    const auto is_allowed = [&](const std::string& a, const std::string& b) {
      for (const auto& list : {allowed, scene.allowed}) {
        for (const AllowedPair& pair : list) {
          if ((pair.a == a && pair.b == b) || (pair.a == b && pair.b == a)) return true;
        }
      }
      return false;
    };
    std::vector<std::vector<double>> probes(4, std::vector<double>(kinematics.variables().size()));
    Random random(1);
    for (auto& probe : probes) {
      for (double& x : probe) x = random.uniform(-1, 1);
    }
    const auto is_joined = [&](std::size_t a, std::size_t b) {
      // By a fixed way or by one joint: what lies between does not change, or turns about one axis.
      std::size_t moving = 0;
      std::vector<std::size_t> up[2];
      for (int side = 0; side < 2; ++side) {
        std::string at = body.links[side == 0 ? a : b].name;
        for (bool found = true; found;) {
          found = false;
          for (std::size_t j = 0; j < body.joints.size(); ++j) {
            if (body.joints[j].child != at) continue;
            up[side].push_back(j);
            at = body.joints[j].parent;
            found = true;
            break;
          }
        }
      }
      while (!up[0].empty() && !up[1].empty() && up[0].back() == up[1].back()) {
        up[0].pop_back();
        up[1].pop_back();
      }
      for (const auto& joints : up) {
        for (const std::size_t j : joints) moving += body.joints[j].kind == JointKind::Fixed ? 0 : 1;
      }
      return moving <= 1;
    };
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      for (std::size_t k = i + 1; k < shapes.size(); ++k) {
        const std::size_t a = shapes[i].link, b = shapes[k].link;
        if (a != b && !is_joined(a, b) && !is_allowed(body.links[a].name, body.links[b].name))
          pairs.push_back({i, k});
      }
      for (std::size_t k = 0; k < placed.size(); ++k) {
        if (!is_allowed(body.links[shapes[i].link].name, scene.obstacles[k].name))
          with_scene.push_back({i, k});
      }
    }
  }

  double clearance(const std::vector<double>& values) const {
    const std::vector<Pose> poses = kinematics.link_poses(values);
    std::vector<PlacedShape> links;
    for (const LinkShape& shape : shapes) links.emplace_back(shape.shape, poses[shape.link] * shape.pose);
    double least = 1e9;
    const auto look = [&](const PlacedShape& a, const PlacedShape& b) {
      DistanceOptions options;
      options.limit = least;
      least = std::min(least, distance(a, b, options).distance);
    };
    for (const auto& [i, k] : pairs) look(links[i], links[k]);
    for (const auto& [i, k] : with_scene) look(links[i], placed[k]);
    return least;
  }

  struct LinkShape {
    std::size_t link;
    Shape shape;
    Pose pose;
  };
  Kinematics kinematics;
  std::vector<LinkShape> shapes;
  std::vector<PlacedShape> placed;
  std::vector<std::pair<std::size_t, std::size_t>> pairs, with_scene;
};

struct Tally {
  int contacts = 0, free = 0, starts = 0, edges = 0;
};

// No sample before the reported time touches; at it the clearance is the tolerance; where nothing is
// reported no sample touches.
void compare(const Sampler& sampler, const RobotInScene& robot, const JointEdge& edge, int samples,
             Tally& tally) {
  const std::vector<std::vector<double>> points = {edge.start, edge.end};
  const JointPath path = JointPath::straight(points).value();
  const PathContactResult found = path_contact(robot, path);
  ASSERT_NE(found.status, Status::Failed) << found.failure;
  ASSERT_NE(found.status, Status::OutOfBudget);
  PathContactOptions any;
  any.any_contact = true;
  const PathContactResult some = path_contact(robot, path, any);
  ASSERT_EQ(found.status == Status::Separated, some.status == Status::Separated);
  // A second opinion, now and then.
  if (++tally.edges % 16 == 0) {
    PathContactOptions intervals;
    intervals.method = PathMethod::Interval;
    const PathContactResult other = path_contact(robot, path, intervals);
    ASSERT_EQ(other.status, found.status);
    ASSERT_NEAR(other.time, found.time, 1e-4);
  }
  for (int i = 0; i < samples; ++i) {
    const double t = (i + 0.5) / samples;
    if (found.time < 1.0 && t >= found.time - 1e-9) break;
    ASSERT_GT(sampler.clearance(path.values(t)), 0.0) << "at " << t << ", reported at " << found.time;
  }
  if (found.status == Status::Separated) {
    if (++tally.free % 8 == 0) {
      const PathClearanceResult clearance = path_clearance(robot, path);
      ASSERT_EQ(clearance.status, Status::Separated);
      if (!std::isfinite(clearance.distance)) return;  // nothing to touch
      ASSERT_NEAR(sampler.clearance(path.values(clearance.time)), clearance.distance, 1e-9);
      for (int i = 0; i < samples; i += 4)
        ASSERT_GE(sampler.clearance(path.values((i + 0.5) / samples)), clearance.lower_distance - 1e-12);
    }
    return;
  }
  ++(found.time == 0.0 ? tally.starts : tally.contacts);
  ASSERT_LT(sampler.clearance(path.values(found.time)), 2e-6) << found.link_a << " " << found.link_b;
  ASSERT_LT(sampler.clearance(path.values(some.time)), 2e-6) << some.link_a << " " << some.link_b;
}

std::vector<double> random_values(const Kinematics& kinematics, Random& random) {
  std::vector<double> values;
  for (const JointVariable& variable : kinematics.variables()) {
    const JointLimits limits = variable.limits.value_or(JointLimits{-3.0, 3.0});
    values.push_back(random.uniform(limits.lower, limits.upper));
  }
  return values;
}

JointEdge random_edge(const Kinematics& kinematics, Random& random, double reach) {
  JointEdge edge{random_values(kinematics, random), {}};
  for (std::size_t i = 0; i < edge.start.size(); ++i) {
    const double step =
        kinematics.variables()[i].limits && kinematics.variables()[i].limits->upper < 1.0 ? 0.1 : 1.0;
    edge.end.push_back(edge.start[i] + step * reach * random.uniform(-1, 1));
  }
  return edge;
}

TEST(PathContact, agrees_with_sampling_on_random_robots) {
  Random random(21);
  Tally tally;
  for (int trial = 0; trial < with_effort(60); ++trial) {
    ArticulatedBody body;
    const int links = random.integer(2, 7);
    for (int i = 0; i < links; ++i) {
      Link link{"link" + std::to_string(i), {}};
      for (int k = random.integer(0, 2); k >= 0 && i > 0; --k) {
        const Pose pose(Eigen::AngleAxisd(random.uniform(-3, 3), random.on_sphere()).toRotationMatrix(),
                        random.in_box(0.1));
        switch (random.integer(0, 3)) {
          case 0:
            link.shapes.push_back({Box{Vector3(0.2, 0.1, 0.1)}, pose});
            break;
          case 1:
            link.shapes.push_back({Capsule{0.05, 0.2}, pose});
            break;
          case 2:
            link.shapes.push_back({Cylinder{0.05, 0.2}, pose});
            break;
          default: {
            TriangleMesh mesh;
            for (int v = 0; v < 12; ++v) mesh.vertices.push_back(random.in_box(0.15));
            for (int f = 0; f < 8; ++f)
              mesh.faces.push_back({random.integer(0, 11), random.integer(0, 11), random.integer(0, 11)});
            link.shapes.push_back({mesh, pose});
          }
        }
      }
      body.links.push_back(link);
      if (i == 0) continue;
      const JointKind kinds[] = {JointKind::Fixed,    JointKind::Prismatic, JointKind::Revolute,
                                 JointKind::Revolute, JointKind::Revolute,  JointKind::Planar};
      Joint added =
          joint("joint" + std::to_string(i), kinds[random.integer(0, 5)],
                body.links[static_cast<std::size_t>(random.integer(std::max(0, i - 2), i - 1))].name,
                link.name, random.in_box(0.4), random.on_sphere());
      added.limits = JointLimits{-1.5, 1.5};
      body.joints.push_back(added);
    }
    ObstacleScene scene;
    for (int i = random.integer(0, 4); i > 0; --i) {
      const Pose pose(Eigen::AngleAxisd(random.uniform(-3, 3), random.on_sphere()).toRotationMatrix(),
                      random.in_box(1.0));
      scene.obstacles.push_back(
          {"obstacle" + std::to_string(i),
           i % 2 == 0 ? Geometry(Box{Vector3(0.5, 0.01, 0.3)}) : Geometry(Cylinder{0.02, 0.6}), pose});
    }
    const Sampler sampler(body, scene, {});
    const RobotInScene robot = RobotInScene::build(body, scene).value();
    for (int k = 0; k < 12; ++k) {
      compare(sampler, robot, random_edge(robot.kinematics(), random, k % 2 == 0 ? 0.4 : 1.5), 60, tally);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(tally.contacts, 20);
  EXPECT_GT(tally.free, 50);
}

#ifdef TOCCATA_WITH_URDF
void compare_robot(const std::string& urdf, const std::string& srdf, const std::string& scene_file, int edges,
                   double reach) {
  const std::string shared = std::string(TOCCATA_SHARED_DATA) + "/robots/";
  if (!std::filesystem::exists(shared)) GTEST_SKIP() << "no shared data";
  const Expected<ArticulatedBody> body = load_urdf(shared + urdf);
  ASSERT_TRUE(body) << body.error().message;
  const Expected<RobotSemantics> semantics = load_srdf(shared + srdf, *body);
  ASSERT_TRUE(semantics) << semantics.error().message;
  const Expected<ObstacleScene> scene = load_scene(shared + scene_file);
  ASSERT_TRUE(scene) << scene.error().message;
  RobotOptions options;
  options.allowed = semantics->allowed;
  const RobotInScene robot = RobotInScene::build(*body, *scene, options).value();
  const Sampler sampler(*body, *scene, semantics->allowed);
  Random random(static_cast<std::uint64_t>(edges));
  Tally tally;
  for (int i = 0; i < with_effort(edges); ++i) {
    compare(sampler, robot, random_edge(robot.kinematics(), random, reach), 24, tally);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(PathContact, panda_among_rods) {
  compare_robot("panda/panda.urdf", "panda/panda.srdf", "thin_rods/thin_1.txt", 40, 0.7);
}
TEST(PathContact, ur5_among_rods) {
  compare_robot("ur5/ur5_robot.urdf", "ur5/ur5.srdf", "thin_rods/thin_2.txt", 30, 0.7);
}
TEST(PathContact, pr2_among_rods) {
  compare_robot("pr2/urdf/pr2.urdf", "pr2/srdf/pr2.srdf", "thin_rods/thin_1.txt", 4, 0.3);
}
TEST(PathContact, humanoid_among_rods) {
  compare_robot("simple_humanoid/urdf/simple_humanoid.urdf", "simple_humanoid/srdf/simple_humanoid.srdf",
                "thin_rods/thin_2.txt", 10, 0.3);
}
#endif

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
  const RobotInScene robot = RobotInScene::build(two_bars(), scene, options).value();
  std::vector<RobotInScene> alone;
  for (const Obstacle& obstacle : scene.obstacles) {
    ObstacleScene single;
    single.obstacles = {obstacle};
    alone.push_back(RobotInScene::build(two_bars(), single, options).value());
  }
  int contacts = 0;
  for (int i = 0; i < with_effort(40); ++i) {
    const std::vector<double> start = {random.uniform(-3, 3), random.uniform(-2, 2)};
    const JointPath path = line(start, {start[0] + random.uniform(-1, 1), start[1] + random.uniform(-1, 1)});
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
  const RobotInScene robot = RobotInScene::build(two_bars(), scene).value();
  Random random(31);
  std::vector<JointEdge> edges;
  for (int i = 0; i < 100; ++i) edges.push_back(random_edge(robot.kinematics(), random, 2.0));
  PathContactOptions options;
  options.threads = 1;
  const auto one = edge_contacts(robot, edges, options);
  options.threads = 3;
  const auto three = edge_contacts(robot, edges, options);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const PathContactResult alone = path_contact(robot, line(edges[i].start, edges[i].end));
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
  ArticulatedBody body = two_bars();
  body.links.push_back({"tip", {{wavy_sheet(8), {}}}});
  body.joints.push_back(
      joint("wrist", JointKind::Revolute, "lower", "tip", Vector3(1, 0, 0), Vector3::UnitY()));
  const RobotInScene robot = RobotInScene::build(body, scene).value();
  std::vector<std::vector<double>> nodes;
  for (int i = 0; i < 40; ++i) nodes.push_back(random_edge(robot.kinematics(), random, 1.0).start);
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
