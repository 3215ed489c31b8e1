#include "toccata/io/query_report.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <utility>

#include "toccata/bound/obb.hpp"
#include "toccata/elementary/triangle_triangle.hpp"
#include "toccata/hierarchy/hierarchy.hpp"
#include "toccata/io/report_record.hpp"

namespace toccata {
namespace {

// A picture of more contacts of one answer than this does not help the eye.
constexpr std::size_t shown_pairs = 20'000;

std::string file_name(const ReportBody& body) {
  return body.source.empty() ? body.name : std::filesystem::path(body.source).filename().string();
}

// Bodies 0 and 1, and no answer yet. One shape used twice is stored once.
Report scene_report(const char* query, const ReportBody& a, const ReportBody& b) {
  Report report;
  report.query = query;
  report.title = file_name(a) + " and " + file_name(b);
  const bool same = &a.shape.data() == &b.shape.data();
  report.shapes.push_back(record_of(a.shape, file_name(a), a.source));
  if (!same) report.shapes.push_back(record_of(b.shape, file_name(b), b.source));
  report.bodies.push_back({a.name, 0, record_of(*a.motion), a.solid});
  report.bodies.push_back({b.name, same ? 0 : 1, record_of(*b.motion), b.solid});
  return report;
}

// The distance with both bodies held still: 0 as well where one is inside a solid.
double clearance_at(const ReportBody& a, const ReportBody& b, double t) {
  const PlacedShape placed_a(a.shape, a.motion->pose(t)), placed_b(b.shape, b.motion->pose(t));
  const double apart = distance(placed_a, placed_b, {.relative_error = 1e-3}).distance;
  if (!(apart > 0.0)) return 0.0;
  if (b.solid && containment(placed_a, placed_b) == Containment::Inside) return 0.0;
  if (a.solid && containment(placed_b, placed_a) == Containment::Inside) return 0.0;
  return apart;
}

ClearanceRecord sampled_clearance(const ReportBody& a, const ReportBody& b, double contact_time,
                                  int samples) {
  ClearanceRecord record;
  if (samples <= 0 || a.shape.piece_count() == 0 || b.shape.piece_count() == 0) return record;
  for (int i = 0; i <= samples; ++i) record.times.push_back(static_cast<double>(i) / samples);
  // The moment itself, so that the curve comes down where the contact is.
  if (contact_time > 0.0 && contact_time < 1.0) record.times.push_back(contact_time);
  std::sort(record.times.begin(), record.times.end());
  record.times.erase(std::unique(record.times.begin(), record.times.end()), record.times.end());
  for (const double t : record.times) record.distances.push_back(clearance_at(a, b, t));
  return record;
}

HierarchyRecord hierarchy_record(const TriangleMesh& mesh, int body, int levels) {
  const Hierarchy<Obb> tree(mesh, {.leaf_size = 8});
  HierarchyRecord record{.body = body, .volume = "obb", .levels = {}};
  std::vector<std::int32_t> nodes = {0};
  for (int level = 0; level < levels && !tree.empty(); ++level) {
    std::vector<HierarchyRecord::Box> boxes;
    std::vector<std::int32_t> next;
    for (const std::int32_t index : nodes) {
      const auto& node = tree.nodes()[static_cast<std::size_t>(index)];
      boxes.push_back({.center = node.volume.center, .axes = node.volume.axes, .half = node.volume.half});
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

void add_work(const ReportBody& a, const ReportBody& b, const QueryStats& stats, Report& report) {
  const auto all =
      static_cast<std::uint64_t>(a.shape.piece_count()) * static_cast<std::uint64_t>(b.shape.piece_count());
  const std::string pieces = a.shape.is_mesh() && b.shape.is_mesh() ? "triangles" : "pieces";
  report.stages = {{"all pairs of " + pieces, all, {}},
                   {"pairs of boxes tested", static_cast<std::uint64_t>(stats.node_pairs), {}},
                   {"pairs of " + pieces + " tested", static_cast<std::uint64_t>(stats.piece_pairs), {}}};
}

// What all answers on moving bodies have in common.
void finish(const ReportBody& a, const ReportBody& b, const QueryStats& stats,
            const QueryReportOptions& options, ResultRecord result, Report& report) {
  const double moment = result.status == Status::Contact      ? result.time
                        : result.closest_approach.has_value() ? result.closest_approach->time
                                                              : 0.0;
  if (result.status != Status::Failed)
    result.clearance = sampled_clearance(a, b, moment, options.clearance_samples);
  add_work(a, b, stats, report);
  add_hierarchies(report, options.hierarchy_levels);
  report.answer = result.sentence;
  report.results.push_back(std::move(result));
}

ResultRecord first_contact_record(const FirstContactResult& answer,
                                  const std::optional<ClosestApproachResult>& closest, const MeshPair& meshes,
                                  const BodyNames& names) {
  ResultRecord result = record_of(answer, meshes);
  const bool apart = closest && answer.status == Status::Separated && std::isfinite(closest->distance);
  if (apart) result.closest_approach = closest_approach_record(*closest, meshes);
  result.sentence = apart ? sentence(answer, *closest, names) : sentence(answer, names);
  return result;
}

void add_resting_result(ResultRecord result, Report& report) {
  result.sentence = report.answer;
  report.results.push_back(std::move(result));
}

// A mesh that deforms as it is at t; of others none.
TriangleMesh deformed_mesh(const ReportBody& body, double t) {
  if (body.positions_t1.empty()) return {};
  TriangleMesh mesh = body.shape.mesh();
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    mesh.vertices[i] += t * (body.positions_t1[i] - mesh.vertices[i]);
  return mesh;
}

Triangle world_triangle(const ReportBody& body, std::int32_t index) {
  return transformed(body.motion->pose(0.0), triangle_of(body.shape.mesh(), static_cast<std::size_t>(index)));
}

}  // namespace

MeshPair meshes_of(const ReportBody& a, const ReportBody& b) {
  return {a.shape.is_mesh() ? &a.shape.mesh() : nullptr, b.shape.is_mesh() ? &b.shape.mesh() : nullptr};
}

void add_hierarchies(Report& report, int levels) {
  if (levels <= 0 || !report.hierarchies.empty()) return;
  for (std::size_t i = 0; i < report.bodies.size(); ++i) {
    const ShapeRecord& shape = report.shapes[static_cast<std::size_t>(report.bodies[i].shape)];
    if (!shape.mesh || shape.mesh->faces.empty()) continue;
    report.hierarchies.push_back(hierarchy_record(*shape.mesh, static_cast<int>(i), levels));
  }
}

Report first_contact_report(const ReportBody& a, const ReportBody& b, const FirstContactResult& answer,
                            const FirstContactExtras& extras, const QueryReportOptions& options) {
  Report report = scene_report("first_contact", a, b);
  ResultRecord result = first_contact_record(answer, extras.closest, meshes_of(a, b), {a.name, b.name});
  result.intervals = extras.intervals;
  finish(a, b, answer.stats, options, std::move(result), report);
  return report;
}

Report closest_approach_report(const ReportBody& a, const ReportBody& b, const ClosestApproachResult& answer,
                               const QueryReportOptions& options) {
  Report report = scene_report("closest_approach", a, b);
  ResultRecord result = record_of(answer, meshes_of(a, b));
  result.sentence = sentence(answer, {a.name, b.name});
  finish(a, b, answer.stats, options, std::move(result), report);
  return report;
}

Report contact_intervals_report(const ReportBody& a, const ReportBody& b,
                                const ContactIntervalsResult& answer, const QueryReportOptions& options) {
  Report report = scene_report("contact_intervals", a, b);
  ResultRecord result = record_of(answer);
  result.sentence = sentence(answer);
  finish(a, b, answer.stats, options, std::move(result), report);
  return report;
}

Report trials_report(const ReportBody& a, const ReportBody& b, std::span<const TrialAnswer> shown,
                     const TrialCounts& counts) {
  Report report = scene_report("first_contact", a, b);
  report.answer = sentence(counts);
  if (shown.size() < counts.answered)
    report.answer += " The first " + std::to_string(shown.size()) + " are shown.";
  for (const TrialAnswer& trial : shown) {
    ResultRecord result =
        first_contact_record(trial.answer, trial.closest, meshes_of(a, b), {a.name, b.name});
    result.label = trial_label(trial.index);
    // Motions that are the body's own are not repeated.
    if (trial.motion_a.shared() != a.motion.shared()) result.motion_a = record_of(*trial.motion_a);
    if (trial.motion_b.shared() != b.motion.shared()) result.motion_b = record_of(*trial.motion_b);
    result.microseconds = trial.microseconds;
    report.results.push_back(std::move(result));
  }
  return report;
}

Report distance_report(const ReportBody& a, const ReportBody& b, const DistanceResult& answer) {
  Report report = scene_report("distance", a, b);
  report.answer = sentence(answer);
  if (std::isfinite(answer.distance))
    add_resting_result(record_of_distance(answer.contact, meshes_of(a, b)), report);
  return report;
}

Report within_report(const ReportBody& a, const ReportBody& b, const WithinResult& answer, double limit) {
  Report report = scene_report("distance", a, b);
  report.answer = sentence(answer, limit);
  if (answer.within) add_resting_result(record_of_distance(answer.contact, meshes_of(a, b)), report);
  return report;
}

ContactRecord meeting_point(const ReportBody& a, const ReportBody& b, const TrianglePair& pair) {
  const TriangleTriangleDistance place =
      triangle_triangle_distance(world_triangle(a, pair.a), world_triangle(b, pair.b));
  Contact contact;
  contact.point_a = place.point_a;
  contact.point_b = place.point_b;
  contact.feature_a = {place.feature_a.kind, place.feature_a.index, pair.a};
  contact.feature_b = {place.feature_b.kind, place.feature_b.index, pair.b};
  return record_of(contact, meshes_of(a, b));
}

Report intersects_report(const ReportBody& a, const ReportBody& b, const IntersectsResult& answer,
                         Containment a_in_b, Containment b_in_a) {
  Report report = scene_report("intersect", a, b);
  const bool are_meshes = a.shape.is_mesh() && b.shape.is_mesh();
  report.answer = are_meshes ? sentence(answer, a_in_b, b_in_a, {a.name, b.name})
                             : solid_sentence(answer, a_in_b, b_in_a, {a.name, b.name});
  ResultRecord result;
  result.status = answer.intersects ? Status::OverlapAtStart : Status::Separated;
  if (a_in_b == Containment::Inside) result.inside = Inside::FirstInSecond;
  if (b_in_a == Containment::Inside) result.inside = Inside::SecondInFirst;
  result.time = result.lower = result.upper = 0.0;
  if (answer.intersects) result.distance = 0.0;
  if (answer.intersects && !are_meshes) {
    const Contact contact = distance({a.shape, a.motion->pose(0.0)}, {b.shape, b.motion->pose(0.0)}).contact;
    result.contacts.push_back(record_of(contact, meshes_of(a, b)));
  }
  // One point of each pair that meets.
  for (std::size_t i = 0; are_meshes && i < std::min(answer.pairs.size(), shown_pairs); ++i) {
    result.contacts.push_back(meeting_point(a, b, answer.pairs[i]));
  }
  add_resting_result(std::move(result), report);
  report.counts = {{"pairs of triangles that meet", answer.pairs.size()},
                   {"pairs of boxes tested", static_cast<std::uint64_t>(answer.stats.node_pairs)},
                   {"pairs of triangles tested", static_cast<std::uint64_t>(answer.stats.piece_pairs)}};
  report.options = {{a.name + " in " + b.name, std::string(to_string(a_in_b))},
                    {b.name + " in " + a.name, std::string(to_string(b_in_a))}};
  return report;
}

Report penetration_report(const ReportBody& a, const ReportBody& b, const PenetrationResult& answer,
                          const ApartAnswer& apart) {
  Report report = scene_report("penetration", a, b);
  report.answer = sentence(answer, apart, {a.name, b.name});
  ResultRecord result;
  result.status = answer.status;
  result.failure = answer.failure;
  result.time = result.lower = result.upper = 0.0;
  if (apart.a_in_b == Containment::Inside) result.inside = Inside::FirstInSecond;
  if (apart.b_in_a == Containment::Inside) result.inside = Inside::SecondInFirst;
  if (answer.status == Status::OverlapAtStart) {
    result.distance = 0.0;
    result.contacts.push_back(record_of(answer.contact, meshes_of(a, b)));
    if (std::isfinite(answer.upper_depth)) result.depth = {answer.lower_depth, answer.upper_depth};
  } else if (std::isfinite(apart.distance.distance)) {
    result.distance = apart.distance.distance;
    result.contacts.push_back(record_of(apart.distance.contact, meshes_of(a, b)));
  }
  add_resting_result(std::move(result), report);
  return report;
}

Report world_report(std::span<const ReportBody> bodies, const WorldEventsResult& answer) {
  Report report;
  report.query = "world";
  report.title = plural(bodies.size(), "body");
  std::map<const ShapeData*, int> known;
  for (const ReportBody& body : bodies) {
    int shape = static_cast<int>(report.shapes.size());
    // What deforms has its shape for itself.
    if (body.positions_t1.empty()) shape = known.try_emplace(&body.shape.data(), shape).first->second;
    if (shape == static_cast<int>(report.shapes.size())) {
      report.shapes.push_back(record_of(body.shape, file_name(body), body.source));
      report.shapes.back().positions_t1 = body.positions_t1;
    }
    report.bodies.push_back({body.name, shape, record_of(*body.motion), body.solid});
  }
  report.answer = sentence(answer);
  for (const WorldEvent& event : answer.events) {
    const ReportBody &a = bodies[static_cast<std::size_t>(event.body_a)],
                     &b = bodies[static_cast<std::size_t>(event.body_b)];
    ResultRecord result;
    result.label = a.name + " and " + b.name;
    result.sentence = sentence(event, {a.name, b.name});
    result.body_a = event.body_a;
    result.body_b = event.body_b;
    result.status = event.status;
    result.inside = event.inside;
    result.time = event.time;
    result.lower = event.lower;
    result.upper = event.upper;
    result.distance = event.inside == Inside::None ? event.contact.distance : 0.0;
    const TriangleMesh deformed_a = deformed_mesh(a, event.time), deformed_b = deformed_mesh(b, event.time);
    MeshPair meshes = meshes_of(a, b);
    if (!deformed_a.faces.empty()) meshes.a = &deformed_a;
    if (!deformed_b.faces.empty()) meshes.b = &deformed_b;
    result.contacts.push_back(record_of(event.contact, meshes));
    report.results.push_back(std::move(result));
  }
  const auto all = static_cast<std::uint64_t>(bodies.size()) *
                   (bodies.size() - std::min<std::size_t>(1, bodies.size())) / 2;
  report.stages = {{"all pairs of bodies", all, {}},
                   {"pairs whose boxes overlap", static_cast<std::uint64_t>(answer.near_pairs), {}},
                   {"pairs solved", static_cast<std::uint64_t>(answer.solved_pairs), {}},
                   {"pairs that touch", static_cast<std::uint64_t>(answer.events.size()), {}}};
  return report;
}

Report step_report(const DeformingStep& step, std::span<const DeformableContact> contacts) {
  Report report;
  report.query = "sequence";
  report.title = "Contacts of a step";
  SequenceRecord& sequence = report.sequence.emplace();
  sequence.frames = {
      {.label = "t = 0",
       .positions = {step.positions_t0.begin(), step.positions_t0.end()},
       .faces = {step.faces.begin(), step.faces.end()}},
      {.label = "t = 1", .positions = {step.positions_t1.begin(), step.positions_t1.end()}, .faces = {}}};
  StepRecord& record = sequence.steps.emplace_back();
  for (const DeformableContact& contact : contacts) {
    count(contact, record);
    record.contacts.push_back(record_of(contact));
  }
  if (!step.complete) record.proven_until = 0.0;
  report.answer = sentence(record);
  return report;
}

}  // namespace toccata
