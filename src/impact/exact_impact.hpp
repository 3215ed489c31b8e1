#pragma once
// The exact stage of the linear impact queries: decides any finite input, in integer arithmetic.
//
// Notation. All features are written relative to one vertex by linear vector functions a, b, c of time:
//   vertex-face  a = f0 - v,  b = f1 - v,  c = f2 - v
//   edge-edge    a = a1 - a0, b = b0 - a0, c = b1 - a0
// P = b x c, Q = c x a, R = a x b (quadratic) and F = det(a, b, c) = a . P (cubic). Where F = 0, contact on
// coordinate plane k with n_k != 0 means that these weights all have the sign of their sum n_k, or vanish:
//   vertex-face  P_k, Q_k, R_k                                    n_k = P_k + Q_k + R_k
//   edge-edge    {-(P+Q+R)_k, P_k} on a, {-Q_k, -R_k} on b        n_k = -(Q + R)_k
// Where n = 0 the features are degenerate or parallel, and contact means that a vertex of one lies on an
// edge of the other; the same holds for the first contact after t = 0 when F vanishes throughout. For a
// vertex and the edge with ends u, w relative to it: u x w = 0 and u_k w_k <= 0 on every axis.
// Each axis may be scaled on its own: no sign used here mixes axes additively.
#include "toccata/impact/linear_motion.hpp"
#include "toccata/report/feature_pair.hpp"

namespace toccata::impact {

struct ExactImpact {
  bool contact = false;
  // Touching at t = 0.
  bool at_start = false;
  // An exact zero had to be decided beyond the signs of coefficients.
  bool degenerate = false;
  // Of the first contact, upper - lower <= tolerances::impact_bracket.
  double lower = 0.0;
  double upper = 0.0;
  // What it took, in steps of some microseconds.
  int steps = 0;
};

// Coordinates must be finite, 0 < t_max <= 1.
ExactImpact exact_impact(FeaturePairKind pair, const LinearMotion4& motion, double t_max);

}  // namespace toccata::impact
