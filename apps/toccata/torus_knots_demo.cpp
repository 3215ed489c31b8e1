// Two torus knots, one tumbling into the other: when and where do they first touch?
#include <fmt/core.h>

#include <Eigen/Geometry>
#include <chrono>

#include "demo.hpp"
#include "json_text.hpp"
#include "scenes/torus_knot.hpp"
#include "terminal.hpp"
#include "toccata/ccd/rigid/contact_intervals.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/io/query_report.hpp"
#include "toccata/io/report_record.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata::app {

int run_torus_knots_demo(const DemoOptions& options) {
  const Shape knot(scenes::torus_knot());
  const Matrix3 turned = Eigen::AngleAxisd(2.5, Vector3(1, 2, 1).normalized()).toRotationMatrix();
  const RigidMotion tumble({Matrix3::Identity(), Vector3(-4.6, 0.3, 0.2)}, {turned, Vector3(2.6, 0, 0)});
  const Body moving = {knot, tumble};
  const Body still = {knot};
  const auto start = std::chrono::steady_clock::now();
  const FirstContactResult r = first_contact(moving, still);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  const BodyNames names = {"the tumbling knot", "the resting knot"};
  if (options.json) {
    JsonObject json;
    json.add("status", to_string(r.status)).add("time", r.time);
    json.add("point", r.contact.point_a).add("normal", r.contact.normal);
    json.add("triangle_a", r.contact.feature_a.part).add("triangle_b", r.contact.feature_b.part);
    print_json(json.add("seconds", taken.count()));
  } else {
    fmt::print("Two torus knots of {}, one tumbling into the other.\n",
               plural(knot.mesh().faces.size(), "triangle"));
    fmt::print("{}\n  {}\n", sentence(r, names),
               contact_text(record_of(r.contact, {&knot.mesh(), &knot.mesh()}), names));
    fmt::print("Proven apart before, by {} pairs of boxes and {} pairs of triangles, in {}.\n",
               r.stats.node_pairs, r.stats.piece_pairs, duration_text(taken.count()));
  }
  if (options.output.wanted()) {
    FirstContactExtras extras;
    extras.intervals = contact_intervals(moving, still, {.time_resolution = 1e-4}).intervals;
    Report report = first_contact_report({"tumbling knot", knot, moving.motion}, {"resting knot", knot}, r,
                                         extras, {.hierarchy_levels = 9});
    report.title = "Two torus knots";
    report.method = "advancement";
    report.timings = {{"query", 1e3 * taken.count()}};
    write_outputs(options.output, std::move(report), options.json ? stderr : stdout);
  }
  return 0;
}

}  // namespace toccata::app
