#pragma once
// Motions as Python holds them: one, and many for a batch.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pose.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata::python {

using MotionPointer = std::shared_ptr<Motion>;

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

// One motion per trial of a batch. Rows may share a motion.
class MotionList {
 public:
  explicit MotionList(std::vector<MotionPointer> motions) : motions_(std::move(motions)) {}
  // From arrays: none of them is a function of Python's, which may have raised.
  static std::shared_ptr<MotionList> of_arrays(std::vector<MotionPointer> motions) {
    auto list = std::make_shared<MotionList>(std::move(motions));
    list->may_raise_ = false;
    return list;
  }
  // The motion every time.
  MotionList(const MotionPointer& motion, std::size_t count) : motions_(count, motion) {}

  std::size_t size() const { return motions_.size(); }
  const MotionPointer& operator[](std::size_t i) const { return motions_[i]; }
  const std::vector<MotionPointer>& motions() const { return motions_; }

  void raise_pending() const;  // with the GIL

 private:
  std::vector<MotionPointer> motions_;
  bool may_raise_ = true;
};

}  // namespace toccata::python
