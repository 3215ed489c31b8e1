// Plans for an arm in front of a shelf with OMPL's planners, whose edges are proven free, and asks how many
// of the edges that OMPL's own check of states along them calls valid touch something.
#include <ompl/base/DiscreteMotionValidator.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/util/Console.h>

#include <cstdio>
#include <toccata/base/random.hpp>
#include <toccata/ccd/articulated/ompl_validators.hpp>
#include <toccata/ccd/articulated/path_contact.hpp>

#include "ompl_plan.hpp"

using namespace toccata;
namespace ob = ompl::base;

// Three bars, one after the other, each turning about its own axis.
ArticulatedBody arm() {
  ArticulatedBody body;
  const Pose middle(Matrix3::Identity(), Vector3(0.2, 0, 0));
  const Box bar{Vector3(0.4, 0.05, 0.05)};
  body.links = {
      {"base", {}}, {"upper", {{bar, middle}}}, {"fore", {{bar, middle}}}, {"hand", {{bar, middle}}}};
  const auto joint = [](const char* name, const char* parent, const char* child, double x,
                        const Vector3& axis) {
    Joint result{name, JointKind::Revolute, parent, child};
    result.origin.translation.x() = x;
    result.axis = axis;
    result.limits = JointLimits{-2.8, 2.8};
    return result;
  };
  body.joints = {joint("shoulder", "base", "upper", 0.0, Vector3::UnitZ()),
                 joint("elbow", "upper", "fore", 0.4, Vector3::UnitY()),
                 joint("wrist", "fore", "hand", 0.4, Vector3::UnitZ())};
  return body;
}

// Thin boards, and rods between them.
ObstacleScene shelf() {
  ObstacleScene scene;
  for (const double z : {-0.35, 0.35})
    scene.obstacles.push_back(
        {"board", Box{Vector3(0.6, 1.6, 0.005)}, Pose(Matrix3::Identity(), Vector3(0.8, 0, z))});
  for (const double y : {-0.45, 0.0, 0.45})
    scene.obstacles.push_back({"rod", Cylinder{0.003, 0.7}, Pose(Matrix3::Identity(), Vector3(0.75, y, 0))});
  return scene;
}

int main() {
  ompl::msg::setLogLevel(ompl::msg::LOG_ERROR);
  const RobotInScene robot = RobotInScene::build(arm(), shelf()).value();
  auto states = std::make_shared<ob::RealVectorStateSpace>(3);
  states->setBounds(-2.8, 2.8);
  auto space = std::make_shared<ob::SpaceInformation>(states);
  space->setStateValidityChecker(ompl_state_validity(space, robot));
  space->setMotionValidator(ompl_motion_validator(space, robot));
  space->setup();

  // From the left of the middle rod to the right of it.
  for (const char* name : {"RRT-Connect", "PRM*"}) {
    const WayPoints points = planned_way(space, name, {0.3, 0.1, 0.0}, {-0.3, 0.1, 0.0},
                                         ob::timedPlannerTerminationCondition(3.0));
    if (points.empty()) {
      std::printf("%s found no way\n", name);
      continue;
    }
    // A planner goes to where a contact begins, and its edges may come as near as the tolerance: asked more
    // finely.
    const PathContactResult found =
        path_contact(robot, JointPath::straight(points).value(), {.tolerance = 1e-9});
    std::printf("%s: the way is %s\n", name, found.status == Status::Separated ? "free, proven" : "blocked");
  }

  // Edges that OMPL's default, states a hundredth of the space apart, calls valid.
  const ob::DiscreteMotionValidator discrete(space);
  ob::ScopedState<> a(space), b(space);
  Random random(1);
  int valid = 0, touching = 0;
  while (valid < 400) {
    for (unsigned int i = 0; i < 3; ++i) {
      a[i] = random.uniform(-1.2, 1.2);
      b[i] = a[i] + random.uniform(-1.0, 1.0);
    }
    if (!space->isValid(a.get()) || !discrete.checkMotion(a.get(), b.get())) continue;
    ++valid;
    touching += space->checkMotion(a.get(), b.get()) ? 0 : 1;
  }
  std::printf("of %d edges that samples call valid, %d touch something\n", valid, touching);
}
// Output:
// RRT-Connect: the way is free, proven
// PRM*: the way is free, proven
// of 400 edges that samples call valid, 3 touch something
