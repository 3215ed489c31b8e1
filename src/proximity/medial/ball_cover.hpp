#pragma once
// Few primitives that hold all samples of a surface and stick out of the solid by no more than an error: a
// greedy cover, best ball first, each joined to those next to it by the cones and slabs that fit.
#include <functional>
#include <span>
#include <vector>

#include "proximity/medial/medial_balls.hpp"
#include "proximity/medial/point_tree.hpp"
#include "toccata/geometry/medial_mesh.hpp"

namespace toccata::medial {

struct CoverQuestion {
  const PlacedShape& solid;
  std::span<const Vector3> samples;
  const PointTree& tree;  // of the samples
  std::span<const MedialBall> candidates;
  double error = 0.0;
  double share = 1.0;   // of the error that a ball grows by; the rest is for what lies between balls
  double margin = 0.0;  // samples are held by this much
  bool spheres_only = false;
  bool few_balls = false;          // rather than few primitives
  std::size_t most_balls = 0;      // give up beyond
  std::size_t wanted = 0;          // balls: once there are so few, no fewer are sought
  std::size_t neighbours = 0;      // that a ball is joined to at most, the nearest
  std::int64_t exchange_work = 0;  // of exchange_balls, where there are spheres only
  // Points of the surface that a cover leaves open, though it holds all samples: they become samples, too.
  // The later the round, the closer the look.
  std::function<std::vector<Vector3>(const MedialMesh&, int round)> open_points;
  int most_rounds = 0;
  // Where there are spheres only: in so many of the first rounds balls are taken out again by BallPolish,
  // with so much work each. 0: none are exchanged or moved.
  int thinning_rounds = 0;
  std::int64_t thinning_work = 0;
  int threads = 0;
};

struct BallCover {
  MedialMesh mesh;
  std::vector<double> depths;  // of its balls: inside the solid, proven
  bool is_complete = false;    // every sample is held; else there were too many balls
};

BallCover ball_cover(const CoverQuestion& question);

}  // namespace toccata::medial
