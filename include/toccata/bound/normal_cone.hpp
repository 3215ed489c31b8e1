#pragma once
// A cone of directions: all n with n . axis >= cosine |n| |axis|, half-angle below 90 degrees. It bounds the
// normals of a region of a surface, also over time (Provot 1997; Tang et al., ICCD, IV.B).
//
// Rigor: `axis` is exact as stored; `cosine` is rounded down by more than every error made, so the true cone
// of the merged or bounded vectors always lies inside. Half-angles add, as cos(x + y) in double with the
// sum formula and correctly rounded square roots only; see docs/notes/connectivity_culling.md.
#include <Eigen/Core>
#include <span>

#include "toccata/base/vector.hpp"

namespace toccata {

struct NormalCone {
  Eigen::Vector3f axis = Eigen::Vector3f::Zero();
  float cosine = -1.0f;  // <= smallest_cosine: says nothing about the normals

  // Below this the half-angle is nearly 90 degrees and the cone is given up. The margin (0.06 degrees) also
  // pays for projecting along a direction within 1e-6 of the axis.
  static constexpr float smallest_cosine = 1e-3f;
  bool is_valid() const { return cosine > smallest_cosine; }
};

// The cone of all non-negative combinations of the vectors. Each must be given with a bound on its absolute
// error that is at most 1e-8 of its length; otherwise, and for zero vectors, the answer is not valid.
struct BoundedVector {
  Vector3 value;
  double error = 0.0;
};
NormalCone cone_of(std::span<const BoundedVector> vectors);

// A cone that holds both, nearly the smallest; not valid if one of them is not or none exists.
NormalCone merge(const NormalCone& a, const NormalCone& b);

}  // namespace toccata
