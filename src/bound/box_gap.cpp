#include "bound/box_gap.hpp"

#include <Eigen/Geometry>
#include <cmath>

namespace toccata {

BoxGap largest_gap(const Pose& pose_a, const Obb& a, const Pose& pose_b, const Obb& b) {
  const Matrix3 axes_a = pose_a.rotation * a.axes, axes_b = pose_b.rotation * b.axes;
  const Vector3 offset = pose_b.apply(b.center) - pose_a.apply(a.center);
  const Matrix3 r = axes_a.transpose() * axes_b, size = r.cwiseAbs();
  const Vector3 along_a = axes_a.transpose() * offset, along_b = axes_b.transpose() * offset;
  double best = -std::numeric_limits<double>::infinity(), sign = 1.0;
  int best_p = 0, best_q = 0;  // 3: none
  const auto take = [&](double gap, int p, int q, double along) {
    if (!(gap > best)) return;
    best = gap;
    best_p = p;
    best_q = q;
    sign = along < 0.0 ? -1.0 : 1.0;
  };
  for (int p = 0; p < 3; ++p) {
    take(std::abs(along_a[p]) - a.half[p] - size.row(p).dot(b.half), p, 3, along_a[p]);
    take(std::abs(along_b[p]) - b.half[p] - size.col(p).dot(a.half), 3, p, along_b[p]);
  }
  for (int p = 0; p < 3; ++p) {
    const int p1 = (p + 1) % 3, p2 = (p + 2) % 3;
    for (int q = 0; q < 3; ++q) {
      const int q1 = (q + 1) % 3, q2 = (q + 2) % 3;
      const double squared = 1.0 - r(p, q) * r(p, q);
      if (!(squared > 1e-2)) continue;
      const double reach = a.half[p1] * size(p2, q) + a.half[p2] * size(p1, q) + b.half[q1] * size(p, q2) +
                           b.half[q2] * size(p, q1);
      // (a_p x b_q) . offset
      const double along = along_a[p2] * r(p1, q) - along_a[p1] * r(p2, q);
      take((std::abs(along) - reach) / std::sqrt(squared), p, q, along);
    }
  }
  const Vector3 axis = best_q == 3   ? Vector3(axes_a.col(best_p))
                       : best_p == 3 ? Vector3(axes_b.col(best_q))
                                     : Vector3(axes_a.col(best_p).cross(axes_b.col(best_q)));
  return {best, sign * axis.normalized(), best_p, best_q};
}

}  // namespace toccata
