// An arm reaches into a shelf with a thin rod across it: is its path free, and if not, when does it touch?
#include <fmt/core.h>

#include "demo.hpp"
#include "json_text.hpp"
#include "scenes/robot_arm.hpp"
#include "terminal.hpp"
#include "toccata/ccd/articulated/path_clearance.hpp"
#include "toccata/ccd/articulated/path_contact.hpp"
#include "toccata/io/robot_report.hpp"
#include "toccata/io/sentence.hpp"

namespace toccata::app {

int run_robot_demo(const DemoOptions& options) {
  RobotOptions allowed;
  allowed.allowed = {{"left_finger", "right_finger"}};
  const RobotInScene robot = RobotInScene::build(scenes::robot_arm(), scenes::shelf(), allowed).value();
  const JointPath free = scenes::free_reach(), touching = scenes::touching_reach();
  const PathClearanceResult clearance = path_clearance(robot, free);
  const PathContactResult contact = path_contact(robot, touching);
  if (options.json) {
    JsonObject json;
    json.add("free", JsonObject()
                         .add("status", to_string(clearance.status))
                         .add("distance", clearance.distance)
                         .add("lower_distance", clearance.lower_distance)
                         .add("link_a", clearance.link_a)
                         .add("link_b", clearance.link_b));
    json.add("touching", JsonObject()
                             .add("status", to_string(contact.status))
                             .add("time", contact.time)
                             .add("link_a", contact.link_a)
                             .add("link_b", contact.link_b)
                             .add("microseconds", contact.microseconds));
    print_json(json);
  } else {
    fmt::print("An arm of {} reaches into a shelf with a rod of 6 mm across it.\n",
               plural(robot.kinematics().variables().size(), "joint"));
    fmt::print("High:  {}\n", sentence(clearance));
    fmt::print("Lower: {} ({})\n", sentence(contact), duration_text(1e-6 * contact.microseconds));
  }
  if (options.output.wanted()) {
    write_outputs(options.output,
                  path_contact_report(robot.robot(), robot.scene(), touching, contact,
                                      clearance_samples(robot, touching, report_times(touching))),
                  options.json ? stderr : stdout);
  }
  return 0;
}

}  // namespace toccata::app
