#include "toccata/io/report_record.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "toccata/io/sentence.hpp"

namespace toccata {
namespace {

std::vector<Vector3> corners_of(const Feature& feature, const TriangleMesh* mesh) {
  if (!mesh || feature.part < 0 || static_cast<std::size_t>(feature.part) >= mesh->faces.size()) return {};
  std::vector<Vector3> corners;
  for (const std::int32_t index : mesh->faces[static_cast<std::size_t>(feature.part)])
    corners.push_back(mesh->vertices[static_cast<std::size_t>(index)]);
  return corners;
}

// The numbers that make a solid, in the order of docs/report.md.
struct Sizes {
  using Numbers = std::vector<double>;
  Numbers operator()(const Ball& b) const { return {b.radius}; }
  Numbers operator()(const Capsule& c) const { return {c.radius, c.height}; }
  Numbers operator()(const Box& b) const { return {b.size.x(), b.size.y(), b.size.z(), b.radius}; }
  Numbers operator()(const Cylinder& c) const { return {c.radius, c.height}; }
  Numbers operator()(const Cone& c) const { return {c.radius, c.height}; }
  Numbers operator()(const Ellipsoid& e) const { return {e.radii.x(), e.radii.y(), e.radii.z()}; }
  Numbers operator()(const HalfSpace& h) const {
    return {h.normal.x(), h.normal.y(), h.normal.z(), h.offset};
  }
  // Their triangles say it all.
  Numbers operator()(const TriangleMesh&) const { return {}; }
  Numbers operator()(const ConvexHull&) const { return {}; }
  Numbers operator()(const HeightField&) const { return {}; }
  Numbers operator()(const Compound&) const { return {}; }
  Numbers operator()(const MedialMesh&) const { return {}; }
};

}  // namespace

ContactRecord record_of(const Contact& contact, const MeshPair& meshes) {
  return {.contact = contact,
          .text_a = feature_text(contact.feature_a, meshes.a),
          .text_b = feature_text(contact.feature_b, meshes.b),
          .corners_a = corners_of(contact.feature_a, meshes.a),
          .corners_b = corners_of(contact.feature_b, meshes.b)};
}

ResultRecord record_of(const FirstContactResult& answer, const MeshPair& meshes) {
  ResultRecord record;
  record.status = answer.status;
  record.inside = answer.inside;
  record.failure = answer.failure;
  record.time = answer.time;
  record.lower = answer.lower;
  record.upper = answer.upper;
  if (answer.status == Status::Contact || answer.status == Status::OverlapAtStart) {
    record.distance = answer.distance;
    for (const Contact& contact : answer.contacts) record.contacts.push_back(record_of(contact, meshes));
    if (record.contacts.empty()) record.contacts.push_back(record_of(answer.contact, meshes));
  }
  return record;
}

ClosestApproachRecord closest_approach_record(const ClosestApproachResult& answer, const MeshPair& meshes) {
  return {.time = answer.time,
          .distance = answer.distance,
          .lower_distance = answer.lower_distance,
          .contact = record_of(answer.contact, meshes)};
}

ResultRecord record_of(const ClosestApproachResult& answer, const MeshPair& meshes) {
  ResultRecord record;
  record.status = answer.status;
  record.inside = answer.inside;
  record.failure = answer.failure;
  switch (answer.status) {
    case Status::Separated:
      // A mesh without triangles is infinitely far: there is no place to show.
      if (std::isfinite(answer.distance)) record.closest_approach = closest_approach_record(answer, meshes);
      break;
    case Status::Contact:
    case Status::OverlapAtStart:
      record.time = record.lower = record.upper = answer.time;
      record.distance = answer.distance;
      record.contacts.push_back(record_of(answer.contact, meshes));
      break;
    case Status::OutOfBudget:
    case Status::Failed:
      record.time = record.lower = 0.0;  // nothing is proven free
      break;
  }
  return record;
}

ResultRecord record_of(const ContactIntervalsResult& answer) {
  ResultRecord record;
  record.status = answer.status;
  record.failure = answer.failure;
  record.intervals = answer.intervals;
  if (!answer.intervals.empty()) {
    record.time = record.lower = answer.intervals.front().begin_lower;
    record.upper = answer.intervals.front().begin_upper;
  } else {
    record.time = record.lower = answer.proven_until;
  }
  return record;
}

ResultRecord record_of_distance(const Contact& closest, const MeshPair& meshes) {
  ResultRecord record;
  record.status = closest.distance > 0.0 ? Status::Separated : Status::OverlapAtStart;
  record.time = record.lower = record.upper = 0.0;
  record.distance = closest.distance;
  record.contacts.push_back(record_of(closest, meshes));
  return record;
}

FrameContactRecord record_of(const DeformableContact& contact) {
  return {.kind = contact.pair.kind,
          .first = contact.pair.first,
          .second = contact.pair.second,
          .time = contact.impact.time,
          .point = contact.impact.point,
          .normal = contact.impact.normal};
}

void count(const DeformableContact& contact, StepRecord& step) {
  switch (contact.pair.kind) {
    case FeaturePairKind::VertexFace:
      ++step.vertex_face;
      break;
    case FeaturePairKind::EdgeEdge:
      ++step.edge_edge;
      break;
    case FeaturePairKind::VertexEdge:
      ++step.vertex_edge;
      break;
    case FeaturePairKind::VertexVertex:
      ++step.vertex_vertex;
      break;
  }
  step.first_time = std::min(step.first_time.value_or(1.0), contact.impact.time);
}

ShapeRecord record_of(const TriangleMesh& mesh, std::string name, std::string source) {
  return {.name = std::move(name),
          .source = std::move(source),
          .vertex_count = mesh.vertices.size(),
          .triangle_count = mesh.faces.size(),
          .mesh = mesh};
}

ShapeRecord record_of(const Shape& shape, std::string name, std::string source) {
  ShapeRecord record = record_of(shape.display_mesh(), std::move(name), std::move(source));
  if (shape.is_mesh()) return record;
  record.kind = kind_of(shape.geometry());
  record.sizes = std::visit(Sizes{}, shape.geometry());
  return record;
}

}  // namespace toccata
