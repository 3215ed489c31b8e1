#include "oracle/impact_oracle.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "oracle/real_root.hpp"

namespace toccata::oracle {
namespace {

constexpr unsigned bracket_bits = 60;

// --- the motion in integers -------------------------------------------------------------------------------

// Every coordinate at the two ends, and a distance, times one power of two; time runs over [0, 1].
struct IntegerMotion {
  std::array<std::array<mpz_class, 3>, 4> start, end;
  mpz_class distance;
  std::size_t bits = 0;
};

struct Mantissa {
  mpz_class value;
  int exponent = 0;
};

Mantissa mantissa_of(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return {mpz_class(std::ldexp(fraction, 53)), exponent - 53};
}

// The exponent of the last one bit.
int lowest_exponent(const Mantissa& m) {
  if (sgn(m.value) == 0) return std::numeric_limits<int>::max();
  return m.exponent + static_cast<int>(mpz_scan1(m.value.get_mpz_t(), 0));
}

// m / 2^lowest, an integer.
mpz_class in_units(const Mantissa& m, int lowest) {
  if (sgn(m.value) == 0) return 0;
  if (m.exponent >= lowest) return shifted_left(m.value, static_cast<unsigned>(m.exponent - lowest));
  mpz_class r;
  mpz_tdiv_q_2exp(r.get_mpz_t(), m.value.get_mpz_t(), static_cast<unsigned>(lowest - m.exponent));
  return r;
}

IntegerMotion to_integers(FeaturePairKind pair, const LinearMotion4& motion, const Mantissa& distance,
                          double t_max) {
  IntegerMotion result;
  std::array<std::array<std::array<Mantissa, 3>, 4>, 2> m;
  int lowest = lowest_exponent(distance);
  for (int p = 0; p < point_count(pair); ++p) {
    for (int axis = 0; axis < 3; ++axis) {
      m[0][p][axis] = mantissa_of(motion.t0[p][axis]);
      m[1][p][axis] = mantissa_of(motion.t1[p][axis]);
      lowest = std::min({lowest, lowest_exponent(m[0][p][axis]), lowest_exponent(m[1][p][axis])});
    }
  }
  // With t_max = k / 2^s the end becomes 2^s start + k (end - start), in units smaller by 2^s.
  const mpq_class limit(t_max);
  const auto shift = static_cast<unsigned>(mpz_sizeinbase(limit.get_den_mpz_t(), 2) - 1);
  const mpz_class k = limit.get_num();
  for (int p = 0; p < point_count(pair); ++p) {
    for (int axis = 0; axis < 3; ++axis) {
      const mpz_class start = in_units(m[0][p][axis], lowest);
      const mpz_class end = in_units(m[1][p][axis], lowest);
      result.start[p][axis] = shifted_left(start, shift);
      result.end[p][axis] = result.start[p][axis] + k * (end - start);
      result.bits = std::max({result.bits, mpz_sizeinbase(result.start[p][axis].get_mpz_t(), 2),
                              mpz_sizeinbase(result.end[p][axis].get_mpz_t(), 2)});
    }
  }
  result.distance = shifted_left(in_units(distance, lowest), shift);
  return result;
}

// --- vectors of polynomials -------------------------------------------------------------------------------

template <typename Z>
struct MovingVector {
  std::array<Polynomial<Z>, 3> c;
  const Polynomial<Z>& operator[](int i) const { return c[static_cast<std::size_t>(i)]; }
};

template <typename Z>
MovingVector<Z> cross(const MovingVector<Z>& a, const MovingVector<Z>& b) {
  return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}

template <typename Z>
Polynomial<Z> dot(const MovingVector<Z>& a, const MovingVector<Z>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// --- pieces -----------------------------------------------------------------------------------------------

template <typename Z>
struct Inequalities {
  std::vector<Polynomial<Z>> nonnegative;
  std::vector<Polynomial<Z>> positive;
};

// Looks for the first time in [0, 1] of a union of pieces.
template <typename Z>
class Search {
 public:
  Search(FeaturePairKind pair, const IntegerMotion& motion, bool boolean_only)
      : boolean_only_(boolean_only),
        within_distance_(sgn(motion.distance) > 0),
        squared_distance_(mpz_class(motion.distance * motion.distance)) {
    for (int p = 0; p < point_count(pair); ++p) {
      for (std::size_t i = 0; i < 3; ++i) {
        start_[p][i] = Z(motion.start[p][i]);
        velocity_[p][i] = Z(mpz_class(motion.end[p][i] - motion.start[p][i]));
      }
    }
  }

  void run(FeaturePairKind pair) {
    switch (pair) {
      case FeaturePairKind::VertexFace:
        return vertex_face();
      case FeaturePairKind::EdgeEdge:
        return edge_edge();
      case FeaturePairKind::VertexEdge:
        return vertex_edge(0, 1, 2);
      case FeaturePairKind::VertexVertex:
        return vertex_vertex(0, 1);
    }
  }
  bool found() const { return found_; }
  FirstTime take() { return std::move(first_); }

 private:
  MovingVector<Z> between(int from, int to) const {
    MovingVector<Z> r;
    for (std::size_t i = 0; i < 3; ++i) {
      r.c[i] = Polynomial<Z>(Z(start_[to][i] - start_[from][i]), Z(velocity_[to][i] - velocity_[from][i]));
    }
    return r;
  }
  bool finished() const { return at_start_ || (boolean_only_ && found_); }

  // squared_distance * b - a >= 0
  Polynomial<Z> not_above(const Polynomial<Z>& a, const Polynomial<Z>& b) const {
    return squared_distance_ * b - a;
  }

  void vertex_vertex(int v, int w) {
    const MovingVector<Z> p = between(v, w);
    if (!within_distance_) {
      return piece({p[0], p[1], p[2]}, [] { return Inequalities<Z>{}; });
    }
    const Polynomial<Z> one(Z(1), Z(0));
    piece({}, [&] { return Inequalities<Z>{{not_above(dot(p, p), one)}, {}}; });
  }

  void vertex_edge(int v, int a, int b) {
    const MovingVector<Z> e = between(a, b), p = between(a, v);
    if (!within_distance_) {
      const MovingVector<Z> c = cross(e, p);
      return piece({c[0], c[1], c[2]}, [&] { return Inequalities<Z>{{-dot(p, between(b, v))}, {}}; });
    }
    piece({}, [&] {
      const MovingVector<Z> c = cross(e, p);
      const Polynomial<Z> along = dot(p, e), length = dot(e, e);
      return Inequalities<Z>{{along, length - along, not_above(dot(c, c), length)}, {length}};
    });
    if (!finished()) vertex_vertex(v, a);
    if (!finished()) vertex_vertex(v, b);
  }

  void vertex_face() {
    const MovingVector<Z> e01 = between(1, 2), e02 = between(1, 3), p0 = between(1, 0);
    const MovingVector<Z> n = cross(e01, e02);
    const Polynomial<Z> height = dot(n, p0);
    if (!within_distance_ && never_zero(height)) return;  // contact means coplanar
    plane_piece(n, height, [&](Inequalities<Z>& all) {
      all.nonnegative.push_back(dot(n, cross(e01, p0)));
      all.nonnegative.push_back(dot(n, cross(between(2, 3), between(2, 0))));
      all.nonnegative.push_back(dot(n, cross(between(3, 1), between(3, 0))));
    });
    for (int i = 0; i < 3 && !finished(); ++i) vertex_edge(0, 1 + i, 1 + (i + 1) % 3);
  }

  void edge_edge() {
    const MovingVector<Z> u = between(0, 1), w = between(2, 3), p = between(0, 2);
    const MovingVector<Z> n = cross(u, w);
    const Polynomial<Z> height = dot(n, p);
    if (!within_distance_ && never_zero(height)) return;
    plane_piece(n, height, [&](Inequalities<Z>& all) {
      const Polynomial<Z> along_a = dot(n, cross(p, w)), along_b = dot(n, cross(p, u));
      const Polynomial<Z> whole = dot(n, n);
      for (const Polynomial<Z>& along : {along_a, along_b}) {
        all.nonnegative.push_back(along);
        all.nonnegative.push_back(whole - along);
      }
    });
    if (!finished()) vertex_edge(0, 2, 3);
    if (!finished()) vertex_edge(1, 2, 3);
    if (!finished()) vertex_edge(2, 0, 1);
    if (!finished()) vertex_edge(3, 0, 1);
  }

  // The insides of the features, where the normal does not vanish.
  template <typename Sides>
  void plane_piece(const MovingVector<Z>& n, const Polynomial<Z>& height, Sides&& sides) {
    std::vector<Polynomial<Z>> equations;
    if (!within_distance_) equations.push_back(height);
    piece(equations, [&] {
      Inequalities<Z> all;
      all.positive.push_back(dot(n, n));
      if (within_distance_) all.nonnegative.push_back(not_above(height * height, all.positive.front()));
      sides(all);
      return all;
    });
  }

  // Certain not to vanish in [0, 1]; false when not known.
  static bool never_zero(const Polynomial<Z>& p) {
    return !p.is_zero() && sign_of(p[0]) != 0 && !p.may_have_root_in_unit_interval();
  }

  template <typename Build>
  void piece(const std::vector<Polynomial<Z>>& equations, Build&& build) {
    if (std::any_of(equations.begin(), equations.end(), never_zero)) return;
    Polynomial<Z> common;  // the greatest common divisor of the equations; zero: they always hold
    bool holds_at_start = true;
    for (const Polynomial<Z>& equation : equations) {
      if (equation.is_zero()) continue;
      holds_at_start = holds_at_start && sign_of(equation[0]) == 0;
      common = common.is_zero() ? equation : greatest_common_divisor(common, equation);
      if (common.degree() == 0) return;
    }
    if (!holds_at_start && never_zero(common)) return;
    const Inequalities<Z> all = build();
    if (holds_at_start && hold_at_start(all)) return start_found();
    if (!common.is_zero()) return first_root(common, all, nullptr);
    for (const Polynomial<Z>& boundary : all.nonnegative) {
      if (!finished()) first_root(boundary, all, &boundary);
    }
  }

  static bool hold_at_start(const Inequalities<Z>& all) {
    const auto at_least = [](const Polynomial<Z>& p, int least) {
      return (p.is_zero() ? 0 : sign_of(p[0])) >= least;
    };
    return std::all_of(all.nonnegative.begin(), all.nonnegative.end(),
                       [&](const auto& p) { return at_least(p, 0); }) &&
           std::all_of(all.positive.begin(), all.positive.end(),
                       [&](const auto& p) { return at_least(p, 1); });
  }

  // Adds the first root of f at which the inequalities hold; `known` is one that is zero at these roots.
  void first_root(const Polynomial<Z>& f, const Inequalities<Z>& all, const Polynomial<Z>* known) {
    visit_roots(f, [&](RealRoot<Z> root) {
      for (const Polynomial<Z>& p : all.nonnegative) {
        if (&p != known && root.sign_of_value(p) < 0) return false;
      }
      for (const Polynomial<Z>& p : all.positive) {
        if (root.sign_of_value(p) <= 0) return false;
      }
      found_ = true;
      if (!boolean_only_) add(root);
      return true;
    });
  }

  void add(const RealRoot<Z>& coarse) {
    RealRoot<mpz_class> root = coarse.in_gmp();
    while (!root.is_exact() && root.level() < bracket_bits) root.halve();
    FirstTime::Candidate candidate;
    candidate.lower = root.lower();
    candidate.upper = root.upper();
    if (!root.is_exact()) {
      const Polynomial<mpz_class>& f = root.polynomial();
      for (int i = 0; i <= f.degree(); ++i) candidate.polynomial.push_back(f[i]);
    }
    first_.add(std::move(candidate));
  }

  void start_found() {
    found_ = at_start_ = true;
    first_ = FirstTime();
    first_.add({});
  }

  std::array<std::array<Z, 3>, 4> start_, velocity_;
  bool boolean_only_;
  bool within_distance_;
  Z squared_distance_;
  bool found_ = false;
  bool at_start_ = false;
  FirstTime first_;
};

template <typename Z>
FirstTime search(FeaturePairKind pair, const IntegerMotion& motion, bool boolean_only, bool& found) {
  Search<Z> run(pair, motion, boolean_only);
  run.run(pair);
  found = run.found();
  return run.take();
}

FirstTime answer(FeaturePairKind pair, const IntegerMotion& motion, Arithmetic arithmetic, bool boolean_only,
                 bool& found) {
  if (arithmetic == Arithmetic::Automatic && motion.bits < 20) {
    try {
      return search<CheckedInt>(pair, motion, boolean_only, found);
    } catch (const IntegerOverflow&) {
    }
  }
  return search<mpz_class>(pair, motion, boolean_only, found);
}

int sign_at(const std::vector<mpz_class>& polynomial, const mpq_class& x) {
  mpq_class value = 0;
  for (auto c = polynomial.rbegin(); c != polynomial.rend(); ++c) value = value * x + mpq_class(*c);
  return sgn(value);
}

}  // namespace

void FirstTime::add(Candidate candidate) {
  if (!candidate.polynomial.empty()) candidate.lower_sign = sign_at(candidate.polynomial, candidate.lower);
  if (candidates_.empty() || candidate.lower < lower_) lower_ = candidate.lower;
  if (candidates_.empty() || candidate.upper < upper_) upper_ = candidate.upper;
  candidates_.push_back(std::move(candidate));
}

void FirstTime::set_t_max(const mpq_class& t_max) {
  lower_ *= t_max / t_max_;
  upper_ *= t_max / t_max_;
  t_max_ = t_max;
}

int FirstTime::compare(double t) const {
  const mpq_class x = mpq_class(t) / t_max_;
  int least = 1;
  for (const Candidate& c : candidates_) {
    int sign = 0;
    if (c.polynomial.empty() || x >= c.upper) {
      sign = c.polynomial.empty() ? cmp(c.upper, x) : -1;
    } else if (x <= c.lower) {
      sign = 1;
    } else {
      const int here = sign_at(c.polynomial, x);
      sign = here == 0 ? 0 : here == c.lower_sign ? 1 : -1;
    }
    least = std::min(least, (sign > 0) - (sign < 0));
  }
  return least;
}

bool features_touch(FeaturePairKind pair, const LinearMotion4& motion, double t_max, Arithmetic arithmetic) {
  bool found = false;
  answer(pair, to_integers(pair, motion, {}, t_max), arithmetic, true, found);
  return found;
}

FirstTime first_contact(FeaturePairKind pair, const LinearMotion4& motion, double t_max,
                        Arithmetic arithmetic) {
  bool found = false;
  FirstTime first = answer(pair, to_integers(pair, motion, {}, t_max), arithmetic, false, found);
  if (t_max > 0) first.set_t_max(mpq_class(t_max));
  return first;
}

FirstTime first_within(FeaturePairKind pair, const LinearMotion4& motion, const mpq_class& distance,
                       double t_max) {
  const Mantissa d{distance.get_num(), 1 - static_cast<int>(mpz_sizeinbase(distance.get_den_mpz_t(), 2))};
  bool found = false;
  FirstTime first = answer(pair, to_integers(pair, motion, d, t_max), Arithmetic::Gmp, false, found);
  if (t_max > 0) first.set_t_max(mpq_class(t_max));
  return first;
}

}  // namespace toccata::oracle
