#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "io/json_array.hpp"
#include "io/json_parse.hpp"
#include "io/json_report_parts.hpp"
#include "io/json_schema.hpp"
#include "io/vertex_clustering.hpp"
#include "io/viewer_template.hpp"
#include "toccata/io/mesh_io.hpp"
#include "toccata/io/query_report.hpp"
#include "toccata/io/report_json.hpp"
#include "toccata/io/viewer_page.hpp"

namespace toccata {
namespace {

using Json = nlohmann::ordered_json;

// A page holds at most this many stored frame positions (6 bytes each, 8 in base64).
constexpr std::size_t frame_position_limit = 6'000'000;

std::string shape_name(const Json& shape, std::size_t index) {
  return shape.value("name", "shape " + std::to_string(index));
}

std::size_t total_triangles(const Json& shapes) {
  std::size_t total = 0;
  for (const Json& shape : shapes) total += shape.value("triangles", std::size_t{0});
  return total;
}

Expected<TriangleMesh> read_mesh(const Json& mesh, const std::string& name) {
  Expected<std::vector<Vector3>> positions =
      json_array::read_positions(mesh.value("positions", Json()), name + ": positions");
  if (!positions) return positions.error();
  Expected<std::vector<Face>> faces = json_array::read_faces(mesh.value("faces", Json()), name + ": faces");
  if (!faces) return faces.error();
  TriangleMesh result{std::move(*positions), std::move(*faces)};
  if (const auto summary = validate(result); !summary) return Error{name + ": " + summary.error().message};
  return result;
}

std::optional<Error> thin_out_shape(Json& shape, const std::string& name, std::size_t limit) {
  Expected<TriangleMesh> mesh = read_mesh(shape["mesh"], name);
  if (!mesh) return mesh.error();
  if (mesh->faces.size() <= limit) return std::nullopt;
  const VertexClustering thin = cluster_vertices(mesh->vertices, mesh->faces, limit);
  std::vector<Vector3> positions;
  for (const std::int32_t index : thin.kept) positions.push_back(mesh->vertices[index]);
  std::vector<Vector3> positions_t1;  // of a mesh that deforms
  if (shape["mesh"].contains("positions_t1")) {
    const auto end = json_array::read_positions(shape["mesh"]["positions_t1"], name + ": positions_t1");
    if (!end) return end.error();
    if (end->size() != mesh->vertices.size())
      return Error{name + ": positions_t1: not as many rows as positions has"};
    for (const std::int32_t index : thin.kept)
      positions_t1.push_back((*end)[static_cast<std::size_t>(index)]);
  }
  shape["mesh"] = {{"positions", json_array::positions(positions)}, {"faces", json_array::faces(thin.faces)}};
  if (!positions_t1.empty()) shape["mesh"]["positions_t1"] = json_array::positions(positions_t1);
  shape["displayed_triangles"] = thin.faces.size();
  return std::nullopt;
}

std::optional<Error> embed_reference(Json& shape, const std::string& folder) {
  const std::filesystem::path source = shape.value("source", "");
  if (source.empty()) return std::nullopt;  // nothing to show; the page says so
  const Expected<TriangleMesh> mesh = load_mesh((folder / source).string());
  if (!mesh) return mesh.error();
  shape["vertices"] = mesh->vertices.size();
  shape["triangles"] = mesh->faces.size();
  shape["mesh"] = {{"positions", json_array::positions(mesh->vertices)},
                   {"faces", json_array::faces(mesh->faces)}};
  return std::nullopt;
}

std::optional<Error> embed_references(Json& report, const std::string& folder) {
  if (!report.contains("shapes")) return std::nullopt;
  for (Json& shape : report["shapes"]) {
    if (shape.contains("mesh")) continue;
    if (auto error = embed_reference(shape, folder)) return error;
  }
  return std::nullopt;
}

std::optional<Error> thin_out_shapes(Json& report, const ViewerPageOptions& options) {
  if (!report.contains("shapes")) return std::nullopt;
  Json& shapes = report["shapes"];
  const std::size_t total = total_triangles(shapes);
  if (total <= options.triangle_limit) return std::nullopt;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    Json& shape = shapes[i];
    if (!shape.contains("mesh")) continue;
    // Each shape gets its share of the limit.
    const double share =
        static_cast<double>(shape.value("triangles", std::size_t{0})) / static_cast<double>(total);
    const auto limit = static_cast<std::size_t>(share * static_cast<double>(options.triangle_limit));
    if (auto error = thin_out_shape(shape, shape_name(shape, i), std::max<std::size_t>(limit, 1000)))
      return error;
  }
  return std::nullopt;
}

// Frames that share one set of faces are thinned out by one choice of vertices.
class SequenceThinning {
 public:
  SequenceThinning(std::size_t limit, std::vector<std::int64_t> objects)
      : limit_(limit), objects_(std::move(objects)) {}

