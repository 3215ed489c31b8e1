#include <algorithm>
#include <array>
#include <limits>

#include "ccd/deformable/clusters/cluster_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ccd/deformable/clusters/refit_kernel.cpp"
#include <hwy/foreach_target.h>
// after foreach_target
#include <hwy/highway.h>

#include "ccd/deformable/clusters/cluster_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::deformable::clusters::HWY_NAMESPACE {
namespace {

// A point, or a corner of a box, at both ends in one row: x0 y0 z0 - x1 y1 z1 -.
constexpr std::size_t row_size = 8;
constexpr std::size_t parts = row_size / float_lanes;

// The extremes of a cluster's points on the cardinal axes: exact, since minima and maxima do not round.
HWY_INLINE void fit_cardinal(const float* points, const std::int32_t* ids, std::size_t count, float* box) {
  HWY_ALIGN float ends[2][row_size];
  for (std::size_t i = 0; i < parts; ++i) {
    const float* const from = points + i * float_lanes;
    FloatVector lower = hn::LoadU(float_tag, from + row_size * static_cast<std::size_t>(ids[0]));
    FloatVector upper = lower;
    for (std::size_t v = 1; v < count; ++v) {
      const auto p = hn::LoadU(float_tag, from + row_size * static_cast<std::size_t>(ids[v]));
      lower = hn::Min(lower, p);
      upper = hn::Max(upper, p);
    }
    hn::Store(lower, float_tag, ends[0] + i * float_lanes);
    hn::Store(upper, float_tag, ends[1] + i * float_lanes);
  }
  for (std::size_t k = 0; k < row_size; ++k) {
    if (k % 4 == 3) continue;
    float* const to = box + 4 * (k % 4) + 2 * (k / 4);
    to[0] = ends[0][k];
    to[1] = ends[1][k];
  }
}

// The same on the spread axes; projections are off by at most E (docs/notes/deformable_bounds.md), their
// extremes by no more.
void fit_spread(const float* points, const std::int32_t* ids, std::size_t count, float* spread) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (std::size_t h = 0; h < halves; ++h) {
    FloatVector lower[2] = {hn::Set(float_tag, infinity), hn::Set(float_tag, infinity)};
    FloatVector upper[2] = {hn::Set(float_tag, -infinity), hn::Set(float_tag, -infinity)};
    for (std::size_t i = 0; i < count; ++i) {
      const float* const point = points + row_size * static_cast<std::size_t>(ids[i]);
      for (std::size_t end = 0; end < 2; ++end) {
        const auto p = projected(point + 4 * end, h);
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

// On the grid: rounded to the nearest step.
HWY_INLINE hn::Vec<IntTag> on_grid(FloatVector x, FloatVector scale) {
  return hn::NearestInt(hn::Mul(x, scale));
}

// Halfway between the extremes of a cluster, on the grid.
HWY_INLINE std::int32_t middle(float lower, float upper, float scale) {
  const hn::CappedTag<float, 1> one;
  const std::int32_t l = hn::GetLane(hn::NearestInt(hn::Set(one, lower * scale)));
  const std::int32_t u = hn::GetLane(hn::NearestInt(hn::Set(one, upper * scale)));
  return (l + u) >> 1;
}

// The middle of the cluster's range on each axis and end, so that its values fit 16 bits with room to be
// moved into another cluster's frame. Swept features have one frame for both ends.
template <bool Swept>
void find_origins(const float* box, const float* spread, const Grid& grid, ClusterFrame& frame) {
  for (std::size_t k = 0; k < 3; ++k) {
    const float* const b = box + 4 * k;
    for (std::size_t end = 0; end < 2; ++end) {
      frame.origin[4 * end + k] = Swept ? middle(std::min(b[0], b[2]), std::max(b[1], b[3]), grid.cardinal)
                                        : middle(b[2 * end], b[2 * end + 1], grid.cardinal);
    }
  }
  frame.origin[3] = frame.origin[7] = 0;
  const auto scale = hn::Set(float_tag, grid.spread);
  const auto at = [&](std::size_t plane, std::size_t h) HWY_ATTR {
    return hn::LoadU(float_tag, spread + plane * spread_axis_count + h * float_lanes);
  };
  for (std::size_t h = 0; h < halves; ++h) {
    for (std::size_t end = 0; end < 2; ++end) {
      const auto lower = Swept ? hn::Min(at(0, h), at(2, h)) : at(2 * end, h);
      const auto upper = Swept ? hn::Max(at(1, h), at(3, h)) : at(2 * end + 1, h);
      const auto twice = hn::Add(on_grid(lower, scale), on_grid(upper, scale));
      hn::StoreU(hn::ShiftRight<1>(twice), int_tag,
                 frame.spread_origin + end * spread_axis_count + h * float_lanes);
    }
  }
}

using HalfTag = hn::Rebind<std::int16_t, IntTag>;  // half as wide as the floats
using RowTag = hn::CappedTag<std::int16_t, row_size>;
using ShortRow = hn::Vec<RowTag>;

// The cluster's points on the grid, less its origin: rows as above; swept x y z - and -x -y -z -, the least
// of both ends.
struct LocalPoints {
  alignas(64) std::int16_t rows[(max_local_vertices + 1) * row_size] = {};
#if HWY_TARGET == HWY_AVX3
  alignas(64) std::int16_t columns[6 * max_local_vertices] = {};  // [axis][first, second half of a row]
#endif
};

template <bool Swept>
HWY_INLINE void place_points(const ClusterBoxes& boxes, const std::int32_t* ids, std::size_t count,
                             const ClusterFrame& frame, LocalPoints& local) {
  const auto scale = hn::Set(float_tag, boxes.grid.cardinal);
  for (std::size_t i = 0; i < count; ++i) {
    const float* const point = boxes.points.data() + row_size * static_cast<std::size_t>(ids[i]);
    std::int16_t* const row = local.rows + row_size * i;
    for (std::size_t p = 0; p < row_size; p += float_lanes) {
      const auto x = on_grid(hn::LoadU(float_tag, point + p), scale);
      const auto relative = hn::Sub(x, hn::LoadU(int_tag, frame.origin + p));
      hn::StoreU(hn::DemoteTo(HalfTag(), relative), HalfTag(), row + p);
    }
    if (!Swept) continue;
    const hn::CappedTag<std::int16_t, row_size / 2> d;
    for (std::size_t k = 0; k < row_size / 2; k += hn::MaxLanes(d)) {
      const auto x0 = hn::LoadU(d, row + k), x1 = hn::LoadU(d, row + row_size / 2 + k);
      hn::StoreU(hn::Min(x0, x1), d, row + k);
      hn::StoreU(hn::Neg(hn::Max(x0, x1)), d, row + row_size / 2 + k);
    }
  }
}

// And the same on the spread axes.
#if HWY_TARGET == HWY_AVX3
// Both ends in one vector, the same operations in each lane.
template <bool Swept>
HWY_INLINE void place_projections(const ClusterBoxes& boxes, const std::int32_t* ids, std::size_t count,
                                  const ClusterFrame& frame, std::int16_t* out) {
  const hn::CappedTag<float, 2 * spread_axis_count> d;
  const hn::RebindToSigned<decltype(d)> integers;
  const hn::Rebind<std::int16_t, decltype(integers)> shorts;
  const auto scale = hn::Set(d, boxes.grid.spread);
  const auto origin = hn::LoadU(integers, frame.spread_origin);
  const auto in_second_half = hn::ShiftRight<3>(hn::Iota(integers, 0));  // 0 or 1
  const auto x_places = hn::ShiftLeft<2>(in_second_half);
  const auto one = hn::Set(integers, 1);
  const auto y_places = hn::Add(x_places, one), z_places = hn::Add(y_places, one);
  const auto at_both_ends = [&](std::size_t k) HWY_ATTR {
    const auto axes = hn::LoadU(float_tag, spread_axes[k].data());
    return hn::Combine(d, axes, axes);
  };
  const auto x_axes = at_both_ends(0), y_axes = at_both_ends(1), z_axes = at_both_ends(2);
  for (std::size_t i = 0; i < count; ++i) {
    const auto half = hn::LoadU(float_tag, boxes.points.data() + row_size * static_cast<std::size_t>(ids[i]));
    const auto point = hn::Combine(d, half, half);
    const auto at = [&](auto places)
                        HWY_ATTR { return hn::TableLookupLanes(point, hn::IndicesFromVec(d, places)); };
    const auto x = hn::Mul(x_axes, at(x_places)), y = hn::Mul(y_axes, at(y_places));
    const auto projection = hn::Add(hn::Add(x, y), hn::Mul(z_axes, at(z_places)));
    auto q = hn::Sub(hn::NearestInt(hn::Mul(projection, scale)), origin);
    if (Swept) {
      const auto other = hn::ConcatLowerUpper(integers, q, q);
      q = hn::ConcatUpperLower(integers, hn::Neg(hn::Max(q, other)), hn::Min(q, other));
    }
    hn::StoreU(hn::DemoteTo(shorts, q), shorts, out + 2 * spread_axis_count * i);
  }
}
#else
template <bool Swept>
HWY_INLINE void place_projections(const ClusterBoxes& boxes, const std::int32_t* ids, std::size_t count,
                                  const ClusterFrame& frame, std::int16_t* out) {
  const auto scale = hn::Set(float_tag, boxes.grid.spread);
  for (std::size_t i = 0; i < count; ++i) {
    const float* const point = boxes.points.data() + row_size * static_cast<std::size_t>(ids[i]);
    for (std::size_t h = 0; h < halves; ++h) {
      const std::size_t first = h * float_lanes, second = first + spread_axis_count;
      const auto x0 =
          hn::Sub(on_grid(projected(point, h), scale), hn::LoadU(int_tag, frame.spread_origin + first));
      const auto x1 =
          hn::Sub(on_grid(projected(point + 4, h), scale), hn::LoadU(int_tag, frame.spread_origin + second));
      std::int16_t* const row = out + 2 * spread_axis_count * i;
      hn::StoreU(hn::DemoteTo(HalfTag(), Swept ? hn::Min(x0, x1) : x0), HalfTag(), row + first);
      hn::StoreU(hn::DemoteTo(HalfTag(), Swept ? hn::Neg(hn::Max(x0, x1)) : x1), HalfTag(), row + second);
    }
  }
}
#endif

// What a list of features looks like in ClusterBoxes::features: `planes` of a group of feature_lanes, and
// where the elements of a row, lower or upper, go. Swept rows have both in one.
struct PlaneMap {
  std::size_t planes;
  std::array<std::size_t, row_size> place;
};
constexpr PlaneMap box_map = {12, {0, 4, 8, 0, 2, 6, 10, 0}};  // lower; upper one plane further
constexpr PlaneMap point_map = {6, {0, 2, 4, 0, 1, 3, 5, 0}};  // t0 and t1, or lower and upper if swept

// Eight rows become columns: element k of row i goes to lane i of plane place[k] + shift.
#if HWY_TARGET == HWY_SCALAR
using RowGroup = std::array<std::array<std::int16_t, row_size>, 8>;
HWY_INLINE void store_columns(const RowGroup& rows, const PlaneMap& map, std::size_t shift, bool negate_last,
                              std::int16_t* out) {
  for (std::size_t k = 0; k < row_size; ++k) {
    if (k % 4 == 3) continue;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const int x = rows[i][k];
      out[(map.place[k] + shift) * feature_lanes + i] =
          static_cast<std::int16_t>(negate_last && k > 3 ? -x : x);
    }
  }
}
HWY_INLINE std::array<std::int16_t, row_size> load_row(const std::int16_t* p) {
  std::array<std::int16_t, row_size> row;
  std::copy_n(p, row_size, row.begin());
  return row;
}
HWY_INLINE auto lesser(std::array<std::int16_t, row_size> a, const std::array<std::int16_t, row_size>& b) {
  for (std::size_t k = 0; k < row_size; ++k) a[k] = std::min(a[k], b[k]);
  return a;
}
HWY_INLINE auto larger(std::array<std::int16_t, row_size> a, const std::array<std::int16_t, row_size>& b) {
  for (std::size_t k = 0; k < row_size; ++k) a[k] = std::max(a[k], b[k]);
  return a;
}
#else
using RowGroup = std::array<ShortRow, 8>;
HWY_INLINE void store_columns(const RowGroup& rows, const PlaneMap& map, std::size_t shift, bool negate_last,
                              std::int16_t* out) {
  const RowTag d;
  const hn::Repartition<std::int32_t, RowTag> d32;
  const hn::Repartition<std::int64_t, RowTag> d64;
  const auto two = [&](std::size_t i, bool upper) HWY_ATTR {
    return hn::BitCast(d32, upper ? hn::InterleaveUpper(d, rows[i], rows[i + 1])
                                  : hn::InterleaveLower(d, rows[i], rows[i + 1]));
  };
  for (std::size_t half = 0; half < 2; ++half) {
    const auto r0 = two(0, half), r2 = two(2, half), r4 = two(4, half), r6 = two(6, half);
    const auto xy_first = hn::BitCast(d64, hn::InterleaveLower(d32, r0, r2));
    const auto xy_last = hn::BitCast(d64, hn::InterleaveLower(d32, r4, r6));
    const auto z_first = hn::BitCast(d64, hn::InterleaveUpper(d32, r0, r2));
    const auto z_last = hn::BitCast(d64, hn::InterleaveUpper(d32, r4, r6));
    const ShortRow axis[3] = {hn::BitCast(d, hn::InterleaveLower(d64, xy_first, xy_last)),
                              hn::BitCast(d, hn::InterleaveUpper(d64, xy_first, xy_last)),
                              hn::BitCast(d, hn::InterleaveLower(d64, z_first, z_last))};
    for (std::size_t k = 0; k < 3; ++k) {
      hn::StoreU(negate_last && half == 1 ? hn::Neg(axis[k]) : axis[k], d,
                 out + (map.place[4 * half + k] + shift) * feature_lanes);
    }
  }
}
HWY_INLINE ShortRow load_row(const std::int16_t* p) {
  return hn::Load(RowTag(), p);
}
HWY_INLINE ShortRow lesser(ShortRow a, ShortRow b) {
  return hn::Min(a, b);
}
HWY_INLINE ShortRow larger(ShortRow a, ShortRow b) {
  return hn::Max(a, b);
}
#endif

#if HWY_TARGET == HWY_AVX3
// A column of the points of a cluster is a table of two vectors.
HWY_INLINE void make_columns(LocalPoints& local, std::size_t count) {
  for (std::size_t s = 0; s < count; s += 8) {
    RowGroup rows;
    for (std::size_t i = 0; i < 8; ++i) rows[i] = load_row(local.rows + row_size * (s + i));
    store_columns(rows, box_map, 0, false, local.columns + s);  // every second plane of half as many lanes
  }
}

// Boxes of faces or edges: the extremes of their corners, looked up by local index; or points.
template <std::size_t Corners, bool Swept>
void fit_planes(const std::uint8_t* corners, std::size_t slots, const LocalPoints& local, std::int16_t* out) {
  using ShortTag = hn::CappedTag<std::int16_t, feature_lanes>;
  const ShortTag d;
  const hn::Rebind<std::uint8_t, ShortTag> bytes;
  constexpr std::size_t planes = (Corners == 1 || Swept ? point_map : box_map).planes;
  for (std::size_t s = 0; s < slots; s += feature_lanes) {
    std::int16_t* const to = out + s * planes;
    hn::Vec<ShortTag> places[Corners];
    for (std::size_t c = 0; c < Corners; ++c) {
      places[c] = hn::PromoteTo(d, hn::LoadU(bytes, corners + c * slots + s));
    }
    HWY_UNROLL(6)
    for (std::size_t k = 0; k < 6; ++k) {
      const auto first = hn::Load(d, local.columns + k * max_local_vertices);
      const auto second = hn::Load(d, local.columns + k * max_local_vertices + feature_lanes);
      // Padding slots read the first vertex.
      const auto at = [&](std::size_t c) HWY_ATTR {
        return hn::Vec<ShortTag>{_mm512_permutex2var_epi16(first.raw, places[c].raw, second.raw)};
      };
      auto lower = at(0), upper = lower;
      for (std::size_t c = 1; c < Corners; ++c) {
        const auto x = at(c);
        lower = hn::Min(lower, x);
        upper = hn::Max(upper, x);
      }
      if (Corners > 1 && !Swept) {
        hn::StoreU(lower, d, to + 2 * k * feature_lanes);
        hn::StoreU(upper, d, to + (2 * k + 1) * feature_lanes);
      } else {
        hn::StoreU(Swept && k % 2 == 1 ? hn::Neg(lower) : lower, d, to + k * feature_lanes);
      }
    }
  }
}
#else
HWY_INLINE void make_columns(LocalPoints&, std::size_t) {}

// Boxes of faces or edges: the extremes of their corners, looked up by local index; or points.
template <std::size_t Corners, bool Swept>
void fit_planes(const std::uint8_t* corners, std::size_t slots, const LocalPoints& local, std::int16_t* out) {
  constexpr const PlaneMap& map = Corners == 1 || Swept ? point_map : box_map;
  for (std::size_t s = 0; s < slots; s += 8) {
    RowGroup lower, upper;
    for (std::size_t i = 0; i < 8; ++i) {
      lower[i] = upper[i] = load_row(local.rows + row_size * corners[s + i]);
      for (std::size_t c = 1; c < Corners; ++c) {
        const auto x = load_row(local.rows + row_size * corners[c * slots + s + i]);
        lower[i] = lesser(lower[i], x);
        if (!Swept) upper[i] = larger(upper[i], x);
      }
    }
    std::int16_t* const to = out + s / feature_lanes * map.planes * feature_lanes + s % feature_lanes;
    store_columns(lower, map, 0, Swept, to);
    if (Corners > 1 && !Swept) store_columns(upper, map, 1, false, to);
  }
}
#endif

// The cluster's own box in its frame: what features of other clusters are clipped against.
void fit_box(const LocalPoints& local, std::size_t count, bool swept, ClusterFrame& frame) {
  const RowTag d;
  for (std::size_t p = 0; p < row_size; p += hn::MaxLanes(d)) {
    ShortRow lower = hn::LoadU(d, local.rows + p), upper = lower;
    for (std::size_t i = 1; i < count; ++i) {
      const ShortRow x = hn::LoadU(d, local.rows + row_size * i + p);
      lower = hn::Min(lower, x);
      upper = hn::Max(upper, x);
    }
    hn::StoreU(lower, d, frame.lower + p);
    hn::StoreU(upper, d, frame.upper + p);
  }
  if (!swept) return;
  // Swept rows hold -upper in their second half.
  for (std::size_t k = 0; k < 3; ++k) frame.upper[k] = static_cast<std::int16_t>(-frame.lower[4 + k]);
}

template <bool Swept>
void fit_cluster_features(const ClusterMesh& mesh, std::size_t c, LocalPoints& local,
                          const ClusterBoxes& boxes) {
  const Cluster& cluster = mesh.clusters[c];
  const std::int32_t* ids = mesh.vertices.data() + cluster.vertex_begin;
  ClusterFrame& frame = boxes.frames[c];
  find_origins<Swept>(boxes.cardinal.data() + box_planes * c, boxes.spread.data() + 4 * spread_axis_count * c,
                      boxes.grid, frame);
  place_points<Swept>(boxes, ids, cluster.vertex_count, frame, local);
  fit_box(local, cluster.vertex_count, Swept, frame);
  make_columns(local, cluster.vertex_count);
  std::int16_t* out = boxes.features.data() + cluster.box_begin[Swept ? 1 : 0];
  constexpr std::size_t planes = (Swept ? point_map : box_map).planes;
  const auto faces = static_cast<std::size_t>(cluster.face_slots());
  const auto edges = static_cast<std::size_t>(cluster.edge_slots());
  const auto owned = static_cast<std::size_t>(cluster.owned_slots());
  fit_planes<3, Swept>(mesh.face_corners.data() + 3 * cluster.face_begin, faces, local, out);
  out += planes * faces;
  fit_planes<2, Swept>(mesh.edge_ends.data() + 2 * cluster.edge_begin, edges, local, out);
  out += planes * edges;
  fit_planes<1, Swept>(every_local.data(), owned, local, out);
  out += point_map.planes * owned;
  place_projections<Swept>(boxes, ids, cluster.vertex_count, frame, out);
}

}  // namespace

void fit_range(const ClusterMesh& mesh, std::size_t begin, std::size_t end, ClusterBoxes& boxes) {
  for (std::size_t c = begin; c < end; ++c) {
    const Cluster& cluster = mesh.clusters[c];
    const std::int32_t* ids = mesh.vertices.data() + cluster.vertex_begin;
    const float* points = boxes.points.data();
    fit_cardinal(points, ids, cluster.vertex_count, boxes.cardinal.data() + box_planes * c);
    fit_spread(points, ids, cluster.vertex_count, boxes.spread.data() + 4 * spread_axis_count * c);
  }
}

void fit_feature_range(const ClusterMesh& mesh, std::size_t begin, std::size_t end,
                       const ClusterBoxes& boxes) {
  LocalPoints local;
  for (std::size_t c = begin; c < end; ++c) {
    if (boxes.swept) {
      fit_cluster_features<true>(mesh, c, local, boxes);
    } else {
      fit_cluster_features<false>(mesh, c, local, boxes);
    }
  }
}

}  // namespace toccata::deformable::clusters::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::deformable::clusters {

HWY_EXPORT(fit_range);
HWY_EXPORT(fit_feature_range);

void fit_clusters(const ClusterMesh& mesh, std::size_t begin, std::size_t end, ClusterBoxes& boxes) {
  HWY_DYNAMIC_DISPATCH(fit_range)(mesh, begin, end, boxes);
}

void fit_features(const ClusterMesh& mesh, std::size_t begin, std::size_t end, const ClusterBoxes& boxes) {
  HWY_DYNAMIC_DISPATCH(fit_feature_range)(mesh, begin, end, boxes);
}

}  // namespace toccata::deformable::clusters
#endif
