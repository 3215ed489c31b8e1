#include "impact/polynomial.hpp"

#include <algorithm>
#include <cmath>

#include "toccata/base/tolerances.hpp"

namespace toccata::impact {
namespace {

const TimePoint start{Integer(0), Integer(1)};
const TimePoint end{Integer(1), Integer(0)};

int variations(const Polynomial& p) {
  int count = 0, last = 0;
  for (int i = 0; i <= p.degree; ++i) {
    const int s = p.c[i].sign();
    if (s != 0 && last != 0 && s != last) ++count;
    if (s != 0) last = s;
  }
  return count;
}

int first_sign(const Polynomial& p) {
  for (int i = 0; i <= p.degree; ++i) {
    if (!p.c[i].is_zero()) return p.c[i].sign();
  }
  return 0;
}

// The homogeneous form at (x : y); its sign is that of p.
Integer value_at(const Polynomial& p, const TimePoint& t) {
  Integer value = p.c[p.degree];
  Integer power(1);
  for (int i = p.degree - 1; i >= 0; --i) {
    power = power * t.y;
    value = value * t.x + p.c[i] * power;
  }
  return value;
}

// p on the open interval (l, r), written over that interval in the same homogeneous form.
Polynomial restricted(const Polynomial& p, const TimePoint& l, const TimePoint& r) {
  Polynomial q;
  q.degree = p.degree;
  const auto& c = p.c;
  switch (p.degree) {
    case 0:
      q.c[0] = c[0];
      break;
    case 1:
      q.c[0] = c[0] * l.y + c[1] * l.x;
      q.c[1] = c[0] * r.y + c[1] * r.x;
      break;
    case 2: {
      q.c[0] = (c[0] * l.y + c[1] * l.x) * l.y + c[2] * (l.x * l.x);
      q.c[1] = ((c[0] * (l.y * r.y) + c[2] * (l.x * r.x)) << 1) + c[1] * (l.x * r.y + l.y * r.x);
      q.c[2] = (c[0] * r.y + c[1] * r.x) * r.y + c[2] * (r.x * r.x);
      break;
    }
    default: {
      // Polar form B(u, v, w): the coefficients are B(lll), 3 B(llr), 3 B(lrr), B(rrr).
      const Integer three(3);
      const Integer lxx = l.x * l.x, lxy = l.x * l.y, lyy = l.y * l.y;
      const Integer rxx = r.x * r.x, rxy = r.x * r.y, ryy = r.y * r.y;
      const auto value = [&](const Integer& xx, const Integer& xy, const Integer& yy, const TimePoint& t) {
        return (c[0] * yy + c[1] * xy) * t.y + (c[2] * xy + c[3] * xx) * t.x;
      };
      const auto polar = [&](const Integer& xx, const Integer& xy, const Integer& yy, const TimePoint& t) {
        const Integer twice = xy << 1;
        return c[0] * (three * (yy * t.y)) + c[1] * (yy * t.x + twice * t.y) +
               c[2] * (twice * t.x + xx * t.y) + c[3] * (three * (xx * t.x));
      };
      q.c[0] = value(lxx, lxy, lyy, l);
      q.c[1] = polar(lxx, lxy, lyy, r);
      q.c[2] = polar(rxx, rxy, ryy, l);
      q.c[3] = value(rxx, rxy, ryy, r);
    }
  }
  return q;
}

// The pseudo-remainder of stripped polynomials, degree(p) >= degree(q) >= 1, stripped again; degree -1 if
// it is zero.
Polynomial remainder(Polynomial p, const Polynomial& q) {
  const Integer& lead = q.c[q.degree];
  while (p.degree >= q.degree) {
    const Integer top = p.c[p.degree];
    const int shift = p.degree - q.degree;
    for (int i = 0; i < p.degree; ++i) p.c[i] = p.c[i] * lead;
    for (int i = 0; i < q.degree; ++i) p.c[i + shift] -= top * q.c[i];
    --p.degree;
    while (p.degree >= 0 && p.c[p.degree].is_zero()) --p.degree;
  }
  if (p.degree < 0) return p;
  return stripped(p);
}

// Both stripped. Degree 0: no common root away from the ends of [0, 1].
Polynomial greatest_common_divisor(Polynomial p, Polynomial q) {
  if (p.degree < q.degree) std::swap(p, q);
  while (q.degree > 0) {
    Polynomial r = remainder(p, q);
    if (r.degree < 0) return q;
    p = std::move(q);
    q = std::move(r);
  }
  return q;
}

// The coefficients as doubles over one common power of two; good to a relative 2^-52 each unless they are
// negligible beside the largest.
std::array<double, 4> approximate(const Polynomial& p) {
  std::array<Integer::Scaled, 4> scaled{};
  std::int64_t top = INT64_MIN;
  for (int i = 0; i <= p.degree; ++i) {
    scaled[i] = p.c[i].to_scaled();
    if (scaled[i].mantissa != 0.0) top = std::max(top, scaled[i].exponent);
  }
  std::array<double, 4> d{};
  for (int i = 0; i <= p.degree; ++i) {
    const std::int64_t shift = scaled[i].exponent - top;
    d[i] = shift < -900 ? 0.0 : std::ldexp(scaled[i].mantissa, static_cast<int>(shift));
  }
  return d;
}

double evaluate(const std::array<double, 4>& d, int degree, double t) {
  double value = 0.0, power = 1.0;
  const double s = 1.0 - t;
  for (int i = 0; i <= degree; ++i) {
    double term = d[i] * power;
    for (int j = i; j < degree; ++j) term *= s;
    value += term;
    power *= t;
  }
  return value;
}

constexpr int dyadic_bits = 52;

TimePoint dyadic(std::int64_t numerator) {
  constexpr std::int64_t one = std::int64_t{1} << dyadic_bits;
  return {Integer(numerator), Integer(one - numerator)};
}

// Only a hint: where the polynomial changes its sign between two times.
double approximate_root(const std::array<double, 4>& d, int degree, double l, double r, int left_sign) {
  double fl = evaluate(d, degree, l), fr = evaluate(d, degree, r);
  if ((fl < 0) != (left_sign < 0)) fl = left_sign * 0x1p-1000;
  if ((fr < 0) == (left_sign < 0)) fr = -left_sign * 0x1p-1000;
  int side = 0;
  for (int i = 0; i < 60 && r - l > 0x1p-45; ++i) {  // regula falsi, Illinois
    double m = i % 12 == 11 ? 0.5 * (l + r) : l + (r - l) * (fl / (fl - fr));
    if (!(m > l && m < r)) m = 0.5 * (l + r);
    const double fm = evaluate(d, degree, m);
    if (fm == 0.0) return m;
    if ((fm < 0) == (fl < 0)) {
      if (m - l < 0x1p-46 && i > 0) return m;
      l = m;
      fl = fm;
      if (side == -1) fr *= 0.5;
      side = -1;
    } else {
      if (r - m < 0x1p-46 && i > 0) return m;
      r = m;
      fr = fm;
      if (side == 1) fl *= 0.5;
      side = 1;
    }
  }
  return 0.5 * (l + r);
}

Integer::Scaled scaled_sum(const TimePoint& t) {
  return (t.x + t.y).to_scaled();
}

// t as a double, relative error below 2^-50
double approximate(const TimePoint& t) {
  const Integer::Scaled x = t.x.to_scaled(), w = scaled_sum(t);
  const std::int64_t shift = x.exponent - w.exponent;
  return shift < -1060 ? 0.0 : std::ldexp(x.mantissa / w.mantissa, static_cast<int>(shift));
}

// Outwards by 2^-48 for the 2^-50 of approximate(), and by more than what underflows.
double rounded_down(const TimePoint& t) {
  return std::max(0.0, std::min(1.0, approximate(t)) * (1.0 - 0x1p-48) - 0x1p-1050);
}

double rounded_up(const TimePoint& t) {
  return std::min(1.0, approximate(t) * (1.0 + 0x1p-48) + 0x1p-1050);
}

void push(Roots& roots, Root root) {
  roots.at[static_cast<std::size_t>(roots.count++)] = std::move(root);
}

// In powers of two: a ratio x / y between times that are that far from each other is not found by halving.
constexpr std::int64_t wide_ratio = 64;

// Of numbers far apart in size the roots x / y lie, up to a small factor, at quotients of two coefficients
// (Newton's polygon; all quotients are tried, which is safe). Beside one of them inside (l, r), if there is
// one: after a dozen such splits what is left is not wide, or has no root.
bool split_by_magnitude(const Polynomial& p, const TimePoint& l, const TimePoint& r, TimePoint& split) {
  constexpr std::int64_t far = std::int64_t{1} << 40;
  const std::int64_t low = l.x.is_zero() ? -far : l.x.bit_length() - l.y.bit_length() + 1;
  const std::int64_t high = r.y.is_zero() ? far : r.x.bit_length() - r.y.bit_length() - 1;
  if (high - low < wide_ratio) return false;
  constexpr std::int64_t beside = 8, least_magnitude = 40;  // nearer to the middle halving does it
  std::int64_t best = far;
  for (int i = 0; i <= p.degree; ++i) {
    for (int j = i + 1; j <= p.degree; ++j) {
      if (p.c[i].is_zero() || p.c[j].is_zero()) continue;
      const std::int64_t slope = (p.c[i].bit_length() - p.c[j].bit_length()) / (j - i);
      for (const std::int64_t e : {slope - beside, slope + beside}) {
        if (std::abs(e) >= least_magnitude && e > low && e < high && std::abs(e) < std::abs(best)) best = e;
      }
    }
  }
  if (best == far) return false;
  const Integer one(1);
  split = best >= 0 ? TimePoint{one << best, one} : TimePoint{one, one << -best};
  return true;
}

// Beside a critical point as the place to split at, else the middle. A hint: only the speed depends on it.
// Beside it by a little more than doubles see: roots that nearly coincide are then between two such splits,
// and not at the end of forty halvings; those that do not are told apart all the same.
TimePoint splitting_point(const Polynomial& p, int variations, const TimePoint& l, const TimePoint& r) {
  const double low = approximate(l), high = approximate(r);
  const TimePoint middle{l.x + r.x, l.y + r.y};
  if (high - low < 0x1p-40 || p.degree < 2) return middle;
  const std::array<double, 4> d = approximate(p);
  // p in Bernstein form; the zeros of the derivative, or its inflection when there are three roots
  const std::array<double, 4> b = p.degree == 3 ? std::array<double, 4>{d[0], d[1] / 3, d[2] / 3, d[3]}
                                                : std::array<double, 4>{d[0], d[1] / 2, d[2], 0};
  constexpr double beside = 0x1p-44;
  double best = -1.0;
  const auto consider = [&](double t) {
    if (best > 0 || !(t > low && t < high)) return;
    for (const double split : {t - beside, t + beside}) {
      if (best < 0 && split > low + 0x1p-45 && split < high - 0x1p-45) best = split;
    }
  };
  if (p.degree == 2) {
    consider((b[0] - b[1]) / (b[0] - 2 * b[1] + b[2]));
  } else {
    const double q0 = b[1] - b[0], q1 = b[2] - b[1], q2 = b[3] - b[2];
    const double a = q0 - 2 * q1 + q2, h = q1 - q0;
    const double disc = h * h - a * q0;
    // All three near one another: the zeros of the derivative are then lost in rounding, their middle is not.
    const bool clustered = std::abs(disc) <= 0x1p-40 * h * h;
    if (variations == 3 || clustered) consider(-h / a);
    if (disc >= 0) {
      const double w = -(h + std::copysign(std::sqrt(disc), h));
      consider(w / a);
      consider(q0 / w);
    }
  }
  if (!(best > 0)) return middle;
  return dyadic(static_cast<std::int64_t>(std::ldexp(best, dyadic_bits)));
}

// Both ends over the same denominator, so that the mediant is the middle.
void equalise(TimePoint& a, TimePoint& b) {
  const std::int64_t na = (a.x + a.y).bit_length(), nb = (b.x + b.y).bit_length();
  TimePoint& smaller = na < nb ? a : b;
  const std::int64_t shift = na < nb ? nb - na : na - nb;
  if (shift == 0) return;
  smaller.x = smaller.x << shift;
  smaller.y = smaller.y << shift;
}

void isolate_between(const Polynomial& p, TimePoint l, TimePoint r, Roots& roots, ExactWork& work) {
  ++work.steps;
  const Polynomial q = restricted(p, l, r);
  const int v = variations(q);
  if (v == 0) return;
  if (v == 1) {
    push(roots, Root::isolated(p, std::move(l), std::move(r), first_sign(q)));
    return;
  }
  TimePoint m;
  if (!split_by_magnitude(p, l, r, m)) {
    equalise(l, r);
    m = splitting_point(p, v, l, r);
  }
  const bool on_root = sign_at(p, m) == 0;
  isolate_between(p, std::move(l), m, roots, work);
  if (on_root) push(roots, Root::rational(m));
  isolate_between(p, std::move(m), std::move(r), roots, work);
}

// Positive rational s = numerator / denominator as a time point; false if s <= 0.
bool make_rational(Integer numerator, Integer denominator, TimePoint& t) {
  if (numerator.sign() * denominator.sign() <= 0) return false;
  if (numerator.sign() < 0) {
    numerator = -std::move(numerator);
    denominator = -std::move(denominator);
  }
  t = {std::move(numerator), std::move(denominator)};
  return true;
}

// A cubic with discriminant zero: its roots are rational.
Roots repeated_roots(const std::array<Integer, 4>& c) {
  Roots roots;
  const Integer h = c[2] * c[2] - Integer(3) * (c[1] * c[3]);
  TimePoint t;
  if (h.is_zero()) {
    if (make_rational(-c[2], Integer(3) * c[3], t)) push(roots, Root::rational(t));
    return roots;
  }
  TimePoint twice, once;
  const bool has_twice = make_rational(Integer(9) * (c[0] * c[3]) - c[1] * c[2], h << 1, twice);
  const bool has_once = make_rational(
      Integer(4) * (c[1] * c[2] * c[3]) - Integer(9) * (c[0] * c[3] * c[3]) - c[2] * c[2] * c[2], c[3] * h,
      once);
  const bool once_first = has_twice && has_once && compare(once.x * twice.y, twice.x * once.y) < 0;
  if (has_once && once_first) push(roots, Root::rational(once));
  if (has_twice) push(roots, Root::rational(twice));
  if (has_once && !once_first) push(roots, Root::rational(once));
  return roots;
}

}  // namespace

bool Polynomial::is_zero() const {
  for (int i = 0; i <= degree; ++i) {
    if (!c[i].is_zero()) return false;
  }
  return true;
}

Polynomial operator+(const Polynomial& p, const Polynomial& q) {
  Polynomial r;
  r.degree = p.degree;
  for (int i = 0; i <= p.degree; ++i) r.c[i] = p.c[i] + q.c[i];
  return r;
}

Polynomial operator-(const Polynomial& p, const Polynomial& q) {
  Polynomial r;
  r.degree = p.degree;
  for (int i = 0; i <= p.degree; ++i) r.c[i] = p.c[i] - q.c[i];
  return r;
}

Polynomial operator-(const Polynomial& p) {
  Polynomial r;
  r.degree = p.degree;
  for (int i = 0; i <= p.degree; ++i) r.c[i] = -p.c[i];
  return r;
}

Polynomial operator*(const Polynomial& p, const Polynomial& q) {
  Polynomial r;
  r.degree = p.degree + q.degree;
  for (int i = 0; i <= p.degree; ++i) {
    for (int j = 0; j <= q.degree; ++j) r.c[i + j] += p.c[i] * q.c[j];
  }
  return r;
}

Polynomial stripped(const Polynomial& p) {
  int first = 0, last = p.degree;
  while (p.c[first].is_zero()) ++first;
  while (p.c[last].is_zero()) --last;
  Polynomial r;
  r.degree = last - first;
  for (int i = first; i <= last; ++i) r.c[i - first] = p.c[i];
  return r;
}

int sign_at(const Polynomial& p, const TimePoint& t) {
  return value_at(p, t).sign();
}

Root Root::rational(TimePoint t) {
  Root root;
  root.rational_ = true;
  root.left_ = std::move(t);
  return root;
}

Root Root::isolated(const Polynomial& of, TimePoint left, TimePoint right, int left_sign) {
  Root root;
  root.of_ = of;
  root.left_ = std::move(left);
  root.right_ = std::move(right);
  root.left_sign_ = left_sign;
  return root;
}

bool Root::try_point(const TimePoint& t, ExactWork& work) {
  ++work.steps;
  const int s = sign_at(of_, t);
  if (s == 0) {
    rational_ = true;
    left_ = t;
    return true;
  }
  (s == left_sign_ ? left_ : right_) = t;
  return s == left_sign_;
}

// Quadratic interval refinement: interpolate, try the two neighbouring points of a grid of 2^k cells, and
// double k while that works. Over a short interval the polynomial is nearly linear, so it usually does.
void Root::refine(ExactWork& work) {
  equalise(left_, right_);
  const Integer::Scaled vl = value_at(of_, left_).to_scaled(), vr = value_at(of_, right_).to_scaled();
  const std::int64_t cells = std::int64_t{1} << grid_bits_;
  const std::int64_t shift = std::clamp<std::int64_t>(vr.exponent - vl.exponent, -1000, 1000);
  const double ratio = vl.mantissa == 0.0 ? 0.0 : std::abs(vr.mantissa / vl.mantissa);
  const double share = 1.0 / (1.0 + std::ldexp(ratio, static_cast<int>(shift)));
  const auto cell = static_cast<std::int64_t>(share * static_cast<double>(cells));
  const TimePoint l = left_, r = right_;
  const auto point = [&](std::int64_t j) {
    const Integer a(cells - j), b(j);
    return TimePoint{l.x * a + r.x * b, l.y * a + r.y * b};
  };
  const std::int64_t low = cell - 1, high = cell + 2;
  bool enclosed = true;
  if (low > 0) enclosed = try_point(point(low), work);
  if (!rational_ && enclosed && high < cells) enclosed = !try_point(point(high), work);
  if (rational_) return;
  if (enclosed) {
    grid_bits_ = std::min(2 * grid_bits_, 40);
    return;
  }
  grid_bits_ = std::max(2, grid_bits_ / 2);
  equalise(left_, right_);
  try_point({left_.x + right_.x, left_.y + right_.y}, work);
}

void Root::narrow(ExactWork& work) {
  narrow_ = true;
  for (TimePoint m; !rational_ && split_by_magnitude(of_, left_, right_, m);) try_point(m, work);
  if (rational_) return;
  constexpr double wanted = 0x1p-41 * (1 - 0x1p-4);
  static_assert(0x1p-41 * (1 + 0x1p-4) <= tolerances::impact_bracket);
  const double low = approximate(left_), high = approximate(right_);
  if (high - low <= wanted) return;
  const double hint = approximate_root(approximate(of_), of_.degree, low, high, left_sign_);
  constexpr std::int64_t one = std::int64_t{1} << dyadic_bits;
  constexpr std::int64_t reach = std::int64_t{1} << (dyadic_bits - 43);
  const auto centre = static_cast<std::int64_t>(std::ldexp(hint, dyadic_bits));
  const auto inside = [&](std::int64_t m) {
    if (m <= 0 || m >= one) return false;
    const TimePoint t = dyadic(m);
    return (t.x * left_.y - left_.x * t.y).sign() > 0 && (right_.x * t.y - t.x * right_.y).sign() > 0;
  };
  // Steps out from the hint until the root is enclosed on both sides; exact signs, so a bad hint costs time
  // only.
  bool low_done = false, high_done = false;
  for (std::int64_t step = reach; step < one && !rational_ && !(low_done && high_done); step *= 16) {
    if (!low_done) low_done = !inside(centre - step) || try_point(dyadic(centre - step), work);
    if (rational_) break;
    if (!high_done) high_done = !inside(centre + step) || !try_point(dyadic(centre + step), work);
  }
  while (!rational_ && approximate(right_) - approximate(left_) > wanted) refine(work);
}

bool Root::is_common_root(const Polynomial& p) const {
  const Polynomial d = greatest_common_divisor(of_, stripped(p));
  if (d.degree == 0) return false;
  // d divides `of_`, which has one simple root in the interval: d has it too iff it has an odd number.
  return variations(restricted(d, left_, right_)) % 2 == 1;
}

int Root::sign(const Polynomial& p, ExactWork& work) {
  if (rational_) return sign_at(p, left_);
  if (p.is_zero()) return 0;
  if (!narrow_) {
    if (variations(p) == 0) return first_sign(p);
    narrow(work);
    if (rational_) return sign_at(p, left_);
  }
  Polynomial q = restricted(p, left_, right_);
  if (variations(q) == 0) return first_sign(q);
  // p may vanish at the root itself: refining would then never end, so a common root is looked for first.
  ++work.zero_tests;
  if (is_common_root(p)) return 0;
  do {
    refine(work);
    if (rational_) return sign_at(p, left_);
    q = restricted(p, left_, right_);
  } while (variations(q) != 0);
  return first_sign(q);
}

Root::Bracket Root::bracket(ExactWork& work) {
  if (!rational_ && !narrow_) narrow(work);
  if (rational_) return {rounded_down(left_), rounded_up(left_)};
  return {rounded_down(left_), rounded_up(right_)};
}

Roots isolate_roots(const Polynomial& input, ExactWork& work) {
  Roots roots;
  const Polynomial p = stripped(input);
  const auto& c = p.c;
  const int v = variations(p);
  if (v == 0) return roots;
  if (p.degree == 1) {
    TimePoint t;
    if (make_rational(-c[0], c[1], t)) push(roots, Root::rational(std::move(t)));
    return roots;
  }
  if (v == 1) {
    push(roots, Root::isolated(p, start, end, c[0].sign()));
    return roots;
  }
  if (p.degree == 2) {
    const int d = (c[1] * c[1] - ((c[0] * c[2]) << 2)).sign();
    if (d < 0) return roots;
    if (d == 0) {
      TimePoint t;
      if (make_rational(-c[1], c[2] << 1, t)) push(roots, Root::rational(std::move(t)));
      return roots;
    }
  } else {
    // Discriminant: the number of real roots, and whether two of them coincide.
    const Integer c12 = c[1] * c[2], c03 = c[0] * c[3];
    const int d = (c12 * c12 - ((c[0] * c[2] * c[2] * c[2]) << 2) - ((c[1] * c[1] * c[1] * c[3]) << 2) +
                   Integer(18) * (c12 * c03) - Integer(27) * (c03 * c03))
                      .sign();
    if (d == 0) return repeated_roots(c);
    if (d < 0) {  // one real root; with an even number of variations it is not positive
      if (v % 2 == 1) push(roots, Root::isolated(p, start, end, c[0].sign()));
      return roots;
    }
  }
  isolate_between(p, start, end, roots, work);
  return roots;
}

}  // namespace toccata::impact
