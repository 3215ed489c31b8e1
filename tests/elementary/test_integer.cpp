// The exact stage's integers against GMP.
#include "elementary/integer.hpp"

#include <gmp.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "toccata/base/random.hpp"

namespace toccata::elementary {
namespace {

struct Pair {
  Integer ours;
  mpz_t theirs;
  Pair() { mpz_init(theirs); }
  ~Pair() { mpz_clear(theirs); }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;
};

void make_random(Random& random, Pair& pair) {
  const int words = random.integer(0, 12);
  for (int i = 0; i < words; ++i) {
    std::uint64_t word = random.next();
    const int kind = random.integer(0, 3);
    if (kind == 0) word = 0;
    if (kind == 1) word = ~std::uint64_t{0};
    pair.ours = (pair.ours << 64) + (Integer(static_cast<std::int64_t>(word >> 1)) << 1) +
                Integer(static_cast<std::int64_t>(word & 1));
    mpz_mul_2exp(pair.theirs, pair.theirs, 64);
    mpz_add_ui(pair.theirs, pair.theirs, word);
  }
  if (random.integer(0, 1) == 1) {
    pair.ours = -pair.ours;
    mpz_neg(pair.theirs, pair.theirs);
  }
}

bool same(const Integer& ours, const mpz_t theirs) {
  if (ours.sign() != mpz_sgn(theirs)) return false;
  if (ours.limb_count() != mpz_size(theirs)) return false;
  for (std::size_t i = 0; i < ours.limb_count(); ++i) {
    if (ours.limb(i) != mpz_getlimbn(theirs, static_cast<mp_size_t>(i))) return false;
  }
  return true;
}

TEST(Integer, agrees_with_gmp) {
  Random random(11);
  mpz_t r;
  mpz_init(r);
  for (int i = 0; i < 200000; ++i) {
    Pair a, b;
    make_random(random, a);
    if (i % 7 == 0) {
      b.ours = a.ours;
      mpz_set(b.theirs, a.theirs);
    } else {
      make_random(random, b);
    }
    mpz_add(r, a.theirs, b.theirs);
    ASSERT_TRUE(same(a.ours + b.ours, r));
    mpz_sub(r, a.theirs, b.theirs);
    ASSERT_TRUE(same(a.ours - b.ours, r));
    ASSERT_EQ(compare(a.ours, b.ours), mpz_sgn(r));
    mpz_mul(r, a.theirs, b.theirs);
    ASSERT_TRUE(same(a.ours * b.ours, r));
    const int shift = random.integer(0, 200);
    mpz_mul_2exp(r, a.theirs, static_cast<mp_bitcnt_t>(shift));
    ASSERT_TRUE(same(a.ours << shift, r));
    const long bits = mpz_sgn(a.theirs) == 0 ? 0 : static_cast<long>(mpz_sizeinbase(a.theirs, 2));
    ASSERT_EQ(a.ours.bit_length(), bits);

    long exponent = 0;
    const double truncated = mpz_get_d_2exp(&exponent, a.theirs);
    const Integer::Scaled scaled = a.ours.to_scaled();
    const double ratio = std::ldexp(scaled.mantissa, static_cast<int>(scaled.exponent - exponent));
    ASSERT_NEAR(ratio, truncated, 0x1p-51 * std::abs(truncated));
  }
  mpz_clear(r);
}

TEST(Integer, takes_the_smallest_machine_number) {
  const Integer lowest(std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(lowest.sign(), -1);
  EXPECT_EQ(lowest.bit_length(), 64);
  EXPECT_TRUE((lowest + (Integer(1) << 63)).is_zero());
}

TEST(Integer, survives_moves_and_self_assignment) {
  Integer big = Integer(3) << 5000;
  Integer moved = std::move(big);
  EXPECT_EQ(moved.bit_length(), 5002);
  moved = *&moved;
  EXPECT_EQ(moved.bit_length(), 5002);
  moved = moved - moved;
  EXPECT_TRUE(moved.is_zero());
}

}  // namespace
}  // namespace toccata::elementary
