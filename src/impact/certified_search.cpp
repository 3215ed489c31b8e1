#include "impact/certified_search.hpp"

#include <array>
#include <cmath>

#include "impact/filter_bounds.hpp"

namespace toccata::impact_filter {
namespace {

constexpr int most_subdivisions = 48;
constexpr double bracket_width = 1e-12;
constexpr double half_bracket = 0x1p-42;
constexpr double widest_half_bracket = 0.49e-12;

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

// +1 or -1 if all are beyond the error, with that sign; else 0.
inline int common_sign(double p, double q, double r, double error) {
  if (p > error && q > error && r > error) return 1;
  if (p < -error && q < -error && r < -error) return -1;
  return 0;
}

class Search {
 public:
  Search(const SearchInput& input, const SearchOptions& options) : options_(options) {
    const double* c = input.cubic;
    cubic_[0] = c[0];
    cubic_[1] = c[1] / 3.0;
    cubic_[2] = c[2] / 3.0;
    cubic_[3] = c[3];
    cubic_error_ = cubic_polar_error * (input.magnitude[0] * input.magnitude[1] * input.magnitude[2]);
    make_weights(input);
  }

  SearchResult run() {
    const Verdict verdict = visit(0.0, 1.0);
    SearchResult result;
    result.verdict = verdict;
    result.lower = verdict == Verdict::Contact ? lower_ : free_until_;
    result.upper = verdict == Verdict::Contact ? upper_ : 1.0;
    return result;
  }

 private:
  // The plane on which the normal is largest at mid-time: there the weights are best conditioned.
  static int best_plane(const SearchInput& in, bool edge_edge) {
    double e[3], f[3];
    for (int k = 0; k < 3; ++k) {
      const double a = in.a[0][k] + in.a[1][k], b = in.b[0][k] + in.b[1][k], c = in.c[0][k] + in.c[1][k];
      e[k] = edge_edge ? a : b - a;
      f[k] = edge_edge ? c - b : c - a;
    }
    double best = -1.0;
    int plane = 0;
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      const double n = std::abs(e[i] * f[j] - e[j] * f[i]);
      if (n > best) {
        best = n;
        plane = k;
      }
    }
    return plane;
  }

  static void quadratic(const double u[2][3], const double w[2][3], int i, int j, double sign, double* q) {
    q[0] = sign * (u[0][i] * w[0][j] - u[0][j] * w[0][i]);
    q[1] = sign * 0.5 * ((u[0][i] * w[1][j] - u[0][j] * w[1][i]) + (u[1][i] * w[0][j] - u[1][j] * w[0][i]));
    q[2] = sign * (u[1][i] * w[1][j] - u[1][j] * w[1][i]);
  }

  void make_weights(const SearchInput& in) {
    const int plane = best_plane(in, options_.edge_edge);
    const int i = (plane + 1) % 3, j = (plane + 2) % 3;
    const double sign = options_.edge_edge ? -1.0 : 1.0;
    quadratic(in.b, in.c, i, j, 1.0, weights_[0]);
    quadratic(in.c, in.a, i, j, sign, weights_[1]);
    quadratic(in.a, in.b, i, j, sign, weights_[2]);
    weight_count_ = 3;
    const double area = in.magnitude[i] * in.magnitude[j];
    weight_error_[0] = weight_error_[1] = weight_error_[2] = quadratic_polar_error * area;
    if (options_.edge_edge) {
      weight_count_ = 4;
      for (int n = 0; n < 3; ++n) weights_[3][n] = (weights_[1][n] + weights_[2][n]) - weights_[0][n];
      weight_error_[3] = quadratic_sum_polar_error * area;
    }
  }

  enum class Side : std::uint8_t { Outside, Inside, Unknown };

  // Whether the weights exclude or guarantee contact wherever F = 0 in [l, r].
  Side side(double l, double r) const {
    bool positive = false, negative = false, unknown = false;
    for (int n = 0; n < weight_count_; ++n) {
      const double* q = weights_[n];
      const double l0 = mix(q[0], q[1], l), l1 = mix(q[1], q[2], l);
      const double r0 = mix(q[0], q[1], r), r1 = mix(q[1], q[2], r);
      const int s = common_sign(mix(l0, l1, l), mix(l0, l1, r), mix(r0, r1, r), weight_error_[n]);
      positive |= s > 0;
      negative |= s < 0;
      unknown |= s == 0;
      if (positive && negative) return Side::Outside;
    }
    return unknown ? Side::Unknown : Side::Inside;
  }

