#pragma once
// A motion as people type it: from pose to pose, by a turn and a displacement, or along a file of poses.
//
// Rotation vectors mean that turn: from "0 0 0 0 0 0" to "0 0 0 0 0 190" the body turns by 190 degrees, and
// to 360 by a whole turn. Where both ends are rotation vectors about one axis, the turn is their difference.
// Where they are not (two axes, or a quaternion or matrix at one end), the way between them is the shorter
// rotation, and a rotation vector of 180 degrees or more, whose way that would not be, is an error.
#include <string>
#include <vector>

#include "command.hpp"
#include "json_text.hpp"
#include "toccata/motion/motion_record.hpp"
#include "toccata/motion/owned_motion.hpp"

namespace toccata::app {

// What was typed of one body.
struct MotionArguments {
  std::string suffix;  // of the options' names: "" of A, "-b" of B
  std::string from = {}, to = {}, turn = {}, velocity = {}, path = {};

  bool moves() const { return !(to.empty() && turn.empty() && velocity.empty() && path.empty()); }
  // The name of an option that was given, or empty.
  std::string first_given() const;
};

// How all of them are read.
struct MotionReading {
  bool screw = false;               // --motion screw
  std::string quaternion = "wxyz";  // --quaternion
};

// Declares --from, --to, --turn, --velocity and --path, with the suffix.
void add_motion_options(MotionArguments& arguments, const std::string& body, Command& command);

// Stands still at --from, or at the identity, if nothing else was given. Throws UsageError.
OwnedMotion motion_of_arguments(const MotionArguments& arguments, const MotionReading& reading);

// Between two poses, along the shorter rotation.
OwnedMotion motion_between(const Pose& from, const Pose& to, bool screw);

// "linear, turning by 190 degrees about 0 0 1".
std::string motion_text(const MotionRecord& motion);
JsonObject motion_json(const MotionRecord& motion);

}  // namespace toccata::app
