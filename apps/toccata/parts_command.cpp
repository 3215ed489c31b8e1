// toccata parts MESH: convex hulls that provably enclose a mesh.
#include <fmt/core.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "json_text.hpp"
#include "load_mesh.hpp"
#include "report_options.hpp"
#include "toccata/io/layer_report.hpp"
#include "toccata/proximity/convex_parts.hpp"

namespace toccata::app {
namespace {

struct PartsArguments {
  std::string file, output;
  std::optional<double> error;
  int count = 0;
  int threads = 0;
  bool json = false;
  ReportOptions reports;
};

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

void save(const PartsArguments& arguments, const Compound& compound) {
  const std::string& path = arguments.output;
  if (path.empty()) return;
  std::error_code failure;
  if (!arguments.reports.force && std::filesystem::exists(path, failure))
    throw UsageError(fmt::format("{} is already there; --force replaces it", path));
  const std::string text = is_obj(path) ? obj_text(compound) : compound_text(compound);
  const std::string aside = path + ".new";
  std::ofstream file(aside, std::ios::binary);
  file << text;
  file.close();
  if (file) std::filesystem::rename(aside, path, failure);
  if (!file || failure) {
    std::filesystem::remove(aside, failure);
    throw UsageError(fmt::format("cannot write {}", path));
  }
}

// Six digits, never less than what is proven.
std::string sentence_of(const ConvexParts& parts, std::size_t corners, const Shape& mesh,
                        const std::string& file) {
  const bool one = parts.errors.size() == 1;
  return fmt::format(
      "{} convex {} ({} corners) {} the {} triangles of {} and all inside, proven, and {} at most {:.6g} "
      "beyond it.",
      parts.errors.size(), one ? "part" : "parts", corners, one ? "encloses" : "enclose",
      mesh.mesh().faces.size(), file, one ? "reaches" : "reach", 1.000005 * parts.error);
}

int run(const PartsArguments& arguments) {
  if ((arguments.error ? 1 : 0) + (arguments.count > 0 ? 1 : 0) != 1)
    throw UsageError("parts needs one of --error LENGTH and --count N");
  if (!arguments.output.empty()) is_obj(arguments.output);
  const Shape mesh(load_mesh_argument(arguments.file));
  const auto begin = std::chrono::steady_clock::now();
  ConvexPartsOptions options;
  options.error = arguments.error;
  if (arguments.count > 0) options.count = arguments.count;
  options.threads = arguments.threads;
  const Expected<ConvexParts> parts = convex_parts(mesh, options);
  if (!parts) throw UsageError(arguments.file + ": " + parts.error().message);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  save(arguments, parts->compound);
  std::size_t corners = 0;
  for (const CompoundPart& part : parts->compound.parts) corners += hull_of(part).vertices.size();
  const std::string sentence = sentence_of(*parts, corners, mesh, arguments.file);
  if (arguments.json) {
    JsonObject json;
    json.add("triangles", mesh.mesh().faces.size()).add("parts", parts->errors.size());
    json.add("corners", corners).add("error", parts->error);
    print_json(json.add("seconds", seconds));
  } else {
    fmt::print("{}\n", sentence);
    if (!arguments.output.empty()) fmt::print("{}\n", arguments.output);
  }
  if (arguments.reports.wanted()) {
    Report report = layers_report("parts", sentence, {parts_layer(*parts)});
    add_body(mesh, std::filesystem::path(arguments.file).filename().string(), report);
    write_outputs(arguments.reports, std::move(report), arguments.json ? stderr : stdout);
  }
  return 0;
}

}  // namespace

Command parts_command() {
  const auto arguments = std::make_shared<PartsArguments>();
  Command command{.name = "parts", .description = "Convex hulls that provably enclose a mesh"};
  command.options = {
      {.names = "MESH",
       .target = &arguments->file,
       .help = "A closed mesh",
       .value = "FILE",
       .required = true},
      {.names = "--error",
       .target = &arguments->error,
       .help = "How far they may reach beyond the mesh, in its unit: as few as found",
       .value = "LENGTH",
       .least = 0.0},
      {.names = "--count",
       .target = &arguments->count,
       .help = "At most so many hulls, as tight as found",
       .value = "N",
       .least = 1.0,
       .excludes = "--error"},
      {.names = "-o,--output",
       .target = &arguments->output,
       .help = "Where they are written: .json, for compound:FILE.json, or .obj, one object per hull",
       .value = "FILE"},
      {.names = "--threads", .target = &arguments->threads, .help = "0 = all cores", .least = 0.0},
      {.names = "--json", .target = &arguments->json, .help = "Print JSON"},
  };
  add_report_options(arguments->reports, command,
                     [arguments] { return std::vector<std::string>{arguments->file}; });
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
