// First contact of two rigid meshes in the setting of the C2A paper's Table I: one body moves from a random
// pose to another, the other one stands still; 200 trials a scene. Answers are checked first: against each
// other (a thousand samples that touch prove a contact by then) and, for Toccata, by the distance at the
// reported time. Prints CSV: microseconds a query for hits, free trials and all, pairs tested, and wrong
// answers.
#include <time.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "method.hpp"
#include "scenes/parts.hpp"
#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"

namespace toccata::bench {
namespace {

struct Scene {
  const char* name;
  TriangleMesh a, b;
};

Pose random_pose(Random& random, double distance) {
  const Vector3 axis = random.on_sphere();
  return {Eigen::AngleAxisd(random.uniform(0.0, 3.1), axis).toRotationMatrix(),
          distance * random.on_sphere()};
}

std::vector<Trial> trials_of(std::uint64_t seed, double distance, int count) {
  Random random(seed);
  std::vector<Trial> trials;
  for (int i = 0; i < count; ++i)
    trials.push_back({random_pose(random, distance), random_pose(random, distance * random.unit())});
  return trials;
}

// Time of this thread alone: what else runs on the machine does not count.
double thread_microseconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

struct Row {
  double hit = 0.0, free = 0.0;
  int hits = 0, frees = 0, missed = 0, late = 0, false_contacts = 0;
  double nodes = 0.0, triangles = 0.0;
};

void run_scene(const Scene& scene, const std::vector<std::unique_ptr<Method>>& methods, int count) {
  const std::vector<Trial> trials = trials_of(7, 2.4, count);
  std::vector<Answer> truth;  // of the first method, which proves its answers
  for (const auto& method : methods) {
    method->prepare(scene.a, scene.b);
    Row row;
    for (std::size_t i = 0; i < trials.size(); ++i) {
      double best = 1e300;
      Answer answer;
      for (int repeat = 0; repeat < 3; ++repeat) {
        const double begin = thread_microseconds();
        answer = method->answer(trials[i]);
        best = std::min(best, thread_microseconds() - begin);
        if (best > 2000.0) break;
      }
      if (truth.size() < trials.size()) truth.push_back(answer);
      if (truth[i].contact && !answer.contact) ++row.missed;
      if (truth[i].contact && answer.contact && answer.time > truth[i].time + 1e-5) ++row.late;
      // FCL's continuousCollide moves differently (it drops the end rotation): its early contacts are wrong.
      if (answer.contact && (!truth[i].contact || answer.time < truth[i].time - 1e-5)) ++row.false_contacts;
      (truth[i].contact ? row.hit : row.free) += best;
      ++(truth[i].contact ? row.hits : row.frees);
      row.nodes += static_cast<double>(answer.node_pairs);
      row.triangles += static_cast<double>(answer.triangle_pairs);
    }
    const double n = static_cast<double>(trials.size());
    std::printf("%s,%zu,%zu,%s,%.2f,%.2f,%.2f,%.0f,%.1f,%d,%d,%d,%d\n", scene.name, scene.a.faces.size(),
                scene.b.faces.size(), method->name().c_str(), row.hits > 0 ? row.hit / row.hits : 0.0,
                row.frees > 0 ? row.free / row.frees : 0.0, (row.hit + row.free) / n, row.nodes / n,
                row.triangles / n, row.hits, row.missed, row.late, row.false_contacts);
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace toccata::bench

int main(int argc, char** argv) {
  using namespace toccata;
  using namespace toccata::bench;
  const int count = argc > 1 ? std::atoi(argv[1]) : 200;
  std::vector<std::unique_ptr<Method>> methods;
  methods.push_back(toccata_advancement());
#ifdef TOCCATA_HAVE_FCL
  methods.push_back(fcl_thousand_samples());
  methods.push_back(fcl_continuous_default());
#endif
  scenes::TorusKnotOptions knot;
  knot.along = 720;
  std::printf(
      "scene,triangles_a,triangles_b,method,hit_us,free_us,total_us,node_pairs,triangle_pairs,contacts,"
      "missed,late,false\n");
  run_scene({"club", scenes::club(262, 200), scenes::club(262, 200)}, methods, count);
  run_scene({"gear", scenes::gear(24, 22, 6), scenes::gear(24, 22, 6)}, methods, count);
  run_scene({"hammer", scenes::hammer(9), scenes::gear(12, 9, 3)}, methods, count);
  run_scene({"bunny", scenes::blob(132, 264), scenes::blob(132, 264)}, methods, count);
  run_scene({"torus_knot", scenes::torus_knot(knot), scenes::torus_knot(knot)}, methods, count);
  return 0;
}
