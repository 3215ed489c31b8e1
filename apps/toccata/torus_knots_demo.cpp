// Two torus knots, one tumbling into the other: when and where do they first touch?
#include <fmt/core.h>

#include <Eigen/Geometry>
#include <chrono>
#include <nlohmann/json.hpp>

#include "demo.hpp"
#include "rigid_report.hpp"
#include "scenes/torus_knot.hpp"
#include "terminal.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata::app {
namespace {

void print_text(const Shape& knot, const FirstContactResult& r, double seconds) {
  const Vector3& p = r.contact.point_a;
  const Vector3& n = r.contact.normal;
  fmt::print("Two torus knots of {}, one tumbling into the other.\n",
             plural(knot.mesh().faces.size(), "triangle"));
  fmt::print(
      "They first touch at t = {:.9f}, at ({:.6f}, {:.6f}, {:.6f}), normal ({:.4f}, {:.4f}, {:.4f}):\n",
      r.time, p.x(), p.y(), p.z(), n.x(), n.y(), n.z());
  fmt::print("triangle {} of the moving knot against triangle {} of the other; proven apart before.\n",
             r.contact.feature_a.part, r.contact.feature_b.part);
  fmt::print("{} pairs of boxes and {} pairs of triangles, {}.\n", r.stats.node_pairs, r.stats.piece_pairs,
             duration_text(seconds));
}

}  // namespace

int run_torus_knots_demo(const DemoOptions& options) {
  const Shape knot(scenes::torus_knot());
  const Matrix3 turned = Eigen::AngleAxisd(2.5, Vector3(1, 2, 1).normalized()).toRotationMatrix();
  const RigidMotion tumble({Matrix3::Identity(), Vector3(-4.6, 0.3, 0.2)}, {turned, Vector3(2.6, 0, 0)});
  const Body moving = {knot, tumble};
  const Body still = {knot};
  const auto begin = std::chrono::steady_clock::now();
  const FirstContactResult r = first_contact(moving, still);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  const Vector3& p = r.contact.point_a;
  const Vector3& n = r.contact.normal;
  if (options.json) {
    print_json({{"status", to_string(r.status)},
                {"time", r.time},
                {"point", {p.x(), p.y(), p.z()}},
                {"normal", {n.x(), n.y(), n.z()}},
                {"triangle_a", r.contact.feature_a.part},
                {"triangle_b", r.contact.feature_b.part},
                {"seconds", taken.count()}});
  } else {
    print_text(knot, r, taken.count());
  }
  if (options.output.wanted()) {
    Report report =
        rigid_report({"tumbling knot", "", moving}, {"resting knot", "", still}, r, {.hierarchy_levels = 9});
    report.title = "Two torus knots";
    report.method = "advancement";
    report.timings = {{"query", 1e3 * taken.count()}};
    write_outputs(options.output, std::move(report), options.json ? stderr : stdout);
  }
  return 0;
}

}  // namespace toccata::app
