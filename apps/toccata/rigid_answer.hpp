#pragma once
// What the commands on two meshes have in common: their bodies by name, and contacts and work as JSON.
#include <string>
#include <utility>
#include <vector>

#include "command.hpp"
#include "json_text.hpp"
#include "toccata/io/query_report.hpp"

namespace toccata::app {

// The names of two bodies: those of their files, or A and B where these do not tell them apart.
BodyNames names_of(const std::string& path_a, const std::string& path_b);

// Two meshes where they stand. One file named twice is one shape.
std::pair<ReportBody, ReportBody> load_bodies(const std::string& path_a, const std::string& path_b);

// What the commands on bodies at rest are told about them.
struct RestingArguments {
  std::string path_a, path_b, pose_a = "0 0 0", pose_b = "0 0 0";
  std::string quaternion = "wxyz";
};
std::vector<Option> resting_options(RestingArguments& arguments);
std::pair<ReportBody, ReportBody> resting_bodies(const RestingArguments& arguments);

// point_a, point_b, normal, triangle_a, triangle_b and, where there are triangles, feature_a and feature_b.
void add_contact(const ContactRecord& contact, JsonObject& json);

JsonObject stats_json(const QueryStats& stats);

}  // namespace toccata::app
