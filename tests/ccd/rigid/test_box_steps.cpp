// The box kernel tries to be broken: no triangle of a child may touch one of the other box before the child's
// time, and no gap may exceed the distance of the triangles inside.
#include "ccd/search/box_steps.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "ccd/search/box_test.hpp"
#include "hierarchy/box_gaps.hpp"
#include "hierarchy/box_pair.hpp"
#include "toccata/base/random.hpp"
#include "toccata/elementary/triangle_triangle.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata {

using namespace search;

namespace {

TriangleMesh soup(Random& random, double scale) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) {
    const Vector3 p = random.in_box(scale);
    for (int k = 0; k < 3; ++k) mesh.vertices.push_back(p + random.in_box(scale * (k == 0 ? 0.0 : 0.4)));
    mesh.faces.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return mesh;
}

RigidMotion random_motion(Random& random, double scale, bool turns) {
  const Pose pose = {Eigen::AngleAxisd(random.uniform(-3, 3), random.on_sphere()).toRotationMatrix(),
                     random.in_box(2.0 * scale)};
  return RigidMotion::with_velocity(pose, random.in_box(4.0 * scale),
                                    turns ? random.in_box(4.0) : Vector3(Vector3::Zero()));
}

double distance_at(const Shape& a, const Motion& motion_a, std::int32_t id_a, const Shape& b,
                   const Motion& motion_b, std::int32_t id_b, double t) {
  return triangle_triangle_distance(
             transformed(motion_a.pose(t), triangle_of(a.mesh(), static_cast<std::size_t>(id_a))),
             transformed(motion_b.pose(t), triangle_of(b.mesh(), static_cast<std::size_t>(id_b))))
      .distance;
}

TEST(BoxSteps, triangles_inside_stay_apart_until_the_time_of_their_boxes) {
  Random random(61);
  int judged = 0, long_steps = 0;
  for (int round = 0; round < 400; ++round) {
    const double scale = round % 3 == 0 ? std::pow(10.0, random.uniform(-6, 6)) : 1.0;
    const Shape a(soup(random, scale)), b(soup(random, scale));
    const RigidMotion motion_a = random_motion(random, scale, round % 2 == 0);
    const RigidMotion motion_b = random_motion(random, scale, round % 4 < 2);
    const double t = random.uniform(0, 0.5);
    PairStates states({&a.data(), &motion_a}, {&b.data(), &motion_b});
    BoxTestState state;
    const PairState now = states.at(t, 1.0);
    state.set(now);
    const PairAtRest rest = at_rest(now, {&a.data(), &motion_a}, {&b.data(), &motion_b});
    const BoxTree* const trees[2] = {&a.data().tree, &b.data().tree};
    // Eight triangles: node 1 holds them all, one per child.
    for (BoxId other = box_width; other < 2 * box_width; ++other) {
      PendingGroup group;
      group.earliest = 0.0F;
      group.node = 1;
      group.other = other;
      group.side = static_cast<std::int16_t>(round % 5 == 0 ? 1 : 0);
      const int side = group.side;
      // Edge directions always, sometimes, never.
      constexpr float shares[3] = {std::numeric_limits<float>::infinity(), 0.1F, 0.0F};
      const float near_step = shares[round % 3];
      test_boxes(state, trees, {0.0, near_step, 0.0F, 1.0F}, group, true);
      float gaps[box_width];
      hierarchy::box_gaps({rest.to_own[side], rest.padding}, trees[side]->nodes[1], trees[1 - side]->nodes[1],
                          other % box_width, gaps);
      for (BoxId k = 0; k < box_width; ++k) {
        const std::int32_t own = ~child_of(*trees[side], box_width + k);
        const std::int32_t theirs = ~child_of(*trees[1 - side], other);
        const std::int32_t id_a = side == 0 ? own : theirs, id_b = side == 0 ? theirs : own;
        const auto distance = [&](double when) {
          return distance_at(a, motion_a, id_a, b, motion_b, id_b, when);
        };
        ASSERT_LE(static_cast<double>(gaps[k]), distance(t)) << round;
        const double step = std::min(static_cast<double>(group.when[k]), 1.0 - t);
        // Below 1e-40 there is but the number of the child.
        for (int i = 0; i <= 16 && step > 1e-40; ++i) {
          ASSERT_GT(distance(t + step * i / 16.0), 0.0) << round << ' ' << k;
        }
        ++judged;
        if (step > 0.05) ++long_steps;
      }
    }
  }
  EXPECT_GT(long_steps, judged / 4);
}

