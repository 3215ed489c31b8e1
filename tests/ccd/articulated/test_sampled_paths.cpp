// Paths against dense samples: random robots, and those of the shared data.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <filesystem>

#include "ccd/articulated/bar_robots.hpp"
#include "effort.hpp"
#include "toccata/ccd/articulated/path_clearance.hpp"
#include "toccata/proximity/distance.hpp"
#ifdef TOCCATA_WITH_URDF
#include "toccata/io/robot_io.hpp"
#include "toccata/io/scene_io.hpp"
#endif

namespace toccata {
namespace {

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
          bars::joint("joint" + std::to_string(i), kinds[random.integer(0, 5)],
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
      compare(sampler, robot, bars::random_edge(robot.kinematics(), random, k % 2 == 0 ? 0.4 : 1.5), 60,
              tally);
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
    compare(sampler, robot, bars::random_edge(robot.kinematics(), random, reach), 24, tally);
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

}  // namespace
}  // namespace toccata
