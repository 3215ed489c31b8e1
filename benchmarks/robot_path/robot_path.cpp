// Edges of a roadmap: proven free by Toccata, and sampled with FCL as planners do, edge by edge in turn, in
// thread CPU time. Checks the answers first: no sample that touches on an edge that is called free.
// usage: bench_robot_path ROBOT.urdf ROBOT.srdf EDGES LENGTH SCENE...
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "sampled_checker.hpp"
#include "toccata/base/random.hpp"
#include "toccata/io/robot_io.hpp"
#include "toccata/io/scene_io.hpp"

namespace {

using namespace toccata;

double thread_microseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

struct Tally {
  int edges = 0;
  double proven = 0.0, first = 0.0, fine = 0.0, coarse = 0.0, slowest = 0.0, slowest_fine = 0.0;
  int missed_fine = 0, missed_coarse = 0;

  void print(const char* what) const {
    if (edges == 0) return;
    const double n = edges;
    std::printf("%s,%d,%.1f,%.1f,%.1f,%.1f,%.2f,%.2f,%.0f,%.0f,%d,%d\n", what, edges, proven / n, first / n,
                fine / n, coarse / n, fine / proven, coarse / proven, slowest, slowest_fine, missed_fine,
                missed_coarse);
  }
};

// The joint ranges, each counted by the way it can make: what MoveIt's fraction is of.
double extent_of(const Kinematics& kinematics) {
  double sum = 0.0;
  for (const JointVariable& variable : kinematics.variables()) {
    const JointLimits limits = variable.limits.value_or(JointLimits{-M_PI, M_PI});
    sum += limits.upper - limits.lower;
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) return std::puts("usage: bench_robot_path ROBOT.urdf ROBOT.srdf EDGES LENGTH SCENE..."), 2;
  const ArticulatedBody body = load_urdf(argv[1]).value();
  RobotOptions options;
  options.allowed = load_srdf(argv[2], body).value().allowed;
  const int wanted = std::atoi(argv[3]);
  const double length = std::atof(argv[4]);
  std::puts(
      "edges,count,proven,first_contact,fcl_0.01,fcl_moveit,fcl_0.01/proven,fcl_moveit/"
      "proven,slowest,its_fcl,missed_0.01,missed_moveit");
  Tally free, touching;
  Random random(1);
  for (int s = 5; s < argc; ++s) {
    ObstacleScene scene = load_scene(argv[s]).value();
    const RobotInScene robot = RobotInScene::build(body, scene, options).value();
    bench::SampledChecker sampled(body, scene, options);
    const double moveit = 0.005 * extent_of(robot.kinematics());
    PathContactOptions any;
    any.any_contact = true;
    any.threads = 1;
    PathContactOptions first = any;
    first.any_contact = false;
    for (int found = 0, tried = 0; found < wanted && tried < 100 * wanted; ++tried) {
      JointEdge edge;
      double norm = 0.0;
      for (const JointVariable& variable : robot.kinematics().variables()) {
        const JointLimits limits = variable.limits.value_or(JointLimits{-M_PI, M_PI});
        edge.start.push_back(random.uniform(limits.lower, limits.upper));
        edge.end.push_back(random.uniform(-1, 1));
        norm += edge.end.back() * edge.end.back();
      }
      const double scale = length * random.unit() / std::sqrt(norm);
      for (std::size_t i = 0; i < edge.start.size(); ++i) edge.end[i] = edge.start[i] + scale * edge.end[i];
      if (!sampled.is_free(edge.start) || !sampled.is_free(edge.end)) continue;
      ++found;
      double times[4] = {1e18, 1e18, 1e18, 1e18};
      bool answers[4] = {};
      for (int pass = 0; pass < 3; ++pass) {
        for (int contestant = 0; contestant < 4; ++contestant) {
          const double start = thread_microseconds();
          if (contestant < 2) {
            answers[contestant] =
                edge_contacts(robot, {&edge, 1}, contestant == 0 ? any : first).front().status ==
                Status::Separated;
          } else {
            answers[contestant] = sampled.is_free(edge, contestant == 2 ? 0.01 : moveit);
          }
          times[contestant] = std::min(times[contestant], thread_microseconds() - start);
        }
      }
      if (answers[0] != answers[1] || (answers[0] && (!answers[2] || !answers[3]))) {
        std::fprintf(stderr, "answers differ: %s, edge %d: any %d, first %d, 0.01 %d, moveit %d\n", argv[s],
                     tried, answers[0], answers[1], answers[2], answers[3]);
        return 1;
      }
      Tally& tally = answers[0] ? free : touching;
      ++tally.edges;
      tally.proven += times[0];
      tally.first += times[1];
      tally.fine += times[2];
      tally.coarse += times[3];
      if (times[0] > tally.slowest) {
        tally.slowest = times[0];
        tally.slowest_fine = times[2];
      }
      tally.missed_fine += !answers[0] && answers[2] ? 1 : 0;
      tally.missed_coarse += !answers[0] && answers[3] ? 1 : 0;
    }
  }
  free.print("free");
  touching.print("in contact");
}
