// Along an axis of any length the middles are `middle` apart, the boxes reach `reach` together, and a comes
// nearer by `speed` per time: apart until (|middle| - reach) / speed. Ends are kept as fractions, since times
// along axes of different lengths compare without roots.
#include "ccd/search/moving_boxes.hpp"

#include <Eigen/Geometry>
#include <cmath>

namespace toccata::search {
namespace {

// Of the cosine between an axis and an edge: below it the edge counts as across the axis.
constexpr double least_cosine = 1e-9;

class Axes {
 public:
  explicit Axes(const MovingBoxes& boxes) {
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

  Vector3 last() {
    for (int j = 0; j < 3; ++j)
      look(t_[j], v_[j], g_[j] + h_[0] * size_[0][j] + h_[1] * size_[1][j] + h_[2] * size_[2][j], -1, j);
    for (int i = 0; i < 3; ++i) {
      look(dot(c_[i], t_), dot(c_[i], v_),
           h_[i] + g_[0] * size_[i][0] + g_[1] * size_[i][1] + g_[2] * size_[i][2], i, -1);
    }
    for (int i = 0; i < 3; ++i) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
      for (int j = 0; j < 3; ++j) {
        // c_i x e_j. The reach of a's other edges along it is told by each other's coordinate j.
        const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        look(c_[i][j2] * t_[j1] - c_[i][j1] * t_[j2], c_[i][j2] * v_[j1] - c_[i][j1] * v_[j2],
             h_[i1] * size_[i2][j] + h_[i2] * size_[i1][j] + g_[j1] * size_[i][j2] + g_[j2] * size_[i][j1], i,
             j);
      }
    }
    return best();
  }

 private:
  static double dot(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

  // `middle`: from b to a, which moves by `speed`. i, j: of the edges, or of a face where the other is -1.
  void look(double middle, double speed, double reach, int i, int j) {
    const double gap = std::abs(middle) - reach;
    if (!(gap > 0.0)) return;
    const double closing = middle < 0.0 ? speed : -speed;
    // What does not come nearer stays apart for ever.
    const double over = closing > 0.0 ? gap : 1.0, under = closing > 0.0 ? closing : 0.0;
    if (!(over * under_ > over_ * under)) return;
    over_ = over;
    under_ = under;
    i_ = i;
    j_ = j;
    side_ = middle < 0.0 ? 1.0 : -1.0;
  }

  Vector3 best() const {
    if (i_ < 0 && j_ < 0) return Vector3::Zero();
    if (i_ < 0) return side_ * Vector3::Unit(j_);
    const Vector3 edge(c_[i_][0], c_[i_][1], c_[i_][2]);
    const Vector3 axis = j_ < 0 ? edge : edge.cross(Vector3::Unit(j_));
    const double length = axis.norm();
    return length > 1e-6 ? Vector3(axis * (side_ / length)) : Vector3(Vector3::Zero());
  }

  double c_[3][3], size_[3][3];  // columns of the rotation, and how large they are
  double t_[3], v_[3], h_[3], g_[3];
  double over_ = 0.0, under_ = 1.0;  // the latest end
  double side_ = 1.0;
  int i_ = -1, j_ = -1;
};

// The corner farthest along a direction; the axes that it leaves free.
struct Side {
  std::int32_t corner = 0;
  int free[3] = {0, 0, 0};
  int count = 0;

  explicit Side(const Vector3& direction) {
    for (int i = 0; i < 3; ++i) {
      if (direction[i] > 0.0) corner |= 1 << i;
      if (std::abs(direction[i]) < least_cosine) free[count++] = i;
    }
  }
};

Vector3 corner_at(const Vector3& half, std::int32_t corner) {
  return {(corner & 1) != 0 ? half.x() : -half.x(), (corner & 2) != 0 ? half.y() : -half.y(),
          (corner & 4) != 0 ? half.z() : -half.z()};
}

// Of a face of the box that a point lies above: the corner nearest to it.
void turn_to(const Vector3& point, Side& face) {
  for (int k = 0; k < face.count; ++k) {
    const int bit = 1 << face.free[k];
    face.corner = point[face.free[k]] < 0.0 ? face.corner & ~bit : face.corner | bit;
  }
}

// Of two edges: the ends nearest to where they cross.
void turn_to_crossing(const Vector3& half_a, const Vector3& half_b, const Pose& a_to_b, Side& a, Side& b) {
  const int i = a.free[0], j = b.free[0];
  Vector3 middle_a = corner_at(half_a, a.corner), middle_b = corner_at(half_b, b.corner);
  middle_a[i] = middle_b[j] = 0.0;
  const Vector3 between = a_to_b.apply(middle_a) - middle_b;
  const Vector3 edge = a_to_b.rotation.col(i);
  // between + l edge - k e_j is shortest.
  const double l = (edge[j] * between[j] - edge.dot(between)) / (edge.squaredNorm() - edge[j] * edge[j]);
  const double k = between[j] + l * edge[j];
  a.corner = l < 0.0 ? a.corner & ~(1 << i) : a.corner | 1 << i;
  b.corner = k < 0.0 ? b.corner & ~(1 << j) : b.corner | 1 << j;
}

}  // namespace

Vector3 last_separating_axis(const MovingBoxes& boxes) {
  return Axes(boxes).last();
}

TouchingCorners corners_along(const Vector3& half_a, const Vector3& half_b, const Pose& a_to_b,
                              const Vector3& axis) {
  TouchingCorners corners;
  Side a(a_to_b.rotation.transpose() * axis), b(-axis);
  if (a.count == 0 && b.count == 2) {
    turn_to(a_to_b.apply(corner_at(half_a, a.corner)), b);
  } else if (a.count == 2 && b.count == 0) {
    turn_to(a_to_b.rotation.transpose() * (corner_at(half_b, b.corner) - a_to_b.translation), a);
  } else if (a.count == 1 && b.count == 1) {
    turn_to_crossing(half_a, half_b, a_to_b, a, b);
  } else {
    return corners;
  }
  corners.are_known = true;
  corners.vertex_a.fill(a.corner);
  corners.vertex_b.fill(b.corner);
  for (int k = 0; k < a.count; ++k) corners.vertex_a[static_cast<std::size_t>(k + 1)] ^= 1 << a.free[k];
  for (int k = 0; k < b.count; ++k) corners.vertex_b[static_cast<std::size_t>(2 - k)] ^= 1 << b.free[k];
  for (std::size_t k = 0; k < 3; ++k) {
    corners.of_a[k] = corner_at(half_a, corners.vertex_a[k]);
    corners.of_b[k] = corner_at(half_b, corners.vertex_b[k]);
  }
  return corners;
}

}  // namespace toccata::search
