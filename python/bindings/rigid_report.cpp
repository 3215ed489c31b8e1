// Reports of answers on two rigid bodies.
#include <pybind11/stl.h>

#include <cstdio>

#include "mesh.hpp"
#include "motion.hpp"
#include "rigid.hpp"
#include "toccata/base/parallel.hpp"
#include "toccata/io/report_record.hpp"

namespace toccata::python {
namespace {

std::string sentence_of(const FirstContactResult& result) {
  char text[160];
  switch (result.status) {
    case Status::Separated: return "The bodies do not touch during the motion: proven.";
    case Status::OverlapAtStart: return "The bodies already touch at the start.";
    case Status::OutOfBudget:
      std::snprintf(text, sizeof text, "The budget ran out; the motion is proven free up to t = %.6g.",
                    result.lower);
      return text;
    case Status::Contact:
      std::snprintf(text, sizeof text, "First contact at t = %.9g, triangle %d of a against triangle %d of b.",
                    result.time, result.contact.triangle_a, result.contact.triangle_b);
      return text;
  }
  return {};
}

// The distance at sampled times, each by a query on the bodies at rest.
ClearanceRecord clearance_of(const RigidShape& shape_a, const Motion& motion_a, const RigidShape& shape_b,
                             const Motion& motion_b, int samples) {
  ClearanceRecord record;
  const auto count = static_cast<std::size_t>(samples) + 1;
  std::vector<RigidMotion> poses_a, poses_b;  // asked for here: a Python motion wants one thread at a time
  for (std::size_t i = 0; i < count; ++i) {
    record.times.push_back(static_cast<double>(i) / samples);
    poses_a.push_back(RigidMotion::fixed(motion_a.pose(record.times[i])));
    poses_b.push_back(RigidMotion::fixed(motion_b.pose(record.times[i])));
  }
  record.distances.resize(count);
  ClosestApproachOptions options;
  options.tolerance = -1e-4;
  parallel_blocks(count, 1, 0, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      record.distances[i] = closest_approach(shape_a, poses_a[i], shape_b, poses_b[i], options).distance;
    }
  });
  return record;
}

std::shared_ptr<Report> first_contact_report(const FirstContactResult& result, const Mesh& mesh_a,
                                             const Motion& motion_a, const Mesh& mesh_b, const Motion& motion_b,
                                             const std::string& title, int samples) {
  auto report = std::make_shared<Report>();
  {
    const py::gil_scoped_release release;
    report->query = "first_contact";
    report->title = title;
    report->answer = sentence_of(result);
    report->shapes = {record_of(mesh_a.mesh(), "a"), record_of(mesh_b.mesh(), "b")};
    report->bodies = {{"a", 0, record_of(motion_a)}, {"b", 1, record_of(motion_b)}};
    report->results = {record_of(result)};
    if (samples > 0) {
      report->results[0].clearance = clearance_of(mesh_a.shape(), motion_a, mesh_b.shape(), motion_b, samples);
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
