// Tries to break the error bounds of arithmetic with two doubles, and of the bracket that is narrowed with
// it.
#include <gmpxx.h>
#include <gtest/gtest.h>

#include <cmath>

#include "elementary/double_pair.hpp"
#include "toccata/base/random.hpp"

namespace toccata::elementary {
namespace {

using Rational = mpq_class;

Rational exact(const DoublePair& a) {
  return Rational(a.high) + Rational(a.low);
}

// A normalised number with low bits of any size, all ones or nearly none.
DoublePair random_number(Random& random) {
  double high = random.uniform(-1.0, 1.0);
  if (random.integer(0, 2) == 0) high = 1.0 + std::ldexp(random.integer(-3, 3), -52);
  if (random.integer(0, 2) == 0) high = -high;
  high = std::ldexp(high, random.integer(-30, 30));
  const double most = std::abs(high) * 0x1p-54;
  const double low = random.integer(0, 3) == 0 ? most : random.uniform(-most, most);
  return {high, low};
}

TEST(DoublePair, errs_less_than_stated) {
  Random random(11);
  double worst_sum = 0.0, worst_product = 0.0;
  for (int round = 0; round < 200000; ++round) {
    const DoublePair a = random_number(random);
    DoublePair b = random_number(random);
    if (round % 3 == 0) b = {-a.high * (1.0 + random.integer(-2, 2) * 0x1p-52), b.low * a.high / b.high};
    const Rational sum = exact(a) + exact(b), product = exact(a) * exact(b);
    if (sum != 0) {
      const Rational error = abs((exact(a + b) - sum) / sum);
      worst_sum = std::max(worst_sum, error.get_d());
    }
    const Rational error = abs((exact(a * b) - product) / product);
    worst_product = std::max(worst_product, error.get_d());
    ASSERT_EQ(exact(exact_difference(a.high, b.high)), Rational(a.high) - Rational(b.high));
  }
  EXPECT_LT(worst_sum, double_pair_roundoff);
  EXPECT_LT(worst_product, double_pair_roundoff);
  EXPECT_GT(worst_product, 0x1p-106);
}

}  // namespace
}  // namespace toccata::elementary
