// Times of contact of proxies beside those of triangles: Figures 11 and 13, and the speed of small proxies.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "bodies.hpp"
#include "groups.hpp"
#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"

namespace toccata::bench {
namespace {

// One body flies at the other one, and turns.
std::vector<OwnedMotion> flights(int count, double way, double spin, std::uint64_t seed) {
  Random random(seed);
  std::vector<OwnedMotion> all;
  for (int i = 0; i < count; ++i) {
    Pose start;
    start.translation = 1.75 * random.on_sphere();
    const Vector3 aim = random.uniform(0.0, 0.5) * random.on_sphere();
    const Vector3 velocity = way * (aim - start.translation).normalized();
    all.emplace_back(RigidMotion::with_velocity(start, velocity, spin * random.on_sphere()));
  }
  return all;
}

struct Timed {
  std::vector<FirstContactResult> answers;
  double microseconds = 0.0;  // mean over the motions, of each the least of three
};

Timed timed(const Shape& a, const Shape& b, const std::vector<OwnedMotion>& motions, RigidMethod method) {
  Timed result;
  FirstContactOptions options;
  options.method = method;
  first_contact(Body{a, motions[0]}, Body{b}, options);  // prepares the shapes
  for (const OwnedMotion& motion : motions) {
    double best = 1e300;
    FirstContactResult answer;
    for (int pass = 0; pass < 3; ++pass) {
      const double begin = cpu_seconds();
      answer = first_contact(Body{a, motion}, Body{b}, options);
      best = std::min(best, cpu_seconds() - begin);
    }
    result.microseconds += 1e6 * best / static_cast<double>(motions.size());
    result.answers.push_back(answer);
  }
  return result;
}

struct Earlier {
  int contacts = 0, free = 0, proven_free = 0, late = 0;
  double mean = 0.0, most = 0.0;
};

Earlier earlier(const Timed& outer, const Timed& truth) {
  Earlier found;
  for (std::size_t i = 0; i < truth.answers.size(); ++i) {
    const FirstContactResult &t = truth.answers[i], &o = outer.answers[i];
    if (t.status == Status::Separated) {
      ++found.free;
      found.proven_free += o.status == Status::Separated ? 1 : 0;
      continue;
    }
    ++found.contacts;
    found.late += o.status == Status::Separated || o.lower > t.upper ? 1 : 0;
    found.mean += t.time - o.time;
    found.most = std::max(found.most, t.time - o.time);
  }
  found.mean /= std::max(found.contacts, 1);
  return found;
}

}  // namespace

int measure_times(const std::string& folder) {
  std::printf("way,spin,motions,contacts,late,earlier_mean_milli,earlier_max_milli,free,proven_free\n");
  const auto bunny = body(folder, "bunny00"), elk = body(folder, "elk");
  if (!bunny || !elk) return 1;
  const Shape a(*elk), b(*bunny);
  const Expected<MedialProxy> proxy_a = medial_proxy(a, {.primitives = 200});
  const Expected<MedialProxy> proxy_b = medial_proxy(b, {.primitives = 200});
  if (!proxy_a || !proxy_b) return 1;
  const Shape outer_a(proxy_a->outer), outer_b(proxy_b->outer);
  std::fprintf(stderr, "errors %.4f and %.4f\n", proxy_a->error, proxy_b->error);
  for (const double way : {1.0, 2.0, 4.0, 8.0}) {
    for (const double spin : {0.0, 1.57, 6.28, 25.1}) {
      const std::vector<OwnedMotion> motions = flights(60, way, spin, 7);
      const Timed truth = timed(a, b, motions, RigidMethod::Advancement);
      const Earlier found = earlier(timed(outer_a, outer_b, motions, RigidMethod::Advancement), truth);
      std::printf("%.0f,%.2f,%zu,%d,%d,%.2f,%.2f,%d,%d\n", way, spin, motions.size(), found.contacts,
                  found.late, 1e3 * found.mean, 1e3 * found.most, found.free, found.proven_free);
      std::fflush(stdout);
    }
  }
  return 0;
}

int measure_trees(const std::string&) {
  std::printf("triangles,proxy_primitives,proxy_us,advancement_us,controlled_us,interval_us,late\n");
  const Expected<MedialProxy> proxy =
      medial_proxy(in_unit_box(scenes::torus_knot({.along = 720, .around = 24})), {.primitives = 83});
  if (!proxy) return 1;
  const Shape outer(proxy->outer);
  const std::vector<OwnedMotion> motions = flights(40, 2.0, 1.57, 5);
  for (const int around : {6, 12, 16, 24}) {
    const Shape mesh(in_unit_box(scenes::torus_knot({.along = 30 * around, .around = around})));
    const Timed by_proxy = timed(outer, outer, motions, RigidMethod::Advancement);
    const Timed by_boxes = timed(mesh, mesh, motions, RigidMethod::Advancement);
    const Timed controlled = timed(mesh, mesh, motions, RigidMethod::Controlled);
    const Timed interval = timed(mesh, mesh, motions, RigidMethod::Interval);
    std::printf("%zu,%zu,%.1f,%.1f,%.1f,%.1f,%d\n", mesh.mesh().faces.size(), proxy->errors.size(),
                by_proxy.microseconds, by_boxes.microseconds, controlled.microseconds, interval.microseconds,
                earlier(by_proxy, by_boxes).late);
    std::fflush(stdout);
  }
  return 0;
}

int measure_speed(const std::string& folder) {
  std::printf(
      "mesh,triangles,primitives,error_milli,proxy_us,triangles_us,ratio,late,earlier_mean_milli,free,proven_"
      "free\n");
  for (const auto& [name, count] : {std::pair<const char*, int>{"knot", 83},
                                    {"bunny00", 100},
                                    {"armadillo", 100},
                                    {"knot", 40},
                                    {"bunny00", 30},
                                    {"armadillo", 30}}) {
    const auto mesh = body(folder, name);
    if (!mesh) continue;
    const Shape shape(*mesh);
    const Expected<MedialProxy> proxy = medial_proxy(shape, {.primitives = count});
    if (!proxy) continue;
    const Shape outer(proxy->outer);
    const std::vector<OwnedMotion> motions = flights(200, 2.0, 1.57, 3);
    const Timed by_proxy = timed(outer, outer, motions, RigidMethod::Advancement);
    const Timed by_triangles = timed(shape, shape, motions, RigidMethod::Advancement);
    const Earlier found = earlier(by_proxy, by_triangles);
    std::printf("%s,%zu,%zu,%.1f,%.1f,%.1f,%.2f,%d,%.1f,%d,%d\n", name, mesh->faces.size(),
                proxy->errors.size(), 1e3 * proxy->error, by_proxy.microseconds, by_triangles.microseconds,
                by_triangles.microseconds / by_proxy.microseconds, found.late, 1e3 * found.mean, found.free,
                found.proven_free);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace toccata::bench
