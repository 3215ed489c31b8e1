// Where the features meet: weights, point and normal of every kind of contact.
#include <gtest/gtest.h>

#include "effort.hpp"
#include "oracle/impact_check.hpp"
#include "oracle/motions.hpp"

namespace toccata::oracle {
namespace {

template <typename Make, typename Choose>
void check_places(std::uint64_t seed, int quick, Make&& make, Choose&& choose) {
  Random random(seed);
  int contacts = 0;
  const int count = with_effort(quick);
  for (int i = 0; i < count; ++i) {
    const FeaturePairKind pair = all_pairs[static_cast<std::size_t>(i % 4)];
    const LinearMotion4 motion = make(random, pair);
    const LinearImpactOptions options = choose(random);
    const Impact impact = library_answer(pair, motion, options);
    contacts += impact.status != Status::Separated;
    ASSERT_EQ(place_fault_of(impact, pair, motion, options), "");
  }
  EXPECT_GT(contacts, count / 50);
}

LinearImpactOptions plain(Random&) {
  return {};
}

TEST(ContactPlace, grid) {
  for (int n : {1, 2, 3}) {
    check_places(
        60 + static_cast<std::uint64_t>(n), 60000,
        [n](Random& random, FeaturePairKind) { return grid_motion(random, n); }, plain);
  }
}
TEST(ContactPlace, box) {
  check_places(
      64, 60000, [](Random& random, FeaturePairKind) { return box_motion(random); }, plain);
}
TEST(ContactPlace, meeting) {
  check_places(65, 60000, meeting_motion, plain);
}
TEST(ContactPlace, near_degenerate) {
  check_places(66, 60000, near_degenerate_motion, plain);
}
TEST(ContactPlace, extreme_scales) {
  check_places(67, 20000, scaled_motion, plain);
}

TEST(ContactPlace, at_a_distance) {
  const auto within = [](Random& random) {
    LinearImpactOptions options;
    options.minimum_distance = std::ldexp(random.uniform(0.5, 1), random.integer(-15, 0));
    return options;
  };
  check_places(68, 4000, meeting_motion, within);
  check_places(
      69, 4000, [](Random& random, FeaturePairKind) { return box_motion(random); }, within);
}

}  // namespace
}  // namespace toccata::oracle
