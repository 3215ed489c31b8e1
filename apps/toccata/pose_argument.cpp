#include "pose_argument.hpp"

#include <fmt/core.h>

#include <Eigen/Geometry>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <string_view>

#include "toccata/base/pose_matrix.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata::app {
namespace {

Pose checked(const Pose& pose, const std::string& where) {
  if (const std::string fault = rotation_fault(pose.rotation); !fault.empty())
    throw UsageError(where + ": " + fault);
  if (!pose.translation.allFinite()) throw UsageError(where + ": the translation is not finite");
  return pose;
}

Pose pose_of_matrix(const std::vector<double>& n, const std::string& where) {
  const Eigen::Matrix4d rows = Eigen::Map<const Eigen::Matrix<double, 4, 4, Eigen::RowMajor>>(n.data());
  const Expected<Pose> pose = pose_from_matrix(rows);
  if (!pose) throw UsageError(where + ": " + pose.error().message);
  return *pose;
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
    if (error == std::errc::result_out_of_range) {
      // Too small for a double is 0, as every reader of numbers has it; too large is nothing that can be
      // meant.
      const std::string typed(at, stop);
      if (!(std::abs(std::strtod(typed.c_str(), nullptr)) < 1.0)) {
        throw UsageError(fmt::format("{}: the number {} is too large (the largest is 1.8e308)", where,
                                     typed.size() > 24 ? typed.substr(0, 20) + "..." : typed));
      }
    } else if (error != std::errc() || !std::isfinite(value)) {
      // 5mm: the number before it has just been read.
      const bool unit =
          !numbers.empty() && at > text.data() && between.find(at[-1]) == std::string_view::npos;
      throw UsageError(
          fmt::format("{}: expected a number at '{}'{}", where, std::string(at, end).substr(0, 20),
                      unit ? "; lengths have no unit here, they are in that of the meshes" : ""));
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
