// Robots, scenes and paths from files, for the questions of `toccata robot`.
#ifdef TOCCATA_WITH_URDF
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "body_argument.hpp"
#include "ending.hpp"
#include "load_mesh.hpp"
#include "number_rows.hpp"
#include "pose_argument.hpp"
#include "robot_arguments.hpp"
#include "toccata/ccd/articulated/path_clearance.hpp"
#include "toccata/io/robot_report.hpp"
#include "toccata/io/scene_io.hpp"
#include "toccata/io/sentence.hpp"
#include "toccata/motion/joined_path.hpp"

namespace toccata::app {
namespace {

template <typename Value>
Value expected(Expected<Value> value) {
  if (!value) throw UsageError(value.error().message);
  return std::move(*value);
}

// "LINK SHAPE [POSE] [touches LINK,LINK...]": "hand box:0.1,0.1,0.2 '0 0 0.1' touches finger".
AttachedObject held_thing(const std::string& text) {
  std::istringstream words(text);
  AttachedObject held;
  std::string shape, rest, word;
  words >> held.link >> shape;
  if (shape.empty())
    throw UsageError("--hold '" + text + "': expected LINK SHAPE [POSE] [touches LINK,LINK...]");
  while (words >> word && word != "touches") rest += word + ' ';
  if (word == "touches") {
    std::string links, link;
    while (words >> link) links += link + ',';
    std::istringstream names(links);
    while (std::getline(names, link, ',')) {
      if (!link.empty()) held.touch_links.push_back(link);
    }
    if (held.touch_links.empty()) throw UsageError("--hold '" + text + "': expected links after 'touches'");
  }
  held.name = shape;
  const Pose pose = rest.empty() ? Pose() : parse_place(rest, "--hold", "wxyz");
  held.shapes.push_back({load_bodies(shape, shape).first.shape.geometry(), pose});
  return held;
}

// "NAME DISTANCE" or "NAME,NAME DISTANCE"; what is named must be there.
void add_padding(const std::string& text, const LoadedRobot& loaded, RobotOptions& options) {
  const std::size_t space = text.find_last_of(" \t");
  const std::string names = text.substr(0, space == std::string::npos ? 0 : space);
  double distance = -1.0;
  if (space != std::string::npos) {
    const char *begin = text.data() + space + 1, *end = text.data() + text.size();
    if (std::from_chars(begin, end, distance).ptr != end) distance = -1.0;
  }
  if (names.empty() || !(distance >= 0.0))
    throw UsageError("--padding-of '" + text + "': expected NAME DISTANCE or NAME,NAME DISTANCE");
  const std::size_t comma = names.find(',');
  const std::string first = names.substr(0, comma);
  const std::string second = comma == std::string::npos ? "" : names.substr(comma + 1);
  const auto is_there = [&](const std::string& name) {
    const auto has_name = [&](const auto& thing) { return thing.name == name; };
    return std::any_of(loaded.body.links.begin(), loaded.body.links.end(), has_name) ||
           std::any_of(loaded.scene.obstacles.begin(), loaded.scene.obstacles.end(), has_name) ||
           std::any_of(loaded.scene.attached.begin(), loaded.scene.attached.end(), has_name);
  };
  for (const std::string& name : {first, second}) {
    if (!name.empty() && !is_there(name))
      throw UsageError("--padding-of '" + text + "': there is no link and no obstacle '" + name + "'");
  }
  if (second.empty()) {
    options.paddings.push_back({first, distance});
  } else {
    options.pair_paddings.push_back({first, second, distance});
  }
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
JointPath path_in(const std::string& file, const RobotArguments& arguments, const Kinematics& robot) {
  const std::size_t width = robot.variables().size();
  const std::vector<NumberRow> rows = value_rows(file, robot, 1);
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
  if (!path) throw UsageError(file + ": " + path.error().message);
  return std::move(*path);
}

}  // namespace

LoadedRobot load_robot(const RobotArguments& arguments) {
  LoadRobotOptions loading;
  std::istringstream folders(arguments.package_path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (!folder.empty()) loading.package_path.push_back(folder);
  }
  loading.importer = load_any_mesh;
  LoadedRobot loaded;
  if (arguments.robot.ends_with(".yaml") || arguments.robot.ends_with(".yml")) {
    if (!arguments.srdf.empty())
      throw UsageError("--srdf speaks of one robot: name it in " + arguments.robot + ", beside its urdf");
    loaded.cell = expected(load_robot_cell(arguments.robot, loading));
    loaded.body = expected(joined_robots(loaded.cell.robots));
    loaded.allowed = loaded.cell.allowed;
  } else {
    loaded.body = expected(load_urdf(arguments.robot, loading));
    if (!arguments.srdf.empty()) loaded.allowed = expected(load_srdf(arguments.srdf, loaded.body)).allowed;
  }
  if (!arguments.scene.empty()) loaded.scene = expected(load_scene(arguments.scene, loading));
  for (const std::string& text : arguments.hold) {
    AttachedObject held = held_thing(text);
    for (const AttachedObject& other : loaded.scene.attached) {
      if (other.name == held.name) held.name += " " + std::to_string(loaded.scene.attached.size() + 1);
    }
    loaded.scene.attached.push_back(std::move(held));
  }
  return loaded;
}

RobotInScene robot_of(const RobotArguments& arguments, const LoadedRobot& loaded) {
  RobotOptions options;
  options.self_contact = !arguments.no_self;
  options.padding = arguments.padding;
  options.allowed = loaded.allowed;
  for (const std::string& text : arguments.paddings) add_padding(text, loaded, options);
  return expected(RobotInScene::build(loaded.body, loaded.scene, options));
}

bool has_path(const RobotArguments& arguments, const LoadedRobot& loaded) {
  const std::vector<std::string>& own = loaded.cell.path_files;
  return !arguments.path.empty() ||
         (!own.empty() &&
          std::none_of(own.begin(), own.end(), [](const auto& file) { return file.empty(); }));
}

JointPath path_of(const RobotArguments& arguments, const LoadedRobot& loaded) {
  if (!arguments.path.empty())
    return path_in(arguments.path, arguments, expected(Kinematics::build(loaded.body)));
  if (!(arguments.velocities.empty() && arguments.accelerations.empty()))
    throw UsageError("--velocities and --accelerations go with --path");
  std::vector<JointPath> paths;
  for (std::size_t i = 0; i < loaded.cell.robots.size(); ++i)
    paths.push_back(path_in(loaded.cell.path_files[i], arguments,
                            expected(Kinematics::build(loaded.cell.robots[i].body))));
  return expected(joined_path(loaded.cell.robots, paths));
}

std::vector<std::vector<double>> edge_rows(const std::string& path, const Kinematics& robot) {
  std::vector<std::vector<double>> rows;
  for (NumberRow& row : value_rows(path, robot, 2)) rows.push_back(std::move(row.numbers));
  return rows;
}

std::vector<std::string> beyond_limits(const Kinematics& robot, const JointPath& path) {
  std::vector<std::string> remarks;
  for (const double t : path.times()) {
    std::string remark = robot.beyond_limits(path.values(t));
    if (!remark.empty() && std::find(remarks.begin(), remarks.end(), remark) == remarks.end())
      remarks.push_back(std::move(remark));
  }
  return remarks;
}

PathQuestion::PathQuestion(const RobotArguments& arguments, const LoadedRobot& loaded)
    : arguments_(arguments),
      robot_(robot_of(arguments, loaded)),
      path_(path_of(arguments, loaded)),
      remarks_(beyond_limits(robot_.kinematics(), path_)) {}

Stop PathQuestion::stop() const {
  return {.token = interrupt_token(), .seconds = arguments_.seconds};
}

void PathQuestion::print_remarks() const {
  for (const std::string& remark : remarks_) fmt::print("Note: {}.\n", remark);
}

int PathQuestion::ended(Status status, const ReportMaker& report) const {
  if (arguments_.output.wanted())
    write_outputs(arguments_.output, report(clearance_samples(robot_, path_, report_times(path_))),
                  arguments_.json ? stderr : stdout);
  return exit_code({.touches = touches(status), .interrupted = interrupted()}, arguments_.check);
}

JsonList json_list(const std::vector<std::string>& texts) {
  JsonList list;
  for (const std::string& text : texts) list.add(text);
  return list;
}

bool touches(Status status) {
  return status != Status::Separated;
}

}  // namespace toccata::app
#endif
