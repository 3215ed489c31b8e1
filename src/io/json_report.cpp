#include <Eigen/Geometry>
#include <fstream>
#include <nlohmann/json.hpp>

#include "io/json_array.hpp"
#include "io/json_report_parts.hpp"
#include "toccata/io/report_json.hpp"
#include "toccata/io/sentence.hpp"

namespace toccata {
namespace {

using Json = nlohmann::ordered_json;

Json list(const Vector3& v) {
  return Json::array({v.x(), v.y(), v.z()});
}

Json pose_json(const Pose& pose) {
  Json rotation = Json::array();
  for (int row = 0; row < 3; ++row) rotation.push_back(list(pose.rotation.row(row).transpose()));
  return {{"rotation", rotation}, {"translation", list(pose.translation)}};
}

Json motion_json(const FixedMotionRecord& m) {
  return {{"type", "fixed"}, {"pose", pose_json(m.pose)}};
}

// Axis and angle beside the angular velocity that the motion keeps: what formulas are written with.
Json motion_json(const LinearMotionRecord& m) {
  const double angle = m.angular_velocity.norm();
  const Vector3 axis = angle > 0.0 ? Vector3(m.angular_velocity / angle) : Vector3::UnitZ();
  return {{"type", "linear"},
          {"from", pose_json(m.from)},
          {"reference", list(m.reference)},
          {"displacement", list(m.displacement)},
          {"axis", list(axis)},
          {"angle", angle},
          {"angular_velocity", list(m.angular_velocity)}};
}

// A point on the axis and the advance along it beside the velocity that the motion keeps.
Json motion_json(const ScrewMotionRecord& m) {
  Vector3 point = m.from.translation;
  if (m.angle != 0.0) point += m.axis.cross(m.velocity) / m.angle;
  return {{"type", "screw"},
          {"from", pose_json(m.from)},
          {"point", list(point)},
          {"axis", list(m.axis)},
          {"angle", m.angle},
          {"advance", m.axis.dot(m.velocity)},
          {"velocity", list(m.velocity)}};
}

Json motion_json(const SampledMotionRecord& m) {
  Json poses = Json::array();
  for (const Pose& pose : m.poses) poses.push_back(pose_json(pose));
  return {{"type", "sampled"}, {"times", m.times}, {"poses", poses}};
}

Json motion_json(const PiecewiseMotionRecord& m) {
  Json segments = Json::array();
  for (const MotionSegmentRecord& segment : m.segments) {
    segments.push_back(std::visit([](const auto& part) { return motion_json(part); }, segment));
  }
  return {{"type", "piecewise"}, {"times", m.times}, {"segments", segments}};
}

Json motion_json(const MotionRecord& motion) {
  return std::visit([](const auto& m) { return motion_json(m); }, motion);
}

template <typename Value>
Json named_json(const std::vector<std::pair<std::string, Value>>& values) {
  Json object = Json::object();
  for (const auto& [name, value] : values) object[name] = value;
  return object;
}

Json shape_json(const ShapeRecord& shape, bool embed) {
  Json out = {{"name", shape.name},
              {"vertices", shape.mesh ? shape.mesh->vertices.size() : shape.vertex_count},
              {"triangles", shape.mesh ? shape.mesh->faces.size() : shape.triangle_count}};
  if (!shape.source.empty()) out["source"] = shape.source;
  if (!shape.kind.empty()) out["kind"] = shape.kind;
  if (!shape.sizes.empty()) out["sizes"] = shape.sizes;
  const bool deforms = !shape.positions_t1.empty();
  if (shape.mesh && (embed || deforms || shape.source.empty())) {
    out["mesh"] = {{"positions", json_array::positions(shape.mesh->vertices)},
                   {"faces", json_array::faces(shape.mesh->faces)}};
    if (deforms) out["mesh"]["positions_t1"] = json_array::positions(shape.positions_t1);
  }
  return out;
}

Json box_json(const HierarchyRecord::Box& box) {
  Json axes = Json::array();
  for (int k = 0; k < 3; ++k) axes.push_back(list(box.axes.col(k)));
  return {{"center", list(box.center)}, {"axes", axes}, {"half", list(box.half)}};
}

Json hierarchy_json(const HierarchyRecord& hierarchy) {
  Json levels = Json::array();
  for (const auto& level : hierarchy.levels) {
    Json boxes = Json::array();
    for (const auto& box : level) boxes.push_back(box_json(box));
    levels.push_back(std::move(boxes));
  }
  return {{"body", hierarchy.body}, {"volume", hierarchy.volume}, {"levels", levels}};
}

Json layer_json(const LayerRecord& layer) {
  Json out = {{"name", layer.name}, {"kind", to_string(layer.kind)}, {"colours", to_string(layer.colours)}};
  out["points"] = json_array::positions(layer.points);
  if (!layer.vectors.empty()) out["vectors"] = json_array::positions(layer.vectors);
  if (!layer.radii.empty()) out["radii"] = layer.radii;
  if (!layer.faces.empty()) out["faces"] = json_array::faces(layer.faces);
  if (!layer.first.empty()) out["first"] = layer.first;
  if (layer.kind == LayerKind::Slice) out["size"] = layer.size;
  if (!layer.values.empty()) out["values"] = json_array::scalars(layer.values);
  return out;
}

// One side of a contact: which triangle, which feature of it, and its corners in the body's frame, so that a
// reader can show it without the whole mesh.
void add_side(Json& out, const std::string& side, const Feature& feature, const std::string& text,
              const std::vector<Vector3>& corners) {
  if (feature.part < 0 && text.empty()) return;
  out["feature_" + side] = text.empty() ? feature_text(feature) : text;
  // The side of a box, say, is no triangle: numbers are told of meshes, and where nothing else is known.
  if (corners.empty() && !text.empty()) return;
  out["triangle_" + side] = feature.part;
  out["index_" + side] = feature.index;
  if (corners.empty()) return;
  Json points = Json::array();
  for (const Vector3& corner : corners) points.push_back(list(corner));
  out["corners_" + side] = std::move(points);
}

Json contact_json(const ContactRecord& record) {
  const Contact& contact = record.contact;
  Json out = {{"point_a", list(contact.point_a)},
              {"point_b", list(contact.point_b)},
              {"normal", list(contact.normal)},
              {"distance", contact.distance}};
  add_side(out, "a", contact.feature_a, record.text_a, record.corners_a);
  add_side(out, "b", contact.feature_b, record.text_b, record.corners_b);
  return out;
}

Json closest_json(const ClosestApproachRecord& closest) {
  return {{"time", closest.time},
          {"lower_distance", closest.lower_distance},
          {"distance", closest.distance},
          {"contact", contact_json(closest.contact)}};
}

Json result_json(const ResultRecord& result) {
  Json out = Json::object();
  if (!result.label.empty()) out["label"] = result.label;
  if (!result.sentence.empty()) out["sentence"] = result.sentence;
  out["bodies"] = {result.body_a, result.body_b};
  out["status"] = to_string(result.status);
  if (result.inside != Inside::None) out["inside"] = to_string(result.inside);
  if (!result.failure.empty()) out["failure"] = result.failure;
  out["time"] = result.time;
  out["lower"] = result.lower;
  out["upper"] = result.upper;
  if (result.distance) out["distance"] = *result.distance;
  if (result.motion_a) out["motion_a"] = motion_json(*result.motion_a);
  if (result.motion_b) out["motion_b"] = motion_json(*result.motion_b);
  out["contacts"] = Json::array();
  for (const ContactRecord& contact : result.contacts) out["contacts"].push_back(contact_json(contact));
  if (result.closest_approach) out["closest_approach"] = closest_json(*result.closest_approach);
  if (!result.intervals.empty()) {
    Json intervals = Json::array();
    for (const ContactInterval& interval : result.intervals) {
      intervals.push_back({{"begin", {interval.begin_lower, interval.begin_upper}},
                           {"end", {interval.end_lower, interval.end_upper}}});
    }
    out["intervals"] = intervals;
  }
  if (!result.clearance.times.empty()) {
    out["clearance"] = {{"times", result.clearance.times}, {"distances", result.clearance.distances}};
  }
  if (result.microseconds) out["microseconds"] = *result.microseconds;
  if (result.depth) out["depth"] = {result.depth->lower, result.depth->upper};
  return out;
}

Json stages_json(const std::vector<StageRecord>& stages) {
  Json out = Json::array();
  for (const StageRecord& stage : stages) {
    Json entry = {{"name", stage.name}, {"left", stage.left}};
    if (stage.milliseconds) entry["milliseconds"] = *stage.milliseconds;
    out.push_back(std::move(entry));
  }
  return out;
}

Json frame_contacts_json(const std::vector<FrameContactRecord>& contacts) {
  std::vector<Vector3> points, normals;
  std::vector<float> times;
  std::vector<std::uint8_t> kinds;
  std::vector<std::int32_t> ids;
  for (const FrameContactRecord& contact : contacts) {
    points.push_back(contact.point);
    normals.push_back(contact.normal);
    times.push_back(static_cast<float>(contact.time));
    kinds.push_back(static_cast<std::uint8_t>(contact.kind));
    ids.insert(ids.end(), {contact.first, contact.second});
  }
  return {{"stored", contacts.size()},
          {"points", json_array::vectors(points)},
          {"normals", json_array::vectors(normals)},
          {"times", json_array::scalars(times)},
          {"kinds", json_array::bytes(kinds)},
          {"features", json_array::pairs(ids)}};
}

Json step_json(const StepRecord& step) {
  Json out = {{"from", step.from}, {"to", step.to}};
  out["first_time"] = step.first_time ? Json(*step.first_time) : Json(nullptr);
  if (step.proven_until) out["proven_until"] = *step.proven_until;
  out["vertex_face"] = step.vertex_face;
  out["edge_edge"] = step.edge_edge;
  if (step.vertex_edge > 0) out["vertex_edge"] = step.vertex_edge;
  if (step.vertex_vertex > 0) out["vertex_vertex"] = step.vertex_vertex;
  if (!step.counted) out["counted"] = false;
  if (!step.milliseconds.empty()) out["milliseconds"] = named_json(step.milliseconds);
  if (!step.stages.empty()) out["stages"] = stages_json(step.stages);
  if (!step.contacts.empty()) out["contacts"] = frame_contacts_json(step.contacts);
  return out;
}

Json sequence_json(const SequenceRecord& sequence) {
  Json frames = Json::array();
  for (const FrameRecord& frame : sequence.frames) {
    Json entry = {{"positions", json_array::quantised_positions(frame.positions, frame.grid)}};
    if (!frame.label.empty()) entry["label"] = frame.label;
    if (!frame.faces.empty()) entry["faces"] = json_array::faces(frame.faces);
    frames.push_back(std::move(entry));
  }
  Json steps = Json::array();
  for (const StepRecord& step : sequence.steps) steps.push_back(step_json(step));
  Json out = {{"frames", frames}, {"steps", steps}};
  if (!sequence.objects.empty()) out["objects"] = sequence.objects;
  return out;
}

Json report_json(const Report& report, const ReportJsonOptions& options) {
  Json out = {{"format", "toccata-report"},
              {"version", report_version},
              {"query", report.query},
              {"title", report.title},
              {"answer", report.answer}};
  if (report.up) out["up"] = std::string(1, report.up);
  if (!report.command.empty()) out["command"] = report.command;
  if (!report.method.empty()) out["method"] = report.method;
  if (!report.options.empty()) out["options"] = named_json(report.options);
  if (!report.timings.empty()) out["timings"] = named_json(report.timings);
  if (!report.counts.empty()) out["counts"] = named_json(report.counts);
  if (!report.stages.empty()) out["stages"] = stages_json(report.stages);
  out["results"] = Json::array();
  for (const ResultRecord& result : report.results) out["results"].push_back(result_json(result));
  out["bodies"] = Json::array();
  for (const BodyRecord& body : report.bodies) {
    Json entry = {{"name", body.name}, {"shape", body.shape}, {"motion", motion_json(body.motion)}};
    if (body.solid) entry["solid"] = true;
    out["bodies"].push_back(std::move(entry));
  }
  if (!report.hierarchies.empty()) out["hierarchies"] = hierarchies_json(report.hierarchies);
  for (const LayerRecord& layer : report.layers) out["layers"].push_back(layer_json(layer));
  out["shapes"] = Json::array();
  for (const ShapeRecord& shape : report.shapes) {
    out["shapes"].push_back(shape_json(shape, options.embed_shapes));
  }
  if (report.sequence) out["sequence"] = sequence_json(*report.sequence);
  return out;
}

}  // namespace

Json hierarchies_json(std::span<const HierarchyRecord> hierarchies) {
  Json list = Json::array();
  for (const HierarchyRecord& hierarchy : hierarchies) list.push_back(hierarchy_json(hierarchy));
  return list;
}

std::string to_json(const Report& report, const ReportJsonOptions& options) {
  // File names need not be UTF-8; JSON must be.
  return report_json(report, options)
      .dump(options.indent, ' ', false, nlohmann::detail::error_handler_t::replace);
}

std::optional<Error> write_report(const std::string& path, const Report& report,
                                  const ReportJsonOptions& options) {
  std::ofstream file(path, std::ios::binary);
  file << to_json(report, options) << '\n';
  file.close();
  if (!file) return Error{path + ": cannot be written"};
  return std::nullopt;
}

}  // namespace toccata
