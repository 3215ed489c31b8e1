#pragma once
// What stands around a robot, from a file. Component Toccata::urdf.
//
//   NAME.yaml, .yml   MoveIt's planning scene: collision objects (boxes, cylinders, spheres, cones, planes,
//                     meshes), attached objects, the allowed-collision matrix
//   a mesh file       one obstacle, where it is
//   anything else     a list, one obstacle a line, # starts a remark: `box SX SY SZ`, `cyl LENGTH RADIUS`
//                     (axis z), `ball RADIUS` or `mesh FILE`, and then `X Y Z QX QY QZ QW`
#include <string>
#include <string_view>

#include "toccata/base/expected.hpp"
#include "toccata/geometry/obstacle_scene.hpp"
#include "toccata/io/robot_io.hpp"

namespace toccata {

// Of the options, package_path serves meshes that a planning scene names by package://.
Expected<ObstacleScene> load_scene(const std::string& path, const LoadRobotOptions& options = {});

// From memory; `name` stands for the file in errors.
Expected<ObstacleScene> parse_scene_yaml(std::string_view content, const std::string& name = "scene.yaml",
                                         const LoadRobotOptions& options = {});
Expected<ObstacleScene> parse_scene_list(std::string_view content, const std::string& name = "scene.txt",
                                         const LoadRobotOptions& options = {});

}  // namespace toccata
