#pragma once
// The deepest point of a surface inside a solid.
#include "base/stop_watch.hpp"
#include "proximity/depth/surface_cover.hpp"
#include "toccata/report/penetration_result.hpp"

namespace toccata::depth {

struct DeepestLimits {
  double tolerance = 0.0;            // how far apart the bounds may be, without the cover's own error
  const StopWatch* watch = nullptr;  // none: as long as it takes
};

struct DeepestFound {
  DeepestPoint deepest;
  bool stopped = false;  // before the bounds were that close; they hold
  QueryStats stats;      // node_pairs: clusters and patches bounded; piece_pairs: distances found
};

// Best first over the tree of the surface, no grid. A point x of it is no deeper in the solid than it is far
// from any point q of the solid's surface. With q nearest to the middle of a cluster, |x - q| is convex in x:
// its largest value over the cluster's box is at a corner, sqrt(|v|^2 + 2 sum h_i |a_i . v| + sum h_i^2), v
// from q to the middle, h_i a_i the box's half extents. That is tighter than |v| + radius: sideways of v the
// bound grows with the square of the size only. Triangles are measured against the whole nearest triangle,
// whose distance is convex as well, and are cut in four where that does not do.
//
// A cluster farther from the solid's surface than its radius is on one side of it. One look at its middle
// tells which; so the sides of most points are never asked for.
// precondition: `outer` is closed, and a mesh or convex kind
DeepestFound deepest_point(const SurfaceCover& inner, const PlacedShape& outer, const DeepestLimits& limits);

}  // namespace toccata::depth
