#pragma once
// The usual floating-point method (Provot 1997; Bridson, Fedkiw, Anderson 2002): the times at which the four
// points are coplanar are the roots of a cubic; at each, an inside test with a small tolerance. Fast, and
// unsafe: rounding may lose a root or an inside test, and motion in one plane is not handled.
#include <optional>

#include "toccata/impact/linear_impact.hpp"

namespace toccata {

std::optional<double> cubic_vertex_face(const LinearMotion4& motion);
std::optional<double> cubic_edge_edge(const LinearMotion4& motion);

}  // namespace toccata
