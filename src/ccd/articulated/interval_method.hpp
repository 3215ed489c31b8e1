#pragma once
// The first contact of a path by interval arithmetic on the places of links and by halving time: Redon et al.
// 2004. Shares no kinematics, no bounds and no search with the other method.
#include "ccd/articulated/path_search.hpp"
#include "toccata/motion/joint_path.hpp"

namespace toccata::articulated {

PathContactResult interval_contact(const PreparedRobot& robot, const JointPath& path,
                                   const PathLimits& limits);

}  // namespace toccata::articulated
