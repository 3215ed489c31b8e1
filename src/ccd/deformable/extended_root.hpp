#pragma once
// A root of the coplanarity cubic in time, enclosed more narrowly than double precision can: its values are
// computed as sums of two doubles.
//
// Error bound. u = 2^-53; x, y, z bound the magnitudes of all components of a, b, c (exact_impact.hpp) at
// both ends on their axis. The differences of coordinates are exact as pairs of doubles, and so is 1 - t at
// the places t that are looked at, multiples of 2^-46. In units of u^2:
//   a component of a(t), b(t), c(t): exact products of the high parts, four roundings of numbers of size u x,
//     2 u x and the like: at most 8 x;
//   a product of two components: inherited 2 * 8, rounding of the mixed terms and of their sums at most 20,
//     the low parts' product 4, left out: at most 40 of x y;
//   a difference of two products: at most 90 of x y; its product with a component, of size at most 2 x y z:
//     16 + 90 + 40 = 146; the sum of three of them and its roundings (numbers of size 6 u x y z): below 500.
// The bound used is 1024 u^2 x y z, with the product as rounded. Magnitudes are within 2^-200 and 2^200, so
// that what underflows is below 2^-1060, beside a bound of at least 2^-696.
#include <optional>

#include "toccata/impact/linear_impact.hpp"

namespace toccata::deformable {

struct TimeBracket {
  double lower, upper;
};

// F has one root in [around.lower, around.upper] and changes its sign there. Encloses it in at most 1e-12;
// nothing if that does not succeed.
std::optional<TimeBracket> narrowed_root(const LinearMotion4& motion, TimeBracket around);

}  // namespace toccata::deformable
