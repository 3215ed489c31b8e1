#include "moving_arguments.hpp"

#include <fmt/core.h>

#include "body_argument.hpp"
#include "ending.hpp"
#include "interrupt.hpp"
#include "pose_argument.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/io/report_record.hpp"

namespace toccata::app {
namespace {

void check_tolerances(const MovingArguments& arguments) {
  if (arguments.tolerance && !(*arguments.tolerance > 0.0))
    throw UsageError("--tolerance: expected a distance above 0");
  if (!(arguments.relative_tolerance > 0.0))
    throw UsageError("--relative-tolerance: expected a share above 0");
}

// What encloses a volume is taken to be full, unless told otherwise.
MovingPair loaded_pair(const MovingArguments& arguments) {
  auto [a, b] = load_bodies(arguments.body_a, arguments.body_b);
  if (arguments.surface && !a.shape.is_mesh() && !b.shape.is_mesh()) {
    throw UsageError(
        fmt::format("--surface: only meshes can be surfaces, {} and {} are full inside", a.source, b.source));
  }
  for (ReportBody* body : {&a, &b})
    body->solid =
        !body->shape.is_mesh() || arguments.solid || (!arguments.surface && body->shape.is_closed());
  return {std::move(a), std::move(b)};
}

const char* kind_of(const ReportBody& body) {
  return body.solid ? "solid" : "surface";
}

}  // namespace

void add_moving_options(MovingArguments& arguments, Command& command) {
  command.options.push_back(body_option("A", arguments.body_a));
  command.options.push_back(body_option("B", arguments.body_b));
  add_motion_options(arguments.motion_a, "A", command);
  add_motion_options(arguments.motion_b, "B", command);
  const std::vector<Option> others = {
      {.names = "--motion",
       .target = &arguments.motion,
       .help = "Linear: the body's origin moves straight; screw: about one axis",
       .choices = {"linear", "screw"}},
      quaternion_option(arguments.quaternion),
      {.names = "--solid",
       .target = &arguments.solid,
       .help = "Both bodies are full, so that meshes must be closed (default: those that are)"},
      {.names = "--surface",
       .target = &arguments.surface,
       .help = "Meshes are surfaces: one body inside the other is apart from it",
       .excludes = "--solid"},
      {.names = "--tolerance",
       .target = &arguments.tolerance,
       .help = "Distance that counts as touching (default: by --relative-tolerance)",
       .value = "LENGTH",
       .least = 0.0},
      {.names = "--relative-tolerance",
       .target = &arguments.relative_tolerance,
       .help = "The same as a share of the smaller body's size",
       .value = "SHARE",
       .shows_default = true,
       .least = 0.0}};
  command.options.insert(command.options.end(), others.begin(), others.end());
}

void add_answer_options(MovingArguments& arguments, Command& command, InputFiles inputs) {
  const std::vector<Option> options = {
      {.names = "--budget",
       .target = &arguments.budget,
       .help = "Most pairs to test (0 = no limit)",
       .value = "PAIRS",
       .shows_default = arguments.budget > 0,
       .least = 0.0},
      {.names = "--seconds",
       .target = &arguments.seconds,
       .help = "Most seconds to take (0 = no limit): what is proven by then is the answer",
       .value = "SECONDS",
       .least = 0.0},
      {.names = "--json", .target = &arguments.json, .help = "Print JSON"},
      {.names = "--csv",
       .target = &arguments.csv,
       .help = "Print a table: a line of names, then lines of values separated by commas",
       .excludes = "--json"},
      check_option(arguments.check)};
  command.options.insert(command.options.end(), options.begin(), options.end());
  add_report_options(arguments.output, command, [&arguments, inputs = std::move(inputs)] {
    std::vector<std::string> files = {file_of(arguments.body_a), file_of(arguments.body_b),
                                      arguments.motion_a.path, arguments.motion_b.path};
    if (inputs) {
      for (std::string& file : inputs()) files.push_back(std::move(file));
    }
    return files;
  });
}

MotionReading reading_of(const MovingArguments& arguments) {
  return {.screw = arguments.motion == "screw", .quaternion = arguments.quaternion};
}

MovingPair moving_pair(const MovingArguments& arguments, const std::string& command) {
  check_tolerances(arguments);
  if (!arguments.motion_a.moves() && !arguments.motion_b.moves()) {
    throw UsageError(
        command +
        ": nothing moves; give the end pose with --to, or --turn, --velocity or --path (for bodies at "
        "rest there are `toccata distance`, `toccata intersect` and `toccata penetration`)");
  }
  // Before the meshes: what was typed wrong is said at once.
  const OwnedMotion motion_a = motion_of_arguments(arguments.motion_a, reading_of(arguments));
  const OwnedMotion motion_b = motion_of_arguments(arguments.motion_b, reading_of(arguments));
  MovingPair pair = loaded_pair(arguments);
  pair.a.motion = motion_a;
  pair.b.motion = motion_b;
  return pair;
}

MovingPair pair_with_motion_of_b(const MovingArguments& arguments) {
  check_tolerances(arguments);
  const OwnedMotion motion_b = motion_of_arguments(arguments.motion_b, reading_of(arguments));
  MovingPair pair = loaded_pair(arguments);
  pair.b.motion = motion_b;
  return pair;
}

void describe_question(const MovingArguments& arguments, const MovingPair& pair, Report& report) {
  const double tolerance =
      resolved_tolerance(pair.a.shape, pair.b.shape, arguments.tolerance, arguments.relative_tolerance);
  report.options.emplace_back("tolerance", fmt::format("{:.3g}", tolerance));
  for (const ReportBody* body : {&pair.a, &pair.b})
    report.options.emplace_back("motion of " + body->name, motion_text(record_of(*body->motion)));
  report.options.emplace_back("bodies", pair.a.solid == pair.b.solid
                                            ? std::string(kind_of(pair.a))
                                            : fmt::format("{} {}, {} {}", pair.a.name, kind_of(pair.a),
                                                          pair.b.name, kind_of(pair.b)));
}

Stop stop_of(const MovingArguments& arguments) {
  return {.token = interrupt_token(), .seconds = arguments.seconds};
}

void add_question(const MovingPair& pair, JsonObject& json) {
  json.add("motion_a", motion_json(record_of(*pair.a.motion)));
  json.add("motion_b", motion_json(record_of(*pair.b.motion)));
  json.add("solid_a", pair.a.solid).add("solid_b", pair.b.solid);
}

}  // namespace toccata::app
