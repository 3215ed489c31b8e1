// One question, four methods, one answer: a plate tumbles onto a box. And any motion as screws, within an
// error.
#include <toccata/ccd/rigid/first_contact.hpp>
#include <toccata/motion/screw_approximation.hpp>

#include <cstdio>

#include "box.hpp"

int main() {
  using namespace toccata;
  const Shape plate(box(2, 1.5, 0.1)), block(box(1, 1, 1));
  const RigidMotion tumble =
      RigidMotion::with_velocity({Matrix3::Identity(), {0.3, 0.2, 2.5}}, {0, 0, -3}, {2.0, 1.0, 0.5});
  const RigidMotion rest;

  for (const auto& [method, name] :
       {std::pair(RigidMethod::Advancement, "Advancement"), std::pair(RigidMethod::Controlled, "Controlled"),
        std::pair(RigidMethod::Interval, "Interval"), std::pair(RigidMethod::Screw, "Screw")}) {
    FirstContactOptions options;
    options.method = method;
    const FirstContactResult found = first_contact({plate, tumble}, {block, rest}, options);
    std::printf("%-11s %s at t = %.5f\n", name, to_string(found.status).data(), found.time);
  }

  // The plate's own box is 2 x 1.5 x 0.1.
  const ScrewApproximation screws =
      approximate_by_screws(tumble, {-1, -0.75, -0.05}, {1, 0.75, 0.05}, {.tolerance = 1e-3});
  const PiecewiseMotion motion = screws.motion();
  const FirstContactResult nearly = first_contact({plate, motion}, {block, rest});
  std::printf("as screws: no point farther off than 0.001: %s; contact at t = %.2f\n",
              screws.within_tolerance && screws.error <= 1e-3 ? "proven" : "no", nearly.time);
}
// Output:
// Advancement contact at t = 0.43913
// Controlled  contact at t = 0.43913
// Interval    contact at t = 0.43913
// Screw       contact at t = 0.43913
// as screws: no point farther off than 0.001: proven; contact at t = 0.44
