// Tries to break the error bounds of the floating-point filters (docs/notes/impact_bounds.md): random,
// near-degenerate and hill-climbing inputs, compared with rational arithmetic.
#include <gmpxx.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "impact/filter_bounds.hpp"
#include "impact/root_bracket-inl.hpp"
#include "toccata/base/random.hpp"

namespace toccata::impact {
namespace {

namespace kernel = HWY_NAMESPACE;
using Rational = mpq_class;
using Inputs = std::array<double, 24>;

struct Exact {
  Rational cubic[4];         // Bernstein coefficients of F
  Rational quadratic[4][3];  // of the weights on one plane, as the search orders them
};

Exact exact_coefficients(const Inputs& x, bool edge_edge, int plane) {
  Rational v[3][2][3];  // a, b, c at both ends
  for (int e = 0; e < 2; ++e) {
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k)
        v[i][e][k] = Rational(x[12 * e + 3 * (i + 1) + k]) - Rational(x[12 * e + k]);
    }
  }
  const auto determinant = [&](int i, int j, int l) {
    const auto& a = v[0][i];
    const auto& b = v[1][j];
    const auto& c = v[2][l];
    return Rational(a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                    a[2] * (b[0] * c[1] - b[1] * c[0]));
  };
  Exact out;
  out.cubic[0] = determinant(0, 0, 0);
  out.cubic[1] = (determinant(1, 0, 0) + determinant(0, 1, 0) + determinant(0, 0, 1)) / 3;
  out.cubic[2] = (determinant(1, 1, 0) + determinant(1, 0, 1) + determinant(0, 1, 1)) / 3;
  out.cubic[3] = determinant(1, 1, 1);
  const int i = (plane + 1) % 3, j = (plane + 2) % 3;
  const auto cross = [&](int p, int ep, int q, int eq) {
    return Rational(v[p][ep][i] * v[q][eq][j] - v[p][ep][j] * v[q][eq][i]);
  };
  const int first[3] = {1, 2, 0}, second[3] = {2, 0, 1};
  for (int n = 0; n < 3; ++n) {
    const int sign = edge_edge && n > 0 ? -1 : 1;
    out.quadratic[n][0] = sign * cross(first[n], 0, second[n], 0);
    out.quadratic[n][1] = sign * (cross(first[n], 0, second[n], 1) + cross(first[n], 1, second[n], 0)) / 2;
    out.quadratic[n][2] = sign * cross(first[n], 1, second[n], 1);
  }
  for (int k = 0; k < 3; ++k) {
    out.quadratic[3][k] = out.quadratic[1][k] + out.quadratic[2][k] - out.quadratic[0][k];
  }
  return out;
}

Rational blossom(const Rational* b, int degree, std::initializer_list<double> at) {
  std::array<Rational, 4> w;
  for (int i = 0; i <= degree; ++i) w[i] = b[i];
  int n = degree;
  for (const double t : at) {
    for (int i = 0; i < n; ++i) w[i] = (1 - Rational(t)) * w[i] + Rational(t) * w[i + 1];
    --n;
  }
  return w[0];
}

double share(double computed, const Rational& exact, double bound) {
  if (bound == 0.0) return computed == 0.0 && exact == 0 ? 0.0 : INFINITY;
  const Rational difference = abs(Rational(computed) - exact) / Rational(bound);
  return difference.get_d();
}

constexpr int shares = 7;

struct Shares {
  double cubic_end = 0, cubic_inner = 0, cubic_polar = 0, quadratic = 0, quadratic_sum = 0;
  double single_end = 0, single_inner = 0;
  double& operator[](int i) { return *(&cubic_end + i); }
};

int plane_of(const kernel::RelativeMotion<double>& m, bool edge_edge) {
  double e[3], f[3], best = -1.0;
  int plane = 0;
  for (int k = 0; k < 3; ++k) {
    const double a = m.a0[k] + m.a1[k], b = m.b0[k] + m.b1[k], c = m.c0[k] + m.c1[k];
    e[k] = edge_edge ? a : b - a;
    f[k] = edge_edge ? c - b : c - a;
  }
  for (int k = 0; k < 3; ++k) {
    const double n = std::abs(e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3]);
    if (n > best) {
      best = n;
      plane = k;
    }
  }
  return plane;
}

