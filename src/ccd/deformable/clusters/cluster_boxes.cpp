#include "ccd/deformable/clusters/cluster_boxes.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <span>
#include <thread>

#include "base/morton.hpp"
#include "ccd/deformable/clusters/cluster_kernels.hpp"
#include "toccata/base/parallel.hpp"

namespace toccata::deformable::clusters {
namespace {

std::uint32_t code_of(const float* box) {
  std::uint32_t code = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const float* b = box + 4 * axis;
    // Where it is halfway through the step, in 1024 cells per axis. Only the speed depends on it.
    const float middle = 0.25f * (b[0] + b[1] + b[2] + b[3]);
    const float cell = std::clamp((middle + 1.0f) * 512.0f, 0.0f, 1023.0f);
    code |= spread_bits(static_cast<std::uint32_t>(cell)) << axis;
  }
  return code;
}

// Stable radix sort of positions by 30-bit codes, three digits of ten bits.
void sort_by_code(const std::vector<std::uint32_t>& codes, std::vector<std::int32_t>& order) {
  const std::size_t n = codes.size();
  std::vector<std::int32_t> other(n);
  order.resize(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = static_cast<std::int32_t>(i);
  for (int shift = 0; shift < 30; shift += 10) {
    std::array<std::int32_t, 1025> start{};
    for (std::size_t i = 0; i < n; ++i) ++start[((codes[i] >> shift) & 1023u) + 1];
    for (std::size_t d = 1; d < start.size(); ++d) start[d] += start[d - 1];
    for (std::size_t i = 0; i < n; ++i) {
      other[start[(codes[order[i]] >> shift) & 1023u]++] = order[i];
    }
    order.swap(other);
  }
}

// Empty slots are at infinity: test (1) separates them from every finite box.
void clear_block(float* block) {
  for (int plane = 0; plane < box_planes; ++plane) {
    const float empty =
        plane % 2 == 0 ? std::numeric_limits<float>::infinity() : -std::numeric_limits<float>::infinity();
    std::fill_n(block + plane * node_width, node_width, empty);
  }
}

// Sixteen neighbours in Morton order become a block, sixteen blocks one of the next level, up to one block.
void build_levels(ClusterBoxes& boxes) {
  const auto count = static_cast<std::int32_t>(boxes.cardinal.size() / box_planes);
  std::vector<std::uint32_t> codes(static_cast<std::size_t>(count));
  for (std::int32_t c = 0; c < count; ++c) codes[c] = code_of(boxes.cardinal.data() + box_planes * c);
  sort_by_code(codes, boxes.order);

  std::size_t depth = 0;
  std::int32_t level_count = count;
  for (;;) {
    if (boxes.levels.size() <= depth) boxes.levels.emplace_back();
    ClusterBoxes::Level& level = boxes.levels[depth];
    level.count = level_count;
    const std::int32_t blocks = level.block_count();
    constexpr std::int32_t block_floats = box_planes * node_width;
    level.blocks.resize(static_cast<std::size_t>(blocks) * block_floats);
    for (std::int32_t b = 0; b < blocks; ++b) {
      float* block = level.blocks.data() + b * block_floats;
      const std::int32_t members = std::min(node_width, level_count - b * node_width);
      if (members < node_width) clear_block(block);
      for (std::int32_t i = 0; i < members; ++i) {
        const std::int32_t position = b * node_width + i;
        if (depth == 0) {
          const float* box = boxes.cardinal.data() + box_planes * boxes.order[position];
          for (int plane = 0; plane < box_planes; ++plane) block[plane * node_width + i] = box[plane];
        } else {
          const float* child = boxes.levels[depth - 1].blocks.data() + position * block_floats;
          for (int plane = 0; plane < box_planes; ++plane) {
            const float* lanes = child + plane * node_width;
            block[plane * node_width + i] = plane % 2 == 0 ? *std::min_element(lanes, lanes + node_width)
                                                           : *std::max_element(lanes, lanes + node_width);
          }
        }
      }
    }
    ++depth;
    if (blocks <= 1) break;
    level_count = blocks;
  }
  boxes.levels.resize(depth);
}

// The vertices [begin, end) centred, scaled and rounded to float, at t0 and at the end of the boxes'
// interval.
void scale_points(const Step& step, std::size_t begin, std::size_t end, ClusterBoxes& boxes) {
  const Scaling scaling = boxes.scaling;
  const bool whole = scaling.t_end == 1.0;
  for (std::size_t v = begin; v < end; ++v) {
    const MovingVertex& m = step.vertices[v];
    float* const to = boxes.points.data() + 8 * v;
    for (int k = 0; k < 3; ++k) {
      const double x0 = (m.t0[k] - scaling.center[k]) * scaling.scale;
      // Monotone on the whole step: a difference and a rounding keep order, a power of two is exact.
      double x1 = (m.t1[k] - scaling.center[k]) * scaling.scale;
      if (!whole) x1 = x0 + scaling.t_end * (x1 - x0);
      to[k] = static_cast<float>(x0);
      to[4 + k] = static_cast<float>(x1);
    }
    to[3] = to[7] = 0.0f;
  }
}

float largest(std::span<const float> values) {
  return *std::max_element(values.begin(), values.end());
}

// Do the clusters' boxes move by little of their width? Then swept boxes separate what those at the ends do.
bool is_nearly_still(const ClusterBoxes& boxes) {
  double motion = 0, width = 0;
  const auto& b = boxes.cardinal;
  for (std::size_t i = 0; i < b.size(); i += 4) {
    motion += static_cast<double>(std::abs(b[i + 2] - b[i]) + std::abs(b[i + 3] - b[i + 1]));
    width += static_cast<double>(b[i + 1] - b[i]);
  }
  return motion <= width * (1.0 / 32);
}

// Of every cluster, on its widest axis: at one end, or over both.
std::vector<float> box_widths(const ClusterBoxes& boxes) {
  std::vector<float> widths(boxes.cardinal.size() / box_planes);
  for (std::size_t c = 0; c < widths.size(); ++c) {
    const float* const b = boxes.cardinal.data() + c * box_planes;
    for (std::size_t i = 0; i < box_planes; i += 4) {
      const float width = boxes.swept ? std::max(b[i + 1], b[i + 3]) - std::min(b[i], b[i + 2])
                                      : std::max(b[i + 1] - b[i], b[i + 3] - b[i + 2]);
      widths[c] = std::max(widths[c], width);
    }
  }
  return widths;
}

std::vector<float> spread_widths(const ClusterBoxes& boxes) {
  constexpr std::size_t n = spread_axis_count;
  std::vector<float> widths(boxes.spread.size() / (4 * n));
  for (std::size_t c = 0; c < widths.size(); ++c) {
    const float* const b = boxes.spread.data() + c * 4 * n;
    for (std::size_t k = 0; k < n; ++k) {
      const float width = boxes.swept ? std::max(b[n + k], b[3 * n + k]) - std::min(b[k], b[2 * n + k])
                                      : std::max(b[n + k] - b[k], b[3 * n + k] - b[2 * n + k]);
      widths[c] = std::max(widths[c], width);
    }
  }
  return widths;
}

// Marks clusters that are out of proportion, at most one in 64 and one more: the grid is not made for them.
// Returns the widest of the others.
float mark_wide(const std::vector<float>& widths, Uninitialized<std::uint8_t>& wide) {
  std::vector<float> sorted = widths;
  const auto at = [&](std::size_t i) {
    const auto place = sorted.begin() + static_cast<std::ptrdiff_t>(i);
    std::nth_element(sorted.begin(), place, sorted.end());
    return *place;
  };
  const std::size_t n = widths.size(), most = n / 64 + 1;
  const float proportion = 16 * at(n / 2);
  const float limit = n > most ? std::max(proportion, at(n - 1 - most)) : largest(widths);
  float widest = 0;
  for (std::size_t c = 0; c < n; ++c) {
    if (widths[c] > limit) {
      wide[c] = 1;
    } else {
      widest = std::max(widest, widths[c]);
    }
  }
  return widest;
}

// The finest grid on which every cluster but the wide ones and the threshold fit, but hardly finer than
// float.
float steps_for(float width, float threshold) {
  double most = 0x1p22;
  if (width > 0) most = std::min(most, static_cast<double>(largest_cluster / width));
  // A little less, so that rounding the threshold up to whole steps cannot pass the limit.
  if (threshold > 0) most = std::min(most, 0.999 * largest_threshold / static_cast<double>(threshold));
  int exponent = 0;
  std::frexp(most, &exponent);  // 2^(exponent - 1) <= most
  return std::ldexp(1.0f, exponent - 1);
}

void make_grid(const Thresholds& thresholds, ClusterBoxes& boxes) {
  boxes.wide.assign(boxes.frames.size(), 0);
  if (boxes.frames.empty()) return;
  boxes.grid.cardinal = steps_for(mark_wide(box_widths(boxes), boxes.wide), thresholds.cardinal);
  boxes.grid.spread = steps_for(mark_wide(spread_widths(boxes), boxes.wide), largest(thresholds.spread));
}

// These are always inlined: g++ 12 leaves out calls of functions that only ask the memory ahead.
[[gnu::always_inline]] inline void prefetch_range(const void* from, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += 64) __builtin_prefetch(static_cast<const char*>(from) + i);
}

// What fitting a cluster reads of the mesh.
[[gnu::always_inline]] inline void prefetch_lists(const Cluster& cluster, const ClusterMesh& mesh) {
  prefetch_range(mesh.vertices.data() + cluster.vertex_begin, cluster.vertex_count * sizeof(std::int32_t));
  prefetch_range(mesh.face_corners.data() + 3 * cluster.face_begin,
                 3 * static_cast<std::size_t>(cluster.face_slots()));
  prefetch_range(mesh.edge_ends.data() + 2 * cluster.edge_begin,
                 2 * static_cast<std::size_t>(cluster.edge_slots()));
}

[[gnu::always_inline]] inline void prefetch_points(const Cluster& cluster, const ClusterMesh& mesh,
                                                   const ClusterBoxes& boxes) {
  const std::int32_t* const ids = mesh.vertices.data() + cluster.vertex_begin;
  for (std::size_t i = 0; i < cluster.vertex_count; ++i) {
    __builtin_prefetch(boxes.points.data() + 8 * static_cast<std::size_t>(ids[i]));
  }
}

}  // namespace

