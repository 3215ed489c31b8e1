#include "toccata/base/random.hpp"

#include <gtest/gtest.h>

namespace toccata {
namespace {

TEST(Random, the_same_seed_gives_the_same_numbers) {
  Random a(7), b(7), c(8);
  const std::uint64_t first = a.next();
  EXPECT_EQ(first, b.next());
  EXPECT_NE(first, c.next());
}

TEST(Random, stays_in_range) {
  Random random(1);
  for (int i = 0; i < 10000; ++i) {
    const double u = random.unit();
    EXPECT_TRUE(u >= 0.0 && u < 1.0);
    const int n = random.integer(-3, 3);
    EXPECT_TRUE(n >= -3 && n <= 3);
    EXPECT_NEAR(random.on_sphere().norm(), 1.0, 1e-15);
  }
}

}  // namespace
}  // namespace toccata
