#include "impact/certified_search.hpp"

#include <array>
#include <cmath>

#include "impact/filter_bounds.hpp"

namespace toccata::impact {
namespace {

// Then the integers are cheaper. Not a budget: whatever is left undecided here is decided by them.
constexpr int most_subdivisions = 48;

inline double mix(double x, double y, double t) {
  return (1.0 - t) * x + t * y;
}

struct CubicPolars {
  double lll, llr, lrr, rrr;
};

// The Bernstein coefficients of the cubic on [l, r].
inline CubicPolars polars(const double* b, double l, double r) {
  const double x0 = mix(b[0], b[1], l), x1 = mix(b[1], b[2], l), x2 = mix(b[2], b[3], l);
  const double y0 = mix(b[0], b[1], r), y1 = mix(b[1], b[2], r), y2 = mix(b[2], b[3], r);
  const double ll0 = mix(x0, x1, l), ll1 = mix(x1, x2, l);
  const double lr0 = mix(x0, x1, r), lr1 = mix(x1, x2, r);
  const double rr0 = mix(y0, y1, r), rr1 = mix(y1, y2, r);
  return {mix(ll0, ll1, l), mix(ll0, ll1, r), mix(lr0, lr1, r), mix(rr0, rr1, r)};
}

// All coefficients beyond the error with one sign: F does not vanish (docs/notes/impact_bounds.md, polar
// value).
inline bool one_signed(const CubicPolars& p, double e) {
  return (p.lll > e && p.llr > e && p.lrr > e && p.rrr > e) ||
         (p.lll < -e && p.llr < -e && p.lrr < -e && p.rrr < -e);
}

// A lower bound, in [0, 1], of where the hull of four control points that start above zero reaches zero.
// Every such place is on the line between a point above and a later point not above.
inline double first_zero(const double* q) {
  double first = 1.0;
  for (int i = 0; i < 3; ++i) {
    if (!(q[i] > 0.0)) continue;
    for (int j = i + 1; j < 4; ++j) {
      if (q[j] > 0.0) continue;
      const double t = (i + (j - i) * (q[i] / (q[i] - q[j]))) * (1.0 / 3.0);
      if (t < first) first = t;
    }
  }
  return first - 0x1p-50;  // covers the five roundings above
}

// +1 or -1 if all are beyond the error, with that sign; else 0.
inline int common_sign(double p, double q, double r, double error) {
  if (p > error && q > error && r > error) return 1;
  if (p < -error && q < -error && r < -error) return -1;
  return 0;
}

class Search {
 public:
  Search(const SearchInput& input, const SearchOptions& options) : options_(options), in_(input) {}

  SearchResult run() {
    const Verdict verdict = visit({0.0, 1.0, false});
    SearchResult result;
    result.verdict = verdict;
    result.lower = verdict == Verdict::Contact ? lower_ : free_until_;
    result.upper = verdict == Verdict::Contact ? upper_ : 1.0;
    if (verdict == Verdict::Undecided && wide_) {
      result.only_wide = true;
      result.lower = lower_;
      result.upper = upper_;
    }
    return result;
  }

 private:
  enum class Side : std::uint8_t { Outside, Inside, Unknown };

  // Whether the weights exclude or guarantee contact wherever F = 0 in [l, r].
  Side side(double l, double r) const {
    bool positive = false, negative = false, unknown = false;
    const int weight_count = options_.edge_edge ? 4 : 3;
    for (int n = 0; n < weight_count; ++n) {
      const double* q = in_.weights[n];
      const double l0 = mix(q[0], q[1], l), l1 = mix(q[1], q[2], l);
      const double r0 = mix(q[0], q[1], r), r1 = mix(q[1], q[2], r);
      const int s = common_sign(mix(l0, l1, l), mix(l0, l1, r), mix(r0, r1, r), in_.weight_error[n]);
      positive |= s > 0;
      negative |= s < 0;
      unknown |= s == 0;
      if (positive && negative) return Side::Outside;
    }
    return unknown ? Side::Unknown : Side::Inside;
  }

  struct Part {
    double l, r;
    bool has_root;  // proven: F vanishes somewhere in [l, r]
  };

