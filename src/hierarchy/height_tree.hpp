#pragma once
// A height field under a tree of boxes that is not stored: a pyramid of the highest samples of blocks of
// cells, from which any node is made when it is asked for. A piece is the solid column below a triangle.
//
// Nodes and their numbers are as in BoxTree, pieces are numbered as the field's triangles. A node of the
// lowest level has the columns of up to four cells, any other one up to eight blocks; holes are left out.
//
// What comes from outside and stays above the floor meets a column at its top first, unless the column is at
// the border of the field or of a hole. The skin is the same tree with less in its boxes: of inner blocks,
// whose cells have no such column, the tops alone.
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "hierarchy/box_tree.hpp"
#include "toccata/geometry/height_field.hpp"

namespace toccata {

struct HeightRayHit {
  bool hit = false;
  double parameter = 0.0;            // of the first point of the ray in the solid
  std::int32_t piece = -1;           // the column it enters
  Vector3 normal = Vector3::Zero();  // outward, of unit length; zero if the ray starts inside
};

class HeightTree {
 public:
  // The field must be sound (see failure_of) and outlive the tree. floor: where columns end. center:
  // subtracted from every position.
  HeightTree(const HeightField& field, double floor, const Vector3& center);

  bool empty() const { return levels_.empty(); }
  double floor() const { return floor_; }
  std::uint32_t node_count() const { return node_count_; }
  void make_node(std::uint32_t index, BoxNode& node, bool of_skin = false) const;
  // Three corners above, the same three at the floor; relative to the centre, each rounded once.
  std::array<Vector3, 6> corners_of(std::int32_t piece) const;
  bool is_hole(std::int32_t piece) const;
  // Its top, the first three corners, is all of it that belongs to the skin.
  bool is_inner(std::int32_t piece) const;

  // In body coordinates. The lowest column that holds the point, its surface included: exact.
  std::optional<std::int32_t> holder_of(const Vector3& point) const;
  // In body coordinates; direction of any length but zero. The first point of the ray in the solid by
  // rounded arithmetic, in which no ray slips between two columns: they end where their neighbours start.
  HeightRayHit first_entry(const Vector3& origin, const Vector3& direction,
                           double limit = std::numeric_limits<double>::infinity()) const;

  // Without the field's samples.
  std::size_t memory_bytes() const;

 private:
  struct Level {
    std::int32_t block[2] = {1, 1};  // cells along x and y
    std::int32_t count[2] = {0, 0};  // blocks
    std::uint32_t first_node = 0;
    std::vector<float> tops;  // of each block: the highest sample, relative to the centre, rounded up
    // The lowest sample of each block, the same way and rounded down; no_low if it is not an inner one.
    std::vector<float> lows;
  };
  // Cells first[k] up to but not including last[k].
  struct Block {
    std::int32_t first[2];
    std::int32_t last[2];
  };
  struct Extents;
  class Ray;  // height_ray.cpp

  static constexpr float no_top = -std::numeric_limits<float>::infinity();  // of a block of holes
  static constexpr float no_low = -std::numeric_limits<float>::infinity();

  std::size_t sample_at(std::int32_t column, std::int32_t row) const;
  Vector3 corner(std::int32_t column, std::int32_t row) const;
  std::array<std::array<std::int32_t, 2>, 3> samples_of(std::int32_t piece) const;
  std::int32_t piece_at(std::int32_t column, std::int32_t row, int half) const;
  Block block_of(const Level& level, std::int32_t x, std::int32_t y) const;
  void grow(Level& level) const;
  void fill_tops(std::size_t level);
  float low_of(const Block& block) const;
  double bottom_of(const Level& level, std::size_t at, bool of_skin) const;
  // Takes the next free slot.
  void add_extent(BoxNode& node, const Block& block, double bottom, double top, Extents& extents) const;
  void set_boxes(BoxNode& node, const Extents& extents) const;
  void set_tops(BoxNode& node, const Block& block) const;
  void add_columns(BoxNode& node, const Block& block) const;
  void add_blocks(BoxNode& node, std::size_t level, const Block& block, bool of_skin) const;

  const HeightField& field_;
  double floor_;
  Vector3 center_;
  double padding_ = 0.0;  // of boxes, for the rounding of positions
  std::int32_t cells_[2];
  std::uint32_t node_count_ = 0;
  std::vector<Level> levels_;  // the lowest first
};

// The nodes made last, for one query: not shared by threads. A reference holds until the next one is asked
// for.
class HeightNodes {
 public:
  explicit HeightNodes(const HeightTree& tree) : tree_(tree), nodes_(places), numbers_(places, none) {}

  const BoxNode& operator[](std::uint32_t index) {
    const std::uint32_t place = index % places;
    if (numbers_[place] != index) {
      tree_.make_node(index, nodes_[place]);
      numbers_[place] = index;
    }
    return nodes_[place];
  }

 private:
  static constexpr std::uint32_t places = 64;
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  const HeightTree& tree_;
  std::vector<BoxNode> nodes_;
  std::vector<std::uint32_t> numbers_;
};

}  // namespace toccata
