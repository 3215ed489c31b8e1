#include "body_argument.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "compound_file.hpp"
#include "load_mesh.hpp"
#include "png_image.hpp"
#include "pose_argument.hpp"
#include "toccata/bound/convex_hull_of.hpp"
#include "toccata/geometry/display_mesh.hpp"
#include "toccata/io/medial_io.hpp"
#include "toccata/io/numpy_io.hpp"

namespace toccata::app {
namespace {

using Numbers = std::vector<double>;

// A shape as it was typed: "hull:points.obj,0.1" is of the file points.obj with the number 0.1.
struct TypedShape {
  std::string file;
  Numbers numbers;
  int depth = 0;  // of files of parts that name files of parts
};

Geometry box_of(const TypedShape& typed) {
  const Numbers& n = typed.numbers;
  return Box{{n[0], n[1], n[2]}, n.size() == 4 ? n[3] : 0.0};
}

Geometry half_space_of(const TypedShape& typed) {
  const Numbers& n = typed.numbers;
  return HalfSpace{{n[0], n[1], n[2]}, n[3]};
}

// Points of a numpy file: the last index runs over x, y, z.
std::vector<Vector3> array_points(const std::string& path) {
  constexpr std::string_view wanted[] = {"points", "vertices", "V", "v", "positions"};
  const Expected<std::vector<NamedArray>> arrays = load_numpy(path, wanted);
  if (!arrays) throw UsageError(arrays.error().message);
  const NumpyArray& array = arrays->front().array;
  if (array.shape.size() < 2 || array.shape.back() != 3)
    throw UsageError(
        fmt::format("{}: expected points of the shape (n, 3), found {}", path, array.shape_text()));
  std::vector<Vector3> points;
  points.reserve(array.values.size() / 3);
  for (std::size_t i = 0; i + 2 < array.values.size(); i += 3)
    points.emplace_back(array.values[i], array.values[i + 1], array.values[i + 2]);
  return points;
}

std::vector<Vector3> points_of(const std::string& path) {
  if (is_numpy_file(path)) return array_points(path);
  Expected<TriangleMesh> mesh = load_any_mesh(path);
  if (!mesh) throw UsageError(mesh.error().message);
  return std::move(mesh->vertices);
}

Geometry hull_of(const std::vector<Vector3>& points, double radius) {
  Expected<ConvexHull> hull = convex_hull_of(points, radius);
  if (!hull) throw UsageError(hull.error().message);
  return std::move(*hull);
}

Geometry typed_hull_of(const TypedShape& typed) {
  return hull_of(points_of(typed.file), typed.numbers.empty() ? 0.0 : typed.numbers[0]);
}

HeightField array_heights(const std::string& path) {
  constexpr std::string_view wanted[] = {"heights", "height", "map", "z"};
  Expected<std::vector<NamedArray>> arrays = load_numpy(path, wanted);
  if (!arrays) throw UsageError(arrays.error().message);
  NumpyArray& array = arrays->front().array;
  constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
  if (array.shape.size() != 2 || array.shape[0] > most || array.shape[1] > most) {
    throw UsageError(
        fmt::format("{}: expected heights of the shape (rows along y, columns along x), found {}", path,
                    array.shape_text()));
  }
  HeightField field;
  field.rows = static_cast<std::int32_t>(array.shape[0]);
  field.columns = static_cast<std::int32_t>(array.shape[1]);
  field.heights = std::move(array.values);
  return field;
}

HeightField image_heights(const std::string& path) {
  GreyImage image = load_png(path);
  HeightField field;
  field.rows = static_cast<std::int32_t>(image.rows);
  field.columns = static_cast<std::int32_t>(image.columns);
  field.heights = std::move(image.values);
  return field;
}

Geometry height_field_of(const TypedShape& typed) {
  const bool is_image = is_png_file(typed.file);
  if (!is_image && !is_numpy_file(typed.file)) {
    throw UsageError(fmt::format(
        "heights are read from numpy files (.npy, .npz) and grey images (.png), and {} is none", typed.file));
  }
  HeightField field = is_image ? image_heights(typed.file) : array_heights(typed.file);
  const Numbers& n = typed.numbers;
  if (!n.empty()) field.spacing = {n[0], n.size() > 1 ? n[1] : n[0]};
  if (n.size() > 2) field.floor = n[2];
  if (n.size() > 3) {
    for (double& height : field.heights) height *= n[3];
  }
  return field;
}

Geometry medial_of(const TypedShape& typed) {
  Expected<MedialMesh> mesh = load_medial_mesh(typed.file);
  if (!mesh) throw UsageError(mesh.error().message);
  return std::move(*mesh);
}

Geometry geometry_of(const std::string& body, const std::filesystem::path& folder, int depth);

Geometry compound_of(const TypedShape& typed) {
  constexpr int deepest = 8;
  if (typed.depth >= deepest)
    throw UsageError("compounds of compounds, too deep: does the file name itself?");
  Compound compound;
  for (const TypedPart& part : load_parts(typed.file)) {
    try {
      const std::filesystem::path folder = std::filesystem::path(typed.file).parent_path();
      compound.parts.push_back({part.shape.empty() ? hull_of(part.points, part.radius)
                                                   : geometry_of(part.shape, folder, typed.depth + 1),
                                part.pose});
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}: {}", part.where, error.what()));
    }
  }
  return compound;
}

// A kind of shape that can be typed.
struct Kind {
  std::string_view word;
  std::string_view form;     // what follows the colon
  std::string_view example;  // the same in numbers
  bool reads_file;
  std::size_t least, most;  // numbers, after the file if it reads one
  Geometry (*geometry)(const TypedShape&);
};

const Kind kinds[] = {
    {"box", "x,y,z[,radius]", "1,2,3", false, 3, 4, box_of},
    {"ball", "radius", "0.5", false, 1, 1,
     [](const TypedShape& typed) -> Geometry { return Ball{typed.numbers[0]}; }},
    {"capsule", "radius,height", "0.2,1", false, 2, 2,
     [](const TypedShape& typed) -> Geometry {
       return Capsule{typed.numbers[0], typed.numbers[1]};
     }},
    {"cylinder", "radius,height", "0.5,2", false, 2, 2,
     [](const TypedShape& typed) -> Geometry {
       return Cylinder{typed.numbers[0], typed.numbers[1]};
     }},
    {"cone", "radius,height", "0.5,2", false, 2, 2,
     [](const TypedShape& typed) -> Geometry {
       return Cone{typed.numbers[0], typed.numbers[1]};
     }},
    {"ellipsoid", "a,b,c", "1,2,0.5", false, 3, 3,
     [](const TypedShape& typed) -> Geometry {
       return Ellipsoid{{typed.numbers[0], typed.numbers[1], typed.numbers[2]}};
     }},
    {"hull", "FILE[,radius]", "points.obj", true, 0, 1, typed_hull_of},
    {"halfspace", "nx,ny,nz,offset", "0,0,1,0", false, 4, 4, half_space_of},
    {"heightfield", "FILE[,dx[,dy[,floor[,scale]]]]", "map.npy,0.5,0.5", true, 0, 4, height_field_of},
    {"compound", "FILE.json", "parts.json", true, 0, 0, compound_of},
    {"medial", "FILE.ma", "part.ma", true, 0, 0, medial_of},
};

std::string_view word_before_colon(std::string_view body) {
  return body.substr(0, body.find(':'));
}

bool is_word(std::string_view text) {
  return text.size() > 1 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
         });
}

