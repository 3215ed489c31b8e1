#pragma once
// Several robots in one scene: one body with several arms, so to speak, for every question about robots.
//
//   const ArticulatedBody arm;
//   const PlacedRobot cell[] = {{"left", arm, Pose()}, {"right", arm, Pose(Matrix3::Identity(), Vector3(1, 0,
//   0))}}; const Expected<ArticulatedBody> both = joined_robots(cell);
//
// Their paths: joined_path (motion/joined_path.hpp).
#include <span>
#include <string>
#include <vector>

#include "toccata/base/expected.hpp"
#include "toccata/geometry/articulated_body.hpp"
#include "toccata/geometry/obstacle_scene.hpp"

namespace toccata {

struct PlacedRobot {
  std::string name;
  ArticulatedBody body;
  Pose pose = {};  // of its root, in the world
};

// One body whose root is the link "world". Links and joints are named NAME/LINK, NAME/JOINT; variables come
// robot after robot. Links of two robots are never adjacent, so that contacts between robots always count.
// Errors: no robot, two of one name, or what is wrong with one of them.
Expected<ArticulatedBody> joined_robots(std::span<const PlacedRobot> robots);

// Pairs of one robot's links, by the names that they have in the joined body.
std::vector<AllowedPair> joined_names(const std::string& robot, std::span<const AllowedPair> pairs);

}  // namespace toccata
