// Two bodies at rest: distance and intersection.
#include <cmath>

#include "arrays.hpp"
#include "mesh.hpp"
#include "motion.hpp"
#include "rigid.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/proximity/intersects.hpp"

namespace toccata::python {
namespace {

// The nearest rotation: the package lets through what is one to 1e-6 only.
Pose rigid_pose(const Matrix4Array& matrix) {
  return RigidMotion::fixed(pose_of(matrix)).pose(0.0);
}

py::dict ask_distance(const Mesh& mesh_a, const Matrix4Array& pose_a, const Mesh& mesh_b,
                      const Matrix4Array& pose_b, double relative_error, double absolute_error,
                      double limit) {
  const Pose place_a = rigid_pose(pose_a);
  const Pose place_b = rigid_pose(pose_b);
  DistanceResult result;
  {
    const py::gil_scoped_release release;
    result = distance({mesh_a.prepared(), place_a}, {mesh_b.prepared(), place_b},
                      {relative_error, absolute_error, limit});
  }
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
    result = intersects({mesh_a.prepared(), place_a}, {mesh_b.prepared(), place_b}, {all_pairs});
  }
  std::vector<std::array<std::int32_t, 2>> pairs;
  for (const TrianglePair& pair : result.pairs) pairs.push_back({pair.a, pair.b});
  return array_of(std::move(pairs));
}

}  // namespace

void bind_proximity(py::module_& module) {
  module.def("distance", &ask_distance);
  module.def("intersects", &ask_intersects);
}

}  // namespace toccata::python
