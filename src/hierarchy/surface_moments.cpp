#include "hierarchy/surface_moments.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

namespace toccata {

SurfaceMoments moments_of(const Vector3& a, const Vector3& b, const Vector3& c, double floor_area) {
  SurfaceMoments m;
  m.area = (b - a).cross(c - a).norm() + floor_area;
  const Vector3 s = a + b + c;
  m.first = m.area / 3.0 * s;
  const double share = m.area / 12.0;
  std::size_t k = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      m.second[k++] = share * (s[i] * s[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]);
    }
  }
  return m;
}

Matrix3 principal_axes(const SurfaceMoments& m) {
  Matrix3 covariance;
  const Vector3 mean = m.first / m.area;
  std::size_t k = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      covariance(i, j) = covariance(j, i) = m.second[k++] / m.area - mean[i] * mean[j];
    }
  }
  Eigen::SelfAdjointEigenSolver<Matrix3> solver;
  solver.computeDirect(covariance);
  // The closed form loses digits; the basis must be orthonormal to float precision.
  Matrix3 axes = Matrix3::Identity();
  const Vector3 first = solver.eigenvectors().col(2);
  const Vector3 second = solver.eigenvectors().col(1) - first * first.dot(solver.eigenvectors().col(1));
  if (!(first.norm() > 0.5) || !(second.norm() > 0.5)) return axes;
  axes.col(0) = first.normalized();
  axes.col(1) = (second - axes.col(0) * axes.col(0).dot(second)).normalized();
  axes.col(2) = axes.col(0).cross(axes.col(1));
  return axes;
}

}  // namespace toccata