Scaling make_scaling(const Step& step, double t_end) {
  Scaling scaling;
  scaling.t_end = t_end;
  double half = 0;
  for (int k = 0; k < 3; ++k) {
    scaling.center[k] = 0.5 * step.lower[k] + 0.5 * step.upper[k];
    half = std::max({half, step.upper[k] - scaling.center[k], scaling.center[k] - step.lower[k]});
  }
  int exponent = 0;
  std::frexp(half, &exponent);  // half < 2^exponent
  scaling.scale = half > 0 ? std::ldexp(1.0, std::clamp(-exponent, -1000, 1000)) : 1.0;
  return scaling;
}

Thresholds make_thresholds(const Scaling& scaling, double distance) {
  constexpr double u = 0x1p-24;  // unit roundoff of float
  const double scaled = distance * scaling.scale;
  const auto up = [](double x) {
    return std::nextafter(static_cast<float>(std::min(x, 1e30)), std::numeric_limits<float>::infinity());
  };
  Thresholds result;
  // Exact order needs no threshold; see docs/notes/deformable_bounds.md for the constants.
  if (distance > 0 || scaling.t_end < 1.0) result.cardinal = up(scaled * (1 + 2 * u) + 8 * u);
  for (std::size_t axis = 0; axis < spread_axis_count; ++axis) {
    double sum = 0;
    double squares = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      sum += std::abs(spread_axes[k][axis]);
      squares += spread_axes[k][axis] * spread_axes[k][axis];
    }
    result.spread[axis] = up(scaled * std::sqrt(squares) * (1 + 4 * u) + 16 * sum * u);
  }
  return result;
}

