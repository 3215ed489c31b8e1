#pragma once
// How long two boxes of two trees stay apart, in double precision and with all that is known of the motion
// along one direction: for boxes so near to each other, for their size, that single precision cannot tell
// them apart (see box_slabs.hpp), or that turn so fast that only the axis tells.
#include "ccd/search/triangle_advance.hpp"
#include "hierarchy/box_tree.hpp"

namespace toccata::search {

// A step in time from at.t on during which everything in box_a of a's tree stays more than `distance` away
// from everything in box_b; zero if nothing is proven, maybe infinite.
double box_pair_step(const SearchQuestion& question, const PairAtTime& at, BoxId box_a, BoxId box_b,
                     double distance);

}  // namespace toccata::search
