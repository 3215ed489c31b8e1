// Notation. b is |x_j| <= g_j, a is t + sum s_i c_i with |s_i| <= h_i, c_i the columns of the rotation. A
// rotation that is off orthonormal makes a a parallelepiped; what is proven here is proven for that one.
#include "proximity/convex/box_pair.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace toccata::convex {
namespace {

constexpr int most_rounds = 8;

// x brought into the box.
Vector3 clamped(const Vector3& x, const Vector3& half) {
  return {std::min(std::max(x.x(), -half.x()), half.x()), std::min(std::max(x.y(), -half.y()), half.y()),
          std::min(std::max(x.z(), -half.z()), half.z())};
}

// The axis along which a point of a box is free if it is on an edge, 3 on a corner, -1 elsewhere.
int free_axis(const Vector3& x, const Vector3& half) {
  const bool on[3] = {std::abs(x.x()) == half.x(), std::abs(x.y()) == half.y(), std::abs(x.z()) == half.z()};
  const int count = on[0] + on[1] + on[2];
  if (count == 3) return 3;
  if (count != 2) return -1;
  return !on[0] ? 0 : !on[1] ? 1 : 2;
}

class BoxPair {
 public:
  explicit BoxPair(const Difference& difference)
      : difference_(difference),
        r_(difference.a_to_b.rotation),
        t_(difference.a_to_b.translation),
        h_(difference.a->half),
        g_(difference.b->half) {}

  std::optional<CoreDistance> distance() {
    // Apart, but not along a face: the nearest points are on two edges.
    if (!start() && !start_at_edges()) return std::nullopt;
    if (starts_at_edges_) {
      if (const auto answer = proven()) return answer;
    }
    for (int round = 0; round < most_rounds; ++round) {
      const Vector3 before = s_;
      s_ = clamped(r_.transpose() * (x_ - t_), h_);
      y_ = t_ + r_ * s_;
      x_ = clamped(y_, g_);
      ++result_.iterations;
      if (s_ == before) return proven();  // clamping leads no farther
      const int edge_a = free_axis(s_, h_), edge_b = free_axis(x_, g_);
      if (edge_a >= 0 && edge_a < 3 && edge_b >= 0 && edge_b < 3 && meet_edges(edge_a, edge_b)) {
        if (const auto answer = proven()) return answer;
      }
    }
    return proven();
  }

