// Every method against all pairs, on worlds that are even, clustered, flat, in a column, at one point, with
// giants among dust, with equal and with infinite boxes.
#include "toccata/broad_phase/overlapping_pairs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "effort.hpp"
#include "toccata/base/random.hpp"

namespace toccata {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<IndexPair> all_pairs(const std::vector<Aabb>& boxes) {
  std::vector<IndexPair> pairs;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t k = i + 1; k < boxes.size(); ++k) {
      bool meets = true;
      for (int axis = 0; axis < 3; ++axis) {
        const double low_i = boxes[i].lower[axis], high_i = boxes[i].upper[axis];
        const double low_k = boxes[k].lower[axis], high_k = boxes[k].upper[axis];
        meets = meets && low_i <= high_i && low_k <= high_k && low_i <= high_k && low_k <= high_i;
      }
      if (meets) pairs.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(k)});
    }
  }
  return pairs;
}

Aabb box_at(const Vector3& middle, const Vector3& half) {
  return {middle - half, middle + half};
}

// A world of some kind, different for each seed.
std::vector<Aabb> world(std::uint64_t seed) {
  Random random(seed);
  const int kind = static_cast<int>(seed % 12);
  const int count = random.integer(0, 300);
  const double scale = std::pow(10.0, random.integer(-6, 6));
  const Vector3 far = random.integer(0, 3) == 0 ? random.in_box(1e6 * scale) : Vector3(Vector3::Zero());
  std::vector<Aabb> boxes;
  for (int i = 0; i < count; ++i) {
    Vector3 middle = random.in_box(5.0), half = (random.in_box(0.4) + Vector3::Constant(0.6));
    if (kind == 1) middle = Vector3::Zero();                                // all at one point
    if (kind == 2) middle.head<2>() *= 1e-3;                                // a column
    if (kind == 3) middle.z() = 0.0;                                        // flat
    if (kind == 4) half *= std::pow(10.0, random.uniform(-3.0, 0.5));       // many sizes
    if (kind == 5) half *= i == 0 ? 100.0 : 1e-2;                           // a giant among dust
    if (kind == 6) half.setZero();                                          // points
    if (kind == 7) middle = middle.array().round(), half.setConstant(0.5);  // touching, on a grid
    if (kind == 8) middle = middle.array().cube() * 1e-2;                   // dense in the middle
    if (kind == 9) half = half.cwiseProduct(Vector3(20.0, 0.01, 0.01));     // needles
    Aabb box = box_at(far + scale * middle, scale * half);
    if (kind == 10) {
      if (random.integer(0, 9) == 0) box.upper[random.integer(0, 2)] = infinity;
      if (random.integer(0, 9) == 0) box.lower = Vector3::Constant(-infinity);
      if (random.integer(0, 9) == 0) std::swap(box.lower, box.upper);
      if (random.integer(0, 9) == 0) box.lower[random.integer(0, 2)] = std::nan("");
    }
    if (kind == 11 && !boxes.empty() && random.integer(0, 1) == 0) box = boxes.back();
    boxes.push_back(box);
  }
  return boxes;
}

class Methods : public testing::TestWithParam<PairMethod> {};

TEST_P(Methods, GiveAllPairsOnce) {
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(with_effort(480)); ++seed) {
    const std::vector<Aabb> boxes = world(seed);
    const std::vector<IndexPair> expected = all_pairs(boxes);
    for (const int threads : {1, 2}) {
      ASSERT_EQ(overlapping_pairs(boxes, {GetParam(), threads}), expected)
          << "seed " << seed << ", " << boxes.size() << " boxes, " << threads << " threads";
    }
  }
}

