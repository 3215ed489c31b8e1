#pragma once
// Kim, Rossignac 2003: the relative motion as screw segments within a proven error, rejection by cylinders
// about the screw's axis for the pair, the boxes of two trees and the features of two triangles, and
// closed-form contact equations of vertex and triangle and of two edges.
//
// Within a segment pairs of boxes are opened in the order of the times from which their bounds may meet. A
// pair of triangles is asked its equations, first on the segment, then, near a root, on a short one whose
// error is far below the tolerance; the distance at the root decides, and a conservative step leaves roots
// that are no contact behind.
#include "ccd/search/search_question.hpp"

namespace toccata::screw {

using namespace search;

SearchAnswer search_contact(const SearchQuestion& question);

}  // namespace toccata::screw
