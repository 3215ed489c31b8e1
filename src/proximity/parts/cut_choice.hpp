#pragma once
// Where to cut a part in two, so that the hulls of both sides hold little more than it does.
#include "proximity/parts/cell_part.hpp"

namespace toccata::parts {

// One of some planes across its axes: the volumes of both hulls are least, as seen on some of its pieces.
Cut cut_of(const CellPart& part, int threads);

double volume_of(const ConvexHull& hull);

}  // namespace toccata::parts
