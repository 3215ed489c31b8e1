#pragma once
// Which shape, which robot, which scene: a name for all that is in it (SHA-256, 64 hexadecimal digits). Two
// differ when any number or text of them does.
#include <string>

#include "toccata/geometry/articulated_body.hpp"
#include "toccata/geometry/geometry.hpp"
#include "toccata/geometry/obstacle_scene.hpp"

namespace toccata {

std::string content_hash(const Geometry& geometry);
std::string content_hash(const ArticulatedBody& robot);
std::string content_hash(const ObstacleScene& scene);

}  // namespace toccata