// Enough boxes for many rows, several grids and a tree of several levels.
TEST_P(Methods, GiveTheSameOnLargeWorlds) {
  Random random(7);
  std::vector<Aabb> boxes;
  for (int i = 0; i < 20000; ++i) {
    const double size = i % 3 == 0 ? std::pow(10.0, random.uniform(-2.0, 1.0)) : 0.5;
    boxes.push_back(box_at(random.in_box(40.0), Vector3::Constant(0.5 * size)));
  }
  const std::vector<IndexPair> expected = overlapping_pairs(boxes, {PairMethod::Sweep, 1});
  EXPECT_GT(expected.size(), 10000U);
  for (const int threads : {1, 2}) EXPECT_EQ(overlapping_pairs(boxes, {GetParam(), threads}), expected);
}

// Of like sizes and evenly spread, as cells take them: boxes on the borders of cells, a few that are too
// large for them, one that is everywhere, far from the origin, flat, and in a row.
TEST_P(Methods, GiveTheSameOnEvenWorlds) {
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(with_effort(24)); ++seed) {
    Random random(100 + seed);
    const Vector3 shape(seed % 4 == 1 ? 0.02 : 1.0, seed % 4 >= 2 ? 0.02 : 1.0, seed % 4 == 3 ? 0.02 : 1.0);
    const Vector3 far = seed % 3 == 1 ? random.in_box(1e5) : Vector3(Vector3::Zero());
    std::vector<Aabb> boxes;
    for (int i = 0; i < 1200; ++i) {
      Vector3 middle = random.in_box(15.0).cwiseProduct(shape),
              half = random.in_box(0.25) + Vector3::Constant(0.5);
      if (seed % 2 == 1) middle = middle.array().round(), half.setConstant(0.5);
      if (i % 200 == 199) half *= 10.0;
      if (i == 700) half.setConstant(infinity);
      boxes.push_back(box_at(far + middle, half));
    }
    const std::vector<IndexPair> expected = all_pairs(boxes);
    for (const int threads : {1, 2})
      ASSERT_EQ(overlapping_pairs(boxes, {GetParam(), threads}), expected) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(OverlappingPairs, Methods,
                         testing::Values(PairMethod::Rows, PairMethod::Sweep, PairMethod::Tree),
                         [](const auto& tested) { return std::string(to_string(tested.param)); });

TEST(OverlappingPairs, TakeTouchingBoxesAndTheSmallestOverlap) {
  const double eps = std::numeric_limits<double>::epsilon();
  const Aabb unit = {Vector3::Zero(), Vector3::Ones()};
  Aabb touching = unit, apart = unit;
  touching.lower.x() = 1.0;
  touching.upper.x() = 2.0;
  apart.lower.x() = 1.0 + eps;  // less than single precision can tell
  apart.upper.x() = 2.0;
  for (const PairMethod method : {PairMethod::Rows, PairMethod::Sweep, PairMethod::Tree}) {
    const std::vector<Aabb> boxes = {unit, touching, apart};
    EXPECT_EQ(overlapping_pairs(boxes, {method, 1}), (std::vector<IndexPair>{{0, 1}, {1, 2}}));
  }
}

// The range of the starts is no float: their scale was infinite once, and the places not a number.
TEST(OverlappingPairs, BoxesBeyondFloats) {
  for (const double scale : {1e-300, 1e-44, 1e-40, 1e38, 1e90}) {
    std::vector<Aabb> boxes;
    for (int i = 0; i < 60; ++i) {
      const Vector3 lower = scale * Vector3(i % 10 - 5, i / 10, 0.0);
      boxes.push_back({lower, lower + Vector3::Constant(1.5 * scale)});
    }
    std::vector<IndexPair> all;
    for (std::int32_t a = 0; a < 60; ++a)
      for (std::int32_t b = a + 1; b < 60; ++b)
        if (overlap(boxes[static_cast<std::size_t>(a)], boxes[static_cast<std::size_t>(b)]))
          all.push_back({a, b});
    EXPECT_EQ(overlapping_pairs(boxes), all) << scale;
  }
}

}  // namespace
}  // namespace toccata
