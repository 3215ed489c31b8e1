// toccata field build MESH -o FILE; toccata field query FILE --points FILE; toccata field export FILE -o
// FILE.vdb: distances from a mesh, prepared.
#include <fmt/core.h>

#include <chrono>
#include <filesystem>
#include <memory>

#include "body_argument.hpp"
#include "command.hpp"
#include "ending.hpp"
#include "json_text.hpp"
#include "number_rows.hpp"
#include "report_options.hpp"
#include "toccata/field/distance_field.hpp"
#include "toccata/io/field_io.hpp"
#include "toccata/io/layer_report.hpp"
#include "toccata/io/numpy_io.hpp"
#include "toccata/io/sentence.hpp"
#include "upper_text.hpp"
#ifdef TOCCATA_OPENVDB_PART
#include <dlfcn.h>

#include <filesystem>

#include "openvdb/export.hpp"
#endif

namespace toccata::app {
namespace {

struct FieldArguments {
  std::string question, file, output, points;
  double error = 0.0;
  double margin = DistanceFieldOptions{}.margin;
  double band = 0.0;
  double voxel = 0.0;
  double half_width = 3.0;
  int threads = 0;
  bool json = false;
  ReportOptions reports;
};

// The mesh, slices of the field through its middle and, of points that were asked for, the way to the
// surface.
void write_reports(const FieldArguments& arguments, const DistanceField& field, const std::string& answer,
                   std::vector<LayerRecord> more = {}) {
  if (!arguments.reports.wanted()) return;
  std::vector<LayerRecord> layers = field_slices(field);
  layers.insert(layers.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  Report report = layers_report("field", answer, std::move(layers));
  add_body(field.shape(), std::filesystem::path(arguments.file).filename().string(), report);
  const bool prints_data = arguments.json || arguments.question == "query";
  write_outputs(arguments.reports, std::move(report), prints_data ? stderr : stdout);
}

int build_field(const FieldArguments& arguments) {
  if (arguments.output.empty()) throw UsageError("field build needs --output FILE");
  const Shape mesh(mesh_argument(arguments.file));
  const auto begin = std::chrono::steady_clock::now();
  DistanceFieldOptions options{
      .error = arguments.error, .margin = arguments.margin, .threads = arguments.threads};
  if (arguments.band > 0.0) options.band = arguments.band;
  const Expected<DistanceField> field = build_distance_field(mesh, options);
  if (!field) throw UsageError(field.error().message);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const Expected<std::size_t> bytes = save_distance_field(arguments.output, *field, arguments.reports.force);
  if (!bytes) throw UsageError(bytes.error().message);
  const std::string answer =
      fmt::format("{}: distances from {} triangles to within {}, {}, {} leaves.", arguments.output,
                  mesh.mesh().faces.size(), upper_text(field->error()),
                  field->is_signed() ? "negative inside" : "without a sign (the mesh is not closed)",
                  field->leaf_count());
  if (arguments.json) {
    JsonObject json;
    json.add("file", arguments.output).add("error", field->error()).add("signed", field->is_signed());
    json.add("leaves", field->leaf_count()).add("memory_bytes", field->memory_bytes());
    print_json(json.add("seconds", seconds));
  } else {
    fmt::print("{}\n", answer);
  }
  write_reports(arguments, *field, answer);
  return 0;
}

std::vector<Vector3> points_of(const std::string& path) {
  NumberRows rows;
  if (is_numpy_file(path)) {
    constexpr std::string_view wanted[] = {"points"};
    rows = read_array_rows(path, wanted).at(0);
  } else {
    rows = read_text_rows(path);
  }
  std::vector<Vector3> points;
  for (const NumberRow& row : rows.rows) {
    if (row.numbers.size() != 3)
      throw UsageError(fmt::format("{}: a point has 3 numbers, not {}", row.where, row.numbers.size()));
    const Vector3 point(row.numbers[0], row.numbers[1], row.numbers[2]);
    if (!point.allFinite()) throw UsageError(row.where + ": a point must be finite");
    points.push_back(point);
  }
  return points;
}

LayerRecord ways_to_surface(const std::vector<Vector3>& points, const std::vector<FieldValue>& values) {
  LayerRecord layer{.kind = LayerKind::Arrows, .colours = LayerColours::Scale, .name = "to the surface"};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double distance = 0.5 * (values[i].lower + values[i].upper);
    layer.points.push_back(points[i]);
    layer.vectors.push_back(-distance * values[i].gradient);
    layer.values.push_back(static_cast<float>(distance));
  }
  return layer;
}

int query_field(const FieldArguments& arguments) {
  if (arguments.points.empty()) throw UsageError("field query needs --points FILE");
  const Expected<DistanceField> field = load_distance_field(arguments.file);
  if (!field) throw UsageError(field.error().message);
  const std::vector<Vector3> points = points_of(arguments.points);
  std::vector<FieldValue> values(points.size());
  field->at(points, values, arguments.threads);
  const auto report = [&] {
    write_reports(
        arguments, *field,
        fmt::format("{}, each to within {}.", plural(points.size(), "point"), upper_text(field->error())),
        {ways_to_surface(points, values)});
  };
  if (arguments.json) {
    JsonList lower, upper, gradient, triangle;
    for (const FieldValue& v : values) {
      lower.add(v.lower);
      upper.add(v.upper);
      gradient.add(v.gradient);
      triangle.add(v.triangle);
    }
    JsonObject json;
    json.add("lower", lower).add("upper", upper).add("gradient", gradient);
    print_json(json.add("triangle", triangle));
    report();
    return 0;
  }
  fmt::print("lower,upper,gradient_x,gradient_y,gradient_z,triangle\n");
  for (const FieldValue& v : values)
    fmt::print("{},{},{},{},{},{}\n", v.lower, v.upper, v.gradient.x(), v.gradient.y(), v.gradient.z(),
               v.triangle);
  report();
  return 0;
}

// What a question has no use for is refused, not left unsaid.
void refuse_combinations(const FieldArguments& a) {
  const auto refuse = [&a](bool given, const char* option, const char* question) {
    if (given && a.question != question)
      throw UsageError(fmt::format("{} goes with field {}, not with {}", option, question, a.question));
  };
  const FieldArguments usual;
  refuse(a.error != usual.error, "--error", "build");
  refuse(a.margin != usual.margin, "--margin", "build");
  refuse(a.band != usual.band, "--band", "build");
  refuse(!a.points.empty(), "--points", "query");
  refuse(a.voxel != usual.voxel, "--voxel", "export");
  refuse(a.half_width != usual.half_width, "--half-width", "export");
  if (a.question == "query" && !a.output.empty())
    throw UsageError("field query prints its answers: --output goes with field build and export");
  if (a.question == "export" && a.reports.wanted())
    throw UsageError("field export has no report: field build and field query do");
}

#ifdef TOCCATA_OPENVDB_PART
// The part of the program that is linked with OpenVDB lies beside it, or where it is installed.
OpenVdbExport* openvdb_export() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const char* place : {"toccata-openvdb.so", TOCCATA_OPENVDB_PART}) {
    const std::string path = (program / place).string();
    if (!std::filesystem::exists(path, error)) continue;
    void* const part = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (part == nullptr) throw UsageError(fmt::format("{}: {}", path, dlerror()));
    if (void* const found = dlsym(part, "toccata_export_openvdb"))
      return reinterpret_cast<OpenVdbExport*>(found);
  }
  throw UsageError("toccata-openvdb.so is missing, which comes with this program: " +
                   (program / TOCCATA_OPENVDB_PART).lexically_normal().string());
}

