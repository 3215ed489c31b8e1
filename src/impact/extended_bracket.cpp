#include "impact/extended_bracket.hpp"

#include "elementary/double_pair.hpp"
#include "impact/coplanarity-inl.hpp"
#include "impact/filter_bounds.hpp"

namespace toccata::impact_filter {
namespace {

namespace kernel = HWY_NAMESPACE;
using elementary::DoublePair;
using elementary::exact_difference;

// A cubic in Bernstein form.
struct ExtendedCubic {
  DoublePair c[4];

  // The polar value at r, s, t.
  DoublePair at(double r, double s, double t) const {
    const DoublePair p0 = mix(c[0], c[1], r), p1 = mix(c[1], c[2], r), p2 = mix(c[2], c[3], r);
    return mix(mix(p0, p1, s), mix(p1, p2, s), t);
  }
  DoublePair at(double t) const { return at(t, t, t); }

  double slope(double t) const {
    const double s = 1.0 - t;
    const double d0 = c[1].high - c[0].high, d1 = c[2].high - c[1].high, d2 = c[3].high - c[2].high;
    return 3.0 * (s * (s * d0 + t * d1) + t * (s * d1 + t * d2));
  }

 private:
  static DoublePair mix(const DoublePair& x, const DoublePair& y, double t) {
    return exact_difference(1.0, t) * x + DoublePair{t, 0.0} * y;
  }
};

// Three times F, so that nothing is divided.
ExtendedCubic cubic_of(const LinearMotion4& motion) {
  kernel::RelativeMotion<DoublePair> m;
  for (int k = 0; k < 3; ++k) {
    const auto relative = [k](const auto& points, int i) {
      return exact_difference(points[i][k], points[0][k]);
    };
    m.a0[k] = relative(motion.t0, 1);
    m.b0[k] = relative(motion.t0, 2);
    m.c0[k] = relative(motion.t0, 3);
    m.a1[k] = relative(motion.t1, 1);
    m.b1[k] = relative(motion.t1, 2);
    m.c1[k] = relative(motion.t1, 3);
  }
  const kernel::Cubic<DoublePair> f = kernel::coplanarity(m);
  const DoublePair three{3.0, 0.0};
  return {{three * f.c[0], f.c[1], f.c[2], three * f.c[3]}};
}

}  // namespace

SearchResult narrow_bracket(const LinearMotion4& motion, const double* magnitude, const SearchResult& wide,
                            double guess) {
  SearchResult out = wide;
  out.verdict = Verdict::Undecided;
  const ExtendedCubic f = cubic_of(motion);
  const double e = extended_cubic_error * ((magnitude[0] * magnitude[1]) * magnitude[2]);
  for (int step = 0; step < 2; ++step) guess -= f.at(guess).high / f.slope(guess);
  const double l = wide.lower, a = guess - 0.45 * bracket_width, b = guess + 0.45 * bracket_width;
  if (!(a > l && b < wide.upper)) return out;
  const int before = sign_beyond(f.at(l), e);
  const bool free = before != 0 && sign_beyond(f.at(l, l, a), e) == before &&
                    sign_beyond(f.at(l, a, a), e) == before && sign_beyond(f.at(a), e) == before;
  if (!free || sign_beyond(f.at(b), e) != -before) return out;
  return {Verdict::Contact, a, b, false, true};
}

}  // namespace toccata::impact_filter