PendingGroup group_of(Random& random, float since) {
  PendingGroup group;
  group.earliest = since;
  group.node = 1;
  group.other = static_cast<BoxId>(box_width + random.integer(0, box_width - 1));
  group.side = static_cast<std::int16_t>(random.integer(0, 1));
  return group;
}

void expect_same(const PendingGroup& one, const PendingGroup& other, int round) {
  for (std::size_t k = 0; k < box_width; ++k)
    ASSERT_EQ(std::bit_cast<std::uint32_t>(one.when[k]), std::bit_cast<std::uint32_t>(other.when[k]))
        << round;
  ASSERT_EQ(one.earliest, other.earliest) << round;
}

TEST(BoxSteps, two_groups_at_once_have_the_times_of_each_alone) {
  Random random(62);
  for (int round = 0; round < 2000; ++round) {
    const Shape a(soup(random, 1.0)), b(soup(random, 1.0));
    const RigidMotion motion_a = random_motion(random, 1.0, round % 2 == 0);
    const RigidMotion motion_b = random_motion(random, 1.0, round % 4 < 2);
    PairStates states({&a.data(), &motion_a}, {&b.data(), &motion_b});
    BoxTestState state;
    state.set(states.at(0.25, 1.0));
    const BoxTree* const trees[2] = {&a.data().tree, &b.data().tree};
    const BoxTestLimits first = {0.0, round % 3 == 0 ? 1.0F : 0.02F, 0.25F, 1.0F};
    const BoxTestLimits again = {0.0, 0.1F, 0.3F, 0.9F};
    PendingGroup alone[2], both[2];
    for (int i = 0; i < 2; ++i) {
      alone[i] = both[i] = group_of(random, static_cast<float>(random.uniform(0.0, 0.5)));
      test_boxes(state, trees, first, alone[i], true);
    }
    box_steps({box_test(state, trees, both[0], true), box_test(state, trees, both[1], true)}, first);
    for (int i = 0; i < 2; ++i) {
      expect_same(alone[i], both[i], round);
      alone[i].take_next();
      both[i].take_next();
      test_boxes(state, trees, again, alone[i], false);
    }
    box_steps({box_test(state, trees, both[0], false), box_test(state, trees, both[1], false)}, again);
    for (int i = 0; i < 2; ++i) expect_same(alone[i], both[i], round);
  }
}

TEST(BoxSteps, what_is_done_or_known_to_be_apart_stays_so) {
  Random random(63);
  int left = 0, later = 0;
  for (int round = 0; round < 500; ++round) {
    const Shape a(soup(random, 1.0)), b(soup(random, 1.0));
    const RigidMotion motion_a = random_motion(random, 1.0, true),
                      motion_b = random_motion(random, 1.0, false);
    PairStates states({&a.data(), &motion_a}, {&b.data(), &motion_b});
    BoxTestState state;
    state.set(states.at(0.25, 1.0));
    const BoxTree* const trees[2] = {&a.data().tree, &b.data().tree};
    const auto since = static_cast<float>(random.uniform(0.25, 0.5));
    PendingGroup group = group_of(random, since);
    test_boxes(state, trees, {0.0, 1.0F, 0.25F, 1.0F}, group, true);
    for (const float time : group.when) ASSERT_GE(time, since * (1.0F - 0x1p-20F)) << round;
    const PendingGroup before = group;
    group.take_next();
    if (before.earliest == PendingGroup::never) continue;
    ASSERT_GT(group.earliest, before.earliest) << round;
    const float done = before.earliest;
    test_boxes(state, trees, {0.0, 0.0F, 0.25F, 1.0F}, group, false);
    for (std::size_t k = 0; k < box_width; ++k) {
      if (before.when[k] <= done) {
        ASSERT_EQ(group.when[k], PendingGroup::never) << round;
        continue;
      }
      ASSERT_GE(group.when[k], before.when[k]) << round;
      left += group.when[k] < PendingGroup::never ? 1 : 0;
    }
    ASSERT_EQ(group.earliest, *std::min_element(group.when.begin(), group.when.end())) << round;
    later += group.earliest > since ? 1 : 0;
  }
  EXPECT_GT(left, 500);
  EXPECT_GT(later, 100);
}

}  // namespace
}  // namespace toccata
