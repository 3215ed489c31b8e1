#include "pose.hpp"

#include <pybind11/stl.h>

#include <Eigen/Geometry>
#include <cmath>
#include <cstdio>

namespace toccata::python {
namespace {

using Matrix3Rows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

std::string number_text(const char* format, double x) {
  char text[32];
  std::snprintf(text, sizeof text, format, x);
  return text;
}

void check_rotation(const Matrix3& rotation, const RowName& name) {
  const double error = (rotation.transpose() * rotation - Matrix3::Identity()).cwiseAbs().maxCoeff();
  if (error > rotation_tolerance) {
    throw py::value_error(name.text() + " is not rigid: R^T R differs from the identity by " +
                          number_text("%.3g", error) + "; scale the mesh's vertices instead");
  }
  if (rotation.determinant() < 0.0) {
    throw py::value_error(name.text() +
                          " mirrors (its determinant is -1): mirror the mesh's vertices instead");
  }
}

void check_finite_pose(const double* numbers, int count, const RowName& name) {
  for (int i = 0; i < count; ++i) {
    if (!std::isfinite(numbers[i])) throw py::value_error(name.text() + " holds NaN or infinity");
  }
}

Matrix3 rotation_of(const double* q, QuaternionOrder order, const RowName& name) {
  const Eigen::Quaterniond turn = order == QuaternionOrder::Wxyz ? Eigen::Quaterniond(q[0], q[1], q[2], q[3])
                                                                 : Eigen::Quaterniond(q[3], q[0], q[1], q[2]);
  const double length = turn.norm();
  if (std::abs(length - 1.0) > rotation_tolerance) {
    throw py::value_error(name.text() + ": the quaternion has length " + number_text("%g", length) +
                          "; divide it by its length (order " +
                          (order == QuaternionOrder::Wxyz ? "w, x, y, z)" : "x, y, z, w)"));
  }
  return turn.normalized().toRotationMatrix();
}

// Finite, rigid, and with the right last row, at a glance: what NaN has touched is not. Batches are read a
// million rows at a time; only what this refuses is looked at for what is wrong with it.
bool is_pose(const double* m) {
  const auto dot = [m](int i, int j) { return m[i] * m[j] + m[4 + i] * m[4 + j] + m[8 + i] * m[8 + j]; };
  double error = 0.0;
  for (int i = 0; i < 3; ++i) error += std::abs(dot(i, i) - 1.0);
  error += std::abs(dot(0, 1)) + std::abs(dot(0, 2)) + std::abs(dot(1, 2));
  const double volume = m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) +
                        m[2] * (m[4] * m[9] - m[5] * m[8]);
  const double shift = std::abs(m[3]) + std::abs(m[7]) + std::abs(m[11]);
  return error <= rotation_tolerance && volume > 0.0 && shift <= 1e300 && m[12] == 0.0 && m[13] == 0.0 &&
         m[14] == 0.0 && m[15] == 1.0;
}

void check_matrix(const double* m, const RowName& name) {
  check_finite_pose(m, 16, name);
  if (m[12] != 0.0 || m[13] != 0.0 || m[14] != 0.0 || m[15] != 1.0) {
    std::string row;
    for (int i = 12; i < 16; ++i) row += (i > 12 ? ", " : "") + number_text("%g", m[i]);
    throw py::value_error(name.text() + " must have the last row 0 0 0 1 (is it transposed?); it is [" + row +
                          "]");
  }
  check_rotation(Eigen::Map<const Eigen::Matrix<double, 4, 4, Eigen::RowMajor>>(m).topLeftCorner<3, 3>(),
                 name);
}

Pose checked_matrix(const double* m, const RowName& name) {
  if (!is_pose(m)) check_matrix(m, name);
  Pose pose;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) pose.rotation(i, j) = m[4 * i + j];
    pose.translation[i] = m[4 * i + 3];
  }
  return pose;
}

// One pose in any of the forms of an array.
py::array one_pose(const py::object& value, const std::string& name, const std::string& order) {
  const PoseRows rows = pose_rows_of(
      value, name, quaternion_order_of(order), {0, 0},
      "a 4x4 matrix, a pair (R, t), a pair (quaternion wxyz, t), seven numbers or a translation");
  return array_of(rows.pose(0, {name}));
}