std::string kind_words() {
  std::string words;
  for (const Kind& kind : kinds) words.append(words.empty() ? "" : ", ").append(kind.word);
  return words;
}

// None: it is a file. A file that is there, in the folder unless its path is absolute, is one, whatever its
// name. Throws UsageError for a word before a colon that is no kind, and for a kind without a colon.
const Kind* kind_of_word(const std::string& body, const std::filesystem::path& folder = {}) {
  std::error_code error;
  if (std::filesystem::exists(folder / body, error)) return nullptr;
  const std::string_view word = word_before_colon(body);
  const auto* const kind =
      std::find_if(std::begin(kinds), std::end(kinds), [&](const Kind& known) { return known.word == word; });
  if (kind != std::end(kinds)) return kind;
  if (word.size() < body.size() && is_word(word)) {
    throw UsageError(
        fmt::format("{}: there is no such file, and no shape '{}'; shapes are {} (e.g. box:1,2,3)", body,
                    word, kind_words()));
  }
  return nullptr;
}

bool reads_as_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0.0;
  const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  return !text.empty() && failure != std::errc::invalid_argument && stop == text.data() + text.size();
}

// The file's name may have commas: numbers are taken from the end.
std::size_t end_of_file_name(std::string_view text, std::size_t most_numbers) {
  std::size_t end = text.size();
  for (std::size_t i = 0; i < most_numbers; ++i) {
    const std::size_t comma = text.substr(0, end).rfind(',');
    if (comma == std::string_view::npos || !reads_as_number(text.substr(comma + 1, end - comma - 1))) break;
    end = comma;
  }
  return end;
}

