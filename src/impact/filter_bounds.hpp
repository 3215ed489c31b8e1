#pragma once
// Constants of the floating-point filters, in units of u = 2^-53 times the product of the axis magnitudes.
// Each is the derived bound rounded up (docs/notes/impact_bounds.md); tests/impact/test_bounds.cpp tries to
// break them.
#include "toccata/base/rounding.hpp"
#include "toccata/base/tolerances.hpp"

namespace toccata::impact {

// Magnitudes for which neither overflow nor underflow disturbs the bounds below.
inline constexpr double smallest_magnitude = 0x1p-300;
inline constexpr double largest_magnitude = 0x1p300;

// Homogeneous coefficients of the cubic: ends 8 * 6, inner ones 10 * 18.
inline constexpr double cubic_end_error = 50.0 * unit_roundoff;
inline constexpr double cubic_inner_error = 184.0 * unit_roundoff;

// The same in single precision, for the first look of a batch (docs/notes/impact_bounds.md): a verdict
// reached there is also reached by the filters above. The conversion of a difference costs the rounding that
// the difference itself costs in double precision, so the counts are the same; the rest of the constants
// covers the errors of double precision twice, those of the product, and underflow.
inline constexpr double single_roundoff = 0x1p-24;
inline constexpr double single_end_error = 52.0 * single_roundoff;
inline constexpr double single_inner_error = 188.0 * single_roundoff;
inline constexpr double smallest_single_magnitude = 0x1p-36;
inline constexpr double largest_single_magnitude = 0x1p36;

// A polar value (de Casteljau) of the cubic over any part of [0, 1]: coefficients 60 + 6, three levels
// of 3 * 6.
inline constexpr double cubic_polar_error = 124.0 * unit_roundoff;

// The same for the quadratics P, Q, R on a coordinate plane (10.1 and two levels of 3 * 2), and for their
// sum (3 * 10.1 + 4 + 6 and two levels of 3 * 6).
inline constexpr double quadratic_polar_error = 24.0 * unit_roundoff;
inline constexpr double quadratic_sum_polar_error = 80.0 * unit_roundoff;

// A polar value of three times the cubic in arithmetic of two doubles, whose operations err by 2^-100:
// coefficients at most (8 + 1) * 18 or 10 * 18, three levels of 3 * 18.
inline constexpr double extended_cubic_error = 360.0 * 0x1p-100;

// The width to which the search encloses a contact in time.
inline constexpr double bracket_width = tolerances::impact_bracket;

// Steps of Newton's method from the secant: nearly all roots are then exact to rounding.
inline constexpr int newton_steps = 4;

}  // namespace toccata::impact
