// Plans for a robot from files, a Panda in a bookshelf say, with RRT-Connect and PRM*: once with edges that
// are proven free, once with OMPL's own check of states along them. How long does each take, how many of the
// edges that samples call valid touch something, and what does the way look like?
//   example_ompl_bookshelf panda.urdf panda.srdf scene.yaml goal.txt page.html
// goal.txt: start and goal, a line each.
#include <ompl/base/DiscreteMotionValidator.h>
#include <ompl/base/ScopedState.h>
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/geometric/PathGeometric.h>
#include <ompl/geometric/planners/prm/PRMstar.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <toccata/ccd/articulated/ompl_validators.hpp>
#include <toccata/ccd/articulated/path_clearance.hpp>
#include <toccata/ccd/articulated/path_contact.hpp>
#include <toccata/ccd/articulated/robot_pairs.hpp>
#include <toccata/io/robot_io.hpp>
#include <toccata/io/robot_report.hpp>
#include <toccata/io/scene_io.hpp>
#include <toccata/io/viewer_page.hpp>

using namespace toccata;
namespace ob = ompl::base;
namespace og = ompl::geometric;

// Asks a validator, and keeps what it called valid and how long that took.
class Watched final : public ob::MotionValidator {
 public:
  Watched(const ob::SpaceInformationPtr& space, ob::MotionValidatorPtr asked)
      : ob::MotionValidator(space), asked_(std::move(asked)) {}
  bool checkMotion(const ob::State* a, const ob::State* b) const override {
    const auto start = std::chrono::steady_clock::now();
    const bool valid = asked_->checkMotion(a, b);
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ++edges;
    if (!valid) return false;
    JointEdge edge;
    si_->getStateSpace()->copyToReals(edge.start, a);
    si_->getStateSpace()->copyToReals(edge.end, b);
    called_valid.push_back(std::move(edge));
    return true;
  }
  bool checkMotion(const ob::State* a, const ob::State* b,
                   std::pair<ob::State*, double>& last) const override {
    return asked_->checkMotion(a, b, last);
  }

  mutable double seconds = 0.0;
  mutable long edges = 0;
  mutable std::vector<JointEdge> called_valid;

 private:
  ob::MotionValidatorPtr asked_;
};

int main(int argc, char** argv) {
  if (argc != 6) {
    std::puts("usage: example_ompl_bookshelf ROBOT.urdf ROBOT.srdf SCENE.yaml GOAL.txt PAGE.html");
    return 0;
  }
  ompl::msg::setLogLevel(ompl::msg::LOG_ERROR);
  ompl::RNG::setSeed(1);
  const ArticulatedBody body = load_urdf(argv[1]).value();
  RobotOptions options;
  options.allowed = load_srdf(argv[2], body).value().allowed;
  const RobotInScene robot =
      with_pair_tables(RobotInScene::build(body, load_scene(argv[3]).value(), options).value());
  const auto& variables = robot.kinematics().variables();
  const auto dimension = static_cast<unsigned int>(variables.size());
  ob::RealVectorBounds bounds(dimension);
  for (unsigned int i = 0; i < dimension; ++i) {
    bounds.setLow(i, variables[i].limits ? variables[i].limits->lower : -3.15);
    bounds.setHigh(i, variables[i].limits ? variables[i].limits->upper : 3.15);
  }
  std::ifstream file(argv[4]);
  std::vector<double> ends(2 * std::size_t{dimension});
  for (double& value : ends) file >> value;

  std::vector<std::vector<double>> shown;
  for (const bool proven : {true, false}) {
    for (const char* name : {"RRT-Connect", "PRM*"}) {
      auto states = std::make_shared<ob::RealVectorStateSpace>(dimension);
      states->setBounds(bounds);
      auto space = std::make_shared<ob::SpaceInformation>(states);
      space->setStateValidityChecker(ompl_state_validity(space, robot));
      auto watched =
          std::make_shared<Watched>(space, proven ? ompl_motion_validator(space, robot)
                                                  : std::make_shared<ob::DiscreteMotionValidator>(space));
      space->setMotionValidator(watched);
      space->setup();
      ob::ScopedState<> start(space), goal(space);
      for (unsigned int i = 0; i < dimension; ++i) {
        start[i] = ends[i];
        goal[i] = ends[dimension + i];
      }
      auto problem = std::make_shared<ob::ProblemDefinition>(space);
      problem->setStartAndGoalStates(start, goal);
      ob::PlannerPtr planner;
      if (name[0] == 'R') {
        planner = std::make_shared<og::RRTConnect>(space);
      } else {
        planner = std::make_shared<og::PRMstar>(space);
      }
      planner->setProblemDefinition(problem);
      planner->setup();
      const bool solved = static_cast<bool>(planner->solve(name[0] == 'R' ? 20.0 : 5.0));
      long touching = 0;
      for (const PathContactResult& found : edge_contacts(robot, watched->called_valid))
        touching += found.status == Status::Separated ? 0 : 1;
      std::printf("%s, edges %s: %s, %ld edges, %.1f us each; of %zu called valid %ld touch something\n",
                  name, proven ? "proven" : "sampled", solved ? "solved" : "no way found", watched->edges,
                  1e6 * watched->seconds / static_cast<double>(std::max(1L, watched->edges)),
                  watched->called_valid.size(), touching);
      if (!solved || !proven || !shown.empty()) continue;
      const auto path = std::dynamic_pointer_cast<og::PathGeometric>(problem->getSolutionPath());
      for (const ob::State* state : path->getStates()) {
        shown.emplace_back();
        states->copyToReals(shown.back(), state);
      }
    }
  }
  if (shown.empty()) return 1;
  const JointPath path = JointPath::straight(shown).value();
  const PathClearanceResult clearance = path_clearance(robot, path);
  std::printf("the way: %zu way-points, proven clearance %.4f\n", shown.size(), clearance.lower_distance);
  const Report report = path_clearance_report(body, robot.scene(), path, clearance,
                                              clearance_samples(robot, path, report_times(path)));
  std::ofstream(argv[5]) << viewer_page(report).value();
  std::printf("see %s\n", argv[5]);
}
// Output:
// usage: example_ompl_bookshelf ROBOT.urdf ROBOT.srdf SCENE.yaml GOAL.txt PAGE.html
