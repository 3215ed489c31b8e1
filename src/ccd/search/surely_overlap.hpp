#pragma once
// Two convex sets that have just gone into each other, by what touched a moment ago: a cheap proof.
#include "proximity/convex/convex_distance.hpp"

namespace toccata::search {

// What touched: the nearest points when the sets were a little apart.
struct TouchedFeatures {
  convex::ConvexFeatures features;
  Vector3 direction;  // unit, from a to b, in b's coordinates
  Vector3 core_a;     // the nearest points of the cores, each in the coordinates of its own set
  Vector3 core_b;
};

// Do the sets stay in touch even if one is displaced by `margin`? Only a yes is a proof. a_to_b is taken as
// it is. Sets with a radius by the two points, polytopes without one by four corners of their difference
// about the origin; never of other sets.
bool surely_overlap(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b,
                    const TouchedFeatures& touched, double margin);

}  // namespace toccata::search
