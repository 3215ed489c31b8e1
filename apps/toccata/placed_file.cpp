#include "toccata/placed_file.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <cstdlib>

namespace toccata::app {
namespace {

std::vector<double> parse_numbers(const std::string& text) {
  std::vector<double> numbers;
  const char* at = text.c_str();
  while (true) {
    while (*at == ' ' || *at == ',' || *at == '\t' || *at == '\n') ++at;
    if (*at == '\0') return numbers;
    char* end = nullptr;
    const double value = std::strtod(at, &end);
    if (end == at || !std::isfinite(value)) {
      throw UsageError("pose '" + text + "': expected finite numbers, found '" + std::string(at) + "'");
    }
    numbers.push_back(value);
    at = end;
  }
}

Matrix3 nearest_rotation(const Matrix3& m, const std::string& text) {
  if (!((m.transpose() * m - Matrix3::Identity()).cwiseAbs().maxCoeff() < 1e-3) || m.determinant() < 0.0) {
    throw UsageError("pose '" + text + "': the first nine numbers are not a rotation matrix");
  }
  return Eigen::Quaterniond(m).normalized().toRotationMatrix();
}

}  // namespace

Pose parse_pose(const std::string& text) {
  const std::vector<double> n = parse_numbers(text);
  Pose pose;
  if (n.size() == 12) {
    Matrix3 m;
    for (int i = 0; i < 9; ++i) m(i / 3, i % 3) = n[static_cast<std::size_t>(i)];
    // A matrix that is a rotation to rounding is taken as it is.
    const bool exact = (m.transpose() * m - Matrix3::Identity()).cwiseAbs().maxCoeff() < 1e-14;
    pose.rotation = exact && m.determinant() > 0.0 ? m : nearest_rotation(m, text);
    pose.translation = {n[9], n[10], n[11]};
    return pose;
  }
  if (n.size() != 3 && n.size() != 6 && n.size() != 7) {
    throw UsageError("pose '" + text + "': expected 3, 6, 7 or 12 numbers, found " +
                     std::to_string(n.size()));
  }
  pose.translation = {n[0], n[1], n[2]};
  if (n.size() == 6) {
    const Vector3 turn(n[3], n[4], n[5]);
    if (turn.norm() > 0.0)
      pose.rotation = Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix();
  } else if (n.size() == 7) {
    const Eigen::Quaterniond q(n[3], n[4], n[5], n[6]);
    if (!(q.norm() > 0.0)) throw UsageError("pose '" + text + "': the quaternion is zero");
    pose.rotation = q.normalized().toRotationMatrix();
  }
  return pose;
}

}  // namespace toccata::app
