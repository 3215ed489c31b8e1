#pragma once
// What `toccata robot` is asked, and what its questions share: files, paths, remarks. Each question has a
// file of its own.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "interrupt.hpp"
#include "json_text.hpp"
#include "report_options.hpp"
#include "toccata/ccd/articulated/robot_in_scene.hpp"
#include "toccata/io/report.hpp"
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
  std::vector<std::string> paddings;
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

// What questions about one path have in common: it is asked until Ctrl-C, and ends with remarks, a report
// where one is wanted, and the exit code.
class PathQuestion {
 public:
  PathQuestion(const RobotArguments& arguments, const LoadedRobot& loaded);

  const RobotInScene& robot() const { return robot_; }
  const JointPath& path() const { return path_; }
  Stop stop() const;
  const std::vector<std::string>& remarks() const { return remarks_; }
  void print_remarks() const;
  // `report`: of the robot, the scene, the path and the distances at report_times.
  using ReportMaker = std::function<Report(const std::vector<double>& distances)>;
  int ended(Status status, const ReportMaker& report) const;

 private:
  const RobotArguments& arguments_;
  InterruptScope interrupts_;
  RobotInScene robot_;
  JointPath path_;
  std::vector<std::string> remarks_;
};

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
