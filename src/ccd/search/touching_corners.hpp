#pragma once
// The corners of two polytopes that are about to touch: three pairs whose differences span the nearest face
// of the Minkowski difference. They tell when and along which direction the face meets the origin, where the
// nearest points are just before, and that the sets overlap just after. All but the last is a hint.
#include <array>

#include "proximity/convex/convex_distance.hpp"

namespace toccata::search {

struct TouchingCorners {
  bool are_known = false;
  std::array<Vector3, 3> of_a;  // in the coordinates of their own set
  std::array<Vector3, 3> of_b;
  std::array<std::int32_t, 3> vertex_a;
  std::array<std::int32_t, 3> vertex_b;

  enum class Kind { FaceOfA, FaceOfB, Edges, Other };
  Kind kind() const;
};

// Of the features of an answer; not known where fewer than three pairs carry it, or a set is curved or
// placed.
TouchingCorners touching_corners(const ConvexSet& a, const ConvexSet& b,
                                 const convex::ConvexFeatures& features);

// The plane of the three differences, in b's coordinates.
struct TouchingPlane {
  Vector3 normal = Vector3::Zero();  // unit, on the side that `towards` points to; zero if there is none
  double gap = 0.0;                  // of the origin from it, along the normal
  double area = 0.0;                 // of the parallelogram of two sides
  double sides = 0.0;                // the product of their lengths
};
TouchingPlane touching_plane(const TouchingCorners& corners, const Pose& a_to_b, const Vector3& towards);

// The nearest points as an answer, with its upper end and `lower` as it is given: where the origin is beside
// the triangle, false.
bool touching_points(const ConvexSet& a, const ConvexSet& b, const TouchingCorners& corners,
                     const Pose& a_to_b, const TouchingPlane& plane, double lower,
                     convex::ConvexDistance& nearest);

// Do the sets stay in touch even if one is displaced by `margin`? Only a yes is a proof. a_to_b is taken as
// it is, `direction` leads from a to b.
bool surely_overlap(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b,
                    const TouchingCorners& corners, const Vector3& direction, double margin);
// The same of two boxes, by one point of each in its own coordinates that the other box may have taken in.
bool surely_overlap(const Vector3& half_a, const Pose& a_to_b, const Vector3& half_b, const Vector3& point_a,
                    const Vector3& point_b, double margin);
// The same of sets with a radius, by points of their cores, each in the coordinates of its own set.
bool surely_overlap(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b, const Vector3& core_a,
                    const Vector3& core_b, double margin);

}  // namespace toccata::search
