#pragma once
// The answer to "how deep are they in each other".
#include <string>

#include "toccata/base/status.hpp"
#include "toccata/report/contact.hpp"
#include "toccata/report/query_stats.hpp"

namespace toccata {

// The deepest point of the surface of one solid inside another.
struct DeepestPoint {
  // Proven: the deepest one is no less deep, and no deeper. Both 0: no point of the surface is inside.
  double lower = 0.0;
  double upper = 0.0;
  // Of the surface inside, at least `lower` deep; these hold if that is more than 0. World.
  Vector3 point = Vector3::Zero();
  Vector3 nearest = Vector3::Zero();    // of the other's surface
  Vector3 direction = Vector3::Zero();  // unit, from one to the other: the shortest way out for that point
  Feature feature;                      // that holds the point
  Feature nearest_feature;
};

// Fields that hold, by status:
//   Separated       stats; the depths are 0. `distance` says how far apart
//   OverlapAtStart  everything: they overlap or touch
//   Failed          failure
struct PenetrationResult {
  Status status = Status::Separated;
  // Proven: the shortest translation after which the shapes have no inner point in common is no shorter and
  // no longer. Infinite for two half spaces that no translation parts. Without a way out (an option of
  // solids) the upper one is infinite where they overlap.
  double lower_depth = 0.0;
  double upper_depth = 0.0;
  // normal: from a to b; b moved along it by upper_depth is apart from a, or touches it. point_a and point_b:
  // the deepest points of a in b and of b in a along it, upper_depth apart.
  Contact contact;
  // Of solids (PenetrationOptions::solid), each with an interval no wider than the error allowed; otherwise
  // all zero.
  DeepestPoint a_in_b;
  DeepestPoint b_in_a;
  bool stopped = false;  // before intervals were that narrow, or the way out as short; all of it holds
  std::string failure;
  QueryStats stats;
};

}  // namespace toccata
