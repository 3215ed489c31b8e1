#include "compound_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string_view>

#include "command.hpp"
#include "pose_argument.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata::app {
namespace {

using Json = nlohmann::json;

constexpr int deepest = 5;  // parts, a part, its hull, a point of it

Json parsed(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UsageError(fmt::format("cannot open {}", path));
  const auto refuse_deep = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > deepest) throw UsageError(fmt::format("{}: nested too deeply for a file of parts", path));
    return true;
  };
  try {
    return Json::parse(file, refuse_deep);
  } catch (const Json::exception& error) {
    throw UsageError(fmt::format("{} is not JSON: {}", path, error.what()));
  }
}

void refuse_unknown(const Json& object, std::initializer_list<std::string_view> known,
                    const std::string& where) {
  for (const auto& [name, value] : object.items()) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw UsageError(fmt::format("{}: there is no field '{}'", where, name));
  }
}

Pose pose_of(const Json& json, const std::string& where) {
  std::vector<double> numbers;
  for (const Json& entry : json.is_array() ? json : Json::array({Json()})) {
    if (!entry.is_number())
      throw UsageError(fmt::format("{}: expected a list of numbers, as of --pose", where));
    numbers.push_back(entry.get<double>());
    if (!std::isfinite(numbers.back())) throw UsageError(fmt::format("{}: expected finite numbers", where));
  }
  return RigidMotion::fixed(typed_pose_of(numbers, where, "wxyz").pose).pose(0.0);
}

// Finite numbers only.
double number_of(const Json& json, const std::string& where) {
  if (!json.is_number() || !std::isfinite(json.get<double>()))
    throw UsageError(fmt::format("{}: expected a finite number", where));
  return json.get<double>();
}

std::vector<Vector3> points_of(const Json& json, const std::string& where) {
  std::vector<Vector3> points;
  for (const Json& entry : json.is_array() ? json : Json::array({Json()})) {
    const std::string at = fmt::format("{}[{}]", where, points.size());
    if (!entry.is_array() || entry.size() != 3)
      throw UsageError(fmt::format("{}: expected a point, [x, y, z]", at));
    points.emplace_back(number_of(entry[0], at), number_of(entry[1], at), number_of(entry[2], at));
  }
  if (points.empty()) throw UsageError(fmt::format("{}: expected points", where));
  return points;
}

TypedPart part_of(const Json& json, const std::string& where) {
  const bool is_hull = json.is_object() && json.contains("hull") && !json.contains("shape");
  if (!is_hull && (!json.is_object() || !json.contains("shape") || !json["shape"].is_string()))
    throw UsageError(
        fmt::format("{}: expected an object with a \"shape\", such as {{\"shape\": \"ball:0.5\"}}", where));
  TypedPart part;
  part.where = where;
  if (is_hull) {
    refuse_unknown(json, {"hull", "radius", "pose"}, where);
    part.points = points_of(json["hull"], where + ".hull");
    if (json.contains("radius")) part.radius = number_of(json["radius"], where + ".radius");
  } else {
    refuse_unknown(json, {"shape", "pose"}, where);
    part.shape = json["shape"].get<std::string>();
  }
  if (json.contains("pose")) part.pose = pose_of(json["pose"], where + ".pose");
  return part;
}

}  // namespace

std::vector<TypedPart> load_parts(const std::string& path) {
  const Json json = parsed(path);
  if (!json.is_object() || !json.contains("parts") || !json["parts"].is_array() || json["parts"].empty())
    throw UsageError(
        fmt::format("{}: expected {{\"parts\": [{{\"shape\": ..., \"pose\": [...]}}, ...]}}", path));
  refuse_unknown(json, {"parts"}, path);
  std::vector<TypedPart> parts;
  for (const Json& entry : json["parts"])
    parts.push_back(part_of(entry, fmt::format("{}: parts[{}]", path, parts.size())));
  return parts;
}

}  // namespace toccata::app
