#include "pose_argument.hpp"

#include <fmt/core.h>

#include <Eigen/Geometry>
#include <charconv>
#include <cmath>
#include <numbers>

#include "command.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata::app {
namespace {

Pose checked(const Pose& pose, const std::string& where) {
  const Matrix3 defect = pose.rotation.transpose() * pose.rotation - Matrix3::Identity();
  if (!(defect.cwiseAbs().maxCoeff() < 1e-3) || !(pose.rotation.determinant() > 0.0)) {
    throw UsageError(where + ": the 3x3 part is not a rotation");
  }
  if (!pose.translation.allFinite()) throw UsageError(where + ": the translation is not finite");
  return pose;
}

}  // namespace

std::vector<double> parse_numbers(const std::string& text, const std::string& where) {
  std::vector<double> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    while (at < end && (*at == ' ' || *at == ',' || *at == '\t' || *at == ';' || *at == '\r')) ++at;
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

Pose pose_of_numbers(const std::vector<double>& n, const std::string& where) {
  if (n.size() != 12) throw UsageError(fmt::format("{}: expected 12 numbers, found {}", where, n.size()));
  Pose pose;
  for (int i = 0; i < 9; ++i) pose.rotation(i / 3, i % 3) = n[static_cast<std::size_t>(i)];
  pose.translation = {n[9], n[10], n[11]};
  return checked(pose, where);
}

Pose parse_pose(const std::string& text, const std::string& option) {
  const std::vector<double> n = parse_numbers(text, option);
  Pose pose;
  if (n.size() == 12) return pose_of_numbers(n, option);
  if (n.size() == 16) {
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) pose.rotation(i, k) = n[static_cast<std::size_t>(4 * i + k)];
      pose.translation[i] = n[static_cast<std::size_t>(4 * i + 3)];
    }
    return checked(pose, option);
  }
  if (n.size() != 3 && n.size() != 6 && n.size() != 7) {
    throw UsageError(
        fmt::format("{}: expected 3, 6, 7, 12 or 16 numbers, found {} ({})", option, n.size(), pose_help));
  }
  pose.translation = {n[0], n[1], n[2]};
  if (n.size() == 6) {
    const Vector3 turn = Vector3(n[3], n[4], n[5]) * (std::numbers::pi / 180.0);
    if (turn.norm() > 0.0)
      pose.rotation = Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix();
  }
  if (n.size() == 7) {
    const Eigen::Quaterniond q(n[3], n[4], n[5], n[6]);
    if (!(q.norm() > 1e-6)) throw UsageError(option + ": the quaternion is zero");
    pose.rotation = q.normalized().toRotationMatrix();
  }
  return checked(pose, option);
}

Pose parse_place(const std::string& text, const std::string& option) {
  return RigidMotion::fixed(parse_pose(text, option)).pose(0.0);
}

}  // namespace toccata::app
