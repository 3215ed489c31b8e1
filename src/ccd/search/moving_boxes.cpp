#include "ccd/search/moving_boxes.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "toccata/base/rounding.hpp"

namespace toccata::search {
namespace {

// Of the cosine between an axis and an edge: below it the edge counts as across the axis.
constexpr double least_cosine = 1e-9;
std::int32_t corner_along(const Vector3& d) {
  return static_cast<std::int32_t>(d.x() > 0.0) | static_cast<std::int32_t>(d.y() > 0.0) << 1 |
         static_cast<std::int32_t>(d.z() > 0.0) << 2;
}

bool is_across(double cosine) {
  return std::abs(cosine) < least_cosine;
}

Vector3 corner_at(const Vector3& half, std::int32_t corner) {
  return {(corner & 1) != 0 ? half.x() : -half.x(), (corner & 2) != 0 ? half.y() : -half.y(),
          (corner & 4) != 0 ? half.z() : -half.z()};
}

// The corner of the face across an axis that is nearest to a point above it; `on_face`, one of its corners,
// tells which of the two faces.
std::int32_t nearest_of_face(std::int32_t on_face, int axis, const Vector3& point) {
  const std::int32_t bit = 1 << axis;
  return (on_face & bit) | (corner_along(point) & ~bit);
}

// Of two edges: the ends nearest to where they cross.
void turn_to_crossing(const Vector3& half_a, const Vector3& half_b, const Pose& a_to_b, const BoxAxis& axis,
                      std::int32_t& corner_a, std::int32_t& corner_b) {
  const int i = axis.edge_a, j = axis.edge_b;
  Vector3 middle_a = corner_at(half_a, corner_a), middle_b = corner_at(half_b, corner_b);
  middle_a[i] = middle_b[j] = 0.0;
  const Vector3 between = a_to_b.apply(middle_a) - middle_b;
  const Vector3 edge = a_to_b.rotation.col(i);
  // between + l edge - k e_j is shortest.
  const double l = (edge[j] * between[j] - edge.dot(between)) / (edge.squaredNorm() - edge[j] * edge[j]);
  const double k = between[j] + l * edge[j];
  corner_a = (corner_a & ~(1 << i)) | static_cast<std::int32_t>(!(l < 0.0)) << i;
  corner_b = (corner_b & ~(1 << j)) | static_cast<std::int32_t>(!(k < 0.0)) << j;
}

}  // namespace

BoxAxis box_axis(int number, const Pose& a_to_b) {
  BoxAxis axis;
  const int edges = number - 6;
  Vector3 across;
  if (edges < -3) {
    axis.edge_b = number;
    across = Vector3::Unit(number);
  } else {
    axis.edge_a = edges < 0 ? edges + 3 : edges / 3;
    if (edges >= 0) axis.edge_b = edges % 3;
    const Vector3 edge = a_to_b.rotation.col(axis.edge_a);
    across = edges < 0 ? edge : edge.cross(Vector3::Unit(axis.edge_b));
  }
  // From a to b: to where a's middle is not.
  const double side = across.dot(a_to_b.translation) < 0.0 ? 1.0 : -1.0, length = across.norm();
  if (length > 1e-6) axis.normal = across * (side / length);
  return axis;
}

TouchingCorners corners_along(const Vector3& half_a, const Vector3& half_b, const Pose& a_to_b,
                              const BoxAxis& axis) {
  TouchingCorners corners;
  const int i = axis.edge_a, j = axis.edge_b;
  const Vector3 along_a = a_to_b.rotation.transpose() * axis.normal;
  std::int32_t a = corner_along(along_a), b = corner_along(-axis.normal);
  std::int32_t turn_a[3] = {0, 0, 0}, turn_b[3] = {0, 0, 0};  // to the other corners
  if (i < 0) {
    if (is_across(along_a.x()) || is_across(along_a.y()) || is_across(along_a.z())) return corners;
    b = nearest_of_face(b, j, a_to_b.apply(corner_at(half_a, a)));
    turn_b[2] = 1 << (j == 0 ? 1 : 0);
    turn_b[1] = 1 << (j == 2 ? 1 : 2);
  } else if (j < 0) {
    if (is_across(axis.normal.x()) || is_across(axis.normal.y()) || is_across(axis.normal.z()))
      return corners;
    const Vector3 point = a_to_b.rotation.transpose() * (corner_at(half_b, b) - a_to_b.translation);
    a = nearest_of_face(a, i, point);
    turn_a[1] = 1 << (i == 0 ? 1 : 0);
    turn_a[2] = 1 << (i == 2 ? 1 : 2);
  } else {
    for (int k = 1; k < 3; ++k) {
      if (is_across(along_a[(i + k) % 3]) || is_across(axis.normal[(j + k) % 3])) return corners;
    }
    turn_to_crossing(half_a, half_b, a_to_b, axis, a, b);
    turn_a[1] = 1 << i;
    turn_b[2] = 1 << j;
  }
  corners.are_known = true;
  for (std::size_t k = 0; k < 3; ++k) {
    corners.vertex_a[k] = a ^ turn_a[k];
    corners.vertex_b[k] = b ^ turn_b[k];
    corners.of_a[k] = corner_at(half_a, corners.vertex_a[k]);
    corners.of_b[k] = corner_at(half_b, corners.vertex_b[k]);
  }
  return corners;
}

namespace {

constexpr double u = unit_roundoff;

// How two boxes touch along one axis, everything in the coordinates of b.
struct Touch {
  Vector3 normal;  // from a to b, of any length
  Vector3 point_a, point_b;
  std::int32_t corner_a = 0, corner_b = 0;
  std::int32_t turn_a[2] = {0, 0}, turn_b[2] = {0, 0};  // to the other corners of the features
};

// The other two axes.
constexpr int next_of[3] = {1, 2, 0}, after_next_of[3] = {2, 0, 1};
constexpr std::int32_t bit_of(double x, int axis) {
  return static_cast<std::int32_t>(x > 0.0) << axis;
}
bool is_within(double x, double half) {
  return std::abs(x) <= half;
}

// A corner of a above face j of b.
bool touch_face_of_b(const Vector3& half_a, const Pose& at, const Vector3& half_b, int j, Touch& touch) {
  const double side = at.translation[j] < 0.0 ? 1.0 : -1.0;
  touch.normal = side * Vector3::Unit(j);
  Vector3 corner;
  bool is_across_one = false;
  for (int i = 0; i < 3; ++i) {
    const double along = side * at.rotation(j, i);
    is_across_one |= is_across(along);
    corner[i] = std::copysign(half_a[i], along);
    touch.corner_a |= bit_of(along, i);
  }
  touch.point_a = at.apply(corner);
  touch.point_b = touch.point_a;
  touch.point_b[j] = -side * half_b[j];
  const int k = next_of[j], l = after_next_of[j];
  touch.corner_b = bit_of(-side, j) | bit_of(touch.point_a[k], k) | bit_of(touch.point_a[l], l);
  touch.turn_b[0] = 1 << std::max(k, l);
  touch.turn_b[1] = 1 << std::min(k, l);
  return !is_across_one && is_within(touch.point_a[k], half_b[k]) && is_within(touch.point_a[l], half_b[l]);
}

// A corner of b above face i of a.
bool touch_face_of_a(const Vector3& half_a, const Pose& at, const Vector3& half_b, int i, Touch& touch) {
  const Vector3 edge = at.rotation.col(i);
  const double side = edge.dot(at.translation) < 0.0 ? 1.0 : -1.0;
  touch.normal = side * edge;
  bool is_across_one = false;
  for (int j = 0; j < 3; ++j) {
    const double along = -touch.normal[j];
    is_across_one |= is_across(along);
    touch.point_b[j] = std::copysign(half_b[j], along);
    touch.corner_b |= bit_of(along, j);
  }
  Vector3 foot = at.rotation.transpose() * (touch.point_b - at.translation);
  const int k = next_of[i], l = after_next_of[i];
  touch.corner_a = bit_of(side, i) | bit_of(foot[k], k) | bit_of(foot[l], l);
  touch.turn_a[0] = 1 << std::min(k, l);
  touch.turn_a[1] = 1 << std::max(k, l);
  foot[i] = side * half_a[i];
  touch.point_a = at.apply(foot);
  return !is_across_one && is_within(foot[k], half_a[k]) && is_within(foot[l], half_a[l]);
}

// Edge i of a across edge j of b.
bool touch_edges(const Vector3& half_a, const Pose& at, const Vector3& half_b, int i, int j, Touch& touch) {
  const Vector3 edge = at.rotation.col(i);
  touch.normal = edge.cross(Vector3::Unit(j));
  if (touch.normal.dot(at.translation) > 0.0) touch.normal = -touch.normal;
  const Vector3 along = at.rotation.transpose() * touch.normal;
  Vector3 middle_a = Vector3::Zero(), middle_b = Vector3::Zero();
  bool is_across_one = false;
  for (const int k : {next_of[i], after_next_of[i]}) {
    is_across_one |= is_across(along[k]);
    middle_a[k] = std::copysign(half_a[k], along[k]);
    touch.corner_a |= bit_of(along[k], k);
  }
  for (const int k : {next_of[j], after_next_of[j]}) {
    is_across_one |= is_across(touch.normal[k]);
    middle_b[k] = std::copysign(half_b[k], -touch.normal[k]);
    touch.corner_b |= bit_of(-touch.normal[k], k);
  }
  touch.point_a = at.apply(middle_a);
  // between + l edge - k e_j is shortest.
  const Vector3 between = touch.point_a - middle_b;
  const double across = edge.squaredNorm() - edge[j] * edge[j];
  const double l = (edge[j] * between[j] - edge.dot(between)) / across;
  const double k = between[j] + l * edge[j];
  touch.corner_a |= bit_of(l, i);
  touch.corner_b |= bit_of(k, j);
  touch.turn_a[0] = 1 << i;
  touch.turn_b[1] = 1 << j;
  middle_a[i] = l;
  touch.point_a = at.apply(middle_a);
  touch.point_b = middle_b;
  touch.point_b[j] = k;
  return !is_across_one && is_within(l, half_a[i]) && is_within(k, half_b[j]);
}

}  // namespace

bool touching_boxes(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b, int number, double lower,
                    convex::ConvexDistance& nearest) {
  Touch touch;
  const int edges = number - 6;
  const bool found = edges >= 0   ? touch_edges(a.half, a_to_b, b.half, edges / 3, edges % 3, touch)
                     : number < 3 ? touch_face_of_b(a.half, a_to_b, b.half, number, touch)
                                  : touch_face_of_a(a.half, a_to_b, b.half, number - 3, touch);
  const double squared = touch.normal.squaredNorm();
  if (!found || !(squared > 1e-12)) return false;
  nearest.direction = touch.normal * (1.0 / std::sqrt(squared));
  nearest.point_a = touch.point_a;
  nearest.point_b = touch.point_b;
  // Each is a point of its box, moved by a dozen roundings: docs/notes/convex_bounds.md, points.
  const double point_error = 16.0 * u * (core_reach(a) + core_reach(b) + a_to_b.translation.lpNorm<1>());
  nearest.upper = nearest.upper_core =
      (nearest.point_b - nearest.point_a).norm() * (1.0 + 4.0 * u) + point_error;
  nearest.lower = nearest.lower_core = std::min(lower, nearest.upper);
  nearest.meets = false;
  nearest.features.count = 3;
  for (std::size_t k = 0; k < 3; ++k) {
    nearest.features.vertex_a[k] = touch.corner_a ^ (k > 0 ? touch.turn_a[k - 1] : 0);
    nearest.features.vertex_b[k] = touch.corner_b ^ (k > 0 ? touch.turn_b[k - 1] : 0);
  }
  return true;
}

}  // namespace toccata::search
