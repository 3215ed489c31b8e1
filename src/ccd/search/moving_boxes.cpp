// Along an axis of any length the middles are `middle` apart, the boxes reach `reach` together, and a comes
// nearer by `speed` per time: apart until (|middle| - reach) / speed. Which axis is the last one is different
// from cast to cast, so that nothing here is decided by a branch on it: all fifteen times are computed, and
// the largest carries the number of its axis in its last digits.
#include "ccd/search/moving_boxes.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace toccata::search {
namespace {

// Of the cosine between an axis and an edge: below it the edge counts as across the axis.
constexpr double least_cosine = 1e-9;
// What comes nearer by less stays apart for longer than anybody asks about.
constexpr double standing = 0x1p-300;

// Three faces of b, three of a, nine pairs of edges, and one that is never the last.
constexpr std::size_t axis_count = 16;
constexpr std::int64_t number_bits = axis_count - 1;

class Axes {
 public:
  explicit Axes(const MovingBoxes& boxes) : boxes_(boxes) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        c_[i][j] = boxes.a_to_b.rotation(j, i);
        size_[i][j] = std::abs(c_[i][j]);
      }
      t_[i] = boxes.a_to_b.translation[i];
      v_[i] = boxes.velocity[i];
      h_[i] = boxes.half_a[i];
      g_[i] = boxes.half_b[i];
    }
  }

  BoxAxis last() {
    set_lengths();
    const std::size_t number = number_of_last();
    if (number == axis_count) return {};
    return box_axis(static_cast<int>(number), boxes_.a_to_b);
  }

 private:
  static double dot(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

  void set_lengths() {
    for (std::size_t j = 0; j < 3; ++j) {
      middle_[j] = t_[j];
      speed_[j] = v_[j];
      reach_[j] = g_[j] + h_[0] * size_[0][j] + h_[1] * size_[1][j] + h_[2] * size_[2][j];
    }
    for (std::size_t i = 0; i < 3; ++i) {
      middle_[3 + i] = dot(c_[i], t_);
      speed_[3 + i] = dot(c_[i], v_);
      reach_[3 + i] = h_[i] + dot(g_, size_[i]);
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t i1 = (i + 1) % 3, i2 = (i + 2) % 3;
      for (std::size_t j = 0; j < 3; ++j) {
        // c_i x e_j. The reach of a's other edges along it is told by each other's coordinate j.
        const std::size_t j1 = (j + 1) % 3, j2 = (j + 2) % 3, k = 6 + 3 * i + j;
        middle_[k] = c_[i][j2] * t_[j1] - c_[i][j1] * t_[j2];
        speed_[k] = c_[i][j2] * v_[j1] - c_[i][j1] * v_[j2];
        reach_[k] =
            h_[i1] * size_[i2][j] + h_[i2] * size_[i1][j] + g_[j1] * size_[i][j2] + g_[j2] * size_[i][j1];
      }
    }
    middle_[axis_count - 1] = speed_[axis_count - 1] = reach_[axis_count - 1] = 0.0;
  }

  // axis_count if they are apart along none.
  std::size_t number_of_last() const {
    // Not positive where they are not apart.
    double until[axis_count];
    for (std::size_t k = 0; k < axis_count; ++k) {
      const double gap = std::abs(middle_[k]) - reach_[k];
      const double closing = std::copysign(1.0, middle_[k]) * -speed_[k];
      until[k] = gap / std::max(closing, standing);
    }
    // Numbers above zero are in the order of their bits. Of equals the first.
    std::int64_t last = number_bits;
    for (std::size_t k = 0; k < axis_count; ++k) {
      const std::int64_t number = number_bits - static_cast<std::int64_t>(k);
      const std::int64_t bits = (std::bit_cast<std::int64_t>(until[k]) & ~number_bits) | number;
      last = bits > last ? bits : last;
    }
    return last > number_bits ? static_cast<std::size_t>(number_bits - (last & number_bits)) : axis_count;
  }

  const MovingBoxes& boxes_;
  double c_[3][3], size_[3][3];  // columns of the rotation, and how large they are
  double t_[3], v_[3], h_[3], g_[3];
  double middle_[axis_count], speed_[axis_count], reach_[axis_count];  // middle: from b to a
};

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

BoxAxis last_separating_axis(const MovingBoxes& boxes) {
  return Axes(boxes).last();
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
