#include <algorithm>
#include <limits>

#include "ccd/deformable/clusters/cluster_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ccd/deformable/clusters/refit_kernel.cpp"
#include <hwy/foreach_target.h>
// after foreach_target
#include <hwy/highway.h>

#include "ccd/deformable/clusters/cluster_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::deformable::HWY_NAMESPACE {
namespace {

// A point, or a corner of a box, at both ends in one row: x0 y0 z0 - x1 y1 z1 -.
constexpr std::size_t row_floats = 8;
constexpr std::size_t parts = row_floats / float_lanes;
constexpr std::size_t row_group = 8;  // rows that are turned into columns at once

// The place of each element of a row in a box of axis-major planes (four an axis) or in those of points (two
// an axis); the fourth and the eighth are nothing.
constexpr std::size_t box_plane[row_floats] = {0, 4, 8, 0, 2, 6, 10, 0};
constexpr std::size_t point_plane[row_floats] = {0, 2, 4, 0, 1, 3, 5, 0};

struct RowVector {
  FloatVector part[parts];
};

HWY_INLINE RowVector load_row(const float* p) {
  RowVector r;
  for (std::size_t i = 0; i < parts; ++i) r.part[i] = hn::LoadU(float_tag, p + i * float_lanes);
  return r;
}

HWY_INLINE void store_row(const RowVector& r, float* p) {
  for (std::size_t i = 0; i < parts; ++i) hn::StoreU(r.part[i], float_tag, p + i * float_lanes);
}

HWY_INLINE void lower_to(RowVector& r, const RowVector& x) {
  for (std::size_t i = 0; i < parts; ++i) r.part[i] = hn::Min(r.part[i], x.part[i]);
}

HWY_INLINE void raise_to(RowVector& r, const RowVector& x) {
  for (std::size_t i = 0; i < parts; ++i) r.part[i] = hn::Max(r.part[i], x.part[i]);
}

// Eight rows become columns: element k of row i goes to out[(plane[k] + shift) * stride + i].
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_SSE4
HWY_INLINE void store_columns(const RowVector* rows, const std::size_t* plane, std::size_t shift,
                              std::size_t stride, float* out) {
  HWY_ALIGN float values[row_group][row_floats];
  for (std::size_t i = 0; i < row_group; ++i) store_row(rows[i], values[i]);
  for (std::size_t k = 0; k < row_floats; ++k) {
    if (k % 4 == 3) continue;
    float* const to = out + (plane[k] + shift) * stride;
    for (std::size_t i = 0; i < row_group; ++i) to[i] = values[i][k];
  }
}
#else
HWY_INLINE FloatVector pair_lower(FloatVector a, FloatVector b) {
  const hn::Repartition<double, FloatTag> d;
  return hn::BitCast(float_tag, hn::InterleaveLower(d, hn::BitCast(d, a), hn::BitCast(d, b)));
}
HWY_INLINE FloatVector pair_upper(FloatVector a, FloatVector b) {
  const hn::Repartition<double, FloatTag> d;
  return hn::BitCast(float_tag, hn::InterleaveUpper(d, hn::BitCast(d, a), hn::BitCast(d, b)));
}

HWY_INLINE void store_columns(const RowVector* rows, const std::size_t* plane, std::size_t shift,
                              std::size_t stride, float* out) {
  FloatVector low[4], high[4];  // of neighbouring rows: x x' y y', z z' - -, for both ends
  for (std::size_t i = 0; i < 4; ++i) {
    low[i] = hn::InterleaveLower(float_tag, rows[2 * i].part[0], rows[2 * i + 1].part[0]);
    high[i] = hn::InterleaveUpper(float_tag, rows[2 * i].part[0], rows[2 * i + 1].part[0]);
  }
  // The first four and the last four rows of one coordinate, t0 in the lower half and t1 in the upper.
  const FloatVector x[2] = {pair_lower(low[0], low[1]), pair_lower(low[2], low[3])};
  const FloatVector y[2] = {pair_upper(low[0], low[1]), pair_upper(low[2], low[3])};
  const FloatVector z[2] = {pair_lower(high[0], high[1]), pair_lower(high[2], high[3])};
  const FloatVector* const axis[3] = {x, y, z};
  for (std::size_t k = 0; k < 3; ++k) {
    hn::StoreU(hn::ConcatLowerLower(float_tag, axis[k][1], axis[k][0]), float_tag,
               out + (plane[k] + shift) * stride);
    hn::StoreU(hn::ConcatUpperUpper(float_tag, axis[k][1], axis[k][0]), float_tag,
               out + (plane[4 + k] + shift) * stride);
  }
}
#endif

struct LocalPoints {
  alignas(64) float rows[(empty_local + 1) * row_floats];

