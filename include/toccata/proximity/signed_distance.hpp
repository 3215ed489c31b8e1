#pragma once
// How far is a point from the surface of a shape, where is it nearest, and is the point inside?
//
//   const SignedDistance d = signed_distance({0, 0, 1}, Ball{2.0});  // -1: d.side is Inside
//
// Distances are those to the world coordinates of the triangles, with a proven bracket. The sign is that of
// point_containment: exact, by parity, so that nested meshes, meshes whose faces run inwards and surfaces
// that lie next to each other have the right one; a mesh that is not closed has none. Of convex kinds both
// follow from the bracket.
#include <limits>
#include <span>
#include <vector>

#include "toccata/base/stop.hpp"
#include "toccata/proximity/containment.hpp"
#include "toccata/report/feature.hpp"

namespace toccata {

struct SignedDistanceOptions {
  // Farther away does not matter: where no part of the surface is within it, the distance is infinite and the
  // rest does not hold, but for the side.
  double limit = std::numeric_limits<double>::infinity();
  // Without it the side is Undefined and no distance is negative.
  bool with_sign = true;
  int threads = 0;  // of a batch: 0 = all cores; the answers do not depend on it
  Stop stop = {};   // of a batch
};

struct SignedDistance {
  // Negative inside, 0 on the surface (and beside it where it rounds to that: the side tells them apart); not
  // negative where the side is Undefined. Infinite beyond the limit and of a mesh without triangles.
  double distance = std::numeric_limits<double>::infinity();
  // Proven: the true one, of that sign, is no less and no more. Of meshes mostly within a dozen roundings of
  // each other, at worst (where an edge or a vertex is nearly as near as a face) 4e-12 of the lengths, and
  // the width of triangles a thousand times longer than wide (docs/notes/point_distance.md).
  double lower = 0.0;
  double upper = std::numeric_limits<double>::infinity();
  // Inside, Outside, Crossing (on the surface, exactly if it is a mesh's) or Undefined.
  Containment side = Containment::Undefined;
  Vector3 point = Vector3::Zero();  // of the surface, nearest; world
  Feature feature;                  // that holds it: the lowest triangle among equals
  // Unit, the pseudonormal there: of a face its own, of an edge the mean of its faces', of a vertex the mean
  // of its faces' weighted by their angles. Where there is a side it leads out of the shape, whichever way
  // the faces run; otherwise, and where the point is on the surface, it is as they run. Zero if all are
  // degenerate.
  Vector3 normal = Vector3::Zero();
};

// A compound is the union of its parts. Inside of it, where parts cover the nearest points of each other's
// surfaces, the bracket is wide: as deep as in the part that holds the point deepest, and no deeper than the
// way out of the ball around the shape; `distance` is then the lesser depth.
// Throws std::invalid_argument for a point that is not finite or beyond 1e30, and for a compound with a mesh
// that is not closed.
SignedDistance signed_distance(const Vector3& point, const PlacedShape& shape,
                               const SignedDistanceOptions& options = {});

// Of many points at once: a search begins where that of a point nearby ended.
struct SignedDistances {
  std::vector<SignedDistance> points;
  bool stopped = false;  // points that were not come to are as SignedDistance{}
};
SignedDistances signed_distances(std::span<const Vector3> points, const PlacedShape& shape,
                                 const SignedDistanceOptions& options = {});

}  // namespace toccata
