#pragma once
// The base implementation of the field, as contestant: a binary tree of swept 18-DOPs over the triangles, and
// for each overlapping pair of triangles all fifteen elementary tests (six vertex-face, nine edge-edge),
// without any use of connectivity beyond skipping features that share a vertex.
#include <cstdint>
#include <vector>

#include "deformable/steps.hpp"

namespace toccata::bench {

struct BaseResult {
  double build_milliseconds = 0;
  double cull_milliseconds = 0;
  double test_milliseconds = 0;
  std::int64_t triangle_pairs = 0;
  std::int64_t elementary_tests = 0;
  std::vector<FeaturePair> pairs;  // sorted, each once
};

BaseResult run_base(const Step& step, const DeformableScene& scene);

}  // namespace toccata::bench