void ClusterBoxes::reserve(const Topology& topology, const ClusterMesh& mesh) {
  frames.resize(mesh.clusters.size());
  cardinal.resize(mesh.clusters.size() * box_planes);
  spread.resize(mesh.clusters.size() * 4 * spread_axis_count);
  points.resize(static_cast<std::size_t>(topology.vertex_count) * 8);
}

std::size_t ClusterBoxes::memory_bytes() const {
  std::size_t bytes = (cardinal.capacity() + spread.capacity() + points.capacity()) * sizeof(float) +
                      features.capacity() * sizeof(std::int16_t) + frames.capacity() * sizeof(ClusterFrame) +
                      order.capacity() * sizeof(std::int32_t) + wide.capacity() + fitted.capacity();
  for (const Level& level : levels) bytes += level.blocks.capacity() * sizeof(float);
  return bytes;
}

bool ClusterBoxes::serve(const FitRequest& request) const {
  if (scaling.t_end != request.t_end || (request.swept && !swept)) return false;
  const Thresholds t = make_thresholds(scaling, request.distance);
  return static_cast<double>(t.cardinal) * static_cast<double>(grid.cardinal) <= largest_threshold &&
         static_cast<double>(largest(t.spread)) * static_cast<double>(grid.spread) <= largest_threshold;
}

