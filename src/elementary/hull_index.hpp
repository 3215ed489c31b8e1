#pragma once
// Finds the farthest vertex of a hull along a direction: a scan in lanes for up to `scanned_vertices`, beyond
// that a table of directions, whose cells name every vertex that is the farthest along one of theirs. Where
// those would be many (level sides of many corners) a climb along edges starts from one of them, eight
// neighbours at a time in floats; it may stop early, so that what it finds is a hint, and `proven_farthest`
// closes it by a proof.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "elementary/hull_faces.hpp"

namespace toccata {

// Of a scanned hull: x of all corners, y, z, each padded to a multiple of 8.
struct ScannedCorners {
  const double* columns;
  std::size_t padded;  // the length of one column

  Vector3 point(std::int32_t vertex) const {
    const double* const at = columns + vertex;
    return {at[0], at[padded], at[2 * padded]};
  }
};

struct HullIndex {
  static constexpr std::int32_t scanned_vertices = 128;
  static constexpr int ways_of_block = 8;

  // The ways from a vertex to eight of its neighbours, in units of `way_unit`; the last ones are repeated.
  struct alignas(64) Block {
    float x[ways_of_block], y[ways_of_block], z[ways_of_block];
    std::int32_t to[ways_of_block];
  };
  // Of a vertex: blocks[first_block] up to those of the next vertex. Neighbours whose height over the vertex
  // is computed to be below -level (above level) are lower (higher) for certain.
  struct Ways {
    std::int32_t first_block;
    float level;
  };

  // The points and their neighbours as ConvexHull has them: of true corners, all edges of the hull among the
  // neighbours. They are copied. With few points, or none of the neighbours known (empty), all are scanned.
  HullIndex() = default;
  HullIndex(std::span<const Vector3> points, std::span<const std::int32_t> neighbours,
            std::span<const std::int32_t> first_neighbour);

  bool is_scanned() const { return table.empty(); }
  ScannedCorners scanned_corners() const { return {columns.data(), columns.size() / 3}; }
  // What farthest_vertex finds needs no proof.
  bool is_exact() const { return table.empty() || !cells.empty(); }
  // Of a vertex, from where a search has just been: not from the hull's own list, which may be far.
  Vector3 point(std::int32_t vertex) const {
    return is_scanned() ? scanned_corners().point(vertex) : points[static_cast<std::size_t>(vertex)];
  }

  std::int32_t count = 0;
  std::vector<double> columns;           // scanned: see ScannedCorners
  std::vector<Vector3> points;           // climbed
  std::vector<std::int32_t> neighbours;  // of vertex v: first_neighbour[v] to first_neighbour[v + 1]
  std::vector<std::int32_t> first_neighbour;
  std::vector<Block> blocks;
  std::vector<Ways> ways;           // one more than vertices
  int table_width = 0;              // cells along an edge of the cube of directions
  std::vector<std::int32_t> table;  // a vertex near the farthest of the direction in the middle of a cell
  // Of each cell `cell_size` numbers of vertices, by number, the last one repeated: whoever may be the
  // farthest along a direction of the cell. The rest are lower than one of them along all of its directions,
  // by more than rounding. Cells with more of them have no_vertex, how many, and where among these numbers
  // they are, in two halves. Small numbers in one place: what a cell needs is fetched at once. Empty where a
  // cell would have too many, or a vertex a larger number.
  static constexpr std::uint16_t no_vertex = 0xffff;
  int cell_size = 0;
  std::vector<std::uint16_t> cells;
  HullFaces faces;  // scanned: of hulls whose faces are known
};

// The vertex with the greatest computed height if the index is exact (the least number among equals), a
// vertex none of whose neighbours is seen to be higher otherwise. `hint`: a vertex to start from too, or -1.
std::int32_t farthest_vertex(const HullIndex& index, const Vector3& direction, std::int32_t hint);

// The same of an exact index that is not scanned, in three steps, for those who ask many hulls at once, so
// that none waits for the memory of another: the cell of the direction, its candidates, the farthest of them.
const std::uint16_t* cell_along(const HullIndex& index, const Vector3& direction);
void fetch_candidates(const HullIndex& index, const std::uint16_t* cell);
std::int32_t farthest_of_cell(const HullIndex& index, const Vector3& direction, const std::uint16_t* cell);

// Of two scanned hulls at once, for those who ask again and again: each its farthest vertex along its own
// direction, a's three numbers first. The function for this machine is asked for once.
struct VertexPair {
  std::int32_t a, b;
};
using ScanTwo = VertexPair(const ScannedCorners& a, const ScannedCorners& b, const double* directions);
ScanTwo* scan_two_corners();

// A vertex near the farthest: what the table says, without a climb. For a scanned index: the farthest.
std::int32_t near_vertex(const HullIndex& index, const Vector3& direction);

// From `vertex` on, a vertex that no other is higher than, but for the roundings of the two heights: the one
// with the greatest computed height of all that may be the highest. For a scanned index: the vertex itself.
std::int32_t proven_farthest(const HullIndex& index, const Vector3& direction, std::int32_t vertex);

// The height of q over p along the direction: its sign without rounding.
int height_sign(const Vector3& direction, const Vector3& q, const Vector3& p);

}  // namespace toccata
