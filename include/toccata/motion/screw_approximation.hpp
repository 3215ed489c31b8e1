#pragma once
// Any rigid motion as a sequence of screws, within a proven distance.
//
// After Kim and Rossignac: between two poses of the motion the screw through them is compared with the
// motion; their discrepancy is an affine map of the body's points at every time, so over a body it is largest
// at a corner of a box around it. Here the discrepancy is bounded between samples as well, by the
// acceleration bounds of both motions, so the stated error holds for all times.
#include <vector>

#include "toccata/motion/rigid_motion.hpp"

namespace toccata {

// The screw through the poses of a motion at two times.
struct ScrewFit {
  ScrewMotion screw;  // its t in [0, 1] runs over the span
  double error;       // proven upper bound of the distance to the motion, over the box and the whole span
};

// precondition: begin <= end, no breakpoint of the motion strictly between them. lower, upper: a box around
// the body, in body coordinates. About thirty poses and expansions.
ScrewFit fit_screw(const Motion& motion, const Vector3& lower, const Vector3& upper, double begin,
                   double end);

struct ScrewApproximationOptions {
  double tolerance = 1e-3;  // largest distance a point of the box may be from where the motion takes it
  int most_segments = 4096;
};

struct ScrewApproximation {
  std::vector<TimedPose> poses;   // the screws run from each to the next
  double error = 0.0;             // proven upper bound, over the box and all times
  bool within_tolerance = false;  // false: the limit on segments was reached first

  PiecewiseMotion motion() const { return PiecewiseMotion(poses, Interpolation::Screw); }
};

// lower, upper: a box around the body, in body coordinates.
ScrewApproximation approximate_by_screws(const Motion& motion, const Vector3& lower, const Vector3& upper,
                                         const ScrewApproximationOptions& options = {});

}  // namespace toccata
