// Two rigid bodies, two poses: when do they first touch, and where?
#include "toccata/ccd/rigid/first_contact.hpp"

#include <cstdio>
#include <numbers>

#include "box.hpp"
#include "toccata/motion/rigid_motion.hpp"

int main() {
  using namespace toccata;
  const Shape bar(box(4, 0.1, 0.1));
  const Shape stop(box(0.1, 0.1, 0.1));

  // The bar makes a quarter turn about z; the stop waits at 45 degrees.
  const auto turn = RigidMotion::with_velocity({}, Vector3::Zero(), {0, 0, std::numbers::pi / 2});
  const RigidMotion rest = RigidMotion::fixed({Matrix3::Identity(), {1, 1, 0}});
  const FirstContactResult result = first_contact({bar, turn}, {stop, rest});

  std::printf("%s at t = %.4f\n", to_string(result.status).data(), result.time);
  const Contact& contact = result.contact;
  std::printf("%s of the bar against %s of the stop, x = %.3f, y = %.3f\n",
              to_string(contact.feature_a.kind).data(), to_string(contact.feature_b.kind).data(),
              contact.point_a.x(), contact.point_a.y());
  return 0;
}
// Output:
// contact at t = 0.4457
// edge of the bar against edge of the stop, x = 1.050, y = 0.950
