// Tables 3 and 4: errors against the number of primitives, of balls and of spheres.
#include <cstdio>

#include "bodies.hpp"
#include "groups.hpp"
#include "toccata/base/random.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/proximity/enclosure.hpp"

namespace toccata::bench {
namespace {

void print_proxy(const char* name, const TriangleMesh& mesh, const char* kind, int asked,
                 const MedialProxyOptions& options) {
  const Shape shape(mesh);
  const double cpu = cpu_seconds(), wall = wall_seconds();
  const Expected<MedialProxy> proxy = medial_proxy(shape, options);
  const double cpu_taken = cpu_seconds() - cpu, wall_taken = wall_seconds() - wall;
  if (!proxy) {
    std::fprintf(stderr, "bench_medial: %s: %s\n", name, proxy.error().message.c_str());
    return;
  }
  std::printf("%s,%zu,%s,%d,%zu,%zu,%.2f,%.2f,%.2f,%s\n", name, mesh.faces.size(), kind, asked,
              proxy->outer.centers.size(), proxy->errors.size(), 1e3 * proxy->error, cpu_taken, wall_taken,
              encloses(mesh, proxy->outer).holds ? "yes" : "no");
  std::fflush(stdout);
}

}  // namespace

int measure_proxies(const std::string& folder) {
  std::printf(
      "mesh,triangles,kind,asked,balls,primitives,error_milli,cpu_s,wall_s,proven_at_usual_fineness\n");
  for (const int balls : {200, 1000}) {
    if (const auto mesh = body(folder, "bunny00")) {
      print_proxy("bunny", *mesh, "balls", balls, {.balls = balls});
      print_proxy("bunny", *mesh, "spheres alone", balls, {.balls = balls, .spheres_only = true});
    }
  }
  for (const int count : {500, 1000}) {
    if (const auto mesh = body(folder, "armadillo"))
      print_proxy("armadillo", *mesh, "primitives", count, {.primitives = count});
  }
  for (const char* name : {"bear", "elephant", "dino", "elk", "armadillo", "bunny00"}) {
    const auto mesh = body(folder, name);
    if (!mesh) continue;
    for (const int count : {50, 200}) print_proxy(name, *mesh, "primitives", count, {.primitives = count});
  }
  return 0;
}

int measure_quality(const std::string& folder) {
  std::printf(
      "balls,error_a_milli,error_b_milli,elementary_pairs,first_contact_us,earlier_mean_milli,earlier_max_"
      "milli\n");
  const auto mesh_a = body(folder, "elephant"), mesh_b = body(folder, "bear");
  if (!mesh_a || !mesh_b) return 1;
  const Shape exact_a(*mesh_a), exact_b(*mesh_b);
  for (const int balls : {20, 50, 100, 200, 500}) {
    const Expected<MedialProxy> a = medial_proxy(exact_a, {.balls = balls}),
                                b = medial_proxy(exact_b, {.balls = balls});
    if (!a || !b) return 1;
    const Shape outer_a(a->outer), outer_b(b->outer);
    Random random(4);
    double taken = 0.0, mean = 0.0, most = 0.0;
    int contacts = 0;
    for (int trial = 0; trial < 60; ++trial) {
      Pose start;
      start.translation = 1.9 * random.on_sphere();
      const OwnedMotion motion(
          RigidMotion::with_velocity(start, -start.translation, 1.5 * random.on_sphere()));
      double best = 1e300;
      FirstContactResult outer;
      for (int pass = 0; pass < 3; ++pass) {
        const double begin = cpu_seconds();
        outer = first_contact(Body{outer_a, motion}, Body{outer_b});
        best = std::min(best, cpu_seconds() - begin);
      }
      taken += best / 60.0;
      const FirstContactResult truth = first_contact(Body{exact_a, motion}, Body{exact_b});
      if (truth.status != Status::Contact) continue;
      ++contacts;
      mean += truth.time - outer.time;
      most = std::max(most, truth.time - outer.time);
    }
    std::printf("%d,%.1f,%.1f,%ld,%.1f,%.1f,%.1f\n", balls, 1e3 * a->error, 1e3 * b->error,
                elementary_pairs(a->outer, b->outer), 1e6 * taken, 1e3 * mean / std::max(contacts, 1),
                1e3 * most);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace toccata::bench
