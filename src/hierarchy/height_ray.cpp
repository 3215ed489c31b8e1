// A ray through a height field by way of its pyramid: blocks that the ray passes above are skipped whole, the
// columns of the others are met in the order of the ray. The stretch of the ray over a row or a column of
// cells ends where the next one starts, because both come from the same line of samples by the same
// operations, which are monotone. So no ray slips between.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "hierarchy/height_tree.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata {

class HeightTree::Ray {
 public:
  struct Stretch {
    double begin = 0.0;
    double end = 0.0;
    int axis = -1;  // across which line it is entered; -1: at the start of the ray

    bool empty() const { return !(begin <= end); }
  };

  Ray(const HeightTree& tree, const Vector3& origin, const Vector3& direction, double limit)
      : tree_(tree), origin_(origin), direction_(direction), limit_(limit) {}

  HeightRayHit first_entry() {
    const Level& top = tree_.levels_.back();
    visit(tree_.levels_.size() - 1, 0, stretch_over(tree_.block_of(top, 0, 0)));
    return best_;
  }

 private:
  struct Entry {
    double begin;
    std::int32_t x, y;
    Stretch stretch;
  };

  bool is_vertical() const { return direction_.x() == 0.0 && direction_.y() == 0.0; }
  double height_at(double t) const { return origin_.z() + t * direction_.z(); }

  Stretch stretch_over(const Block& block) const {
    Stretch s{0.0, std::numeric_limits<double>::infinity(), -1};
    for (int k = 0; k < 2; ++k) {
      const double low = block.first[k] * tree_.field_.spacing[k];
      const double high = block.last[k] * tree_.field_.spacing[k];
      if (direction_[k] == 0.0) {
        if (origin_[k] < low || origin_[k] > high) return {1.0, 0.0, -1};
        continue;
      }
      double enter = (low - origin_[k]) / direction_[k], leave = (high - origin_[k]) / direction_[k];
      if (enter > leave) std::swap(enter, leave);
      if (enter > s.begin) s.begin = enter, s.axis = k;
      s.end = std::min(s.end, leave);
    }
    return s;
  }

  // Blocks that the ray passes above, or below the floor, are left out; the others nearest first.
  void visit(std::size_t l, std::uint32_t at, const Stretch& stretch) {
    if (stretch.empty() || stretch.begin > limit_) return;
    const Level& level = tree_.levels_[l];
    const double begin = height_at(stretch.begin), end = height_at(stretch.end);  // may be infinite
    const double slack = 8.0 * unit_roundoff * (std::abs(origin_.z()) + std::abs(begin)) + tree_.padding_;
    // NaN (0 times infinity) compares false and leaves nothing out.
    if (std::min(begin, end) > level.tops[at] + tree_.center_.z() + slack) return;
    if (std::max(begin, end) < tree_.floor_ - slack) return;
    const auto columns = static_cast<std::uint32_t>(level.count[0]);
    const Block block = tree_.block_of(level, static_cast<std::int32_t>(at % columns),
                                       static_cast<std::int32_t>(at / columns));
    if (l == 0) {
      for (std::int32_t row = block.first[1]; row < block.last[1]; ++row) {
        for (std::int32_t column = block.first[0]; column < block.last[0]; ++column) visit_cell(column, row);
      }
      return;
    }
    const Level& below = tree_.levels_[l - 1];
    Entry entries[box_width];
    int count = 0;
    for (std::int32_t y = block.first[1] / below.block[1]; y * below.block[1] < block.last[1]; ++y) {
      for (std::int32_t x = block.first[0] / below.block[0]; x * below.block[0] < block.last[0]; ++x) {
        const Stretch s = stretch_over(tree_.block_of(below, x, y));
        if (!s.empty()) entries[count++] = {s.begin, x, y, s};
      }
    }
    std::stable_sort(entries, entries + count,
                     [](const Entry& a, const Entry& b) { return a.begin < b.begin; });
    for (int i = 0; i < count; ++i) {
      const auto child =
          static_cast<std::uint32_t>(entries[i].y) * static_cast<std::uint32_t>(below.count[0]) +
          static_cast<std::uint32_t>(entries[i].x);
      if (below.tops[child] != no_top) visit(l - 1, child, entries[i].stretch);
    }
  }

  // Over the square of a cell the diagonal cuts the stretch in two.
  void visit_cell(std::int32_t column, std::int32_t row) {
    const Block cell = {{column, row}, {column + 1, row + 1}};
    const Stretch s = stretch_over(cell);
    if (s.empty() || s.begin > limit_) return;
    // A vertical ray stays where it is, for good.
    const double begin = side_of_diagonal(column, row, s.begin);
    const double end = is_vertical() ? begin : side_of_diagonal(column, row, s.end);
    const bool crosses = (begin > 0.0 && end < 0.0) || (begin < 0.0 && end > 0.0);
    const double share = crosses ? begin / (begin - end) : 0.0;
    const double middle = crosses ? std::clamp(s.begin + share * (s.end - s.begin), s.begin, s.end) : s.begin;
    for (int half = 0; half < 2; ++half) {
      const double sign = half == 0 ? 1.0 : -1.0;
      if (!crosses) {
        if (sign * begin >= 0.0 && sign * end >= 0.0) visit_column(tree_.piece_at(column, row, half), s);
      } else if (sign * begin > 0.0) {
        visit_column(tree_.piece_at(column, row, half), {s.begin, middle, s.axis});
      } else {
        visit_column(tree_.piece_at(column, row, half), {middle, s.end, diagonal});
      }
    }
  }

