#include "toccata/ccd/rigid/shape_cast.hpp"

namespace toccata {

FirstContactResult shape_cast(const PlacedShape& cast, const Vector3& way, const PlacedShape& target,
                              const FirstContactOptions& options) {
  const RigidMotion moving = RigidMotion::with_velocity(cast.pose, way, Vector3::Zero());
  const RigidMotion still = RigidMotion::fixed(target.pose);
  return first_contact({cast.shape, OwnedMotion::borrowed(moving)},
                       {target.shape, OwnedMotion::borrowed(still)}, options);
}

}  // namespace toccata