// The coefficients in single precision, from differences in double precision, as a batch computes them.
void add_single_shares(const kernel::RelativeMotion<double>& m, const Exact& exact, const double* magnitude,
                       Shares& out) {
  namespace hn = hwy::HWY_NAMESPACE;
  using Tag = hn::ScalableTag<float>;
  kernel::RelativeMotion<hn::Vec<Tag>> single;
  const auto* from = reinterpret_cast<const double(*)[3]>(&m);
  auto* to = reinterpret_cast<hn::Vec<Tag>(*)[3]>(&single);
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < 3; ++k) to[i][k] = hn::Set(Tag(), static_cast<float>(from[i][k]));
  }
  const auto f = kernel::coplanarity(single);
  float volume = static_cast<float>(magnitude[0]) * static_cast<float>(magnitude[1]);
  volume *= static_cast<float>(magnitude[2]);
  for (int i = 0; i < 4; ++i) {
    const bool is_end = i == 0 || i == 3;
    const double bound = static_cast<float>(is_end ? single_end_error : single_inner_error) * volume;
    const Rational truth = is_end ? exact.cubic[i] : Rational(3 * exact.cubic[i]);
    double& worst = is_end ? out.single_end : out.single_inner;
    worst = std::max(worst, share(static_cast<double>(hn::GetLane(f.c[i])), truth, bound));
  }
}

// How much of each bound the error uses up: never more than 1.
Shares used_shares(const Inputs& x, bool edge_edge, double l, double r) {
  kernel::RelativeMotion<double> m;
  kernel::AxisRange<double> range;
  const kernel::OneQuery query{x.data()};
  kernel::SearchTerms<double> terms;
  if (edge_edge) {
    kernel::relative_motion<true>(query, m, range);
    kernel::make_terms<true>(m, kernel::coplanarity(m), range.magnitude, terms);
  } else {
    kernel::relative_motion<false>(query, m, range);
    kernel::make_terms<false>(m, kernel::coplanarity(m), range.magnitude, terms);
  }
  const int plane = plane_of(m, edge_edge);
  const Exact exact = exact_coefficients(x, edge_edge, plane);
  const kernel::Cubic<double> f = kernel::coplanarity(m);
  const double volume = range.magnitude[0] * range.magnitude[1] * range.magnitude[2];
  Shares out;
  out.cubic_end = std::max(share(f.c[0], exact.cubic[0], cubic_end_error * volume),
                           share(f.c[3], exact.cubic[3], cubic_end_error * volume));
  out.cubic_inner = std::max(share(f.c[1], 3 * exact.cubic[1], cubic_inner_error * volume),
                             share(f.c[2], 3 * exact.cubic[2], cubic_inner_error * volume));
  if (kernel::magnitudes_between(range.magnitude, smallest_single_magnitude, largest_single_magnitude)) {
    add_single_shares(m, exact, range.magnitude, out);
  }
  // Polar values of the cubic and of the weights, as the searches compute them.
  const auto polar = [](double p, double q, double t) { return kernel::mix(p, q, t, 1.0 - t); };
  const double* b = terms.cubic;
  const double computed_cubic[4] = {polar(polar(polar(b[0], b[1], l), polar(b[1], b[2], l), l),
                                          polar(polar(b[1], b[2], l), polar(b[2], b[3], l), l), l),
                                    polar(polar(polar(b[0], b[1], l), polar(b[1], b[2], l), l),
                                          polar(polar(b[1], b[2], l), polar(b[2], b[3], l), l), r),
                                    polar(polar(polar(b[0], b[1], l), polar(b[1], b[2], l), r),
                                          polar(polar(b[1], b[2], l), polar(b[2], b[3], l), r), r),
                                    polar(polar(polar(b[0], b[1], r), polar(b[1], b[2], r), r),
                                          polar(polar(b[1], b[2], r), polar(b[2], b[3], r), r), r)};
  const Rational true_cubic[4] = {blossom(exact.cubic, 3, {l, l, l}), blossom(exact.cubic, 3, {l, l, r}),
                                  blossom(exact.cubic, 3, {l, r, r}), blossom(exact.cubic, 3, {r, r, r})};
  for (int i = 0; i < 4; ++i) {
    out.cubic_polar = std::max(out.cubic_polar, share(computed_cubic[i], true_cubic[i], terms.cubic_error));
  }
  for (int n = 0; n < (edge_edge ? 4 : 3); ++n) {
    const double* q = terms.weights.q[n];
    const double computed[3] = {polar(polar(q[0], q[1], l), polar(q[1], q[2], l), l),
                                polar(polar(q[0], q[1], l), polar(q[1], q[2], l), r),
                                polar(polar(q[0], q[1], r), polar(q[1], q[2], r), r)};
    const Rational truth[3] = {blossom(exact.quadratic[n], 2, {l, l}), blossom(exact.quadratic[n], 2, {l, r}),
                               blossom(exact.quadratic[n], 2, {r, r})};
    for (int i = 0; i < 3; ++i) {
      double& worst = n == 3 ? out.quadratic_sum : out.quadratic;
      worst = std::max(worst, share(computed[i], truth[i], terms.weights.error[n]));
    }
  }
  return out;
}

