// toccata distance A B: how far apart two meshes are, and where they are closest.
#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "command.hpp"
#include "ending.hpp"
#include "load_mesh.hpp"
#include "pose_argument.hpp"
#include "report_options.hpp"
#include "rest_report.hpp"
#include "terminal.hpp"
#include "toccata/io/report_record.hpp"
#include "toccata/proximity/distance.hpp"

namespace toccata::app {
namespace {

struct DistanceArguments {
  std::string path_a, path_b, pose_a, pose_b;
  double within = -1.0;
  DistanceOptions options;
  bool json = false;
  bool check = false;
  ReportOptions output;
};

nlohmann::json to_json(const Vector3& v) {
  return {v.x(), v.y(), v.z()};
}

std::string feature_name(const Feature& feature) {
  if (feature.kind == FeatureKind::Face) return "face";
  return fmt::format("{} {}", to_string(feature.kind), feature.index);
}

nlohmann::json contact_json(const Contact& c) {
  return {{"point_a", to_json(c.point_a)},         {"point_b", to_json(c.point_b)},
          {"normal", to_json(c.normal)},           {"triangle_a", c.feature_a.part},
          {"triangle_b", c.feature_b.part},        {"feature_a", feature_name(c.feature_a)},
          {"feature_b", feature_name(c.feature_b)}};
}

nlohmann::json stats_json(const QueryStats& stats) {
  return {{"node_pairs", stats.node_pairs}, {"piece_pairs", stats.piece_pairs}};
}

std::string place(const Contact& c) {
  return fmt::format(
      "({:.9g}, {:.9g}, {:.9g}) on triangle {} ({}) of A and ({:.9g}, {:.9g}, {:.9g}) on triangle {} ({}) of "
      "B",
      c.point_a.x(), c.point_a.y(), c.point_a.z(), c.feature_a.part, feature_name(c.feature_a), c.point_b.x(),
      c.point_b.y(), c.point_b.z(), c.feature_b.part, feature_name(c.feature_b));
}

std::string within_sentence(const WithinResult& result, double limit) {
  if (!result.within) return fmt::format("The meshes are more than {:g} apart.", limit);
  return fmt::format("The meshes come within {:g} of each other: {:.17g} apart at {}.", limit,
                     result.contact.distance, place(result.contact));
}

std::string distance_sentence(const DistanceResult& result) {
  if (result.distance == 0.0) return fmt::format("The meshes touch at {}.", place(result.contact));
  return fmt::format("The meshes are {:.17g} apart: {}.", result.distance, place(result.contact));
}

nlohmann::json within_json(const WithinResult& result, double limit) {
  nlohmann::json json = {{"within", result.within}, {"limit", limit}, {"stats", stats_json(result.stats)}};
  if (result.within) {
    json["distance"] = result.contact.distance;
    json.update(contact_json(result.contact));
  }
  return json;
}

nlohmann::json distance_json(const DistanceResult& result) {
  nlohmann::json json = {{"distance", result.distance},
                         {"lower_distance", result.lower_distance},
                         {"intersects", result.distance == 0.0},
                         {"stats", stats_json(result.stats)}};
  json.update(contact_json(result.contact));
  return json;
}

// What is said, and what goes into the report.
struct Answer {
  std::string sentence, short_sentence;
  nlohmann::json json;
  bool touches = false;  // or comes within the distance asked for
  std::optional<Contact> closest;
};

Answer answered(const DistanceArguments& arguments, const PlacedShape& a, const PlacedShape& b) {
  if (arguments.within >= 0.0) {
    const WithinResult result = within(a, b, arguments.within);
    return {within_sentence(result, arguments.within),
            fmt::format("The meshes {} {:g} of each other.",
                        result.within ? "come within" : "do not come within", arguments.within),
            within_json(result, arguments.within), result.within,
            result.within ? std::optional(result.contact) : std::nullopt};
  }
  const DistanceResult result = distance(a, b, arguments.options);
  return {distance_sentence(result),
          result.distance == 0.0 ? std::string("The meshes touch.")
                                 : fmt::format("The meshes are {:.9g} apart.", result.distance),
          distance_json(result), result.distance == 0.0, result.contact};
}

int run_distance(const DistanceArguments& arguments) {
  const Shape a(load_mesh_argument(arguments.path_a));
  const Shape b = arguments.path_b == arguments.path_a ? a : Shape(load_mesh_argument(arguments.path_b));
  const PlacedShape placed_a = {a, parse_place(arguments.pose_a, "--pose-a")};
  const PlacedShape placed_b = {b, parse_place(arguments.pose_b, "--pose-b")};
  const Answer answer = answered(arguments, placed_a, placed_b);
  if (arguments.json) {
    print_json(answer.json);
  } else {
    fmt::print("{}\n", answer.sentence);
  }
  if (arguments.output.wanted()) {
    Report report = rest_report("distance", {arguments.path_a, placed_a}, {arguments.path_b, placed_b});
    report.answer = answer.short_sentence;
    if (answer.closest) report.results.push_back(record_of_distance(*answer.closest));
    write_outputs(arguments.output, std::move(report), arguments.json ? stderr : stdout);
  }
  return exit_code({.touches = answer.touches}, arguments.check);
}

}  // namespace

void add_distance_command(CLI::App& app, Run& run) {
  CLI::App* command =
      app.add_subcommand("distance", "How far apart two meshes are, and where they are closest");
  auto arguments = std::make_shared<DistanceArguments>();
  arguments->pose_a = arguments->pose_b = "0 0 0";
  command->add_option("A", arguments->path_a, "Mesh file")->required();
  command->add_option("B", arguments->path_b, "Mesh file")->required();
  command
      ->add_option("--pose-a", arguments->pose_a,
                   "Where A stands: 'x y z', 'x y z rx ry rz' (rotation vector in degrees), 'x y z qw qx qy "
                   "qz', 'r00 .. r22 x y z', or a 4x4 matrix")
      ->type_name("POSE");
  command->add_option("--pose-b", arguments->pose_b, "Where B stands")->type_name("POSE");
  command->add_option("--relative-error", arguments->options.relative_error, "Allowed error, as a fraction")
      ->check(finite_at_least(0.0));
  command->add_option("--absolute-error", arguments->options.absolute_error, "Allowed error, as a length")
      ->check(finite_at_least(0.0));
  command->add_option("--within", arguments->within, "Only ask whether the distance is at most this")
      ->check(finite_at_least(0.0));
  command->add_flag("--json", arguments->json, "Print JSON");
  add_check_option(*command, arguments->check);
  add_report_options(*command, arguments->output);
  command->footer(
      "Examples:\n"
      "  toccata distance a.obj b.obj\n"
      "  toccata distance a.obj b.obj --pose-a '2 0 0' --view\n"
      "  toccata distance a.obj b.obj --within 0.01 --check && echo clear\n");
  command->callback([&run, arguments] { run = [arguments] { return run_distance(*arguments); }; });
}

}  // namespace toccata::app
