#pragma once
// OMPL's own check of edges, DiscreteMotionValidator, with FCL's test of states.
#include <memory>

#include "fcl_states.hpp"
#include "toccata/ccd/articulated/path_contact.hpp"

namespace ompl::base {
class SpaceInformation;
class State;
}  // namespace ompl::base

namespace toccata::bench {

// How far apart states may be.
struct Resolution {
  enum class Kind {
    Radians,  // `value` of all joint values' distance
    Share,    // `value` of the space's extent, OMPL's way: the diagonal of the joints' ranges
    MoveIt,   // `value` of the sum of the joints' ranges, and distances summed as well, MoveIt's way
  };
  Kind kind = Kind::Radians;
  double value = 0.01;
};

class OmplPeer {
 public:
  // The states must outlive it.
  OmplPeer(const Kinematics& kinematics, FclStates& states, const Resolution& resolution);
  // Edges proven by Toccata instead, through the same door.
  OmplPeer(const RobotInScene& robot);
  ~OmplPeer();

  // Edges are put into states beforehand: that is not timed.
  void set(const JointEdge& edge);
  bool is_free() const;

 private:
  void start(const Kinematics& kinematics, const Resolution& resolution);
  std::shared_ptr<ompl::base::SpaceInformation> space_;
  ompl::base::State* from_ = nullptr;
  ompl::base::State* to_ = nullptr;
};

}  // namespace toccata::bench
