// Reports of answers, and the page that shows one.
#include <pybind11/stl.h>

#include <algorithm>

#include "arrays.hpp"
#include "contact_list.hpp"
#include "toccata/io/report_json.hpp"
#include "toccata/io/report_record.hpp"
#include "toccata/io/viewer_page.hpp"

namespace toccata::python {
namespace {

// One step of a deforming mesh: two frames and what meets between them.
std::shared_ptr<Report> step_report(const py::object& positions_t0, const py::object& positions_t1,
                                    const py::object& faces, const ContactList& contacts,
                                    const std::string& title) {
  const Points t0 = points_of(positions_t0, "positions_t0");
  const Points t1 = points_of(positions_t1, "positions_t1");
  const Rows<3> triangles = faces_of(faces, t0.span.size(), "faces");
  auto report = std::make_shared<Report>();
  report->query = "sequence";
  report->title = title;
  SequenceRecord& sequence = report->sequence.emplace();
  sequence.frames.resize(2);
  sequence.frames[0].label = "t = 0";
  sequence.frames[0].positions.assign(t0.span.begin(), t0.span.end());
  sequence.frames[0].faces.assign(triangles.span.begin(), triangles.span.end());
  sequence.frames[1].label = "t = 1";
  sequence.frames[1].positions.assign(t1.span.begin(), t1.span.end());
  StepRecord& step = sequence.steps.emplace_back();
  for (const DeformableContact& contact : *contacts.contacts) {
    (contact.pair.kind == FeaturePairKind::EdgeEdge ? step.edge_edge : step.vertex_face) += 1;
    step.first_time = std::min(step.first_time.value_or(1.0), contact.impact.time);
    step.contacts.push_back(record_of(contact));
  }
  report->answer =
      contacts.contacts->empty()
          ? "No contact in the step."
          : std::to_string(step.vertex_face) + " vertex-face and " + std::to_string(step.edge_edge) +
                " edge-edge contacts, the first at t = " + std::to_string(*step.first_time) + ".";
  return report;
}

std::string page_of(const Report& report, std::size_t triangle_limit) {
  const py::gil_scoped_release release;
  ViewerPageOptions options;
  options.triangle_limit = triangle_limit;
  Expected<std::string> page = viewer_page(report, options);
  if (!page) throw py::value_error(page.error().message);
  return std::move(*page);
}

}  // namespace

void bind_report(py::module_& module) {
  py::class_<Report, std::shared_ptr<Report>>(module, "Report")
      .def("json", [](const Report& report) { return to_json(report); })
      .def("page", &page_of)
      .def_readonly("answer", &Report::answer);
  module.def("step_report", &step_report);
}

}  // namespace toccata::python
