// Reports of answers on two rigid bodies: the library makes them, this file only hands over.
#include <pybind11/stl.h>

#include <algorithm>
#include <functional>

#include "batch.hpp"
#include "rigid.hpp"
#include "toccata/io/query_report.hpp"

namespace toccata::python {
namespace {

using Solids = std::pair<bool, bool>;
using Names = std::pair<std::string, std::string>;
using ReportPointer = std::shared_ptr<Report>;

// Two bodies and how they move, as the package holds them. Sampling asks motions that may be Python's.
template <typename Make>
ReportPointer moving_report(const AnyShape& shape_a, const MotionPointer& motion_a, const AnyShape& shape_b,
                            const MotionPointer& motion_b, const Solids& solid, const Names& names,
                            const std::string& title, Make make) {
  ReportPointer report;
  {
    const py::gil_scoped_release release;
    report = std::make_shared<Report>(make(report_body(names.first, shape_a, motion_a, solid.first),
                                           report_body(names.second, shape_b, motion_b, solid.second)));
    report->title = title;
  }
  raise_pending(*motion_a);
  raise_pending(*motion_b);
  return report;
}

ReportPointer bound_first_contact_report(const FirstContactResult& result, const AnyShape& shape_a,
                                         const MotionPointer& motion_a, const AnyShape& shape_b,
                                         const MotionPointer& motion_b, const Solids& solid,
                                         const Names& names, const std::string& title, int samples) {
  return moving_report(shape_a, motion_a, shape_b, motion_b, solid, names, title,
                       [&](const ReportBody& a, const ReportBody& b) {
                         return first_contact_report(a, b, result, {}, {.clearance_samples = samples});
                       });
}

ReportPointer bound_closest_approach_report(const ClosestApproachResult& result, const AnyShape& shape_a,
                                            const MotionPointer& motion_a, const AnyShape& shape_b,
                                            const MotionPointer& motion_b, const Solids& solid,
                                            const Names& names, const std::string& title, int samples) {
  return moving_report(shape_a, motion_a, shape_b, motion_b, solid, names, title,
                       [&](const ReportBody& a, const ReportBody& b) {
                         return closest_approach_report(a, b, result, {.clearance_samples = samples});
                       });
}

ReportPointer bound_contact_intervals_report(const ContactIntervalsResult& result, const AnyShape& shape_a,
                                             const MotionPointer& motion_a, const AnyShape& shape_b,
                                             const MotionPointer& motion_b, const Solids& solid,
                                             const Names& names, const std::string& title, int samples) {
  return moving_report(shape_a, motion_a, shape_b, motion_b, solid, names, title,
                       [&](const ReportBody& a, const ReportBody& b) {
                         return contact_intervals_report(a, b, result, {.clearance_samples = samples});
                       });
}

// One result per row of the batch that is asked for, each with its own motions; the first `shown` of them, no
// more than a person pages through.
ReportPointer first_contacts_report(const Batch<FirstContactResult>& batch,
                                    const std::vector<std::size_t>& rows, const AnyShape& shape_a,
                                    const MotionList& motions_a, const AnyShape& shape_b,
                                    const MotionList& motions_b, const Solids& solid, const Names& names,
                                    const std::string& title, std::size_t shown) {
  ReportPointer report;
  {
    const py::gil_scoped_release release;
    TrialCounts counts{.asked = rows.size()};
    std::vector<TrialAnswer> trials;
    for (const std::size_t i : rows) {
      counts.add(batch[i]);
      if (trials.size() >= shown) continue;
      trials.push_back({.index = i,
                        .answer = batch[i],
                        .motion_a = std::shared_ptr<const Motion>(motions_a[i]),
                        .motion_b = std::shared_ptr<const Motion>(motions_b[i])});
    }
    ReportBody a{.name = names.first, .shape = shape_a.shape(), .solid = solid.first};
    ReportBody b{.name = names.second, .shape = shape_b.shape(), .solid = solid.second};
    // A body that does the same in every trial says so once.
    const auto& all_b = motions_b.motions();
    const bool same_b = std::adjacent_find(all_b.begin(), all_b.end(), std::not_equal_to<>()) == all_b.end();
    if (same_b && !all_b.empty()) b.motion = std::shared_ptr<const Motion>(all_b.front());
    report = std::make_shared<Report>(trials_report(a, b, trials, counts));
    report->title = title;
  }
  motions_a.raise_pending();
  motions_b.raise_pending();
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
