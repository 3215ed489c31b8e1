// Contacts are handed out sorted by (kind, first, second), however many there are and however they share
// their features.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "ccd/deformable/contact_list.hpp"
#include "toccata/base/random.hpp"

namespace toccata::deformable {
namespace {

struct Case {
  std::int32_t vertices;  // ids are below
  std::size_t count;
  std::int32_t firsts;  // different first features
};

std::vector<FeaturePair> some_pairs(const Case& c, Random& random) {
  const auto id = [&](std::int32_t below) { return static_cast<std::int32_t>(random.unit() * below); };
  std::set<FeaturePair> pairs;
  while (pairs.size() < c.count) {
    const auto kind = static_cast<FeaturePairKind>(id(feature_pair_kind_count));
    pairs.insert({kind, c.vertices - 1 - id(c.firsts), id(c.vertices)});
  }
  std::vector<FeaturePair> shuffled(pairs.begin(), pairs.end());
  for (std::size_t i = shuffled.size(); i > 1; --i) {
    std::swap(shuffled[i - 1], shuffled[static_cast<std::size_t>(id(static_cast<std::int32_t>(i)))]);
  }
  return shuffled;
}

TEST(ContactList, IsSortedByPair) {
  Random random(7);
  // Nearly none in a large mesh; one bucket that is large; buckets of a few; ids of many bits.
  for (const Case& c : {Case{1000000, 3, 1000000}, Case{1000, 900, 1}, Case{5000, 20000, 3000},
                        Case{70, 6000, 70}, Case{40000000, 2000, 40000000}, Case{100, 1, 100}}) {
    const std::vector<FeaturePair> pairs = some_pairs(c, random);
    HitList lists[2];
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const double time = static_cast<double>(i);
      lists[i % 3 == 0].add({pairs[i], Status::Contact, ImpactStage::Bisection, time, time + 0.5});
    }
    Topology topology;
    topology.vertex_count = c.vertices;
    const HitList* const both[] = {&lists[0], &lists[1]};
    const auto contacts = to_contacts(topology, {}, both, false, 1);
    ASSERT_EQ(contacts.size(), pairs.size());
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      if (i > 0) {
        ASSERT_TRUE(contacts[i - 1].pair < contacts[i].pair) << i << " of " << c.count;
      }
      const auto found = static_cast<std::size_t>(contacts[i].impact.lower);
      ASSERT_EQ(contacts[i].pair, pairs[found]);  // the hit goes with its pair
      ASSERT_EQ(contacts[i].impact.upper, static_cast<double>(found) + 0.5);
    }
  }
}

TEST(ContactList, MayBeEmpty) {
  const HitList none;
  const HitList* const lists[] = {&none};
  EXPECT_TRUE(to_contacts({}, {}, lists, false, 1).empty());
}

}  // namespace
}  // namespace toccata::deformable
