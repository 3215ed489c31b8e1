// Reports of answers, read back or made, and the page that shows one.
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "contact_list.hpp"
#include "mesh.hpp"
#include "motion.hpp"
#include "toccata/io/query_report.hpp"
#include "toccata/io/report_json.hpp"
#include "toccata/io/viewer_page.hpp"

namespace toccata::python {
namespace {

// One step of a deforming mesh: two frames and what meets between them.
std::shared_ptr<Report> bound_step_report(const py::object& positions_t0, const py::object& positions_t1,
                                          const py::object& faces, const ContactList& contacts, bool complete,
                                          const std::string& title) {
  const Points t0 = points_of(positions_t0, "positions_t0");
  const Points t1 = points_of(positions_t1, "positions_t1");
  const Rows<3> triangles = faces_of(faces, t0.span.size(), "faces");
  const py::gil_scoped_release release;
  auto report =
      std::make_shared<Report>(step_report({t0.span, t1.span, triangles.span, complete}, *contacts.contacts));
  report->title = title;
  return report;
}

std::string page_of(const Report& report, std::size_t triangle_limit, const std::string& up,
                    int hierarchy_levels) {
  const py::gil_scoped_release release;
  ViewerPageOptions options;
  options.triangle_limit = triangle_limit;
  options.up = up.empty() ? '\0' : up[0];
  options.hierarchy_levels = hierarchy_levels;
  Expected<std::string> page = viewer_page(report, options);
  if (!page) throw py::value_error(page.error().message);
  return std::move(*page);
}

std::shared_ptr<Report> bound_read_report(const std::string& path) {
  const py::gil_scoped_release release;
  Expected<Report> report = read_report(path);
  if (!report) throw py::value_error(report.error().message);
  return std::make_shared<Report>(std::move(*report));
}

std::vector<std::string> sentences_of(const Report& report) {
  std::vector<std::string> sentences;
  for (const ResultRecord& result : report.results) sentences.push_back(result.sentence);
  return sentences;
}

// (name, mesh or None, motion, solid) of each body: what can be asked again.
py::list bodies_of(const Report& report) {
  std::vector<std::shared_ptr<Mesh>> meshes;
  for (const ShapeRecord& shape : report.shapes)
    meshes.push_back(shape.mesh ? std::make_shared<Mesh>(*shape.mesh) : nullptr);
  py::list bodies;
  for (const BodyRecord& body : report.bodies) {
    const Expected<OwnedMotion> motion = motion_of(body.motion);
    if (!motion) throw py::value_error(body.name + ": " + motion.error().message);
    bodies.append(py::make_tuple(body.name, meshes.at(static_cast<std::size_t>(body.shape)),
                                 std::const_pointer_cast<Motion>(motion->shared()), body.solid));
  }
  return bodies;
}

}  // namespace

void bind_report(py::module_& module) {
  py::class_<Report, std::shared_ptr<Report>>(module, "Report")
      .def(
          "json", [](const Report& report) { return to_json(report); },
          py::call_guard<py::gil_scoped_release>())
      .def("page", &page_of)
      .def("bodies", &bodies_of)
      .def_readonly("query", &Report::query)
      .def_readonly("title", &Report::title)
      .def_property_readonly("sentences", &sentences_of)
      .def_readonly("answer", &Report::answer);
  module.def("read_report", &bound_read_report);
  module.def("step_report", &bound_step_report);
  module.attr("triangle_limit") = ViewerPageOptions{}.triangle_limit;
  module.attr("clearance_samples") = QueryReportOptions{}.clearance_samples;
}

}  // namespace toccata::python
