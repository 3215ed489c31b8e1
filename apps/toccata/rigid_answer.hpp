#pragma once
// What the commands on two bodies have in common: bodies at rest, and contacts, poses and work as JSON.
#include <string>
#include <utility>
#include <vector>

#include "command.hpp"
#include "csv_text.hpp"
#include "json_text.hpp"
#include "toccata/base/pose.hpp"
#include "toccata/io/query_report.hpp"

namespace toccata::app {

// What the commands on bodies at rest are told about them.
struct RestingArguments {
  std::string path_a, path_b, pose_a = "0 0 0", pose_b = "0 0 0";
  std::string quaternion = "wxyz";
};
std::vector<Option> resting_options(RestingArguments& arguments);
std::pair<ReportBody, ReportBody> resting_bodies(const RestingArguments& arguments);

// point_a, point_b, normal, triangle_a, triangle_b (-1 of shapes that are no meshes) and, where there is a
// place, feature_a and feature_b.
void add_contact(const ContactRecord& contact, JsonObject& json);
// The cells triangle_a, triangle_b, feature_a, feature_b; the first two are empty of shapes that are no
// meshes.
void add_features(const ContactRecord& contact, CsvLine& line);

// pose_a and pose_b, as reports write them: three rows of the rotation, and the translation.
void add_poses(const Pose& a, const Pose& b, JsonObject& json);

JsonObject stats_json(const QueryStats& stats);

}  // namespace toccata::app
