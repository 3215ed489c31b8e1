#pragma once
// What stands around a robot, as plain data.
#include <string>
#include <vector>

#include "toccata/geometry/geometry.hpp"

namespace toccata {

// Two names whose contact does not matter: links of a robot, or a link and an obstacle. In any order.
struct AllowedPair {
  std::string a;
  std::string b;
};

// One that stands still. Several shapes may have one name: they are parts of one thing.
struct Obstacle {
  std::string name;
  Geometry geometry;
  Pose pose = {};
};

// A thing that a link holds: it moves with the link, and may touch it and the links named.
struct AttachedObject {
  std::string name;
  std::string link;
  std::vector<CompoundPart> shapes = {};  // in the link's frame
  std::vector<std::string> touch_links = {};
};

struct ObstacleScene {
  std::vector<Obstacle> obstacles = {};
  std::vector<AttachedObject> attached = {};
  std::vector<AllowedPair> allowed = {};
};

}  // namespace toccata
