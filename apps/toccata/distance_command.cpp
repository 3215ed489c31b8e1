// toccata distance A B: how far apart two meshes are, and where they are closest.
#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "toccata/command.hpp"
#include "toccata/io/report_record.hpp"
#include "toccata/placed_file.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/report_options.hpp"

namespace toccata::app {
namespace {

struct DistanceArguments {
  std::string path_a, path_b, pose_a, pose_b;
  double within = -1.0;
  DistanceOptions options;
  bool json = false;
  ReportOptions output;
};

nlohmann::json to_json(const Vector3& v) {
  return {v.x(), v.y(), v.z()};
}

std::string feature_name(const TriangleFeature& feature) {
  if (feature.kind == FeatureKind::Interior) return "face";
  return fmt::format("{} {}", to_string(feature.kind), feature.index);
}

nlohmann::json contact_json(const Contact& c) {
  return {{"point_a", to_json(c.point_a)},
          {"point_b", to_json(c.point_b)},
          {"normal", to_json(c.normal)},
          {"triangle_a", c.triangle_a},
          {"triangle_b", c.triangle_b},
          {"feature_a", feature_name(c.feature_a)},
          {"feature_b", feature_name(c.feature_b)}};
}

nlohmann::json stats_json(const QueryStats& stats) {
  return {{"node_pairs", stats.node_pairs}, {"triangle_pairs", stats.triangle_pairs}};
}

std::string place(const Contact& c) {
  return fmt::format(
      "({:.9g}, {:.9g}, {:.9g}) on triangle {} ({}) of A and ({:.9g}, {:.9g}, {:.9g}) on triangle {} ({}) of "
      "B",
      c.point_a.x(), c.point_a.y(), c.point_a.z(), c.triangle_a, feature_name(c.feature_a), c.point_b.x(),
      c.point_b.y(), c.point_b.z(), c.triangle_b, feature_name(c.feature_b));
}

void answer_within(const DistanceArguments& arguments, const PlacedMesh& a, const PlacedMesh& b) {
  const WithinResult result = within(a, b, arguments.within);
  if (arguments.json) {
    nlohmann::json json = {
        {"within", result.within}, {"limit", arguments.within}, {"stats", stats_json(result.stats)}};
    if (result.within) json.update(contact_json(result.contact));
    fmt::print("{}\n", json.dump());
  } else if (result.within) {
    fmt::print("The meshes come within {:g} of each other: {:.17g} apart at {}.\n", arguments.within,
               result.contact.distance, place(result.contact));
  } else {
    fmt::print("The meshes are more than {:g} apart.\n", arguments.within);
  }
}

Report report_of(const DistanceArguments& arguments, const PlacedMesh& a, const PlacedMesh& b,
                 const DistanceResult& result) {
  const auto file = [](const std::string& path) { return std::filesystem::path(path).filename().string(); };
  Report report;
  report.query = "distance";
  report.title = file(arguments.path_a) + " and " + file(arguments.path_b);
  report.answer = result.distance == 0.0 ? std::string("The meshes touch.")
                                         : fmt::format("The meshes are {:.9g} apart.", result.distance);
  report.shapes = {record_of(a.mesh.mesh(), file(arguments.path_a), arguments.path_a),
                   record_of(b.mesh.mesh(), file(arguments.path_b), arguments.path_b)};
  report.bodies = {{"A", 0, FixedMotionRecord{a.pose}}, {"B", 1, FixedMotionRecord{b.pose}}};
  if (result.contact.triangle_a >= 0) report.results.push_back(record_of_distance(result.contact));
  return report;
}

void answer_distance(const DistanceArguments& arguments, const PlacedMesh& a, const PlacedMesh& b) {
  const DistanceResult result = distance(a, b, arguments.options);
  if (arguments.json) {
    nlohmann::json json = {{"distance", result.distance},
                           {"lower_distance", result.lower_distance},
                           {"intersects", result.distance == 0.0},
                           {"stats", stats_json(result.stats)}};
    json.update(contact_json(result.contact));
    fmt::print("{}\n", json.dump());
  } else if (result.distance == 0.0) {
    fmt::print("The meshes touch at {}.\n", place(result.contact));
  } else {
    fmt::print("The meshes are {:.17g} apart: {}.\n", result.distance, place(result.contact));
  }
  if (arguments.output.wanted()) {
    write_outputs(arguments.output, report_of(arguments, a, b, result), arguments.json ? stderr : stdout);
  }
}

int run_distance(const DistanceArguments& arguments) {
  const PreparedMesh a(load_mesh_or_throw(arguments.path_a));
  const PreparedMesh b =
      arguments.path_b == arguments.path_a ? a : PreparedMesh(load_mesh_or_throw(arguments.path_b));
  const PlacedMesh placed_a = {a, parse_pose(arguments.pose_a)}, placed_b = {b, parse_pose(arguments.pose_b)};
  if (arguments.within >= 0.0) {
    answer_within(arguments, placed_a, placed_b);
  } else {
    answer_distance(arguments, placed_a, placed_b);
  }
  return 0;
}

}  // namespace

void add_distance_command(CLI::App& app, Run& run) {
  CLI::App* command =
      app.add_subcommand("distance", "How far apart two meshes are, and where they are closest");
  auto arguments = std::make_shared<DistanceArguments>();
  arguments->pose_a = arguments->pose_b = "0 0 0";
  command->add_option("A", arguments->path_a, "Mesh file")->required();
  command->add_option("B", arguments->path_b, "Mesh file")->required();
  command->add_option("--pose-a", arguments->pose_a,
                      "Where A stands: 'x y z', 'x y z rx ry rz' (rotation vector), 'x y z qw qx qy qz', or "
                      "'r00 .. r22 x y z'");
  command->add_option("--pose-b", arguments->pose_b, "Where B stands");
  command->add_option("--relative-error", arguments->options.relative_error, "Allowed error, as a fraction")
      ->check(finite_at_least(0.0));
  command->add_option("--absolute-error", arguments->options.absolute_error, "Allowed error, as a length")
      ->check(finite_at_least(0.0));
  command->add_option("--within", arguments->within, "Only ask whether the distance is at most this")
      ->check(finite_at_least(0.0));
  command->add_flag("--json", arguments->json, "Print JSON");
  add_report_options(*command, arguments->output);
  command->footer(
      "Examples:\n"
      "  toccata distance a.obj b.obj\n"
      "  toccata distance a.obj b.obj --pose-a '2 0 0' --view\n");
  command->callback([&run, arguments] { run = [arguments] { return run_distance(*arguments); }; });
}

}  // namespace toccata::app
