// Random histories of inserting, removing, moving, filtering and switching, each step against all pairs of
// what is there, by every method.
#include "toccata/broad_phase/broad_phase.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "effort.hpp"
#include "toccata/base/random.hpp"

namespace toccata {
namespace {

struct Entry {
  Aabb box;
  PairFilter filter;
};

// What the broad phase should know, kept by hand.
struct Model {
  std::map<std::int32_t, Entry> entries;
  std::set<IndexPair> off;

  std::vector<IndexPair> pairs() const {
    std::vector<IndexPair> result;
    for (auto a = entries.begin(); a != entries.end(); ++a) {
      for (auto b = std::next(a); b != entries.end(); ++b) {
        const PairFilter &f = a->second.filter, &g = b->second.filter;
        const bool wanted =
            (f.groups & g.wants) != 0 && (g.groups & f.wants) != 0 && !(f.is_static && g.is_static);
        const Aabb &x = a->second.box, &y = b->second.box;
        const bool meets =
            (x.lower.array() <= y.upper.array()).all() && (y.lower.array() <= x.upper.array()).all();
        if (wanted && meets && !off.contains({a->first, b->first})) result.push_back({a->first, b->first});
      }
    }
    return result;
  }

  std::int32_t any(Random& random) const {
    auto at = entries.begin();
    std::advance(at, random.integer(0, static_cast<int>(entries.size()) - 1));
    return at->first;
  }
};

Aabb random_box(Random& random) {
  const Vector3 middle = random.in_box(4.0), half = random.in_box(0.3) + Vector3::Constant(0.5);
  return {middle - half, middle + half};
}

PairFilter random_filter(Random& random) {
  if (random.integer(0, 2) != 0) return {};
  return {static_cast<std::uint32_t>(random.integer(1, 7)), static_cast<std::uint32_t>(random.integer(0, 7)),
          random.integer(0, 1) == 0};
}

void change(BroadPhase& bodies, Model& model, Random& random) {
  const int what = model.entries.size() < 3 ? 0 : random.integer(0, 9);
  if (what <= 1) {
    const Entry entry = {random_box(random), random_filter(random)};
    const std::int32_t id = bodies.insert(entry.box, entry.filter);
    ASSERT_TRUE(model.entries.emplace(id, entry).second) << "an id that is in use";
  } else if (what == 2) {
    const std::int32_t id = model.any(random);
    bodies.remove(id);
    model.entries.erase(id);
    std::erase_if(model.off, [&](const IndexPair& pair) { return pair.first == id || pair.second == id; });
  } else if (what == 3) {
    const std::int32_t id = model.any(random);
    bodies.set_filter(id, model.entries[id].filter = random_filter(random));
  } else if (what == 4) {
    const std::int32_t a = model.any(random), b = model.any(random);
    if (a == b) return;
    const IndexPair pair = {std::min(a, b), std::max(a, b)};
    if (model.off.erase(pair) > 0) {
      bodies.switch_on(b, a);
    } else {
      model.off.insert(pair);
      bodies.switch_off(a, b);
    }
  } else {
    const std::int32_t id = model.any(random);
    Aabb& box = model.entries[id].box;
    const Vector3 shift = random.in_box(what == 5 ? 4.0 : 0.1);
    box = {box.lower + shift, box.upper + shift};
    bodies.update(id, box);
  }
}

class Histories : public testing::TestWithParam<PairMethod> {};

TEST_P(Histories, LeaveTheSamePairs) {
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(with_effort(60)); ++seed) {
    Random random(seed);
    BroadPhase bodies({GetParam(), 1});
    Model model;
    std::vector<IndexPair> before;
    const int start = random.integer(0, 120);
    for (int i = 0; i < start; ++i) change(bodies, model, random);
    for (int step = 0; step < 20; ++step) {
      const PairChanges changes = bodies.step();
      const std::vector<IndexPair> expected = model.pairs();
      ASSERT_TRUE(std::ranges::equal(bodies.pairs(), expected)) << "seed " << seed << ", step " << step;
      ASSERT_EQ(bodies.size(), model.entries.size());
      std::vector<IndexPair> appeared, went;
      std::ranges::set_difference(expected, before, std::back_inserter(appeared));
      std::ranges::set_difference(before, expected, std::back_inserter(went));
      ASSERT_EQ(changes.appeared, appeared);
      ASSERT_EQ(changes.went, went);
      before = expected;
      const int count = random.integer(0, 2) == 0 ? 60 : random.integer(0, 4);  // many, or a few
      for (int i = 0; i < count; ++i) change(bodies, model, random);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(BroadPhase, Histories,
                         testing::Values(PairMethod::Rows, PairMethod::Sweep, PairMethod::Tree),
                         [](const auto& tested) { return std::string(to_string(tested.param)); });

// Boxes that drift in a room: most stay where they were forecast to be, some turn back or jump, some come and
// go. At times only few of them move, some are flat, and some rooms are far from the origin.
TEST(BroadPhase, FollowsBoxesThatDrift) {
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(with_effort(12)); ++seed) {
    Random random(seed);
    BroadPhase bodies;
    Model model;
    std::map<std::int32_t, Vector3> velocity;
    const Vector3 room = seed % 4 == 3 ? Vector3(1e8, 0.0, -3e7) : Vector3::Zero();
    const auto add = [&] {
      Entry entry = {random_box(random), {}};
      entry.box = {entry.box.lower + room, entry.box.upper + room};
      if (random.integer(0, 9) == 0) entry.box.upper.z() = entry.box.lower.z();
      const std::int32_t id = bodies.insert(entry.box);
      model.entries[id] = entry;
      velocity[id] = random.in_box(0.04);
    };
    for (int i = 0; i < 150; ++i) add();
    if (seed % 2 == 1) {  // one that is everywhere, which also those that are gone must not meet
      constexpr double far = std::numeric_limits<double>::infinity();
      const Entry entry = {{Vector3::Constant(-far), Vector3::Constant(far)}, {}};
      model.entries[bodies.insert(entry.box)] = entry;
    }
    const double jumps = seed % 3 == 0 ? 0.0 : (seed % 3 == 1 ? 0.01 : 0.2);
    for (int step = 0; step < 40; ++step) {
      for (auto& [id, entry] : model.entries) {
        if (seed % 2 == 0 && random.unit() < 0.5) continue;  // this one rests
        if (!std::isfinite(entry.box.lower.x())) continue;
        if (step / 10 % 2 == 1 && id % 25 != 0) continue;  // and now most of them
        Vector3 shift = velocity[id];
        for (int k = 0; k < 3; ++k) {
          if (std::abs(entry.box.lower[k] - room[k] + shift[k]) > 5.0)
            shift[k] = velocity[id][k] = -velocity[id][k];
        }
        if (random.unit() < jumps) shift = random.in_box(1.0);
        entry.box = {entry.box.lower + shift, entry.box.upper + shift};
        bodies.update(id, entry.box);
      }
      if (step % 13 == 12) add();
      if (step % 17 == 16) {
        const std::int32_t id = model.any(random);
        bodies.remove(id);
        model.entries.erase(id);
      }
      bodies.step();
      ASSERT_TRUE(std::ranges::equal(bodies.pairs(), model.pairs())) << "seed " << seed << ", step " << step;
    }
  }
}

TEST(BroadPhase, ReusesTheSmallestIdAndForgetsSwitches) {
  BroadPhase bodies;
  const Aabb box = {Vector3::Zero(), Vector3::Ones()};
  EXPECT_EQ(bodies.insert(box), 0);
  EXPECT_EQ(bodies.insert(box), 1);
  EXPECT_EQ(bodies.insert(box), 2);
  bodies.switch_off(0, 1);
  EXPECT_EQ(bodies.step().appeared, (std::vector<IndexPair>{{0, 2}, {1, 2}}));
  bodies.remove(1);
  bodies.remove(1);
  bodies.remove(-5);
  bodies.update(77, box);
  EXPECT_EQ(bodies.step().went, (std::vector<IndexPair>{{1, 2}}));
  EXPECT_EQ(bodies.insert(box), 1);
  EXPECT_EQ(bodies.step().appeared, (std::vector<IndexPair>{{0, 1}, {1, 2}}));
}

}  // namespace
}  // namespace toccata
