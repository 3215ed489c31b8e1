// toccata spheres MESH, toccata medial MESH: balls, cones and slabs that provably enclose a mesh.
#include <fmt/core.h>

#include <chrono>
#include <filesystem>
#include <memory>

#include "command.hpp"
#include "json_text.hpp"
#include "load_mesh.hpp"
#include "report_options.hpp"
#include "toccata/io/layer_report.hpp"
#include "toccata/io/medial_io.hpp"
#include "toccata/proximity/medial_proxy.hpp"

namespace toccata::app {
namespace {

struct MedialArguments {
  std::string file, output, inner;
  std::optional<double> error;
  int count = 0;
  int balls = 0;
  int threads = 0;
  bool levels = false;
  bool json = false;
  ReportOptions reports;
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

std::string sentence_of(const MedialProxy& proxy, const Shape& mesh, const std::string& file,
                        bool spheres_only) {
  const MedialMesh& outer = proxy.outer;
  if (spheres_only) {
    return fmt::format(
        "{} spheres enclose the {} triangles of {}, proven, and reach at most {:.6g} beyond it.",
        outer.centers.size(), mesh.mesh().faces.size(), file, proxy.error);
  }
  return fmt::format(
      "{} primitives ({} slabs, {} cones; {} balls) enclose the {} triangles of {}, proven, and reach at "
      "most "
      "{:.6g} beyond it.",
      proxy.errors.size(), outer.slabs.size(), outer.cones.size(), outer.centers.size(),
      mesh.mesh().faces.size(), file, proxy.error);
}

// The mesh, and what encloses it, coloured by how far each of them may reach beyond.
Report report_of(const MedialProxy& proxy, const Shape& mesh, const MedialArguments& arguments,
                 bool spheres_only) {
  const std::string name = std::filesystem::path(arguments.file).filename().string();
  std::vector<LayerRecord> layers = {medial_layer(proxy.outer, proxy.errors)};
  Report report = layers_report(spheres_only ? "spheres" : "medial",
                                sentence_of(proxy, mesh, name, spheres_only), std::move(layers));
  add_body(mesh, name, report);
  return report;
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
  const auto begin = std::chrono::steady_clock::now();
  const Expected<MedialLevels> found = medial_levels(mesh, options);
  if (!found) throw UsageError(arguments.file + ": " + found.error().message);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  JsonList list;
  for (std::size_t i = 0; i < found->levels.size(); ++i) {
    const MedialProxy& level = found->levels[i];
    const std::string path = path_of_level(arguments.output, i);
    save(path, level.outer, arguments.reports.force);
    list.add(record_of(level, mesh));
    if (arguments.json) continue;
    fmt::print("{}\n", sentence_of(level, mesh, arguments.file, options.spheres_only));
    if (!path.empty()) fmt::print("{}\n", path);
  }
  if (arguments.json) print_json(JsonObject().add("levels", list).add("seconds", seconds));
  return 0;
}

int run(const MedialArguments& arguments, bool spheres_only) {
  const MedialProxyOptions options = options_of(arguments, spheres_only);
  check_output(arguments.output, spheres_only);
  check_output(arguments.inner, true);
  const Shape mesh(load_mesh_argument(arguments.file));
  if (arguments.levels) return run_levels(arguments, options, mesh);
  const auto begin = std::chrono::steady_clock::now();
  const Expected<MedialProxy> proxy = medial_proxy(mesh, options);
  if (!proxy) throw UsageError(arguments.file + ": " + proxy.error().message);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  save(arguments.output, proxy->outer, arguments.reports.force);
  if (!arguments.inner.empty()) {
    if (proxy->inner.centers.empty()) throw UsageError(arguments.file + ": no ball fits inside");
    save(arguments.inner, proxy->inner, arguments.reports.force);
  }
  if (arguments.json) {
    print_json(record_of(*proxy, mesh).add("seconds", seconds));
  } else {
    fmt::print("{}\n", sentence_of(*proxy, mesh, arguments.file, spheres_only));
    if (!arguments.output.empty()) fmt::print("{}\n", arguments.output);
  }
  if (arguments.reports.wanted())
    write_outputs(arguments.reports, report_of(*proxy, mesh, arguments, spheres_only),
                  arguments.json ? stderr : stdout);
  return 0;
}

Command command_of(bool spheres_only) {
  const auto arguments = std::make_shared<MedialArguments>();
  Command command{.name = spheres_only ? "spheres" : "medial",
                  .description = spheres_only ? "Spheres that provably enclose a mesh, for planners"
                                              : "Balls, cones and slabs that provably enclose a mesh"};
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
       .help = spheres_only ? "At most so many spheres, as tight as found"
                            : "At most so many primitives, as tight as found",
       .value = "N",
       .least = 1.0,
       .excludes = "--error"},
      {.names = "-o,--output",
       .target = &arguments->output,
       .help = spheres_only ? "Where they are written: .ma, .json, .urdf or .yaml"
                            : "Where they are written: .ma or .json",
       .value = "FILE"},
      {.names = "--inner",
       .target = &arguments->inner,
       .help = "Where balls that are proven inside the mesh are written: .ma, .json, .urdf or .yaml",
       .value = "FILE"},
      {.names = "--levels",
       .target = &arguments->levels,
       .help = "From this error up to a single one, each proven: FILE_0 is the finest"},
      {.names = "--threads", .target = &arguments->threads, .help = "0 = all cores", .least = 0.0},
      {.names = "--json", .target = &arguments->json, .help = "Print JSON"},
  };
  if (!spheres_only) {
    command.options.insert(command.options.begin() + 3, {.names = "--balls",
                                                         .target = &arguments->balls,
                                                         .help = "At most so many balls, as tight as found",
                                                         .value = "N",
                                                         .least = 1.0});
  }
  add_report_options(arguments->reports, command,
                     [arguments] { return std::vector<std::string>{arguments->file}; });
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
