#include "hierarchy/height_tree.hpp"

#include <algorithm>
#include <cmath>

#include "toccata/base/rounding.hpp"
#include "toccata/elementary/orientation.hpp"

namespace toccata {
namespace {

// Not below x, and not above it.
float not_below(double x) {
  const float f = static_cast<float>(x);
  return static_cast<double>(f) < x ? std::nextafter(f, std::numeric_limits<float>::infinity()) : f;
}
float not_above(double x) {
  return -not_below(-x);
}

// NaN if one of them is.
double highest_of(double a, double b, double c) {
  return std::isnan(a + b + c) ? std::numeric_limits<double>::quiet_NaN() : std::max(std::max(a, b), c);
}

// Tops of columns have boxes of their own up to this slope.
constexpr double steepest = 1e6;

std::int32_t blocks_in(std::int32_t cells, std::int32_t block) {
  return (cells - 1) / block + 1;
}

}  // namespace

HeightTree::HeightTree(const HeightField& field, double floor, const Vector3& center)
    : field_(field), floor_(floor), center_(center), cells_{field.columns - 1, field.rows - 1} {
  double highest = floor;
  for (const double h : field.heights) highest = std::max(highest, h);  // NaN is never larger
  const Vector3 far(cells_[0] * field.spacing.x(), cells_[1] * field.spacing.y(), highest);
  // A position is rounded when the centre is subtracted, a box once more on each side; as in build_box_tree.
  const double reach = std::max(far.cwiseAbs().maxCoeff(), std::abs(floor));
  padding_ = 64.0 * unit_roundoff * (reach + center.cwiseAbs().maxCoeff());

  // Four cells, with two columns each, make a node of the lowest level; eight blocks one of any other.
  Level level;
  for (int doubling = 0; doubling < 2; ++doubling) grow(level);
  for (;;) {
    for (int k = 0; k < 2; ++k) level.count[k] = blocks_in(cells_[k], level.block[k]);
    levels_.push_back(level);
    fill_tops(levels_.size() - 1);
    if (level.count[0] == 1 && level.count[1] == 1) break;
    for (int doubling = 0; doubling < 3; ++doubling) grow(level);
  }
  if (levels_.back().tops[0] == no_top) {  // nothing but holes
    levels_.clear();
    return;
  }
  node_count_ = 1;
  for (std::size_t l = levels_.size(); l-- > 0;) {
    levels_[l].first_node = node_count_;
    node_count_ += static_cast<std::uint32_t>(levels_[l].tops.size());
  }
}

// Doubles the shorter side of the blocks, unless they span the field along it.
void HeightTree::grow(Level& level) const {
  const bool spans_x = level.block[0] >= cells_[0], spans_y = level.block[1] >= cells_[1];
  const bool is_wide = level.block[0] * field_.spacing.x() > level.block[1] * field_.spacing.y();
  if (spans_x && spans_y) return;
  level.block[spans_x || (is_wide && !spans_y) ? 1 : 0] *= 2;
}

void HeightTree::fill_tops(std::size_t l) {
  Level& level = levels_[l];
  level.tops.assign(static_cast<std::size_t>(level.count[0]) * static_cast<std::size_t>(level.count[1]),
                    no_top);
  level.lows.assign(level.tops.size(), no_low);
  auto* top = level.tops.data();
  auto* bottom = level.lows.data();
  for (std::int32_t y = 0; y < level.count[1]; ++y) {
    for (std::int32_t x = 0; x < level.count[0]; ++x, ++top, ++bottom) {
      const Block block = block_of(level, x, y);
      if (l == 0) {
        double highest = -std::numeric_limits<double>::infinity();
        for (std::int32_t row = block.first[1]; row < block.last[1]; ++row) {
          for (std::int32_t column = block.first[0]; column < block.last[0]; ++column) {
            const double *low = &field_.heights[sample_at(column, row)], *high = low + field_.columns;
            // A hole's NaN is never larger.
            highest = std::max(highest, highest_of(low[0], low[1], high[1]));
            highest = std::max(highest, highest_of(low[0], high[1], high[0]));
          }
        }
        if (highest >= floor_) *top = not_below(highest - center_.z() + padding_);
        *bottom = low_of(block);
        continue;
      }
      const Level& below = levels_[l - 1];
      *bottom = std::numeric_limits<float>::infinity();
      for (std::int32_t v = block.first[1] / below.block[1]; v * below.block[1] < block.last[1]; ++v) {
        for (std::int32_t u = block.first[0] / below.block[0]; u * below.block[0] < block.last[0]; ++u) {
          const auto at = static_cast<std::size_t>(v) * static_cast<std::size_t>(below.count[0]) +
                          static_cast<std::size_t>(u);
          *top = std::max(*top, below.tops[at]);
          *bottom = std::min(*bottom, below.lows[at]);
        }
      }
    }
  }
}

// No border, and no hole, not even beside it: a column that shares a corner with a hole has its samples
// within one of the block.
float HeightTree::low_of(const Block& block) const {
  for (int k = 0; k < 2; ++k) {
    if (block.first[k] == 0 || block.last[k] == cells_[k]) return no_low;
  }
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest, sum = 0.0;
  for (std::int32_t row = block.first[1] - 1; row <= block.last[1] + 1; ++row) {
    const double* height = &field_.heights[sample_at(block.first[0] - 1, row)];
    for (std::int32_t column = block.first[0] - 1; column <= block.last[0] + 1; ++column, ++height) {
      sum += *height;
      lowest = std::min(lowest, *height);
      highest = std::max(highest, *height);
    }
  }
  // Squares of steeper slopes are more than boxes need.
  const bool is_steep = !(highest - lowest <= steepest * field_.spacing.minCoeff());
  return std::isnan(sum) || is_steep ? no_low : not_above(lowest - center_.z() - padding_);
}

std::size_t HeightTree::sample_at(std::int32_t column, std::int32_t row) const {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(field_.columns) +
         static_cast<std::size_t>(column);
}

Vector3 HeightTree::corner(std::int32_t column, std::int32_t row) const {
  return {column * field_.spacing.x(), row * field_.spacing.y(), field_.heights[sample_at(column, row)]};
}

std::int32_t HeightTree::piece_at(std::int32_t column, std::int32_t row, int half) const {
  return 2 * (row * cells_[0] + column) + half;
}

std::array<std::array<std::int32_t, 2>, 3> HeightTree::samples_of(std::int32_t piece) const {
  const std::int32_t cell = piece / 2, column = cell % cells_[0], row = cell / cells_[0];
  if (piece % 2 == 0) return {{{column, row}, {column + 1, row}, {column + 1, row + 1}}};
  return {{{column, row}, {column + 1, row + 1}, {column, row + 1}}};
}

bool HeightTree::is_hole(std::int32_t piece) const {
  for (const auto& [column, row] : samples_of(piece)) {
    if (std::isnan(field_.heights[sample_at(column, row)])) return true;
  }
  return false;
}

bool HeightTree::is_inner(std::int32_t piece) const {
  const std::int32_t cell = piece / 2, column = cell % cells_[0], row = cell / cells_[0];
  const Level& level = levels_.front();
  const std::int32_t block = row / level.block[1] * level.count[0] + column / level.block[0];
  return level.lows[static_cast<std::size_t>(block)] != no_low;
}

std::array<Vector3, 6> HeightTree::corners_of(std::int32_t piece) const {
  std::array<Vector3, 6> corners;
  std::size_t k = 0;
  for (const auto& [column, row] : samples_of(piece)) {
    corners[k] = corner(column, row) - center_;
    corners[k + 3] = {corners[k].x(), corners[k].y(), floor_ - center_.z()};
    ++k;
  }
  return corners;
}

HeightTree::Block HeightTree::block_of(const Level& level, std::int32_t x, std::int32_t y) const {
  const std::int32_t at[2] = {x, y};
  Block block;
  for (int k = 0; k < 2; ++k) {
    block.first[k] = at[k] * level.block[k];
    // The last block may be cut; compared before the product, which may not fit.
    block.last[k] = at[k] + 1 == level.count[k] ? cells_[k] : block.first[k] + level.block[k];
  }
  return block;
}

// Boxes along the axes, relative to the centre, of a node whose origin is set.
struct HeightTree::Extents {
  double lower[3][box_width] = {};
  double upper[3][box_width] = {};
};

void HeightTree::add_extent(BoxNode& node, const Block& block, double bottom, double top,
                            Extents& extents) const {
  const auto slot = static_cast<std::size_t>(node.count++);
  for (int k = 0; k < 2; ++k) {
    extents.lower[k][slot] = block.first[k] * field_.spacing[k] - center_[k];
    extents.upper[k][slot] = block.last[k] * field_.spacing[k] - center_[k];
  }
  extents.lower[2][slot] = bottom;
  extents.upper[2][slot] = top;
}

void HeightTree::set_boxes(BoxNode& node, const Extents& extents) const {
  float reach[box_width] = {};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto origin = static_cast<double>(node.origin[k]);
    // All places, so that the loop has no end of its own; those not used are as good as any.
    for (std::size_t slot = 0; slot < box_width; ++slot) {
      const double low = extents.lower[k][slot] - origin, high = extents.upper[k][slot] - origin;
      const auto middle = static_cast<float>(0.5 * (low + high));
      const double half = std::max(high - static_cast<double>(middle), static_cast<double>(middle) - low);
      node.center[k][slot] = middle;
      node.half[k][slot] = rounded_up(half + padding_);
      node.axis[k][k][slot] = 1.0F;
      reach[slot] += std::abs(middle) + node.half[k][slot];
    }
  }
  for (std::size_t slot = 0; slot < static_cast<std::size_t>(node.count); ++slot)
    node.reach = std::max(node.reach, rounded_up(static_cast<double>(reach[slot])));
}

