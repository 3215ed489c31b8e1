// Voronoi grids, penetration fields and image-space culling.
#include "arrays.hpp"
#include "batch.hpp"
#include "bindings.hpp"
#include "toccata/broad_phase/image_space.hpp"
#include "toccata/field/penetration_field.hpp"
#ifdef TOCCATA_WITH_GL
#include "toccata/broad_phase/gl_image_space.hpp"
#include "toccata/field/gl_voronoi.hpp"
#endif

namespace toccata::python {
namespace {

template <typename Value>
Value taken(Expected<Value> value) {
  if (!value) throw py::value_error(value.error().message);
  return std::move(*value);
}

VoronoiSites sites_of(const py::object& points, const py::object& segments, const py::object& triangles,
                      const std::string& name) {
  const Points given = points_of(points, name + "points");
  VoronoiSites sites;
  sites.points.assign(given.span.begin(), given.span.end());
  const auto lines = edges_of(segments, sites.points.size(), name + "segments");
  sites.segments.assign(lines.span.begin(), lines.span.end());
  const auto faces = faces_of(triangles, sites.points.size(), name + "triangles");
  sites.triangles.assign(faces.span.begin(), faces.span.end());
  return sites;
}

template <typename Row, typename Get>
py::array gathered(const std::vector<Row>& rows, Get get) {
  std::vector<std::remove_cvref_t<decltype(get(rows[0]))>> values;
  values.reserve(rows.size());
  for (const Row& row : rows) values.push_back(get(row));
  return array_of(std::move(values));
}

py::dict grid_fields(VoronoiGrid grid) {
  py::dict fields;
  fields["counts"] = py::make_tuple(grid.counts[0], grid.counts[1], grid.counts[2]);
  fields["lower"] = array_of(grid.lower);
  fields["cell_size"] = array_of(grid.cell_size);
  fields["error"] = grid.error;
  fields["reach"] = grid.reach;
  fields["site_kind"] =
      gathered(grid.sites, [](const VoronoiSite& s) { return static_cast<std::uint8_t>(s.kind); });
  fields["site_points"] = gathered(grid.sites, [](const VoronoiSite& s) { return s.points; });
  fields["site_index"] = gathered(grid.sites, [](const VoronoiSite& s) { return s.index; });
  fields["part_cell"] = gathered(grid.finer, [](const VoronoiPart& p) { return p.cell; });
  fields["part_level"] = gathered(grid.finer, [](const VoronoiPart& p) { return p.level; });
  fields["part_center"] = gathered(grid.finer, [](const VoronoiPart& p) { return p.center; });
  fields["part_site"] = gathered(grid.finer, [](const VoronoiPart& p) { return p.site; });
  fields["part_distance"] = gathered(grid.finer, [](const VoronoiPart& p) { return p.distance; });
  fields["part_certified"] =
      gathered(grid.finer, [](const VoronoiPart& p) { return static_cast<std::uint8_t>(p.certified); });
  fields["neighbours"] = gathered(grid.neighbours, [](const VoronoiNeighbours& n) {
    return std::array{n.first, n.second};
  });
  fields["neighbours_proven"] = gathered(
      grid.neighbours, [](const VoronoiNeighbours& n) { return static_cast<std::uint8_t>(n.proven); });
  fields["boundary"] = array_of(voronoi_boundaries(grid));
  fields["site"] = array_of(std::move(grid.site));
  fields["distance"] = array_of(std::move(grid.distance));
  fields["certified"] = array_of(std::move(grid.certified));
  return fields;
}

#ifdef TOCCATA_WITH_GL
// On the thread that draws: a device belongs to one.
template <typename Draw>
auto with_device(const Draw& draw) -> decltype(draw(std::declval<const GlDevice&>())) {
  const Expected<GlDevice> device = GlDevice::create();
  if (!device) return device.error();
  return draw(*device);
}
#endif

[[maybe_unused]] Error without_gl() {
  return Error{"this toccata was built without OpenGL: method 'tree' and image_space_pairs need none"};
}

py::dict voronoi(const py::object& points, const py::object& segments, const py::object& triangles,
                 const py::dict& asked) {
  VoronoiSites sites = sites_of(points, segments, triangles, "");
  sites.polygons = asked["polygons"].cast<std::vector<std::vector<std::int32_t>>>();
  VoronoiOptions options;
  options.counts = asked["counts"].cast<std::array<std::int32_t, 3>>();
  if (!asked["lower"].is_none())
    options.box = {vector_of(asked["lower"].cast<Triple>()), vector_of(asked["upper"].cast<Triple>())};
  options.kind = static_cast<VoronoiKind>(asked["kind"].cast<int>());
  options.weighting = static_cast<VoronoiWeights>(asked["weighting"].cast<int>());
  options.weights = asked["weights"].cast<std::vector<double>>();
  options.refine = asked["refine"].cast<int>();
  options.with_neighbours = asked["neighbours"].cast<bool>();
  options.threads = asked["threads"].cast<int>();
  py::dict drawn;
  const bool draws = asked["method"].cast<int>() == 1;
#ifdef TOCCATA_WITH_GL
  if (draws) {
    GlVoronoi made = taken(answered(asked["seconds"].cast<double>(), [&](const Stop& stop) {
      options.stop = stop;
      return with_device([&](const GlDevice& device) { return gl_voronoi_grid(device, sites, options); });
    }));
    drawn["bound"] = made.bound;
    drawn["triangles"] = made.triangles;
    drawn["wrong"] = made.wrong;
    drawn["beyond_bound"] = made.beyond_bound;
    drawn["worst"] = made.worst;
    py::dict fields = grid_fields(std::move(made.grid));
    fields["drawn"] = drawn;
    return fields;
  }
#endif
  if (draws) throw py::value_error(without_gl().message);
  py::dict fields = grid_fields(taken(answered(asked["seconds"].cast<double>(), [&](const Stop& stop) {
    options.stop = stop;
    return voronoi_grid(sites, options);
  })));
  fields["drawn"] = drawn;
  return fields;
}

py::dict depth_fields(const GridDepth& depth) {
  py::dict fields;
  fields["lower"] = depth.lower;
  fields["upper"] = depth.upper;
  fields["point"] = depth.point;
  return fields;
}

py::dict field_fields(PenetrationField field) {
  py::dict fields;
  const auto& points = field.points;
  fields["point"] = gathered(points, [](const PenetratingPoint& p) { return p.point; });
  fields["cell"] =
      gathered(points, [](const PenetratingPoint& p) { return static_cast<std::int64_t>(p.cell); });
  fields["depth_a"] = gathered(points, [](const PenetratingPoint& p) { return p.depth_a; });
  fields["depth_b"] = gathered(points, [](const PenetratingPoint& p) { return p.depth_b; });
  fields["out_of_a"] = gathered(points, [](const PenetratingPoint& p) { return p.out_of_a; });
  fields["out_of_b"] = gathered(points, [](const PenetratingPoint& p) { return p.out_of_b; });
  const auto& contacts = field.contacts;
  fields["contact_point"] = gathered(contacts, [](const GridContact& c) { return c.point; });
  fields["contact_normal"] = gathered(contacts, [](const GridContact& c) { return c.normal; });
  fields["contact_distance_a"] = gathered(contacts, [](const GridContact& c) { return c.distance_a; });
  fields["contact_distance_b"] = gathered(contacts, [](const GridContact& c) { return c.distance_b; });
  fields["box_lower"] = gathered(field.boxes, [](const Aabb& b) { return b.lower; });
  fields["box_upper"] = gathered(field.boxes, [](const Aabb& b) { return b.upper; });
  fields["depth_in_a"] = depth_fields(field.depth_in_a);
  fields["depth_in_b"] = depth_fields(field.depth_in_b);
  fields["separation"] = py::make_tuple(field.separation.lower, field.separation.upper);
  fields["closest"] = py::make_tuple(array_of(field.separation.point_a), array_of(field.separation.point_b));
  fields["volume"] = field.volume;
  fields["reach"] = field.a.reach;
  fields["counts"] = py::make_tuple(field.a.counts[0], field.a.counts[1], field.a.counts[2]);
  fields["lower"] = array_of(field.a.lower);
  fields["cell_size"] = array_of(field.a.cell_size);
  // Negative inside.
  const auto signed_of = [](std::vector<double> distance, const std::vector<std::uint8_t>& inside) {
    for (std::size_t i = 0; i < distance.size(); ++i)
      if (inside[i] != 0) distance[i] = -distance[i];
    return array_of(std::move(distance));
  };
  fields["distance_a"] = signed_of(std::move(field.a.distance), field.inside_a);
  fields["distance_b"] = signed_of(std::move(field.b.distance), field.inside_b);
  return fields;
}

py::dict penetration_fields(const std::array<py::object, 3>& a, const py::object& b, const py::dict& asked) {
  const VoronoiSites first = sites_of(a[0], a[1], a[2], "a: ");
  PenetrationFieldOptions options;
  options.cell = asked["cell"].cast<double>();
  options.contact_distance = asked["contact_distance"].cast<double>();
  options.most_cells = asked["most_cells"].cast<std::size_t>();
  options.threads = asked["threads"].cast<int>();
  const double seconds = asked["seconds"].cast<double>();
  if (b.is_none()) {
    return field_fields(taken(answered(seconds, [&](const Stop& stop) {
      options.stop = stop;
      return self_penetration_field(first, options);
    })));
  }
  const auto parts = b.cast<std::array<py::object, 3>>();
  const VoronoiSites second = sites_of(parts[0], parts[1], parts[2], "b: ");
  return field_fields(taken(answered(seconds, [&](const Stop& stop) {
    options.stop = stop;
    return penetration_field(first, second, options);
  })));
}

py::dict image_pairs(const py::list& bodies, const py::dict& asked) {
  std::vector<Points> starts, ends;
  std::vector<Rows<3>> faces;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto body = bodies[i].cast<std::array<py::object, 3>>();
    const std::string name = "bodies[" + std::to_string(i) + "]";
    starts.push_back(points_of(body[0], name + ": vertices"));
    ends.push_back(body[1].is_none() ? Points{} : points_of(body[1], name + ": vertices_end"));
    faces.push_back(faces_of(body[2], starts.back().span.size(), name + ": faces"));
  }
  std::vector<ImageSpaceBody> list;
  for (std::size_t i = 0; i < starts.size(); ++i)
    list.push_back({starts[i].span, ends[i].span, faces[i].span});
  ImageSpaceOptions options;
  options.resolution = asked["resolution"].cast<int>();
  options.margin = asked["margin"].cast<double>();
  options.part_size = asked["part_size"].cast<std::int32_t>();
  options.with_self = asked["with_self"].cast<bool>();
  options.threads = asked["threads"].cast<int>();
  const bool draws = asked["method"].cast<int>() == 1;
  ImageSpaceResult found = taken(answered(asked["seconds"].cast<double>(), [&](const Stop& stop) {
    options.stop = stop;
    if (!draws) return image_space_pairs(list, options);
#ifdef TOCCATA_WITH_GL
    return with_device([&](const GlDevice& device) { return gl_image_space_pairs(device, list, options); });
#else
    return Expected<ImageSpaceResult>(without_gl());
#endif
  }));
  py::dict fields;
  fields["potentially_colliding"] = array_of(std::move(found.potentially_colliding));
  fields["pairs"] = gathered(found.pairs, [](const IndexPair& p) { return std::array{p.first, p.second}; });
  fields["part_pairs"] = gathered(found.part_pairs, [](const PartPair& p) {
    return std::array{p.first, p.second};
  });
  fields["part_body"] = gathered(found.parts, [](const ImageSpacePart& p) { return p.body; });
  py::list triangles;
  for (ImageSpacePart& part : found.parts) triangles.append(array_of(std::move(part.triangles)));
  fields["part_triangles"] = triangles;
  fields["box_pairs"] = found.box_pairs;
  fields["set_pairs"] = found.set_pairs;
  fields["removed_by_view"] =
      py::make_tuple(found.removed_by_view[0], found.removed_by_view[1], found.removed_by_view[2]);
  return fields;
}

}  // namespace

void bind_voronoi(py::module_& module) {
  module.def("voronoi", &voronoi);
  module.def("penetration_field", &penetration_fields);
  module.def("image_space_pairs", &image_pairs);
}

}  // namespace toccata::python
