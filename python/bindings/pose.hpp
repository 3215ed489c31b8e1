#pragma once
// Poses as Python gives them: arrays whose last axes are a pose and whose axes before that count, checked
// here in one place for every question.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "toccata/base/pose.hpp"

namespace toccata::python {

using Matrix4Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

// How far a rotation matrix may be from orthonormal, and a quaternion from unit length. What is left is
// removed by taking the nearest rotation.
inline constexpr double rotation_tolerance = 1e-6;

// "poses", "poses[17]" or "motions_a[17][1]", put together only when that pose is wrong.
struct RowName {
  const std::string& name;
  std::array<std::int64_t, 2> index = {-1, -1};

  std::string text() const;
};

// The order of a quaternion in seven numbers.
enum class QuaternionOrder { Wxyz, Xyzw };
// "wxyz" or "xyzw"; anything else raises.
QuaternionOrder quaternion_order_of(const std::string& text);

// Rows of numbers that are poses, not yet looked at: (..., 4, 4) matrices, (..., 7) a translation and a unit
// quaternion, (..., 3) translations. `numbers.array` keeps the memory alive.
struct PoseRows {
  enum class Form { Matrix, TranslationQuaternion, Translation };

  Numbers numbers;
  Form form = Form::Matrix;
  QuaternionOrder order = QuaternionOrder::Wxyz;
  std::vector<std::size_t> counts;  // the axes before the pose; empty for one pose

  std::size_t size() const;  // the product of the counts
  // Checked: finite, a rotation, the last row 0 0 0 1. Raises an error that says which pose is wrong. May be
  // called without the GIL.
  Pose pose(std::size_t row, const RowName& name) const;
};

// Raises unless the array has one of the shapes above with `axes` axes before the pose, at least and at most.
// `wanted` says in the error what was asked for.
PoseRows pose_rows_of(const py::object& value, const std::string& name, QuaternionOrder order,
                      std::array<std::size_t, 2> axes, const std::string& wanted);

// Many poses, one per row: (n, 4, 4), (n, 7) or (n, 3).
std::vector<Pose> poses_of(const py::object& value, const std::string& name, QuaternionOrder order);

// The package has checked shape, finiteness and rotation.
Pose pose_of(const Matrix4Array& matrix);
py::array array_of(const Pose& pose);

}  // namespace toccata::python
