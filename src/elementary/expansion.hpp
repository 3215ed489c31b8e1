#pragma once
// Expansions: a real number as an exact, unevaluated sum of doubles, non-overlapping and ordered by
// magnitude (Priest; Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric
// predicates", 1997). The sign is that of the last component.
//
// Exact as long as no product overflows or loses bits below 2^-1074; the callers scale for that.
#include <array>
#include <cmath>

namespace toccata::elementary {

struct DoublePair {
  double high;
  double low;
};

inline DoublePair two_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  const double a_part = sum - b_part;
  return {sum, (a - a_part) + (b - b_part)};
}

inline DoublePair split(double a) {
  const double c = 134217729.0 * a;  // 2^27 + 1
  const double high = c - (c - a);
  return {high, a - high};
}

inline DoublePair two_product(double a, double b) {
  const double product = a * b;
  const DoublePair x = split(a);
  const DoublePair y = split(b);
  const double error = ((product - x.high * y.high) - x.low * y.high) - x.high * y.low;
  return {product, x.low * y.low - error};
}

template <int Capacity>
class Expansion {
 public:
  Expansion() = default;
  explicit Expansion(DoublePair pair) {
    push(pair.low);
    push(pair.high);
  }

  int size() const { return size_; }
  double operator[](int i) const { return parts_[i]; }
  int sign() const { return size_ == 0 ? 0 : (parts_[size_ - 1] > 0.0) - (parts_[size_ - 1] < 0.0); }

  void push(double part) {
    if (part != 0.0) parts_[size_++] = part;
  }

  // Adds one double; stays non-overlapping (grow-expansion with zero elimination).
  void add(double value) {
    double carry = value;
    int kept = 0;
    for (int i = 0; i < size_; ++i) {
      const DoublePair sum = two_sum(carry, parts_[i]);
      carry = sum.high;
      if (sum.low != 0.0) parts_[kept++] = sum.low;
    }
    size_ = kept;
    push(carry);
  }

  template <int Other>
  void add(const Expansion<Other>& other) {
    for (int i = 0; i < other.size(); ++i) add(other[i]);
  }

  template <int Other>
  void subtract(const Expansion<Other>& other) {
    for (int i = 0; i < other.size(); ++i) add(-other[i]);
  }

 private:
  std::array<double, Capacity> parts_;
  int size_ = 0;
};

template <int N, int M>
Expansion<2 * N * M> product(const Expansion<N>& a, const Expansion<M>& b) {
  Expansion<2 * N * M> result;
  for (int i = 0; i < a.size(); ++i) {
    for (int j = 0; j < b.size(); ++j) {
      const DoublePair p = two_product(a[i], b[j]);
      result.add(p.low);
      result.add(p.high);
    }
  }
  return result;
}

// a - b without rounding
inline Expansion<2> difference(double a, double b) {
  return Expansion<2>(two_sum(a, -b));
}

}  // namespace toccata::elementary
