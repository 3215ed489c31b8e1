// Tries to break the error bounds of arithmetic with two doubles, and of the bracket that is narrowed with
// it.
#include <gmpxx.h>
#include <gtest/gtest.h>

#include <cmath>

#include "impact/double_double.hpp"
#include "oracle/impact_check.hpp"
#include "oracle/motions.hpp"
#include "toccata/base/random.hpp"

namespace toccata::impact_filter {
namespace {

using Rational = mpq_class;

Rational exact(const DoubleDouble& a) {
  return Rational(a.high) + Rational(a.low);
}

// A normalised number with low bits of any size, all ones or nearly none.
DoubleDouble random_number(Random& random) {
  double high = random.uniform(-1.0, 1.0);
  if (random.integer(0, 2) == 0) high = 1.0 + std::ldexp(random.integer(-3, 3), -52);
  if (random.integer(0, 2) == 0) high = -high;
  high = std::ldexp(high, random.integer(-30, 30));
  const double most = std::abs(high) * 0x1p-54;
  const double low = random.integer(0, 3) == 0 ? most : random.uniform(-most, most);
  return {high, low};
}

TEST(DoubleDouble, errs_less_than_stated) {
  Random random(11);
  double worst_sum = 0.0, worst_product = 0.0;
  for (int round = 0; round < 200000; ++round) {
    const DoubleDouble a = random_number(random);
    DoubleDouble b = random_number(random);
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
  EXPECT_LT(worst_sum, double_double_roundoff);
  EXPECT_LT(worst_product, double_double_roundoff);
  EXPECT_GT(worst_product, 0x1p-106);
}

// Nearly flat motions: F is small beside the product of the magnitudes, so its signs near the root are beyond
// double precision, but nothing is degenerate.
TEST(DoubleDouble, narrows_brackets_that_hold) {
  Random random(12);
  int extended = 0;
  for (const oracle::FeaturePair pair : oracle::main_pairs) {
    for (int round = 0; round < 4000; ++round) {
      LinearMotion4 motion = oracle::meeting_motion(random, pair);
      const double flatness = std::ldexp(1.0, -random.integer(3, 24));
      const Vector3 along(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
      for (auto* end : {&motion.t0, &motion.t1}) {
        for (Vector3& point : *end)
          point += along * ((1.0 - flatness) * -point.dot(along) / along.dot(along));
      }
      const Impact impact = oracle::library_answer(pair, motion);
      extended += impact.stage == ImpactStage::Extended;
      ASSERT_EQ(oracle::fault_of(impact, pair, motion), "") << "round " << round;
    }
  }
  EXPECT_GT(extended, 500);
}

}  // namespace
}  // namespace toccata::impact_filter
