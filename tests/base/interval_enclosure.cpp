// Do intervals enclose when everything is inlined and optimised? Compiled on its own at -O3 by every compiler
// at hand (see run_interval_enclosure.sh), together with src/base/interval.cpp, and compared with exact
// rational arithmetic. Prints the number of checks; exits with 1 at the first interval that fails.
#include <gmpxx.h>

#include <cstdio>
#include <cstdlib>

#include "toccata/base/interval.hpp"
#include "toccata/base/random.hpp"

using toccata::Interval;
using toccata::next_down;
using toccata::next_up;

namespace {

long checks = 0;

[[noreturn]] void fail(const char* what, const Interval& x, const Interval& y, const Interval& result) {
  std::printf("%s: [%a, %a] and [%a, %a] give [%a, %a]\n", what, x.lower, x.upper, y.lower, y.upper,
              result.lower, result.upper);
  std::exit(1);
}

bool at_most(double bound, const mpq_class& value) {
  return bound == -INFINITY || (std::isfinite(bound) && mpq_class(bound) <= value);
}
bool at_least(double bound, const mpq_class& value) {
  return bound == INFINITY || (std::isfinite(bound) && mpq_class(bound) >= value);
}

void expect_encloses(const char* what, const Interval& x, const Interval& y, const Interval& result,
                     const mpq_class& value) {
  ++checks;
  if (!at_most(result.lower, value) || !at_least(result.upper, value)) fail(what, x, y, result);
}

// For points: no more than one step outside of the best bounds.
void expect_tight(const char* what, const Interval& x, const Interval& y, const Interval& result,
                  const mpq_class& value) {
  ++checks;
  const double lower = next_up(next_up(result.lower)), upper = next_down(next_down(result.upper));
  if (std::isfinite(lower) && mpq_class(lower) < value) fail(what, x, y, result);
  if (std::isfinite(upper) && mpq_class(upper) > value) fail(what, x, y, result);
}

class Source {
 public:
  explicit Source(std::uint64_t seed) : random_(seed) {}

  double number() {
    constexpr double special[] = {0.0,
                                  -0.0,
                                  1.0,
                                  -1.0,
                                  0.1,
                                  3.0,
                                  0x1p-1074,
                                  -0x1p-1074,
                                  0x1p-1022,
                                  0x1.fffffffffffffp+1023,
                                  -0x1.fffffffffffffp+1023,
                                  0x1.fffffffffffffp-1023,
                                  0x1p+1000,
                                  0x1p-537};
    switch (random_.integer(0, 5)) {
      case 0:
        return special[random_.integer(0, 13)];
      case 1:
        return random_.integer(-20, 20);
      case 2:
        return random_.uniform(-1, 1);
      case 3:
        return scaled(-1073, 1023);
      case 4:
        return scaled(-540, -530);
      default:
        return scaled(-60, 60);
    }
  }

  double small() { return scaled(-1073, 2); }

  Interval interval() {
    const double a = number(), b = random_.integer(0, 3) == 0 ? next_down(next_down(a)) : number();
    if (std::isinf(b)) return a;
    return {std::min(a, b), std::max(a, b)};
  }

 private:
  double scaled(int low, int high) {
    const double mantissa = random_.uniform(-1, 1);
    return std::ldexp(mantissa, random_.integer(low, high));
  }

