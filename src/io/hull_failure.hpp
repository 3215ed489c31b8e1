#pragma once
// Whether a convex hull that was read is one that walks over it can trust.
#include <optional>
#include <string>

#include "toccata/geometry/convex_hull.hpp"

namespace toccata::io {

// Lists of the right lengths, numbers that name what is there, faces that close up and turn the same way, no
// vertex of a neighbouring face above a face (exactly), neighbours that are those of the faces. Why not, for
// a person; none if it is all right.
std::optional<std::string> hull_failure(const ConvexHull& hull);

}  // namespace toccata::io