  std::optional<CoreDepth> depth() {
    least_ = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 3; ++i) {
      look_along(Vector3::Unit(i), 1.0, -1, i);
      const Vector3 face = r_.col((i + 1) % 3).cross(r_.col((i + 2) % 3));
      look_along(face, face.norm(), i, -1);
    }
    if (!(least_ > 2.0 * difference_.height_error)) return std::nullopt;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        const Vector3 axis = edge_normal(i, j);
        const double length = axis.norm();
        if (length > 1e-150) look_along(axis, length, i, j);
      }
    }
    if (!(least_ > 2.0 * difference_.height_error)) return std::nullopt;
    CoreDepth result;
    result.lower = least_ - difference_.height_error;
    result.upper = least_ + difference_.height_error;
    result.normal = normal_;
    result.iterations = 15;
    write_deepest(result);
    return result;
  }

 private:
  // From the corner that is farthest against the face with the widest gap. False if no face has one.
  bool start() {
    double widest = -std::numeric_limits<double>::infinity();
    int face = 0;
    const Vector3 of_t = r_.transpose() * t_;
    const Matrix3 size = r_.cwiseAbs();
    for (int j = 0; j < 3; ++j) {
      const double gap = std::abs(t_[j]) - g_[j] - size.row(j).dot(h_);
      if (gap > widest) {
        widest = gap;
        face = j;
      }
    }
    for (int i = 0; i < 3; ++i) {
      const double gap = std::abs(of_t[i]) - h_[i] - size.col(i).dot(g_);
      if (gap > widest) {
        widest = gap;
        face = 3 + i;
      }
    }
    if (face < 3) {
      const double side = t_[face] < 0.0 ? 1.0 : -1.0;  // a's corner towards b
      for (int i = 0; i < 3; ++i) s_[i] = std::copysign(h_[i], side * r_(face, i));
      y_ = t_ + r_ * s_;
      x_ = clamped(y_, g_);
    } else {
      const double side = of_t[face - 3] < 0.0 ? -1.0 : 1.0;  // b's corner towards a
      for (int j = 0; j < 3; ++j) x_[j] = std::copysign(g_[j], side * r_(j, face - 3));
      s_.setConstant(std::numeric_limits<double>::quiet_NaN());  // not known yet
    }
    return widest > 0.0;
  }

  // From the nearest points of the edges along whose common normal the gap is widest. False if none has one.
  bool start_at_edges() {
    double widest = 0.0;
    int edge_a = -1, edge_b = -1;
    Vector3 normal;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        const Vector3 axis = edge_normal(i, j);
        const double reach = (r_.transpose() * axis).cwiseAbs().dot(h_) + axis.cwiseAbs().dot(g_);
        const double middle = axis.dot(t_), gap = std::abs(middle) - reach;
        if (!(gap > 0.0)) continue;
        const double share = gap / axis.norm();
        if (!(share > widest)) continue;
        widest = share;
        edge_a = i;
        edge_b = j;
        normal = middle > 0.0 ? axis : Vector3(-axis);  // from b to a
      }
    }
    if (edge_a < 0) return false;
    const Vector3 along = r_.transpose() * normal;
    for (int k = 0; k < 3; ++k) {
      s_[k] = std::copysign(h_[k], -along[k]);
      x_[k] = std::copysign(g_[k], normal[k]);
    }
    s_[edge_a] = 0.0;
    x_[edge_b] = 0.0;
    y_ = t_ + r_ * s_;
    return starts_at_edges_ = meet_edges(edge_a, edge_b);
  }

  // c_i x e_j. Its coordinates are those of c_i: nothing is rounded, and short products stay exact.
  Vector3 edge_normal(int i, int j) const {
    Vector3 axis = Vector3::Zero();
    axis[(j + 1) % 3] = r_((j + 2) % 3, i);
    axis[(j + 2) % 3] = -r_((j + 1) % 3, i);
    return axis;
  }

  // The nearest points of two edges, if they lie inside both.
  bool meet_edges(int i, int j) {
    const Vector3 u = r_.col(i);
    const Vector3 between = y_ - x_;
    // x + p e_j, y + q u: (x - y) . e_j + p - q u_j = 0, (x - y) . u + p u_j - q u . u = 0.
    const double uu = u.squaredNorm(), determinant = uu - u[j] * u[j];
    if (!(determinant > 0.0)) return false;
    const double along_b = between[j], along_a = between.dot(u);
    const double q = (u[j] * along_b - along_a) / determinant;
    const double p = along_b + q * u[j];
    const double s = s_[i] + q, x = x_[j] + p;
    if (!(std::abs(s) < h_[i] && std::abs(x) < g_[j])) return false;
    s_[i] = s;
    x_[j] = x;
    y_ = t_ + r_ * s_;
    return true;
  }

  std::optional<CoreDistance> proven() {
    const Vector3 n = y_ - x_;
    const double length = n.norm();
    if (!(length > 0.0)) return std::nullopt;
    const double reach = (r_.transpose() * n).cwiseAbs().dot(h_) + n.cwiseAbs().dot(g_);
    result_.lower = (n.dot(t_) - reach) / length - difference_.height_error;
    result_.upper = length * (1.0 + 4.0 * unit_roundoff) + difference_.point_error;
    if (!(result_.lower > 0.0) ||
        result_.upper - result_.lower > 2.0 * (difference_.height_error + difference_.point_error))
      return std::nullopt;
    result_.direction = n / length;
    result_.of_a = y_;
    result_.of_b = x_;
    write_features();
    return result_;
  }

  // Corners that span the faces of the two points: up to three of a face's four span it.
  static std::int32_t write_side(const Vector3& x, const Vector3& half,
                                 std::array<std::int32_t, 4>& vertices) {
    std::int32_t corner = 0, free[3] = {0, 0, 0};
    int count = 0;
    for (int i = 0; i < 3; ++i) {
      if (!(x[i] < 0.0)) corner |= 1 << i;
      if (std::abs(x[i]) < half[i]) free[count++] = 1 << i;
    }
    vertices[0] = corner;
    for (int k = 0; k < count && k < 2; ++k) vertices[k + 1] = corner ^ free[k];
    return 1 + std::min(count, 2);
  }

  void write_features() {
    std::array<std::int32_t, 4>&a = result_.features.vertex_a, &b = result_.features.vertex_b;
    const std::int32_t count_a = write_side(s_, h_, a), count_b = write_side(x_, g_, b);
    result_.features.count = std::max(count_a, count_b);
    for (std::int32_t k = count_a; k < result_.features.count; ++k) a[k] = a[0];
    for (std::int32_t k = count_b; k < result_.features.count; ++k) b[k] = b[0];
  }

  // How far the boxes overlap along an axis.
  void look_along(const Vector3& axis, double length, int i, int j) {
    const double middle = axis.dot(t_);
    const double reach = (r_.transpose() * axis).cwiseAbs().dot(h_) + axis.cwiseAbs().dot(g_);
    const double overlap = (reach - std::abs(middle)) / length;
    if (!(overlap < least_)) return;
    least_ = overlap;
    axis_a_ = i;
    axis_b_ = j;
    normal_ = axis * ((middle > 0.0 ? -1.0 : 1.0) / length);  // from a, at t, to b
  }

  void write_deepest(CoreDepth& result) {
    const Vector3 n = normal_, along = r_.transpose() * n;
    // The corner of a farthest along the normal, of b against it; the middle where the box does not care.
    for (int k = 0; k < 3; ++k) {
      s_[k] = std::abs(along[k]) > 1e-12 ? std::copysign(h_[k], along[k]) : 0.0;
      x_[k] = std::abs(n[k]) > 1e-12 ? std::copysign(g_[k], -n[k]) : 0.0;
    }
    if (axis_a_ >= 0 && axis_b_ >= 0) {
      s_[axis_a_] = 0.0;
      x_[axis_b_] = 0.0;
      y_ = t_ + r_ * s_;
      const Vector3 before_s = s_, before_x = x_;
      x_ += least_ * n;  // b's edge brought to a's
      const Vector3 u = r_.col(axis_a_), between = y_ - x_;
      const double determinant = u.squaredNorm() - u[axis_b_] * u[axis_b_];
      const double q = (u[axis_b_] * between[axis_b_] - between.dot(u)) / determinant;
      s_ = before_s;
      s_[axis_a_] = std::clamp(q, -h_[axis_a_], h_[axis_a_]);
      x_ = before_x;
      x_[axis_b_] = std::clamp(between[axis_b_] + q * u[axis_b_], -g_[axis_b_], g_[axis_b_]);
      result.of_a = t_ + r_ * s_;
      result.of_b = x_;
    } else if (axis_b_ >= 0) {  // a face of b: a's corner and the point of the face above it
      result.of_b = clamped(t_ + r_ * s_ - least_ * n, g_);
      result.of_a = t_ + r_ * clamped(r_.transpose() * (result.of_b + least_ * n - t_), h_);
    } else {
      result.of_a = t_ + r_ * clamped(r_.transpose() * (x_ + least_ * n - t_), h_);
      result.of_b = clamped(result.of_a - least_ * n, g_);
    }
  }

  const Difference& difference_;
  const Matrix3 r_;
  const Vector3 t_, h_, g_;
  Vector3 s_ = Vector3::Zero();  // of a's point, along its own axes
  Vector3 y_ = Vector3::Zero();  // the same in b's coordinates
  Vector3 x_ = Vector3::Zero();  // of b
  bool starts_at_edges_ = false;
  CoreDistance result_;
  double least_ = 0.0;
  Vector3 normal_ = Vector3::UnitX();
  int axis_a_ = -1, axis_b_ = -1;
};

}  // namespace

std::optional<CoreDistance> box_pair_distance(const Difference& difference) {
  return BoxPair(difference).distance();
}

std::optional<CoreDepth> box_pair_depth(const Difference& difference) {
  return BoxPair(difference).depth();
}

}  // namespace toccata::convex
