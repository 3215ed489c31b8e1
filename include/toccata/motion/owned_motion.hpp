#pragma once
// Any motion as a value: what a body owns. Copies share the motion, which never changes.
#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

#include "toccata/motion/motion.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata {

// A motion of a known kind: a `const Motion&` can be borrowed, but not copied.
template <typename M>
concept MotionValue =
    std::derived_from<std::remove_cvref_t<M>, Motion> && !std::is_abstract_v<std::remove_cvref_t<M>>;

class OwnedMotion {
 public:
  OwnedMotion() = default;  // stands still at the identity
  OwnedMotion(const Pose& pose) : motion_(std::make_shared<RigidMotion>(RigidMotion::fixed(pose))) {}
  // Must not be null.
  OwnedMotion(std::shared_ptr<const Motion> motion) : motion_(std::move(motion)) {}
  // A RigidMotion, ScrewMotion, PiecewiseMotion, CustomMotion or a motion of the user's own, copied or moved.
  template <MotionValue M>
  OwnedMotion(M&& motion) : motion_(std::make_shared<std::remove_cvref_t<M>>(std::forward<M>(motion))) {}

  // Not owned: `motion` must outlive every copy.
  static OwnedMotion borrowed(const Motion& motion) {
    return std::shared_ptr<const Motion>(std::shared_ptr<const Motion>(), &motion);
  }
  static OwnedMotion borrowed(const Motion&& temporary) = delete;

  const Motion& operator*() const { return *motion_; }
  const Motion* operator->() const { return motion_.get(); }
  const std::shared_ptr<const Motion>& shared() const { return motion_; }

 private:
  std::shared_ptr<const Motion> motion_ = still();
  static const std::shared_ptr<const Motion>& still();
};

}  // namespace toccata
