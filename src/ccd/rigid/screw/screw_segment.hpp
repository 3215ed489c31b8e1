#pragma once
// A part of the relative motion of two bodies as one screw, in the frame of its axis.
//
// There the screw is plain: a point at distance r from the axis, at angle phi and height z goes to
// (r, phi + s angle, z + s slide), s in [0, 1]. So things that are bounded in r, phi and z meet like boxes
// under a translation, and the times at which they may meet come in closed form: the paper's rejection by
// annulus, height and angle, with a window of time for what is not rejected.
#include "toccata/elementary/triangle.hpp"
#include "toccata/motion/screw_approximation.hpp"

namespace toccata::screw {

struct ScrewSegment {
  double begin = 0.0;  // of the motion's time
  double end = 0.0;
  Pose a_to_axis;  // a's body coordinates at `begin` to the frame of the axis: z along it
  Pose b_to_axis;
  double angle = 0.0;  // >= 0; 0: straight, along z
  double slide = 0.0;  // along z
  double scale = 0.0;  // lengths that were rounded on the way
  double error = 0.0;  // points of a are this close to where the segment has them, rounding included
  double time_at(double s) const;  // rounded down
  double share_at(double t) const;
};

struct ScrewBodies {
  const Motion& relative;    // of a in b's coordinates
  Vector3 lower_a, upper_a;  // a's box, body coordinates
  double reach_a;            // |x| at most, body coordinates
  double reach_b;
};

ScrewSegment screw_segment(const ScrewBodies& bodies, double begin, double end);

// Where something is about the axis. Straight segments: x and y for radius and angle.
struct AxisBounds {
  double radius_low, radius_high;
  double angle_low, angle_high;  // any turn; a width of 2 pi or more: all around
  double height_low, height_high;
};

// s at which two things may meet: a's bounds at s = 0, b's always. Empty if begin > end.
struct MeetingWindow {
  double begin = 0.0;
  double end = 1.0;
  bool empty() const { return begin > end; }
};
MeetingWindow meeting_window(const ScrewSegment& segment, const AxisBounds& a, const AxisBounds& b);

// The convex set center + sum x_k axes.col(k), |x_k| <= half[k], grown by `margin`, moved by `pose`.
AxisBounds axis_bounds(const ScrewSegment& segment, const Pose& pose, const Vector3& center,
                       const Matrix3& axes, const Vector3& half, double margin);
// A ball, `center` in the frame of the axis.
AxisBounds axis_bounds(const ScrewSegment& segment, const Vector3& center, double radius);

// A triangle in the frame of the axis with the bounds of all its features, grown by a margin.
struct TriangleBounds {
  Triangle points;
  AxisBounds corner[3];
  AxisBounds edge[3];  // edge i from corner i to corner i + 1
  AxisBounds all;
};
TriangleBounds triangle_bounds(const ScrewSegment& segment, const Triangle& points, double margin);

}  // namespace toccata::screw
