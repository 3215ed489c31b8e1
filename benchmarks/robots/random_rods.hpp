#pragma once
// Scenes made for one robot: thin things within its reach that it touches in some of its states and not in
// most, so that contacts happen on the way.
#include "edge_set.hpp"
#include "fcl_states.hpp"

namespace toccata::bench {

// Rods and sheets of 1 to 4 mm, balls and cylinders; each touches the robot in a quarter of its free states
// at most.
ObstacleScene random_rods(const Setting& setting, const Kinematics& kinematics, Random& random);

// An edge whose start FCL calls free; where free states are rare, the values lie closer to zero.
JointEdge random_free_edge(FclStates& states, const Kinematics& kinematics, double length, Random& random);

}  // namespace toccata::bench