TypedShape typed_shape(const std::string& body, const Kind& kind) {
  TypedShape typed;
  std::string rest = body.substr(std::min(kind.word.size() + 1, body.size()));
  if (kind.reads_file) {
    const std::size_t end = end_of_file_name(rest, kind.most);
    typed.file = rest.substr(0, end);
    rest = end < rest.size() ? rest.substr(end + 1) : std::string();
    if (typed.file.empty()) throw UsageError("expected a file");
  }
  if (rest.starts_with(',') || rest.ends_with(',') || rest.find(",,") != std::string::npos)
    throw UsageError("expected a number between two commas");
  typed.numbers = parse_numbers(rest, std::string(kind.word));
  const std::size_t count = typed.numbers.size();
  if (count < kind.least || count > kind.most) {
    const std::string wanted =
        kind.least == kind.most ? std::to_string(kind.least) : fmt::format("{} to {}", kind.least, kind.most);
    throw UsageError(
        fmt::format("expected {} {}, found {}", wanted, kind.most == 1 ? "number" : "numbers", count));
  }
  return typed;
}

Geometry geometry_of(const std::string& body, const std::filesystem::path& folder, int depth) {
  const Kind* const kind = kind_of_word(body, folder);
  if (kind == nullptr) return load_mesh_argument((folder / body).string());
  try {
    TypedShape typed = typed_shape(body, *kind);
    if (kind->reads_file) typed.file = (folder / typed.file).string();
    typed.depth = depth;
    Geometry geometry = kind->geometry(typed);
    if (const std::optional<std::string> failure = failure_of(geometry)) throw UsageError(*failure);
    return geometry;
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {} ({}:{}, e.g. {}:{})", body, error.what(), kind->word, kind->form,
                                 kind->word, kind->example));
  }
}

Shape shape_of(const std::string& body) {
  const Expected<Shape> shape = Shape::build(geometry_of(body, {}, 0));
  if (!shape) throw UsageError(fmt::format("{}: {}", body, shape.error().message));
  return *shape;
}

std::string name_of(const std::string& body) {
  const std::string file = file_of(body);
  return file.empty() ? std::string(word_before_colon(body)) : std::filesystem::path(file).stem().string();
}

}  // namespace

Option body_option(const std::string& name, std::string& target) {
  return {.names = name,
          .target = &target,
          .help = std::string(name == "A" ? "First" : "Second") +
                  " body: a mesh (OBJ, STL, PLY, OFF, NPZ...) or a shape (box:1,2,3, ball:0.5...)",
          .value = "FILE",
          .required = true};
}

std::string shapes_help() {
  std::string text = "A mesh file may be a shape instead:\n";
  for (const Kind& kind : kinds) text += fmt::format("  {}:{}\n", kind.word, kind.form);
  return text;
}

std::string file_of(const std::string& body) {
  const Kind* const kind = kind_of_word(body);
  if (kind == nullptr) return body;
  if (!kind->reads_file) return {};
  const std::string rest = body.substr(std::min(kind->word.size() + 1, body.size()));
  return rest.substr(0, end_of_file_name(rest, kind->most));
}

BodyNames names_of(const std::string& body_a, const std::string& body_b) {
  const BodyNames names = {name_of(body_a), name_of(body_b)};
  return names.a == names.b ? BodyNames{} : names;
}

std::pair<ReportBody, ReportBody> load_bodies(const std::string& body_a, const std::string& body_b) {
  const Shape a = shape_of(body_a);
  const Shape b = body_b == body_a ? a : shape_of(body_b);
  const BodyNames names = names_of(body_a, body_b);
  return {{.name = names.a, .shape = a, .source = body_a}, {.name = names.b, .shape = b, .source = body_b}};
}

TriangleMesh mesh_argument(const std::string& body) {
  const Geometry geometry = geometry_of(body, {}, 0);
  if (const auto* const mesh = std::get_if<TriangleMesh>(&geometry)) return *mesh;
  const auto* const box = std::get_if<Box>(&geometry);
  const auto* const hull = std::get_if<ConvexHull>(&geometry);
  if ((box != nullptr && box->radius == 0.0) || (hull != nullptr && hull->radius == 0.0))
    return display_mesh(geometry);
  throw UsageError(
      fmt::format("{}: its surface is not made of triangles, which are asked for here: a mesh file, or a box "
                  "or a hull without a radius",
                  body));
}

}  // namespace toccata::app
