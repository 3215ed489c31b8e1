// A motion of your own: a pendulum. All that is needed is its pose and bounds on its speed.
#include <cmath>
#include <cstdio>

#include "box.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/motion/rigid_motion.hpp"

int main() {
  using namespace toccata;
  const double length = 2.0;
  const double swing = 1.0;  // radians to each side
  const double rate = 6.0;   // radians per unit of time

  const auto pose = [=](double t) {
    const double angle = swing * std::cos(rate * t);
    Pose result;
    result.rotation << std::cos(angle), 0, std::sin(angle), 0, 1, 0, -std::sin(angle), 0, std::cos(angle);
    result.translation = result.rotation * Vector3(0, 0, -length);
    return result;
  };
  // |angle'| <= swing * rate, and the body's origin is `length` from the axis.
  CustomMotionBounds bounds;
  bounds.angular_speed = swing * rate;
  bounds.speed = swing * rate * length;
  bounds.pose_error = {1e-14, 1e-14};

  const Shape bob(box(0.4, 0.4, 0.4));
  const Shape post(box(0.2, 0.2, 1.0));
  const RigidMotion rest = RigidMotion::fixed({Matrix3::Identity(), {0.5, 0, -2.2}});
  const FirstContactResult result = first_contact({bob, CustomMotion(pose, bounds)}, {post, rest});
  std::printf("%s at t = %.4f\n", to_string(result.status).data(), result.time);
  return 0;
}
// Output:
// contact at t = 0.2771