  // Cuts off the ends of [l, r] where the control polygon proves F nonzero (Bezier clipping).
  Part clipped(const Part& part, const CubicPolars& p) const {
    const double e = in_.cubic_error, w = part.r - part.l;
    Part out = part;
    if (p.lll > e || p.lll < -e) {
      const double s = p.lll > 0.0 ? 1.0 : -1.0;
      const double q[4] = {s * p.lll - e, s * p.llr - e, s * p.lrr - e, s * p.rrr - e};
      const double l = (part.l + first_zero(q) * w) - 0x1p-52;
      if (l > part.l) out.l = l;
    }
    if (p.rrr > e || p.rrr < -e) {
      const double s = p.rrr > 0.0 ? 1.0 : -1.0;
      const double q[4] = {s * p.rrr - e, s * p.lrr - e, s * p.llr - e, s * p.lll - e};
      const double r = (part.r - first_zero(q) * w) + 0x1p-52;
      if (r < part.r) out.r = r;
    }
    return out;
  }

  // Looks for the first contact in [part.l, part.r]; everything before is proven free.
  Verdict visit(Part part) {
    const double end = part.r;
    for (;;) {
      if (part.l > options_.t_max) return Verdict::Separated;
      if (options_.budget > 0 && subdivisions_ >= options_.budget) return Verdict::OutOfBudget;
      if (++subdivisions_ > most_subdivisions) return Verdict::Undecided;
      // Over the whole step the coefficients are those given, without the roundings of de Casteljau's scheme.
      const CubicPolars p = part.l == 0.0 && part.r == 1.0
                                ? CubicPolars{in_.cubic[0], in_.cubic[1], in_.cubic[2], in_.cubic[3]}
                                : polars(in_.cubic, part.l, part.r);
      const double e = in_.cubic_error;
      if (one_signed(p, e)) return pass(end);
      // Opposite signs at the ends, both certain; what is clipped off has no root, so one is left.
      part.has_root |= (p.lll > e && p.rrr < -e) || (p.lll < -e && p.rrr > e);
      const Part next = clipped(part, p);
      free_until_ = next.l;
      const Side where = side(next.l, next.r);
      if (where == Side::Outside) return pass(end);
      // All weights have one sign and F vanishes somewhere: a contact, and the first one, since everything
      // before next.l is free.
      wide_ = false;
      if (part.has_root && where == Side::Inside) {
        lower_ = next.l;
        upper_ = next.r;
        if ((options_.boolean_only && next.r <= options_.t_max) || next.r - next.l <= bracket_width) {
          return Verdict::Contact;
        }
        wide_ = true;
      }
      // Narrow, and still not decided: more halving would only meet the same errors.
      if (next.r - next.l <= 0.5 * bracket_width) return Verdict::Undecided;
      if (next.r - next.l > 0.5 * (part.r - part.l)) return split(next, end);
      part = next;
    }
  }

  Verdict pass(double r) {
    free_until_ = r;
    return Verdict::Separated;
  }

  // Halves the part, near the middle, where F is provably not zero: a root at the cut would belong to neither
  // half for certain.
  Verdict split(const Part& part, double end) {
    const double w = part.r - part.l;
    for (const double share : {0.5, 0.41, 0.59}) {
      const double m = part.l + share * w;
      const CubicPolars p = polars(in_.cubic, m, m);
      if (p.lll <= in_.cubic_error && p.lll >= -in_.cubic_error) continue;
      const Verdict first = visit({part.l, m, false});
      if (first != Verdict::Separated) return first;
      const Verdict second = visit({m, part.r, false});
      return second == Verdict::Separated ? pass(end) : second;
    }
    return Verdict::Undecided;
  }

  SearchOptions options_;
  const SearchInput& in_;
  double lower_ = 0.0, upper_ = 1.0, free_until_ = 0.0;
  bool wide_ = false;  // the last part looked at is only too wide
  std::int64_t subdivisions_ = 0;
};

}  // namespace

SearchResult certified_search(const SearchInput& input, const SearchOptions& options) {
  return Search(input, options).run();
}

}  // namespace toccata::impact
