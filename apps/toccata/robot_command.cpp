// toccata robot QUESTION ROBOT.urdf: does a robot on its path touch the scene or itself, and how close does
// it come?
#include "command.hpp"
#ifdef TOCCATA_WITH_URDF
#include <memory>

#include "ending.hpp"
#include "robot_arguments.hpp"
#endif

namespace toccata::app {
#ifdef TOCCATA_WITH_URDF
namespace {

// What the options say together, before anything is read.
void refuse_combinations(const RobotArguments& arguments) {
  const bool edges = !arguments.edges.empty(), verifies = arguments.question == "verify";
  if (arguments.question == "pairs") {
    if (!(arguments.path.empty() && arguments.edges.empty() && arguments.scene.empty() &&
          arguments.certificate.empty() && arguments.hold.empty()))
      throw UsageError("pairs takes the robot and its SRDF, no scene and no path");
    if (arguments.output.wanted()) throw UsageError("pairs has no report");
    return;
  }
  if (edges && !arguments.path.empty())
    throw UsageError("expected --path FILE with way-points, or --edges FILE with an edge a line");
  if (edges && arguments.question != "check")
    throw UsageError(arguments.question + " takes --path, not --edges");
  if (edges && arguments.output.wanted()) throw UsageError("a report shows one path: use --path");
  if (edges &&
      !(arguments.certificate.empty() && arguments.velocities.empty() && arguments.accelerations.empty()))
    throw UsageError("--certificate, --velocities and --accelerations go with --path, not with --edges");
  if (verifies && arguments.certificate.empty()) throw UsageError("verify needs --certificate FILE");
  if (verifies && arguments.output.wanted()) throw UsageError("verify has no report");
  if (!verifies && arguments.question != "check" && !arguments.certificate.empty())
    throw UsageError("--certificate goes with check, which writes it, and with verify, which reads it");
  if (arguments.question != "clearance" && (arguments.pairs || arguments.pair_limit > 0.0))
    throw UsageError("--pairs and --pair-limit go with clearance");
  if (!arguments.certificate.empty() && arguments.any)
    throw UsageError("--any looks for a contact, --certificate proves that there is none: use one of them");
}

int run_robot(const RobotArguments& arguments) {
  refuse_combinations(arguments);
  const LoadedRobot loaded = load_robot(arguments);
  if (arguments.question == "pairs") return tell_pairs(arguments, loaded);
  if (!arguments.edges.empty()) return check_edges(arguments, loaded);
  if (!has_path(arguments, loaded))
    throw UsageError("expected --path FILE with way-points, or --edges FILE with an edge a line");
  if (arguments.question == "verify") return verify_path(arguments, loaded);
  if (arguments.question == "clearance") return tell_clearance(arguments, loaded);
  if (arguments.question == "intervals") return tell_intervals(arguments, loaded);
  return check_path(arguments, loaded);
}

}  // namespace
#endif

Command robot_command() {
  Command command{
      .name = "robot",
      .description = "Does a robot on its path touch the scene or itself, and how close does it come"};
#ifdef TOCCATA_WITH_URDF
  const auto arguments = std::make_shared<RobotArguments>();
  command.options = {
      {.names = "QUESTION",
       .target = &arguments->question,
       .help =
           "check: is the path free; clearance: how close it comes; intervals: when it touches; pairs: which "
           "links can touch; verify: does a certificate hold",
       .required = true,
       .choices = {"check", "clearance", "intervals", "pairs", "verify"}},
      {.names = "ROBOT",
       .target = &arguments->robot,
       .help = "The robot (URDF), or several in one scene (YAML)",
       .required = true},
      {.names = "--srdf",
       .target = &arguments->srdf,
       .help = "Which of its links may touch (SRDF)",
       .value = "FILE"},
      {.names = "--scene",
       .target = &arguments->scene,
       .help = "What stands around it: a planning scene (YAML), a list, or a mesh",
       .value = "FILE"},
      {.names = "--hold",
       .target = &arguments->hold,
       .help = "A thing that a link holds: LINK SHAPE [POSE] [touches LINK,LINK...]; may be given again",
       .value = "TEXT"},
      {.names = "--package-path",
       .target = &arguments->package_path,
       .help = "Folders in which package:// is looked for, separated by colons",
       .value = "DIR"},
      {.names = "--path",
       .target = &arguments->path,
       .help = "Way-points, one a line: a value for each joint, or the time before them",
       .value = "FILE"},
      {.names = "--velocities",
       .target = &arguments->velocities,
       .help = "Of way-points, a line each: the path is then a cubic spline",
       .value = "FILE"},
      {.names = "--accelerations",
       .target = &arguments->accelerations,
       .help = "Of way-points, beside velocities: quintic",
       .value = "FILE"},
      {.names = "--certificate",
       .target = &arguments->certificate,
       .help = "Of check: writes the evidence that the path is free; of verify: checks it",
       .value = "FILE"},
      {.names = "--edges",
       .target = &arguments->edges,
       .help = "Edges, one a line: start and end",
       .value = "FILE"},
      {.names = "--any",
       .target = &arguments->any,
       .help = "Any contact, not the first: quicker where there is one"},
      {.names = "--method",
       .target = &arguments->method,
       .help = "interval: by interval arithmetic on links, a second opinion that takes longer",
       .shows_default = true,
       .choices = {"advancement", "interval"}},
      {.names = "--as-given",
       .target = &arguments->as_given,
       .help = "Continuous joints turn as the values say, not the shorter way"},
      {.names = "--no-self", .target = &arguments->no_self, .help = "Do not look at pairs of links"},
      {.names = "--tables",
       .target = &arguments->tables,
       .help = "Of edges: first a table for links that are always near each other; pays for thousands"},
      {.names = "--budget",
       .target = &arguments->budget,
       .help = "Of pairs: most cells into which the values of a pair are divided",
       .shows_default = true,
       .least = 1.0,
       .most = 1e9},
      {.names = "--minimum-distance",
       .target = &arguments->minimum_distance,
       .help = "Ask for coming this close instead",
       .least = 0.0},
      {.names = "--padding",
       .target = &arguments->padding,
       .help = "A distance that counts as touching",
       .least = 0.0},
      {.names = "--padding-of",
       .target = &arguments->paddings,
       .help = "Of one link or obstacle, or of two: \"hand 0.02\", \"hand,shelf 0.02\"; may be given again",
       .value = "TEXT"},
      {.names = "--tolerance",
       .target = &arguments->tolerance,
       .help = "How close counts as touching; of clearance: how close to the truth",
       .least = 0.0},
      {.names = "--bands",
       .target = &arguments->bands,
       .help = "Of clearance: proven bounds in this many parts of the path",
       .least = 0.0,
       .most = 1e6},
      {.names = "--pairs",
       .target = &arguments->pairs,
       .help = "Of clearance: the same of every pair of links, and of links and obstacles"},
      {.names = "--pair-limit",
       .target = &arguments->pair_limit,
       .help = "Of those, leave out pairs that never get this close",
       .least = 0.0},
      {.names = "--threads",
       .target = &arguments->threads,
       .help = "Number of threads for edges, 0 = all cores",
       .shows_default = true,
       .least = 0.0,
       .most = 4096.0},
      {.names = "--seconds",
       .target = &arguments->seconds,
       .help = "Stop after this long with what is proven by then, 0 = no limit",
       .least = 0.0},
      {.names = "--json", .target = &arguments->json, .help = "Print one JSON object"},
      check_option(arguments->check)};
  add_report_options(
      arguments->output, command,
      [arguments] {
        return std::vector<std::string>{arguments->robot,        arguments->srdf,  arguments->scene,
                                        arguments->path,         arguments->edges, arguments->velocities,
                                        arguments->accelerations};
      },
      [arguments] {
        return std::vector{arguments->question == "verify" ? std::string() : arguments->certificate};
      });
  command.footer =
      "Values are in the order of the URDF's joints, without fixed ones and mimics; files of numpy will do, "
      "too.\n"
      "Links with one joint between them may touch; links without any are one body.\n"
      "Examples:\n"
      "  toccata robot check arm.urdf --srdf arm.srdf --scene room.yaml --path path.txt\n"
      "  toccata robot check arm.urdf --scene room.yaml --edges edges.txt --json\n"
      "  toccata robot clearance arm.urdf --path path.txt --bands 10 --pairs\n"
      "  toccata robot intervals arm.urdf --scene room.yaml --path path.txt\n"
      "  toccata robot check arm.urdf --path path.txt --hold \"hand box:0.1,0.1,0.2 0,0,0.1 touches "
      "finger\"\n"
      "  toccata robot check two_arms.yaml --scene room.yaml\n"
      "  toccata robot check arm.urdf --path path.txt --check && echo free\n"
      "  toccata robot pairs arm.urdf --srdf arm.srdf\n"
      "  toccata robot check arm.urdf --path path.txt --certificate free.json\n"
      "  toccata robot verify arm.urdf --path path.txt --certificate free.json\n";
  command.run = [arguments] { return run_robot(*arguments); };
#else
  command.run = []() -> int {
    throw UsageError("this program was built without robots (Debian: libtinyxml2-dev libyaml-cpp-dev)");
  };
#endif
  return command;
}

}  // namespace toccata::app
