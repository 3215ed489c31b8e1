// toccata distance A B: how far apart two shapes are, and where they are closest.
#include <fmt/core.h>

#include <memory>

#include "body_argument.hpp"
#include "command.hpp"
#include "ending.hpp"
#include "json_text.hpp"
#include "report_options.hpp"
#include "rigid_answer.hpp"
#include "toccata/io/query_report.hpp"
#include "toccata/io/report_record.hpp"
#include "toccata/proximity/distance.hpp"

namespace toccata::app {
namespace {

struct DistanceArguments : RestingArguments {
  double within = -1.0;
  DistanceOptions options;
  std::string method{to_string(DistanceOptions{}.method)};
  bool json = false;
  bool check = false;
  ReportOptions output;
};

constexpr ConvexMethod convex_methods[] = {ConvexMethod::Gjk, ConvexMethod::FeatureWalk,
                                           ConvexMethod::Levels};

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const ConvexMethod method : convex_methods) names.emplace_back(to_string(method));
  return names;
}

DistanceOptions options_of(const DistanceArguments& arguments) {
  DistanceOptions options = arguments.options;
  for (const ConvexMethod method : convex_methods) {
    if (arguments.method == to_string(method)) options.method = method;
  }
  return options;
}

JsonObject within_json(const WithinResult& result, double limit, const MeshPair& meshes) {
  JsonObject json;
  json.add("within", result.within).add("limit", limit).add("stats", stats_json(result.stats));
  if (!result.within) return json;
  json.add("distance", result.contact.distance);
  add_contact(record_of(result.contact, meshes), json);
  return json;
}

JsonObject distance_json(const DistanceResult& result, const MeshPair& meshes) {
  JsonObject json;
  json.add("distance", result.distance).add("lower_distance", result.lower_distance);
  json.add("intersects", result.distance == 0.0).add("stats", stats_json(result.stats));
  add_contact(record_of(result.contact, meshes), json);
  return json;
}

// What is printed, and the report of it.
struct DistanceAnswer {
  JsonObject json;
  bool touches = false;  // or comes within the distance asked for
  Report report;
};

DistanceAnswer answered(const DistanceArguments& arguments, const ReportBody& a, const ReportBody& b) {
  const MeshPair meshes = meshes_of(a, b);
  const PlacedShape placed_a(a.shape, a.motion->pose(0.0)), placed_b(b.shape, b.motion->pose(0.0));
  if (arguments.within >= 0.0) {
    const WithinResult result = within(placed_a, placed_b, arguments.within);
    return {within_json(result, arguments.within, meshes), result.within,
            within_report(a, b, result, arguments.within)};
  }
  const DistanceResult result = distance(placed_a, placed_b, options_of(arguments));
  return {distance_json(result, meshes), result.distance == 0.0, distance_report(a, b, result)};
}

int run_distance(const DistanceArguments& arguments) {
  const auto [a, b] = resting_bodies(arguments);
  DistanceAnswer answer = answered(arguments, a, b);
  if (arguments.json) {
    add_poses(a.motion->pose(0.0), b.motion->pose(0.0), answer.json);
    print_json(answer.json);
  } else {
    fmt::print("{}\n", answer.report.answer);
    for (const ResultRecord& result : answer.report.results) {
      for (const ContactRecord& contact : result.contacts)
        fmt::print("  {}\n", contact_text(contact, {a.name, b.name}));
    }
  }
  if (arguments.output.wanted())
    write_outputs(arguments.output, std::move(answer.report), arguments.json ? stderr : stdout);
  return exit_code({.touches = answer.touches}, arguments.check);
}

}  // namespace

Command distance_command() {
  const auto arguments = std::make_shared<DistanceArguments>();
  Command command{.name = "distance",
                  .description = "How far apart two shapes are, and where they are closest"};
  command.options = resting_options(*arguments);
  const std::vector<Option> others = {{.names = "--relative-error",
                                       .target = &arguments->options.relative_error,
                                       .help = "Allowed error, as a fraction",
                                       .least = 0.0},
                                      {.names = "--absolute-error",
                                       .target = &arguments->options.absolute_error,
                                       .help = "Allowed error, as a length",
                                       .least = 0.0},
                                      {.names = "--method",
                                       .target = &arguments->method,
                                       .help = "How to find it, of hulls and boxes; the answer is the same",
                                       .choices = method_names()},
                                      {.names = "--within",
                                       .target = &arguments->within,
                                       .help = "Only ask whether the distance is at most this",
                                       .least = 0.0},
                                      {.names = "--json", .target = &arguments->json, .help = "Print JSON"},
                                      check_option(arguments->check)};
  command.options.insert(command.options.end(), others.begin(), others.end());
  add_report_options(arguments->output, command, [arguments] {
    return std::vector<std::string>{file_of(arguments->path_a), file_of(arguments->path_b)};
  });
  command.footer =
      "Examples:\n"
      "  toccata distance a.obj b.obj\n"
      "  toccata distance a.obj b.obj --pose-a '2 0 0' --view\n"
      "  toccata distance a.obj b.obj --within 0.01 --check && echo clear\n"
      "  toccata distance box:1,2,3 ball:0.5 --pose-b '2 0 0'\n" +
      shapes_help();
  command.run = [arguments] { return run_distance(*arguments); };
  return command;
}

}  // namespace toccata::app