Inputs random_inputs(Random& random) {
  Inputs x;
  const int kind = random.integer(0, 5);
  const double offset = kind == 1 ? 1e6 : 0.0;
  for (int i = 0; i < 24; ++i) {
    x[i] = offset + random.uniform(-1.0, 1.0);
    if (kind == 2 && i % 3 == 2) x[i] *= 1e-9;
    if (kind == 3) x[i] = std::ldexp(random.uniform(-1.0, 1.0), random.integer(-40, 40));
    if (kind == 5) x[i] = std::ldexp(random.uniform(-1.0, 1.0), random.integer(-60, -35));
    if (kind == 4) x[i] = (random.integer(0, 1) == 1 ? 1.0 : -1.0) * (1.0 + random.unit() * 0x1p-20);
  }
  return x;
}

TEST(FilterBounds, hold_on_random_and_climbing_inputs) {
  Random random(3);
  Shares worst;
  for (int round = 0; round < 3000; ++round) {
    const Inputs x = random_inputs(random);
    double l = random.unit(), r = random.unit();
    if (l > r) std::swap(l, r);
    if (random.integer(0, 3) == 0) r = std::min(1.0, l + 1e-12);
    Shares s = used_shares(x, round % 2 == 1, l, r);
    for (int i = 0; i < shares; ++i) worst[i] = std::max(worst[i], s[i]);
  }
  // From corners of the cube, where the bounds are tightest, climb towards larger errors.
  for (int climb = 0; climb < 14; ++climb) {
    Inputs x;
    for (double& value : x) value = (random.integer(0, 1) == 1 ? 1.0 : -1.0) * (1.0 - 0.1 * random.unit());
    const int goal = climb % shares;
    const double l = random.unit() * 0.5, r = 0.5 + random.unit() * 0.5;
    double best = 0.0;
    for (int step = 0; step < 400; ++step) {
      Inputs y = x;
      for (int change = random.integer(1, 4); change > 0; --change) {
        double& value = y[random.integer(0, 23)];
        value = random.integer(0, 1) == 1 ? value * (1.0 + random.uniform(-1e-3, 1e-3))
                                          : random.uniform(-1.0, 1.0);
      }
      Shares s = used_shares(y, goal == 4 || climb % 2 == 1, l, r);
      for (int i = 0; i < shares; ++i) worst[i] = std::max(worst[i], s[i]);
      if (s[goal] >= best) {
        best = s[goal];
        x = y;
      }
    }
  }
  const char* names[shares] = {"cubic end",     "cubic inner", "cubic polar", "quadratic",
                               "quadratic sum", "single end",  "single inner"};
  for (int i = 0; i < shares; ++i) {
    RecordProperty(names[i], std::to_string(worst[i]));
    EXPECT_LT(worst[i], 1.0) << names[i];
    EXPECT_GT(worst[i], 0.004) << names[i] << ": the test does not come near the bound it should try";
  }
}

}  // namespace
}  // namespace toccata::impact
