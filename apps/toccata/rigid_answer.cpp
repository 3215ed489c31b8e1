#include "rigid_answer.hpp"

#include "body_argument.hpp"
#include "pose_argument.hpp"

namespace toccata::app {
namespace {

JsonObject pose_json(const Pose& pose) {
  JsonList rows;
  for (int i = 0; i < 3; ++i) rows.add(Vector3(pose.rotation.row(i)));
  JsonObject json;
  return json.add("rotation", rows).add("translation", pose.translation);
}

}  // namespace

std::vector<Option> resting_options(RestingArguments& arguments) {
  return {body_option("A", arguments.path_a),
          body_option("B", arguments.path_b),
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
  // Of meshes: the side of a box, say, has no number that would tell anything.
  json.add("triangle_a", record.corners_a.empty() ? -1 : contact.feature_a.part);
  json.add("triangle_b", record.corners_b.empty() ? -1 : contact.feature_b.part);
  if (contact.feature_a.part >= 0) json.add("feature_a", record.text_a);
  if (contact.feature_b.part >= 0) json.add("feature_b", record.text_b);
}

void add_features(const ContactRecord& record, CsvLine& line) {
  record.corners_a.empty() ? line.skip() : line.add(record.contact.feature_a.part);
  record.corners_b.empty() ? line.skip() : line.add(record.contact.feature_b.part);
  line.add(record.text_a).add(record.text_b);
}

void add_poses(const Pose& a, const Pose& b, JsonObject& json) {
  json.add("pose_a", pose_json(a)).add("pose_b", pose_json(b));
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