py::array pose_of_parts(const py::object& rotation, const py::object& translation, const std::string& name) {
  const std::string turn_name = name + ": rotation";
  const Numbers turn = numbers_of(rotation, turn_name, "a 3x3 matrix or a quaternion");
  const bool is_matrix = turn.shape == std::vector<std::size_t>{3, 3};
  if (!is_matrix && turn.shape != std::vector<std::size_t>{4}) {
    throw py::value_error(name +
                          ": the rotation must be a 3x3 matrix or a quaternion w, x, y, z; it has shape " +
                          shape_of(turn.array));
  }
  check_finite_pose(turn.data, is_matrix ? 9 : 4, {turn_name});
  Pose pose;
  if (is_matrix) {
    pose.rotation = Eigen::Map<const Matrix3Rows>(turn.data);
    check_rotation(pose.rotation, {name});
  } else {
    pose.rotation = rotation_of(turn.data, QuaternionOrder::Wxyz, {name});
  }
  const std::string shift_name = name + ": translation";
  const Numbers shift = numbers_of(translation, shift_name, "three numbers");
  if (shift.shape != std::vector<std::size_t>{3}) {
    throw py::value_error(shift_name + " must be three numbers; it has shape " + shape_of(shift.array));
  }
  check_finite_pose(shift.data, 3, {shift_name});
  pose.translation = Eigen::Map<const Vector3>(shift.data);
  return array_of(pose);
}

py::array pose_matrices(const py::object& value, const std::string& name, const std::string& order) {
  const std::vector<Pose> poses = poses_of(value, name, quaternion_order_of(order));
  py::array_t<double> matrices({static_cast<py::ssize_t>(poses.size()), py::ssize_t{4}, py::ssize_t{4}});
  double* row = matrices.mutable_data();
  for (const Pose& pose : poses) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) *row++ = pose.rotation(i, j);
      *row++ = pose.translation[i];
    }
    for (int j = 0; j < 4; ++j) *row++ = j == 3 ? 1.0 : 0.0;
  }
  return matrices;
}

}  // namespace

std::string RowName::text() const {
  std::string whole = name;
  for (const std::int64_t i : index) {
    if (i >= 0) whole += "[" + std::to_string(i) + "]";
  }
  return whole;
}

QuaternionOrder quaternion_order_of(const std::string& text) {
  if (text == "wxyz") return QuaternionOrder::Wxyz;
  if (text == "xyzw") return QuaternionOrder::Xyzw;
  throw py::value_error("quaternion must be one of 'wxyz', 'xyzw', not '" + text + "'");
}

std::size_t PoseRows::size() const {
  std::size_t product = 1;
  for (const std::size_t count : counts) product *= count;
  return product;
}

Pose PoseRows::pose(std::size_t row, const RowName& name) const {
  if (form == Form::Matrix) return checked_matrix(numbers.data + 16 * row, name);
  const int width = form == Form::Translation ? 3 : 7;
  const double* n = numbers.data + static_cast<std::size_t>(width) * row;
  check_finite_pose(n, width, name);
  Pose pose;
  pose.translation = {n[0], n[1], n[2]};
  if (form == Form::TranslationQuaternion) pose.rotation = rotation_of(n + 3, order, name);
  return pose;
}

PoseRows pose_rows_of(const py::object& value, const std::string& name, QuaternionOrder order,
                      std::array<std::size_t, 2> axes, const std::string& wanted) {
  PoseRows rows;
  rows.numbers = numbers_of(value, name, wanted);
  rows.order = order;
  const std::vector<std::size_t>& shape = rows.numbers.shape;
  std::size_t pose_axes = 1;
  if (shape.size() >= 2 && shape.back() == 4 && shape[shape.size() - 2] == 4) {
    pose_axes = 2;
  } else if (!shape.empty() && (shape.back() == 7 || shape.back() == 3)) {
    rows.form = shape.back() == 7 ? PoseRows::Form::TranslationQuaternion : PoseRows::Form::Translation;
  } else {
    throw py::value_error(name + " must be " + wanted + "; it has shape " + shape_of(rows.numbers.array));
  }
  rows.counts.assign(shape.begin(), shape.end() - static_cast<std::ptrdiff_t>(pose_axes));
  // Of a path, three translations cannot be told from a rotation without its translation.
  const bool is_path = axes[0] != axes[1] && rows.counts.size() == axes[1];
  const bool is_rotation = is_path && rows.form == PoseRows::Form::Translation && rows.counts.back() == 3;
  if (rows.counts.size() < axes[0] || rows.counts.size() > axes[1] || is_rotation) {
    throw py::value_error(name + " must be " + wanted + "; it has shape " + shape_of(rows.numbers.array));
  }
  return rows;
}

std::vector<Pose> poses_of(const py::object& value, const std::string& name, QuaternionOrder order) {
  const PoseRows rows =
      pose_rows_of(value, name, order, {1, 1}, "poses of shape (n, 4, 4), (n, 7) or (n, 3)");
  std::vector<Pose> poses;
  poses.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    poses.push_back(rows.pose(i, {name, {static_cast<std::int64_t>(i), -1}}));
  return poses;
}

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

void bind_pose(py::module_& module) {
  module.def("pose_of", &one_pose);
  module.def("pose_of_parts", &pose_of_parts);
  module.def("pose_matrices", &pose_matrices);
  module.attr("rotation_tolerance") = rotation_tolerance;
}

}  // namespace toccata::python
