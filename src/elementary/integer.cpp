#include "elementary/integer.hpp"

#include <bit>
#include <cmath>

namespace toccata::elementary {
namespace {

__extension__ typedef unsigned __int128 DoubleLimb;  // NOLINT: no using-alias for an extension type
using Limb = Integer::Limb;

int compare_magnitudes(const Limb* a, std::size_t na, const Limb* b, std::size_t nb) {
  if (na != nb) return na < nb ? -1 : 1;
  for (std::size_t i = na; i-- > 0;) {
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return 0;
}

// r = a + b, na >= nb; r has na + 1 limbs
void add_magnitudes(const Limb* a, std::size_t na, const Limb* b, std::size_t nb, Limb* r) {
  Limb carry = 0;
  for (std::size_t i = 0; i < na; ++i) {
    const DoubleLimb sum = static_cast<DoubleLimb>(a[i]) + (i < nb ? b[i] : 0) + carry;
    r[i] = static_cast<Limb>(sum);
    carry = static_cast<Limb>(sum >> 64);
  }
  r[na] = carry;
}

// r = a - b, a >= b; r has na limbs
void subtract_magnitudes(const Limb* a, std::size_t na, const Limb* b, std::size_t nb, Limb* r) {
  Limb borrow = 0;
  for (std::size_t i = 0; i < na; ++i) {
    const Limb bi = i < nb ? b[i] : 0;
    const Limb d = a[i] - bi;
    const Limb e = d - borrow;
    borrow = static_cast<Limb>((a[i] < bi) | (d < borrow));
    r[i] = e;
  }
}

}  // namespace

Integer Integer::add(const Integer& a, const Integer& b, bool b_negative) {
  if (b.size_ == 0) return a;
  Integer r;
  if (a.size_ == 0) {
    r = b;
    r.negative_ = b_negative;
    return r;
  }
  if (a.negative_ == b_negative) {
    const Integer& longer = a.size_ >= b.size_ ? a : b;
    const Integer& shorter = a.size_ >= b.size_ ? b : a;
    Limb* d = r.prepare(longer.size_ + 1u);
    add_magnitudes(longer.data(), longer.size_, shorter.data(), shorter.size_, d);
    r.negative_ = b_negative;
    r.trim(longer.size_ + 1u);
    return r;
  }
  const int order = compare_magnitudes(a.data(), a.size_, b.data(), b.size_);
  if (order == 0) return r;
  const Integer& larger = order > 0 ? a : b;
  const Integer& smaller = order > 0 ? b : a;
  Limb* d = r.prepare(larger.size_);
  subtract_magnitudes(larger.data(), larger.size_, smaller.data(), smaller.size_, d);
  r.negative_ = order > 0 ? a.negative_ : b_negative;
  r.trim(larger.size_);
  return r;
}

Integer operator*(const Integer& a, const Integer& b) {
  Integer r;
  if (a.size_ == 0 || b.size_ == 0) return r;
  const std::size_t na = a.size_, nb = b.size_;
  const Limb* x = a.data();
  const Limb* y = b.data();
  Limb* d = r.prepare(na + nb);
  std::memset(d, 0, (na + nb) * sizeof(Limb));
  for (std::size_t i = 0; i < na; ++i) {
    if (x[i] == 0) continue;  // numbers far apart in size leave long gaps
    Limb carry = 0;
    for (std::size_t j = 0; j < nb; ++j) {
      const DoubleLimb t = static_cast<DoubleLimb>(x[i]) * y[j] + d[i + j] + carry;
      d[i + j] = static_cast<Limb>(t);
      carry = static_cast<Limb>(t >> 64);
    }
    d[i + nb] = carry;
  }
  r.negative_ = a.negative_ != b.negative_;
  r.trim(na + nb);
  return r;
}

Integer operator<<(const Integer& a, std::int64_t bits) {
  Integer r;
  if (a.size_ == 0) return r;
  const auto limbs = static_cast<std::size_t>(bits / 64);
  const auto shift = static_cast<unsigned>(bits % 64);
  const std::size_t n = a.size_ + limbs + 1;
  Limb* d = r.prepare(n);
  std::memset(d, 0, limbs * sizeof(Limb));
  const Limb* x = a.data();
  Limb carry = 0;
  for (std::size_t i = 0; i < a.size_; ++i) {
    d[i + limbs] = (x[i] << shift) | carry;
    carry = shift == 0 ? 0 : x[i] >> (64 - shift);
  }
  d[n - 1] = carry;
  r.negative_ = a.negative_;
  r.trim(n);
  return r;
}

std::int64_t Integer::bit_length() const {
  if (size_ == 0) return 0;
  return 64 * static_cast<std::int64_t>(size_) - std::countl_zero(data()[size_ - 1]);
}

Integer::Scaled Integer::to_scaled() const {
  if (size_ == 0) return {0.0, 0};
  const Limb* d = data();
  // The two leading limbs hold at least 65 significant bits (or all there are), so truncating the rest
  // costs less than 2^-64 and each of the two conversions and the addition at most 2^-53.
  double value = static_cast<double>(d[size_ - 1]);
  std::int64_t exponent = 64 * (static_cast<std::int64_t>(size_) - 1);
  if (size_ > 1) {
    value = value * 0x1p64 + static_cast<double>(d[size_ - 2]);
    exponent -= 64;
  }
  int shift = 0;
  const double mantissa = std::frexp(value, &shift);
  return {negative_ ? -mantissa : mantissa, exponent + shift};
}

}  // namespace toccata::elementary