// Boxes around the tops of an inner block of four cells, in the order of its columns. A top is P + x X + y Y
// with a right angle in the plane at P, the slopes g along x and y, and, of unit length,
//   e = (1, 0, g_x),  f = (-g_x g_y, 1 + g_x^2, g_y),  n = (-g_x, -g_y, 1):
// X is along e, Y has y g_x g_y / |e| along e and y |n| / |e| along f. Floats are right to 2^-24 of what they
// stand for, so that coordinates of the float basis are those of the exact one to 2^-21 of all lengths.
void HeightTree::set_tops(BoxNode& node, const Block& block) const {
  double corner[3][box_width], slope[2][box_width], leg[2][box_width];
  const Vector3 to_node =
      center_ + Vector3(static_cast<double>(node.origin[0]), static_cast<double>(node.origin[1]),
                        static_cast<double>(node.origin[2]));
  const Vector2 spacing = field_.spacing, per_spacing = spacing.cwiseInverse();
  std::size_t count = 0;
  for (std::int32_t row = block.first[1]; row < block.last[1]; ++row) {
    for (std::int32_t column = block.first[0]; column < block.last[0]; ++column) {
      const double *low = &field_.heights[sample_at(column, row)], *high = low + field_.columns;
      for (int half = 0; half < 2; ++half, ++count) {
        const double* along_x = half == 0 ? low : high;
        const double sign = half == 0 ? 1.0 : -1.0;
        corner[0][count] = (column + 1 - half) * spacing.x() - to_node.x();
        corner[1][count] = (row + half) * spacing.y() - to_node.y();
        corner[2][count] = (half == 0 ? low[1] : high[0]) - to_node.z();
        slope[0][count] = (along_x[1] - along_x[0]) * per_spacing.x();
        slope[1][count] = (high[1 - half] - low[1 - half]) * per_spacing.y();
        leg[0][count] = -sign * spacing.x();
        leg[1][count] = sign * spacing.y();
        node.child[count] = ~piece_at(column, row, half);
      }
    }
  }
  node.count = static_cast<std::int32_t>(count);
  float reach[box_width];
  for (std::size_t k = 0; k < box_width; ++k) {
    const double gx = slope[0][k], gy = slope[1][k];
    const double squared_e = 1.0 + gx * gx;
    const double e = std::sqrt(squared_e), n = std::sqrt(squared_e + gy * gy);
    const double per_e = 1.0 / e, per_n = 1.0 / n, per_f = per_e * per_n;
    const double axis[3][3] = {{per_e, 0.0, gx * per_e},
                               {-gx * gy * per_f, squared_e * per_f, gy * per_f},
                               {-gx * per_n, -gy * per_n, per_n}};
    const double along = leg[0][k] * e, lean = leg[1][k] * gx * gy * per_e, across = leg[1][k] * n * per_e;
    const double least = std::min(std::min(along, lean), 0.0), most = std::max(std::max(along, lean), 0.0);
    const double half[3] = {0.5 * (most - least), 0.5 * std::abs(across), 0.0};
    double middle[3], lengths = half[0] + half[1];
    for (int i = 0; i < 3; ++i) {
      middle[i] = corner[i][k] + 0.5 * (least + most) * axis[0][i] + 0.5 * across * axis[1][i];
      lengths += std::abs(middle[i]) + std::abs(corner[i][k]);
      node.center[i][k] = static_cast<float>(middle[i]);
    }
    const double padding = padding_ + 0x1p-21 * lengths;
    for (int i = 0; i < 3; ++i) {
      node.half[i][k] = rounded_up(half[i] + padding);
      for (int j = 0; j < 3; ++j) node.axis[i][j][k] = static_cast<float>(axis[i][j]);
    }
    reach[k] = rounded_up(lengths + 3.0 * padding);
  }
  for (const float r : reach) node.reach = std::max(node.reach, r);
}

