#pragma once
// What planners do today: states along an edge, each tested with FCL, in the order of OMPL's discrete
// validator (the end, then halving). Links and obstacles are triangle meshes, obstacles under FCL's dynamic
// tree of boxes.
#include <memory>
#include <span>
#include <vector>

#include "toccata/ccd/articulated/path_contact.hpp"

namespace toccata::bench {

class SampledChecker {
 public:
  SampledChecker(const ArticulatedBody& robot, const ObstacleScene& scene, const RobotOptions& options);
  ~SampledChecker();

  bool is_free(std::span<const double> values);
  // No sample at most `step` apart, as the distance of all joint values, touches.
  bool is_free(const JointEdge& edge, double step);
  // How many states were tested by the last edge.
  int states() const { return states_; }

 private:
  struct Peer;
  std::unique_ptr<Peer> peer_;
  int states_ = 0;
};

}  // namespace toccata::bench
