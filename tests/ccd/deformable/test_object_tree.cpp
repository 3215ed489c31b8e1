#include "ccd/deformable/connectivity/object_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "toccata/base/random.hpp"

namespace toccata::deformable::connectivity {
namespace {

SweptDop box_at(const Vector3& centre, double size) {
  SweptDop dop;
  for (int corner = 0; corner < 8; ++corner) {
    MovingVertex v;
    for (int k = 0; k < 3; ++k) v.t0[k] = v.t1[k] = centre[k] + (corner >> k & 1 ? size : -size);
    const SweptDop point = dop_of(v, Vector3::Zero());
    if (corner == 0) dop = point;
    enclose(dop, dop, point);
  }
  return dop;
}

std::vector<std::array<std::int32_t, 2>> pairs_of(const ObjectTree& tree, double distance) {
  std::vector<std::array<std::int32_t, 2>> pairs;
  tree.overlapping_pairs(distance, [&](std::int32_t a, std::int32_t b) { pairs.push_back({a, b}); });
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

TEST(ObjectTree, finds_every_pair_once_and_restructures_what_decayed) {
  Random random(5);
  constexpr int count = 400;
  std::vector<Vector3> centres;
  for (int i = 0; i < count; ++i) centres.push_back(random.in_box(10.0));
  ObjectTree kept, refitted;
  int rebuilt_once = 0, rebuilt_in_part = 0;
  for (int step = 0; step < 30; ++step) {
    for (int i = 0; i < count / 4; ++i) centres[i] += random.in_box(2.0);  // a quarter of them wanders
    std::vector<SweptDop> dops;
    for (const Vector3& c : centres) dops.push_back(box_at(c, 0.6));
    kept.update(dops, true);
    refitted.update(dops, false);
    for (const double distance : {0.0, 0.3}) {
      std::vector<std::array<std::int32_t, 2>> truth;
      for (std::int32_t a = 0; a < count; ++a) {
        for (std::int32_t b = a + 1; b < count; ++b) {
          if (distance > 0.0 ? within(dops[a], dops[b], distance) : overlap(dops[a], dops[b]))
            truth.push_back({a, b});
        }
      }
      ASSERT_FALSE(truth.empty());
      ASSERT_EQ(pairs_of(kept, distance), truth);
      ASSERT_EQ(pairs_of(refitted, distance), truth);
    }
    rebuilt_once += step > 0 && kept.rebuilt_subtrees() > 0 ? 1 : 0;
    rebuilt_in_part += step > 0 && kept.rebuilt_objects() > 0 && kept.rebuilt_objects() < count ? 1 : 0;
  }
  EXPECT_GT(rebuilt_once, 0);
  EXPECT_GT(rebuilt_in_part, 0);  // selectively
  EXPECT_LT(kept.expected_visits(), refitted.expected_visits());
}

TEST(ObjectTree, bounds_hold_the_points_at_any_scale) {
  Random random(6);
  for (int trial = 0; trial < 2000; ++trial) {
    const double scale = std::pow(10.0, random.uniform(-60.0, 60.0));
    MovingVertex a, b;
    const Vector3 centre = scale * random.in_box(1.0);
    for (int k = 0; k < 3; ++k) {
      a.t0[k] = scale * random.uniform(-1, 1);
      a.t1[k] = scale * random.uniform(-1, 1);
    }
    for (int k = 0; k < 3; ++k) b.t0[k] = b.t1[k] = a.t1[k];  // a's own end: must touch
    ASSERT_TRUE(overlap(dop_of(a, centre), dop_of(b, centre))) << "trial " << trial;
    // Half of the way, where the sum has no rounding: must be held by the bound of the first half.
    for (int k = 0; k < 3; ++k) {
      a.t0[k] = std::ldexp(std::round(std::ldexp(a.t0[k] / scale, 40)), -40);
      a.t1[k] = std::ldexp(std::round(std::ldexp(a.t1[k] / scale, 40)), -40);
      b.t0[k] = b.t1[k] = 0.5 * a.t0[k] + 0.5 * a.t1[k];
    }
    ASSERT_TRUE(overlap(dop_of(a, centre / scale, 0.5), dop_of(b, centre / scale))) << "trial " << trial;
  }
}

}  // namespace
}  // namespace toccata::deformable::connectivity
