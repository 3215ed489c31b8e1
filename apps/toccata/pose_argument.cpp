#include "pose_argument.hpp"

#include <fmt/core.h>

#include <Eigen/Geometry>
#include <charconv>
#include <cmath>
#include <numbers>
#include <string_view>

#include "toccata/motion/rigid_motion.hpp"

namespace toccata::app {
namespace {

// How far a rotation matrix may be from orthonormal, and a quaternion from unit length; as in Python.
constexpr double rotation_tolerance = 1e-6;

Pose checked(const Pose& pose, const std::string& where) {
  const Matrix3 defect = pose.rotation.transpose() * pose.rotation - Matrix3::Identity();
  const double largest = defect.cwiseAbs().maxCoeff();
  if (!(largest <= rotation_tolerance)) {
    throw UsageError(
        fmt::format("{}: the 3x3 part is not a rotation: R^T R differs from the identity by {:.3g}{}", where,
                    largest, largest < 1e-2 ? "; give it with seven digits or more" : ""));
  }
  if (!(pose.rotation.determinant() > 0.0))
    throw UsageError(where + ": the 3x3 part is not a rotation but a reflection");
  if (!pose.translation.allFinite()) throw UsageError(where + ": the translation is not finite");
  return pose;
}

bool is_last_of_a_pose(double x, double y, double z, double one) {
  return x == 0.0 && y == 0.0 && z == 0.0 && one == 1.0;
}

Pose pose_of_matrix(const std::vector<double>& n, const std::string& where) {
  if (!is_last_of_a_pose(n[12], n[13], n[14], n[15])) {
    const bool columns = is_last_of_a_pose(n[3], n[7], n[11], n[15]);
    throw UsageError(fmt::format("{}: the last row of a 4x4 matrix must be 0 0 0 1, found {} {} {} {}{}",
                                 where, n[12], n[13], n[14], n[15],
                                 columns ? "; is this column order? It is read row by row" : ""));
  }
  Pose pose;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) pose.rotation(i, k) = n[static_cast<std::size_t>(4 * i + k)];
    pose.translation[i] = n[static_cast<std::size_t>(4 * i + 3)];
  }
  return checked(pose, where);
}

Matrix3 rotation_of_quaternion(const std::vector<double>& n, const std::string& where,
                               const std::string& order) {
  const Eigen::Quaterniond q = order == "xyzw" ? Eigen::Quaterniond(n[6], n[3], n[4], n[5])
                                               : Eigen::Quaterniond(n[3], n[4], n[5], n[6]);
  if (!(std::abs(q.norm() - 1.0) <= rotation_tolerance)) {
    throw UsageError(fmt::format("{}: the quaternion has length {:g}; divide it by its length (order {})",
                                 where, q.norm(), order == "xyzw" ? "x y z w" : "w x y z"));
  }
  return q.normalized().toRotationMatrix();
}

Matrix3 rotation_of_turn(const Vector3& degrees) {
  const Vector3 turn = degrees * (std::numbers::pi / 180.0);
  if (!(turn.norm() > 0.0)) return Matrix3::Identity();
  return Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix();
}

}  // namespace

Option quaternion_option(std::string& order) {
  return {.names = "--quaternion",
          .target = &order,
          .help = "Order of the quaternion in poses of seven numbers",
          .shows_default = true,
          .choices = {"wxyz", "xyzw"}};
}

std::vector<double> parse_numbers(const std::string& text, const std::string& where) {
  constexpr std::string_view between = " ,\t;\r[]()";
  std::vector<double> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    while (at < end && between.find(*at) != std::string_view::npos) ++at;
    if (at == end) return numbers;
    double value = 0.0;
    if (*at == '+') ++at;
    const auto [stop, error] = std::from_chars(at, end, value);
    if (error != std::errc() || !std::isfinite(value)) {
      throw UsageError(
          fmt::format("{}: expected a number at '{}'", where, std::string(at, end).substr(0, 20)));
    }
    numbers.push_back(value);
    at = stop;
  }
}

Vector3 parse_vector(const std::string& text, const std::string& where) {
  const std::vector<double> n = parse_numbers(text, where);
  if (n.size() != 3) throw UsageError(fmt::format("{}: expected 3 numbers, found {}", where, n.size()));
  return {n[0], n[1], n[2]};
}

Pose pose_of_numbers(const std::vector<double>& n, const std::string& where) {
  if (n.size() != 12) throw UsageError(fmt::format("{}: expected 12 numbers, found {}", where, n.size()));
  Pose pose;
  for (int i = 0; i < 9; ++i) pose.rotation(i / 3, i % 3) = n[static_cast<std::size_t>(i)];
  pose.translation = {n[9], n[10], n[11]};
  return checked(pose, where);
}

TypedPose typed_pose_of(const std::vector<double>& n, const std::string& where, const std::string& order) {
  switch (n.size()) {
    case 3:
      return {{Matrix3::Identity(), {n[0], n[1], n[2]}}, Vector3::Zero().eval()};
    case 6: {
      const Vector3 degrees(n[3], n[4], n[5]);
      return {{rotation_of_turn(degrees), {n[0], n[1], n[2]}}, degrees};
    }
    case 7:
      return {{rotation_of_quaternion(n, where, order), {n[0], n[1], n[2]}}};
    case 12:
      return {pose_of_numbers(n, where)};
    case 16:
      return {pose_of_matrix(n, where)};
    default:
      throw UsageError(
          fmt::format("{}: expected 3, 6, 7, 12 or 16 numbers, found {} ({})", where, n.size(), pose_help));
  }
}

TypedPose parse_typed_pose(const std::string& text, const std::string& option, const std::string& order) {
  return typed_pose_of(parse_numbers(text, option), option, order);
}

Pose parse_place(const std::string& text, const std::string& option, const std::string& order) {
  return RigidMotion::fixed(parse_typed_pose(text, option, order).pose).pose(0.0);
}

}  // namespace toccata::app
