#pragma once
// Which links of a robot can touch each other at all? A matrix of allowed contacts that is proven, where it
// is usually sampled.
//
//   const ArticulatedBody arm;
//   for (const LinkPair& pair : robot_pairs(arm).pairs)
//     if (pair.kind == PairKind::AlwaysApart) std::printf("%s %s\n", pair.a.c_str(), pair.b.c_str());
#include <cstdint>
#include <cstdio>

#include "toccata/base/stop.hpp"
#include "toccata/ccd/articulated/robot_in_scene.hpp"
#include "toccata/report/robot_pairs_result.hpp"

namespace toccata {

struct RobotPairsOptions {
  std::int64_t budget = 2000;  // of each pair: most cells into which its values are divided
  int threads = 0;             // 0 = all cores
  Stop stop = {};              // pairs that are not decided by then are Undecided
};

// For all values within the limits of joints (continuous ones: a whole turn). Values are divided into cells:
// the distance at the middle of one, less how far the two can get within it, holds for all of it. Meshes that
// are closed are full inside, as in RobotInScene. Milliseconds to seconds.
RobotPairsResult robot_pairs(const ArticulatedBody& robot, const RobotPairsOptions& options = {});

struct PairTableOptions {
  std::int64_t budget = 4096;  // of each pair: most cells
  int threads = 0;             // 0 = all cores
};

// The same robot with a table for each pair of links whose place depends on one or two values: a proven
// distance for each cell of them. Questions about its paths then answer most of those pairs by looking them
// up; the answers are the same, times up to
// the tolerance. To be computed once: tenths of a second for an arm.
RobotInScene with_pair_tables(const RobotInScene& robot, const PairTableOptions& options = {});

}  // namespace toccata