void HeightTree::add_columns(BoxNode& node, const Block& block) const {
  Extents extents;
  for (std::int32_t row = block.first[1]; row < block.last[1]; ++row) {
    for (std::int32_t column = block.first[0]; column < block.last[0]; ++column) {
      const double *low = &field_.heights[sample_at(column, row)], *high = low + field_.columns;
      const double tops[2] = {highest_of(low[0], low[1], high[1]), highest_of(low[0], high[1], high[0])};
      for (int half = 0; half < 2; ++half) {
        if (std::isnan(tops[half])) continue;
        node.child[node.count] = ~piece_at(column, row, half);
        add_extent(node, {{column, row}, {column + 1, row + 1}}, floor_ - center_.z(),
                   tops[half] - center_.z(), extents);
      }
    }
  }
  set_boxes(node, extents);
}

double HeightTree::bottom_of(const Level& level, std::size_t at, bool of_skin) const {
  const double low = static_cast<double>(level.lows[at]);
  return of_skin && std::isfinite(low) ? low : floor_ - center_.z();
}

void HeightTree::add_blocks(BoxNode& node, std::size_t l, const Block& block, bool of_skin) const {
  const Level& below = levels_[l - 1];
  Extents extents;
  for (std::int32_t y = block.first[1] / below.block[1]; y * below.block[1] < block.last[1]; ++y) {
    for (std::int32_t x = block.first[0] / below.block[0]; x * below.block[0] < block.last[0]; ++x) {
      const auto at = static_cast<std::uint32_t>(y) * static_cast<std::uint32_t>(below.count[0]) +
                      static_cast<std::uint32_t>(x);
      if (below.tops[at] == no_top) continue;
      node.child[node.count] = static_cast<std::int32_t>(below.first_node + at);
      add_extent(node, block_of(below, x, y), bottom_of(below, at, of_skin),
                 static_cast<double>(below.tops[at]), extents);
    }
  }
  set_boxes(node, extents);
}

