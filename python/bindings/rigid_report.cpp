// Reports of answers on two rigid bodies: the library makes them, this file only hands over.
#include <pybind11/stl.h>

#include <algorithm>
#include <functional>

#include "mesh.hpp"
#include "motion.hpp"
#include "rigid.hpp"
#include "toccata/io/query_report.hpp"

namespace toccata::python {
namespace {

using MotionPointer = std::shared_ptr<Motion>;
using Solids = std::pair<bool, bool>;
using ReportPointer = std::shared_ptr<Report>;

// Two bodies and how they move, as the package holds them. Sampling asks motions that may be Python's.
template <typename Make>
ReportPointer moving_report(const Mesh& mesh_a, const MotionPointer& motion_a, const Mesh& mesh_b,
                            const MotionPointer& motion_b, const Solids& solid, const std::string& title,
                            Make make) {
  ReportPointer report;
  {
    const py::gil_scoped_release release;
    report = std::make_shared<Report>(make(report_body("a", mesh_a, motion_a, solid.first),
                                           report_body("b", mesh_b, motion_b, solid.second)));
    report->title = title;
  }
  raise_pending(*motion_a);
  raise_pending(*motion_b);
  return report;
}

ReportPointer bound_first_contact_report(const FirstContactResult& result, const Mesh& mesh_a,
                                         const MotionPointer& motion_a, const Mesh& mesh_b,
                                         const MotionPointer& motion_b, const Solids& solid,
                                         const std::string& title, int samples) {
  return moving_report(mesh_a, motion_a, mesh_b, motion_b, solid, title,
                       [&](const ReportBody& a, const ReportBody& b) {
                         return first_contact_report(a, b, result, {}, {.clearance_samples = samples});
                       });
}

ReportPointer bound_closest_approach_report(const ClosestApproachResult& result, const Mesh& mesh_a,
                                            const MotionPointer& motion_a, const Mesh& mesh_b,
                                            const MotionPointer& motion_b, const Solids& solid,
                                            const std::string& title, int samples) {
  return moving_report(mesh_a, motion_a, mesh_b, motion_b, solid, title,
                       [&](const ReportBody& a, const ReportBody& b) {
                         return closest_approach_report(a, b, result, {.clearance_samples = samples});
                       });
}

ReportPointer bound_contact_intervals_report(const ContactIntervalsResult& result, const Mesh& mesh_a,
                                             const MotionPointer& motion_a, const Mesh& mesh_b,
                                             const MotionPointer& motion_b, const Solids& solid,
                                             const std::string& title, int samples) {
  return moving_report(mesh_a, motion_a, mesh_b, motion_b, solid, title,
                       [&](const ReportBody& a, const ReportBody& b) {
                         return contact_intervals_report(a, b, result, {.clearance_samples = samples});
                       });
}

// One result per trial, each with its own motions; the first `shown` of them, no more than a person pages
// through.
ReportPointer first_contacts_report(const std::vector<std::shared_ptr<FirstContactResult>>& results,
                                    const Mesh& mesh_a, const std::vector<MotionPointer>& motions_a,
                                    const Mesh& mesh_b, const std::vector<MotionPointer>& motions_b,
                                    const Solids& solid, const std::string& title, std::size_t shown) {
  ReportPointer report;
  {
    const py::gil_scoped_release release;
    TrialCounts counts{.asked = results.size()};
    std::vector<TrialAnswer> trials;
    for (std::size_t i = 0; i < results.size(); ++i) {
      counts.add(*results[i]);
      if (i >= shown) continue;
      trials.push_back({.index = i,
                        .answer = *results[i],
                        .motion_a = std::shared_ptr<const Motion>(motions_a[i]),
                        .motion_b = std::shared_ptr<const Motion>(motions_b[i])});
    }
    ReportBody a{.name = "a", .shape = mesh_a.shape(), .solid = solid.first};
    ReportBody b{.name = "b", .shape = mesh_b.shape(), .solid = solid.second};
    // A body that does the same in every trial says so once.
    const bool same_b =
        std::adjacent_find(motions_b.begin(), motions_b.end(), std::not_equal_to<>()) == motions_b.end();
    if (same_b && !motions_b.empty()) b.motion = std::shared_ptr<const Motion>(motions_b.front());
    report = std::make_shared<Report>(trials_report(a, b, trials, counts));
    report->title = title;
  }
  for (const MotionPointer& motion : motions_a) raise_pending(*motion);
  for (const MotionPointer& motion : motions_b) raise_pending(*motion);
  return report;
}

}  // namespace

void bind_rigid_report(py::module_& module) {
  module.def("first_contact_report", &bound_first_contact_report);
  module.def("first_contacts_report", &first_contacts_report);
  module.def("closest_approach_report", &bound_closest_approach_report);
  module.def("contact_intervals_report", &bound_contact_intervals_report);
}

}  // namespace toccata::python
