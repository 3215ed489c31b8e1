#include "toccata/bound/obb.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "bound/rounding.hpp"
#include "toccata/bound/principal_axes.hpp"

namespace toccata {
namespace {

// Axes orthonormal to 1e-13 and a dozen roundings: the heights below are right to this much of the lengths
// that enter them.
constexpr double frame_slack = 5e-13;

double half_surface(const Vector3& half) {
  return half.x() * half.y() + half.y() * half.z() + half.z() * half.x();
}

std::array<Vector3, 8> corners(const Obb& box) {
  std::array<Vector3, 8> result;
  for (int i = 0; i < 8; ++i) {
    const Vector3 signs((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1, (i & 4) != 0 ? 1 : -1);
    result[i] = box.center + box.axes * signs.cwiseProduct(box.half);
  }
  return result;
}

// The two boxes as seen from a: rotation(i, j) = a's axis i . b's axis j.
struct Pair {
  Matrix3 rotation;
  Matrix3 absolute;
  Vector3 offset;  // between the centres, in a's frame
  double slack;    // bounds the error of every height below
};

Pair make_pair(const Obb& a, const Obb& b) {
  Pair pair;
  const Vector3 offset = b.center - a.center;
  pair.rotation = a.axes.transpose() * b.axes;
  pair.absolute = pair.rotation.cwiseAbs();
  pair.offset = a.axes.transpose() * offset;
  pair.slack = frame_slack * (offset.cwiseAbs().sum() + a.half.sum() + b.half.sum()) + bound::smallest_length;
  return pair;
}

Vector3 gaps_in_a(const Pair& p, const Obb& a, const Obb& b) {
  return p.offset.cwiseAbs() - a.half - p.absolute * b.half;
}

Vector3 gaps_in_b(const Pair& p, const Obb& a, const Obb& b) {
  return (p.rotation.transpose() * p.offset).cwiseAbs() - b.half - p.absolute.transpose() * a.half;
}

// Gap along a's axis i cross b's axis j, times the length of that cross product.
double edge_gap(const Pair& p, const Obb& a, const Obb& b, int i, int j) {
  const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
  const double apart = std::abs(p.offset[i2] * p.rotation(i1, j) - p.offset[i1] * p.rotation(i2, j));
  return apart - (a.half[i1] * p.absolute(i2, j) + a.half[i2] * p.absolute(i1, j) +
                  b.half[j1] * p.absolute(i, j2) + b.half[j2] * p.absolute(i, j1));
}

}  // namespace

// Relative to the first point: far from the origin only the centre then carries the large coordinates.
Obb fit_obb(std::span<const Vector3> points, const Matrix3& axes) {
  const Vector3& origin = points[0];
  Vector3 lower = Vector3::Zero(), upper = Vector3::Zero();
  double reach = 0.0;
  for (const Vector3& p : points) {
    const Vector3 offset = p - origin;
    const Vector3 y = axes.transpose() * offset;
    lower = lower.cwiseMin(y);
    upper = upper.cwiseMax(y);
    reach = std::max(reach, offset.cwiseAbs().maxCoeff());
  }
  Obb box;
  box.axes = axes;
  box.center = origin + axes * (0.5 * lower + 0.5 * upper);
  // The centre is off by its own rounding and by the axes' 1e-15; heights by four roundings of the offsets.
  const double error = 16.0 * bound::u * (3.0 * reach + box.center.cwiseAbs().maxCoeff()) + 1e-14 * reach +
                       bound::smallest_length;
  box.half = 0.5 * (upper - lower) + Vector3::Constant(error);
  return box;
}

template <>
Obb fit<Obb>(std::span<const Vector3> points) {
  const Obb turned = fit_obb(points, principal_axes(points));
  // Sets that are boxes along the axes already lose by any turn.
  const Obb aligned = fit_obb(points, Matrix3::Identity());
  return half_surface(aligned.half) < half_surface(turned.half) ? aligned : turned;
}

Obb merge(const Obb& a, const Obb& b) {
  std::array<Vector3, 16> all;
  const auto corners_a = corners(a), corners_b = corners(b);
  std::copy(corners_a.begin(), corners_a.end(), all.begin());
  std::copy(corners_b.begin(), corners_b.end(), all.begin() + 8);
  Obb best;
  double surface = INFINITY;
  for (const Matrix3& axes : {a.axes, b.axes, principal_axes(all)}) {
    Obb box = fit_obb(all, axes);
    // Corners of boxes whose axes are orthonormal to 1e-13 only, and rounded.
    box.half += Vector3::Constant(frame_slack * (box.half.sum() + a.half.sum() + b.half.sum()) +
                                  8.0 * bound::u * (a.center.cwiseAbs().sum() + b.center.cwiseAbs().sum()));
    if (half_surface(box.half) < surface) {
      surface = half_surface(box.half);
      best = box;
    }
  }
  return best;
}

bool overlap(const Obb& a, const Obb& b) {
  const Pair pair = make_pair(a, b);
  if (gaps_in_a(pair, a, b).maxCoeff() > pair.slack) return false;
  if (gaps_in_b(pair, a, b).maxCoeff() > pair.slack) return false;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (edge_gap(pair, a, b, i, j) > pair.slack) return false;
    }
  }
  return true;
}

double lower_distance(const Obb& a, const Obb& b) {
  const Pair pair = make_pair(a, b);
  const Vector3 zero = Vector3::Zero(), slack = Vector3::Constant(pair.slack);
  double best = std::max((gaps_in_a(pair, a, b) - slack).cwiseMax(zero).norm(),
                         (gaps_in_b(pair, a, b) - slack).cwiseMax(zero).norm());
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double gap = edge_gap(pair, a, b, i, j) - pair.slack;
      if (gap <= best) continue;  // the cross product is at most 1 long
      const double squared_length = 1.0 - pair.rotation(i, j) * pair.rotation(i, j);
      if (squared_length > 1e-6) best = std::max(best, gap / std::sqrt(squared_length) * (1.0 - 1e-6));
    }
  }
  return best * (1.0 - 2e-13);
}

Obb transformed(const Pose& pose, const Obb& box) {
  Obb result;
  result.center = pose.apply(box.center);
  result.axes = pose.rotation * box.axes;
  result.half = box.half + Vector3::Constant(5.0 * bound::rotation_slack * box.half.sum() +
                                             bound::move_error(pose, box.center) + bound::smallest_length);
  return result;
}

double radius_of(const Obb& box) {
  return box.half.norm() * (1.0 + 1e-12) + bound::smallest_length;
}

}  // namespace toccata
