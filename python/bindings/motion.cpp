#include "motion.hpp"

#include <pybind11/stl.h>

#include "arrays.hpp"

namespace toccata::python {

Pose pose_of(const Matrix4Array& matrix) {
  const auto entry = matrix.unchecked<2>();
  Pose pose;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) pose.rotation(i, j) = entry(i, j);
    pose.translation[i] = entry(i, 3);
  }
  return pose;
}

py::array array_of(const Pose& pose) {
  py::array_t<double> matrix({4, 4});
  auto entry = matrix.mutable_unchecked<2>();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) entry(i, j) = pose.rotation(i, j);
    entry(i, 3) = pose.translation[i];
    entry(3, i) = 0.0;
  }
  entry(3, 3) = 1.0;
  return matrix;
}

PythonMotion::PythonMotion(py::function function, const CustomMotionBounds& bounds)
    : function_(std::move(function)), motion_([this](double t) { return call(t); }, bounds) {}

PythonMotion::~PythonMotion() {
  const py::gil_scoped_acquire acquire;
  failure_.reset();
  function_.release().dec_ref();
}

Pose PythonMotion::pose(double t) const {
  return motion_.pose(t);
}

Pose PythonMotion::call(double t) const {
  const py::gil_scoped_acquire acquire;
  if (failure_) return {};
  try {
    return pose_of(function_(t).cast<Matrix4Array>());
  } catch (py::error_already_set& error) {
    failure_.emplace(std::move(error));
  }
  return {};
}

void PythonMotion::raise_pending() const {
  if (!failure_) return;
  py::error_already_set error = std::move(*failure_);
  failure_.reset();
  throw std::move(error);
}

void raise_pending(const Motion& motion) {
  if (const auto* python = dynamic_cast<const PythonMotion*>(&motion)) python->raise_pending();
}

namespace {

using MotionPointer = std::shared_ptr<Motion>;
using Triple = std::array<double, 3>;

Vector3 vector_of(const Triple& triple) {
  return {triple[0], triple[1], triple[2]};
}

MotionPointer rigid(const Matrix4Array& pose_t0, const Matrix4Array& pose_t1, const Triple& reference) {
  return std::make_shared<RigidMotion>(pose_of(pose_t0), pose_of(pose_t1), vector_of(reference));
}

MotionPointer rigid_with_velocity(const Matrix4Array& pose_t0, const Triple& velocity,
                                  const Triple& angular_velocity, const Triple& reference) {
  return std::make_shared<RigidMotion>(RigidMotion::with_velocity(
      pose_of(pose_t0), vector_of(velocity), vector_of(angular_velocity), vector_of(reference)));
}

MotionPointer screw(const Matrix4Array& pose_t0, const Matrix4Array& pose_t1) {
  return std::make_shared<ScrewMotion>(pose_of(pose_t0), pose_of(pose_t1));
}

MotionPointer screw_about(const Matrix4Array& pose_t0, const Triple& axis, const Triple& point, double angle,
                          double slide) {
  return std::make_shared<ScrewMotion>(pose_of(pose_t0), vector_of(axis), vector_of(point), angle, slide);
}

MotionPointer piecewise(const std::vector<double>& times, const std::vector<Matrix4Array>& poses,
                        bool by_screws, const Triple& reference) {
  std::vector<TimedPose> timed;
  for (std::size_t i = 0; i < times.size(); ++i) timed.push_back({times[i], pose_of(poses[i])});
  return std::make_shared<PiecewiseMotion>(timed, by_screws ? Interpolation::Screw : Interpolation::Linear,
                                           vector_of(reference));
}

MotionPointer custom(const py::function& function, double speed, double angular_speed,
                     double translation_error, double rotation_error) {
  return std::make_shared<PythonMotion>(
      function, CustomMotionBounds{speed, angular_speed, {translation_error, rotation_error}});
}

py::array pose_at(const Motion& motion, double t) {
  const Pose pose = motion.pose(t);
  raise_pending(motion);
  return array_of(pose);
}

}  // namespace

void bind_motion(py::module_& module) {
  py::class_<Motion, MotionPointer>(module, "Motion")
      .def("pose", &pose_at)
      .def_property_readonly("is_fixed", &Motion::is_fixed);
  module.def("rigid_motion", &rigid);
  module.def("rigid_motion_with_velocity", &rigid_with_velocity);
  module.def("screw_motion", &screw);
  module.def("screw_motion_about", &screw_about);
  module.def("piecewise_motion", &piecewise);
  module.def("custom_motion", &custom);
}

}  // namespace toccata::python
