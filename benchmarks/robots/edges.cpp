// Edges whose ends are free, each answered by all in turn, the least of three answers of each: none pays for
// caches that the one before has filled. The answers are compared: no state that touches on an edge that is
// called free.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "edge_set.hpp"
#include "ompl_peer.hpp"
#include "toccata/ccd/articulated/robot_pairs.hpp"

namespace toccata::bench {
namespace {

// Proven through OMPL's interface; by a batch of one without tables of pairs; the first contact; and samples.
enum Contestant { Proven, WithoutTables, First, Fine, MoveIt, OnePercent, contestants };
constexpr const char* names[] = {"proven",        "without_tables",  "first",
                                 "ompl_fcl_0.01", "ompl_fcl_moveit", "ompl_fcl_1%"};

struct Tally {
  int edges = 0;
  double total[contestants] = {};
  int missed[contestants] = {};
  double slowest = 0.0, slowest_fine = 0.0;
  std::vector<double> proven = {}, fine = {};

  void print(const char* what) {
    if (edges == 0) return;
    const double n = edges;
    std::printf("%s,%d", what, edges);
    for (int i = 0; i < contestants; ++i) std::printf(",%.2f", total[i] / n);
    std::printf(",%.1f,%.2f", total[Fine] / total[Proven], total[Proven] / total[MoveIt]);
    for (auto* list : {&proven, &fine}) {
      std::nth_element(list->begin(), list->begin() + edges / 2, list->end());
      std::printf(",%.2f", (*list)[static_cast<std::size_t>(edges / 2)]);
    }
    std::printf(",%.0f,%.0f,%d,%d,%d\n", slowest, slowest_fine, missed[Fine], missed[MoveIt],
                missed[OnePercent]);
  }
};

}  // namespace

int compare_edges(int argc, char** argv, bool tool) {
  const int wanted = std::atoi(argv[2]);
  const double length = std::atof(argv[3]);
  std::printf("edges,count");
  for (const char* name : names) std::printf(",%s", name);
  std::puts(
      ",0.01/proven,proven/moveit,median,median_0.01,slowest,its_0.01,missed_0.01,missed_moveit,missed_1%");
  Tally free, touching;
  Random random(1);
  for (int s = 4; s < argc; ++s) {
    const Setting setting = load_setting(argv[0], argv[1], argv[s], tool);
    const RobotInScene robot = RobotInScene::build(setting.body, setting.scene, setting.options).value();
    const RobotInScene tables = with_pair_tables(robot);
    FclStates states(setting.body, setting.scene, setting.options);
    OmplPeer proven(tables);
    OmplPeer fine(robot.kinematics(), states, {Resolution::Kind::Radians, 0.01});
    OmplPeer moveit(robot.kinematics(), states, {Resolution::Kind::MoveIt, 0.005});
    OmplPeer percent(robot.kinematics(), states, {Resolution::Kind::Share, 0.01});
    PathContactOptions any;
    any.any_contact = true;
    any.threads = 1;
    PathContactOptions first = any;
    first.any_contact = false;
    const auto is_free = [&](int contestant, const JointEdge& edge) {
      switch (contestant) {
        case Proven:
          return proven.is_free();
        case WithoutTables:
          return edge_contacts(robot, {&edge, 1}, any).front().status == Status::Separated;
        case First:
          return edge_contacts(tables, {&edge, 1}, first).front().status == Status::Separated;
        case Fine:
          return fine.is_free();
        case MoveIt:
          return moveit.is_free();
        default:
          return percent.is_free();
      }
    };
    for (int found = 0, tried = 0; found < wanted && tried < 100 * wanted; ++tried) {
      const JointEdge edge = random_edge(robot.kinematics(), length, random);
      if (!states.is_free(edge.start) || !states.is_free(edge.end)) continue;
      ++found;
      for (OmplPeer* peer : {&proven, &fine, &moveit, &percent}) peer->set(edge);
      double times[contestants];
      bool answers[contestants] = {};
      std::fill_n(times, contestants, 1e18);
      for (int contestant = 0; contestant < contestants; ++contestant) {
        for (int pass = 0; pass < 3; ++pass) {
          const double start = thread_microseconds();
          answers[contestant] = is_free(contestant, edge);
          times[contestant] = std::min(times[contestant], thread_microseconds() - start);
        }
      }
      const bool sampled = answers[Fine] && answers[MoveIt] && answers[OnePercent];
      if (answers[Proven] != answers[First] || answers[Proven] != answers[WithoutTables] ||
          (answers[Proven] && !sampled)) {
        std::fprintf(stderr, "answers differ: %s, edge %d\n", argv[s], tried);
        return 1;
      }
      Tally& tally = answers[Proven] ? free : touching;
      ++tally.edges;
      for (int i = 0; i < contestants; ++i) {
        tally.total[i] += times[i];
        tally.missed[i] += !answers[Proven] && answers[i] ? 1 : 0;
      }
      tally.proven.push_back(times[Proven]);
      tally.fine.push_back(times[Fine]);
      if (times[Proven] > tally.slowest) {
        tally.slowest = times[Proven];
        tally.slowest_fine = times[Fine];
      }
    }
  }
  free.print("free");
  touching.print("in contact");
  return 0;
}

}  // namespace toccata::bench