  LocalPoints() {
    std::fill_n(rows + empty_local * row_floats, row_floats, std::numeric_limits<float>::infinity());
  }
};

// Copies the cluster's points side by side and fits its own box.
HWY_INLINE void fit_cluster(const ClusterMesh& mesh, const Cluster& cluster, const ClusterBoxes& boxes,
                            LocalPoints& local, float* box) {
  const std::int32_t* ids = mesh.vertices.data() + cluster.vertex_begin;
  const float* points = boxes.points.data();
  RowVector lower = load_row(points + row_floats * static_cast<std::size_t>(ids[0])), upper = lower;
  for (std::size_t i = 0; i < cluster.vertex_count; ++i) {
    const RowVector p = load_row(points + row_floats * static_cast<std::size_t>(ids[i]));
    store_row(p, local.rows + row_floats * i);
    lower_to(lower, p);
    raise_to(upper, p);
  }
  HWY_ALIGN float ends[2][row_floats];
  store_row(lower, ends[0]);
  store_row(upper, ends[1]);
  for (std::size_t k = 0; k < row_floats; ++k) {
    if (k % 4 == 3) continue;
    box[box_plane[k]] = ends[0][k];
    box[box_plane[k] + 1] = ends[1][k];
  }
}

void fit_spread(const Cluster& cluster, const LocalPoints& local, float* spread) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (std::size_t h = 0; h < halves; ++h) {
    FloatVector lower[2] = {hn::Set(float_tag, infinity), hn::Set(float_tag, infinity)};
    FloatVector upper[2] = {hn::Set(float_tag, -infinity), hn::Set(float_tag, -infinity)};
    for (std::size_t i = 0; i < cluster.vertex_count; ++i) {
      for (std::size_t end = 0; end < 2; ++end) {
        const auto p = projected(local.rows + row_floats * i + 4 * end, h);
        lower[end] = hn::Min(lower[end], p);
        upper[end] = hn::Max(upper[end], p);
      }
    }
    for (std::size_t end = 0; end < 2; ++end) {
      float* const to = spread + h * float_lanes;
      hn::StoreU(lower[end], float_tag, to + (2 * end) * spread_axis_count);
      hn::StoreU(upper[end], float_tag, to + (2 * end + 1) * spread_axis_count);
    }
  }
}

// Boxes of faces or edges: the extremes of their corners, looked up by local index.
template <std::size_t Corners>
void fit_features(const std::uint8_t* corners, std::size_t slots, const LocalPoints& local, float* out) {
  for (std::size_t s = 0; s < slots; s += row_group) {
    RowVector lower[row_group], upper[row_group];
    for (std::size_t i = 0; i < row_group; ++i) {
      lower[i] = upper[i] = load_row(local.rows + row_floats * corners[s + i]);
      for (std::size_t c = 1; c < Corners; ++c) {
        const RowVector x = load_row(local.rows + row_floats * corners[c * slots + s + i]);
        lower_to(lower[i], x);
        raise_to(upper[i], x);
      }
    }
    store_columns(lower, box_plane, 0, slots, out + s);
    store_columns(upper, box_plane, 1, slots, out + s);
  }
}

void fit_owned(const Cluster& cluster, const LocalPoints& local, float* out) {
  const auto slots = static_cast<std::size_t>(cluster.owned_slots());
  for (std::size_t s = 0; s < slots; s += row_group) {
    RowVector rows[row_group];
    for (std::size_t i = 0; i < row_group; ++i) {
      rows[i] = load_row(local.rows + row_floats * (s + i < cluster.owned_count ? s + i : empty_local));
    }
    store_columns(rows, point_plane, 0, slots, out + s);
  }
}

}  // namespace

void refit_range(const ClusterMesh& mesh, std::size_t begin, std::size_t end, ClusterBoxes& boxes) {
  LocalPoints local;
  for (std::size_t c = begin; c < end; ++c) {
    const Cluster& cluster = mesh.clusters[c];
    fit_cluster(mesh, cluster, boxes, local, boxes.cardinal.data() + box_planes * c);
    fit_spread(cluster, local, boxes.spread.data() + 4 * spread_axis_count * c);
    float* out = boxes.features.data() + cluster.box_begin;
    const auto faces = static_cast<std::size_t>(cluster.face_slots());
    const auto edges = static_cast<std::size_t>(cluster.edge_slots());
    fit_features<3>(mesh.face_corners.data() + 3 * cluster.face_begin, faces, local, out);
    out += box_planes * faces;
    fit_features<2>(mesh.edge_ends.data() + 2 * cluster.edge_begin, edges, local, out);
    out += box_planes * edges;
    fit_owned(cluster, local, out);
  }
}

}  // namespace toccata::deformable::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::deformable {

HWY_EXPORT(refit_range);

void refit_clusters(const ClusterMesh& mesh, std::size_t begin, std::size_t end, ClusterBoxes& boxes) {
  HWY_DYNAMIC_DISPATCH(refit_range)(mesh, begin, end, boxes);
}

}  // namespace toccata::deformable
#endif
