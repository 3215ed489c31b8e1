// Forward kinematics of real robots against orocos-kdl, which reads their files by a reader of its own.
#include <gtest/gtest.h>

#include <filesystem>

#ifdef TOCCATA_WITH_KDL
#include <console_bridge/console.h>

#include <kdl/treefksolverpos_recursive.hpp>
#include <kdl_parser/kdl_parser.hpp>

#include "toccata/base/random.hpp"
#include "toccata/io/robot_io.hpp"
#include "toccata/motion/kinematics.hpp"

namespace toccata {
namespace {

void compare(const std::string& file) {
  const std::string path = std::string(TOCCATA_SHARED_DATA) + "/robots/" + file;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no shared data";
  console_bridge::noOutputHandler();
  const Expected<ArticulatedBody> body = load_urdf(path);
  ASSERT_TRUE(body) << body.error().message;
  KDL::Tree tree;
  ASSERT_TRUE(kdl_parser::treeFromFile(path, tree));
  const Kinematics kinematics = Kinematics::build(*body).value();
  KDL::TreeFkSolverPos_recursive solver(tree);
  Random random(7);
  int compared = 0;
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<double> values;
    for (const JointVariable& variable : kinematics.variables()) {
      const JointLimits limits = variable.limits.value_or(JointLimits{-7.0, 7.0});
      values.push_back(trial == 0   ? 0.0
                       : trial == 1 ? limits.lower
                       : trial == 2 ? limits.upper
                                    : random.uniform(limits.lower, limits.upper));
    }
    // KDL knows no mimics: it is given the value of each joint.
    const auto value_of = [&](const std::string& name) {
      double multiplier = 1.0, offset = 0.0;
      const Joint* joint = nullptr;
      const auto find = [&](const std::string& wanted) {
        for (const Joint& j : body->joints) {
          if (j.name == wanted) joint = &j;
        }
      };
      for (find(name); joint->mimic; find(joint->mimic->joint)) {
        offset += multiplier * joint->mimic->offset;
        multiplier *= joint->mimic->multiplier;
        if (joint->mimic->joint == name) break;
      }
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (kinematics.variables()[i].name == joint->name) return multiplier * values[i] + offset;
      }
      return 0.0;
    };
    KDL::JntArray joints(tree.getNrOfJoints());
    for (const auto& [name, element] : tree.getSegments()) {
      if (element.segment.getJoint().getType() == KDL::Joint::None) continue;
      joints(element.q_nr) = value_of(element.segment.getJoint().getName());
    }
    const std::vector<Pose> poses = kinematics.link_poses(values);
    for (std::size_t i = 0; i < body->links.size(); ++i) {
      KDL::Frame frame;
      if (solver.JntToCart(joints, frame, body->links[i].name) < 0) continue;
      ++compared;
      for (int r = 0; r < 3; ++r) {
        ASSERT_NEAR(poses[i].translation[r], frame.p[r], 1e-12) << body->links[i].name;
        for (int c = 0; c < 3; ++c)
          ASSERT_NEAR(poses[i].rotation(r, c), frame.M(r, c), 1e-12) << body->links[i].name;
      }
    }
  }
  EXPECT_GE(compared, 20 * static_cast<int>(body->links.size()) - 20);
}

TEST(RobotKinematics, panda) {
  compare("panda/panda.urdf");
}
TEST(RobotKinematics, ur5) {
  compare("ur5/ur5_robot.urdf");
}
TEST(RobotKinematics, pr2) {
  compare("pr2/urdf/pr2.urdf");
}
TEST(RobotKinematics, simple_humanoid) {
  compare("simple_humanoid/urdf/simple_humanoid.urdf");
}

}  // namespace
}  // namespace toccata
#else
TEST(RobotKinematics, against_kdl) {
  GTEST_SKIP() << "built without orocos-kdl";
}
#endif
