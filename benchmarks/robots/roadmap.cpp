// A roadmap's edges on one thread and on two, and how long it takes from files to the first answer.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "edge_set.hpp"

namespace toccata::bench {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Free states, each joined to its ten nearest, within this share of the joints' ranges: less makes shorter
// edges.
std::vector<JointEdge> roadmap_of(const RobotInScene& robot, std::size_t wanted, double share) {
  constexpr std::size_t neighbours = 10;
  Random random(1);
  std::vector<std::vector<double>> nodes;
  while (nodes.size() < wanted / neighbours) {
    JointEdge edge = random_edge(robot.kinematics(), 0.0, random);
    for (std::size_t v = 0; v < edge.start.size(); ++v) {
      const JointLimits limits = robot.kinematics().variables()[v].limits.value_or(JointLimits{-M_PI, M_PI});
      const double middle = 0.5 * limits.lower + 0.5 * limits.upper;
      edge.start[v] = edge.end[v] = middle + share * (edge.start[v] - middle);
    }
    if (edge_contacts(robot, {&edge, 1}).front().status == Status::Separated) nodes.push_back(edge.start);
  }
  std::vector<JointEdge> edges;
  std::vector<std::pair<double, std::size_t>> near;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    near.clear();
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      double squared = 0.0;
      for (std::size_t v = 0; v < nodes[i].size(); ++v)
        squared += (nodes[i][v] - nodes[k][v]) * (nodes[i][v] - nodes[k][v]);
      if (k != i) near.emplace_back(squared, k);
    }
    std::partial_sort(near.begin(), near.begin() + neighbours, near.end());
    for (std::size_t n = 0; n < neighbours; ++n) edges.push_back({nodes[i], nodes[near[n].second]});
  }
  return edges;
}

}  // namespace

int time_roadmap(int argc, char** argv) {
  const Setting setting = load_setting(argv[0], argv[1], argv[3]);
  const RobotInScene robot = RobotInScene::build(setting.body, setting.scene, setting.options).value();
  const std::vector<JointEdge> edges =
      roadmap_of(robot, static_cast<std::size_t>(std::atoll(argv[2])), argc > 4 ? std::atof(argv[4]) : 1.0);
  PathContactOptions options;
  options.any_contact = true;
  // Asked one by one, no edge knows anything of the others' ends.
  options.threads = 1;
  std::vector<PathContactResult> alone;
  const auto alone_start = std::chrono::steady_clock::now();
  for (const JointEdge& edge : edges) alone.push_back(edge_contacts(robot, {&edge, 1}, options).front());
  const double alone_seconds = seconds_since(alone_start);
  std::vector<PathContactResult> results[2];
  double best[2] = {1e18, 1e18};
  for (int pass = 0; pass < 2; ++pass) {
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
    if ((a.status == Status::Separated) != (alone[i].status == Status::Separated))
      return std::fprintf(stderr, "edge %zu: alone it has another answer\n", i), 1;
    free += a.status == Status::Separated ? 1 : 0;
  }
  std::printf("edges,free,one_by_one_s,one_thread_s,two_threads_s,ratio\n%zu,%zu,%.3f,%.3f,%.3f,%.2f\n",
              edges.size(), free, alone_seconds, best[0], best[1], best[0] / best[1]);
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