  // Along the cell's axes in units of it: above zero over the first triangle.
  double side_of_diagonal(std::int32_t column, std::int32_t row, double t) const {
    const Vector2& spacing = tree_.field_.spacing;
    const double u = (origin_.x() + t * direction_.x() - column * spacing.x()) / spacing.x();
    const double v = (origin_.y() + t * direction_.y() - row * spacing.y()) / spacing.y();
    return u - v;
  }

  // How far the ray at t is above the plane of the column's top.
  double above_top(const std::array<Vector3, 3>& top, int half, double t) const {
    const Vector2& spacing = tree_.field_.spacing;
    const double u = (origin_.x() + t * direction_.x() - top[0].x()) / spacing.x();
    const double v = (origin_.y() + t * direction_.y() - top[0].y()) / spacing.y();
    const double along_x = half == 0 ? top[1].z() - top[0].z() : top[1].z() - top[2].z();
    const double along_y = half == 0 ? top[2].z() - top[1].z() : top[2].z() - top[0].z();
    return height_at(t) - (top[0].z() + u * along_x + v * along_y);
  }

  void visit_column(std::int32_t piece, Stretch s) {
    if (tree_.is_hole(piece)) return;
    std::array<Vector3, 3> top;
    std::size_t k = 0;
    for (const auto& [c, r] : tree_.samples_of(piece)) top[k++] = tree_.corner(c, r);
    if (is_vertical()) {
      const double above = above_top(top, piece % 2, 0.0);
      keep_below(above, direction_.z(), through_top, s);
      keep_below(tree_.floor_ - origin_.z(), -direction_.z(), through_floor, s);
    } else {
      const double length = s.end - s.begin;
      const double above[2] = {above_top(top, piece % 2, s.begin), above_top(top, piece % 2, s.end)};
      const double below[2] = {tree_.floor_ - height_at(s.begin), tree_.floor_ - height_at(s.end)};
      Stretch part{0.0, 1.0, s.axis};
      keep_below(above[0], above[1] - above[0], through_top, part);
      keep_below(below[0], below[1] - below[0], through_floor, part);
      if (part.empty()) return;
      s = {part.begin == 0.0 ? s.begin : std::min(s.begin + part.begin * length, s.end), s.end, part.axis};
    }
    if (s.empty() || s.begin > limit_) return;
    // Through the top where it meets the neighbour's, if that just missed it.
    if (s.axis >= 0 && s.axis <= diagonal && -above_top(top, piece % 2, s.begin) <= top_slack(top))
      s.axis = through_top;
    if (best_.hit && (s.begin > best_.parameter || (s.begin == best_.parameter && piece > best_.piece)))
      return;
    best_ = {true, s.begin, piece, normal_of(s.axis, top)};
    limit_ = s.begin;
  }

  double top_slack(const std::array<Vector3, 3>& top) const {
    const double largest = std::max({std::abs(top[0].z()), std::abs(top[1].z()), std::abs(top[2].z())});
    return 64.0 * unit_roundoff * (largest + origin_.cwiseAbs().maxCoeff());
  }

  // The part of the stretch where value + t rate <= 0.
  static void keep_below(double value, double rate, int axis, Stretch& s) {
    const double begin = value + s.begin * rate;
    if (s.begin == 0.0 ? value > 0.0 : begin > 0.0) {
      const double root = rate < 0.0 ? -value / rate : std::numeric_limits<double>::infinity();
      s.begin = std::max(root, s.begin);
      s.axis = axis;
    } else if (rate > 0.0) {
      s.end = std::min(s.end, std::max(-value / rate, s.begin));
    }
  }

  Vector3 normal_of(int axis, const std::array<Vector3, 3>& top) const {
    if (axis == through_top) return (top[1] - top[0]).cross(top[2] - top[0]).normalized();
    if (axis == through_floor) return -Vector3::UnitZ();
    Vector3 normal = Vector3::Zero();
    if (axis == diagonal)
      normal = Vector3(tree_.field_.spacing.y(), -tree_.field_.spacing.x(), 0.0).normalized();
    if (axis == 0 || axis == 1) normal[axis] = 1.0;
    return normal.dot(direction_) > 0.0 ? Vector3(-normal) : normal;
  }

  static constexpr int diagonal = 2, through_top = 3, through_floor = 4;

  const HeightTree& tree_;
  Vector3 origin_, direction_;
  double limit_;
  HeightRayHit best_;
};

HeightRayHit HeightTree::first_entry(const Vector3& origin, const Vector3& direction, double limit) const {
  if (empty()) return {};
  return Ray(*this, origin, direction, limit).first_entry();
}

}  // namespace toccata
