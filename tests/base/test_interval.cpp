// What intervals mean; that they enclose is tested by interval_enclosure.cpp.
#include "toccata/base/interval.hpp"

#include <gtest/gtest.h>

#include "toccata/base/random.hpp"

namespace toccata {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Rounding, steps_to_the_neighbours) {
  for (const double x :
       {0.0, -0.0, 1.0, -1.0, 0x1p-1074, -0x1p-1074, 0x1p-1022, DBL_MAX, -DBL_MAX, infinity, -infinity}) {
    EXPECT_EQ(next_up(x), std::nextafter(x, infinity)) << x;
    EXPECT_EQ(next_down(x), std::nextafter(x, -infinity)) << x;
  }
  for (const float x : {0.0f, -0.0f, 1.0f, -1.0f, 0x1p-149f, FLT_MAX, -FLT_MAX}) {
    EXPECT_EQ(next_up(x), std::nextafter(x, std::numeric_limits<float>::infinity())) << x;
    EXPECT_EQ(next_down(x), std::nextafter(x, -std::numeric_limits<float>::infinity())) << x;
  }
  EXPECT_TRUE(std::isnan(next_up(std::numeric_limits<double>::quiet_NaN())));
}

TEST(Rounding, floats_on_the_chosen_side) {
  Random random(4);
  for (int i = 0; i < 100000; ++i) {
    const double x = std::ldexp(random.uniform(-1, 1), random.integer(-170, 140));
    const float above = float_above(x), below = float_below(x);
    EXPECT_GE(static_cast<double>(above), x);
    EXPECT_LE(static_cast<double>(below), x);
    EXPECT_TRUE(above == below || above == next_up(below)) << x;
  }
  EXPECT_EQ(float_above(1e300), std::numeric_limits<float>::infinity());
  EXPECT_EQ(float_below(1e300), FLT_MAX);
  EXPECT_EQ(float_above(0.5), 0.5f);
}

TEST(Interval, zeros_and_signs_are_exact) {
  EXPECT_EQ(Interval(0.1) - Interval(0.1), Interval(0.0));
  EXPECT_EQ(Interval(0.0) * Interval(-3.0, 5.0), Interval(0.0));
  EXPECT_EQ((Interval(0.0, 1.0) * Interval(0.0, 1.0)).lower, 0.0);
  EXPECT_EQ((Interval(1e-300) * Interval(1e-300)).lower, 0.0);
  EXPECT_GT((Interval(1e-300) * Interval(1e-300)).upper, 0.0);
  EXPECT_EQ(square(Interval(-1.0, 2.0)).lower, 0.0);
}

TEST(Interval, sets) {
  EXPECT_EQ(hull(Interval(0, 1), Interval(3, 4)), Interval(0, 4));
  EXPECT_FALSE(intersection(Interval(0, 1), Interval(3, 4)));
  EXPECT_EQ(*intersection(Interval(0, 3), Interval(3, 4)), Interval(3));
  EXPECT_TRUE(overlap(Interval(0, 3), Interval(3, 4)));
  EXPECT_EQ(abs(Interval(-3, 2)), Interval(0, 3));
  EXPECT_EQ(abs(Interval(-3, -2)), Interval(2, 3));
  EXPECT_EQ(min(Interval(0, 5), Interval(1, 2)), Interval(0, 2));
  EXPECT_EQ(max(Interval(0, 5), Interval(1, 2)), Interval(1, 5));
  EXPECT_GE(Interval(0.1, 0.3).upper_width(), 0.3 - 0.1);
  EXPECT_EQ(Interval(0.1).upper_width(), 0.0);
  EXPECT_TRUE(Interval(0.5, 1).is_positive() && !Interval(0, 1).is_positive() &&
              Interval(-2, -1).is_negative());
}

TEST(Interval, extrema_of_sine_and_cosine) {
  EXPECT_EQ(sin(Interval(1.5, 1.7)).upper, 1.0);
  EXPECT_EQ(sin(Interval(-1.7, -1.5)).lower, -1.0);
  EXPECT_EQ(cos(Interval(-0.1, 0.1)).upper, 1.0);
  EXPECT_EQ(cos(Interval(3.0, 3.3)).lower, -1.0);
  EXPECT_LT(sin(Interval(0.1, 1.5)).upper, 1.0);
  EXPECT_EQ(sin(Interval(0, 7)), Interval(-1, 1));
  EXPECT_EQ(sin(Interval(0.0)), Interval(0.0));
  EXPECT_EQ(sin(Interval(1e300)), Interval(-1, 1));
  // Near a multiple of pi the value is small, and so is the width.
  const Interval s = sin(Interval(3.141592653589793));
  EXPECT_TRUE(s.contains(1.2246467991473532e-16));
  EXPECT_LT(s.upper_width(), 1e-24);
}

}  // namespace
}  // namespace toccata
