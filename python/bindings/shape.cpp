// The kinds of shapes that are no meshes, from numbers and arrays.
#include "shape.hpp"

#include <pybind11/stl.h>

#include <array>
#include <optional>

#include "arrays.hpp"
#include "mesh.hpp"
#include "pose.hpp"
#include "toccata/bound/convex_hull_of.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata::python {
namespace {

using SolidPointer = std::shared_ptr<SolidShape>;

// To be called without the GIL.
SolidPointer built(Geometry geometry) {
  Expected<Shape> shape = Shape::build(std::move(geometry));
  if (!shape) throw py::value_error(shape.error().message);
  return std::make_shared<SolidShape>(std::move(*shape));
}

SolidPointer make_convex_hull(const py::object& points, double radius) {
  const Points given = points_of(points, "points");
  const py::gil_scoped_release release;
  Expected<ConvexHull> hull = convex_hull_of(given.span, radius);
  if (!hull) throw py::value_error(hull.error().message);
  return built(std::move(*hull));
}

SolidPointer make_height_field(const py::object& heights, const std::array<double, 2>& spacing,
                               std::optional<double> floor) {
  const Numbers given = numbers_of(heights, "heights", "an array of heights of shape (rows, columns)");
  if (given.shape.size() != 2) {
    throw py::value_error("heights must have shape (rows, columns), rows along y; it has shape " +
                          shape_of(given.array));
  }
  const py::gil_scoped_release release;
  HeightField field;
  field.rows = static_cast<std::int32_t>(given.shape[0]);
  field.columns = static_cast<std::int32_t>(given.shape[1]);
  field.spacing = {spacing[0], spacing[1]};
  field.heights.assign(given.data, given.data + given.shape[0] * given.shape[1]);
  field.floor = floor;
  return built(std::move(field));
}

// Poses as the package has checked them, each at the nearest rotation.
SolidPointer make_compound(const std::vector<std::pair<std::shared_ptr<AnyShape>, Matrix4Array>>& parts) {
  std::vector<Pose> poses;
  for (const auto& part : parts) poses.push_back(RigidMotion::fixed(pose_of(part.second)).pose(0.0));
  const py::gil_scoped_release release;
  Compound compound;
  for (std::size_t i = 0; i < parts.size(); ++i)
    compound.parts.push_back({parts[i].first->shape().geometry(), poses[i]});
  return built(std::move(compound));
}

// An array that looks into the geometry of a shape.
template <typename Kind, typename Member>
py::array array_in(const std::shared_ptr<SolidShape>& shape, std::vector<Member> Kind::*member) {
  const std::vector<Member>& values = std::get<Kind>(shape->shape().geometry()).*member;
  return column(std::span<const Member>(values), owner_of(shape),
                [](const Member& value) -> const Member& { return value; });
}

py::array heights_of(const SolidPointer& shape) {
  const auto& field = std::get<HeightField>(shape->shape().geometry());
  return read_only(array_in(shape, &HeightField::heights).reshape({field.rows, field.columns}));
}

std::shared_ptr<Mesh> display_mesh_of(const AnyShape& shape) {
  const py::gil_scoped_release release;
  return std::make_shared<Mesh>(shape.shape().display_mesh());
}

py::tuple part_of(const AnyShape& shape, std::int32_t piece) {
  const PartPiece part = shape.shape().part_of(piece);
  return py::make_tuple(part.part, part.piece);
}

}  // namespace

void bind_shape(py::module_& module) {
  const auto without_gil = py::call_guard<py::gil_scoped_release>();
  py::class_<AnyShape, std::shared_ptr<AnyShape>>(module, "Shape")
      .def_property_readonly(
          "size", [](const AnyShape& shape) { return shape.shape().size(); }, without_gil)
      .def_property_readonly(
          "is_closed", [](const AnyShape& shape) { return shape.shape().is_closed(); }, without_gil)
      .def_property_readonly(
          "memory_bytes", [](const AnyShape& shape) { return shape.shape().memory_bytes(); }, without_gil)
      .def_property_readonly(
          "piece_count", [](const AnyShape& shape) { return shape.shape().piece_count(); }, without_gil)
      .def(
          "prepare", [](const AnyShape& shape) { shape.shape(); }, without_gil)
      .def("display_mesh", &display_mesh_of)
      .def("part_of", &part_of);
  py::class_<SolidShape, AnyShape, SolidPointer>(module, "SolidShape")
      .def("hull_vertices", [](const SolidPointer& hull) { return array_in(hull, &ConvexHull::vertices); })
      .def("hull_faces", [](const SolidPointer& hull) { return array_in(hull, &ConvexHull::faces); })
      .def("hull_sources", [](const SolidPointer& hull) { return array_in(hull, &ConvexHull::sources); })
      .def("heights", &heights_of)
      .def("floor",
           [](const SolidShape& field) { return floor_of(std::get<HeightField>(field.shape().geometry())); });
  module.def(
      "ball", [](double radius) { return built(Ball{radius}); }, without_gil);
  module.def(
      "capsule",
      [](double radius, double height) {
        return built(Capsule{radius, height});
      },
      without_gil);
  module.def(
      "box",
      [](const Triple& size, double radius) {
        return built(Box{vector_of(size), radius});
      },
      without_gil);
  module.def(
      "cylinder",
      [](double radius, double height) {
        return built(Cylinder{radius, height});
      },
      without_gil);
  module.def(
      "cone",
      [](double radius, double height) {
        return built(Cone{radius, height});
      },
      without_gil);
  module.def(
      "ellipsoid", [](const Triple& radii) { return built(Ellipsoid{vector_of(radii)}); }, without_gil);
  module.def(
      "half_space",
      [](const Triple& normal, double offset) {
        return built(HalfSpace{vector_of(normal), offset});
      },
      without_gil);
  module.def("convex_hull", &make_convex_hull);
  module.def("height_field", &make_height_field);
  module.def("compound", &make_compound);
}

}  // namespace toccata::python
