#pragma once
// One oriented box, or one ray, against the eight children of a node, in single precision with proven bounds.
#include "hierarchy/box_tree.hpp"
#include "toccata/base/pose.hpp"

namespace toccata::hierarchy {

// A box seen from the frame of a tree: { center + sum_i x_i axis_i : |x_i| <= half_i }, positions relative to
// the shape's centre as in BoxTree. The axes are orthonormal up to 1e-6.
struct QueryBox {
  Vector3 center;
  float axis[3][3];  // axis[i][coordinate]
  float half[3];
};

// Child `slot` of a node, moved by the pose (from the node's shape-centred frame to another's). The rounding
// of the axes and extents is inside the bounds of box_lower_distances.
QueryBox moved_box(const BoxNode& node, int slot, const Pose& pose);

// result[slot]: at most the distance of the query box from child `slot`, less than zero or zero where they
// may touch. Unused slots get infinity. `padding` is subtracted on top of the rounding of the computation.
// With `edge_axes` also the nine edge directions are tried: tighter, at twice the cost. `direction`, if not
// null, is one more to try, of unit length up to 1e-6.
void box_lower_distances(const QueryBox& query, const BoxNode& node, float padding, bool edge_axes,
                         const float* direction, float result[box_width]);

// result[slot]: a lower bound of the parameter at which the ray enters child `slot`; infinity if it misses it
// for sure within [0, limit]. Origin relative to the shape's centre; components in units of `direction`.
struct QueryRay {
  Vector3 origin;
  Vector3 direction;
  double limit;
};
void ray_box_entries(const QueryRay& ray, const BoxNode& node, float padding, float result[box_width]);

}  // namespace toccata::hierarchy
