// Distances of points from a mesh, a distance field of it, and particles against it when it moves, beside
// CGAL, Embree and OpenVDB where they are installed. Answers are checked, then timed: thread CPU time on one
// thread, the least of some passes, contestants in turn; builds process CPU time. Prints CSV. usage:
// bench_field [MESH...]
#include <time.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "peers.hpp"
#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"
#include "toccata/ccd/field/particle_contacts.hpp"
#include "toccata/elementary/triangle.hpp"
#include "toccata/field/distance_field.hpp"
#include "toccata/io/mesh_io.hpp"
#include "toccata/proximity/signed_distance.hpp"

namespace toccata::bench {
namespace {

constexpr int point_count = 20000;
constexpr int passes = 5;
constexpr double band = 0.05;
constexpr int voxels = 128;
// Where all eight voxels around a point are in the band, so that the peer's interpolation holds.
constexpr double usable = band - 1.7321 / voxels;

double seconds_of(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// In a unit box.
TriangleMesh unit(TriangleMesh mesh) {
  Vector3 low = mesh.vertices[0], high = low;
  for (const Vector3& v : mesh.vertices) {
    low = low.cwiseMin(v);
    high = high.cwiseMax(v);
  }
  for (Vector3& v : mesh.vertices) v = (v - low) / (high - low).maxCoeff();
  return mesh;
}

std::vector<Vector3> points_near(const TriangleMesh& mesh, double reach, std::uint64_t seed) {
  Random random(seed);
  std::vector<Vector3> points;
  while (points.size() < point_count) {
    const Triangle t = triangle_of(
        mesh, static_cast<std::size_t>(random.integer(0, static_cast<int>(mesh.faces.size()) - 1)));
    const Vector3 on = (t[0] + t[1] + t[2]) / 3.0;
    points.push_back(on + reach * random.uniform(0.0, 1.0) * random.on_sphere());
  }
  return points;
}

std::vector<Vector3> points_anywhere(std::uint64_t seed) {
  Random random(seed);
  std::vector<Vector3> points;
  for (int i = 0; i < point_count; ++i) points.push_back(Vector3::Constant(0.5) + random.in_box(0.5));
  return points;
}

struct Contestant {
  std::string name;
  std::function<void()> ask;
  double best = 1e300;
};

void time_in_turn(std::vector<Contestant>& contestants) {
  for (int pass = 0; pass < passes; ++pass) {
    for (Contestant& c : contestants) {
      const double begin = seconds_of(CLOCK_THREAD_CPUTIME_ID);
      c.ask();
      c.best = std::min(c.best, seconds_of(CLOCK_THREAD_CPUTIME_ID) - begin);
    }
  }
}

void row(const std::string& mesh, const std::string& task, const std::string& who, const char* measure,
         double value) {
  std::printf("%s,%s,%s,%s,%.4g\n", mesh.c_str(), task.c_str(), who.c_str(), measure, value);
  std::fflush(stdout);
}

// The largest error against exact distances, where those are within the band, and how many signs are wrong.
void compare(const std::string& mesh, const std::string& task, const std::string& who,
             std::span<const SignedDistance> truth, std::span<const double> found, bool has_signs,
             bool counts_signs = true) {
  double worst = 0.0;
  int wrong = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (std::abs(truth[i].distance) > 0.9 * band && who.starts_with("openvdb")) continue;
    worst =
        std::max(worst, std::abs((has_signs ? truth[i].distance : std::abs(truth[i].distance)) - found[i]));
    wrong += has_signs && truth[i].distance * found[i] < 0.0;
  }
  row(mesh, task, who, "largest_error", worst);
  if (has_signs && counts_signs) row(mesh, task, who, "wrong_signs", wrong);
}

void exact_distances(const std::string& name, const TriangleMesh& mesh, const Shape& shape) {
  std::vector<std::pair<std::string, std::unique_ptr<DistancePeer>>> peers;
#ifdef TOCCATA_WITH_CGAL
  peers.emplace_back("cgal", cgal_peer(mesh));
#endif
#ifdef TOCCATA_WITH_EMBREE
  peers.emplace_back("embree", embree_peer(mesh));
#endif
  for (const bool near : {true, false}) {
    const std::string task = near ? "exact_near" : "exact_anywhere";
    const std::vector<Vector3> points = near ? points_near(mesh, 0.01, 1) : points_anywhere(2);
    std::vector<SignedDistance> truth;
    std::vector<double> found(points.size());
    std::vector<Contestant> contestants;
    contestants.push_back(
        {"toccata_signed", [&] { truth = signed_distances(points, shape, {.threads = 1}).points; }});
    contestants.push_back(
        {"toccata_unsigned", [&] { signed_distances(points, shape, {.with_sign = false, .threads = 1}); }});
    for (const auto& [who, peer] : peers)
      contestants.push_back({who, [&found, &points, p = peer.get()] { p->distances(points, found); }});
    time_in_turn(contestants);
    for (const Contestant& c : contestants)
      row(name, task, c.name, "nanoseconds", 1e9 * c.best / point_count);
    for (const auto& [who, peer] : peers) {
      peer->distances(points, found);
      compare(name, task, who, truth, found, false);
    }
  }
}

// The largest error of a peer where its band is of use.
double largest_error(std::span<const SignedDistance> truth, std::span<const double> found) {
  double error = 0.0;
  for (std::size_t i = 0; i < truth.size(); ++i)
    if (std::abs(truth[i].distance) <= usable)
      error = std::max(error, std::abs(truth[i].distance - found[i]));
  return error;
}

// A field of this error in a band, and its answers near the surface in turn with the peer's.
DistanceField measured_field(const std::string& name, const std::string& task, const Shape& shape,
                             double error, double reach, std::span<const Vector3> near,
                             std::span<const SignedDistance> truth, const DistancePeer* peer) {
  const double begin = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  DistanceField field =
      build_distance_field(shape, {.error = error, .margin = 0.05, .band = reach, .threads = 2}).value();
  row(name, task, "toccata", "build_seconds", seconds_of(CLOCK_PROCESS_CPUTIME_ID) - begin);
  row(name, task, "toccata", "megabytes", 1e-6 * static_cast<double>(field.memory_bytes()));
  row(name, task, "toccata", "leaves", static_cast<double>(field.leaf_count()));
  std::vector<FieldValue> values(near.size());
  std::vector<double> found(near.size());
  std::vector<Contestant> contestants;
  contestants.push_back({"toccata", [&] { field.at(near, values, 1); }});
  if (peer != nullptr) contestants.push_back({"openvdb_128", [&] { peer->distances(near, found); }});
  time_in_turn(contestants);
  for (const Contestant& c : contestants) row(name, task, c.name, "nanoseconds", 1e9 * c.best / point_count);
  double width = 0.0;
  int outside = 0, wrong = 0;
  for (std::size_t i = 0; i < near.size(); ++i) {
    found[i] = values[i].value();
    width = std::max(width, 0.5 * (values[i].upper - values[i].lower));
    outside += values[i].lower > truth[i].upper || values[i].upper < truth[i].lower;
    wrong += field.side_at(near[i]) != truth[i].side;
  }
  compare(name, task, "toccata", truth, found, true, false);
  row(name, task, "toccata", "widest_half_interval", width);
  row(name, task, "toccata", "intervals_without_the_truth", outside);
  row(name, task, "toccata", "wrong_sides", wrong);
  return field;
}

void fields(const std::string& name, const TriangleMesh& mesh, const Shape& shape) {
  double error = 1e-3;
  const std::vector<Vector3> near = points_near(mesh, 0.01, 3);
  const std::vector<SignedDistance> truth = signed_distances(near, shape).points;
  std::vector<double> found(near.size());
  std::unique_ptr<DistancePeer> peer;
#ifdef TOCCATA_WITH_OPENVDB
  const double begin_peer = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  peer = openvdb_peer(mesh, voxels, band);
  row(name, "field", "openvdb_128", "build_seconds", seconds_of(CLOCK_PROCESS_CPUTIME_ID) - begin_peer);
  row(name, "field", "openvdb_128", "megabytes", 1e-6 * static_cast<double>(peer->memory_bytes()));
  peer->distances(near, found);
  compare(name, "field_near", "openvdb_128", truth, found, true);
  error = largest_error(truth, found);
  // Both fields are asked for the whole band: the peer's error there is what ours may have. Within a
  // hundredth of the surface the peer is better than that, and so is the second field in all of its band.
  const std::vector<Vector3> in_band = points_near(mesh, 0.9 * band, 4);
  const std::vector<SignedDistance> truth_in_band = signed_distances(in_band, shape).points;
  peer->distances(in_band, found);
  const double band_error = std::max(error, largest_error(truth_in_band, found));
  row(name, "field", "openvdb_128", "largest_error", band_error);
  measured_field(name, "field", shape, band_error, usable, near, truth, peer.get());
#endif
  const DistanceField field = measured_field(name, "field_near", shape, error, band, near, truth, peer.get());

  // Particles against the body, which turns and moves.
  const RigidMotion motion =
      RigidMotion::with_velocity({Matrix3::Identity(), Vector3::Zero()}, {0.2, 0.1, -0.15}, {0.4, 1.0, -0.6});
  Random random(5);
  std::vector<Vector3> from, to;
  for (int i = 0; i < point_count; ++i) {
    from.push_back(Vector3::Constant(0.5) + random.in_box(0.8));
    to.push_back(from.back() + random.in_box(0.3));
  }
  ParticleOptions options;
  options.threads = 1;
  ParticleContacts by_field, by_mesh;
  std::vector<Contestant> tracers;
  tracers.push_back({"toccata_field", [&] {
                       by_field = first_contacts(PointPaths{from, to}, FieldBody{field, motion}, options);
                     }});
  tracers.push_back({"toccata_mesh", [&] {
                       by_mesh = first_contacts(PointPaths{from, to}, Body{shape, motion}, options);
                     }});
  time_in_turn(tracers);
  for (const Contestant& c : tracers)
    row(name, "particles", c.name, "nanoseconds", 1e9 * c.best / point_count);
  row(name, "particles", "toccata_field", "contacts", static_cast<double>(by_field.contacts));
  int apart = 0;
  for (std::size_t i = 0; i < from.size(); ++i) apart += by_field.paths[i].status != by_mesh.paths[i].status;
  row(name, "particles", "toccata_field", "other_answers_than_mesh", apart);
  if (!peer) return;
  constexpr int sampled = 200, times = 1000;
  int missed = 0, early = 0;
  double spent = 0.0;
  std::vector<Vector3> seen(times);
  std::vector<double> depths(times);
  for (std::size_t i = 0; i < sampled; ++i) {
    for (int k = 0; k < times; ++k) {
      const double t = static_cast<double>(k) / (times - 1);
      seen[static_cast<std::size_t>(k)] = motion.pose(t).inverse().apply(from[i] + t * (to[i] - from[i]));
    }
    const double start = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    peer->distances(seen, depths);
    spent += seconds_of(CLOCK_THREAD_CPUTIME_ID) - start;
    const auto inside = std::find_if(depths.begin(), depths.end(), [&](double d) { return d < -error; });
    const bool found_it = inside != depths.end();
    const double when = found_it ? static_cast<double>(inside - depths.begin()) / (times - 1) : 1.0;
    missed += found_it && (by_field.paths[i].status == Status::Separated || by_field.paths[i].time > when);
    early += !found_it && by_field.paths[i].status != Status::Separated;
  }
  row(name, "particles", "openvdb_1000_times", "nanoseconds", 1e9 * spent / sampled);
  row(name, "particles", "toccata_field", "missed", missed);
  row(name, "particles", "openvdb_1000_times", "missed_or_grazed", early);
}

void run(const std::string& name, TriangleMesh given) {
  const TriangleMesh mesh = unit(std::move(given));
  const Shape shape(mesh);
  if (!shape.is_closed()) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), shape.open_edges()->c_str());
    return;
  }
  exact_distances(name, mesh, shape);
  fields(name, mesh, shape);
}

}  // namespace
}  // namespace toccata::bench

int main(int argc, char** argv) {
  using namespace toccata;
  std::printf("mesh,task,contestant,measure,value\n");
  scenes::TorusKnotOptions knot;
  knot.along = 720;
  bench::run("torus_knot", scenes::torus_knot(knot));
  for (int i = 1; i < argc; ++i) {
    const std::string path = argv[i];
    Expected<TriangleMesh> mesh = load_mesh(path);
    if (!mesh) {
      std::fprintf(stderr, "%s\n", mesh.error().message.c_str());
      return 1;
    }
    const std::size_t begin = path.find_last_of('/') + 1;
    bench::run(path.substr(begin, path.find_last_of('.') - begin), std::move(*mesh));
  }
  return 0;
}
