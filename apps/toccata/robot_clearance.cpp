// toccata robot clearance: how close does a path come to anything?
#ifdef TOCCATA_WITH_URDF
#include <fmt/core.h>

#include "rigid_answer.hpp"
#include "robot_arguments.hpp"
#include "terminal.hpp"
#include "toccata/ccd/articulated/path_clearance.hpp"
#include "toccata/io/robot_report.hpp"
#include "toccata/io/sentence.hpp"

namespace toccata::app {
namespace {

JsonList bands_json(const std::vector<ClearanceBand>& bands) {
  JsonList list;
  for (const ClearanceBand& band : bands) {
    list.add(JsonObject()
                 .add("begin", band.begin)
                 .add("end", band.end)
                 .add("lower", band.lower)
                 .add("upper", band.upper));
  }
  return list;
}

JsonList pairs_json(const std::vector<PairClearance>& pairs) {
  JsonList list;
  for (const PairClearance& pair : pairs) {
    JsonObject json;
    json.add("link_a", pair.link_a).add("link_b", pair.link_b).add("with_scene", pair.with_scene);
    json.add("time", pair.time).add("distance", pair.distance).add("lower_distance", pair.lower_distance);
    list.add(json.add("bands", bands_json(pair.bands)));
  }
  return list;
}

void print_bands(const std::vector<ClearanceBand>& bands) {
  for (const ClearanceBand& band : bands)
    fmt::print("  from {:.3f} to {:.3f}: between {:.6g} and {:.6g}\n", band.begin, band.end, band.lower,
               band.upper);
}

}  // namespace

int tell_clearance(const RobotArguments& arguments, const LoadedRobot& loaded) {
  const PathQuestion asked(arguments, loaded);
  PathClearanceOptions options;
  options.tolerance = arguments.tolerance;
  options.bands = arguments.bands;
  options.pairs = arguments.pairs;
  if (arguments.pair_limit > 0.0) options.pair_limit = arguments.pair_limit;
  options.threads = arguments.threads;
  options.stop = asked.stop();
  const PathClearanceResult found = path_clearance(asked.robot(), asked.path(), options);
  if (found.status == Status::Failed) throw UsageError(found.failure);
  if (arguments.json) {
    JsonObject json;
    json.add("status", to_string(found.status)).add("time", found.time);
    json.add("distance", found.distance).add("lower_distance", found.lower_distance);
    json.add("link_a", found.link_a).add("link_b", found.link_b).add("with_scene", found.with_scene);
    json.add("point_a", found.contact.point_a)
        .add("point_b", found.contact.point_b)
        .add("normal", found.contact.normal);
    json.add("bands", bands_json(found.bands))
        .add("pairs", pairs_json(found.pairs))
        .add("microseconds", found.microseconds)
        .add("remarks", json_list(asked.remarks()));
    print_json(json.add("stats", stats_json(found.stats)));
  } else {
    fmt::print("{}\n", sentence(found));
    print_bands(found.bands);
    for (const PairClearance& pair : found.pairs) {
      fmt::print("{} and {}: {:.6g} at t = {:.6g}, proven at least {:.6g}\n", pair.link_a, pair.link_b,
                 pair.distance, pair.time, pair.lower_distance);
      if (arguments.bands > 0) print_bands(pair.bands);
    }
    asked.print_remarks();
  }
  return asked.ended(found.status, [&](const std::vector<double>& distances) {
    return path_clearance_report(asked.robot().robot(), asked.robot().scene(), asked.path(), found,
                                 distances);
  });
}

}  // namespace toccata::app
#endif
