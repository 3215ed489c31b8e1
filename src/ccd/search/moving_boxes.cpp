// Along an axis of any length the middles are `middle` apart, the boxes reach `reach` together, and a comes
// nearer by `speed` per time: apart until (|middle| - reach) / speed. Ends are kept as fractions, since times
// along axes of different lengths compare without roots.
#include "ccd/search/moving_boxes.hpp"

#include <cmath>

namespace toccata::search {
namespace {

// A time as a fraction with a positive denominator.
struct Time {
  double over;
  double under;
};
bool is_before(const Time& a, const Time& b) {
  return a.over * b.under < b.over * a.under;
}

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

  SeparatingAxes found() {
    for (int j = 0; j < 3; ++j) {
      double axis[3] = {0.0, 0.0, 0.0};
      axis[j] = 1.0;
      look(axis, t_[j], v_[j], g_[j] + h_[0] * size_[0][j] + h_[1] * size_[1][j] + h_[2] * size_[2][j]);
    }
    for (int i = 0; i < 3; ++i) {
      look(c_[i], dot(c_[i], t_), dot(c_[i], v_),
           h_[i] + g_[0] * size_[i][0] + g_[1] * size_[i][1] + g_[2] * size_[i][2]);
    }
    for (int i = 0; i < 3; ++i) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
      for (int j = 0; j < 3; ++j) {
        // c_i x e_j. Of two edges of a box the product is along the third, so that the reach of a along it is
        // told by the other columns.
        const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        double axis[3];
        axis[j] = 0.0;
        axis[j1] = c_[i][j2];
        axis[j2] = -c_[i][j1];
        look(axis, axis[j1] * t_[j1] + axis[j2] * t_[j2], axis[j1] * v_[j1] + axis[j2] * v_[j2],
             h_[i1] * size_[i2][j] + h_[i2] * size_[i1][j] + g_[j1] * size_[i][j2] + g_[j2] * size_[i][j1]);
      }
    }
    SeparatingAxes axes;
    if (!has_enter_) return axes;
    axes.last = unit(enter_axis_);
    if (has_exit_ && is_before(exit_, enter_)) axes.first = unit(exit_axis_);
    return axes;
  }

 private:
  static double dot(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

  static Vector3 unit(const double* axis) {
    const Vector3 v(axis[0], axis[1], axis[2]);
    const double length = v.norm();
    return length > 1e-140 ? Vector3(v / length) : Vector3(Vector3::Zero());
  }

  // `middle`: from b to a.
  void look(const double* axis, double middle, double speed, double reach) {
    const double side = middle < 0.0 ? -1.0 : 1.0;
    const double gap = side * middle - reach, closing = -side * speed;
    if (gap > 0.0) {
      // What does not come nearer stays apart for ever.
      const Time until = closing > 0.0 ? Time{gap, closing} : Time{1.0, 0.0};
      if (!has_enter_ || is_before(enter_, until)) {
        enter_ = until;
        for (int k = 0; k < 3; ++k) enter_axis_[k] = -side * axis[k];
        has_enter_ = true;
      }
    }
    // Apart again on the side it moves to.
    if (!(std::abs(speed) > 0.0)) return;
    const double to = speed < 0.0 ? -1.0 : 1.0;
    const Time from = {reach - to * middle, to * speed};
    if (!has_exit_ || is_before(from, exit_)) {
      exit_ = from;
      for (int k = 0; k < 3; ++k) exit_axis_[k] = -to * axis[k];
      has_exit_ = true;
    }
  }

  double c_[3][3], size_[3][3];  // columns of the rotation, and how large they are
  double t_[3], v_[3], h_[3], g_[3];
  Time enter_ = {0.0, 1.0}, exit_ = {0.0, 1.0};
  double enter_axis_[3] = {0.0, 0.0, 0.0}, exit_axis_[3] = {0.0, 0.0, 0.0};
  bool has_enter_ = false, has_exit_ = false;
};

}  // namespace

SeparatingAxes separating_axes(const MovingBoxes& boxes) {
  return Axes(boxes).found();
}

}  // namespace toccata::search
