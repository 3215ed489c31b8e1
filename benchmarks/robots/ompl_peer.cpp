#include "ompl_peer.hpp"

#include <ompl/base/DiscreteMotionValidator.h>
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/util/Console.h>

#include <cmath>

#include "toccata/ccd/articulated/ompl_validators.hpp"

namespace toccata::bench {
namespace {

namespace ob = ompl::base;

// Distances and extents are sums over the joints, as in MoveIt's state spaces.
class SummedSpace final : public ob::RealVectorStateSpace {
 public:
  using RealVectorStateSpace::RealVectorStateSpace;
  double distance(const ob::State* a, const ob::State* b) const override {
    const double *x = a->as<StateType>()->values, *y = b->as<StateType>()->values;
    double sum = 0.0;
    for (unsigned int i = 0; i < dimension_; ++i) sum += std::abs(x[i] - y[i]);
    return sum;
  }
  double getMaximumExtent() const override {
    double sum = 0.0;
    for (unsigned int i = 0; i < dimension_; ++i) sum += bounds_.high[i] - bounds_.low[i];
    return sum;
  }
};

class FclValidity final : public ob::StateValidityChecker {
 public:
  FclValidity(const ob::SpaceInformationPtr& space, FclStates& states)
      : ob::StateValidityChecker(space), states_(states), dimension_(space->getStateDimension()) {}
  bool isValid(const ob::State* state) const override {
    return states_.is_free({state->as<ob::RealVectorStateSpace::StateType>()->values, dimension_});
  }

 private:
  FclStates& states_;
  std::size_t dimension_;
};

}  // namespace

void OmplPeer::start(const Kinematics& kinematics, const Resolution& resolution) {
  ompl::msg::setLogLevel(ompl::msg::LOG_ERROR);
  const auto dimension = static_cast<unsigned int>(kinematics.variables().size());
  ob::RealVectorBounds bounds(dimension);
  for (unsigned int i = 0; i < dimension; ++i) {
    const JointLimits limits = kinematics.variables()[i].limits.value_or(JointLimits{-M_PI, M_PI});
    // Ends of edges may be beyond them.
    bounds.setLow(i, limits.lower);
    bounds.setHigh(i, limits.upper > limits.lower ? limits.upper : limits.lower + 1e-9);
  }
  std::shared_ptr<ob::RealVectorStateSpace> states;
  if (resolution.kind == Resolution::Kind::MoveIt) {
    states = std::make_shared<SummedSpace>(dimension);
  } else {
    states = std::make_shared<ob::RealVectorStateSpace>(dimension);
  }
  states->setBounds(bounds);
  const double extent = states->getMaximumExtent();
  states->setLongestValidSegmentFraction(
      resolution.kind == Resolution::Kind::Radians ? resolution.value / extent : resolution.value);
  space_ = std::make_shared<ob::SpaceInformation>(states);
}

OmplPeer::OmplPeer(const Kinematics& kinematics, FclStates& states, const Resolution& resolution) {
  start(kinematics, resolution);
  space_->setStateValidityChecker(std::make_shared<FclValidity>(space_, states));
  space_->setMotionValidator(std::make_shared<ob::DiscreteMotionValidator>(space_));
  space_->setup();
  from_ = space_->allocState();
  to_ = space_->allocState();
}

OmplPeer::OmplPeer(const RobotInScene& robot) {
  start(robot.kinematics(), {});
  space_->setStateValidityChecker(ompl_state_validity(space_, robot));
  space_->setMotionValidator(ompl_motion_validator(space_, robot));
  space_->setup();
  from_ = space_->allocState();
  to_ = space_->allocState();
}

OmplPeer::~OmplPeer() {
  space_->freeState(from_);
  space_->freeState(to_);
}

void OmplPeer::set(const JointEdge& edge) {
  space_->getStateSpace()->copyFromReals(from_, edge.start);
  space_->getStateSpace()->copyFromReals(to_, edge.end);
}

bool OmplPeer::is_free() const {
  return space_->checkMotion(from_, to_);
}

}  // namespace toccata::bench
