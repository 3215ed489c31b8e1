// Two bodies at rest: distance and intersection.
#include <cmath>
#include <cstdio>
#include <string>

#include "arrays.hpp"
#include "mesh.hpp"
#include "motion.hpp"
#include "rigid.hpp"
#include "toccata/io/report_record.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/proximity/intersects.hpp"

namespace toccata::python {
namespace {

// The nearest rotation: the package lets through what is one to 1e-6 only.
Pose rigid_pose(const Matrix4Array& matrix) {
  return RigidMotion::fixed(pose_of(matrix)).pose(0.0);
}

std::shared_ptr<DistanceResult> ask_distance(const Mesh& mesh_a, const Matrix4Array& pose_a,
                                             const Mesh& mesh_b, const Matrix4Array& pose_b,
                                             double relative_error, double absolute_error, double limit) {
  const Pose place_a = rigid_pose(pose_a);
  const Pose place_b = rigid_pose(pose_b);
  const py::gil_scoped_release release;
  return std::make_shared<DistanceResult>(distance({mesh_a.shape(), place_a}, {mesh_b.shape(), place_b},
                                                   {relative_error, absolute_error, limit}));
}

py::dict distance_fields(const DistanceResult& result) {
  py::dict fields;
  fields["distance"] = result.distance;
  fields["lower_distance"] = result.lower_distance;
  fields["contact"] = std::isfinite(result.distance) ? py::object(fields_of(result.contact)) : py::none();
  return fields;
}

py::array ask_intersects(const Mesh& mesh_a, const Matrix4Array& pose_a, const Mesh& mesh_b,
                         const Matrix4Array& pose_b, bool all_pairs) {
  const Pose place_a = rigid_pose(pose_a);
  const Pose place_b = rigid_pose(pose_b);
  IntersectsResult result;
  {
    const py::gil_scoped_release release;
    result = intersects({mesh_a.shape(), place_a}, {mesh_b.shape(), place_b}, {all_pairs});
  }
  std::vector<std::array<std::int32_t, 2>> pairs;
  for (const TrianglePair& pair : result.pairs) pairs.push_back({pair.a, pair.b});
  return array_of(std::move(pairs));
}

std::shared_ptr<Report> distance_report(const DistanceResult& result, const Mesh& mesh_a,
                                        const Matrix4Array& pose_a, const Mesh& mesh_b,
                                        const Matrix4Array& pose_b, const std::string& title) {
  auto report = std::make_shared<Report>();
  report->query = "distance";
  report->title = title;
  char text[80];
  std::snprintf(text, sizeof text, "The bodies are %.9g apart.", result.distance);
  report->answer = result.distance == 0.0 ? std::string("The bodies touch.") : std::string(text);
  if (std::isinf(result.distance)) report->answer = "The bodies are farther apart than was asked for.";
  report->shapes = {record_of(mesh_a.mesh(), "a"), record_of(mesh_b.mesh(), "b")};
  report->bodies = {{"a", 0, FixedMotionRecord{rigid_pose(pose_a)}},
                    {"b", 1, FixedMotionRecord{rigid_pose(pose_b)}}};
  if (std::isfinite(result.distance)) report->results = {record_of_distance(result.contact)};
  return report;
}

}  // namespace

void bind_proximity(py::module_& module) {
  py::class_<DistanceResult, std::shared_ptr<DistanceResult>>(module, "DistanceResult")
      .def("fields", &distance_fields);
  module.def("distance", &ask_distance);
  module.def("distance_report", &distance_report);
  module.def("intersects", &ask_intersects);
}

}  // namespace toccata::python
