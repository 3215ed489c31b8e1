#pragma once
// When may two triangles meet under a screw? The paper's contact equations of corner and triangle and of two
// edges, each asked only in the window its rejection tests leave.
#include "ccd/rigid/screw/screw_equation.hpp"
#include "ccd/rigid/screw/screw_segment.hpp"
#include "toccata/report/query_stats.hpp"

namespace toccata::screw {

// The earliest s >= from at which the triangles, farther apart than `distance` at `from`, may come that
// close; no_root (2) if they stay apart up to the end of the segment. The bounds were grown by
// segment.error + distance in all. Counts feature pairs and rejections.
double first_meeting(const ScrewSegment& segment, const TriangleBounds& a, const TriangleBounds& b,
                     double from, double distance, QueryStats& stats);

// The plane of a triangle, for three corners of the other.
struct ScrewPlane {
  Vector3 normal;
  double offset;
  double reach;     // of the normal, from above
  double rounding;  // of the equation
};
ScrewPlane screw_plane(const ScrewSegment& segment, const Triangle& triangle);

// f vanishes where the corner q, moved by the screw (direction 1) or its reverse (-1), is in the plane; the
// band: closer to it than `room`, and the rounding of the coefficients.
ScrewEquation vertex_face_equation(const ScrewSegment& segment, double direction, const Vector3& q,
                                   const ScrewPlane& plane, double room);
// The same for the lines a + x la, moved, and b + y lb.
ScrewEquation edge_edge_equation(const ScrewSegment& segment, const Vector3& a, const Vector3& la,
                                 const Vector3& b, const Vector3& lb, double room);

}  // namespace toccata::screw
