#include "scenes_and_trials.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "scenes/parts.hpp"
#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"
#include "toccata/io/mesh_io.hpp"

namespace toccata::bench {
namespace {

constexpr double start_distance = 2.4;

Pose random_pose(Random& random, double distance) {
  const Vector3 axis = random.on_sphere();
  return {Eigen::AngleAxisd(random.uniform(0.0, 3.1), axis).toRotationMatrix(),
          distance * random.on_sphere()};
}

// Centre at the origin, largest distance from it 1.
void normalise(TriangleMesh& mesh) {
  Vector3 lower = mesh.vertices[0], upper = mesh.vertices[0];
  for (const Vector3& v : mesh.vertices) {
    lower = lower.cwiseMin(v);
    upper = upper.cwiseMax(v);
  }
  double reach = 0.0;
  for (Vector3& v : mesh.vertices) {
    v -= 0.5 * (lower + upper);
    reach = std::max(reach, v.norm());
  }
  for (Vector3& v : mesh.vertices) v /= reach;
}

}  // namespace

std::vector<Scene> all_scenes(const std::vector<std::string>& files) {
  if (files.empty()) {
    scenes::TorusKnotOptions knot;
    knot.along = 720;
    return {{"club", scenes::club(262, 200), scenes::club(262, 200)},
            {"gear", scenes::gear(24, 22, 6), scenes::gear(24, 22, 6)},
            {"hammer", scenes::hammer(9), scenes::gear(12, 9, 3)},
            {"bunny", scenes::blob(132, 264), scenes::blob(132, 264)},
            {"torus_knot", scenes::torus_knot(knot), scenes::torus_knot(knot)}};
  }
  std::vector<Scene> result;
  for (const std::string& file : files) {
    Expected<TriangleMesh> mesh = load_mesh(file);
    if (!mesh || mesh->faces.empty()) {
      std::fprintf(stderr, "rigid_pair: %s left out\n", file.c_str());
      continue;
    }
    normalise(*mesh);
    result.push_back({"real_" + std::filesystem::path(file).stem().string(), *mesh, *mesh});
  }
  return result;
}

std::vector<Trial> trials_of(int count) {
  Random random(7);
  std::vector<Trial> trials;
  for (int i = 0; i < count; ++i) {
    trials.push_back(
        {random_pose(random, start_distance), random_pose(random, start_distance * random.unit())});
  }
  return trials;
}

}  // namespace toccata::bench
