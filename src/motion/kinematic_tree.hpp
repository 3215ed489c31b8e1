#pragma once
// The joints of a robot as frames that turn or slide about their own z axis, parents before children; what
// does not move against its parent is part of it.
#include <cstdint>
#include <vector>

#include "toccata/base/pose.hpp"
#include "toccata/geometry/articulated_body.hpp"

namespace toccata {

enum class FrameKind : std::uint8_t {
  Turn,   // about z
  Slide,  // along z
  Ball,   // by a quaternion: four variables from `variable` on
};

struct MovingFrame {
  std::int32_t parent = -1;  // -1: the root's frame, which stands still
  FrameKind kind = FrameKind::Turn;
  std::int32_t variable = -1;
  double multiplier = 1.0;  // value = multiplier * variable + offset
  double offset = 0.0;
  Pose origin = {};  // in the parent's frame, at value 0
};

struct KinematicTree {
  std::vector<MovingFrame> frames;
  std::vector<std::int32_t> frame_of_link;  // -1: stands still
  std::vector<Pose> pose_in_frame;          // of each link
  std::vector<JointVariable> variables;
};

}  // namespace toccata
