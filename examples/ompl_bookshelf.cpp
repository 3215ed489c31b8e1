// Plans for a robot from files, a Panda in a bookshelf say, with RRT-Connect and PRM*: once with edges that
// are proven free, once with OMPL's own check of states along them. How long does each take, how many of the
// edges that samples call valid touch something, and what does the way look like?
//   example_ompl_bookshelf panda.urdf panda.srdf scene.yaml goal.txt page.html
// goal.txt: start and goal, a line each.
#include <ompl/base/DiscreteMotionValidator.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <toccata/ccd/articulated/ompl_validators.hpp>
#include <toccata/ccd/articulated/path_clearance.hpp>
#include <toccata/ccd/articulated/path_contact.hpp>
#include <toccata/ccd/articulated/robot_pairs.hpp>
#include <toccata/io/robot_io.hpp>
#include <toccata/io/robot_report.hpp>
#include <toccata/io/scene_io.hpp>
#include <toccata/io/viewer_page.hpp>

#include "ompl_plan.hpp"

using namespace toccata;
namespace ob = ompl::base;

// Of this thread: a busy machine does not count.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Asks a validator, and keeps what it called valid and how long that took.
class Watched final : public ob::MotionValidator {
 public:
  Watched(const ob::SpaceInformationPtr& space, ob::MotionValidatorPtr asked)
      : ob::MotionValidator(space), asked_(std::move(asked)) {}
  bool checkMotion(const ob::State* a, const ob::State* b) const override {
    const double start = processor_seconds();
    const bool valid = asked_->checkMotion(a, b);
    seconds += processor_seconds() - start;
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

constexpr long most_edges = 4000;

int main(int argc, char** argv) {
  if (argc != 6) {
    std::puts("usage: example_ompl_bookshelf ROBOT.urdf ROBOT.srdf SCENE.yaml GOAL.txt PAGE.html");
    return 0;
  }
  ompl::msg::setLogLevel(ompl::msg::LOG_ERROR);
  ompl::RNG::setSeed(1);
  const auto told = [](const Error& error) { return std::puts(error.message.c_str()), 1; };
  const Expected<ArticulatedBody> body = load_urdf(argv[1]);
  if (!body) return told(body.error());
  const Expected<RobotSemantics> semantics = load_srdf(argv[2], *body);
  if (!semantics) return told(semantics.error());
  const Expected<ObstacleScene> scene = load_scene(argv[3]);
  if (!scene) return told(scene.error());
  RobotOptions options;
  options.allowed = semantics->allowed;
  const Expected<RobotInScene> prepared = RobotInScene::build(*body, *scene, options);
  if (!prepared) return told(prepared.error());
  const RobotInScene robot = with_pair_tables(*prepared);
  const auto& variables = robot.kinematics().variables();
  const auto dimension = static_cast<unsigned int>(variables.size());
  ob::RealVectorBounds bounds(dimension);
  for (unsigned int i = 0; i < dimension; ++i) {
    bounds.setLow(i, variables[i].limits ? variables[i].limits->lower : -3.15);
    bounds.setHigh(i, variables[i].limits ? variables[i].limits->upper : 3.15);
  }
  std::ifstream file(argv[4]);
  std::vector<double> from(dimension), to(dimension);
  for (std::vector<double>* values : {&from, &to}) {
    for (double& value : *values) file >> value;
  }
  if (!file) {
    std::printf("%s: needs two lines of %u numbers\n", argv[4], dimension);
    return 1;
  }

  WayPoints shown;
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
      // As many edges for each.
      const ob::PlannerTerminationCondition until([&] { return watched->edges >= most_edges; });
      const WayPoints points = planned_way(space, name, from, to, until);
      long touching = 0;
      for (const PathContactResult& found : edge_contacts(robot, watched->called_valid))
        touching += found.status == Status::Separated ? 0 : 1;
      std::printf("%s, edges %s: %s, %ld edges, %.1f us each; of %zu called valid %ld touch something\n",
                  name, proven ? "proven" : "sampled", points.empty() ? "no way found" : "solved",
                  watched->edges, 1e6 * watched->seconds / static_cast<double>(std::max(1L, watched->edges)),
                  watched->called_valid.size(), touching);
      if (proven && shown.empty()) shown = points;
    }
  }
  if (shown.empty()) return 1;
  const JointPath path = JointPath::straight(shown).value();
  const PathClearanceResult clearance = path_clearance(robot, path);
  std::printf("the way: %zu way-points, proven clearance %.4f\n", shown.size(), clearance.lower_distance);
  const Report report = path_clearance_report(*body, robot.scene(), path, clearance,
                                              clearance_samples(robot, path, report_times(path)));
  if (!(std::ofstream(argv[5]) << viewer_page(report).value())) {
    std::printf("%s: cannot be written\n", argv[5]);
    return 1;
  }
  std::printf("see %s\n", argv[5]);
}
// Output:
// usage: example_ompl_bookshelf ROBOT.urdf ROBOT.srdf SCENE.yaml GOAL.txt PAGE.html
