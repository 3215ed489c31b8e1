// The lanes of the contour test say what a plain look at every corner and every pair of edges says, on every
// instruction set.
#include "motion/contour_lanes.hpp"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "toccata/base/random.hpp"

namespace toccata::contour {
namespace {

// A winding loop that moves, with a point before its first and one behind its last, and some more to read.
Tracks random_loop(Random& random, std::size_t count) {
  Tracks tracks;
  const double wave = random.uniform(0.0, 0.4), motion = random.uniform(0.0, 0.2);
  std::vector<std::array<double, 4>> points;
  for (std::size_t i = 0; i < count; ++i) {
    const double turn = 6.283185307179586 * static_cast<double>(i) / static_cast<double>(count);
    const double radius = 1.0 + wave * std::sin(7.0 * turn);
    const double u = radius * std::cos(turn), v = radius * std::sin(turn);
    points.push_back(
        {u, v, u + random.uniform(-motion, motion), v + random.uniform(-motion, motion) + 0.3 * wave});
  }
  for (std::size_t i = 0; i < count + 2 + run_length; ++i) {
    const auto& p = points[(i + count - 1) % count];
    tracks.u_t0.push_back(p[0]);
    tracks.v_t0.push_back(p[1]);
    tracks.u_t1.push_back(p[2]);
    tracks.v_t1.push_back(p[3]);
  }
  return tracks;
}

// Neither a turn to one side all the time nor sides that point away from each other.
bool is_doubtful(const Tracks& x, std::size_t i, double margin) {
  const auto vector = [&](const std::vector<double>& u, const std::vector<double>& v, std::size_t to) {
    return std::array{u[to] - u[i], v[to] - v[i]};
  };
  const std::array p = {vector(x.u_t0, x.v_t0, i - 1), vector(x.u_t1, x.v_t1, i - 1)};
  const std::array q = {vector(x.u_t0, x.v_t0, i + 1), vector(x.u_t1, x.v_t1, i + 1)};
  const auto cross = [](const auto& a, const auto& b) { return a[0] * b[1] - a[1] * b[0]; };
  double size = 0.0;
  for (const auto& v : {p[0], p[1], q[0], q[1]}) size = std::max({size, std::abs(v[0]), std::abs(v[1])});
  const double limit = 4.0 * margin * size + 1e-290;
  const std::array turns = {cross(p[0], q[0]), 0.5 * (cross(p[0], q[1]) + cross(p[1], q[0])),
                            cross(p[1], q[1])};
  if (*std::min_element(turns.begin(), turns.end()) > limit) return false;
  if (*std::max_element(turns.begin(), turns.end()) < -limit) return false;
  const double u = p[0][0] + p[1][0] - q[0][0] - q[1][0], v = p[0][1] + p[1][1] - q[0][1] - q[1][1];
  const double length = std::max(std::abs(u), std::abs(v));
  if (!(length > 0.0)) return true;
  const auto along = [&](const auto& a) { return u / length * a[0] + v / length * a[1]; };
  return !(along(p[0]) > margin && along(p[1]) > margin && along(q[0]) < -margin && along(q[1]) < -margin);
}

void check_loop(const Tracks& tracks, std::size_t count, double margin) {
  std::vector<std::int32_t> doubtful, truth;
  list_doubtful_corners(tracks, 0, count, margin, doubtful);
  for (std::size_t n = 0; n < count; ++n) {
    if (is_doubtful(tracks, n + 1, margin)) truth.push_back(static_cast<std::int32_t>(n));
  }
  ASSERT_EQ(doubtful, truth);
  Boxes edges, runs;
  edges.resize(count);
  fit_edges(tracks, 1, count, 0, edges);
  fit_runs(edges, runs);
  ASSERT_EQ(runs.count, (count + run_length - 1) / run_length);
  const auto range = [](const std::vector<double>& t0, const std::vector<double>& t1, std::size_t i) {
    return std::pair(std::min({t0[i], t1[i], t0[i + 1], t1[i + 1]}),
                     std::max({t0[i], t1[i], t0[i + 1], t1[i + 1]}));
  };
  for (std::size_t n = 0; n < count; ++n) {
    ASSERT_EQ(std::pair(edges.u_low[n], edges.u_high[n]), range(tracks.u_t0, tracks.u_t1, n + 1));
    ASSERT_EQ(std::pair(edges.v_low[n], edges.v_high[n]), range(tracks.v_t0, tracks.v_t1, n + 1));
  }
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs, expected;
  list_meeting_edges(edges, runs, margin, pairs);
  for (std::size_t m = 0; m < count; ++m) {
    for (std::size_t n = m + 1; n < count; ++n) {
      const double u = std::max(edges.u_low[n] - edges.u_high[m], edges.u_low[m] - edges.u_high[n]);
      const double v = std::max(edges.v_low[n] - edges.v_high[m], edges.v_low[m] - edges.v_high[n]);
      if (std::max(u, v) <= margin)
        expected.emplace_back(static_cast<std::int32_t>(m), static_cast<std::int32_t>(n));
    }
  }
  std::sort(pairs.begin(), pairs.end());
  ASSERT_EQ(pairs, expected);
}

TEST(ContourLanes, say_what_a_plain_look_says_on_every_instruction_set) {
  for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1) {
    hwy::SetSupportedTargetsForTest(left & -left);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    Random random(83);
    for (std::size_t count = 3; count < 70; ++count) {
      const double margin = random.integer(0, 1) != 0 ? 1e-12 : 0.02;
      check_loop(random_loop(random, count), count, margin);
      if (testing::Test::HasFatalFailure()) break;
    }
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace
}  // namespace toccata::contour
