#pragma once
// The kernels of site_kernels.hpp for points alone, nearest and without weights: the difference of two
// squares of distances is linear, so that its sign in a whole box is decided exactly at a corner.
#include "field/voronoi/site_kernels.hpp"

namespace toccata::voronoi::points {

void answer_points(const Question& question, std::span<const std::int32_t> sites, const CellColumns& cells,
                   CellAnswers& answers);
void sift_points(const Question& question, std::span<const std::int32_t> sites, const CellColumns& cells,
                 std::int32_t* const* lists, std::int32_t* counts);

}  // namespace toccata::voronoi::points
