#pragma once
// The exact answer to "when do two linearly moving features first touch, or come within a distance?", in
// integer arithmetic on the doubles as given.
//
// Time is the only variable. Contact at a time is a union of pieces, each a conjunction of polynomial
// equations and inequalities in t (power basis):
//   vertex-edge   v on [a, b]:   (b-a) x (v-a) = 0  and  (v-a).(v-b) <= 0
//   vertex-face   coplanar, n != 0, and the three barycentric numerators n.((f_j-f_i) x (v-f_i)) >= 0;
//                 or v on one of the three edges (the whole triangle when it is degenerate)
//   edge-edge     coplanar, n != 0, and the numerators of both line parameters within [0, |n|^2];
//                 or an end on the other edge (all there is when they are parallel or degenerate)
//   within d      the same with n^2-weighted distances to the open features in place of the equations
// The union is closed, so its first time is 0 or a root of one of the polynomials of a piece at which the
// whole piece holds: the roots are isolated by Sturm sequences, signs at them are Tarski queries.
#include <gmpxx.h>

#include <optional>
#include <utility>
#include <vector>

#include "toccata/impact/linear_impact.hpp"
#include "toccata/report/feature_pair.hpp"

namespace toccata::oracle {

constexpr int point_count(FeaturePairKind pair) {
  return pair == FeaturePairKind::VertexVertex ? 2 : pair == FeaturePairKind::VertexEdge ? 3 : 4;
}

// The smallest of some algebraic numbers, each a root of a square-free polynomial in an isolating interval.
class FirstTime {
 public:
  struct Candidate {
    std::vector<mpz_class> polynomial;  // coefficients by increasing power; empty: the time is `upper`
    mpq_class lower, upper;             // the root is in (lower, upper); in units of t_max
    int lower_sign = 0;                 // the sign of the polynomial at `lower`
  };

  bool exists() const { return !candidates_.empty(); }
  // The sign of (the time - t), exact.
  int compare(double t) const;
  // Bounds no further apart than 2^-60 t_max; equal when the time is a dyadic rational that was met.
  std::pair<mpq_class, mpq_class> bracket() const { return {lower_, upper_}; }
  double approximate() const { return lower_.get_d(); }

  void add(Candidate candidate);
  void set_t_max(const mpq_class& t_max);

 private:
  std::vector<Candidate> candidates_;
  mpq_class t_max_ = 1;
  mpq_class lower_, upper_;
};

enum class Arithmetic { Automatic, Gmp };  // Automatic: 128-bit integers where they suffice

// Do the closed features share a point at some time in [0, t_max]?
bool features_touch(FeaturePairKind pair, const LinearMotion4& motion, double t_max = 1.0,
                    Arithmetic arithmetic = Arithmetic::Automatic);
// The first time at which they do.
FirstTime first_contact(FeaturePairKind pair, const LinearMotion4& motion, double t_max = 1.0,
                        Arithmetic arithmetic = Arithmetic::Automatic);
// The first time at which their distance is at most `distance` > 0, a rational whose denominator is a power
// of two.
FirstTime first_within(FeaturePairKind pair, const LinearMotion4& motion, const mpq_class& distance,
                       double t_max = 1.0);

}  // namespace toccata::oracle