GridThresholds make_grid_thresholds(const Grid& grid, const Thresholds& thresholds) {
  const auto steps = [](float threshold, float scale) {
    return static_cast<std::int16_t>(std::ceil(static_cast<double>(threshold) * static_cast<double>(scale)));
  };
  GridThresholds result;
  result.cardinal = steps(thresholds.cardinal, grid.cardinal);
  for (std::size_t k = 0; k < result.spread.size(); ++k) {
    result.spread[k] = steps(thresholds.spread[k % spread_axis_count], grid.spread);
  }
  return result;
}

void refit(const Topology& topology, const ClusterMesh& mesh, const Step& step, const FitRequest& request,
           int threads, ClusterBoxes& boxes) {
  boxes.scaling = make_scaling(step, request.t_end);
  boxes.reserve(topology, mesh);
  parallel_blocks(static_cast<std::size_t>(topology.vertex_count), 4096, threads,
                  [&](std::size_t begin, std::size_t end) { scale_points(step, begin, end, boxes); });
  parallel_blocks(mesh.clusters.size(), 256, threads,
                  [&](std::size_t begin, std::size_t end) { fit_clusters(mesh, begin, end, boxes); });
  boxes.swept = request.swept || is_nearly_still(boxes);
  boxes.features.resize(static_cast<std::size_t>(mesh.feature_shorts[boxes.swept ? 1 : 0]));
  boxes.fitted.assign(mesh.clusters.size(), NotFitted);
  make_grid(make_thresholds(boxes.scaling, request.distance), boxes);
  build_levels(boxes);
}

void fit_once(const ClusterMesh& mesh, std::span<const std::int32_t> clusters, const ClusterBoxes& boxes) {
  constexpr auto claimed = std::memory_order_acquire;
  const auto state_of = [&](std::int32_t c) { return std::atomic_ref<std::uint8_t>(boxes.fitted[c]); };
  std::int32_t mine[most_fitted];
  std::size_t count = 0;
  for (const std::int32_t c : clusters) {
    std::uint8_t expected = NotFitted;
    const auto state = state_of(c);
    if (state.load(std::memory_order_relaxed) != NotFitted) continue;
    if (!state.compare_exchange_strong(expected, BeingFitted, claimed)) continue;
    mine[count++] = c;
    prefetch_lists(mesh.clusters[c], mesh);
  }
  // All of these are spread over memory: asked for one cluster ahead.
  for (std::size_t i = 0; i < count; ++i) {
    if (i + 1 < count) prefetch_points(mesh.clusters[mine[i + 1]], mesh, boxes);
    fit_features(mesh, static_cast<std::size_t>(mine[i]), static_cast<std::size_t>(mine[i]) + 1, boxes);
    state_of(mine[i]).store(Fitted, std::memory_order_release);
  }
  for (const std::int32_t c : clusters) {  // those that another thread has claimed: microseconds
    while (state_of(c).load(std::memory_order_acquire) != Fitted) std::this_thread::yield();
  }
}

}  // namespace toccata::deformable::clusters