  toccata::Random random_;
};

void check_pair(const Interval& x, const Interval& y) {
  const Interval sum = x + y, difference = x - y, product = x * y, quotient = x / y;
  const bool points = x.is_point() && y.is_point();
  for (const double a : {x.lower, x.middle(), x.upper}) {
    for (const double b : {y.lower, y.middle(), y.upper}) {
      const mpq_class p(a), q(b);
      const mpq_class sum_value(p + q), difference_value(p - q), product_value(p * q);
      expect_encloses("+", x, y, sum, sum_value);
      expect_encloses("-", x, y, difference, difference_value);
      expect_encloses("*", x, y, product, product_value);
      if (points) expect_tight("+", x, y, sum, sum_value);
      if (points) expect_tight("-", x, y, difference, difference_value);
      if (points) expect_tight("*", x, y, product, product_value);
      if (q != 0) {
        const mpq_class quotient_value(p / q);
        expect_encloses("/", x, y, quotient, quotient_value);
        if (points) expect_tight("/", x, y, quotient, quotient_value);
      }
    }
  }
  // The sign that cannot change is kept.
  if (x.lower >= 0 && y.lower >= 0 && (product.lower < 0 || sum.lower < 0)) fail("sign", x, y, product);
  if (x.lower >= 0 && y.upper <= 0 && product.upper > 0) fail("sign", x, y, product);
  if (x.lower >= 0 && y.lower > 0 && quotient.lower < 0) fail("sign", x, y, quotient);
}

void check_single(const Interval& x) {
  const Interval squared = square(x), absolute = abs(x);
  for (const double a : {x.lower, x.middle(), x.upper}) {
    const mpq_class p(a);
    expect_encloses("square", x, x, squared, p * p);
    expect_encloses("abs", x, x, absolute, abs(p));
    if (x.upper >= 0 && a >= 0) {
      // lower <= sqrt(p) <= upper, by squares
      const Interval root = sqrt(x);
      ++checks;
      const bool below = mpq_class(root.lower) * mpq_class(root.lower) <= p;
      const bool above = mpq_class(root.upper) * mpq_class(root.upper) >= p;
      if (root.lower < 0 || !below || !above) fail("sqrt", x, x, root);
      if (x.is_point() && root.upper > 0 && toccata::next_down(toccata::next_down(root.upper)) > 0) {
        const mpq_class inside(next_down(next_down(root.upper)));
        if (inside * inside > p) fail("sqrt is wide", x, x, root);
      }
    }
  }
  if (squared.lower < 0 || absolute.lower < 0) fail("sign", x, x, squared);
  if (!x.contains(x.middle())) fail("middle", x, x, x);
}

// sin(x) and cos(x) by Taylor's series in 400 bits, after subtracting multiples of 2 pi (100 digits of pi).
struct SinCos {
  mpf_class sin, cos;
};

SinCos precise_sin_cos(double value) {
  constexpr int bits = 400;
  const mpf_class pi(
      "3."
      "14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798"
      "214808651",
      bits);
  mpf_class x(value, bits);
  const mpf_class turns(floor(x / (2 * pi)), bits);
  x -= turns * 2 * pi;
  SinCos result{mpf_class(0, bits), mpf_class(0, bits)};
  mpf_class term(1, bits);
  for (int n = 0; n < 90; ++n) {
    mpf_class& sum = n % 2 == 0 ? result.cos : result.sin;
    if (n % 4 < 2) {
      sum += term;
    } else {
      sum -= term;
    }
    term *= x;
    term /= n + 1;
  }
  return result;
}

void check_sin_cos(const Interval& x, Interval (*function)(const Interval&), bool cosine) {
  const Interval result = function(x);
  const mpf_class slack(1e-60, 400);  // far above the error of the reference, far below a double's
  for (int i = 0; i <= 4; ++i) {
    const double a = std::min(x.upper, x.lower + (x.upper - x.lower) * i / 4);
    const SinCos reference = precise_sin_cos(a);
    const mpf_class& value = cosine ? reference.cos : reference.sin;
    ++checks;
    if (mpf_class(result.lower, 400) > value + slack || mpf_class(result.upper, 400) < value - slack) {
      fail(cosine ? "cos" : "sin", x, x, result);
    }
    if (result.lower < -1 || result.upper > 1) fail("range", x, x, result);
    if (x.is_point() && result.upper - result.lower > 3e-15) fail("sin or cos is wide", x, x, result);
  }
}

void check_trigonometry(Source& source, toccata::Random& random, int count) {
  for (int i = 0; i < count; ++i) {
    // Ordinary angles, neighbours of multiples of pi/2, large and tiny ones; points and intervals.
    double a = 0;
    switch (random.integer(0, 3)) {
      case 0:
        a = random.uniform(-10, 10);
        break;
      case 1:
        a = random.integer(-100000, 100000) * 1.5707963267948966;
        break;
      case 2:
        a = random.uniform(-1e6, 1e6);
        break;
      default:
        a = std::ldexp(random.uniform(-1, 1), random.integer(-1073, 2));
        break;
    }
    const double widths[] = {0, 0, 1e-16, 1e-9, 0.1, 2, 5};
    const double b = a + widths[random.integer(0, 6)];
    const Interval x(std::min(a, b), std::max(a, b));
    check_sin_cos(x, toccata::sin, false);
    check_sin_cos(x, toccata::cos, true);
    const Interval wild = source.interval();
    const Interval range = toccata::sin(wild);
    if (!(range.lower >= -1 && range.upper <= 1)) fail("sin of anything", wild, wild, range);
  }
}

// The kind of loop that optimisers rewrite most eagerly: constants, accumulation, a reciprocal.
void check_accumulation() {
  Interval sum = 0.0, product = 1.0;
  mpq_class exact_sum = 0, exact_product = 1;
  for (int i = 1; i <= 300; ++i) {
    sum += Interval(1.0) / static_cast<double>(i);
    product *= Interval(1.0) + Interval(1.0) / 10.0;
    exact_sum += mpq_class(1, i);
    exact_product *= mpq_class(11, 10);
    expect_encloses("harmonic", i, i, sum, exact_sum);
    expect_encloses("power", i, i, product, exact_product);
  }
  const Interval third = Interval(1.0) / 3.0;
  expect_encloses("third", 1, 3, third, mpq_class(1, 3));
  expect_encloses("third", 1, 3, third * 3.0, 1);
  expect_encloses("sum", 0.1, 0.2, Interval(0.1) + 0.2, mpq_class(0.1) + mpq_class(0.2));
}

void check_unbounded() {
  const Interval half_line(2.0, INFINITY), whole = Interval::whole();
  const auto expect = [](bool right, const char* what, const Interval& result) {
    ++checks;
    if (!right) fail(what, result, result, result);
  };
  expect((half_line + 1.0).contains(Interval(3.0, INFINITY)), "unbounded +", half_line + 1.0);
  expect((half_line - half_line) == whole, "unbounded -", half_line - half_line);
  expect((half_line * 0.0) == Interval(0.0), "unbounded * 0", half_line * 0.0);
  expect((half_line * Interval(-1.0, 0.0)).contains(Interval(-INFINITY, 0.0)), "unbounded *", half_line);
  expect((Interval(1.0) / half_line).contains(Interval(0.0, 0.5)), "1 / unbounded",
         Interval(1.0) / half_line);
  expect((Interval(1.0) / Interval(0.0, 2.0)).contains(half_line * 0.25), "1 / [0, 2]",
         Interval(1.0) / Interval(0.0, 2.0));
  expect((Interval(1.0) / Interval(0.0, 2.0)).lower > 0.49, "1 / [0, 2]", Interval(1.0) / Interval(0.0, 2.0));
  expect((Interval(1.0) / Interval(-2.0, 0.0)).upper < -0.49, "1 / [-2, 0]",
         Interval(1.0) / Interval(-2.0, 0.0));
  expect((Interval(1.0) / Interval(-1.0, 1.0)) == whole, "1 / [-1, 1]", whole);
  expect((Interval(1.0) / 0.0) == whole, "1 / 0", whole);
  expect(square(whole) == Interval(0.0, INFINITY), "square of all", square(whole));
  expect(whole.middle() == 0.0, "middle", whole);
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 20000;
  Source source(1);
  toccata::Random random(2);
  for (int i = 0; i < count; ++i) {
    const Interval x = source.interval(), y = source.interval();
    check_pair(x, y);
    check_pair(x.lower, y.lower);
    check_single(x);
    check_single(x.upper);
  }
  check_trigonometry(source, random, count / 10);
  check_accumulation();
  check_unbounded();
  const Interval pi = toccata::interval_pi();
  expect_encloses("pi", pi, pi, pi,
                  mpq_class("314159265358979323846264338327950288/100000000000000000000000000000000000"));
  std::printf("%ld checks\n", checks);
}
