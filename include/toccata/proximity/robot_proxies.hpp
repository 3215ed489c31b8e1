#pragma once
// A robot whose meshes are swapped for spheres that provably enclose them: a planner's first look, which
// cannot miss a contact.
#include <cstdint>
#include <string>
#include <vector>

#include "toccata/base/expected.hpp"
#include "toccata/geometry/articulated_body.hpp"

namespace toccata {

struct RobotProxyOptions {
  double error = 0.0;  // how far spheres may reach beyond their mesh; above 0
  int threads = 0;     // 0 = all cores
};

struct LinkProxy {
  std::string link;
  std::int32_t spheres = 0;  // in place of its meshes
  double error = 0.0;        // proven: no sphere reaches farther beyond the mesh
  bool of_hull = false;  // a mesh that is not closed is enclosed as its convex hull, and the error is of that
};

struct RobotProxies {
  ArticulatedBody robot;         // each mesh a MedialMesh of balls; other kinds are exact, and stay
  std::vector<LinkProxy> links;  // those with meshes
};

// Error: the error is not above 0, or a mesh cannot be enclosed; it names the link.
Expected<RobotProxies> robot_proxies(const ArticulatedBody& robot, const RobotProxyOptions& options);

}  // namespace toccata
