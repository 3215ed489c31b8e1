#pragma once
// The two integer types the exact oracle runs on: GMP's, which never overflows, and a 128-bit one for small
// inputs, which throws as soon as a result does not fit.
#include <gmpxx.h>

#include <cstdint>
#include <stdexcept>
#include <utility>

namespace toccata::oracle {

__extension__ using Int128 = __int128;

struct IntegerOverflow : std::overflow_error {
  IntegerOverflow() : std::overflow_error("128-bit integer overflow") {}
};

class CheckedInt {
 public:
  constexpr CheckedInt(Int128 value = 0) : value_(value) {}
  explicit CheckedInt(const mpz_class& value) : value_(value.get_si()) {
    if (!value.fits_slong_p()) throw IntegerOverflow();
  }
  constexpr Int128 value() const { return value_; }

  friend CheckedInt operator+(CheckedInt a, CheckedInt b) {
    CheckedInt r;
    if (__builtin_add_overflow(a.value_, b.value_, &r.value_)) throw IntegerOverflow();
    return r;
  }
  friend CheckedInt operator-(CheckedInt a, CheckedInt b) {
    CheckedInt r;
    if (__builtin_sub_overflow(a.value_, b.value_, &r.value_)) throw IntegerOverflow();
    return r;
  }
  friend CheckedInt operator*(CheckedInt a, CheckedInt b) {
    CheckedInt r;
    if (__builtin_mul_overflow(a.value_, b.value_, &r.value_)) throw IntegerOverflow();
    return r;
  }
  friend CheckedInt operator-(CheckedInt a) { return CheckedInt() - a; }
  CheckedInt& operator+=(CheckedInt b) { return *this = *this + b; }
  CheckedInt& operator-=(CheckedInt b) { return *this = *this - b; }
  CheckedInt& operator*=(CheckedInt b) { return *this = *this * b; }
  friend constexpr bool operator==(CheckedInt a, CheckedInt b) { return a.value_ == b.value_; }

 private:
  Int128 value_;
};

inline int sign_of(CheckedInt a) {
  return (a.value() > 0) - (a.value() < 0);
}
inline int sign_of(const mpz_class& a) {
  return sgn(a);
}

// Is the number large enough for the removal of common factors to pay?
inline bool is_large(CheckedInt a) {
  constexpr Int128 limit = Int128(1) << 40;
  return a.value() >= limit || a.value() <= -limit;
}
inline bool is_large(const mpz_class& a) {
  return mpz_size(a.get_mpz_t()) > 24;
}

inline CheckedInt greatest_common_divisor(CheckedInt a, CheckedInt b) {
  Int128 x = a.value() < 0 ? (CheckedInt() - a).value() : a.value();
  Int128 y = b.value() < 0 ? (CheckedInt() - b).value() : b.value();
  while (y != 0) {
    if (x <= INT64_MAX && y <= INT64_MAX) {
      auto p = static_cast<std::uint64_t>(x), q = static_cast<std::uint64_t>(y);
      while (q != 0) p = std::exchange(q, p % q);
      return {static_cast<Int128>(p)};
    }
    x = std::exchange(y, x % y);
  }
  return {x};
}
inline mpz_class greatest_common_divisor(const mpz_class& a, const mpz_class& b) {
  mpz_class r;
  mpz_gcd(r.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
  return r;
}

inline CheckedInt exact_quotient(CheckedInt a, CheckedInt b) {
  return {a.value() / b.value()};
}
inline mpz_class exact_quotient(const mpz_class& a, const mpz_class& b) {
  mpz_class r;
  mpz_divexact(r.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
  return r;
}

inline void add_product(CheckedInt& sum, CheckedInt a, CheckedInt b) {
  sum += a * b;
}
inline void add_product(mpz_class& sum, const mpz_class& a, const mpz_class& b) {
  mpz_addmul(sum.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
}
inline void subtract_product(CheckedInt& sum, CheckedInt a, CheckedInt b) {
  sum -= a * b;
}
inline void subtract_product(mpz_class& sum, const mpz_class& a, const mpz_class& b) {
  mpz_submul(sum.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
}

inline CheckedInt shifted_left(CheckedInt a, unsigned bits) {
  if (bits > 120) throw IntegerOverflow();
  return a * CheckedInt(Int128(1) << bits);
}
inline mpz_class shifted_left(const mpz_class& a, unsigned bits) {
  mpz_class r;
  mpz_mul_2exp(r.get_mpz_t(), a.get_mpz_t(), bits);
  return r;
}

inline mpz_class to_mpz(const mpz_class& a) {
  return a;
}
inline mpz_class to_mpz(CheckedInt a) {
  const Int128 v = a.value();
  mpz_class r = static_cast<long>(v >> 64);
  mpz_mul_2exp(r.get_mpz_t(), r.get_mpz_t(), 64);
  r += static_cast<unsigned long>(static_cast<std::uint64_t>(v));
  return r;
}

}  // namespace toccata::oracle
