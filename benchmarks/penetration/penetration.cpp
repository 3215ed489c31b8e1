// How deep two meshes are in each other: time of the deepest points alone and with a way out, with the
// interval that came of it, checked against samples: no vertex may be deeper than the upper bound, and the
// point of the lower one must be as deep as it says. Prints CSV. usage: bench_penetration [MESH...]
#include <time.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"
#include "toccata/io/mesh_io.hpp"
#include "toccata/proximity/penetration.hpp"
#include "toccata/proximity/signed_distance.hpp"

namespace toccata::bench {
namespace {

constexpr int pairs_of_a_mesh = 20;

double thread_microseconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

template <typename Ask>
double least_time(const Ask& ask) {
  double best = 1e300;
  for (int repeat = 0; repeat < 3; ++repeat) {
    const double begin = thread_microseconds();
    ask();
    best = std::min(best, thread_microseconds() - begin);
  }
  return best;
}

// Vertices of one in the other that are deeper than the bound.
int deeper_vertices(const PlacedShape& a, const PlacedShape& b, const DeepestPoint& deepest) {
  std::vector<Vector3> points;
  for (const Vector3& v : a.shape.mesh().vertices) points.push_back(a.pose.apply(v));
  const SignedDistances found = signed_distances(points, b);
  return static_cast<int>(std::count_if(found.points.begin(), found.points.end(),
                                        [&](const SignedDistance& d) { return -d.upper > deepest.upper; })) +
         (deepest.lower > 0.0 && -signed_distance(deepest.point, b).lower < deepest.lower ? 1 : 0);
}

void pairs_of(const std::string& name, const TriangleMesh& mesh) {
  const Shape shape(mesh);
  if (!shape.is_closed()) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), shape.open_edges()->c_str());
    return;
  }
  Random random(31);
  double deepest_time = 0.0, whole_time = 0.0, width = 0.0, depth = 0.0, distances = 0.0, way = 0.0;
  int wrong = 0;
  for (int i = 0; i < pairs_of_a_mesh; ++i) {
    const Pose pose = {Eigen::AngleAxisd(random.uniform(0.0, 3.1), random.on_sphere()).toRotationMatrix(),
                       Vector3(random.uniform(0.1, 0.6) * shape.size() * random.on_sphere())};
    const PlacedShape a(shape), b(shape, pose);
    PenetrationOptions options{.solid = true};
    PenetrationResult whole, result;
    whole_time += least_time([&] { whole = penetration(a, b, options); });
    options.with_way_out = false;
    deepest_time += least_time([&] { result = penetration(a, b, options); });
    wrong += deeper_vertices(a, b, result.a_in_b) + deeper_vertices(b, a, result.b_in_a);
    width = std::max(
        {width, result.a_in_b.upper - result.a_in_b.lower, result.b_in_a.upper - result.b_in_a.lower});
    depth += std::max(result.a_in_b.lower, result.b_in_a.lower);
    distances += static_cast<double>(result.stats.piece_pairs);
    way += whole.upper_depth;
  }
  const double size = shape.size();
  std::printf("%s,%zu,%d,%.1f,%.1f,%.0f,%.5f,%.4f,%.4f,%d\n", name.c_str(), mesh.faces.size(),
              pairs_of_a_mesh, deepest_time / pairs_of_a_mesh, whole_time / pairs_of_a_mesh,
              distances / pairs_of_a_mesh, width / size, depth / size / pairs_of_a_mesh,
              way / size / pairs_of_a_mesh, wrong);
}

}  // namespace
}  // namespace toccata::bench

int main(int argc, char** argv) {
  using namespace toccata;
  std::printf(
      "mesh,triangles,pairs,deepest_microseconds,with_way_out_microseconds,distances,widest_interval,mean_"
      "depth,"
      "mean_way_out,wrong\n");
  scenes::TorusKnotOptions knot;
  knot.along = 720;
  bench::pairs_of("torus_knot", scenes::torus_knot(knot));
  for (int i = 1; i < argc; ++i) {
    const std::string path = argv[i];
    const Expected<TriangleMesh> mesh = load_mesh(path);
    if (!mesh) {
      std::fprintf(stderr, "%s\n", mesh.error().message.c_str());
      return 1;
    }
    const std::size_t begin = path.find_last_of('/') + 1;
    bench::pairs_of(path.substr(begin, path.find_last_of('.') - begin), *mesh);
  }
  return 0;
}
