// toccata spheres MESH, toccata medial MESH: balls, cones and slabs that provably enclose a mesh.
#include <fmt/core.h>

#include <filesystem>
#include <memory>

#include "body_argument.hpp"
#include "enclosing_arguments.hpp"
#include "toccata/io/layer_report.hpp"
#include "toccata/io/medial_io.hpp"
#include "toccata/io/sentence.hpp"
#include "toccata/proximity/medial_proxy.hpp"

namespace toccata::app {
namespace {

struct MedialArguments : EnclosingArguments {
  std::string inner;
  int balls = 0;  // 0: not asked for
  bool levels = false;
};

MedialProxyOptions options_of(const MedialArguments& arguments, bool spheres_only) {
  const int asked = (arguments.error ? 1 : 0) + (arguments.count > 0 ? 1 : 0) + (arguments.balls > 0 ? 1 : 0);
  if (asked != 1) {
    throw UsageError(spheres_only ? "spheres needs one of --error LENGTH and --count N"
                                  : "medial needs one of --error LENGTH, --count N and --balls N");
  }
  if (arguments.levels && !arguments.error) throw UsageError("--levels needs --error: that of the finest");
  if (arguments.levels && (!arguments.inner.empty() || arguments.reports.wanted()))
    throw UsageError("--levels goes with neither --inner nor a report: make those of one level");
  MedialProxyOptions options;
  options.error = arguments.error;
  if (arguments.count > 0) options.primitives = arguments.count;
  if (arguments.balls > 0) options.balls = arguments.balls;
  options.spheres_only = spheres_only;
  options.threads = arguments.threads;
  return options;
}

void check_output(const std::string& path, bool spheres_only) {
  if (path.empty()) return;
  const Expected<MedialFormat> format = medial_format_of(path);
  if (!format) throw UsageError(format.error().message);
  if (!spheres_only && (*format == MedialFormat::Urdf || *format == MedialFormat::Yaml))
    throw UsageError(path + ": URDF and YAML have balls only; toccata spheres makes them");
}

void save(const std::string& path, const MedialMesh& mesh, bool force) {
  if (path.empty()) return;
  const Expected<std::size_t> bytes = save_medial_mesh(path, mesh, force);
  if (!bytes) throw UsageError(bytes.error().message);
}

EnclosingAnswer answer_of(const MedialProxy& proxy, bool spheres_only) {
  const MedialMesh& outer = proxy.outer;
  const std::size_t balls = outer.centers.size(), primitives = proxy.errors.size();
  if (spheres_only) return {balls, plural(balls, "sphere"), proxy.error};
  const std::string kinds = fmt::format("{}, {}; {}", plural(outer.slabs.size(), "slab"),
                                        plural(outer.cones.size(), "cone"), plural(balls, "ball"));
  return {primitives, fmt::format("{} ({})", plural(primitives, "primitive"), kinds), proxy.error};
}

JsonObject record_of(const MedialProxy& proxy, const Shape& mesh) {
  const MedialMesh& outer = proxy.outer;
  JsonObject json;
  json.add("triangles", mesh.mesh().faces.size()).add("primitives", proxy.errors.size());
  json.add("balls", outer.centers.size()).add("cones", outer.cones.size()).add("slabs", outer.slabs.size());
  json.add("error", proxy.error).add("inner_balls", proxy.inner.centers.size());
  return json;
}

// part.ma: part_0.ma is the finest.
std::string path_of_level(const std::string& output, std::size_t level) {
  if (output.empty()) return {};
  const std::filesystem::path path(output);
  const std::string name = fmt::format("{}_{}{}", path.stem().string(), level, path.extension().string());
  return (path.parent_path() / name).string();
}

int run_levels(const MedialArguments& arguments, const MedialProxyOptions& options, const Shape& mesh) {
  const auto [found, seconds] = enclosed(arguments, [&] { return medial_levels(mesh, options); });
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < found.levels.size(); ++i) paths.push_back(path_of_level(arguments.output, i));
  refuse_outputs(paths, arguments.reports.force, arguments.reports.inputs);  // all before one is written
  JsonList list;
  for (std::size_t i = 0; i < found.levels.size(); ++i) {
    const MedialProxy& level = found.levels[i];
    save(paths[i], level.outer, arguments.reports.force);
    list.add(record_of(level, mesh));
    if (arguments.json) continue;
    fmt::print("{}\n", answer_of(level, options.spheres_only).sentence(mesh, arguments.file));
    if (!paths[i].empty()) fmt::print("{}\n", paths[i]);
  }
  if (arguments.json) print_json(JsonObject().add("levels", list).add("seconds", seconds));
  return 0;
}

int run(const MedialArguments& arguments, bool spheres_only) {
  const MedialProxyOptions options = options_of(arguments, spheres_only);
  check_output(arguments.output, spheres_only);
  check_output(arguments.inner, true);
  const Shape mesh(mesh_argument(arguments.file));
  if (arguments.levels) return run_levels(arguments, options, mesh);
  const auto [proxy, seconds] = enclosed(arguments, [&] { return medial_proxy(mesh, options); });
  if (!arguments.inner.empty() && proxy.inner.centers.empty())
    throw UsageError(arguments.file + ": no ball fits inside");
  save(arguments.output, proxy.outer, arguments.reports.force);
  save(arguments.inner, proxy.inner, arguments.reports.force);
  const EnclosingAnswer answer = answer_of(proxy, spheres_only);
  tell(arguments, mesh, answer, record_of(proxy, mesh).add("seconds", seconds));
  write_reports(arguments, mesh, answer, spheres_only ? "spheres" : "medial",
                medial_layer(proxy.outer, proxy.errors));
  return 0;
}

Command command_of(bool spheres_only) {
  const auto arguments = std::make_shared<MedialArguments>();
  Command command{.name = spheres_only ? "spheres" : "medial",
                  .description = spheres_only ? "Spheres that provably enclose a mesh, for planners"
                                              : "Balls, cones and slabs that provably enclose a mesh"};
  add_enclosing_options(*arguments, command,
                        {.count = spheres_only ? "At most so many spheres, as tight as found"
                                               : "At most so many primitives, as tight as found",
                         .output = spheres_only ? "Where they are written: .ma, .json, .urdf or .yaml"
                                                : "Where they are written: .ma or .json"},
                        [a = arguments.get()] {
                          return std::vector{a->levels ? path_of_level(a->output, 0) : a->output, a->inner};
                        });
  std::vector<Option> more = {
      {.names = "--inner",
       .target = &arguments->inner,
       .help = "Where balls that are proven inside the mesh are written: .ma, .json, .urdf or .yaml",
       .value = "FILE"},
      {.names = "--levels",
       .target = &arguments->levels,
       .help = "From this error up to a single one, each proven: FILE_0 is the finest"},
  };
  if (!spheres_only) {
    more.insert(more.begin(), {.names = "--balls",
                               .target = &arguments->balls,
                               .help = "At most so many balls, as tight as found",
                               .value = "N",
                               .least = 1.0});
  }
  command.options.insert(command.options.begin() + 4, more.begin(), more.end());
  command.footer =
      spheres_only
          ? "Every triangle is proven inside the union of the spheres.\n"
            "Examples:\n"
            "  toccata spheres link.stl --error 0.005 -o link.yaml\n"
            "  toccata spheres link.stl --count 20 -o link.urdf --page link.html\n"
          : "Every triangle is proven inside the union of the primitives; medial:FILE is the shape made of\n"
            "them, for every other command.\n"
            "Examples:\n"
            "  toccata medial part.stl --error 0.01 -o part.ma\n"
            "  toccata medial part.stl --error 0.01 --levels -o part.ma\n"
            "  toccata medial part.stl --count 100 -o part.json --inner inside.json\n"
            "  toccata distance medial:part.ma ball:1\n";
  command.run = [arguments, spheres_only] { return run(*arguments, spheres_only); };
  return command;
}

}  // namespace

Command spheres_command() {
  return command_of(true);
}

Command medial_command() {
  return command_of(false);
}

}  // namespace toccata::app
