#pragma once
// What `toccata robot` is asked, and what its questions share: files, paths, remarks. Each question has a
// file of its own.
#include <optional>
#include <string>
#include <vector>

#include "json_text.hpp"
#include "report_options.hpp"
#include "toccata/ccd/articulated/robot_in_scene.hpp"
#include "toccata/io/robot_cell_io.hpp"

namespace toccata::app {

struct RobotArguments {
  std::string question, robot, srdf, scene, path, edges;
  std::string velocities, accelerations;
  std::string certificate;
  std::string package_path;
  std::vector<std::string> hold;
  bool any = false;
  std::string method = "advancement";
  bool as_given = false;
  bool no_self = false;
  bool tables = false;
  double minimum_distance = 0.0;
  std::optional<double> tolerance;
  double padding = 0.0;
  int bands = 0;
  bool pairs = false;
  double pair_limit = 0.0;
  std::int64_t budget = 2000;
  int threads = 0;
  double seconds = 0.0;
  bool json = false;
  bool check = false;
  ReportOptions output;
};

// What the files say.
struct LoadedRobot {
  ArticulatedBody body;
  ObstacleScene scene;
  std::vector<AllowedPair> allowed;
  RobotCell cell = {};  // of several robots; else empty
};

// Throw UsageError.
LoadedRobot load_robot(const RobotArguments& arguments);
RobotInScene robot_of(const RobotArguments& arguments, const LoadedRobot& loaded);
bool has_path(const RobotArguments& arguments, const LoadedRobot& loaded);
JointPath path_of(const RobotArguments& arguments, const LoadedRobot& loaded);

// Rows of the robot's variables, `per_row` times as many; of text or numpy.
std::vector<std::vector<double>> edge_rows(const std::string& path, const Kinematics& robot);

// Way-points beyond the limits are answered, but not in silence.
std::vector<std::string> beyond_limits(const Kinematics& robot, const JointPath& path);

JsonList json_list(const std::vector<std::string>& texts);
bool touches(Status status);

// One function per question; each returns the exit code.
int check_path(const RobotArguments& arguments, const LoadedRobot& loaded);
int check_edges(const RobotArguments& arguments, const LoadedRobot& loaded);
int tell_clearance(const RobotArguments& arguments, const LoadedRobot& loaded);
int tell_intervals(const RobotArguments& arguments, const LoadedRobot& loaded);
int tell_pairs(const RobotArguments& arguments, const LoadedRobot& loaded);
int verify_path(const RobotArguments& arguments, const LoadedRobot& loaded);

}  // namespace toccata::app
