#pragma once
// An arm of six joints that reaches into a shelf: a robot for demos and tests that needs no file.
#include "toccata/geometry/articulated_body.hpp"
#include "toccata/geometry/obstacle_scene.hpp"
#include "toccata/motion/joint_path.hpp"

namespace toccata::scenes {

// Links of capsules and boxes, a gripper with two fingers of which one mimics the other; six variables.
ArticulatedBody robot_arm();

// Boards around three compartments in front of the arm, and a thin rod across one of them.
ObstacleScene shelf();

// Into the middle compartment: free, and with the hand lower, onto the rod.
JointPath free_reach();
JointPath touching_reach();

}  // namespace toccata::scenes
