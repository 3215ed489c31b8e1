#pragma once
// One box against the eight children of a node of another tree, both at rest: signed gaps in single precision
// with proven bounds. As the first moment of the search in time sees them, which makes overlaps comparable:
// the deepest one has the smallest gap. (box_lower_distances of box_kernel.hpp is tighter for boxes that are
// far apart, and says nothing of overlaps.)
#include "hierarchy/box_tree.hpp"
#include "toccata/base/pose.hpp"

namespace toccata::hierarchy {

// The other body's shape-centred frame seen from the one whose node is tested.
struct RestView {
  RestView() = default;
  RestView(const Pose& other_to_own, double padding);

  double rotation[3][3] = {};
  float float_rotation[3][3] = {};
  double translation[3] = {};
  double gap_padding = 0.0;  // subtracted from every gap
};

// gaps[k]: a lower bound on the distance of child k from child `slot` of `theirs`; negative where they may
// overlap; unused children get 1e30.
void box_gaps(const RestView& view, const BoxNode& node, const BoxNode& theirs, std::uint32_t slot,
              float* gaps);

}  // namespace toccata::hierarchy
