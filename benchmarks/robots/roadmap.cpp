// A roadmap's edges on one thread and on two, and how long it takes from files to the first answer.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "edge_set.hpp"

namespace toccata::bench {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int time_roadmap(int, char** argv) {
  const Setting setting = load_setting(argv[0], argv[1], argv[3]);
  const RobotInScene robot = RobotInScene::build(setting.body, setting.scene, setting.options).value();
  Random random(1);
  std::vector<JointEdge> edges;
  for (int i = std::atoi(argv[2]); i > 0; --i) edges.push_back(random_edge(robot.kinematics(), 1.0, random));
  PathContactOptions options;
  options.any_contact = true;
  std::vector<PathContactResult> results[2];
  double best[2] = {1e18, 1e18};
  for (int pass = 0; pass < 3; ++pass) {
    for (int threads = 1; threads <= 2; ++threads) {
      options.threads = threads;
      const auto start = std::chrono::steady_clock::now();
      results[threads - 1] = edge_contacts(robot, edges, options);
      best[threads - 1] = std::min(best[threads - 1], seconds_since(start));
    }
  }
  std::size_t free = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const PathContactResult &a = results[0][i], &b = results[1][i];
    if (a.status != b.status || a.time != b.time || a.link_a != b.link_a || a.link_b != b.link_b)
      return std::fprintf(stderr, "edge %zu: answers differ\n", i), 1;
    free += a.status == Status::Separated ? 1 : 0;
  }
  std::printf("edges,free,one_thread_s,two_threads_s,ratio\n%zu,%zu,%.3f,%.3f,%.2f\n", edges.size(), free,
              best[0], best[1], best[0] / best[1]);
  return 0;
}

int time_first_answer(int, char** argv) {
  double best = 1e18, cpu = 1e18;
  for (int pass = 0; pass < 5; ++pass) {
    const auto start = std::chrono::steady_clock::now();
    const double before = thread_microseconds();
    const Setting setting = load_setting(argv[0], argv[1], argv[2]);
    const RobotInScene robot = RobotInScene::build(setting.body, setting.scene, setting.options).value();
    Random random(1);
    const JointEdge edge = random_edge(robot.kinematics(), 1.0, random);
    PathContactOptions options;
    options.threads = 1;
    const auto found = edge_contacts(robot, {&edge, 1}, options);
    if (found.front().status == Status::Failed) return 1;
    best = std::min(best, seconds_since(start));
    cpu = std::min(cpu, 1e-6 * (thread_microseconds() - before));
  }
  std::printf("first_answer_s,thread_cpu_s\n%.4f,%.4f\n", best, cpu);
  return 0;
}

}  // namespace toccata::bench
