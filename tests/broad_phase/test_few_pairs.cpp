// A few boxes against all pairs of which they are part: spread, in one place, of many sizes, infinite, empty.
#include "broad_phase/few_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "effort.hpp"
#include "toccata/base/random.hpp"

namespace toccata::broad_phase {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

FloatBox random_box(Random& random, int kind) {
  const double scale = kind == 2 ? std::pow(10.0, random.uniform(-3.0, 1.0)) : 1.0;
  FloatBox box = {};
  for (int k = 0; k < 3; ++k) {
    const double middle =
        kind == 1 ? 0.0 : (kind == 3 ? std::round(random.uniform(-4.0, 4.0)) : random.uniform(-5.0, 5.0));
    const double half = kind == 3 ? 0.5 : scale * random.uniform(0.0, 1.0);
    box.low[k] = static_cast<float>(middle - half);
    box.high[k] = static_cast<float>(middle + half);
  }
  if (random.integer(0, 9) == 0) std::swap(box.low[1], box.high[1]);  // empty, if it has a size
  if (kind == 4 && random.integer(0, 5) == 0) box.high[random.integer(0, 2)] = infinity;
  if (kind == 4 && random.integer(0, 5) == 0) std::fill_n(box.low, 3, -infinity);
  if (kind == 5 && random.integer(0, 20) == 0) box.low[0] -= 1e20F, box.high[2] += 1e30F;
  return box;
}

std::vector<IndexPair> pairs_by_hand(const std::vector<FloatBox>& boxes,
                                     const std::vector<std::int32_t>& few) {
  std::vector<IndexPair> pairs;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t k = i + 1; k < boxes.size(); ++k) {
      const IndexPair pair = {static_cast<std::int32_t>(i), static_cast<std::int32_t>(k)};
      bool meets = std::ranges::count(few, pair.first) + std::ranges::count(few, pair.second) > 0;
      for (int axis = 0; axis < 3; ++axis) {
        meets = meets && std::max(boxes[i].low[axis], boxes[k].low[axis]) <=
                             std::min(boxes[i].high[axis], boxes[k].high[axis]);
      }
      if (meets) pairs.push_back(pair);
    }
  }
  return pairs;
}

TEST(FewPairs, AreThoseOfAllPairs) {
  const int seeds = with_effort(600);
  int answered = 0;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(seeds); ++seed) {
    Random random(seed);
    const int kind = static_cast<int>(seed % 6);
    std::vector<FloatBox> boxes(static_cast<std::size_t>(random.integer(1, 150)));
    for (FloatBox& box : boxes) box = random_box(random, kind);
    std::vector<std::int32_t> few;
    const int share = random.integer(1, 12);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      if (random.integer(1, share) == 1) few.push_back(static_cast<std::int32_t>(i));
    }
    const std::vector<IndexPair> before = {{7, 9}};
    std::vector<IndexPair> found = before;
    if (!few_pairs(boxes, few, found)) {
      ASSERT_EQ(found, before);
      continue;
    }
    ++answered;
    ASSERT_EQ(found.front(), before.front());
    found.erase(found.begin());
    std::ranges::sort(found);
    ASSERT_EQ(found, pairs_by_hand(boxes, few)) << "seed " << seed;
  }
  EXPECT_GT(answered, seeds / 2);  // others lie in one place, or are infinite
}

}  // namespace
}  // namespace toccata::broad_phase
