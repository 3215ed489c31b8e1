#pragma once
// Boxes of clusters and of their features at both ends of a step, in single precision, and the wide tree over
// the clusters. docs/deformable_bounds.md derives why every comparison made on them is conservative.
//
// Coordinates are centred and scaled by a power of two, so that |X| <= 1 for the whole scene. On the cardinal
// axes centring and rounding to float are monotone, so a strict order of the floats proves a strict order of
// the exact coordinates. The spread axes have small integer coefficients; there, and with a minimum distance
// or a shortened step, gaps must exceed a derived threshold.
#include <array>
#include <cstdint>
#include <vector>

#include "ccd/deformable/clusters/cluster_mesh.hpp"
#include "ccd/deformable/pipeline.hpp"

namespace toccata::deformable {

inline constexpr std::int32_t node_width = 16;
inline constexpr int spread_axis_count = 8;
inline constexpr int box_planes = 12;  // axis-major: lower at t0, upper at t0, lower at t1, upper at t1

// Coefficients by axis; all in {-1, 0, 1}.
inline constexpr std::array<std::array<float, spread_axis_count>, 3> spread_axes = {{
    {1, 1, 1, 1, 1, 1, 1, 0},
    {1, 1, -1, -1, 1, -1, 0, 1},
    {1, -1, 1, -1, 0, 0, 1, -1},
}};

struct Scaling {
  double center[3] = {0, 0, 0};
  double scale = 1.0;  // a power of two
  double t_end = 1.0;  // the boxes' "t1" is this time of the step
};

Scaling make_scaling(const Step& step, double t_end);

// What a gap must exceed before it proves separation, in scaled units.
struct Thresholds {
  float cardinal = 0;
  std::array<float, spread_axis_count> spread{};
};

Thresholds make_thresholds(const Scaling& scaling, double distance);

struct ClusterBoxes {
  Scaling scaling;
  std::vector<float> features;  // by cluster: faces [12][slots], edges [12][slots], owned vertices [6][slots]
  std::vector<float> cardinal;  // by cluster: 12
  std::vector<float> spread;    // by cluster: [lower t0, upper t0, lower t1, upper t1][axis]
  std::vector<float> points;    // by vertex: x0 y0 z0 0 x1 y1 z1 0, centred and scaled
  // levels[0]: the clusters in Morton order, levels[k + 1]: the blocks of levels[k]. A block is [12][16].
  struct Level {
    std::int32_t count = 0;  // boxes
    std::vector<float> blocks;
    std::int32_t block_count() const { return (count + node_width - 1) / node_width; }
  };
  std::vector<Level> levels;
  std::vector<std::int32_t> order;  // cluster of each position of levels[0]

  // Takes the memory for a mesh, so that the first fit finds it there.
  void reserve(const Topology& topology, const ClusterMesh& mesh);
  std::size_t memory_bytes() const;
};

// Fits everything to the step up to t_end.
void refit(const Topology& topology, const ClusterMesh& mesh, const Step& step, double t_end, int threads,
           ClusterBoxes& boxes);

}  // namespace toccata::deformable
