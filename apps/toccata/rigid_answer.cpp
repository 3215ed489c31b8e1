#include "rigid_answer.hpp"

#include <filesystem>

#include "load_mesh.hpp"
#include "pose_argument.hpp"

namespace toccata::app {

BodyNames names_of(const std::string& path_a, const std::string& path_b) {
  const auto stem = [](const std::string& path) { return std::filesystem::path(path).stem().string(); };
  const BodyNames names = {stem(path_a), stem(path_b)};
  return names.a == names.b ? BodyNames{} : names;
}

std::pair<ReportBody, ReportBody> load_bodies(const std::string& path_a, const std::string& path_b) {
  const BodyNames names = names_of(path_a, path_b);
  const Shape a(load_mesh_argument(path_a));
  const Shape b = path_b == path_a ? a : Shape(load_mesh_argument(path_b));
  return {{.name = names.a, .shape = a, .source = path_a}, {.name = names.b, .shape = b, .source = path_b}};
}

std::vector<Option> resting_options(RestingArguments& arguments) {
  return {{.names = "A", .target = &arguments.path_a, .help = "Mesh file", .required = true},
          {.names = "B", .target = &arguments.path_b, .help = "Mesh file", .required = true},
          {.names = "--pose-a",
           .target = &arguments.pose_a,
           .help = std::string("Where A stands: ") + place_help,
           .value = "POSE"},
          {.names = "--pose-b", .target = &arguments.pose_b, .help = "Where B stands", .value = "POSE"},
          quaternion_option(arguments.quaternion)};
}

std::pair<ReportBody, ReportBody> resting_bodies(const RestingArguments& arguments) {
  auto bodies = load_bodies(arguments.path_a, arguments.path_b);
  bodies.first.motion = parse_place(arguments.pose_a, "--pose-a", arguments.quaternion);
  bodies.second.motion = parse_place(arguments.pose_b, "--pose-b", arguments.quaternion);
  return bodies;
}

void add_contact(const ContactRecord& record, JsonObject& json) {
  const Contact& contact = record.contact;
  json.add("point_a", contact.point_a).add("point_b", contact.point_b).add("normal", contact.normal);
  json.add("triangle_a", contact.feature_a.part).add("triangle_b", contact.feature_b.part);
  if (contact.feature_a.part >= 0) json.add("feature_a", record.text_a);
  if (contact.feature_b.part >= 0) json.add("feature_b", record.text_b);
}

JsonObject stats_json(const QueryStats& stats) {
  JsonObject json;
  json.add("node_pairs", stats.node_pairs).add("triangle_pairs", stats.piece_pairs);
  if (stats.steps > 0) json.add("steps", stats.steps);
  if (stats.feature_pairs > 0) {
    json.add("feature_pairs", stats.feature_pairs);
    json.add("rejected_share",
             static_cast<double>(stats.rejected_feature_pairs) / static_cast<double>(stats.feature_pairs));
  }
  return json;
}

}  // namespace toccata::app