int export_field(const FieldArguments& arguments) {
  if (arguments.output.empty()) throw UsageError("field export needs --output FILE.vdb");
  const OpenVdbQuestion question{arguments.file.c_str(), arguments.output.c_str(), arguments.voxel,
                                 arguments.half_width,   arguments.threads,        arguments.reports.force};
  OpenVdbAnswer answer;
  openvdb_export()(&question, &answer);
  if (answer.error[0] != 0) throw UsageError(answer.error);
  if (arguments.json) {
    JsonObject json;
    print_json(
        json.add("file", arguments.output).add("error", answer.field_error).add("voxels", answer.voxels));
  } else {
    fmt::print("{}: a level set of {} voxels, each within {} of the distance.\n", arguments.output,
               answer.voxels, upper_text(answer.field_error));
  }
  return 0;
}
#else
int export_field(const FieldArguments&) {
  throw UsageError("this toccata was built without OpenVDB (Debian: libopenvdb-dev)");
}
#endif

}  // namespace

Command field_command() {
  const auto arguments = std::make_shared<FieldArguments>();
  Command command{
      .name = "field",
      .description = "Signed distances from a mesh as proven intervals, prepared for many points"};
  command.options = {
      {.names = "QUESTION",
       .target = &arguments->question,
       .help = "build: prepare a mesh; query: ask for points; export: write a level set of OpenVDB",
       .required = true,
       .choices = {"build", "query", "export"}},
      {.names = "FILE", .target = &arguments->file, .help = "The mesh, or the field", .required = true},
      {.names = "-o,--output",
       .target = &arguments->output,
       .help = "build, export: where the field is written",
       .value = "FILE"},
      {.names = "--error",
       .target = &arguments->error,
       .help = "build: half the width that an interval may have; 0: a thousandth of the mesh's size",
       .value = "LENGTH",
       .least = 0.0},
      {.names = "--margin",
       .target = &arguments->margin,
       .help = "build: how far beyond the mesh's box it reaches, in the mesh's size",
       .shows_default = true,
       .least = 0.0},
      {.names = "--band",
       .target = &arguments->band,
       .help = "build: farther than that from the surface intervals may be wider; 0: nowhere",
       .value = "LENGTH",
       .least = 0.0},
      {.names = "--points",
       .target = &arguments->points,
       .help = "query: points, three numbers a line, or an array (n, 3) of numpy",
       .value = "FILE"},
      {.names = "--voxel",
       .target = &arguments->voxel,
       .help = "export: the side of a voxel; 0: a 64th of the mesh's size",
       .value = "LENGTH",
       .least = 0.0},
      {.names = "--half-width",
       .target = &arguments->half_width,
       .help = "export: voxels on both sides of the surface that hold distances",
       .shows_default = true,
       .least = 1.5},
      {.names = "--threads", .target = &arguments->threads, .help = "0 = all cores", .least = 0.0},
      {.names = "--json", .target = &arguments->json, .help = "Print JSON"},
  };
  add_report_options(
      arguments->reports, command,
      [arguments] {
        return std::vector{file_of(arguments->file), arguments->points};
      },
      [arguments] { return std::vector{arguments->output}; });
  command.footer =
      "Distances are negative inside a closed mesh; the true one is between the two numbers said.\n"
      "Examples:\n"
      "  toccata field build part.stl -o part.field --error 0.001 --page slices.html\n"
      "  toccata field query part.field --points points.txt\n"
      "  toccata field query part.field --points points.npy --json\n"
      "  toccata field export part.field -o part.vdb --voxel 0.01\n";
  command.check = [arguments, refused = command.check] {
    refuse_combinations(*arguments);
    refused();
  };
  command.run = [arguments] {
    if (arguments->question == "build") return build_field(*arguments);
    return arguments->question == "query" ? query_field(*arguments) : export_field(*arguments);
  };
  return command;
}

}  // namespace toccata::app
