#include "ccd/search/moving_boxes.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <cstdint>

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

}  // namespace toccata::search
