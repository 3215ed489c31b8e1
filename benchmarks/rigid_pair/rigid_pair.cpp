// First contact of two rigid meshes in the setting of the C2A paper's Table I: one body moves from a random
// pose to another, the other one stands still; 200 trials a scene, fewer for a method that takes longer than
// its share of seconds (column trials: the first so many).
//
// Answers are checked before anything is timed: the default method's contacts are within its tolerance at
// their time, and no contact that the controlled method or a discrete sample shows comes before it. Its
// answers then count as the truth for all: missed contacts, late ones (by more than 1e-5 of the motion),
// false ones (none there, or reported as much too early). Prints CSV: microseconds per query for hits, free
// trials and all, pairs tested, wrong answers, CPU milliseconds and bytes per triangle of the hierarchies,
// and how much faster a batch is on two threads than on one.
//
// usage: bench_rigid_pair [--trials N] [--seconds S] [MESH_FILE...]   the files given, or the built-in models
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "scenes_and_trials.hpp"

namespace toccata::bench {
namespace {

constexpr double time_slack = 1e-5;

double microseconds(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

struct Row {
  double hit = 0.0, free = 0.0;
  int trials = 0, hits = 0, frees = 0, missed = 0, late = 0, false_contacts = 0;
  double nodes = 0.0, triangles = 0.0;
  double build_milliseconds = 0.0;

  void count(const Answer& truth, const Answer& answer, double time) {
    ++trials;
    if (truth.contact && !answer.contact) ++missed;
    if (truth.contact && answer.contact && answer.time > truth.time + time_slack) ++late;
    if (answer.contact && (!truth.contact || answer.time < truth.time - time_slack)) ++false_contacts;
    (truth.contact ? hit : free) += time;
    ++(truth.contact ? hits : frees);
    nodes += static_cast<double>(answer.node_pairs);
    triangles += static_cast<double>(answer.piece_pairs);
  }
};

// Best of three, on this thread alone: what else runs on the machine does not count. Slow ones once.
Answer timed(Method& method, const Trial& trial, double& best) {
  Answer answer;
  best = 1e300;
  for (int repeat = 0; repeat < 3 && !(best < 1e300 && best > 2000.0); ++repeat) {
    const double begin = microseconds(CLOCK_THREAD_CPUTIME_ID);
    answer = method.answer(trial);
    best = std::min(best, microseconds(CLOCK_THREAD_CPUTIME_ID) - begin);
  }
  return answer;
}

Row run_method(Method& method, const Scene& scene, const std::vector<Trial>& trials,
               const std::vector<Answer>& truth, double seconds) {
  Row row;
  double begin = microseconds(CLOCK_PROCESS_CPUTIME_ID);
  method.prepare(scene.a, scene.b);
  row.build_milliseconds = 1e-3 * (microseconds(CLOCK_PROCESS_CPUTIME_ID) - begin);
  begin = microseconds(CLOCK_THREAD_CPUTIME_ID);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    double time = 0.0;
    const Answer answer = timed(method, trials[i], time);
    row.count(truth[i], answer, time);
    if (row.trials >= 2 && microseconds(CLOCK_THREAD_CPUTIME_ID) - begin > 1e6 * seconds) break;
  }
  return row;
}

void print(const Scene& scene, Method& method, const Row& row, const std::vector<Trial>& trials) {
  const double n = static_cast<double>(row.trials);
  const auto mean = [](double sum, int count) { return count > 0 ? sum / count : 0.0; };
  std::printf("%s,%zu,%zu,%s,%d,%.2f,%.2f,%.2f,", scene.name.c_str(), scene.a.faces.size(),
              scene.b.faces.size(), method.name().c_str(), row.trials, mean(row.hit, row.hits),
              mean(row.free, row.frees), (row.hit + row.free) / n);
  std::printf("%.0f,%.1f,", row.nodes / n, row.triangles / n);  // -1: not told
  std::printf("%d,%d,%d,%d,%.1f,", row.hits, row.missed, row.late, row.false_contacts,
              0.5 * row.build_milliseconds);
  if (method.bytes() > 0) {
    std::printf("%.0f", static_cast<double>(method.bytes()) /
                            static_cast<double>(scene.a.faces.size() + scene.b.faces.size()));
  }
  double one = 1e300, two = 1e300;  // the best of a few
  for (int repeat = 0; repeat < 5; ++repeat) {
    one = std::min(one, method.batch_seconds(trials, 1));
    two = std::min(two, method.batch_seconds(trials, 2));
  }
  if (two > 0.0) {
    std::printf(",%.2f\n", one / two);
  } else {
    std::printf(",\n");
  }
  std::fflush(stdout);
}

// The default method's answers, held against the second method and against samples.
bool checked_truth(const std::vector<std::unique_ptr<Method>>& methods, const Scene& scene,
                   const std::vector<Trial>& trials, std::vector<Answer>& truth) {
  bool right = true;
  methods[0]->prepare(scene.a, scene.b);
  for (const Trial& trial : trials) truth.push_back(methods[0]->answer(trial));
  for (const auto& method : methods) {
    if (method->name() != "toccata controlled" && method->name() != "fcl 1000 samples") continue;
    method->prepare(scene.a, scene.b);
    for (std::size_t i = 0; i < trials.size(); ++i) {
      const Answer answer = method->answer(trials[i]);
      // A pass within the tolerance (1e-6 of the size) may count as contact or not.
      const bool grazing = answer.distance > 0.0 || truth[i].distance > 0.0;
      const bool missed = answer.contact && !truth[i].contact && !grazing;
      const bool late = answer.contact && truth[i].contact && truth[i].time > answer.time + time_slack;
      if (!missed && !late) continue;
      std::fprintf(stderr, "rigid_pair: %s, trial %zu: %s shows a contact at %.9f, the truth says %.9f\n",
                   scene.name.c_str(), i, method->name().c_str(), answer.time, truth[i].time);
      right = false;
    }
  }
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (truth[i].contact && truth[i].distance > 1.5e-6) {
      std::fprintf(stderr, "rigid_pair: %s, trial %zu: %.3g apart at the contact\n", scene.name.c_str(), i,
                   truth[i].distance);
      right = false;
    }
  }
  return right;
}

}  // namespace
}  // namespace toccata::bench

int main(int argc, char** argv) {
  using namespace toccata::bench;
  int count = 200;
  double seconds = 2.0;
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--trials") == 0 && i + 1 < argc) {
      count = std::atoi(argv[++i]);
    } else if (std::strcmp(argv[i], "--seconds") == 0 && i + 1 < argc) {
      seconds = std::atof(argv[++i]);
    } else {
      files.emplace_back(argv[i]);
    }
  }
  std::vector<std::unique_ptr<Method>> methods = toccata_methods();
#ifdef TOCCATA_HAVE_FCL
  for (auto& method : fcl_methods()) methods.push_back(std::move(method));
#endif
#ifdef TOCCATA_HAVE_BULLET
  methods.push_back(bullet_convex_sweep());
#endif
  std::printf(
      "scene,triangles_a,triangles_b,method,trials,hit_us,free_us,total_us,node_pairs,piece_pairs,"
      "contacts,"
      "missed,late,false,build_ms,bytes_per_triangle,two_threads\n");
  const std::vector<Trial> trials = trials_of(count);
  for (const Scene& scene : all_scenes(files)) {
    std::vector<Answer> truth;
    if (!checked_truth(methods, scene, trials, truth)) return 1;
    for (const auto& method : methods) {
      print(scene, *method, run_method(*method, scene, trials, truth, seconds), trials);
    }
  }
  return 0;
}
