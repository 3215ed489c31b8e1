#include "toccata/io/layer_report.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "toccata/bound/aabb.hpp"
#include "toccata/io/report_record.hpp"

namespace toccata {
namespace {

constexpr const char* axis_names[] = {"x", "y", "z"};

// The two other axes, in their order.
struct Plane2 {
  int across = 2, along = 0, up = 1;
  explicit Plane2(int axis) : across(axis), along(axis == 0 ? 1 : 0), up(axis == 2 ? 1 : 2) {}
};

std::vector<Vector3> corners_of(const Plane2& plane, const Vector3& lower, const Vector3& upper, double at) {
  Vector3 start = lower;
  start[plane.across] = at;
  Vector3 row = start, column = start;
  row[plane.along] = upper[plane.along];
  column[plane.up] = upper[plane.up];
  return {start, row, column};
}

// What is worth seeing: the mesh and some room around it, within the cube of the field.
Aabb box_of(const DistanceField& field) {
  const DistanceFieldData& data = field.data();
  Aabb box = fit<Aabb>(field.shape().mesh().vertices);
  const Vector3 room = Vector3::Constant(0.15 * (box.upper - box.lower).maxCoeff());
  const Vector3 half = Vector3::Constant(data.half_side);
  box.lower = (box.lower - room).cwiseMax(data.center - half);
  box.upper = (box.upper + room).cwiseMin(data.center + half);
  return box;
}

}  // namespace

Report layers_report(const std::string& query, const std::string& answer, std::vector<LayerRecord> layers) {
  Report report;
  report.query = query;
  report.title = query;
  report.title.front() = static_cast<char>(report.title.front() - 'a' + 'A');
  report.answer = answer;
  report.layers = std::move(layers);
  return report;
}

void add_body(const Shape& shape, const std::string& name, Report& report) {
  report.bodies.push_back({.name = name, .shape = static_cast<int>(report.shapes.size())});
  report.shapes.push_back(record_of(shape, name));
}

LayerRecord field_slice(const DistanceField& field, int axis, double at, int cells) {
  const Plane2 plane(axis);
  const Aabb box = box_of(field);
  const Vector3 size = box.upper - box.lower;
  const double cell = std::max(size[plane.along], size[plane.up]) / cells;
  LayerRecord layer{.kind = LayerKind::Slice,
                    .colours = field.is_signed() ? LayerColours::Signed : LayerColours::Scale};
  layer.name = std::string("distance, across ") + axis_names[axis];
  layer.points = corners_of(plane, box.lower, box.upper, at);
  for (const auto& [k, of] : {std::pair(0, plane.along), std::pair(1, plane.up)})
    layer.size[static_cast<std::size_t>(k)] = std::max(1, static_cast<int>(std::lround(size[of] / cell)));
  std::vector<Vector3> points;
  for (int row = 0; row < layer.size[1]; ++row) {
    for (int column = 0; column < layer.size[0]; ++column) {
      Vector3 p = box.lower;
      p[plane.across] = at;
      p[plane.along] += (column + 0.5) / layer.size[0] * size[plane.along];
      p[plane.up] += (row + 0.5) / layer.size[1] * size[plane.up];
      points.push_back(p);
    }
  }
  std::vector<FieldValue> values(points.size());
  field.at(points, values);
  for (const FieldValue& value : values)
    layer.values.push_back(static_cast<float>(0.5 * (value.lower + value.upper)));
  return layer;
}

std::vector<LayerRecord> field_slices(const DistanceField& field, int cells) {
  const Aabb box = box_of(field);
  std::vector<LayerRecord> slices;
  for (int axis = 0; axis < 3; ++axis)
    slices.push_back(field_slice(field, axis, 0.5 * (box.lower[axis] + box.upper[axis]), cells));
  return slices;
}

LayerRecord voronoi_slice(const VoronoiGrid& grid, int axis, std::int32_t index) {
  const Plane2 plane(axis);
  const auto count = [&](int k) { return grid.counts[static_cast<std::size_t>(k)]; };
  LayerRecord layer{.kind = LayerKind::Slice, .colours = LayerColours::Cells};
  layer.name =
      grid.counts[2] == 1 ? "Voronoi cells" : std::string("Voronoi cells, across ") + axis_names[axis];
  Vector3 upper = grid.lower;
  for (int k = 0; k < 3; ++k) upper[k] += count(k) * grid.cell_size[k];
  layer.points =
      corners_of(plane, grid.lower, upper, grid.lower[axis] + (index + 0.5) * grid.cell_size[axis]);
  layer.size = {count(plane.along), count(plane.up)};
  std::array<std::int32_t, 3> at = {0, 0, 0};
  at[static_cast<std::size_t>(axis)] = index;
  std::int32_t& column = at[static_cast<std::size_t>(plane.along)];
  std::int32_t& row = at[static_cast<std::size_t>(plane.up)];
  for (row = 0; row < layer.size[1]; ++row) {
    for (column = 0; column < layer.size[0]; ++column)
      layer.values.push_back(static_cast<float>(grid.site[grid.index(at[0], at[1], at[2])]));
  }
  return layer;
}

std::vector<LayerRecord> voronoi_slices(const VoronoiGrid& grid) {
  if (grid.counts[2] == 1) return {voronoi_slice(grid, 2, 0)};
  std::vector<LayerRecord> slices;
  for (int axis = 0; axis < 3; ++axis)
    slices.push_back(voronoi_slice(grid, axis, grid.counts[static_cast<std::size_t>(axis)] / 2));
  return slices;
}

LayerRecord medial_layer(const MedialMesh& mesh, std::span<const double> errors) {
  LayerRecord layer{.kind = LayerKind::Balls,
                    .colours = errors.empty() ? LayerColours::Plain : LayerColours::Scale};
  layer.name = errors.empty() ? "balls inside" : "certified error";
  layer.points = mesh.centers;
  layer.radii = mesh.radii;
  for (const MedialPrimitive& p : medial_primitives(mesh)) {
    const std::int32_t second = p[1] < 0 ? p[0] : p[1];
    layer.faces.push_back({p[0], second, p[2] < 0 ? second : p[2]});
  }
  for (const double error : errors) layer.values.push_back(static_cast<float>(error));
  return layer;
}

LayerRecord parts_layer(const ConvexParts& parts) {
  LayerRecord layer{.kind = LayerKind::Surface, .colours = LayerColours::Cells};
  layer.name = "convex parts";
  for (std::size_t i = 0; i < parts.compound.parts.size(); ++i) {
    const CompoundPart& part = parts.compound.parts[i];
    const auto* const hull = std::get_if<ConvexHull>(&part.geometry);
    if (hull == nullptr) continue;
    const auto first = static_cast<std::int32_t>(layer.points.size());
    for (const Vector3& v : hull->vertices) layer.points.push_back(part.pose.apply(v));
    for (const Face& f : hull->faces) {
      layer.faces.push_back({f[0] + first, f[1] + first, f[2] + first});
      layer.values.push_back(static_cast<float>(i));
    }
  }
  return layer;
}

std::vector<LayerRecord> depth_layers(const PenetrationResult& result) {
  LayerRecord layer{.kind = LayerKind::Arrows, .colours = LayerColours::Plain};
  layer.name = "deepest points, and the way out for each";
  for (const DeepestPoint* deepest : {&result.a_in_b, &result.b_in_a}) {
    if (!(deepest->lower > 0.0)) continue;
    layer.points.push_back(deepest->point);
    layer.vectors.push_back(deepest->nearest - deepest->point);
    layer.values.push_back(static_cast<float>(deepest->lower));
  }
  if (layer.points.empty()) return {};
  return {std::move(layer)};
}

}  // namespace toccata
