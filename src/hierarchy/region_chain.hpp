#pragma once
// Boundaries of regions of a surface, as chains of directed edges: those of a node of a region tree are the
// sum of its children's.
#include <cstdint>
#include <span>
#include <vector>

#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata::region_chain {

inline bool is_triangle(const Face& f) {
  return f[0] != f[1] && f[1] != f[2] && f[2] != f[0];
}

// The boundary of a region as a chain: its directed edges, sorted, opposite ones cancelled.
struct Chain {
  struct Edge {
    std::int32_t low, high;
    bool forward;
    bool operator<(const Edge& o) const { return low != o.low ? low < o.low : high < o.high; }
  };
  std::vector<Edge> edges;
  bool usable = false;  // triangles only, and no edge run twice in one direction
};

// Of one element; flipped: taken the other way round.
Chain chain_of(const Face& f, bool flipped);

// Of a region from its contour, as RegionTree stores them.
Chain chain_of(std::span<const std::int32_t> contour);

Chain sum(const Chain& a, const Chain& b);

// Appends the chain as loops; nothing if a vertex has more than one edge in or out.
void append_loops(const Chain& chain, std::vector<std::int32_t>& out);

}  // namespace toccata::region_chain