  std::optional<Error> apply(Json& frame, const std::string& name) {
    const Expected<std::vector<Vector3>> positions =
        json_array::read_positions(frame.value("positions", Json()), name + ": positions");
    if (!positions) return positions.error();
    if (frame.contains("faces")) {
      const Expected<std::vector<Face>> faces = json_array::read_faces(frame["faces"], name + ": faces");
      if (!faces) return faces.error();
      if (const auto summary = validate({*positions, *faces}); !summary) {
        return Error{name + ": " + summary.error().message};
      }
      thin_ = cluster_vertices(*positions, *faces, limit_, objects_);
      frame["triangles"] = faces->size();
      frame["faces"] = json_array::faces(thin_.faces);
    }
    std::vector<Vector3> kept;
    for (const std::int32_t index : thin_.kept) {
      if (static_cast<std::size_t>(index) >= positions->size()) return Error{name + ": too few positions"};
      kept.push_back((*positions)[index]);
    }
    frame["positions"] = json_array::quantised_positions(kept);
    return std::nullopt;
  }

  // First kept vertex of each object, in the frames thinned out last.
  std::vector<std::int64_t> objects() const {
    std::vector<std::int64_t> result;
    for (const std::int64_t first : objects_) {
      result.push_back(std::lower_bound(thin_.kept.begin(), thin_.kept.end(), first) - thin_.kept.begin());
    }
    return result;
  }
  std::size_t triangles() const { return thin_.faces.size(); }

 private:
  std::size_t limit_;
  std::vector<std::int64_t> objects_;
  VertexClustering thin_;
};

std::optional<Error> thin_out_sequence(Json& report, const ViewerPageOptions& options) {
  if (!report.contains("sequence")) return std::nullopt;
  Json& sequence = report["sequence"];
  Json& frames = sequence["frames"];
  if (frames.empty()) return std::nullopt;
  const Expected<std::vector<Face>> faces =
      json_array::read_faces(frames[0].value("faces", Json()), "frame 0: faces");
  if (!faces) return faces.error();
  // A triangle mesh has about half as many vertices as triangles.
  const std::size_t limit = std::min(options.triangle_limit, 2 * frame_position_limit / frames.size());
  if (faces->size() <= limit) return std::nullopt;
  SequenceThinning thinning(limit, sequence.value("objects", std::vector<std::int64_t>{}));
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (auto error = thinning.apply(frames[i], "frame " + std::to_string(i))) return error;
  }
  if (sequence.contains("objects")) sequence["objects"] = thinning.objects();
  sequence["triangles"] = faces->size();
  sequence["displayed_triangles"] = thinning.triangles();
  return std::nullopt;
}

// The text goes into a <script> element: no "<" may end it early.
std::string as_script_text(const Json& report) {
  const std::string text = report.dump(-1, ' ', true, nlohmann::detail::error_handler_t::replace);
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      escaped += "\\u003c";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

Expected<std::string> fill_template(const Json& content) {
  constexpr std::string_view marker = "__TOCCATA_REPORT__";
  const std::string_view page = viewer_template();
  const std::size_t at = page.find(marker);
  if (at == std::string_view::npos) return Error{"the viewer page of this build has no place for a report"};
  std::string result(page.substr(0, at));
  result += as_script_text(content);
  result += page.substr(at + marker.size());
  return result;
}

// What the options ask for beyond the report.
void add_wishes(Json& json, Report& report, const ViewerPageOptions& options) {
  if (options.up != 0) json["up"] = std::string(1, options.up);
  if (options.hierarchy_levels <= 0 || !report.hierarchies.empty()) return;
  add_hierarchies(report, options.hierarchy_levels);
  if (!report.hierarchies.empty()) json["hierarchies"] = hierarchies_json(report.hierarchies);
}

// The report as the page holds it: it fits the schema, all it refers to is there, and its shapes are inside.
Expected<Json> prepared_report(std::string_view text, const ViewerPageOptions& options) {
  Expected<Json> json = parse_report(text);
  if (!json) return json.error();
  try {
    if (const auto violation = schema_violation(*json, report_schema()))
      return Error{"does not fit the schema of reports: " + violation->message};
    if (auto error = embed_references(*json, options.folder)) return *error;
    Expected<Report> report = report_of(*json);
    if (!report) return report.error();
    add_wishes(*json, *report, options);
    if (auto error = thin_out_shapes(*json, options)) return *error;
    if (auto error = thin_out_sequence(*json, options)) return *error;
  } catch (const Json::exception& error) {
    return Error{std::string("not a valid Toccata report: ") + error.what()};
  }
  return json;
}

}  // namespace

Expected<std::string> viewer_page(std::string_view report_json, const ViewerPageOptions& options) {
  const Expected<Json> report = prepared_report(report_json, options);
  if (!report) return report.error();
  return fill_template(*report);
}

Expected<std::string> viewer_page(const Report& report, const ViewerPageOptions& options) {
  return viewer_page(to_json(report), options);
}

Expected<std::string> comparison_page(std::string_view first_json, const ViewerPageOptions& first_options,
                                      std::string_view second_json, const ViewerPageOptions& second_options) {
  Expected<Json> first = prepared_report(first_json, first_options);
  if (!first) return Error{"first report: " + first.error().message};
  Expected<Json> second = prepared_report(second_json, second_options);
  if (!second) return Error{"second report: " + second.error().message};
  return fill_template({{"format", "toccata-comparison"},
                        {"version", 1},
                        {"reports", Json::array({std::move(*first), std::move(*second)})}});
}

}  // namespace toccata
