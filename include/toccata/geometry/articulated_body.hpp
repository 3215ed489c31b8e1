#pragma once
// A robot as plain data: links with their shapes, held together by joints to one tree.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "toccata/geometry/geometry.hpp"

namespace toccata {

enum class JointKind {
  Fixed,       // no variable
  Revolute,    // turns about the axis: radians, within limits
  Continuous,  // turns about the axis without limits
  Prismatic,   // slides along the axis, within limits
  Planar,      // three variables: slides along x and y, then turns about z, of the joint's frame
  Floating,    // seven variables: x, y, z, then a quaternion x, y, z, w, of any length but zero
};

std::string_view to_string(JointKind kind);
// How many numbers say where the joint stands: 0, 1, 3 or 7. Those of a mimic follow another joint's.
int variable_count(JointKind kind);

struct JointLimits {
  double lower = 0.0;  // radians, or the unit of length
  double upper = 0.0;
};

// value = multiplier * (value of that joint) + offset. The other may be a mimic, too, and may come later.
struct JointMimic {
  std::string joint;
  double multiplier = 1.0;
  double offset = 0.0;
};

struct Joint {
  std::string name;
  JointKind kind = JointKind::Fixed;
  std::string parent;  // names of links
  std::string child;
  Pose origin = {};                        // of the joint's and the child's frame in the parent's, at value 0
  Vector3 axis = Vector3::UnitX();         // in the joint's frame, of any length but zero
  std::optional<JointLimits> limits = {};  // revolute and prismatic joints need them; others have none
  std::optional<JointMimic> mimic = {};    // of joints with one variable
};

struct Link {
  std::string name;
  std::vector<CompoundPart> shapes = {};  // in the link's frame; none: the link cannot touch anything
  // Which robot it is part of, where there are several (joined_robots): links of two are never adjacent.
  std::string robot = {};
};

struct ArticulatedBody {
  std::string name;
  std::vector<Link> links = {};
  std::vector<Joint> joints = {};  // their order is the order of variables
};

// What keeps it from being one tree that can be moved, for a person, and at which link or joint; none if it
// is all right. A shape that is not all right is named with its link.
std::optional<std::string> failure_of(const ArticulatedBody& body);

// One of the numbers that say where the robot stands.
struct JointVariable {
  std::string name;         // of the joint; of planar and floating ones with "/x", "/y", ... behind it
  std::int32_t joint = -1;  // index in the body's joints
  std::int32_t part = 0;    // of the joint's variables
  std::optional<JointLimits> limits = {};
};

// Those of all joints that are neither fixed nor mimics, in the order of the joints.
std::vector<JointVariable> variables_of(const ArticulatedBody& body);

// The link that is no joint's child. precondition: nothing is wrong with the body
std::int32_t root_of(const ArticulatedBody& body);

}  // namespace toccata
