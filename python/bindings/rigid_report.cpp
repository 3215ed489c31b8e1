// Reports of answers on two rigid bodies.
#include <pybind11/stl.h>

#include <cstdio>

#include "mesh.hpp"
#include "motion.hpp"
#include "rigid.hpp"
#include "toccata/io/report_record.hpp"
#include "toccata/motion/rigid_motion.hpp"
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
    case Status::Failed:
      return result.failure;
    case Status::Contact:
      std::snprintf(text, sizeof text,
                    "First contact at t = %.9g, triangle %d of a against triangle %d of b.", result.time,
                    result.contact.feature_a.part, result.contact.feature_b.part);
      return text;
  }
  return {};
}

// The distance at sampled times, for the eye.
ClearanceRecord clearance_of(const Shape& mesh_a, const Motion& motion_a, const Shape& mesh_b,
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

// Two bodies and how they move, as the package holds them.
struct Scene {
  const Mesh& mesh_a;
  const Motion& motion_a;
  const Mesh& mesh_b;
  const Motion& motion_b;

  void raise_pending() const {
    python::raise_pending(motion_a);
    python::raise_pending(motion_b);
  }
};

std::shared_ptr<Report> scene_report(const Scene& scene, const char* query, const std::string& title) {
  auto report = std::make_shared<Report>();
  report->query = query;
  report->title = title;
  report->shapes = {record_of(scene.mesh_a.mesh(), "a"), record_of(scene.mesh_b.mesh(), "b")};
  report->bodies = {{"a", 0, record_of(scene.motion_a)}, {"b", 1, record_of(scene.motion_b)}};
  return report;
}

void add_clearance(const Scene& scene, int samples, ResultRecord& result) {
  if (samples == 0 || scene.mesh_a.mesh().faces.empty() || scene.mesh_b.mesh().faces.empty()) return;
  result.clearance =
      clearance_of(scene.mesh_a.shape(), scene.motion_a, scene.mesh_b.shape(), scene.motion_b, samples);
}

void add_work(const QueryStats& stats, Report& report) {
  report.counts = {{"pairs of boxes", static_cast<std::uint64_t>(stats.node_pairs)},
                   {"pairs of triangles", static_cast<std::uint64_t>(stats.piece_pairs)}};
}

std::shared_ptr<Report> first_contact_report(const FirstContactResult& result, const Mesh& mesh_a,
                                             const Motion& motion_a, const Mesh& mesh_b,
                                             const Motion& motion_b, const std::string& title, int samples) {
  const Scene scene{mesh_a, motion_a, mesh_b, motion_b};
  std::shared_ptr<Report> report;
  {
    const py::gil_scoped_release release;
    report = scene_report(scene, "first_contact", title);
    report->answer = sentence_of(result);
    report->results = {record_of(result)};
    add_clearance(scene, samples, report->results[0]);
    add_work(result.stats, *report);
  }
  scene.raise_pending();
  return report;
}

std::shared_ptr<Report> closest_approach_report(const ClosestApproachResult& result, const Mesh& mesh_a,
                                                const Motion& motion_a, const Mesh& mesh_b,
                                                const Motion& motion_b, const std::string& title,
                                                int samples) {
  const Scene scene{mesh_a, motion_a, mesh_b, motion_b};
  std::shared_ptr<Report> report;
  {
    const py::gil_scoped_release release;
    report = scene_report(scene, "closest_approach", title);
    ResultRecord& record = report->results.emplace_back();
    record.status = result.status;
    char text[120];
    if (result.status == Status::Separated) {
      std::snprintf(text, sizeof text, "The bodies stay apart; they are closest at t = %.6g, %.6g apart.",
                    result.time, result.distance);
      record.closest_approach = result;
    } else if (result.status == Status::OutOfBudget) {
      std::snprintf(text, sizeof text, "The budget ran out; the closest found is %.6g at t = %.6g.",
                    result.distance, result.time);
    } else {
      std::snprintf(text, sizeof text, "The bodies touch, first at t = %.9g.", result.time);
      record.time = record.lower = record.upper = result.time;
      record.distance = result.distance;
      record.contacts = {result.contact};
    }
    report->answer = text;
    add_clearance(scene, samples, record);
    add_work(result.stats, *report);
  }
  scene.raise_pending();
  return report;
}

std::string sentence_of(const ContactIntervalsResult& result) {
  char text[120];
  if (result.intervals.empty()) return "The bodies do not touch during the motion: proven.";
  const ContactInterval& first = result.intervals.front();
  if (result.intervals.size() == 1) {
    std::snprintf(text, sizeof text, "The bodies touch from t = %.6g to t = %.6g.", first.begin_lower,
                  first.end_upper);
  } else {
    std::snprintf(text, sizeof text, "The bodies touch %zu times, first from t = %.6g to t = %.6g.",
                  result.intervals.size(), first.begin_lower, first.end_upper);
  }
  return text;
}

std::shared_ptr<Report> contact_intervals_report(const ContactIntervalsResult& result, const Mesh& mesh_a,
                                                 const Motion& motion_a, const Mesh& mesh_b,
                                                 const Motion& motion_b, const std::string& title,
                                                 int samples) {
  const Scene scene{mesh_a, motion_a, mesh_b, motion_b};
  std::shared_ptr<Report> report;
  {
    const py::gil_scoped_release release;
    report = scene_report(scene, "contact_intervals", title);
    report->answer = sentence_of(result);
    ResultRecord& record = report->results.emplace_back();
    record.status = result.status;
    record.intervals = result.intervals;
    if (!result.intervals.empty()) {
      record.time = record.lower = result.intervals.front().begin_lower;
      record.upper = result.intervals.front().begin_upper;
    }
    add_clearance(scene, samples, record);
    add_work(result.stats, *report);
  }
  scene.raise_pending();
  return report;
}

// One result a trial, each with its own motions; no more than a person pages through.
std::shared_ptr<Report> first_contacts_report(const std::vector<std::shared_ptr<FirstContactResult>>& results,
                                              const Mesh& mesh_a,
                                              const std::vector<std::shared_ptr<Motion>>& motions_a,
                                              const Mesh& mesh_b,
                                              const std::vector<std::shared_ptr<Motion>>& motions_b,
                                              const std::string& title, const std::string& answer) {
  const RigidMotion resting;
  std::shared_ptr<Report> report;
  {
    const py::gil_scoped_release release;
    report = scene_report({mesh_a, resting, mesh_b, resting}, "first_contact", title);
    report->answer = answer;
    for (std::size_t i = 0; i < results.size(); ++i) {
      ResultRecord record = record_of(*results[i]);
      record.label = "trial " + std::to_string(i);
      record.motion_a = record_of(*motions_a[i]);
      record.motion_b = record_of(*motions_b[i]);
      report->results.push_back(std::move(record));
    }
  }
  for (const auto& motion : motions_a) raise_pending(*motion);
  for (const auto& motion : motions_b) raise_pending(*motion);
  return report;
}

}  // namespace

void bind_rigid_report(py::module_& module) {
  module.def("first_contact_report", &first_contact_report);
  module.def("first_contacts_report", &first_contacts_report);
  module.def("closest_approach_report", &closest_approach_report);
  module.def("contact_intervals_report", &contact_intervals_report);
}

}  // namespace toccata::python
