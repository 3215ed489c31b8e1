#pragma once
// When may two triangles meet under a screw? The paper's contact equations of corner and triangle and of two
// edges, each asked only in the window its rejection tests leave.
#include "ccd/rigid/screw_segment.hpp"
#include "toccata/report/contact.hpp"

namespace toccata {

// The earliest s >= from at which the triangles, farther apart than `distance` at `from`, may come that
// close; no_root (2) if they stay apart up to the end of the segment. The bounds were grown by
// segment.error + distance in all. Counts feature pairs and rejections.
double first_meeting(const ScrewSegment& segment, const TriangleBounds& a, const TriangleBounds& b,
                     double from, double distance, QueryStats& stats);

}  // namespace toccata
