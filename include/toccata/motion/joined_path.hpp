#pragma once
// One path for several robots that move at once, each along its own.
#include <span>

#include "toccata/base/expected.hpp"
#include "toccata/geometry/joined_robots.hpp"
#include "toccata/motion/joint_path.hpp"

namespace toccata {

// All start together and run by one clock: a path that is over before the longest one stays at its end. Paths
// whose way-points have no times all take as long as each other. The pieces of the result run from way-point
// to way-point of any of them; its numbers are those of the paths up to a few roundings, and what is proven
// is proven of the result.
// Errors: another number of paths than of robots, a path of other variables than its robot's, and a robot
// with a floating joint whose pieces would have to be divided.
Expected<JointPath> joined_path(std::span<const PlacedRobot> robots, std::span<const JointPath> paths);

}  // namespace toccata
