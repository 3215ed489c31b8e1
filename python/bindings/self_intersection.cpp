// Does one mesh intersect itself?
#include "toccata/proximity/self_intersection.hpp"

#include "arrays.hpp"
#include "interrupt.hpp"
#include "mesh.hpp"

namespace toccata::python {
namespace {

py::dict fields_of(SelfIntersectionResult result) {
  py::dict fields;
  fields["intersects"] = result.intersects;
  fields["stopped"] = result.stopped;
  fields["cleared_regions"] = result.cleared_regions;
  fields["bound_tests"] = result.bound_tests;
  fields["triangle_tests"] = result.triangle_tests;
  fields["pairs"] = array_of(std::move(result.pairs));
  return fields;
}

py::dict ask_self_intersects(const Mesh& mesh, bool curvature_test, bool first_only, double seconds) {
  return fields_of(answered(seconds, [&](const Stop& stop) {
    return self_intersects(mesh.mesh(), {curvature_test, first_only, stop});
  }));
}

std::shared_ptr<SelfIntersectionChecker> make_checker(const Mesh& mesh) {
  const py::gil_scoped_release release;
  return std::make_shared<SelfIntersectionChecker>(mesh.mesh());
}

py::dict check(const SelfIntersectionChecker& checker, const py::object& positions, std::size_t vertex_count,
               bool curvature_test, bool first_only, double seconds) {
  const Points points = points_of(positions, "positions");
  if (points.span.size() != vertex_count) {
    throw py::value_error("positions holds " + std::to_string(points.span.size()) +
                          " points, but the mesh has " + std::to_string(vertex_count) + " vertices");
  }
  return fields_of(answered(seconds, [&](const Stop& stop) {
    return checker.check(points.span, {curvature_test, first_only, stop});
  }));
}

}  // namespace

void bind_self_intersection(py::module_& module) {
  module.def("self_intersects", &ask_self_intersects);
  py::class_<SelfIntersectionChecker, std::shared_ptr<SelfIntersectionChecker>>(module,
                                                                                "SelfIntersectionChecker")
      .def(py::init(&make_checker))
      .def("check", &check);
  module.attr("curvature_test") = SelfIntersectionOptions{}.curvature_test;
}

}  // namespace toccata::python
