// Prepared shapes as bytes and files, and what a shape was made of: for pickle, for stores, for other
// processes.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "mesh.hpp"
#include "shape.hpp"
#include "toccata/geometry/content_hash.hpp"
#include "toccata/io/shape_io.hpp"

namespace toccata::python {
namespace {

// Without a copy: the array looks into the bytes.
py::array bytes_of(const AnyShape& shape) {
  std::shared_ptr<std::string> bytes;
  {
    const py::gil_scoped_release release;
    bytes = std::make_shared<std::string>(shape_bytes(shape.shape()));
  }
  return py::array(py::dtype::of<std::uint8_t>(), {bytes->size()}, {1}, bytes->data(), owner_of(bytes));
}

std::shared_ptr<AnyShape> held(Shape shape) {
  if (shape.is_mesh()) return std::make_shared<Mesh>(std::move(shape));
  return std::make_shared<SolidShape>(std::move(shape));
}

std::shared_ptr<AnyShape> shape_of_bytes(const py::buffer& given, const std::string& name) {
  const py::buffer_info info = given.request();
  const std::string_view content(static_cast<const char*>(info.ptr),
                                 static_cast<std::size_t>(info.size * info.itemsize));
  const py::gil_scoped_release release;
  Expected<Shape> shape = parse_shape(content, name);
  if (!shape) throw py::value_error(shape.error().message);
  return held(std::move(*shape));
}

std::shared_ptr<AnyShape> load(const std::string& path) {
  const py::gil_scoped_release release;
  Expected<Shape> shape = load_shape(path);
  if (!shape) throw py::value_error(shape.error().message);
  return held(std::move(*shape));
}

std::size_t save(const std::string& path, const AnyShape& shape, bool force) {
  const py::gil_scoped_release release;
  const Expected<std::size_t> size = save_shape(path, shape.shape(), force);
  if (!size) throw py::value_error(size.error().message);
  return *size;
}

std::array<double, 3> triple(const Vector3& v) {
  return {v[0], v[1], v[2]};
}

// The arguments of the Python class that makes it again, but for arrays, which are asked for as they are; the
// parts of a compound as shapes with their poses.
struct Arguments {
  py::dict values;

  void operator()(const TriangleMesh&) {}
  void operator()(const MedialMesh&) {}
  void operator()(const Ball& ball) { values["radius"] = ball.radius; }
  void operator()(const Capsule& capsule) { radius_height(capsule.radius, capsule.height); }
  void operator()(const Cylinder& cylinder) { radius_height(cylinder.radius, cylinder.height); }
  void operator()(const Cone& cone) { radius_height(cone.radius, cone.height); }
  void operator()(const Box& box) {
    values["size"] = triple(box.size);
    values["radius"] = box.radius;
  }
  void operator()(const Ellipsoid& ellipsoid) { values["radii"] = triple(ellipsoid.radii); }
  void operator()(const ConvexHull& hull) { values["radius"] = hull.radius; }
  void operator()(const HalfSpace& half) {
    values["normal"] = triple(half.normal);
    values["offset"] = half.offset;
  }
  void operator()(const HeightField& field) {
    values["spacing"] = py::make_tuple(field.spacing.x(), field.spacing.y());
    values["floor"] = field.floor ? py::object(py::float_(*field.floor)) : py::object(py::none());
  }
  void operator()(const Compound& compound) {
    py::list parts;
    for (const CompoundPart& part : compound.parts) {
      py::array_t<double> pose({4, 4});
      auto at = pose.mutable_unchecked<2>();
      for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 4; ++k) {
          at(i, k) =
              i == 3 ? (k == 3 ? 1.0 : 0.0) : (k == 3 ? part.pose.translation[i] : part.pose.rotation(i, k));
        }
      }
      std::shared_ptr<AnyShape> core;
      if (const auto* mesh = std::get_if<TriangleMesh>(&part.geometry)) {
        core = std::make_shared<Mesh>(*mesh);
      } else {
        core = std::make_shared<SolidShape>(*Shape::build(part.geometry));  // it was sound in the compound
      }
      parts.append(py::make_tuple(core, pose));
    }
    values["parts"] = parts;
  }

 private:
  void radius_height(double radius, double height) {
    values["radius"] = radius;
    values["height"] = height;
  }
};

py::tuple kind_and_arguments(const AnyShape& shape) {
  const Geometry& geometry = shape.shape().geometry();
  Arguments arguments;
  std::visit(arguments, geometry);
  return py::make_tuple(std::string(kind_of(geometry)), arguments.values);
}

}  // namespace

void bind_shape_bytes(py::module_& module) {
  module.def("shape_bytes", &bytes_of);
  module.def("shape_of_bytes", &shape_of_bytes);
  module.def("load_shape", &load);
  module.def("save_shape", &save);
  module.def("kind_and_arguments", &kind_and_arguments);
  module.def(
      "content_hash", [](const AnyShape& shape) { return content_hash(shape.shape().geometry()); },
      py::call_guard<py::gil_scoped_release>());
}

}  // namespace toccata::python
