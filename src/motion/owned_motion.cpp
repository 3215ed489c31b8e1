#include "toccata/motion/owned_motion.hpp"

namespace toccata {

const std::shared_ptr<const Motion>& OwnedMotion::still() {
  static const std::shared_ptr<const Motion> motion = std::make_shared<RigidMotion>();
  return motion;
}

}  // namespace toccata
