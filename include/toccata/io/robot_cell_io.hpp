#pragma once
// Several robots in one scene, from a YAML file. Component Toccata::urdf.
//
//   robots:
//     - name: left
//       urdf: arm.urdf                    # beside this file, or a whole path
//       srdf: arm.srdf                    # may be left out, as all that follows
//       position: [0, 0.5, 0]
//       orientation: [0, 0, 0, 1]         # a quaternion x, y, z, w
//       path: left.txt                    # its way-points, for the command line
//     - name: right
//       urdf: arm.urdf
#include <string>
#include <string_view>
#include <vector>

#include "toccata/base/expected.hpp"
#include "toccata/geometry/joined_robots.hpp"
#include "toccata/io/robot_io.hpp"

namespace toccata {

struct RobotCell {
  std::vector<PlacedRobot> robots = {};
  std::vector<AllowedPair> allowed = {};     // what their SRDFs say, by the names of joined_robots
  std::vector<std::string> path_files = {};  // of each robot; empty where none is given
};

// Errors name the file and the line, or the robot.
Expected<RobotCell> load_robot_cell(const std::string& path, const LoadRobotOptions& options = {});
// From memory; `name` stands for the file in errors, and files are looked for in its folder.
Expected<RobotCell> parse_robot_cell(std::string_view content, const std::string& name = "cell.yaml",
                                     const LoadRobotOptions& options = {});

}  // namespace toccata
