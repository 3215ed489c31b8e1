#pragma once
// How long two pieces surely stay in contact: the other side of the search for first contact.
#include <array>
#include <cstdint>

#include "ccd/search/pair_state.hpp"
#include "hierarchy/piece.hpp"
#include "motion/relative_path.hpp"
#include "toccata/elementary/triangle.hpp"

namespace toccata::search {

// How far every point of either triangle may be displaced relative to the other body while an edge of one
// still pierces the other; 0 if none does. Less the rounding of this computation.
double piercing_margin(const std::array<Vector3, 3>& a, const std::array<Vector3, 3>& b);

// Seen from either body, any of these lasts as long as the inequalities that make it do:
//   a point of one triangle over the inside of the other, no higher than the reach (faces that slide);
//   a point beside an edge (edges that slide along each other); two points that hardly move;
//   an edge that pierces the other triangle; an edge that crosses one of the other's edges within the reach.
// docs/notes/rigid_bounds.md ("Contact that lasts") has the inequalities and their paddings. Convex pieces
// that only touch are told by triangles between their farthest points towards each other, cores moved by
// their radii; those that overlap, by how deep they do.
class Persistence {
 public:
  Persistence(const MovingShape& a, const MovingShape& b);

  // precondition: no breakpoint strictly between t and t_end.
  void set(double t, double t_end);

  // A step in time, up to t_end, during which the pieces surely stay within `reach` of each other; 0 if
  // nothing is sure. The first proof that reaches `enough` is taken, else the longest.
  double step(std::int32_t piece_a, std::int32_t piece_b, double reach, double enough) const;

 private:
  // Triangles of the two pieces, or within them, in the coordinates of their bodies: what stays within reach
  // of a part of a piece does so of the piece.
  double step_of(const std::array<Triangle, 2>& triangles, double reach, double enough) const;
  double step_seen(int onlooker, const std::array<Triangle, 2>& triangles, double reach, double enough) const;
  double convex_step(const Piece& a, const Piece& b, double reach, double enough) const;
  double depth_step(const Piece& moving, int onlooker, double room) const;

  MovingShape body_[2];
  RelativePath path_[2];  // of the other body, seen from a and from b
  double horizon_ = 0.0;
};

}  // namespace toccata::search
