// toccata robot intervals: when does a path touch anything, all in all?
#ifdef TOCCATA_WITH_URDF
#include <fmt/core.h>

#include "ending.hpp"
#include "interrupt.hpp"
#include "rigid_answer.hpp"
#include "robot_arguments.hpp"
#include "terminal.hpp"
#include "toccata/ccd/articulated/path_clearance.hpp"
#include "toccata/ccd/articulated/path_intervals.hpp"
#include "toccata/io/robot_report.hpp"
#include "toccata/io/sentence.hpp"

namespace toccata::app {
namespace {

JsonList intervals_json(const std::vector<ContactInterval>& intervals) {
  JsonList list;
  for (const ContactInterval& interval : intervals) {
    list.add(JsonObject()
                 .add("begin_lower", interval.begin_lower)
                 .add("begin_upper", interval.begin_upper)
                 .add("end_lower", interval.end_lower)
                 .add("end_upper", interval.end_upper));
  }
  return list;
}

}  // namespace

int tell_intervals(const RobotArguments& arguments, const LoadedRobot& loaded) {
  const InterruptScope interrupts;
  const RobotInScene robot = robot_of(arguments, loaded);
  const JointPath path = path_of(arguments, loaded);
  PathIntervalsOptions options;
  options.tolerance = arguments.tolerance;
  options.stop = {.token = interrupt_token(), .seconds = arguments.seconds};
  const PathIntervalsResult found = path_intervals(robot, path, options);
  if (found.status == Status::Failed) throw UsageError(found.failure);
  const std::vector<std::string> remarks = beyond_limits(robot.kinematics(), path);
  if (arguments.json) {
    JsonList pairs;
    for (const PairIntervals& pair : found.pairs) {
      pairs.add(JsonObject()
                    .add("link_a", pair.link_a)
                    .add("link_b", pair.link_b)
                    .add("with_scene", pair.with_scene)
                    .add("intervals", intervals_json(pair.intervals)));
    }
    print_json(JsonObject()
                   .add("status", to_string(found.status))
                   .add("intervals", intervals_json(found.intervals))
                   .add("pairs", pairs)
                   .add("proven_until", found.proven_until)
                   .add("microseconds", found.microseconds)
                   .add("remarks", json_list(remarks))
                   .add("stats", stats_json(found.stats)));
  } else {
    fmt::print("{}\n", sentence(found));
    for (const PairIntervals& pair : found.pairs) {
      fmt::print("{} and {}:\n", pair.link_a, pair.link_b);
      for (const ContactInterval& interval : pair.intervals)
        fmt::print("  from {:.9g} to {:.9g}\n", interval.begin_lower, interval.end_upper);
    }
    for (const std::string& remark : remarks) fmt::print("Note: {}.\n", remark);
  }
  if (arguments.output.wanted()) {
    write_outputs(arguments.output,
                  path_intervals_report(robot.robot(), robot.scene(), path, found,
                                        clearance_samples(robot, path, report_times(path))),
                  arguments.json ? stderr : stdout);
  }
  return exit_code({.touches = touches(found.status), .interrupted = interrupted()}, arguments.check);
}

}  // namespace toccata::app
#endif
