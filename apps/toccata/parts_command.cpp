// toccata parts MESH: convex hulls that provably enclose a mesh.
#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "body_argument.hpp"
#include "enclosing_arguments.hpp"
#include "toccata/io/layer_report.hpp"
#include "toccata/io/sentence.hpp"
#include "toccata/proximity/convex_parts.hpp"

namespace toccata::app {
namespace {

const ConvexHull& hull_of(const CompoundPart& part) {
  return std::get<ConvexHull>(part.geometry);
}

// For compound:FILE.json: corners, radius and pose, so that nothing is rounded.
std::string compound_text(const Compound& compound) {
  nlohmann::ordered_json parts = nlohmann::ordered_json::array();
  for (const CompoundPart& part : compound.parts) {
    nlohmann::ordered_json entry;
    nlohmann::ordered_json& corners = entry["hull"] = nlohmann::ordered_json::array();
    for (const Vector3& v : hull_of(part).vertices) corners.push_back({v.x(), v.y(), v.z()});
    if (hull_of(part).radius > 0.0) entry["radius"] = hull_of(part).radius;
    if (!part.pose.rotation.isIdentity(0.0)) {
      nlohmann::ordered_json& pose = entry["pose"] = nlohmann::ordered_json::array();
      for (int i = 0; i < 9; ++i) pose.push_back(part.pose.rotation(i / 3, i % 3));
      for (int i = 0; i < 3; ++i) pose.push_back(part.pose.translation[i]);
    }
    parts.push_back(std::move(entry));
  }
  return nlohmann::ordered_json{{"parts", parts}}.dump() + "\n";
}

// One object per hull, as other programs read them.
std::string obj_text(const Compound& compound) {
  std::string text;
  std::size_t first = 1, number = 0;
  for (const CompoundPart& part : compound.parts) {
    text += fmt::format("o part_{}\n", number++);
    for (const Vector3& v : hull_of(part).vertices) {
      const Vector3 at = part.pose.apply(v);
      text += fmt::format("v {} {} {}\n", at.x(), at.y(), at.z());
    }
    for (const Face& f : hull_of(part).faces) {
      const auto corner = [&](std::size_t k) { return first + static_cast<std::size_t>(f[k]); };
      text += fmt::format("f {} {} {}\n", corner(0), corner(1), corner(2));
    }
    first += hull_of(part).vertices.size();
  }
  return text;
}

bool is_obj(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".obj" || extension == ".OBJ") return true;
  if (extension == ".json" || extension == ".JSON") return false;
  throw UsageError(fmt::format("{}: convex parts are written as .json or .obj", path));
}

void save(const EnclosingArguments& arguments, const Compound& compound) {
  const std::string& path = arguments.output;
  if (path.empty()) return;
  write_new_file(path, is_obj(path) ? obj_text(compound) : compound_text(compound), arguments.reports.force);
}

int run(const EnclosingArguments& arguments) {
  if ((arguments.error ? 1 : 0) + (arguments.count > 0 ? 1 : 0) != 1)
    throw UsageError("parts needs one of --error LENGTH and --count N");
  if (!arguments.output.empty()) is_obj(arguments.output);
  const Shape mesh(mesh_argument(arguments.file));
  ConvexPartsOptions options;
  options.error = arguments.error;
  if (arguments.count > 0) options.count = arguments.count;
  options.threads = arguments.threads;
  const auto [parts, seconds] = enclosed(arguments, [&] { return convex_parts(mesh, options); });
  save(arguments, parts.compound);
  const std::size_t count = parts.errors.size();
  std::size_t corners = 0;
  for (const CompoundPart& part : parts.compound.parts) corners += hull_of(part).vertices.size();
  const EnclosingAnswer answer{
      count, fmt::format("{} ({})", plural(count, "convex part"), plural(corners, "corner")), parts.error,
      " and all inside"};
  JsonObject json;
  json.add("triangles", mesh.mesh().faces.size()).add("parts", count);
  json.add("corners", corners).add("error", parts.error).add("seconds", seconds);
  tell(arguments, mesh, answer, json);
  write_reports(arguments, mesh, answer, "parts", parts_layer(parts));
  return 0;
}

}  // namespace

Command parts_command() {
  const auto arguments = std::make_shared<EnclosingArguments>();
  Command command{.name = "parts", .description = "Convex hulls that provably enclose a mesh"};
  add_enclosing_options(
      *arguments, command,
      {.count = "At most so many hulls, as tight as found",
       .output = "Where they are written: .json, for compound:FILE.json, or .obj, one object per hull"},
      [file = &arguments->output] { return std::vector{*file}; });
  command.footer =
      "Every point of the solid is proven inside one of the hulls.\n"
      "Examples:\n"
      "  toccata parts part.stl --error 0.01 -o part.json\n"
      "  toccata distance compound:part.json ball:1\n"
      "  toccata parts part.stl --count 16 -o hulls.obj\n";
  command.run = [arguments] { return run(*arguments); };
  return command;
}

}  // namespace toccata::app
