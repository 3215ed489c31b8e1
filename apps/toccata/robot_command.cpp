// toccata robot QUESTION ROBOT.urdf: does a robot on its path touch the scene or itself, and how close does
// it come?
#include "command.hpp"
#ifdef TOCCATA_WITH_URDF
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <sstream>

#include "ending.hpp"
#include "interrupt.hpp"
#include "json_text.hpp"
#include "load_mesh.hpp"
#include "number_rows.hpp"
#include "report_options.hpp"
#include "rigid_answer.hpp"
#include "terminal.hpp"
#include "toccata/ccd/articulated/certify_path.hpp"
#include "toccata/ccd/articulated/path_clearance.hpp"
#include "toccata/ccd/articulated/path_contact.hpp"
#include "toccata/ccd/articulated/robot_pairs.hpp"
#include "toccata/io/certificate_json.hpp"
#include "toccata/io/robot_io.hpp"
#include "toccata/io/robot_report.hpp"
#include "toccata/io/scene_io.hpp"
#include "toccata/io/sentence.hpp"
#include "toccata/proximity/verify_certificate.hpp"
#endif

namespace toccata::app {
#ifdef TOCCATA_WITH_URDF
namespace {

struct RobotArguments {
  std::string question, robot, srdf, scene, path, edges;
  std::string velocities, accelerations;
  std::string certificate;
  std::string package_path;
  bool any = false;
  std::string method = "advancement";
  bool as_given = false;
  bool no_self = false;
  bool tables = false;
  double minimum_distance = 0.0;
  std::optional<double> tolerance;
  double padding = 0.0;
  int bands = 0;
  std::int64_t budget = 2000;
  int threads = 0;
  double seconds = 0.0;
  bool json = false;
  bool check = false;
  ReportOptions output;
};

template <typename Value>
Value expected(Expected<Value> value) {
  if (!value) throw UsageError(value.error().message);
  return std::move(*value);
}

// What the files say.
struct LoadedRobot {
  ArticulatedBody body;
  ObstacleScene scene;
  std::vector<AllowedPair> allowed;
};

LoadedRobot load(const RobotArguments& arguments) {
  LoadRobotOptions loading;
  std::istringstream folders(arguments.package_path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (!folder.empty()) loading.package_path.push_back(folder);
  }
  loading.importer = load_any_mesh;
  LoadedRobot loaded;
  loaded.body = expected(load_urdf(arguments.robot, loading));
  if (!arguments.srdf.empty()) loaded.allowed = expected(load_srdf(arguments.srdf, loaded.body)).allowed;
  if (!arguments.scene.empty()) loaded.scene = expected(load_scene(arguments.scene, loading));
  return loaded;
}

RobotInScene robot_of(const RobotArguments& arguments, const LoadedRobot& loaded) {
  RobotOptions options;
  options.self_contact = !arguments.no_self;
  options.padding = arguments.padding;
  options.allowed = loaded.allowed;
  return expected(RobotInScene::build(loaded.body, loaded.scene, options));
}

// Rows of the robot's variables, `per_row` times as many; of text or numpy.
std::vector<NumberRow> value_rows(const std::string& path, const Kinematics& robot, std::size_t per_row) {
  const std::size_t width = per_row * robot.variables().size();
  const bool is_array = path.ends_with(".npy") || path.ends_with(".npz");
  std::vector<NumberRow> rows;
  if (is_array) {
    std::vector<NumberRows> arrays = read_array_rows(path, {});
    if (arrays.size() != 1) throw UsageError(path + ": expected one array");
    rows = std::move(arrays.front().rows);
  } else {
    rows = read_text_rows(path).rows;
  }
  for (const NumberRow& row : rows) {
    if (row.numbers.size() == width || (per_row == 1 && row.numbers.size() == width + 1)) continue;
    throw UsageError(fmt::format("{}: expected {} ({} of the robot's {}), found {}", row.where,
                                 plural(width, "number"), per_row == 2 ? "start and end" : "a value for each",
                                 plural(robot.variables().size(), "variable"), row.numbers.size()));
  }
  if (rows.empty()) throw UsageError(path + ": has no rows");
  return rows;
}

// Velocities or accelerations, a row for each way-point; nothing where no file is given.
std::vector<std::vector<double>> derivative_rows(const std::string& path, const Kinematics& robot,
                                                 std::size_t way_points) {
  std::vector<std::vector<double>> rows;
  if (path.empty()) return rows;
  for (const NumberRow& row : value_rows(path, robot, 1)) {
    if (row.numbers.size() != robot.variables().size())
      throw UsageError(row.where + ": expected a number for each of the robot's variables, without a time");
    rows.push_back(row.numbers);
  }
  if (rows.size() != way_points)
    throw UsageError(fmt::format("{}: has {}, but the path has {}", path, plural(rows.size(), "row"),
                                 plural(way_points, "way-point")));
  return rows;
}

// A way-point a line: its values, or its time and its values.
JointPath path_of(const RobotArguments& arguments, const Kinematics& robot) {
  const std::size_t width = robot.variables().size();
  const std::vector<NumberRow> rows = value_rows(arguments.path, robot, 1);
  std::vector<JointWayPoint> points;
  std::vector<std::vector<double>> values;
  for (const NumberRow& row : rows) {
    const bool timed = row.numbers.size() == width + 1;
    if (timed != (rows.front().numbers.size() == width + 1))
      throw UsageError(row.where + ": either all way-points have a time, or none");
    values.emplace_back(row.numbers.begin() + (timed ? 1 : 0), row.numbers.end());
    points.push_back({timed ? row.numbers.front() : 0.0, {}, {}, {}});
  }
  if (!arguments.as_given) robot.take_shorter_way(values);
  const auto velocities = derivative_rows(arguments.velocities, robot, rows.size());
  const auto accelerations = derivative_rows(arguments.accelerations, robot, rows.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].values = values[i];
    if (!velocities.empty()) points[i].velocities = velocities[i];
    if (!accelerations.empty()) points[i].accelerations = accelerations[i];
  }
  Expected<JointPath> path = JointPath::build(points);
  if (!path) throw UsageError(arguments.path + ": " + path.error().message);
  return std::move(*path);
}

std::vector<JointEdge> edges_of(const RobotArguments& arguments, const RobotInScene& robot) {
  const std::size_t width = robot.kinematics().variables().size();
  std::vector<JointEdge> edges;
  for (const NumberRow& row : value_rows(arguments.edges, robot.kinematics(), 2)) {
    std::vector<std::vector<double>> ends = {
        {row.numbers.begin(), row.numbers.begin() + static_cast<std::ptrdiff_t>(width)},
        {row.numbers.begin() + static_cast<std::ptrdiff_t>(width), row.numbers.end()}};
    if (!arguments.as_given) robot.kinematics().take_shorter_way(ends);
    edges.push_back({std::move(ends[0]), std::move(ends[1])});
  }
  return edges;
}

PathContactOptions contact_options(const RobotArguments& arguments) {
  PathContactOptions options;
  options.any_contact = arguments.any;
  if (arguments.method == "interval") options.method = PathMethod::Interval;
  options.minimum_distance = arguments.minimum_distance;
  options.tolerance = arguments.tolerance;
  options.threads = arguments.threads;
  options.stop = {.token = interrupt_token(), .seconds = arguments.seconds};
  return options;
}

// Way-points beyond the limits are answered, but not in silence.
std::vector<std::string> beyond_limits(const RobotInScene& robot, const JointPath& path) {
  std::vector<std::string> remarks;
  for (const double t : path.times()) {
    std::string remark = robot.kinematics().beyond_limits(path.values(t));
    if (!remark.empty() && std::find(remarks.begin(), remarks.end(), remark) == remarks.end())
      remarks.push_back(std::move(remark));
  }
  return remarks;
}

JsonList json_list(const std::vector<std::string>& texts) {
  JsonList list;
  for (const std::string& text : texts) list.add(text);
  return list;
}

bool touches(Status status) {
  return status != Status::Separated;
}

JsonObject contact_json(const PathContactResult& found) {
  JsonObject json;
  json.add("status", to_string(found.status)).add("time", found.time).add("lower", found.lower);
  const bool contact = found.status == Status::Contact || found.status == Status::OverlapAtStart;
  if (contact) {
    json.add("link_a", found.link_a).add("link_b", found.link_b).add("with_scene", found.with_scene);
    if (found.inside != Inside::None) json.add("inside", to_string(found.inside));
    json.add("distance", found.distance);
    json.add("point_a", found.contact.point_a)
        .add("point_b", found.contact.point_b)
        .add("normal", found.contact.normal);
  }
  return json.add("microseconds", found.microseconds);
}

// The evidence beside the answer.
PathContactResult certified(const RobotArguments& arguments, const RobotInScene& robot,
                            const JointPath& path) {
  CertifyPathOptions options;
  options.minimum_distance = arguments.minimum_distance;
  options.threads = arguments.threads;
  options.stop = {.token = interrupt_token(), .seconds = arguments.seconds};
  const CertifiedPath found = certify_path(robot, path, options);
  if (found.contact.status == Status::Separated) {
    write_new_file(arguments.certificate, to_json(found.certificate), arguments.output.force);
    fmt::print(arguments.json ? stderr : stdout, "certificate: {} ({}, clearance {:.6g})\n",
               arguments.certificate, plural(found.certificate.pairs.size(), "pair"),
               found.certificate.clearance);
  }
  return found.contact;
}

int check_path(const RobotArguments& arguments, const RobotInScene& robot) {
  const InterruptScope interrupts;
  const JointPath path = path_of(arguments, robot.kinematics());
  const PathContactResult found = arguments.certificate.empty()
                                      ? path_contact(robot, path, contact_options(arguments))
                                      : certified(arguments, robot, path);
  if (found.status == Status::Failed) throw UsageError(found.failure);
  const std::vector<std::string> remarks = beyond_limits(robot, path);
  if (arguments.json) {
    print_json(contact_json(found).add("remarks", json_list(remarks)).add("stats", stats_json(found.stats)));
  } else {
    fmt::print("{}\n", sentence(found));
    for (const std::string& remark : remarks) fmt::print("Note: {}.\n", remark);
  }
  if (arguments.output.wanted()) {
    write_outputs(arguments.output,
                  path_contact_report(robot.robot(), robot.scene(), path, found,
                                      clearance_samples(robot, path, report_times(path))),
                  arguments.json ? stderr : stdout);
  }
  return exit_code({.touches = touches(found.status), .interrupted = interrupted()}, arguments.check);
}

// Knows nothing of what found the path free. A certificate that does not hold ends with 1.
int verify(const RobotArguments& arguments, const LoadedRobot& loaded) {
  const InterruptScope interrupts;
  const Kinematics kinematics = expected(Kinematics::build(loaded.body));
  const JointPath path = path_of(arguments, kinematics);
  const PathCertificate certificate = expected(read_certificate(arguments.certificate));
  VerifyCertificateOptions options;
  options.allowed = loaded.allowed;
  options.self_contact = !arguments.no_self;
  options.minimum_distance = arguments.minimum_distance;
  options.threads = arguments.threads;
  options.stop = {.token = interrupt_token(), .seconds = arguments.seconds};
  const CertificateCheck found = verify_certificate(loaded.body, loaded.scene, path, certificate, options);
  if (arguments.json) {
    print_json(JsonObject()
                   .add("valid", found.valid)
                   .add("reason", found.reason)
                   .add("clearance", found.clearance)
                   .add("pairs", found.pairs)
                   .add("spans", found.spans)
                   .add("distances", found.distances)
                   .add("microseconds", found.microseconds));
  } else if (found.valid) {
    fmt::print("The certificate holds: {} stay apart by at least {:.6g} all the way ({}, {}).\n",
               plural(static_cast<std::size_t>(found.pairs), "pair"), found.clearance,
               plural(static_cast<std::size_t>(found.distances), "distance"),
               duration_text(1e-6 * found.microseconds));
  } else {
    fmt::print("The certificate does not hold: {}.\n", found.reason);
  }
  return interrupted() ? 130 : (found.valid ? 0 : 1);
}

int check_edges(const RobotArguments& arguments, const RobotInScene& robot) {
  const InterruptScope interrupts;
  const std::vector<JointEdge> edges = edges_of(arguments, robot);
  const std::vector<PathContactResult> found = edge_contacts(robot, edges, contact_options(arguments));
  std::size_t contacts = 0, unproven = 0;
  double total = 0.0, slowest = 0.0;
  for (const PathContactResult& edge : found) {
    if (edge.status == Status::Failed) throw UsageError(edge.failure);
    contacts += edge.status == Status::Contact || edge.status == Status::OverlapAtStart ? 1 : 0;
    unproven += edge.status == Status::OutOfBudget ? 1 : 0;
    total += edge.microseconds;
    slowest = std::max(slowest, edge.microseconds);
  }
  const double mean = total / static_cast<double>(found.size());
  if (arguments.json) {
    JsonList list;
    for (const PathContactResult& edge : found) {
      JsonObject json;
      json.add("status", to_string(edge.status)).add("time", edge.time);
      json.add("link_a", edge.link_a).add("link_b", edge.link_b).add("microseconds", edge.microseconds);
      list.add(json);
    }
    JsonObject summary;
    summary.add("edges", found.size()).add("contacts", contacts).add("unproven", unproven);
    summary.add("mean_microseconds", mean).add("slowest_microseconds", slowest);
    print_json(JsonObject().add("edges", list).add("summary", summary));
  } else {
    for (std::size_t i = 0; i < found.size(); ++i) fmt::print("edge {}: {}\n", i, sentence(found[i]));
    fmt::print("{}: {} free, {} with a contact, {} not proven; {} per edge, the slowest {}.\n",
               plural(found.size(), "edge"), found.size() - contacts - unproven, contacts, unproven,
               duration_text(1e-6 * mean), duration_text(1e-6 * slowest));
  }
  return exit_code({.touches = contacts + unproven > 0, .interrupted = interrupted()}, arguments.check);
}

int tell_clearance(const RobotArguments& arguments, const RobotInScene& robot) {
  const InterruptScope interrupts;
  const JointPath path = path_of(arguments, robot.kinematics());
  PathClearanceOptions options;
  options.tolerance = arguments.tolerance;
  options.bands = arguments.bands;
  options.stop = {.token = interrupt_token(), .seconds = arguments.seconds};
  const PathClearanceResult found = path_clearance(robot, path, options);
  if (found.status == Status::Failed) throw UsageError(found.failure);
  if (arguments.json) {
    JsonObject json;
    json.add("status", to_string(found.status)).add("time", found.time);
    json.add("distance", found.distance).add("lower_distance", found.lower_distance);
    json.add("link_a", found.link_a).add("link_b", found.link_b).add("with_scene", found.with_scene);
    json.add("point_a", found.contact.point_a)
        .add("point_b", found.contact.point_b)
        .add("normal", found.contact.normal);
    JsonList bands;
    for (const ClearanceBand& band : found.bands) {
      bands.add(JsonObject()
                    .add("begin", band.begin)
                    .add("end", band.end)
                    .add("lower", band.lower)
                    .add("upper", band.upper));
    }
    json.add("bands", bands)
        .add("microseconds", found.microseconds)
        .add("remarks", json_list(beyond_limits(robot, path)));
    print_json(json.add("stats", stats_json(found.stats)));
  } else {
    fmt::print("{}\n", sentence(found));
    for (const ClearanceBand& band : found.bands)
      fmt::print("  from {:.3f} to {:.3f}: between {:.6g} and {:.6g}\n", band.begin, band.end, band.lower,
                 band.upper);
    for (const std::string& remark : beyond_limits(robot, path)) fmt::print("Note: {}.\n", remark);
  }
  if (arguments.output.wanted()) {
    write_outputs(arguments.output,
                  path_clearance_report(robot.robot(), robot.scene(), path, found,
                                        clearance_samples(robot, path, report_times(path))),
                  arguments.json ? stderr : stdout);
  }
  return exit_code({.touches = touches(found.status), .interrupted = interrupted()}, arguments.check);
}

// Which of its links can touch each other, and what the SRDF says of them.
int tell_pairs(const RobotArguments& arguments, const LoadedRobot& loaded) {
  const InterruptScope interrupts;
  RobotPairsOptions options;
  options.threads = arguments.threads;
  options.budget = arguments.budget;
  options.stop = {.token = interrupt_token(), .seconds = arguments.seconds};
  const RobotPairsResult found = robot_pairs(loaded.body, options);
  if (!found.failure.empty()) throw UsageError(found.failure);
  const auto is_allowed = [&](const LinkPair& pair) {
    return std::any_of(loaded.allowed.begin(), loaded.allowed.end(), [&](const AllowedPair& known) {
      return (known.a == pair.a && known.b == pair.b) || (known.a == pair.b && known.b == pair.a);
    });
  };
  JsonList list;
  std::size_t doubtful = 0;
  for (const LinkPair& pair : found.pairs) {
    const bool allowed = is_allowed(pair);
    const bool doubt = allowed && pair.kind == PairKind::Sometimes;
    doubtful += doubt ? 1 : 0;
    if (arguments.json) {
      JsonObject json;
      json.add("a", pair.a).add("b", pair.b).add("kind", to_string(pair.kind));
      json.add("variables", json_list(pair.variables)).add("clearance", pair.clearance);
      JsonList apart, touching;
      for (const double value : pair.apart) apart.add(value);
      for (const double value : pair.touching) touching.add(value);
      json.add("apart", apart).add("touching", touching).add("cells", pair.cells).add("allowed", allowed);
      list.add(json);
      continue;
    }
    fmt::print("{} and {}: {}{}{}\n", pair.a, pair.b, to_string(pair.kind),
               pair.kind == PairKind::AlwaysApart ? fmt::format(" by at least {:.6g}", pair.clearance) : "",
               allowed ? (doubt ? ", but allowed" : ", allowed") : "");
  }
  if (arguments.json) {
    print_json(JsonObject().add("pairs", list).add("microseconds", found.microseconds));
  } else {
    fmt::print("{} in {}.\n", plural(found.pairs.size(), "pair"), duration_text(1e-6 * found.microseconds));
    if (doubtful > 0)
      fmt::print("Note: the SRDF allows {} that can touch without being adjacent.\n",
                 plural(doubtful, "pair"));
  }
  return exit_code({.touches = doubtful > 0, .interrupted = interrupted()}, arguments.check);
}

int run_robot(const RobotArguments& arguments) {
  if (arguments.question == "pairs") {
    if (!(arguments.path.empty() && arguments.edges.empty() && arguments.scene.empty() &&
          arguments.certificate.empty()))
      throw UsageError("pairs takes the robot and its SRDF, no scene and no path");
    if (arguments.output.wanted()) throw UsageError("pairs has no report");
    return tell_pairs(arguments, load(arguments));
  }
  if (arguments.path.empty() == arguments.edges.empty())
    throw UsageError("expected --path FILE with way-points, or --edges FILE with an edge a line");
  const bool edges = !arguments.edges.empty(), verifies = arguments.question == "verify";
  if (edges && arguments.question != "check")
    throw UsageError(arguments.question + " takes --path, not --edges");
  if (edges && arguments.output.wanted()) throw UsageError("a report shows one path: use --path");
  if (edges &&
      !(arguments.certificate.empty() && arguments.velocities.empty() && arguments.accelerations.empty()))
    throw UsageError("--certificate, --velocities and --accelerations go with --path, not with --edges");
  if (verifies && arguments.certificate.empty()) throw UsageError("verify needs --certificate FILE");
  if (verifies && arguments.output.wanted()) throw UsageError("verify has no report");
  if (arguments.question == "clearance" && !arguments.certificate.empty())
    throw UsageError("--certificate goes with check, which writes it, and with verify, which reads it");
  if (!arguments.certificate.empty() && arguments.any)
    throw UsageError("--any looks for a contact, --certificate proves that there is none: use one of them");
  if (!arguments.certificate.empty() && !verifies)
    refuse_output(arguments.certificate, arguments.output.force, arguments.output.inputs);
  const LoadedRobot loaded = load(arguments);
  if (verifies) return verify(arguments, loaded);
  RobotInScene robot = robot_of(arguments, loaded);
  if (edges && arguments.tables) robot = with_pair_tables(robot, {.threads = arguments.threads});
  if (arguments.question == "clearance") return tell_clearance(arguments, robot);
  return edges ? check_edges(arguments, robot) : check_path(arguments, robot);
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
           "check: is the path free; clearance: how close it comes; pairs: which links can touch; verify: "
           "does a certificate hold",
       .required = true,
       .choices = {"check", "clearance", "pairs", "verify"}},
      {.names = "ROBOT", .target = &arguments->robot, .help = "The robot (URDF)", .required = true},
      {.names = "--srdf",
       .target = &arguments->srdf,
       .help = "Which of its links may touch (SRDF)",
       .value = "FILE"},
      {.names = "--scene",
       .target = &arguments->scene,
       .help = "What stands around it: a planning scene (YAML), a list, or a mesh",
       .value = "FILE"},
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
      {.names = "--tolerance",
       .target = &arguments->tolerance,
       .help = "How close counts as touching; of clearance: how close to the truth",
       .least = 0.0},
      {.names = "--bands",
       .target = &arguments->bands,
       .help = "Of clearance: proven bounds in this many parts of the path",
       .least = 0.0,
       .most = 1e6},
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
  add_report_options(arguments->output, command, [arguments] {
    return std::vector<std::string>{arguments->robot,        arguments->srdf,  arguments->scene,
                                    arguments->path,         arguments->edges, arguments->velocities,
                                    arguments->accelerations};
  });
  command.footer =
      "Values are in the order of the URDF's joints, without fixed ones and mimics; files of numpy will do, "
      "too.\n"
      "Links with one joint between them may touch; links without any are one body.\n"
      "Examples:\n"
      "  toccata robot check arm.urdf --srdf arm.srdf --scene room.yaml --path path.txt\n"
      "  toccata robot check arm.urdf --scene room.yaml --edges edges.txt --json\n"
      "  toccata robot clearance arm.urdf --path path.txt --bands 10\n"
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
