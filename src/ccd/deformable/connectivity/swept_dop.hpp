#pragma once
// An 18-DOP around features during a whole step, in single precision rounded outwards: 72 bytes, so that a
// tree with one triangle a leaf stays small. Directions: x, y, z, x+y, x+z, y+z, x-y, x-z, y-z (unscaled).
//
// Rigor: positions are taken relative to a centre in double. A value d . (x - centre) so computed is off by
// at most 2^-51 m, m the sum of the coordinates' magnitudes; it is rounded to float and widened by 2^-22 of
// its size, 2^-49 m and the smallest normal float, which covers that error, the rounding, and the widening's
// own.
#include <array>
#include <cstring>

#include "ccd/deformable/pipeline.hpp"

namespace toccata::deformable::connectivity {

struct SweptDop {
  std::array<float, 9> high;         // max of d . x
  std::array<float, 9> low_negated;  // max of -d . x
};

// During [0, t_end]. The position at t_end is found along each direction, from the two ends: that adds less
// than 5/4 of 2^-51 m to the error.
SweptDop dop_of(const MovingVertex& vertex, const Vector3& centre, double t_end = 1.0);

namespace dop_detail {

// Four floats at once by the compilers' vector extension; loads need no alignment.
using Four = float __attribute__((vector_size(16)));
using FourMask = std::int32_t __attribute__((vector_size(16)));

inline Four load(const float* p) {
  Four x;
  std::memcpy(&x, p, sizeof x);
  return x;
}

inline bool any(FourMask mask) {
  std::int64_t halves[2];
  std::memcpy(halves, &mask, sizeof halves);
  return (halves[0] | halves[1]) != 0;
}

inline FourMask apart(const SweptDop& a, const SweptDop& b, int offset) {
  return (load(&a.high[offset]) < -load(&b.low_negated[offset])) |
         (load(&b.high[offset]) < -load(&a.low_negated[offset]));
}

}  // namespace dop_detail

inline bool overlap(const SweptDop& a, const SweptDop& b) {
  using dop_detail::any;
  using dop_detail::apart;
  if (any(apart(a, b, 0))) return false;
  return !any(apart(a, b, 4) | apart(a, b, 5));
}

// The bound of several, written once.
template <typename... Dops>
inline void enclose(SweptDop& out, const SweptDop& first, const Dops&... others) {
  using dop_detail::Four;
  using dop_detail::load;
  const auto larger = [](Four x, Four y) { return x > y ? x : y; };
  for (const int offset : {0, 4, 5}) {  // nine values as four, four and the last four once more
    Four high = load(&first.high[offset]), low_negated = load(&first.low_negated[offset]);
    ((high = larger(high, load(&others.high[offset])),
      low_negated = larger(low_negated, load(&others.low_negated[offset]))),
     ...);
    std::memcpy(&out.high[offset], &high, sizeof high);
    std::memcpy(&out.low_negated[offset], &low_negated, sizeof low_negated);
  }
}

// Could they come within `distance`? For distances above zero.
bool within(const SweptDop& a, const SweptDop& b, double distance);

// Could they touch, or, for a distance above zero, come within it?
inline bool come_near(const SweptDop& a, const SweptDop& b, double distance) {
  return distance > 0.0 ? within(a, b, distance) : overlap(a, b);
}

// Of the box along x, y, z; a measure only.
double volume(const SweptDop& a);

}  // namespace toccata::deformable::connectivity
