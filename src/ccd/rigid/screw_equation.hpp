#pragma once
// f(u) = k0 + k5 u + (k1 + k3 u) cos(b u) + (k2 + k4 u) sin(b u), u in [0, 1]: the contact equations under a
// screw (eq. 9 and 20 of the paper, in one form).
#include <array>

namespace toccata {

struct ScrewEquation {
  std::array<double, 6> k{};
  double angle = 0.0;  // b
  double band = 0.0;   // contact is possible only where |f| <= band: rounding and the error of the screw
};

// The largest u found such that |f| > band on all of [0, u): the bound on |f'| over a window carries it
// forward, so no root is jumped over. 1 if there is none in [0, 1); where a root is met, within about 1e-9
// before it.
double first_root_lower(const ScrewEquation& equation);

}  // namespace toccata
