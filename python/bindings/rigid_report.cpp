// Reports of answers on two rigid bodies.
#include <pybind11/stl.h>

#include <cstdio>

#include "mesh.hpp"
#include "motion.hpp"
#include "rigid.hpp"
#include "toccata/io/report_record.hpp"
#include "toccata/proximity/distance.hpp"

namespace toccata::python {
namespace {

std::string sentence_of(const FirstContactResult& result) {
  char text[160];
  switch (result.status) {
    case Status::Separated:
      return "The bodies do not touch during the motion: proven.";
    case Status::OverlapAtStart:
      return "The bodies already touch at the start.";
    case Status::OutOfBudget:
      std::snprintf(text, sizeof text, "The budget ran out; the motion is proven free up to t = %.6g.",
                    result.lower);
      return text;
    case Status::Contact:
      std::snprintf(text, sizeof text,
                    "First contact at t = %.9g, triangle %d of a against triangle %d of b.", result.time,
                    result.contact.triangle_a, result.contact.triangle_b);
      return text;
  }
  return {};
}

// The distance at sampled times, for the eye.
ClearanceRecord clearance_of(const PreparedMesh& mesh_a, const Motion& motion_a, const PreparedMesh& mesh_b,
                             const Motion& motion_b, int samples) {
  ClearanceRecord record;
  DistanceOptions options;
  options.relative_error = 1e-3;
  for (int i = 0; i <= samples; ++i) {
    const double t = static_cast<double>(i) / samples;
    record.times.push_back(t);
    record.distances.push_back(
        distance({mesh_a, motion_a.pose(t)}, {mesh_b, motion_b.pose(t)}, options).distance);
  }
  return record;
}

std::shared_ptr<Report> first_contact_report(const FirstContactResult& result, const Mesh& mesh_a,
                                             const Motion& motion_a, const Mesh& mesh_b,
                                             const Motion& motion_b, const std::string& title, int samples) {
  auto report = std::make_shared<Report>();
  {
    const py::gil_scoped_release release;
    report->query = "first_contact";
    report->title = title;
    report->answer = sentence_of(result);
    report->shapes = {record_of(mesh_a.mesh(), "a"), record_of(mesh_b.mesh(), "b")};
    report->bodies = {{"a", 0, record_of(motion_a)}, {"b", 1, record_of(motion_b)}};
    report->results = {record_of(result)};
    if (samples > 0 && !mesh_a.mesh().faces.empty() && !mesh_b.mesh().faces.empty()) {
      report->results[0].clearance =
          clearance_of(mesh_a.prepared(), motion_a, mesh_b.prepared(), motion_b, samples);
    }
    report->counts = {{"pairs of boxes", static_cast<std::uint64_t>(result.stats.node_pairs)},
                      {"pairs of triangles", static_cast<std::uint64_t>(result.stats.triangle_pairs)}};
  }
  raise_pending(motion_a);
  raise_pending(motion_b);
  return report;
}

}  // namespace

void bind_rigid_report(py::module_& module) {
  module.def("first_contact_report", &first_contact_report);
}

}  // namespace toccata::python
