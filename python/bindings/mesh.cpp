#include "mesh.hpp"

#include "arrays.hpp"
#include "toccata/io/mesh_io.hpp"

namespace toccata::python {
namespace {

std::shared_ptr<Mesh> make_mesh(const py::object& vertices, const py::object& faces) {
  const Points points = points_of(vertices, "vertices");
  const Rows<3> triangles = faces_of(faces, points.span.size(), "faces");
  const py::gil_scoped_release release;
  TriangleMesh mesh;
  mesh.vertices.assign(points.span.begin(), points.span.end());
  mesh.faces.assign(triangles.span.begin(), triangles.span.end());
  return std::make_shared<Mesh>(std::move(mesh));
}

py::array vertices_of(const std::shared_ptr<Mesh>& mesh) {
  return column(mesh->vertices(), owner_of(mesh), [](const Vector3& v) -> const Vector3& { return v; });
}

py::array faces_array_of(const std::shared_ptr<Mesh>& mesh) {
  return column(mesh->faces(), owner_of(mesh), [](const Face& f) -> const Face& { return f; });
}

std::shared_ptr<Mesh> load(const std::string& path, bool weld_stl) {
  const py::gil_scoped_release release;
  LoadMeshOptions options;
  options.weld_stl = weld_stl;
  Expected<TriangleMesh> mesh = load_mesh(path, options);
  if (!mesh) throw py::value_error(mesh.error().message);
  return std::make_shared<Mesh>(std::move(*mesh));
}

std::size_t save(const std::string& path, const Mesh& mesh, bool force, bool ascii) {
  const py::gil_scoped_release release;
  const Expected<SavedMesh> saved = save_mesh(path, mesh.mesh(), {force, ascii});
  if (!saved) throw py::value_error(saved.error().message);
  return saved->bytes;
}

}  // namespace

void bind_mesh(py::module_& module) {
  py::class_<Mesh, AnyShape, std::shared_ptr<Mesh>>(module, "Mesh")
      .def(py::init(&make_mesh))
      .def_property_readonly("vertices", &vertices_of)
      .def_property_readonly("faces", &faces_array_of);
  module.def("load", &load, py::arg("path"), py::arg("weld_stl"));
  module.def("save", &save, py::arg("path"), py::arg("mesh"), py::arg("force"), py::arg("ascii"));
}

}  // namespace toccata::python
