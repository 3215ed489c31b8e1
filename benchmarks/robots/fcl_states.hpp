#pragma once
// States of a robot tested with FCL, as planners do today. Links and obstacles are triangle meshes, obstacles
// under FCL's dynamic tree of boxes; pairs of links are told apart by their boxes first. The kinematics are
// its own, so that whoever is judged by it shares nothing with it but the meshes.
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "toccata/ccd/articulated/robot_in_scene.hpp"

namespace toccata::bench {

class FclStates {
 public:
  FclStates(const ArticulatedBody& robot, const ObstacleScene& scene, const RobotOptions& options);
  ~FclStates();

  bool is_free(std::span<const double> values);
  // The same, and which two touch.
  bool is_free(std::span<const double> values, std::string& a, std::string& b);
  // Is one of two that matter inside the other's closed surface, which FCL does not see? By a corner of it
  // and how often a ray from there goes through the surface.
  bool has_one_inside(std::span<const double> values, std::string& a, std::string& b);
  // The numbers of all obstacles of the scene that touch the robot.
  std::vector<std::size_t> touched(std::span<const double> values);
  // How many states were tested so far.
  std::int64_t states() const { return states_; }

  // For exact tests: the triangles of one of the robot's links, held things or obstacles at these values.
  std::vector<std::array<Vector3, 3>> triangles_of(const std::string& name, std::span<const double> values);

 private:
  struct Peer;
  std::unique_ptr<Peer> peer_;
  std::int64_t states_ = 0;
};

}  // namespace toccata::bench
