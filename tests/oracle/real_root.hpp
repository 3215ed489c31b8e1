#pragma once
// A real root of an integer polynomial in (0, 1], isolated in a half-open dyadic interval, with exact
// comparisons and exact signs of other polynomials at it.
#include <optional>
#include <utility>
#include <vector>

#include "oracle/polynomial.hpp"

namespace toccata::oracle {

// The only root of the square-free `f` in (numerator, numerator + 1] / 2^level.
template <typename Z>
class RealRoot {
 public:
  RealRoot(Polynomial<Z> f, Z numerator, unsigned level)
      : f_(std::move(f)), numerator_(std::move(numerator)), level_(level) {
    settle();
    // The sign queries below need an interval that does not start at another root.
    while (!exact_ && f_.sign_at_dyadic(numerator_, level_) == 0) halve_by_counting();
  }

  const Polynomial<Z>& polynomial() const { return f_; }
  RealRoot<mpz_class> in_gmp() const {
    return RealRoot<mpz_class>(Polynomial<mpz_class>(f_), to_mpz(numerator_), level_);
  }
  bool is_exact() const { return exact_; }
  unsigned level() const { return level_; }
  mpq_class lower() const { return fraction(exact_ ? Z(numerator_ + Z(1)) : numerator_); }
  mpq_class upper() const { return fraction(Z(numerator_ + Z(1))); }

  // The sign of p at the root. Where p has no root in the isolating interval, made a little shorter, it is
  // the sign at its end; else it is Tarski's query of p on the roots of f in that interval.
  int sign_of_value(const Polynomial<Z>& p) {
    for (int attempt = 0; attempt < 2 && !exact_; ++attempt) {
      for (int i = 0; i < 6 * attempt; ++i) halve();
      if (exact_) break;
      if (!p.is_zero() && !p.on_interval(numerator_, level_).may_have_root_in_unit_interval()) {
        return p.sign_at_dyadic(Z(numerator_ + Z(1)), level_);
      }
    }
    return exact_ ? p.sign_at_dyadic(Z(numerator_ + Z(1)), level_) : tarski_query(p);
  }

  void halve() {
    if (exact_) return;
    const int start = f_.sign_at_dyadic(numerator_, level_);
    const Z twice = numerator_ + numerator_;
    const int middle = f_.sign_at_dyadic(Z(twice + Z(1)), level_ + 1);
    numerator_ = middle == start ? Z(twice + Z(1)) : twice;
    ++level_;
    settle();
  }

 private:
  int tarski_query(const Polynomial<Z>& p) const {
    const Polynomial<Z> reduced = p.signed_remainder(f_);
    if (reduced.is_zero()) return 0;
    const RemainderSequence<Z> query(f_, (f_.derivative() * reduced).signed_remainder(f_));
    return query.sign_changes_at(numerator_, level_) - query.sign_changes_at(Z(numerator_ + Z(1)), level_);
  }
  // Notices a root at the closed end.
  void settle() { exact_ = f_.sign_at_dyadic(Z(numerator_ + Z(1)), level_) == 0; }
  // Halving where f vanishes at the open end: just after it f has the sign of its derivative there.
  void halve_by_counting() {
    const int start = f_.derivative().sign_at_dyadic(numerator_, level_);
    const Z twice = numerator_ + numerator_;
    const int middle = f_.sign_at_dyadic(Z(twice + Z(1)), level_ + 1);
    numerator_ = middle == start ? Z(twice + Z(1)) : twice;
    ++level_;
    settle();
  }
  mpq_class fraction(const Z& n) const {
    mpq_class q(to_mpz(n));
    mpq_div_2exp(q.get_mpq_t(), q.get_mpq_t(), level_);
    return q;
  }

  Polynomial<Z> f_;
  Z numerator_;
  unsigned level_;
  bool exact_ = false;
};

// Visits the distinct roots of `polynomial` in (0, 1] in increasing order until visit returns true.
template <typename Z, typename Visit>
bool visit_roots(const Polynomial<Z>& polynomial, Visit&& visit) {
  if (polynomial.degree() < 1 || !polynomial.may_have_root_in_unit_interval()) return false;
  Polynomial<Z> f = polynomial;
  RemainderSequence<Z> sturm(f, f.derivative());
  if (sturm.last().degree() > 0) {
    f = f.exact_division(sturm.last());
    sturm = RemainderSequence<Z>(f, f.derivative());
  }
  struct Interval {
    Z numerator;
    unsigned level;
    int changes_lower, changes_upper;
  };
  std::vector<Interval> open;  // the earliest on top
  open.push_back({Z(0), 0, sturm.sign_changes_at(Z(0), 0), sturm.sign_changes_at(Z(1), 0)});
  while (!open.empty()) {
    const Interval now = open.back();
    open.pop_back();
    const int count = now.changes_lower - now.changes_upper;
    if (count == 0) continue;
    if (count == 1) {
      if (visit(RealRoot<Z>(f, now.numerator, now.level))) return true;
      continue;
    }
    const Z twice = now.numerator + now.numerator;
    const int middle = sturm.sign_changes_at(Z(twice + Z(1)), now.level + 1);
    open.push_back({Z(twice + Z(1)), now.level + 1, middle, now.changes_upper});
    open.push_back({twice, now.level + 1, now.changes_lower, middle});
  }
  return false;
}

}  // namespace toccata::oracle
