#include "toccata/ccd/articulated/ompl_validators.hpp"

#include <gtest/gtest.h>
#include <ompl/base/MotionValidator.h>
#include <ompl/base/ScopedState.h>
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/goals/GoalState.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/base/spaces/SO2StateSpace.h>
#include <ompl/geometric/PathGeometric.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/Console.h>

#include <numbers>
#include <thread>

#include "scenes/robot_arm.hpp"
#include "toccata/base/random.hpp"
#include "toccata/ccd/articulated/path_clearance.hpp"
#include "toccata/ccd/articulated/path_contact.hpp"

namespace toccata {
namespace {

namespace ob = ompl::base;

// A bar of length 1 that turns about z, and a thin post at the side.
RobotInScene bar_and_post() {
  ArticulatedBody body;
  body.links = {{"base", {}},
                {"bar", {{Box{Vector3(1, 0.1, 0.1)}, Pose(Matrix3::Identity(), Vector3(0.5, 0, 0))}}}};
  body.joints = {{"turn", JointKind::Continuous, "base", "bar"}};
  body.joints[0].axis = Vector3::UnitZ();
  ObstacleScene scene;
  scene.obstacles = {{"post", Box{Vector3(0.002, 0.002, 1)}, Pose(Matrix3::Identity(), Vector3(0, 0.9, 0))}};
  return RobotInScene::build(body, scene).value();
}

// The bar's side reaches the post's corner.
const double touching_angle = std::atan2(0.899, 0.001) - std::asin(0.05 / std::hypot(0.899, 0.001));

std::shared_ptr<ob::SpaceInformation> with_validators(const ob::StateSpacePtr& states,
                                                      const RobotInScene& robot,
                                                      const OmplOptions& options = {}) {
  auto space = std::make_shared<ob::SpaceInformation>(states);
  space->setStateValidityChecker(ompl_state_validity(space, robot, options));
  space->setMotionValidator(ompl_motion_validator(space, robot, options));
  space->setup();
  return space;
}

std::shared_ptr<ob::RealVectorStateSpace> box_space(const std::vector<std::pair<double, double>>& limits) {
  auto states = std::make_shared<ob::RealVectorStateSpace>(static_cast<unsigned int>(limits.size()));
  ob::RealVectorBounds bounds(static_cast<unsigned int>(limits.size()));
  for (std::size_t i = 0; i < limits.size(); ++i) {
    bounds.low[i] = limits[i].first;
    bounds.high[i] = limits[i].second;
  }
  states->setBounds(bounds);
  return states;
}

class OmplValidators : public ::testing::Test {
 protected:
  void SetUp() override { ompl::msg::setLogLevel(ompl::msg::LOG_NONE); }
};

TEST_F(OmplValidators, the_last_valid_state_is_before_the_contact) {
  const auto space = with_validators(box_space({{-6, 6}}), bar_and_post());
  ob::ScopedState<> from(space), to(space), last(space);
  from[0] = 0.0;
  to[0] = 3.0;
  // A discrete check of one part in a hundred steps over the post at 0.03 of an edge.
  EXPECT_FALSE(space->checkMotion(from.get(), to.get()));
  std::pair<ob::State*, double> last_valid(last.get(), -1.0);
  EXPECT_FALSE(space->getMotionValidator()->checkMotion(from.get(), to.get(), last_valid));
  EXPECT_LT(last_valid.second * 3.0, touching_angle);
  EXPECT_NEAR(last_valid.second * 3.0, touching_angle, 1e-4);
  EXPECT_NEAR(last[0], last_valid.second * 3.0, 1e-12);
  EXPECT_TRUE(space->isValid(last.get()));
  EXPECT_TRUE(space->checkMotion(from.get(), last.get()));
  // No state wanted; and a start that touches.
  std::pair<ob::State*, double> time_only(nullptr, -1.0);
  EXPECT_FALSE(space->getMotionValidator()->checkMotion(from.get(), to.get(), time_only));
  EXPECT_EQ(time_only.second, last_valid.second);
  from[0] = std::numbers::pi / 2;
  EXPECT_FALSE(space->isValid(from.get()));
  EXPECT_FALSE(space->getMotionValidator()->checkMotion(from.get(), to.get(), last_valid));
  EXPECT_EQ(last_valid.second, 0.0);
  // A free edge leaves it alone.
  from[0] = 2.0;
  last_valid.second = -1.0;
  EXPECT_TRUE(space->getMotionValidator()->checkMotion(from.get(), to.get(), last_valid));
  EXPECT_EQ(last_valid.second, -1.0);
  EXPECT_GT(space->getMotionValidator()->getInvalidMotionCount(), 0u);
  EXPECT_GT(space->getMotionValidator()->getValidMotionCount(), 0u);
}

TEST_F(OmplValidators, clearance_and_bounds) {
  OmplOptions options;
  options.minimum_distance = 0.1;
  const auto space = with_validators(box_space({{-2, 2}}), bar_and_post());
  const auto wary = with_validators(box_space({{-2, 2}}), bar_and_post(), options);
  ob::ScopedState<> state(space);
  state[0] = 0.0;
  // From the post's corner (0.001, 0.899) to the bar's upper side.
  EXPECT_NEAR(space->getStateValidityChecker()->clearance(state.get()), 0.849, 1e-9);
  EXPECT_NEAR(wary->getStateValidityChecker()->clearance(state.get()), 0.749, 1e-9);
  state[0] = touching_angle - 0.05;
  EXPECT_TRUE(space->isValid(state.get()));
  EXPECT_FALSE(wary->isValid(state.get()));
  EXPECT_EQ(wary->getStateValidityChecker()->clearance(state.get()), 0.0);
  state[0] = 2.5;
  EXPECT_FALSE(space->isValid(state.get()));  // beyond the bounds
}

TEST_F(OmplValidators, a_circle_takes_the_shorter_way) {
  const auto circle = with_validators(std::make_shared<ob::SO2StateSpace>(), bar_and_post());
  ob::ScopedState<ob::SO2StateSpace> from(circle), to(circle);
  from->value = 3.0;
  to->value = -3.0;
  EXPECT_TRUE(circle->checkMotion(from.get(), to.get()));  // over pi, away from the post
  // Half a turn has two shorter ways: the one that OMPL takes counts.
  from->value = 0.0;
  to->value = -std::numbers::pi;
  EXPECT_TRUE(circle->checkMotion(from.get(), to.get()));
  to->value = std::numbers::pi;
  EXPECT_FALSE(circle->checkMotion(from.get(), to.get()));
  const auto straight = with_validators(box_space({{-4, 4}}), bar_and_post());
  ob::ScopedState<> a(straight), b(straight);
  a[0] = 3.0;
  b[0] = -3.0;
  EXPECT_FALSE(straight->checkMotion(a.get(), b.get()));
}

TEST_F(OmplValidators, some_variables_and_wrong_ones) {
  RobotOptions allowed;
  allowed.allowed = {{"left_finger", "right_finger"}};
  const RobotInScene robot = RobotInScene::build(scenes::robot_arm(), scenes::shelf(), allowed).value();
  const std::vector<JointVariable>& variables = robot.kinematics().variables();
  OmplOptions options;
  options.values = scenes::free_reach().values(0.0);
  options.variables = {variables[1].name, variables[0].name};
  const auto space = with_validators(box_space({{-3, 3}, {-3, 3}}), robot, options);
  ob::ScopedState<> state(space);
  state[0] = options.values[1];
  state[1] = options.values[0];
  EXPECT_TRUE(space->isValid(state.get()));
  EXPECT_NEAR(space->getStateValidityChecker()->clearance(state.get()),
              state_clearance(robot, options.values).distance, 1e-9);
  options.variables = {"nobody"};
  EXPECT_THROW(ompl_motion_validator(space, robot, options), std::invalid_argument);
  options.variables.clear();
  options.values = {0.0};
  EXPECT_THROW(ompl_state_validity(space, robot, options), std::invalid_argument);
}

// A planner finds its way, every edge of it is free, and threads may ask at once.
TEST_F(OmplValidators, plans_and_threads) {
  RobotOptions allowed;
  allowed.allowed = {{"left_finger", "right_finger"}};
  const RobotInScene robot = RobotInScene::build(scenes::robot_arm(), scenes::shelf(), allowed).value();
  std::vector<std::pair<double, double>> limits;
  for (const JointVariable& variable : robot.kinematics().variables())
    limits.emplace_back(variable.limits ? variable.limits->lower : -3.0,
                        variable.limits ? variable.limits->upper : 3.0);
  const auto space = with_validators(box_space(limits), robot);
  const JointPath reach = scenes::free_reach();
  ob::ScopedState<> start(space), goal(space);
  for (std::size_t i = 0; i < limits.size(); ++i) {
    start[static_cast<unsigned int>(i)] = reach.values(0.0)[i];
    goal[static_cast<unsigned int>(i)] = reach.values(1.0)[i];
  }
  auto problem = std::make_shared<ob::ProblemDefinition>(space);
  problem->setStartAndGoalStates(start, goal);
  const ob::PlannerPtr planner = std::make_shared<ompl::geometric::RRTConnect>(space);
  planner->setProblemDefinition(problem);
  planner->setup();
  ASSERT_TRUE(planner->solve(20.0));
  const auto path = std::dynamic_pointer_cast<ompl::geometric::PathGeometric>(problem->getSolutionPath());
  ASSERT_TRUE(path);
  std::vector<std::vector<double>> points;
  for (const ob::State* state : path->getStates()) {
    points.emplace_back();
    space->getStateSpace()->copyToReals(points.back(), state);
  }
  EXPECT_EQ(path_contact(robot, JointPath::straight(points).value()).status, Status::Separated);

  Random random(3);
  std::vector<ob::ScopedState<>> states;
  for (int i = 0; i < 40; ++i) {
    states.emplace_back(space);
    for (std::size_t k = 0; k < limits.size(); ++k)
      states.back()[static_cast<unsigned int>(k)] = random.uniform(limits[k].first, limits[k].second);
  }
  std::vector<std::vector<bool>> answers(3);
  std::vector<std::thread> threads;
  for (std::vector<bool>& own : answers) {
    threads.emplace_back([&] {
      for (std::size_t i = 0; i + 1 < states.size(); ++i)
        own.push_back(space->checkMotion(states[i].get(), states[i + 1].get()));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(answers[0], answers[1]);
  EXPECT_EQ(answers[0], answers[2]);
}

}  // namespace
}  // namespace toccata
