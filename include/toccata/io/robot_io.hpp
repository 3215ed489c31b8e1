#pragma once
// Robots from files: URDF (links, joints, shapes) and SRDF (which links may touch, groups, named states).
// Component Toccata::urdf.
//
// URDF: of each link the collision shapes (box, cylinder, sphere, capsule, mesh); what is only there for the
// eye is not looked at, so that its meshes may be missing. Errors name the file, the line, and the link or
// joint. Nothing is printed.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "toccata/base/expected.hpp"
#include "toccata/geometry/articulated_body.hpp"
#include "toccata/geometry/obstacle_scene.hpp"

namespace toccata {

struct LoadRobotOptions {
  // Where package://NAME/PATH is looked for: folders that hold the package NAME, or are it. After them the
  // robot's own folder and those above it are tried; where the whole path leads nowhere, PATH without its
  // first folders.
  std::vector<std::string> package_path = {};
  // Asked for meshes with an extension that is not built in, e.g. import_with_assimp; none = an error.
  Expected<TriangleMesh> (*importer)(const std::string& path) = nullptr;
};

// Valid as `failure_of` understands it.
Expected<ArticulatedBody> load_urdf(const std::string& path, const LoadRobotOptions& options = {});
// The same from memory; `name` stands for the file in errors, and its folder is where meshes are looked for.
Expected<ArticulatedBody> parse_urdf(std::string_view content, const std::string& name = "robot.urdf",
                                     const LoadRobotOptions& options = {});

struct JointGroup {
  std::string name;
  std::vector<std::string> joints;  // those that can move, in the order of the robot's joints
};

struct NamedJointValue {
  std::string joint;
  std::vector<double> values;
};

struct JointGroupState {
  std::string name;
  std::string group;
  std::vector<NamedJointValue> values;
};

// How the robot may stand in the world, which paths do not use: see with_virtual_joint.
struct VirtualJoint {
  std::string name;
  JointKind kind = JointKind::Fixed;
  std::string parent_frame;
  std::string child_link;
};

struct RobotSemantics {
  std::string name;
  std::vector<AllowedPair> allowed = {};  // disable_collisions, less enable_collisions
  std::vector<JointGroup> groups = {};
  std::vector<JointGroupState> states = {};
  std::vector<VirtualJoint> virtual_joints = {};
  std::vector<std::string> passive_joints = {};
  // Links and joints that the file speaks of and the robot does not have: what is said of them is left out.
  std::vector<std::string> unknown = {};
};

Expected<RobotSemantics> load_srdf(const std::string& path, const ArticulatedBody& body);
Expected<RobotSemantics> parse_srdf(std::string_view content, const ArticulatedBody& body,
                                    const std::string& name = "robot.srdf");

// The robot below a new root, the parent frame: its variables are then the first ones.
Expected<ArticulatedBody> with_virtual_joint(const ArticulatedBody& body, const VirtualJoint& joint);

}  // namespace toccata
