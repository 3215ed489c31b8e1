// Tables 1 and 2 of Hoff et al. with scenes in kind like theirs: all depths of bodies that deform and are in
// each other, on a grid whose cells have a half diagonal of d. Each frame is checked first against certified
// depths (penetration) and, at random cells, against signed distances. One thread, CPU time, mean over the
// frames. Prints CSV. usage: bench_grid_proximity [FRAMES]
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "scenes/soft_bodies.hpp"
#include "toccata/base/random.hpp"
#include "toccata/field/penetration_field.hpp"
#include "toccata/proximity/penetration.hpp"
#include "toccata/proximity/signed_distance.hpp"

namespace toccata::bench {
namespace {

double cpu_milliseconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

// The half diagonal of a cell for which about as many points are in both as in the paper.
double usual_error(std::string_view scene) {
  if (scene == "cylinders") return 0.035;
  if (scene == "tori") return 0.055;
  if (scene == "hearts") return 0.075;
  return 0.045;
}

// Answers that contradict certified ones.
int contradictions(const TriangleMesh& a, const TriangleMesh& b, const PenetrationField& field) {
  const Shape shape_a(a), shape_b(b);
  const PenetrationResult deep = penetration({shape_a}, {shape_b}, {.solid = true, .with_way_out = false});
  int wrong = 0;
  // The deepest point of both is at least as deep as the deepest point of the surface.
  wrong += field.depth_in_b.upper < deep.a_in_b.lower;
  wrong += field.depth_in_a.upper < deep.b_in_a.lower;
  wrong += field.points.empty() && std::max(deep.a_in_b.lower, deep.b_in_a.lower) > 2.0 * field.a.reach;
  Random random(1);
  for (int look = 0; look < 50 && !field.points.empty(); ++look) {
    const PenetratingPoint& p =
        field.points[static_cast<std::size_t>(random.integer(0, static_cast<int>(field.points.size()) - 1))];
    const SignedDistance in_a = signed_distance(p.point, shape_a), in_b = signed_distance(p.point, shape_b);
    wrong += in_a.side != Containment::Inside || std::abs(-in_a.distance - p.depth_a) > 1e-9;
    wrong += in_b.side != Containment::Inside || std::abs(-in_b.distance - p.depth_b) > 1e-9;
    // The way out ends on the surface.
    wrong += std::abs(signed_distance(p.point + p.depth_b * p.out_of_b, shape_b).distance) > 1e-9;
  }
  return wrong;
}

void measure(const char* table, std::string_view scene, double error, const std::string& label, int frames) {
  double spent = 0.0, points = 0.0, contacts = 0.0, cells = 0.0;
  std::size_t triangles = 0;
  int wrong = 0;
  for (int frame = 0; frame < frames; ++frame) {
    const std::vector<TriangleMesh> bodies = scenes::soft_bodies(scene, static_cast<double>(frame) / frames);
    triangles = 0;
    for (const TriangleMesh& body : bodies) triangles += body.faces.size();
    for (std::size_t i = 0; i + 1 < bodies.size(); ++i) {
      const double begin = cpu_milliseconds();
      const PenetrationField field = penetration_field(voronoi_sites(bodies[i]), voronoi_sites(bodies[i + 1]),
                                                       {.cell = 2.0 * error / std::sqrt(3.0), .threads = 1})
                                         .value();
      spent += cpu_milliseconds() - begin;
      points += static_cast<double>(field.points.size());
      contacts += static_cast<double>(field.contacts.size());
      cells += static_cast<double>(field.inside_a.size());
      if (frame < 4) wrong += contradictions(bodies[i], bodies[i + 1], field);
    }
  }
  std::printf("%s,%s,%s,%zu,%.0f,%.0f,%.0f,%.2f,%d\n", table, std::string(scene).c_str(), label.c_str(),
              triangles, points / frames, contacts / frames, cells / frames, spent / frames, wrong);
  std::fflush(stdout);
}

}  // namespace
}  // namespace toccata::bench

int main(int argc, char** argv) {
  using namespace toccata;
  const int frames = argc > 1 ? std::max(1, std::atoi(argv[1])) : 12;
  std::printf("table,scene,error,triangles,points_in_both,contacts,cells,cpu_ms,wrong\n");
  for (const std::string_view scene : scenes::soft_body_names())
    bench::measure("1", scene, bench::usual_error(scene), "d", frames);
  const char* const labels[] = {"d/4", "d/2", "d", "2d", "4d"};
  for (int i = 0; i < 5; ++i)
    bench::measure("2", "tori", bench::usual_error("tori") * std::pow(2.0, i - 2), labels[i], frames);
}
