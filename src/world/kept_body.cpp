#include "world/kept_body.hpp"

#include <typeinfo>
#include <utility>

namespace toccata::world {
namespace {

const Shape& no_shape() {
  static const Shape shape{Box{}};
  return shape;
}

}  // namespace

KeptBody::KeptBody() : shape_(no_shape()) {}

KeptBody::KeptBody(Body body) : shape_(std::move(body.shape)), is_solid_(body.solid), is_there_(true) {
  if (std::optional<SteadyStart> steady = steady_of(*body.motion)) {
    motion_ = *steady;
  } else {
    motion_ = std::move(body.motion);
  }
}

// Only what can be made again to the last bit: not what came from two poses, whose error is larger.
std::optional<SteadyStart> KeptBody::steady_of(const Motion& motion) {
  if (typeid(motion) != typeid(RigidMotion)) return std::nullopt;
  const auto& rigid = static_cast<const RigidMotion&>(motion);
  if (!rigid.reference().isZero(0.0)) return std::nullopt;
  const SteadyStart steady = {rigid.pose_t0(), rigid.velocity(), rigid.angular_velocity()};
  const RigidMotion again = steady.motion();
  const PoseError error = rigid.pose_error(), same = again.pose_error();
  if (error.rotation != same.rotation || error.translation != same.translation) return std::nullopt;
  if (again.pose_t0().rotation != rigid.pose_t0().rotation) return std::nullopt;
  return steady;
}

SeenBody KeptBody::seen() const {
  if (const auto* steady = std::get_if<SteadyStart>(&motion_)) return {shape_, steady->motion(), is_solid_};
  return {shape_, *std::get<OwnedMotion>(motion_), is_solid_};
}

Body KeptBody::body() const {
  if (const auto* steady = std::get_if<SteadyStart>(&motion_)) return {shape_, steady->motion(), is_solid_};
  return {shape_, std::get<OwnedMotion>(motion_), is_solid_};
}

}  // namespace toccata::world
