#pragma once
// Some of the pairs of triangles that touch at one time: as many as are worth looking at.
#include <vector>

#include "ccd/rigid/static_pair.hpp"

namespace toccata {

// At most `most` pairs within `distance` (up to state.gap_padding), found by descending where boxes overlap
// deepest; all of them if there are no more.
std::vector<NearestTriangles> touching_triangles(const PairState& state, const RigidShapeData& a,
                                                 const RigidShapeData& b, double distance, std::size_t most,
                                                 QueryStats& stats);

}  // namespace toccata
