#pragma once
// Polynomials in one variable with integer coefficients, power basis, low degree; and the signed remainder
// sequences that count and compare their real roots (Sturm; Basu, Pollack, Roy, "Algorithms in Real
// Algebraic Geometry", chapter 2).
#include <array>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

#include "oracle/integer.hpp"

namespace toccata::oracle {

template <typename Z>
class Polynomial {
 public:
  static constexpr int capacity = 12;

  Polynomial() = default;
  Polynomial(const Z& c0, const Z& c1) : degree_(1) {
    c_[0] = c0;
    c_[1] = c1;
    trim();
  }
  template <typename Other>
  explicit Polynomial(const Polynomial<Other>& other) : degree_(other.degree()) {
    for (int i = 0; i <= degree_; ++i) at(i) = to_mpz(other[i]);
  }
  // Only the coefficients in use are copied: a copied GMP integer allocates even when it is zero.
  Polynomial(const Polynomial& other) : degree_(other.degree_) {
    for (int i = 0; i <= degree_; ++i) at(i) = other[i];
  }
  Polynomial& operator=(const Polynomial& other) {
    for (int i = 0; i <= other.degree_; ++i) at(i) = other[i];
    for (int i = other.degree_ + 1; i <= degree_; ++i) at(i) = Z(0);
    degree_ = other.degree_;
    return *this;
  }
  Polynomial(Polynomial&&) noexcept = default;
  Polynomial& operator=(Polynomial&&) noexcept = default;
  ~Polynomial() = default;

  int degree() const { return degree_; }  // -1 for the zero polynomial
  bool is_zero() const { return degree_ < 0; }
  const Z& operator[](int i) const { return c_[static_cast<std::size_t>(i)]; }
  const Z& leading() const { return (*this)[degree_]; }

  friend Polynomial operator+(const Polynomial& a, const Polynomial& b) { return sum(a, b, false); }
  friend Polynomial operator-(const Polynomial& a, const Polynomial& b) { return sum(a, b, true); }
  friend Polynomial operator-(const Polynomial& a) {
    Polynomial r;
    r.degree_ = a.degree_;
    for (int i = 0; i <= a.degree_; ++i) r.at(i) = -a[i];
    return r;
  }
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b) {
    Polynomial r;
    if (a.is_zero() || b.is_zero()) return r;
    r.degree_ = a.degree_ + b.degree_;
    if (r.degree_ >= capacity) throw std::length_error("polynomial degree");
    for (int i = 0; i <= a.degree_; ++i) {
      for (int j = 0; j <= b.degree_; ++j) add_product(r.at(i + j), a[i], b[j]);
    }
    return r;
  }
  friend Polynomial operator*(const Z& factor, const Polynomial& a) {
    Polynomial r;
    if (sign_of(factor) == 0) return r;
    r.degree_ = a.degree_;
    for (int i = 0; i <= a.degree_; ++i) r.at(i) = factor * a[i];
    return r;
  }

  Polynomial derivative() const {
    Polynomial r;
    r.degree_ = degree_ > 0 ? degree_ - 1 : -1;
    for (int i = 1; i <= degree_; ++i) r.at(i - 1) = (*this)[i] * Z(i);
    return r;
  }

  // Divides by the positive common factor of the coefficients.
  Polynomial primitive_part() const {
    if (is_zero()) return *this;
    Z common = leading();
    for (int i = 0; i <= degree_; ++i) common = greatest_common_divisor(common, (*this)[i]);
    Polynomial r;
    r.degree_ = degree_;
    for (int i = 0; i <= degree_; ++i) r.at(i) = exact_quotient((*this)[i], common);
    return r;
  }

  // A positive multiple of the remainder of *this by `divisor`, without its common factor when large.
  Polynomial signed_remainder(const Polynomial& divisor) const {
    Polynomial r = *this;
    const int s = sign_of(divisor.leading());
    const Z scale = s > 0 ? divisor.leading() : Z(-divisor.leading());
    while (r.degree_ >= divisor.degree_) {
      const Z lead = s > 0 ? r.leading() : Z(-r.leading());
      const int shift = r.degree_ - divisor.degree_;
      for (int i = 0; i < r.degree_; ++i) r.at(i) *= scale;
      for (int i = 0; i < divisor.degree_; ++i) subtract_product(r.at(i + shift), lead, divisor[i]);
      r.at(r.degree_) = Z(0);
      r.trim();
    }
    return r.is_zero() || !is_large(r.leading()) ? r : r.primitive_part();
  }

