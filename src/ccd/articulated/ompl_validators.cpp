#include "toccata/ccd/articulated/ompl_validators.hpp"

#include <ompl/base/MotionValidator.h>
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/StateValidityChecker.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "toccata/ccd/articulated/path_clearance.hpp"
#include "toccata/ccd/articulated/path_contact.hpp"

namespace toccata {
namespace {

namespace ob = ompl::base;

// States of a space as values of the robot's variables.
class StateReader {
 public:
  StateReader(const ob::SpaceInformation& space, const RobotInScene& robot, const OmplOptions& options)
      : space_(*space.getStateSpace()), values_(options.values) {
    const std::vector<JointVariable>& variables = robot.kinematics().variables();
    if (values_.empty()) values_.assign(variables.size(), 0.0);
    if (values_.size() != variables.size())
      throw std::invalid_argument("OmplOptions::values holds " + std::to_string(values_.size()) +
                                  " numbers, but the robot has " + std::to_string(variables.size()) +
                                  " variables");
    for (const std::string& name : options.variables) {
      const auto found = std::find_if(variables.begin(), variables.end(),
                                      [&](const JointVariable& variable) { return variable.name == name; });
      if (found == variables.end()) throw std::invalid_argument("the robot has no variable '" + name + "'");
      places_.push_back(static_cast<std::size_t>(found - variables.begin()));
    }
    if (options.variables.empty()) {
      for (std::size_t i = 0; i < variables.size(); ++i) places_.push_back(i);
    }
  }

  // The space is set up by now, so that it knows where its numbers are.
  std::vector<double> values(const ob::State* state) const {
    std::vector<double> reals;
    space_.copyToReals(reals, state);
    if (reals.size() != places_.size())
      throw std::invalid_argument("a state has " + std::to_string(reals.size()) + " numbers, but " +
                                  std::to_string(places_.size()) + " variables of the robot are planned");
    std::vector<double> values = values_;
    for (std::size_t i = 0; i < reals.size(); ++i) values[places_[i]] = reals[i];
    return values;
  }

  // As OMPL goes: numbers of an SO2 take the shorter way, half a turn as the numbers say.
  JointEdge edge(const ob::State* from, const ob::State* to) const {
    JointEdge edge{values(from), values(to)};
    const std::vector<ob::StateSpace::ValueLocation>& locations = space_.getValueLocations();
    for (std::size_t i = 0; i < places_.size() && i < locations.size(); ++i) {
      if (locations[i].stateLocation.space->getType() != ob::STATE_SPACE_SO2) continue;
      double& end = edge.end[places_[i]];
      const double way = end - edge.start[places_[i]];
      if (std::abs(way) > std::numbers::pi) end -= std::copysign(2.0 * std::numbers::pi, way);
    }
    return edge;
  }

 private:
  const ob::StateSpace& space_;
  std::vector<double> values_;
  std::vector<std::size_t> places_;  // of a state's numbers among the robot's variables
};

PathContactOptions contact_options(const OmplOptions& options, bool any) {
  PathContactOptions result;
  result.minimum_distance = options.minimum_distance;
  result.tolerance = options.tolerance;
  result.any_contact = any;
  result.threads = 1;
  return result;
}

PathContactResult asked(const RobotInScene& robot, const JointEdge& edge, const PathContactOptions& options) {
  PathContactResult result = edge_contacts(robot, {&edge, 1}, options).front();
  if (result.status == Status::Failed) throw std::invalid_argument(result.failure);
  return result;
}

class CertifiedMotionValidator final : public ob::MotionValidator {
 public:
  CertifiedMotionValidator(const ob::SpaceInformationPtr& space, const RobotInScene& robot,
                           const OmplOptions& options)
      : ob::MotionValidator(space),
        robot_(robot),
        reader_(*space, robot, options),
        any_(contact_options(options, true)),
        first_(contact_options(options, false)) {}

  bool checkMotion(const ob::State* from, const ob::State* to) const override {
    const bool free = asked(robot_, reader_.edge(from, to), any_).status == Status::Separated;
    count(free);
    return free;
  }

  bool checkMotion(const ob::State* from, const ob::State* to,
                   std::pair<ob::State*, double>& last_valid) const override {
    const PathContactResult found = asked(robot_, reader_.edge(from, to), first_);
    const bool free = found.status == Status::Separated;
    count(free);
    if (!free) {
      last_valid.second = valid_before(found.lower, from, to);
      if (last_valid.first != nullptr)
        si_->getStateSpace()->interpolate(from, to, last_valid.second, last_valid.first);
    }
    return free;
  }

 private:
  // A time below `contact` whose state is valid, as near to it as that can be told.
  double valid_before(double contact, const ob::State* from, const ob::State* to) const {
    ob::State* state = si_->allocState();
    double found = 0.0;
    for (double back = 1e-6; back < 1.0 && contact > 0.0; back *= 10.0) {
      const double t = contact * (1.0 - back);
      si_->getStateSpace()->interpolate(from, to, t, state);
      if (!si_->isValid(state)) continue;
      found = t;
      break;
    }
    si_->freeState(state);
    return found;
  }

  // The counters of OMPL are plain numbers that all threads share.
  void count(bool free) const {
    std::atomic_ref<unsigned int>(free ? valid_ : invalid_).fetch_add(1, std::memory_order_relaxed);
  }

  RobotInScene robot_;
  StateReader reader_;
  PathContactOptions any_, first_;
};

class RobotStateValidity final : public ob::StateValidityChecker {
 public:
  RobotStateValidity(const ob::SpaceInformationPtr& space, const RobotInScene& robot,
                     const OmplOptions& options)
      : ob::StateValidityChecker(space),
        robot_(robot),
        reader_(*space, robot, options),
        options_(contact_options(options, true)) {
    specs_.clearanceComputationType = ob::StateValidityCheckerSpecs::BOUNDED_APPROXIMATE;
  }

  bool isValid(const ob::State* state) const override {
    if (!si_->satisfiesBounds(state)) return false;
    const std::vector<double> values = reader_.values(state);
    return asked(robot_, {values, values}, options_).status == Status::Separated;
  }

  double clearance(const ob::State* state) const override {
    const PathClearanceResult found = state_clearance(robot_, reader_.values(state));
    if (found.status == Status::Failed) throw std::invalid_argument(found.failure);
    return std::max(0.0, found.lower_distance - options_.minimum_distance);
  }

 private:
  RobotInScene robot_;
  StateReader reader_;
  PathContactOptions options_;
};

}  // namespace

std::shared_ptr<ob::MotionValidator> ompl_motion_validator(const std::shared_ptr<ob::SpaceInformation>& space,
                                                           const RobotInScene& robot,
                                                           const OmplOptions& options) {
  return std::make_shared<CertifiedMotionValidator>(space, robot, options);
}

std::shared_ptr<ob::StateValidityChecker> ompl_state_validity(
    const std::shared_ptr<ob::SpaceInformation>& space, const RobotInScene& robot,
    const OmplOptions& options) {
  return std::make_shared<RobotStateValidity>(space, robot, options);
}

}  // namespace toccata