void HeightTree::make_node(std::uint32_t index, BoxNode& node, bool of_skin) const {
  node = BoxNode{};
  std::size_t l = levels_.size() - 1;
  while (index > 0 && l > 0 && index >= levels_[l - 1].first_node) --l;
  const Level& level = levels_[l];
  const std::uint32_t at = index == 0 ? 0 : index - level.first_node;
  const auto columns = static_cast<std::uint32_t>(level.count[0]);
  const Block block =
      block_of(level, static_cast<std::int32_t>(at % columns), static_cast<std::int32_t>(at / columns));
  const double top = level.tops[at], bottom = bottom_of(level, at, of_skin);
  node.origin[0] =
      static_cast<float>(0.5 * (block.first[0] + block.last[0]) * field_.spacing.x() - center_.x());
  node.origin[1] =
      static_cast<float>(0.5 * (block.first[1] + block.last[1]) * field_.spacing.y() - center_.y());
  node.origin[2] = static_cast<float>(0.5 * (bottom + top));
  if (index == 0) {
    node.child[0] = 1;
    Extents extents;
    add_extent(node, block, bottom, top, extents);
    set_boxes(node, extents);
  } else if (l == 0 && of_skin && level.lows[at] != no_low) {
    set_tops(node, block);
  } else if (l == 0) {
    add_columns(node, block);
  } else {
    add_blocks(node, l, block, of_skin);
  }
}

std::size_t HeightTree::memory_bytes() const {
  std::size_t bytes = levels_.capacity() * sizeof(Level);
  for (const Level& level : levels_) bytes += (level.tops.capacity() + level.lows.capacity()) * sizeof(float);
  return bytes;
}

std::optional<std::int32_t> HeightTree::holder_of(const Vector3& point) const {
  if (!(point.z() >= floor_)) return {};
  // The cells whose closed squares may hold the point: the quotient is off by a rounding at most.
  std::int32_t first[2], last[2];
  for (int k = 0; k < 2; ++k) {
    const double at = std::floor(point[k] / field_.spacing[k]);
    if (!(at >= -2.0 && at <= cells_[k] + 1.0)) return {};
    first[k] = std::max(static_cast<std::int32_t>(at) - 1, 0);
    last[k] = std::min(static_cast<std::int32_t>(at) + 1, cells_[k] - 1);
  }
  for (std::int32_t row = first[1]; row <= last[1]; ++row) {
    for (std::int32_t column = first[0]; column <= last[0]; ++column) {
      for (int half = 0; half < 2; ++half) {
        const std::int32_t piece = piece_at(column, row, half);
        if (is_hole(piece)) continue;
        std::array<Vector3, 3> top;
        std::size_t k = 0;
        for (const auto& [c, r] : samples_of(piece)) top[k++] = corner(c, r);
        bool is_over = true;  // counter-clockwise from above
        for (std::size_t i = 0; i < 3; ++i) {
          is_over =
              is_over && orientation_2d(top[i].head<2>(), top[(i + 1) % 3].head<2>(), point.head<2>()) >= 0;
        }
        if (is_over && orientation_3d(top[0], top[1], top[2], point) <= 0) return piece;
      }
    }
  }
  return {};
}

}  // namespace toccata
