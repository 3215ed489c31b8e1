#include "io/exact_fraction.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "elementary/integer.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata::io {
namespace {

using elementary::Integer;

constexpr std::size_t most_digits = 400;  // the largest double, and 1 / the smallest, have fewer

// Whole numbers below 2^53 are doubles, and so is their quotient by a power of two.
std::optional<double> small_fraction(std::string_view numerator, std::string_view denominator) {
  const auto read = [](std::string_view text) -> std::optional<std::int64_t> {
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
    if (value > (std::int64_t{1} << 53) || value < -(std::int64_t{1} << 53)) return std::nullopt;
    return value;
  };
  const std::optional<std::int64_t> n = read(numerator), d = read(denominator);
  if (!n || !d || *d <= 0 || !std::has_single_bit(static_cast<std::uint64_t>(*d))) return std::nullopt;
  return static_cast<double>(*n) / static_cast<double>(*d);
}

std::optional<Integer> read_integer(std::string_view text) {
  bool negative = false;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  if (text.empty() || text.size() > most_digits) return std::nullopt;
  Integer value;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * Integer(10) + Integer(c - '0');
  }
  return negative ? -std::move(value) : value;
}

// value * denominator == numerator
bool is_quotient(double value, const Integer& numerator, const Integer& denominator) {
  int exponent = 0;
  const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  exponent -= 53;
  const Integer product = Integer(mantissa) * denominator;
  return exponent >= 0 ? compare(product << exponent, numerator) == 0
                       : compare(product, numerator << -exponent) == 0;
}

}  // namespace

std::optional<double> exact_fraction(std::string_view numerator, std::string_view denominator) {
  if (const std::optional<double> value = small_fraction(numerator, denominator)) return value;
  const std::optional<Integer> n = read_integer(numerator), d = read_integer(denominator);
  if (!n || !d || d->is_zero()) return std::nullopt;
  if (n->is_zero()) return 0.0;
  const Integer::Scaled p = n->to_scaled(), q = d->to_scaled();
  double value = std::ldexp(p.mantissa / q.mantissa, static_cast<int>(p.exponent - q.exponent));
  // Two conversions and a division are at most 8 steps off.
  for (int i = 0; i < 8; ++i) value = next_down(value);
  for (int i = 0; i <= 16; ++i, value = next_up(value)) {
    if (std::isfinite(value) && is_quotient(value, *n, *d)) return value;
  }
  return std::nullopt;
}

}  // namespace toccata::io
