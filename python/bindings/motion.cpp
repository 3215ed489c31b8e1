#include "motion.hpp"

#include <pybind11/stl.h>

#include "arrays.hpp"

namespace toccata::python {

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

void MotionList::raise_pending() const {
  if (!may_raise_) return;
  const Motion* last = nullptr;  // neighbours often share a motion
  for (const MotionPointer& motion : motions_) {
    if (motion.get() != last) python::raise_pending(*motion);
    last = motion.get();
  }
}

namespace {

MotionPointer rigid(const Matrix4Array& pose_t0, const Matrix4Array& pose_t1, const Triple& reference) {
  return std::make_shared<RigidMotion>(pose_of(pose_t0), pose_of(pose_t1), vector_of(reference));
}

MotionPointer rigid_with_velocity(const Matrix4Array& pose_t0, const Triple& velocity,
                                  const Triple& angular_velocity, const Triple& reference) {
  return std::make_shared<RigidMotion>(RigidMotion::with_velocity(
      pose_of(pose_t0), vector_of(velocity), vector_of(angular_velocity), vector_of(reference)));
}

MotionPointer rigid_through(double time, const Matrix4Array& pose, const Triple& velocity,
                            const Triple& angular_velocity, const Triple& reference) {
  return std::make_shared<RigidMotion>(RigidMotion::through(
      time, pose_of(pose), vector_of(velocity), vector_of(angular_velocity), vector_of(reference)));
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
                     double translation_error, double rotation_error, double acceleration,
                     double angular_acceleration) {
  return std::make_shared<PythonMotion>(
      function,
      CustomMotionBounds{
          speed, angular_speed, {translation_error, rotation_error}, acceleration, angular_acceleration});
}

// What the rows of an array move by: from pose to pose, or through all poses of a row at equal times.
struct RowMotion {
  Interpolation interpolation = Interpolation::Linear;
  Vector3 reference = Vector3::Zero();

  MotionPointer between(const Pose& from, const Pose& to) const {
    if (interpolation == Interpolation::Screw) return std::make_shared<ScrewMotion>(from, to);
    return std::make_shared<RigidMotion>(from, to, reference);
  }
  MotionPointer through(const std::vector<Pose>& path) const {
    if (path.size() == 1) return std::make_shared<RigidMotion>(RigidMotion::fixed(path[0]));
    if (path.size() == 2) return between(path[0], path[1]);
    std::vector<TimedPose> timed;
    for (std::size_t i = 0; i < path.size(); ++i)
      timed.push_back({static_cast<double>(i) / static_cast<double>(path.size() - 1), path[i]});
    return std::make_shared<PiecewiseMotion>(timed, interpolation, reference);
  }
};

std::int64_t signed_of(std::size_t i) {
  return static_cast<std::int64_t>(i);
}

// One motion per row: (n, 4, 4) at rest, (n, 2, 4, 4) from pose to pose, (n, k, 4, 4) through k poses;
// likewise with 7 or 3.
std::shared_ptr<MotionList> motions_of_array(const py::object& value, const std::string& name,
                                             const std::string& order, bool by_screws,
                                             const Triple& reference) {
  const PoseRows rows =
      pose_rows_of(value, name, quaternion_order_of(order), {1, 2},
                   "motions of shape (n, 4, 4), at rest, (n, 2, 4, 4), from pose to pose, or "
                   "(n, k, 4, 4), through k poses; or with rows of 7 numbers or of 3");
  const RowMotion row_motion{by_screws ? Interpolation::Screw : Interpolation::Linear, vector_of(reference)};
  const std::size_t count = rows.counts[0];
  const std::size_t length = rows.counts.size() == 2 ? rows.counts[1] : 1;
  if (count > 0 && length == 0) throw py::value_error(name + "[0] holds no pose");
  std::vector<MotionPointer> motions;
  motions.reserve(count);
  const py::gil_scoped_release release;
  std::vector<Pose> path(length);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < length; ++k)
      path[k] = rows.pose(i * length + k, {name, {signed_of(i), length > 1 ? signed_of(k) : -1}});
    motions.push_back(row_motion.through(path));
  }
  return MotionList::of_arrays(std::move(motions));
}

// From the poses of one array to those of another, row by row.
std::shared_ptr<MotionList> motions_between_arrays(const py::object& from, const py::object& to,
                                                   const std::string& name, const std::string& order,
                                                   bool by_screws, const Triple& reference) {
  const std::string wanted = "poses of shape (n, 4, 4), (n, 7) or (n, 3)";
  const std::array<std::string, 2> names = {name + "[0]", name + "[1]"};
  const std::array<PoseRows, 2> ends = {
      pose_rows_of(from, names[0], quaternion_order_of(order), {1, 1}, wanted),
      pose_rows_of(to, names[1], quaternion_order_of(order), {1, 1}, wanted)};
  const std::size_t count = ends[0].size();
  if (ends[1].size() != count) {
    throw py::value_error(name + ": " + std::to_string(count) + " poses to start from but " +
                          std::to_string(ends[1].size()) + " to end at");
  }
  const RowMotion row_motion{by_screws ? Interpolation::Screw : Interpolation::Linear, vector_of(reference)};
  std::vector<MotionPointer> motions;
  motions.reserve(count);
  const py::gil_scoped_release release;
  for (std::size_t i = 0; i < count; ++i) {
    const Pose start = ends[0].pose(i, {names[0], {signed_of(i), -1}});
    motions.push_back(row_motion.between(start, ends[1].pose(i, {names[1], {signed_of(i), -1}})));
  }
  return MotionList::of_arrays(std::move(motions));
}

std::shared_ptr<MotionList> selected(const MotionList& list, const std::vector<std::size_t>& rows) {
  std::vector<MotionPointer> motions;
  motions.reserve(rows.size());
  for (const std::size_t row : rows) motions.push_back(list.motions().at(row));
  return std::make_shared<MotionList>(std::move(motions));
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
  module.def("rigid_motion_through", &rigid_through);
  module.def("screw_motion", &screw);
  module.def("screw_motion_about", &screw_about);
  module.def("piecewise_motion", &piecewise);
  module.def("custom_motion", &custom);
  py::class_<MotionList, std::shared_ptr<MotionList>>(module, "MotionList")
      .def(py::init<std::vector<MotionPointer>>())
      .def(py::init<const MotionPointer&, std::size_t>())
      .def("__len__", &MotionList::size)
      .def("motion", [](const MotionList& list, std::size_t i) { return list.motions().at(i); })
      .def("selected", &selected);
  module.def("motions_of_array", &motions_of_array);
  module.def("motions_between_arrays", &motions_between_arrays);
}

}  // namespace toccata::python