  // The quotient of *this by a divisor of it, up to a positive factor.
  Polynomial exact_division(const Polynomial& divisor) const {
    Polynomial r = *this;
    Polynomial quotient;
    const int s = sign_of(divisor.leading());
    const Z scale = s > 0 ? divisor.leading() : Z(-divisor.leading());
    while (r.degree_ >= divisor.degree_) {
      const Z lead = s > 0 ? r.leading() : Z(-r.leading());
      const int shift = r.degree_ - divisor.degree_;
      quotient = scale * quotient;
      if (quotient.degree_ < shift) quotient.degree_ = shift;
      quotient.at(shift) += lead;
      for (int i = 0; i < r.degree_; ++i) r.at(i) *= scale;
      for (int i = 0; i < divisor.degree_; ++i) subtract_product(r.at(i + shift), lead, divisor[i]);
      r.at(r.degree_) = Z(0);
      r.trim();
    }
    if (!r.is_zero()) throw std::logic_error("division with remainder");
    return quotient.primitive_part();
  }

  // The sign at numerator / denominator, denominator > 0.
  int sign_at(const Z& numerator, const Z& denominator) const {
    if (is_zero()) return 0;
    Z value = leading();
    Z power = denominator;
    for (int i = degree_ - 1; i >= 0; --i) {
      value = value * numerator + (*this)[i] * power;
      if (i > 0) power *= denominator;
    }
    return sign_of(value);
  }
  // The sign at numerator / 2^level.
  int sign_at_dyadic(const Z& numerator, unsigned level) const {
    if (is_zero()) return 0;
    Z value = leading();
    for (int i = degree_ - 1; i >= 0; --i) {
      const unsigned bits = level * static_cast<unsigned>(degree_ - i);
      value = value * numerator + shifted_left((*this)[i], bits);
    }
    return sign_of(value);
  }

  // A positive multiple of the polynomial in x with (numerator + x) / 2^level in the place of the variable.
  Polynomial on_interval(const Z& numerator, unsigned level) const {
    Polynomial r = *this;
    for (int i = 0; i < degree_; ++i)
      r.at(i) = shifted_left(r[i], level * static_cast<unsigned>(degree_ - i));
    for (int k = 0; k < degree_; ++k) {
      for (int i = degree_ - 1; i >= k; --i) add_product(r.at(i), numerator, r[i + 1]);
    }
    return r;
  }

  // Compares the sign changes of the coefficients with those after x -> x + 1 (Budan and Fourier): equal
  // numbers mean that there is no root in (0, 1].
  bool may_have_root_in_unit_interval() const {
    Polynomial shifted = *this;
    for (int k = 0; k < degree_; ++k) {
      for (int i = degree_ - 1; i >= k; --i) shifted.at(i) += shifted[i + 1];
    }
    return coefficient_sign_changes() != shifted.coefficient_sign_changes();
  }

 private:
  Z& at(int i) { return c_[static_cast<std::size_t>(i)]; }
  void trim() {
    while (degree_ >= 0 && sign_of(leading()) == 0) --degree_;
  }
  static Polynomial sum(const Polynomial& a, const Polynomial& b, bool negate) {
    Polynomial r = a;
    if (r.degree_ < b.degree_) r.degree_ = b.degree_;
    for (int i = 0; i <= b.degree_; ++i) {
      if (negate) {
        r.at(i) -= b[i];
      } else {
        r.at(i) += b[i];
      }
    }
    r.trim();
    return r;
  }
  int coefficient_sign_changes() const {
    int changes = 0;
    int last = 0;
    for (int i = 0; i <= degree_; ++i) {
      const int s = sign_of((*this)[i]);
      if (s != 0 && last != 0 && s != last) ++changes;
      if (s != 0) last = s;
    }
    return changes;
  }

  int degree_ = -1;
  std::array<Z, capacity> c_{};  // all entries above the degree are zero
};

template <typename Z>
Polynomial<Z> greatest_common_divisor(Polynomial<Z> a, Polynomial<Z> b) {
  while (!b.is_zero()) {
    Polynomial<Z> r = a.signed_remainder(b);
    a = std::move(b);
    b = std::move(r);
  }
  return a.primitive_part();
}

// f, g, -rem(f, g), ... up to positive factors.
template <typename Z>
class RemainderSequence {
 public:
  RemainderSequence(const Polynomial<Z>& f, const Polynomial<Z>& g) {
    terms_.reserve(static_cast<std::size_t>(f.degree()) + 2);
    terms_.push_back(f);
    Polynomial<Z> next = g;
    while (!next.is_zero()) {
      terms_.push_back(next);
      next = -terms_[terms_.size() - 2].signed_remainder(terms_.back());
    }
  }
  const Polynomial<Z>& last() const { return terms_.back(); }
  int sign_changes_at(const Z& numerator, unsigned level) const {
    int changes = 0;
    int last = 0;
    for (const Polynomial<Z>& term : terms_) {
      const int s = term.sign_at_dyadic(numerator, level);
      if (s != 0 && last != 0 && s != last) ++changes;
      if (s != 0) last = s;
    }
    return changes;
  }

 private:
  std::vector<Polynomial<Z>> terms_;
};

}  // namespace toccata::oracle
