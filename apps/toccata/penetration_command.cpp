// toccata penetration A B: how deep two shapes are in each other, and which way is out.
#include <fmt/core.h>

#include <memory>

#include "body_argument.hpp"
#include "command.hpp"
#include "ending.hpp"
#include "json_text.hpp"
#include "report_options.hpp"
#include "rigid_answer.hpp"
#include "toccata/io/layer_report.hpp"
#include "toccata/io/query_report.hpp"
#include "toccata/io/report_record.hpp"
#include "toccata/proximity/containment.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/proximity/penetration.hpp"

namespace toccata::app {
namespace {

struct PenetrationArguments : RestingArguments {
  bool solid = false;
  double error = 0.0;
  bool json = false;
  bool check = false;
  ReportOptions output;
};

// How deep, and what else there is to say of those that do not overlap.
struct PenetrationAnswer {
  PenetrationResult result;
  ApartAnswer apart;

  bool overlaps() const { return result.status == Status::OverlapAtStart; }
  bool touches() const {
    const auto is_inside = [](Containment c) { return c == Containment::Inside || c == Containment::Mixed; };
    return overlaps() || is_inside(apart.a_in_b) || is_inside(apart.b_in_a);
  }
};

PenetrationAnswer answered(const ReportBody& a, const ReportBody& b, const PenetrationOptions& options) {
  const PlacedShape placed_a(a.shape, a.motion->pose(0.0)), placed_b(b.shape, b.motion->pose(0.0));
  PenetrationAnswer answer{.result = penetration(placed_a, placed_b, options), .apart = {}};
  if (answer.result.status == Status::Failed) throw UsageError(answer.result.failure);
  if (answer.overlaps()) return answer;
  answer.apart = {.distance = distance(placed_a, placed_b),
                  .a_in_b = containment(placed_a, placed_b),
                  .b_in_a = containment(placed_b, placed_a)};
  return answer;
}

JsonObject deepest_json(const DeepestPoint& deepest) {
  JsonObject json;
  json.add("lower", deepest.lower).add("upper", deepest.upper);
  if (!(deepest.lower > 0.0)) return json;
  return json.add("point", deepest.point)
      .add("nearest", deepest.nearest)
      .add("direction", deepest.direction)
      .add("triangle", deepest.feature.part)
      .add("nearest_triangle", deepest.nearest_feature.part);
}

JsonObject penetration_json(const PenetrationAnswer& answer, bool is_solid, const ReportBody& a,
                            const ReportBody& b) {
  JsonObject json;
  json.add("status", to_string(answer.result.status));
  json.add("lower_depth", answer.result.lower_depth).add("upper_depth", answer.result.upper_depth);
  if (!answer.overlaps()) {
    json.add("distance", answer.apart.distance.distance);
    json.add("lower_distance", answer.apart.distance.lower_distance);
    json.add("a_in_b", to_string(answer.apart.a_in_b)).add("b_in_a", to_string(answer.apart.b_in_a));
  }
  if (answer.overlaps() && is_solid) {
    json.add("deepest_a_in_b", deepest_json(answer.result.a_in_b));
    json.add("deepest_b_in_a", deepest_json(answer.result.b_in_a));
  }
  const Contact& contact = answer.overlaps() ? answer.result.contact : answer.apart.distance.contact;
  add_contact(record_of(contact, meshes_of(a, b)), json);
  add_poses(a.motion->pose(0.0), b.motion->pose(0.0), json);
  return json.add("stats", stats_json(answer.result.stats));
}

int run_penetration(const PenetrationArguments& arguments) {
  if (!arguments.solid && arguments.error > 0.0) throw UsageError("--error is of solids: add --solid");
  const auto [a, b] = resting_bodies(arguments);
  const PenetrationAnswer answer =
      answered(a, b, {.solid = arguments.solid, .absolute_error = arguments.error});
  if (arguments.json) {
    print_json(penetration_json(answer, arguments.solid, a, b));
  } else {
    fmt::print("{}\n", sentence(answer.result, answer.apart, {a.name, b.name}));
    if (answer.overlaps() && arguments.solid) {
      fmt::print("{}\n", deepest_sentence(answer.result.a_in_b, a.name, b.name));
      fmt::print("{}\n", deepest_sentence(answer.result.b_in_a, b.name, a.name));
    }
  }
  if (arguments.output.wanted()) {
    Report report = penetration_report(a, b, answer.result, answer.apart);
    if (arguments.solid) report.layers = depth_layers(answer.result);
    write_outputs(arguments.output, std::move(report), arguments.json ? stderr : stdout);
  }
  return exit_code({.touches = answer.touches()}, arguments.check);
}

}  // namespace

Command penetration_command() {
  const auto arguments = std::make_shared<PenetrationArguments>();
  Command command{.name = "penetration",
                  .description = "How deep two shapes are in each other, and which way is out"};
  command.options = resting_options(*arguments);
  command.options.push_back(
      {.names = "--solid",
       .target = &arguments->solid,
       .help = "Closed meshes are full inside: also the deepest point of each in the other"});
  command.options.push_back({.names = "--error",
                             .target = &arguments->error,
                             .help = "With --solid: how far apart the bounds of those depths may be; 0: a "
                                     "thousandth of the smaller body",
                             .value = "LENGTH",
                             .least = 0.0});
  command.options.push_back({.names = "--json", .target = &arguments->json, .help = "Print JSON"});
  command.options.push_back(check_option(arguments->check));
  add_report_options(arguments->output, command, [arguments] {
    return std::vector<std::string>{file_of(arguments->path_a), file_of(arguments->path_b)};
  });
  command.footer =
      "The depth is the length of the shortest translation that parts them, between two proven bounds.\n"
      "Meshes are surfaces, and may be inside each other without overlapping; the answer says so. With\n"
      "--solid those that are closed are full, and the deepest points of their surfaces are found, too.\n"
      "Examples:\n"
      "  toccata penetration box:1,1,1 capsule:0.2,1 --pose-b '0.6 0 0'\n"
      "  toccata penetration part.obj halfspace:0,0,1,0 --json\n"
      "  toccata penetration a.obj b.obj --solid --error 0.001\n"
      "  toccata penetration a.obj b.obj --check || echo 'they overlap'\n" +
      shapes_help();
  command.run = [arguments] { return run_penetration(*arguments); };
  return command;
}

}  // namespace toccata::app
