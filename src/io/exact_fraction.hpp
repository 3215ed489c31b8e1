#pragma once
// A fraction of two whole numbers in decimal digits that is a double exactly.
#include <optional>
#include <string_view>

namespace toccata::io {

// None if a text is not a whole number (of at most 400 digits), the denominator is zero, or no double equals
// the quotient.
std::optional<double> exact_fraction(std::string_view numerator, std::string_view denominator);

}  // namespace toccata::io
