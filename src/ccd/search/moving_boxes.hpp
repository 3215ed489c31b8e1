#pragma once
// Two boxes in motion, along their separating axes: what a cast of them answers, and which corners touch.
#include "ccd/search/touching_corners.hpp"

namespace toccata::search {

struct BoxAxis {
  Vector3 normal = Vector3::Zero();  // unit, from a to b; zero if there is none
  int edge_a = -1;                   // across these two; the normal of a face where the other is -1
  int edge_b = -1;
};

// The axes by number: faces of b, faces of a, then the product of edge i of a and edge j of b as 6 + 3 i + j.
// The normal is zero where edges are parallel.
BoxAxis box_axis(int number, const Pose& a_to_b);

// The corners that touch first along such an axis, at the pose at which they (nearly) do; not known where
// edges or faces are parallel.
TouchingCorners corners_along(const Vector3& half_a, const Vector3& half_b, const Pose& a_to_b,
                              const BoxAxis& axis);

// The nearest points of two boxes that are apart along the axis of that number, where they are on its
// features, as an answer with its upper end and `lower` as it is given. False where they are not, or edges or
// faces are parallel.
bool touching_boxes(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b, int number, double lower,
                    convex::ConvexDistance& nearest);

struct BoxesAnswer {
  enum class Ending { Free, Contact, Unfinished };
  Ending ending = Ending::Unfinished;
  double time = 0.0;  // of the pair: proven apart until then. Contact: seen nearer than the target there
  int steps = 0;
  // Of a contact: along which axis of box_axis() they are apart, how far at least, and where a is then, in
  // the coordinates of b, as right as `error`.
  int axis = 0;
  double gap = 0.0;
  Pose a_to_b;
  double error = 0.0;
  double upper = 1.0;  // of the pair, too: they overlap at that time; 1 where no look showed it
};

}  // namespace toccata::search
