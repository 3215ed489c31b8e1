#pragma once
// Planners of OMPL with edges that are proven free. Component Toccata::ompl; docs/ompl.md has an example.
// What is made here goes to SpaceInformation::setStateValidityChecker and setMotionValidator.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "toccata/ccd/articulated/robot_in_scene.hpp"

namespace ompl::base {
class SpaceInformation;
class MotionValidator;
class StateValidityChecker;
}  // namespace ompl::base

namespace toccata {

struct OmplOptions {
  // Which of the robot's variables the numbers of a state are, in their order (StateSpace::copyToReals);
  // empty: all of them. The others stay at `values`.
  std::vector<std::string> variables = {};
  std::vector<double> values = {};       // of all variables; empty: zeros
  double minimum_distance = 0.0;         // closer counts as touching, beside the robot's paddings
  std::optional<double> tolerance = {};  // as PathContactOptions::tolerance
};

// Both throw std::invalid_argument, saying why, where the state space and the robot do not go together: a
// variable that the robot does not have, another number of values. Both are safe to use from many threads,
// without locks, and hold the robot; the space must outlive them, as in OMPL.
//
// Of the motion validator, checkMotion(a, b) is true when the whole edge is proven free: straight in joint
// space, and the shorter way round for numbers of an SO2 (of an SO3 for floating joints), as OMPL
// interpolates. With lastValid, its time is strictly before the first contact, the edge is proven free until
// then, and the state there is valid; 0 where that cannot be told from the start.
std::shared_ptr<ompl::base::MotionValidator> ompl_motion_validator(
    const std::shared_ptr<ompl::base::SpaceInformation>& space, const RobotInScene& robot,
    const OmplOptions& options = {});

// Valid: within the bounds of the space, and nothing touches. clearance(): a proven lower bound on the
// distance of the robot from the scene and from itself, less the minimum distance, in the unit of length; 0
// where it touches.
std::shared_ptr<ompl::base::StateValidityChecker> ompl_state_validity(
    const std::shared_ptr<ompl::base::SpaceInformation>& space, const RobotInScene& robot,
    const OmplOptions& options = {});

}  // namespace toccata
