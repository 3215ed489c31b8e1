// Two bodies at rest: distance and intersection.
#include <cmath>
#include <string>

#include "arrays.hpp"
#include "mesh.hpp"
#include "motion.hpp"
#include "rigid.hpp"
#include "toccata/io/query_report.hpp"
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
  fields["sentence"] = sentence(result);
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

std::shared_ptr<Report> bound_distance_report(const DistanceResult& result, const Mesh& mesh_a,
                                              const Matrix4Array& pose_a, const Mesh& mesh_b,
                                              const Matrix4Array& pose_b, const std::string& title) {
  const Pose place_a = rigid_pose(pose_a);
  const Pose place_b = rigid_pose(pose_b);
  const py::gil_scoped_release release;
  auto report = std::make_shared<Report>(
      distance_report({.name = "a", .shape = mesh_a.shape(), .motion = place_a},
                      {.name = "b", .shape = mesh_b.shape(), .motion = place_b}, result));
  report->title = title;
  return report;
}

py::dict distance_defaults() {
  const DistanceOptions options;
  py::dict fields;
  fields["relative_error"] = options.relative_error;
  fields["absolute_error"] = options.absolute_error;
  fields["limit"] = options.limit;
  return fields;
}

}  // namespace

void bind_proximity(py::module_& module) {
  py::class_<DistanceResult, std::shared_ptr<DistanceResult>>(module, "DistanceResult")
      .def("fields", &distance_fields);
  module.def("distance", &ask_distance);
  module.attr("distance_defaults") = distance_defaults();
  module.def("distance_report", &bound_distance_report);
  module.def("intersects", &ask_intersects);
}

}  // namespace toccata::python
