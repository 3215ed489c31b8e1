#pragma once
// Two triangles of moving bodies at one time: how far apart, and how long they are proven to stay apart.
// Shared by the methods beside the default one.
#include <cstdint>
#include <span>

#include "ccd/search/search_question.hpp"
#include "toccata/elementary/triangle.hpp"
#include "toccata/motion/displacement_bound.hpp"

namespace toccata::search {

// Both bodies in the world at t, with their motion up to t_end.
struct PairAtTime {
  PairAtTime(const SearchQuestion& question, double t, double t_end);

  double t;
  double t_end;
  Pose pose_a;
  Pose pose_b;
  MotionExpansion motion_a;
  MotionExpansion motion_b;
  double padding;  // bounds how far any rounded world point of either body is from its true place, summed
};

// The smallest time up to which neither motion has a breakpoint after t; at most question.end.
double smooth_until(const SearchQuestion& question, double t);

struct TriangleAdvance {
  double distance = 0.0;  // at t, as computed
  double step = 0.0;      // apart by more than question.distance on [t, t + step]; infinite if always
};

TriangleAdvance triangle_advance(const SearchQuestion& question, const PairAtTime& at,
                                 std::int32_t triangle_a, std::int32_t triangle_b);

// The hull of some points (world), thickened.
struct ThickHull {
  std::span<const Vector3> points;
  double radius = 0.0;
};

// The step for two such sets that are `gap` apart along the unit direction from a to b: the better of the
// signed second-order bound and, for steady motions, C2A's Lemmas 1 and 2 with the arm taken to the rotation
// axis.
double directed_step(const PairAtTime& at, double gap, const Vector3& direction, const ThickHull& a,
                     const ThickHull& b);

Triangle triangle_at(const MovingShape& body, const Pose& pose, std::int32_t triangle);

}  // namespace toccata::search
