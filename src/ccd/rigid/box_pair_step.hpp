#pragma once
// How long two boxes of two trees stay apart, in double precision and with all that is known of the motion
// along one direction: for boxes so near to each other, for their size, that single precision cannot tell
// them apart (flat parts side by side), or that turn so fast that only the axis tells.
#include "ccd/rigid/triangle_advance.hpp"
#include "hierarchy/box_tree.hpp"

namespace toccata {

// A step in time from at.t on during which everything in box_a of a's tree stays more than `distance` away
// from everything in box_b; zero if nothing is proven, maybe infinite.
double box_pair_step(const AdvancementQuestion& question, const PairAtTime& at, BoxId box_a, BoxId box_b,
                     double distance);

// A lower bound on the distance of two boxes with the bodies at these poses, taken as exact; negative if none
// is known. The widest slab between them along their own axes, less rounding.
double box_pair_gap(const RigidShapeData& shape_a, const Pose& pose_a, BoxId box_a,
                    const RigidShapeData& shape_b, const Pose& pose_b, BoxId box_b);

}  // namespace toccata
