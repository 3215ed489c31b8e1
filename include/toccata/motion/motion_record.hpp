#pragma once
// A motion as plain data, both ways: what a report holds, and what can be asked again.
//
//   const MotionRecord record = record_of(*body.motion);
//   const Expected<OwnedMotion> again = motion_of(record);   // the same pose at every t, to the last bit
#include <variant>
#include <vector>

#include "toccata/base/expected.hpp"
#include "toccata/base/pose.hpp"
#include "toccata/motion/owned_motion.hpp"

namespace toccata {

// Each evaluates as written here, so that a reader of the record finds the pose that the query used. The
// numbers are those that the motion itself keeps: nothing is converted on the way.

struct FixedMotionRecord {
  Pose pose = {};
};

// R(t) = exp(t [angular_velocity]) R(0); the reference point moves straight by `displacement`.
struct LinearMotionRecord {
  Pose from = {};
  Vector3 reference = Vector3::Zero();         // in the body's frame
  Vector3 displacement = Vector3::Zero();      // of the reference point over the whole motion, world frame
  Vector3 angular_velocity = Vector3::Zero();  // axis times radians over the whole motion, world frame
};

// A turn about a fixed axis with an advance along it, both proportional to t.
struct ScrewMotionRecord {
  Pose from = {};
  Vector3 axis = Vector3::UnitZ();  // unit, world frame
  double angle = 0.0;               // radians over the whole motion; may exceed a turn
  Vector3 velocity =
      Vector3::Zero();  // of the body's origin at t = 0: its part along the axis is the advance
};

// Poses at given times, of motions with no closed form here: samples, between which a reader interpolates.
struct SampledMotionRecord {
  std::vector<double> times;
  std::vector<Pose> poses;
};

using MotionSegmentRecord = std::variant<FixedMotionRecord, LinearMotionRecord, ScrewMotionRecord>;

// segments[i] runs from times[i] to times[i + 1]; each has its own time from 0 to 1.
struct PiecewiseMotionRecord {
  std::vector<double> times;
  std::vector<MotionSegmentRecord> segments;
};

using MotionRecord = std::variant<FixedMotionRecord, LinearMotionRecord, ScrewMotionRecord,
                                  SampledMotionRecord, PiecewiseMotionRecord>;

// Exact for bodies at rest and for rigid, screw and piecewise motions; any other by `samples` + 1 poses and
// those at its breakpoints.
MotionRecord record_of(const Motion& motion, int samples = 128);

// The motion of a record. Exact, bit by bit in every pose, for what record_of writes exactly; samples are
// joined by straight motions, which is an interpolation and not the motion they were taken of. The error
// says which field is wrong: not finite, not a rotation, not a unit axis, times that do not run from 0 to 1,
// segments that do not join.
Expected<OwnedMotion> motion_of(const MotionRecord& record);

}  // namespace toccata
