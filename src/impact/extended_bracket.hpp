#pragma once
// Brackets of a contact narrowed with twice the digits of a double, where double precision proves the contact
// but cannot tell the signs of F near enough to its root. Both widths are at most bracket_width.
//
// Two ways to the same end, on the same arithmetic and the same error bound: the places where the signs are
// looked at are part of the answer, and single calls and candidates of a step have always looked at different
// ones.
#include <optional>

#include "toccata/impact/linear_motion.hpp"

namespace toccata::impact {

struct TimeBracket {
  double lower, upper;
};

// For the single call. Everything before wide.lower is free, and the features touch wherever F vanishes in
// `wide`, which it does, perhaps several times; `guess` is near the first root. Magnitudes in range. Nothing
// if that does not succeed.
std::optional<TimeBracket> narrow_first_root(const LinearMotion4& motion, TimeBracket wide, double guess);

// For candidates in lanes. F has one root in `wide` and changes its sign there.
std::optional<TimeBracket> narrow_only_root(const LinearMotion4& motion, TimeBracket wide);

}  // namespace toccata::impact
