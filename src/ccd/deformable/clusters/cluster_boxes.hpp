#pragma once
// Boxes of clusters and of their features at both ends of a step, in single precision, and the wide tree over
// the clusters. docs/notes/deformable_bounds.md derives why every comparison made on them is conservative.
//
// Coordinates are centred and scaled by a power of two, so that |X| <= 1 for the whole scene. On the cardinal
// axes centring and rounding to float are monotone, so a strict order of the floats proves a strict order of
// the exact coordinates. The spread axes have small integer coefficients; there, and with a minimum distance
// or a shortened step, gaps must exceed a derived threshold.
//
// Features are compared a vector at a time, as 16-bit integers: their coordinates rounded to a grid, less an
// origin of their cluster on that grid. Rounding to the grid is monotone again and the rest of the arithmetic
// is that of integers, exact. A cluster spans less than 2^14 steps (but for a few wide ones, kept apart), so
// that a value, moved into the frame of another cluster, keeps its order even where the distance of the
// frames is cut to fit 16 bits.
#include <array>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "base/large_pages.hpp"
#include "ccd/deformable/clusters/cluster_mesh.hpp"
#include "ccd/deformable/pipeline.hpp"

namespace toccata::deformable::clusters {

inline constexpr std::int32_t node_width = 16;
inline constexpr int spread_axis_count = 8;
inline constexpr int box_planes = 12;  // axis-major: lower at t0, upper at t0, lower at t1, upper at t1

// Coefficients by axis; all in {-1, 0, 1}.
inline constexpr std::array<std::array<float, spread_axis_count>, 3> spread_axes = {{
    {1, 1, 1, 1, 1, 1, 1, 0},
    {1, 1, -1, -1, 1, -1, 0, 1},
    {1, -1, 1, -1, 0, 0, 1, -1},
}};

// Memory that is written before it is read: growing leaves it as it is. It starts where a line of the cache
// does, so that vectors of that width are read at once.
template <typename T>
struct UninitializedAllocator : std::allocator<T> {
  static constexpr std::align_val_t line{64};
  template <typename U>
  struct rebind {
    using other = UninitializedAllocator<U>;
  };
  T* allocate(std::size_t count) {
    void* const memory = ::operator new(count * sizeof(T), line);
    prefer_large_pages(memory, count * sizeof(T));
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { ::operator delete(memory, line); }
  template <typename U>
  void construct(U* place) {
    ::new (static_cast<void*>(place)) U;
  }
};
template <typename T>
using Uninitialized = std::vector<T, UninitializedAllocator<T>>;

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

// Steps of the grid per scaled unit, powers of two.
struct Grid {
  float cardinal = 1;
  float spread = 1;
};
inline constexpr float largest_cluster = 16000;        // steps on any axis, at one end
inline constexpr std::int32_t farthest_frame = 24000;  // steps between two clusters' origins, cut to this
inline constexpr double largest_threshold = 7000;      // steps

// The thresholds in steps: x - y > threshold on the grid proves the gap.
struct GridThresholds {
  std::int16_t cardinal = 0;
  std::array<std::int16_t, 2 * spread_axis_count> spread{};  // [end][axis], both ends the same
};

// Provided that they are at most largest_threshold.
GridThresholds make_grid_thresholds(const Grid& grid, const Thresholds& thresholds);

// Where a cluster is on the grid. Rows are x y z - at t0, then at t1.
struct alignas(64) ClusterFrame {
  std::int32_t origin[8];
  std::int32_t spread_origin[2 * spread_axis_count];
  std::int16_t lower[8], upper[8];  // its box, less the origin
};

// What boxes are wanted for.
struct FitRequest {
  double t_end = 1.0;
  double distance = 0.0;
  bool swept = false;  // even where features move far
};

enum FitState : std::uint8_t { NotFitted, BeingFitted, Fitted };

struct ClusterBoxes {
  Scaling scaling;
  Grid grid;
  bool swept = false;  // features are swept over the step: as good where they hardly move, and half the work
  // By cluster: groups of 32 faces and of edges [12][32], of owned vertices [axis][t0, t1][32], and all
  // its vertices on the spread axes [vertex][t0, t1][axis]. Swept: groups of faces, edges and vertices
  // [axis][lower, upper][32], and vertices [vertex][lower, -upper][axis].
  // What a cluster has of these is fitted when it is first asked for (fit_once): where most of a surface is
  // smooth, hardly any is.
  mutable Uninitialized<std::int16_t> features;
  mutable Uninitialized<ClusterFrame> frames;
  mutable Uninitialized<std::uint8_t> fitted;  // by cluster: a FitState
  // By cluster, 1: so much wider than most that it is not on the grid. What the two above have of it means
  // nothing; its features are compared by `points`, one by one.
  Uninitialized<std::uint8_t> wide;
  Uninitialized<float> cardinal;  // by cluster: 12
  Uninitialized<float> spread;    // by cluster: [lower t0, upper t0, lower t1, upper t1][axis]
  Uninitialized<float> points;    // by vertex: x0 y0 z0 0 x1 y1 z1 0, centred and scaled
  // levels[0]: the clusters in Morton order, levels[k + 1]: the blocks of levels[k]. A block is [12][16].
  struct Level {
    std::int32_t count = 0;  // boxes
    Uninitialized<float> blocks;
    std::int32_t block_count() const { return (count + node_width - 1) / node_width; }
  };
  std::vector<Level> levels;
  std::vector<std::int32_t> order;  // cluster of each position of levels[0]

  // Takes the memory for a mesh, but for its features.
  void reserve(const Topology& topology, const ClusterMesh& mesh);
  bool serve(const FitRequest& request) const;
  std::size_t memory_bytes() const;
};

// Fits the frames and the features of clusters, at most most_fitted, unless that was done. Several threads
// may ask for the same.
inline constexpr std::size_t most_fitted = 2 * node_width * node_width;
void fit_once(const ClusterMesh& mesh, std::span<const std::int32_t> clusters, const ClusterBoxes& boxes);

// Fits everything to the step as requested, but for frames and features.
void refit(const Topology& topology, const ClusterMesh& mesh, const Step& step, const FitRequest& request,
           int threads, ClusterBoxes& boxes);

}  // namespace toccata::deformable::clusters
