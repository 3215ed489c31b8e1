// toccata robot intervals: when does a path touch anything, all in all?
#ifdef TOCCATA_WITH_URDF
#include <fmt/core.h>

#include "rigid_answer.hpp"
#include "robot_arguments.hpp"
#include "terminal.hpp"
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
  const PathQuestion asked(arguments, loaded);
  PathIntervalsOptions options;
  options.tolerance = arguments.tolerance;
  options.stop = asked.stop();
  const PathIntervalsResult found = path_intervals(asked.robot(), asked.path(), options);
  if (found.status == Status::Failed) throw UsageError(found.failure);
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
                   .add("remarks", json_list(asked.remarks()))
                   .add("stats", stats_json(found.stats)));
  } else {
    fmt::print("{}\n", sentence(found));
    for (const PairIntervals& pair : found.pairs) {
      fmt::print("{} and {}:\n", pair.link_a, pair.link_b);
      for (const ContactInterval& interval : pair.intervals) fmt::print("  {}\n", interval_text(interval));
    }
    asked.print_remarks();
  }
  return asked.ended(found.status, [&](const std::vector<double>& distances) {
    return path_intervals_report(asked.robot().robot(), asked.robot().scene(), asked.path(), found,
                                 distances);
  });
}

}  // namespace toccata::app
#endif
