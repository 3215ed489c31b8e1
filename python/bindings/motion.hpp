#pragma once
// Motions as Python holds them, and poses as 4x4 arrays.
#include <pybind11/numpy.h>

#include <memory>
#include <mutex>
#include <optional>

#include "bindings.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata::python {

using Matrix4Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

// The package has checked shape, finiteness and rotation.
Pose pose_of(const Matrix4Array& matrix);
py::array array_of(const Pose& pose);

// A motion by a Python function. No exception may travel through a solver, so the first one is kept, the
// body stays where it is for the rest of the query, and raise_pending() raises it afterwards.
class PythonMotion final : public Motion {
 public:
  PythonMotion(py::function function, const CustomMotionBounds& bounds);
  ~PythonMotion() override;

  Pose pose(double t) const override;
  PoseError pose_error() const override { return motion_.pose_error(); }
  MotionExpansion expansion(double t, double t_end) const override { return motion_.expansion(t, t_end); }

  void raise_pending() const;  // with the GIL

 private:
  Pose call(double t) const;

  py::function function_;
  CustomMotion motion_;
  mutable std::optional<py::error_already_set> failure_;  // guarded by the GIL
};

// Raises what a Python motion function raised during a query.
void raise_pending(const Motion& motion);

}  // namespace toccata::python
