#pragma once
// How far a point set of a moving body can get in a time `delta`, given how the body moves from t on.
//
// The set is the convex hull of some points thickened by a radius: a sphere (1 point), a line or rectangle
// swept sphere (2 or 4), a triangle (3 points, radius 0), a box (8 corners). C2A's Lemmas 1 and 2 are the
// first-order part; here the approach is signed (a set that recedes along the direction does not count), arms
// are taken to the rotation axis, and the second-order term tightens short intervals.
// All bounds are upper bounds including rounding. Points are in world coordinates at time t.
#include <span>

#include "toccata/motion/motion.hpp"

namespace toccata {

// |direction| must be 1 up to rounding. At least max over the set and over [0, delta] of
// direction . (x(t + s) - x(t)); never negative, since s = 0 counts.
double directed_displacement(const MotionExpansion& expansion, std::span<const Vector3> points, double radius,
                             const Vector3& direction, double delta);

// The same along each axis of the world, and against it.
struct AxisDisplacements {
  Vector3 forward = Vector3::Zero();
  Vector3 backward = Vector3::Zero();
};
AxisDisplacements axis_displacements(const MotionExpansion& expansion, std::span<const Vector3> points,
                                     double radius, double delta);

// At least max over the set and over [0, delta] of |x(t + s) - x(t)|.
double displacement(const MotionExpansion& expansion, std::span<const Vector3> points, double radius,
                    double delta);

// The first-order rate and second-order curvature of the same bound: directed displacement over s <= delta is
// at most max(0, rate s + curvature s^2 / 2). The rate is signed.
struct DisplacementRate {
  double rate = 0.0;
  double curvature = 0.0;
};
DisplacementRate directed_rate(const MotionExpansion& expansion, std::span<const Vector3> points,
                               double radius, const Vector3& direction);

// The largest step for which rate s + curvature s^2 / 2 <= gap, rounded down; infinite if none binds.
double conservative_step(double gap, double rate, double curvature);

}  // namespace toccata
