#pragma once
// A hull in levels of decreasing detail, as in SWIFT (Ehmann and Lin, 2000). A level is the hull of some of
// the vertices: it lies inside the hull, and with a radius of its deviation added it encloses it. So one
// answer about two levels bounds the distance of the hulls from both sides, and "they meet" needs no more
// detail. On each level the nearest features are walked to from those of the level before.
#include <memory>

#include "elementary/hull_index.hpp"
#include "proximity/convex/convex_distance.hpp"
#include "proximity/convex/hull_features.hpp"
#include "toccata/geometry/convex_hull.hpp"

namespace toccata::convex {

// Which vertices a level leaves out: no two neighbours, at most half of them in order of
enum class Decimation : std::uint8_t {
  DobkinKirkpatrick,  // their number of neighbours, eight at most (Dobkin and Kirkpatrick, 1990)
  Quadric,  // the squared distance of the best neighbour from their faces (Garland and Heckbert, 1997)
};

struct HullLevel {
  std::vector<Vector3> points;
  std::vector<std::int32_t> in_finer;  // of each vertex: its number in the next finer level
  HullIndex index;
  HullFeatures features;
  double deviation = 0.0;  // upper bound: no point of the hull is farther from this level
  ConvexSet set;           // of the points, with the radius of the hull
};

class HullLevels {
 public:
  // Down to about sixteen vertices, or to where leaving out no longer leaves a body in space.
  explicit HullLevels(const ConvexHull& hull, Decimation decimation = Decimation::Quadric);

  std::size_t size() const { return levels_.size(); }
  const HullLevel& operator[](std::size_t i) const { return *levels_[i]; }  // 0: the hull itself

 private:
  std::vector<std::unique_ptr<HullLevel>> levels_;
};

// The answer of convex_distance, from the coarsest levels down to where the limits are met; without limits
// (and unless coarse levels meet) to the hulls themselves. `features` and `memory` speak of the hulls
// themselves.
ConvexDistance distance_by_levels(const HullLevels& a, const Pose& a_to_b, const HullLevels& b,
                                  ConvexMemory* memory = nullptr, const ConvexLimits& limits = {});

}  // namespace toccata::convex
