#pragma once
// How long two triangles surely stay in contact: the other side of the search for first contact.
#include "ccd/rigid/triangle_steps.hpp"

namespace toccata {

// How far every point of either triangle may be displaced relative to the other body while an edge of one
// still pierces the other; 0 if none does. Less the rounding of this computation.
double piercing_margin(const std::array<Vector3, 3>& a, const std::array<Vector3, 3>& b);

// A step in time during which the triangles surely stay within `reach` of each other; 0 if nothing is sure.
double contact_step(const PairState& state, const std::array<Vector3, 3>& body_a,
                    const std::array<Vector3, 3>& body_b, double reach);

}  // namespace toccata
