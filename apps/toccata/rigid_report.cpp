#include "rigid_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "toccata/bound/obb.hpp"
#include "toccata/ccd/rigid/closest_approach.hpp"
#include "toccata/ccd/rigid/contact_intervals.hpp"
#include "toccata/hierarchy/hierarchy.hpp"
#include "toccata/io/report_record.hpp"

namespace toccata::app {
namespace {

ShapeRecord shape_record(const RigidSide& side) {
  return record_of(side.body.shape.mesh(), std::filesystem::path(side.source).filename().string(),
                   side.source);
}

// The distance with both bodies held still.
double clearance_at(const RigidSide& a, const RigidSide& b, double t) {
  const ClosestApproachResult still =
      closest_approach({a.body.shape, a.body.motion->pose(t)}, {b.body.shape, b.body.motion->pose(t)},
                       {.relative_tolerance = 1e-4});
  return still.status == Status::Separated ? still.distance : 0.0;
}

ClearanceRecord sampled_clearance(const RigidSide& a, const RigidSide& b, double contact_time, int samples) {
  ClearanceRecord record;
  for (int i = 0; i <= samples; ++i) record.times.push_back(static_cast<double>(i) / samples);
  // The moment itself, so that the curve comes down where the contact is.
  if (contact_time > 0.0 && contact_time < 1.0) record.times.push_back(contact_time);
  std::sort(record.times.begin(), record.times.end());
  for (const double t : record.times) record.distances.push_back(clearance_at(a, b, t));
  return record;
}

HierarchyRecord::Box box_record(const Obb& box) {
  return {.center = box.center, .axes = box.axes, .half = box.half};
}

HierarchyRecord hierarchy_record(const Shape& shape, int body, int levels) {
  const Hierarchy<Obb> tree(shape.mesh(), {.leaf_size = 8});
  HierarchyRecord record{.body = body, .volume = "obb", .levels = {}};
  std::vector<std::int32_t> nodes = {0};
  for (int level = 0; level < levels && !tree.empty(); ++level) {
    std::vector<HierarchyRecord::Box> boxes;
    std::vector<std::int32_t> next;
    for (const std::int32_t index : nodes) {
      const auto& node = tree.nodes()[index];
      boxes.push_back(box_record(node.volume));
      if (node.is_leaf()) {
        next.push_back(index);
      } else {
        next.insert(next.end(), {index + 1, node.right});
      }
    }
    record.levels.push_back(std::move(boxes));
    if (next == nodes) break;
    nodes = std::move(next);
  }
  return record;
}

}  // namespace

Report rigid_scene_report(const RigidSide& a, const RigidSide& b) {
  Report report;
  report.query = "first_contact";
  const auto title = [](const RigidSide& side) {
    return side.source.empty() ? side.name : std::filesystem::path(side.source).filename().string();
  };
  report.title = title(a) + " and " + title(b);
  const bool same = &a.body.shape.data() == &b.body.shape.data();
  report.shapes.push_back(shape_record(a));
  if (!same) report.shapes.push_back(shape_record(b));
  report.bodies.push_back({a.name, 0, record_of(*a.body.motion)});
  report.bodies.push_back({b.name, same ? 0 : 1, record_of(*b.body.motion)});
  return report;
}

Report rigid_report(const RigidSide& a, const RigidSide& b, const FirstContactResult& answer,
                    const RigidReportOptions& options) {
  Report report = rigid_scene_report(a, b);
  ResultRecord result = record_of(answer);
  if (answer.status == Status::Separated) {
    result.closest_approach = closest_approach(a.body, b.body, {.tolerance = options.tolerance});
  } else if (options.intervals && answer.status != Status::OutOfBudget) {
    result.intervals =
        contact_intervals(a.body, b.body, {.tolerance = options.tolerance, .time_resolution = 1e-4})
            .intervals;
  }
  if (options.clearance_samples > 0) {
    const double moment = answer.status == Status::Contact ? answer.time : 0.0;
    result.clearance = sampled_clearance(a, b, moment, options.clearance_samples);
  }
  const std::uint64_t all = a.body.shape.mesh().faces.size() * b.body.shape.mesh().faces.size();
  report.stages = {{"all pairs of triangles", all, {}},
                   {"pairs of boxes tested", static_cast<std::uint64_t>(answer.stats.node_pairs), {}},
                   {"pairs of triangles tested", static_cast<std::uint64_t>(answer.stats.piece_pairs), {}}};
  if (options.hierarchy_levels > 0) {
    report.hierarchies.push_back(hierarchy_record(a.body.shape, 0, options.hierarchy_levels));
    report.hierarchies.push_back(hierarchy_record(b.body.shape, 1, options.hierarchy_levels));
  }
  report.answer = rigid_sentence(result);
  report.results.push_back(std::move(result));
  return report;
}

std::string rigid_sentence(const ResultRecord& result) {
  switch (result.status) {
    case Status::Contact:
      return fmt::format("They first touch at t = {:.9f}.", result.time);
    case Status::OverlapAtStart:
      return "They already touch at the start.";
    case Status::OutOfBudget:
      return fmt::format("Out of budget: proven apart up to t = {:.9f}.", result.time);
    case Status::Separated:
      if (!result.closest_approach) return "They do not touch.";
      return fmt::format("They do not touch. The smallest clearance is {:.6g}, at t = {:.4f}.",
                         result.closest_approach->distance, result.closest_approach->time);
    case Status::Failed:
      return "The question could not be asked.";
  }
  return "";
}

}  // namespace toccata::app
