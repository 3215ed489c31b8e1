// toccata spheres MESH, toccata medial MESH: balls, cones and slabs that provably enclose a mesh.
#include <fmt/core.h>

#include <chrono>
#include <memory>

#include "command.hpp"
#include "json_text.hpp"
#include "load_mesh.hpp"
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
  bool force = false;
  bool json = false;
};

MedialProxyOptions options_of(const MedialArguments& arguments, bool spheres_only) {
  const int asked = (arguments.error ? 1 : 0) + (arguments.count > 0 ? 1 : 0) + (arguments.balls > 0 ? 1 : 0);
  if (asked != 1) {
    throw UsageError(spheres_only ? "spheres needs one of --error LENGTH and --count N"
                                  : "medial needs one of --error LENGTH, --count N and --balls N");
  }
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

int run(const MedialArguments& arguments, bool spheres_only) {
  const MedialProxyOptions options = options_of(arguments, spheres_only);
  check_output(arguments.output, spheres_only);
  check_output(arguments.inner, true);
  const Shape mesh(load_mesh_argument(arguments.file));
  const auto begin = std::chrono::steady_clock::now();
  const Expected<MedialProxy> proxy = medial_proxy(mesh, options);
  if (!proxy) throw UsageError(arguments.file + ": " + proxy.error().message);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  save(arguments.output, proxy->outer, arguments.force);
  if (!arguments.inner.empty()) {
    if (proxy->inner.centers.empty()) throw UsageError(arguments.file + ": no ball fits inside");
    save(arguments.inner, proxy->inner, arguments.force);
  }
  const MedialMesh& outer = proxy->outer;
  if (arguments.json) {
    JsonObject json;
    json.add("triangles", mesh.mesh().faces.size()).add("primitives", proxy->errors.size());
    json.add("balls", outer.centers.size()).add("cones", outer.cones.size()).add("slabs", outer.slabs.size());
    json.add("error", proxy->error).add("inner_balls", proxy->inner.centers.size());
    print_json(json.add("seconds", seconds));
    return 0;
  }
  if (spheres_only) {
    fmt::print("{} spheres enclose the {} triangles of {}, proven, and reach at most {:.6g} beyond it.\n",
               outer.centers.size(), mesh.mesh().faces.size(), arguments.file, proxy->error);
  } else {
    fmt::print(
        "{} primitives ({} slabs, {} cones; {} balls) enclose the {} triangles of {}, proven, and reach at "
        "most "
        "{:.6g} beyond it.\n",
        proxy->errors.size(), outer.slabs.size(), outer.cones.size(), outer.centers.size(),
        mesh.mesh().faces.size(), arguments.file, proxy->error);
  }
  if (!arguments.output.empty()) fmt::print("{}\n", arguments.output);
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
      {.names = "--threads", .target = &arguments->threads, .help = "0 = all cores", .least = 0.0},
      {.names = "--force", .target = &arguments->force, .help = "Overwrite the output"},
      {.names = "--json", .target = &arguments->json, .help = "Print JSON"},
  };
  if (!spheres_only) {
    command.options.insert(command.options.begin() + 3, {.names = "--balls",
                                                         .target = &arguments->balls,
                                                         .help = "At most so many balls, as tight as found",
                                                         .value = "N",
                                                         .least = 1.0});
  }
  command.footer =
      spheres_only
          ? "Every triangle is proven inside the union of the spheres.\n"
            "Examples:\n"
            "  toccata spheres link.stl --error 0.005 -o link.yaml\n"
            "  toccata spheres link.stl --count 20 -o link.urdf\n"
          : "Every triangle is proven inside the union of the primitives; medial:FILE is the shape made of\n"
            "them, for every other command.\n"
            "Examples:\n"
            "  toccata medial part.stl --error 0.01 -o part.ma\n"
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
