#pragma once
// Two rectangle swept spheres of two moving bodies at one time: how far apart, and for how long?
#include "ccd/search/pair_state.hpp"
#include "toccata/bound/rectangle_swept_sphere.hpp"

namespace toccata::controlled {

using namespace search;

struct RectangleStep {
  double distance = 0.0;  // proven lower bound of the distance now
  double step = 0.0;      // proven farther apart than the distance asked for on [t, t + step]; maybe infinite
};

class RectangleSteps {
 public:
  // steady: both motions are, so that C2A's lemmas hold for all times.
  RectangleSteps(const PairState& state, const Vector3& center_a, const Vector3& center_b, bool steady,
                 double distance);

  // A distance that is below `enough` for sure may be returned as any lower value (0 at the least): it is
  // cheaper.
  RectangleStep measured(const RectangleSweptSphere& a, const RectangleSweptSphere& b, double enough) const;

 private:
  struct Pair;
  double across(const Vector3& lever, const TurnBound& turn) const;
  double step_along(const Pair& pair, const Vector3& n, double gap) const;

  PairState state_;
  Vector3 center_a_, center_b_;
  bool steady_;
  double distance_;
};

}  // namespace toccata::controlled
