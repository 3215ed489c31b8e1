// Edges of robots: proven by Toccata and sampled by OMPL with FCL.
//   bench_robots edges ROBOT.urdf ROBOT.srdf EDGES LENGTH SCENE...    edge by edge in turn, thread CPU time
//   bench_robots tool ...                                            the same, holding 100,000 triangles
//   bench_robots roadmap ROBOT.urdf ROBOT.srdf EDGES SCENE [SHARE]   one and two threads, by the clock
//   bench_robots start ROBOT.urdf ROBOT.srdf SCENE                   from disk to the first answer
//   bench_robots judge ROBOT.urdf ROBOT.srdf EDGES LENGTH SEED SAMPLES SCENE [exact]
// judge: against dense samples, a line of counts so far after each scene; SCENE may be `rods`: thin things in
// the reach of the robot, others for every 5000 edges (exact: 1000). SHARE: of the joints' ranges, in which
// the roadmap lies.
#include <cstdio>
#include <string_view>

#include "edge_set.hpp"

int main(int argc, char** argv) {
  using namespace toccata::bench;
  const std::string_view task = argc > 1 ? argv[1] : "";
  if (task == "edges" && argc >= 7) return compare_edges(argc - 2, argv + 2, false);
  if (task == "tool" && argc >= 7) return compare_edges(argc - 2, argv + 2, true);
  if (task == "roadmap" && argc >= 6) return time_roadmap(argc - 2, argv + 2);
  if (task == "start" && argc == 5) return time_first_answer(argc - 2, argv + 2);
  if (task == "judge" && argc >= 9) return judge_edges(argc - 2, argv + 2);
  std::puts("usage: bench_robots edges|tool|roadmap|start|judge ... (see robots.cpp)");
  return 2;
}
