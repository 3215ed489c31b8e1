#include "hierarchy/height_tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "toccata/base/rounding.hpp"
#include "toccata/elementary/orientation.hpp"

namespace toccata {
namespace {

// Not below x.
float not_below(double x) {
  const float f = static_cast<float>(x);
  return static_cast<double>(f) < x ? std::nextafter(f, std::numeric_limits<float>::infinity()) : f;
}

// The same for x >= 0, quickly: the next float's bits are one more.
float size_not_below(double x) {
  const float f = static_cast<float>(x);
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(f) + (static_cast<double>(f) < x ? 1U : 0U));
}

// NaN if one of them is.
double highest_of(double a, double b, double c) {
  return std::isnan(a + b + c) ? std::numeric_limits<double>::quiet_NaN() : std::max(std::max(a, b), c);
}

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
  auto* top = level.tops.data();
  for (std::int32_t y = 0; y < level.count[1]; ++y) {
    for (std::int32_t x = 0; x < level.count[0]; ++x, ++top) {
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
        continue;
      }
      const Level& below = levels_[l - 1];
      for (std::int32_t v = block.first[1] / below.block[1]; v * below.block[1] < block.last[1]; ++v) {
        for (std::int32_t u = block.first[0] / below.block[0]; u * below.block[0] < block.last[0]; ++u)
          *top = std::max(*top,
                          below.tops[static_cast<std::size_t>(v) * static_cast<std::size_t>(below.count[0]) +
                                     static_cast<std::size_t>(u)]);
      }
    }
  }
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

// The next free slot of a node whose origin is set.
void HeightTree::set_box(BoxNode& node, const Block& block, double top) const {
  const auto slot = static_cast<std::size_t>(node.count++);
  const Vector2 spacing = field_.spacing;
  const double lower[3] = {block.first[0] * spacing.x() - center_.x(),
                           block.first[1] * spacing.y() - center_.y(), floor_ - center_.z()};
  const double upper[3] = {block.last[0] * spacing.x() - center_.x(),
                           block.last[1] * spacing.y() - center_.y(), top};
  double reach = 0.0;
  for (int k = 0; k < 3; ++k) {
    const double low = lower[k] - node.origin[k], high = upper[k] - node.origin[k];
    const auto middle = static_cast<float>(0.5 * (low + high));
    const float half = size_not_below(std::max(high - middle, middle - low) + padding_);
    node.center[k][slot] = middle;
    node.half[k][slot] = half;
    node.axis[k][k][slot] = 1.0F;
    reach += std::abs(static_cast<double>(middle)) + half;
  }
  node.reach = std::max(node.reach, rounded_up(reach));
}

void HeightTree::add_columns(BoxNode& node, const Block& block) const {
  for (std::int32_t row = block.first[1]; row < block.last[1]; ++row) {
    for (std::int32_t column = block.first[0]; column < block.last[0]; ++column) {
      const double *low = &field_.heights[sample_at(column, row)], *high = low + field_.columns;
      const double tops[2] = {highest_of(low[0], low[1], high[1]), highest_of(low[0], high[1], high[0])};
      for (int half = 0; half < 2; ++half) {
        if (std::isnan(tops[half])) continue;
        node.child[node.count] = ~piece_at(column, row, half);
        set_box(node, {{column, row}, {column + 1, row + 1}}, tops[half] - center_.z());
      }
    }
  }
}

void HeightTree::add_blocks(BoxNode& node, std::size_t l, const Block& block) const {
  const Level& below = levels_[l - 1];
  for (std::int32_t y = block.first[1] / below.block[1]; y * below.block[1] < block.last[1]; ++y) {
    for (std::int32_t x = block.first[0] / below.block[0]; x * below.block[0] < block.last[0]; ++x) {
      const auto at = static_cast<std::uint32_t>(y) * static_cast<std::uint32_t>(below.count[0]) +
                      static_cast<std::uint32_t>(x);
      if (below.tops[at] == no_top) continue;
      node.child[node.count] = static_cast<std::int32_t>(below.first_node + at);
      set_box(node, block_of(below, x, y), below.tops[at]);
    }
  }
}

void HeightTree::make_node(std::uint32_t index, BoxNode& node) const {
  node = BoxNode{};
  std::size_t l = levels_.size() - 1;
  while (index > 0 && l > 0 && index >= levels_[l - 1].first_node) --l;
  const Level& level = levels_[l];
  const std::uint32_t at = index == 0 ? 0 : index - level.first_node;
  const auto columns = static_cast<std::uint32_t>(level.count[0]);
  const Block block =
      block_of(level, static_cast<std::int32_t>(at % columns), static_cast<std::int32_t>(at / columns));
  const double top = level.tops[at];
  node.origin[0] =
      static_cast<float>(0.5 * (block.first[0] + block.last[0]) * field_.spacing.x() - center_.x());
  node.origin[1] =
      static_cast<float>(0.5 * (block.first[1] + block.last[1]) * field_.spacing.y() - center_.y());
  node.origin[2] = static_cast<float>(0.5 * (floor_ - center_.z() + top));
  if (index == 0) {
    node.child[0] = 1;
    set_box(node, block, top);
  } else if (l == 0) {
    add_columns(node, block);
  } else {
    add_blocks(node, l, block);
  }
}

std::size_t HeightTree::memory_bytes() const {
  std::size_t bytes = levels_.capacity() * sizeof(Level);
  for (const Level& level : levels_) bytes += level.tops.capacity() * sizeof(float);
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
