#pragma once
// The axes of the boxes of a node's children, in SIMD lanes: the same bits in any number of them.
#include <cstddef>
#include <span>

#include "hierarchy/box_tree.hpp"
#include "hierarchy/split_kernels.hpp"

namespace toccata::hierarchy {

// Of each child three axes, floats that are orthonormal up to their rounding, and the rows of the inverse of
// the matrix that has them as columns; [axis][coordinate][child].
struct alignas(64) BoxAxes {
  double axis[3][3][box_width];
  double inverse[3][3][box_width];

  SplitAxes of(std::size_t child) const {
    SplitAxes axes;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < 3; ++k) axes[i][k] = static_cast<float>(axis[i][k][child]);
    }
    return axes;
  }
};

// About the principal axes: the direction of the largest variance first, that of the least last. Moments that
// are not finite or vanish give the coordinate axes.
void find_axes(std::span<const SplitMoments> moments, BoxAxes& axes);

}  // namespace toccata::hierarchy
