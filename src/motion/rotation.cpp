#include "motion/rotation.hpp"

#include <Eigen/Geometry>
#include <cmath>

namespace toccata {

Matrix3 rotation_about(const Vector3& k, double angle) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  // 1 - cos without cancellation, so that short turns keep their relative accuracy.
  const double h = std::sin(0.5 * angle);
  const double v = 2.0 * h * h;
  Matrix3 r;
  r << c + v * k.x() * k.x(), v * k.x() * k.y() - s * k.z(), v * k.x() * k.z() + s * k.y(),
      v * k.y() * k.x() + s * k.z(), c + v * k.y() * k.y(), v * k.y() * k.z() - s * k.x(),
      v * k.z() * k.x() - s * k.y(), v * k.z() * k.y() + s * k.x(), c + v * k.z() * k.z();
  return r;
}

Matrix3 nearest_rotation(const Matrix3& matrix) {
  Matrix3 r = matrix;
  for (int i = 0; i < 20; ++i) {
    const Matrix3 defect = r.transpose() * r - Matrix3::Identity();
    if (defect.cwiseAbs().maxCoeff() <= 8.0 * unit_roundoff) break;
    // Newton's step for the polar factor; converges quadratically from any near-rotation.
    r = (r - 0.5 * (r * defect)).eval();
  }
  return r;
}

Vector3 rotation_vector(const Matrix3& rotation) {
  const Eigen::Quaterniond q(rotation);
  const double sine = q.vec().norm();
  if (sine == 0.0) return Vector3::Zero();
  const double angle = 2.0 * std::atan2(sine, std::abs(q.w()));
  return (q.w() < 0.0 ? -angle : angle) / sine * q.vec();
}

}  // namespace toccata
