// toccata voronoi FILE: the Voronoi diagram of points, polygons or a mesh's features on a grid.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>

#include "body_argument.hpp"
#include "command.hpp"
#include "ending.hpp"
#include "json_text.hpp"
#include "number_rows.hpp"
#include "report_options.hpp"
#include "toccata/field/voronoi_grid.hpp"
#include "toccata/io/layer_report.hpp"
#include "toccata/io/numpy_io.hpp"
#include "toccata/io/sentence.hpp"
#include "upper_text.hpp"
#ifdef TOCCATA_WITH_GL
#include "toccata/field/gl_voronoi.hpp"
#endif

namespace toccata::app {
namespace {

struct VoronoiArguments {
  std::string file, output, image, weights;
  int cells = 64;
  std::optional<double> slice;
  std::string kind = "nearest", weighting = "none", method = "tree";
  int refine = 0;
  int threads = 0;
  bool neighbours = false;
  bool polygons = false;
  bool json = false;
  ReportOptions reports;
};

NumberRows rows_of(const std::string& path, std::string_view name) {
  if (!is_numpy_file(path)) return read_text_rows(path);
  const std::string_view wanted[] = {name};
  return read_array_rows(path, wanted).at(0);
}

bool is_text(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  return ending == ".txt" || ending == ".csv" || ending == ".xyz" || ending == ".npy";
}

// A filled polygon in the plane from each row: x and y of its corners in order.
VoronoiSites polygons_of(const std::string& path) {
  std::vector<std::vector<Vector2>> polygons;
  for (const NumberRow& row : rows_of(path, "polygons").rows) {
    if (row.numbers.size() < 6 || row.numbers.size() % 2 != 0)
      throw UsageError(fmt::format("{}: a polygon has x and y of three corners or more, not {} numbers",
                                   row.where, row.numbers.size()));
    std::vector<Vector2>& ring = polygons.emplace_back();
    for (std::size_t i = 0; i < row.numbers.size(); i += 2)
      ring.emplace_back(row.numbers[i], row.numbers[i + 1]);
    for (const Vector2& p : ring)
      if (!p.allFinite()) throw UsageError(row.where + ": a corner must be finite");
  }
  return voronoi_sites(polygons);
}

// Points, two or three numbers each, or a mesh.
VoronoiSites sites_of(const std::string& path) {
  if (!is_text(path)) return voronoi_sites(mesh_argument(path));
  VoronoiSites sites;
  for (const NumberRow& row : rows_of(path, "points").rows) {
    if (row.numbers.size() != 2 && row.numbers.size() != 3)
      throw UsageError(fmt::format("{}: a point has 2 or 3 numbers, not {}", row.where, row.numbers.size()));
    const Vector3 point(row.numbers[0], row.numbers[1], row.numbers.size() == 3 ? row.numbers[2] : 0.0);
    if (!point.allFinite()) throw UsageError(row.where + ": a point must be finite");
    sites.points.push_back(point);
  }
  return sites;
}

// In a file of numpy of any shape.
std::vector<double> weights_of(const std::string& path) {
  if (is_numpy_file(path)) {
    constexpr std::string_view wanted[] = {"weights"};
    Expected<std::vector<NamedArray>> arrays = load_numpy(path, wanted);
    if (!arrays) throw UsageError(arrays.error().message);
    return std::move(arrays->at(0).array.values);
  }
  std::vector<double> weights;
  for (const NumberRow& row : read_text_rows(path).rows)
    weights.insert(weights.end(), row.numbers.begin(), row.numbers.end());
  return weights;
}

// Cells with equal sides, `cells` along the longest side of the box.
VoronoiOptions options_of(const VoronoiArguments& arguments, const VoronoiSites& sites) {
  VoronoiOptions options;
  options.kind = arguments.kind == "farthest" ? VoronoiKind::Farthest : VoronoiKind::Nearest;
  if (arguments.weighting == "additive") options.weighting = VoronoiWeights::Additive;
  if (arguments.weighting == "multiplicative") options.weighting = VoronoiWeights::Multiplicative;
  if ((options.weighting == VoronoiWeights::None) != arguments.weights.empty())
    throw UsageError("--weights FILE and --weighting additive or multiplicative go together");
  if (!arguments.weights.empty()) options.weights = weights_of(arguments.weights);
  options.refine = arguments.refine;
  options.with_neighbours = arguments.neighbours;
  options.threads = arguments.threads;
  if (sites.points.empty()) throw UsageError(arguments.file + ": there are no sites");
  Aabb box = fit<Aabb>(sites.points);
  const double side = (box.upper - box.lower).maxCoeff();
  const double margin = side > 0.0 ? 0.05 * side : 1.0;
  const bool flat = arguments.slice || box.lower.z() == box.upper.z();
  const int axes = flat ? 2 : 3;
  double longest = 0.0;
  for (int i = 0; i < axes; ++i) {
    box.lower[i] -= margin;
    box.upper[i] += margin;
    longest = std::max(longest, box.upper[i] - box.lower[i]);
  }
  const double cell = longest / arguments.cells;
  options.counts = {1, 1, 1};
  for (int i = 0; i < axes; ++i) {
    const double count = std::max(1.0, std::ceil((box.upper[i] - box.lower[i]) / cell - 1e-9));
    options.counts[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(count);
    const double more = 0.5 * (count * cell - (box.upper[i] - box.lower[i]));
    box.lower[i] -= more;
    box.upper[i] = box.lower[i] + count * cell;
  }
  if (arguments.slice) box.lower.z() = box.upper.z() = *arguments.slice;
  options.box = box;
  return options;
}

// Row by row: there may be more of them than memory has room for. That the file may be written was checked
// before the work.
void write_cells(const VoronoiArguments& arguments, const VoronoiGrid& grid) {
  std::ofstream file(arguments.output);
  file << "i,j,k,x,y,z,site,distance,certified\n";
  for (std::size_t cell = 0; cell < grid.site.size(); ++cell) {
    const auto nx = static_cast<std::size_t>(grid.counts[0]), ny = static_cast<std::size_t>(grid.counts[1]);
    const Vector3 p = grid.center(cell);
    file << fmt::format("{},{},{},{},{},{},{},{},{}\n", cell % nx, cell / nx % ny, cell / (nx * ny), p.x(),
                        p.y(), p.z(), grid.site[cell], grid.distance[cell],
                        static_cast<int>(grid.certified[cell]));
  }
  file.flush();
  if (!file) throw UsageError(arguments.output + " could not be written to the end");
}

// A colour of its own for each site, darker where the cell is not certified; y upwards.
void write_image(const VoronoiArguments& arguments, const VoronoiGrid& grid) {
  std::string picture = fmt::format("P6\n{} {}\n255\n", grid.counts[0], grid.counts[1]);
  for (std::int32_t j = grid.counts[1]; j-- > 0;) {
    for (std::int32_t i = 0; i < grid.counts[0]; ++i) {
      const std::size_t cell = grid.index(i, j);
      std::uint32_t h = static_cast<std::uint32_t>(grid.site[cell] + 1) * 2654435761U;
      for (int c = 0; c < 3; ++c) {
        h = (h ^ (h >> 15U)) * 2246822519U;
        const unsigned bright = 96U + (h >> 24U) % 160U;
        picture += static_cast<char>(grid.is_certified(cell) ? bright : bright / 2);
      }
    }
  }
  write_new_file(arguments.image, picture, arguments.reports.force);
}

// What drawing found, where it was asked for.
struct Drawn {
  std::string device;
  std::size_t wrong = 0, beyond_bound = 0, triangles = 0;
  double bound = 0.0, worst = 0.0;
};

Expected<VoronoiGrid> drawn_grid([[maybe_unused]] const VoronoiSites& sites,
                                 [[maybe_unused]] const VoronoiOptions& options,
                                 [[maybe_unused]] Drawn& drawn) {
#ifdef TOCCATA_WITH_GL
  const Expected<GlDevice> device = GlDevice::create();
  if (!device) return device.error();
  Expected<GlVoronoi> made = gl_voronoi_grid(*device, sites, options);
  if (!made) return made.error();
  drawn = {device->name(), made->wrong, made->beyond_bound, made->triangles, made->bound, made->worst};
  return std::move(made->grid);
#else
  return Error{"this toccata was built without OpenGL (Debian: libegl-dev, libgl-dev)"};
#endif
}

// The cells in colour; of a mesh, it too.
void write_reports(const VoronoiArguments& arguments, const VoronoiGrid& grid, const std::string& answer) {
  if (!arguments.reports.wanted()) return;
  Report report = layers_report("voronoi", answer, voronoi_slices(grid));
  if (!arguments.polygons && !is_text(arguments.file))
    add_body(Shape(mesh_argument(arguments.file)), std::filesystem::path(arguments.file).filename().string(),
             report);
  write_outputs(arguments.reports, std::move(report), arguments.json ? stderr : stdout);
}

int run_voronoi(const VoronoiArguments& arguments) {
  const VoronoiSites sites = arguments.polygons ? polygons_of(arguments.file) : sites_of(arguments.file);
  const VoronoiOptions options = options_of(arguments, sites);
  if (!arguments.image.empty() && options.counts[2] != 1)
    throw UsageError("--image needs sites in the plane, or --slice Z");
  Drawn drawn;
  const Expected<VoronoiGrid> grid =
      arguments.method == "gl" ? drawn_grid(sites, options, drawn) : voronoi_grid(sites, options);
  if (!grid) throw UsageError(grid.error().message);
  if (!arguments.output.empty()) write_cells(arguments, *grid);
  if (!arguments.image.empty()) write_image(arguments, *grid);
  std::size_t certified = 0;
  for (const std::uint8_t c : grid->certified) certified += c;
  std::vector<std::int32_t> seen = grid->site;
  std::sort(seen.begin(), seen.end());
  const auto regions = static_cast<std::size_t>(std::unique(seen.begin(), seen.end()) - seen.begin());
  std::size_t proven = 0;
  for (const VoronoiNeighbours& n : grid->neighbours) proven += n.proven;
  const std::string answer = fmt::format(
      "{} on {} x {} x {} cells: {} of them {} a region; {:.1f} % of the cells are certified whole.",
      plural(grid->sites.size(), "site"), grid->counts[0], grid->counts[1], grid->counts[2], regions,
      regions == 1 ? "has" : "have",
      100.0 * static_cast<double>(certified) / static_cast<double>(grid->site.size()));
  if (arguments.json) {
    JsonObject json;
    JsonList counts;
    for (const std::int32_t c : grid->counts) counts.add(c);
    json.add("counts", counts).add("lower", grid->lower).add("cell_size", grid->cell_size);
    json.add("sites", grid->sites.size()).add("regions", regions).add("certified", certified);
    json.add("parts", grid->finer.size()).add("error", grid->error).add("reach", grid->reach);
    if (arguments.neighbours) {
      JsonList pairs;
      for (const VoronoiNeighbours& n : grid->neighbours)
        pairs.add(JsonList().add(n.first).add(n.second).add(n.proven));
      json.add("neighbours", pairs);
    }
    if (arguments.method == "gl") {
      JsonObject by;
      by.add("device", drawn.device).add("triangles", drawn.triangles).add("bound", drawn.bound);
      by.add("wrong", drawn.wrong).add("beyond_bound", drawn.beyond_bound).add("worst", drawn.worst);
      json.add("drawn", by);
    }
    print_json(json);
    write_reports(arguments, *grid, answer);
    return 0;
  }
  fmt::print("{}\n", answer);
  fmt::print("Distances are right to {} at centres, and differ from that by no more than {} within a cell.\n",
             upper_text(grid->error, 2), upper_text(grid->reach));
  if (arguments.refine > 0) fmt::print("The others were cut into {}.\n", plural(grid->finer.size(), "part"));
  if (arguments.neighbours)
    fmt::print("{} of neighbours, {} of them proven.\n", plural(grid->neighbours.size(), "pair"), proven);
  if (arguments.method == "gl")
    fmt::print(
        "Drawn by {} with {} triangles; of the cells drawn {} differ from the certified ones, which stand: "
        "sites are "
        "farther by {:.2g} at most, {:.2g} is allowed.\n",
        drawn.device, drawn.triangles, drawn.wrong, drawn.worst, drawn.bound);
  write_reports(arguments, *grid, answer);
  return 0;
}

}  // namespace

Command voronoi_command() {
  const auto arguments = std::make_shared<VoronoiArguments>();
  Command command{.name = "voronoi",
                  .description = "The Voronoi diagram of points, polygons or a mesh's features on a grid"};
  command.options = {
      {.names = "FILE",
       .target = &arguments->file,
       .help = "A mesh; or points, two or three numbers a line (.txt, .csv, .xyz), or an array (.npy)",
       .required = true},
      {.names = "--polygons",
       .target = &arguments->polygons,
       .help = "A line is a filled polygon, x and y of its corners in order: each is one site"},
      {.names = "--cells",
       .target = &arguments->cells,
       .help = "Cells along the longest side",
       .shows_default = true,
       .least = 1.0,
       .most = 4096.0},
      {.names = "--slice",
       .target = &arguments->slice,
       .help = "Only the plane at this height",
       .value = "Z",
       .least = -1e100,
       .most = 1e100},
      {.names = "--kind",
       .target = &arguments->kind,
       .help = "Of features the nearest, or of wholes the farthest",
       .shows_default = true,
       .choices = {"nearest", "farthest"}},
      {.names = "--weighting",
       .target = &arguments->weighting,
       .help = "additive: distance - weight; multiplicative: distance / weight",
       .shows_default = true,
       .choices = {"none", "additive", "multiplicative"}},
      {.names = "--weights",
       .target = &arguments->weights,
       .help = "A number per point, segment, triangle or polygon",
       .value = "FILE"},
      {.names = "--refine",
       .target = &arguments->refine,
       .help = "Cut cells that are not certified this many times",
       .shows_default = true,
       .least = 0.0,
       .most = 20.0},
      {.names = "--method",
       .target = &arguments->method,
       .help = "tree: certified cells; gl: distance meshes drawn by OpenGL, checked by the former",
       .shows_default = true,
       .choices = {"tree", "gl"}},
      {.names = "--neighbours",
       .target = &arguments->neighbours,
       .help = "Find the sites whose regions meet"},
      {.names = "-o,--output",
       .target = &arguments->output,
       .help = "Every cell as a row of CSV",
       .value = "FILE"},
      {.names = "--image",
       .target = &arguments->image,
       .help = "A picture (PPM) of a flat grid: a colour per site, dark where a cell is not certified",
       .value = "FILE"},
      {.names = "--threads", .target = &arguments->threads, .help = "0 = all cores", .least = 0.0},
      {.names = "--json", .target = &arguments->json, .help = "Print JSON"},
  };
  add_report_options(
      arguments->reports, command,
      [arguments] {
        return std::vector{file_of(arguments->file), arguments->weights};
      },
      [arguments] {
        return std::vector{arguments->output, arguments->image};
      });
  command.footer =
      "Examples:\n"
      "  toccata voronoi points.txt --cells 512 --image diagram.ppm\n"
      "  toccata voronoi rooms.txt --polygons --cells 512 --image rooms.ppm\n"
      "  toccata voronoi part.stl --slice 0.5 --cells 256 --page slice.html\n"
      "  toccata voronoi part.stl --slice 0.5 --cells 256 -o slice.csv\n"
      "  toccata voronoi part.stl --cells 64 --refine 2 --neighbours --json\n";
  command.run = [arguments] { return run_voronoi(*arguments); };
  return command;
}

}  // namespace toccata::app