  // Looks for the first contact in [l, r]; everything before l is proven free.
  Verdict visit(double l, double r) {
    if (l > options_.t_max) return Verdict::Separated;
    if (options_.budget > 0 && subdivisions_ >= options_.budget) return Verdict::OutOfBudget;
    if (++subdivisions_ > most_subdivisions) return Verdict::Undecided;
    const CubicPolars p = polars(cubic_, l, r);
    const double e = cubic_error_;
    if ((p.lll > e && p.llr > e && p.lrr > e && p.rrr > e) ||
        (p.lll < -e && p.llr < -e && p.lrr < -e && p.rrr < -e)) {
      return pass(r);
    }
    const Side where = side(l, r);
    if (where == Side::Outside) return pass(r);
    const bool changes = (p.lll > e && p.rrr < -e) || (p.lll < -e && p.rrr > e);
    const bool enough = (options_.boolean_only && r <= options_.t_max) || r - l <= bracket_width;
    if (changes && where == Side::Inside && enough) {
      lower_ = l;
      upper_ = r;
      return Verdict::Contact;
    }
    if (r - l <= bracket_width) return Verdict::Undecided;
    return (p.lll > 0) != (p.rrr > 0) ? split_at_root(l, r, p) : split_at_extremum(l, r, p);
  }

  Verdict pass(double r) {
    free_until_ = r;
    return Verdict::Separated;
  }

  Verdict visit_two(double l, double m, double r) {
    const Verdict first = visit(l, m);
    return first == Verdict::Separated ? visit(m, r) : first;
  }

  Verdict split_at_root(double l, double r, const CubicPolars& p) {
    const double w = r - l;
    // Newton's method kept inside the shrinking bracket, on [0, 1] of this interval.
    const double d1 = p.llr - p.lll, d2 = p.lrr - p.llr, d3 = p.rrr - p.lrr;
    const double c0 = p.lll, c1 = 3.0 * d1, c2 = 3.0 * (d2 - d1), c3 = d3 - 2.0 * d2 + d1;
    double low = 0.0, high = 1.0, t = c0 / (c0 - p.rrr), slope = 0.0;
    for (int i = 0; i < 40; ++i) {
      const double value = ((c3 * t + c2) * t + c1) * t + c0;
      slope = (3.0 * c3 * t + 2.0 * c2) * t + c1;
      ((value > 0) == (c0 > 0) ? low : high) = t;
      double next = t - value / slope;
      if (!(next > low && next < high)) next = 0.5 * (low + high);
      const double step = std::abs(next - t);
      t = next;
      if (step * w < 0x1p-46 || high - low <= 0x1p-52) break;
    }
    const double needed = slope == 0.0 ? 0.25 : 2.0 * cubic_error_ * w / std::abs(slope);
    double reach = needed < half_bracket ? half_bracket : needed;
    if (reach > widest_half_bracket) {
      if (!options_.boolean_only && reach < 1e-9) return Verdict::Undecided;  // the bracket needs more digits
      reach *= 2.0;
    }
    const double centre = l + t * w, m0 = centre - reach, m1 = centre + reach;
    if (m0 > l && m1 < r) {
      const Verdict first = visit_two(l, m0, m1);
      return first == Verdict::Separated ? visit(m1, r) : first;
    }
    if (m0 > l) return visit_two(l, m0, r);
    if (m1 < r) return visit_two(l, m1, r);
    return visit_two(l, l + 0.5 * w, r);
  }

  Verdict split_at_extremum(double l, double r, const CubicPolars& p) {
    const double q0 = p.llr - p.lll, q1 = p.lrr - p.llr, q2 = p.rrr - p.lrr;
    const double a = q0 - 2.0 * q1 + q2, h = q1 - q0;
    const double disc = h * h - a * q0;
    double t = 0.5;
    if (disc >= 0.0) {
      const double w = -(h + std::copysign(std::sqrt(disc), h));
      // Of the two critical points the one towards zero: a minimum of |F|.
      for (const double candidate : {w / a, q0 / w}) {
        if (!(candidate > 0.01 && candidate < 0.99)) continue;
        const double curvature = h + a * candidate;
        if ((curvature > 0) == (p.lll > 0)) t = candidate;
      }
    }
    return visit_two(l, l + t * (r - l), r);
  }

  SearchOptions options_;
  double cubic_[4];
  double cubic_error_;
  double weights_[4][3];
  double weight_error_[4];
  int weight_count_;
  double lower_ = 0.0, upper_ = 1.0, free_until_ = 0.0;
  std::int64_t subdivisions_ = 0;
};

}  // namespace

SearchResult certified_search(const SearchInput& input, const SearchOptions& options) {
  return Search(input, options).run();
}

}  // namespace toccata::impact_filter
