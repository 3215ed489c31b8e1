// Medial meshes, and what encloses meshes: proxies and convex parts.
#include <pybind11/stl.h>

#include <optional>

#include "arrays.hpp"
#include "mesh.hpp"
#include "pose.hpp"
#include "shape.hpp"
#include "toccata/io/medial_io.hpp"
#include "toccata/proximity/convex_parts.hpp"
#include "toccata/proximity/enclosure.hpp"
#include "toccata/proximity/medial_proxy.hpp"

namespace toccata::python {
namespace {

using SolidPointer = std::shared_ptr<SolidShape>;

template <typename Value>
Value value_or_raise(Expected<Value> value) {
  if (!value) throw py::value_error(value.error().message);
  return std::move(*value);
}

SolidPointer solid_of(MedialMesh mesh) {
  return std::make_shared<SolidShape>(value_or_raise(Shape::build(std::move(mesh))));
}

const MedialMesh& mesh_of(const AnyShape& shape) {
  const auto* mesh = std::get_if<MedialMesh>(&shape.shape().geometry());
  if (mesh == nullptr) throw py::type_error("expected a medial mesh");
  return *mesh;
}

SolidPointer make_medial_mesh(const py::object& centers, const py::object& radii, const py::object& cones,
                              const py::object& slabs) {
  const Points points = points_of(centers, "centers");
  const Numbers lengths = numbers_of(radii, "radii", "an (n,) array of radii");
  if (lengths.shape.size() != 1) throw py::value_error("radii must be an (n,) array of radii");
  const Rows<2> pairs = edges_of(cones, points.span.size(), "cones");
  const Rows<3> triples = faces_of(slabs, points.span.size(), "slabs");
  MedialMesh mesh;
  mesh.centers.assign(points.span.begin(), points.span.end());
  mesh.radii.assign(lengths.data, lengths.data + lengths.shape[0]);
  mesh.cones.assign(pairs.span.begin(), pairs.span.end());
  mesh.slabs.assign(triples.span.begin(), triples.span.end());
  return solid_of(std::move(mesh));
}

py::dict arrays_in(const AnyShape& shape) {
  const MedialMesh& mesh = mesh_of(shape);
  py::dict arrays;
  arrays["centers"] = array_of(mesh.centers);
  arrays["radii"] = array_of(mesh.radii);
  arrays["cones"] = array_of(mesh.cones);
  arrays["slabs"] = array_of(mesh.slabs);
  arrays["primitives"] = array_of(medial_primitives(mesh));
  return arrays;
}

py::dict fields_of(const MedialProxy& proxy) {
  py::dict fields;
  fields["outer"] = solid_of(proxy.outer);
  fields["inner"] = proxy.inner.centers.empty() ? SolidPointer() : solid_of(proxy.inner);
  fields["error"] = proxy.error;
  fields["errors"] = array_of(proxy.errors);
  return fields;
}

py::dict make_proxy(const AnyShape& shape, std::optional<double> error, std::optional<std::int32_t> balls,
                    std::optional<std::int32_t> primitives, bool spheres_only, int threads) {
  MedialProxy proxy;
  {
    const py::gil_scoped_release release;
    proxy = value_or_raise(medial_proxy(shape.shape(), {.error = error,
                                                        .balls = balls,
                                                        .primitives = primitives,
                                                        .spheres_only = spheres_only,
                                                        .threads = threads}));
  }
  return fields_of(proxy);
}

py::list make_levels(const AnyShape& shape, double error, bool spheres_only, int threads) {
  MedialLevels levels;
  {
    const py::gil_scoped_release release;
    levels = value_or_raise(
        medial_levels(shape.shape(), {.error = error, .spheres_only = spheres_only, .threads = threads}));
  }
  py::list all;
  for (const MedialProxy& proxy : levels.levels) all.append(fields_of(proxy));
  return all;
}

py::tuple ask_encloses(const AnyShape& medial, const AnyShape& mesh, double finest, int threads) {
  EnclosureResult result;
  {
    const MedialMesh& hulls = mesh_of(medial);
    const py::gil_scoped_release release;
    result = encloses(mesh.shape().mesh(), hulls, {.finest = finest, .threads = threads});
  }
  if (!result.failure.empty()) throw py::value_error(result.failure);
  return py::make_tuple(result.holds, result.triangle, result.missing);
}

py::tuple make_parts(const AnyShape& shape, std::optional<double> error, std::optional<std::int32_t> count,
                     int threads) {
  ConvexParts parts;
  {
    const py::gil_scoped_release release;
    parts = value_or_raise(convex_parts(shape.shape(), {.error = error, .count = count, .threads = threads}));
  }
  py::list hulls;
  for (const CompoundPart& part : parts.compound.parts) {
    const auto& hull = std::get<ConvexHull>(part.geometry);
    hulls.append(py::make_tuple(array_of(hull.vertices), hull.radius, array_of(part.pose)));
  }
  return py::make_tuple(hulls, parts.error, array_of(parts.errors));
}

}  // namespace

void bind_medial(py::module_& module) {
  module.def("medial_mesh", &make_medial_mesh);
  module.def("medial_arrays", &arrays_in);
  module.def("medial_proxy", &make_proxy);
  module.def("medial_levels", &make_levels);
  module.def("medial_encloses", &ask_encloses);
  module.def("convex_parts", &make_parts);
  module.def("load_medial_mesh",
             [](const std::string& path) { return solid_of(value_or_raise(load_medial_mesh(path))); });
  module.def("save_medial_mesh", [](const std::string& path, const AnyShape& shape, bool force) {
    return value_or_raise(save_medial_mesh(path, mesh_of(shape), force));
  });
}

}  // namespace toccata::python
