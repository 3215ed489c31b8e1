#pragma once
// Balls inside a solid that touch its surface, as large as they get: candidates for a cover.
#include <span>
#include <vector>

#include "proximity/medial/surface_samples.hpp"
#include "toccata/proximity/placed_shape.hpp"

namespace toccata::medial {

struct MedialBall {
  Vector3 center;
  double depth;  // proven: the ball of this radius about the centre is inside the solid; 0 on the surface
};

// For each slack, the largest first, and each sample: from the ball that touches the surface there inwards,
// made smaller until no more than the slack of it sticks out; grown by the slack it holds the sample. Where
// none fits, the sample itself. Pushed: then as far from the surface as the ball grows; it takes as long
// again, and no other ball that may be used holds more.
std::vector<MedialBall> medial_balls(const PlacedShape& solid, std::span<const SurfaceSample> samples,
                                     std::span<const double> slacks, bool are_pushed, int threads);

}  // namespace toccata::medial
