#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "ccd/deformable/clusters/cluster_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ccd/deformable/clusters/row_kernel.cpp"
#include <hwy/foreach_target.h>
// after foreach_target
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "ccd/deformable/clusters/cluster_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::deformable::HWY_NAMESPACE {
namespace {

// For each mask the lanes that stay, in order, as 32-bit indices and as bytes. (The library's own
// CompressStore copies such a table to the stack on every call under g++ 12.)
struct CompressTable {
  alignas(32) std::int32_t lane[std::size_t{1} << float_lanes][float_lanes];
  std::uint64_t bytes[std::size_t{1} << float_lanes];

  constexpr CompressTable() : lane{}, bytes{} {
    for (std::size_t mask = 0; mask < (std::size_t{1} << float_lanes); ++mask) {
      std::size_t n = 0;
      for (std::size_t i = 0; i < float_lanes; ++i) {
        if (!((mask >> i) & 1)) continue;
        lane[mask][n] = static_cast<std::int32_t>(i);
        bytes[mask] |= std::uint64_t{i} << (8 * n);
        ++n;
      }
    }
  }
};
constexpr CompressTable compress_table{};
constexpr std::uint64_t every_byte = 0x0101010101010101u;

// Writes whole vectors: the lanes of `bits` first, anything after them.
template <typename Tag, typename Vector, typename Number>
HWY_INLINE void store_compressed(Tag tag, Vector v, std::uint64_t bits, Number* out) {
  hn::StoreU(hn::TableLookupLanes(v, hn::SetTableIndices(tag, compress_table.lane[bits])), tag, out);
}

HWY_INLINE std::uint64_t first_bits(std::size_t n) {
  return n == 0 ? 0 : ~std::uint64_t{0} >> (64 - n);
}

// The features of a cluster as the kernels see them.
struct View {
  const Cluster* cluster;
  const float* box;
  const float *faces, *edges, *owned;                   // boxes and points, plane by plane
  const std::int32_t *face_ids, *edge_ids, *owned_ids;  // by slot
  const std::int32_t *face_vertices, *edge_vertices;    // global vertices, [corner][slot]
  const std::uint8_t *face_corners, *edge_ends;         // local vertices, [corner][slot]
  const float* projections;                             // by local vertex: [t0, t1][spread axis]
  std::size_t face_slots, edge_slots, owned_slots;
};

void project(const KernelContext& context, const Cluster& cluster, float* out) {
  const std::int32_t* ids = context.mesh->vertices.data() + cluster.vertex_begin;
  for (std::size_t i = 0; i < cluster.vertex_count; ++i) {
    const float* point = context.boxes->points.data() + 8 * static_cast<std::size_t>(ids[i]);
    for (std::size_t end = 0; end < 2; ++end) {
      for (std::size_t h = 0; h < halves; ++h) {
        hn::StoreU(projected(point + 4 * end, h), float_tag,
                   out + (2 * i + end) * spread_axis_count + h * float_lanes);
      }
    }
  }
}

HWY_INLINE View make_view(const KernelContext& context, std::int32_t position, ProjectionCache& cache) {
  const std::int32_t index = context.boxes->order[position];
  View view;
  const Cluster& c = context.mesh->clusters[index];
  view.cluster = &c;
  view.box = context.boxes->cardinal.data() + box_planes * index;
  view.face_slots = static_cast<std::size_t>(c.face_slots());
  view.edge_slots = static_cast<std::size_t>(c.edge_slots());
  view.owned_slots = static_cast<std::size_t>(c.owned_slots());
  view.faces = context.boxes->features.data() + c.box_begin;
  view.edges = view.faces + box_planes * view.face_slots;
  view.owned = view.edges + box_planes * view.edge_slots;
  view.face_ids = context.mesh->faces.data() + c.face_begin;
  view.edge_ids = context.mesh->edges.data() + c.edge_begin;
  view.owned_ids = context.mesh->owned.data() + c.slot_begin;
  view.face_vertices = context.mesh->face_vertices.data() + 3 * c.face_begin;
  view.edge_vertices = context.mesh->edge_vertices.data() + 2 * c.edge_begin;
  view.face_corners = context.mesh->face_corners.data() + 3 * c.face_begin;
  view.edge_ends = context.mesh->edge_ends.data() + 2 * c.edge_begin;
  ProjectionCache::Entry& entry = cache.entries[position % node_width];
  if (entry.cluster != index) {
    entry.cluster = index;
    project(context, c, entry.values);
  }
  view.projections = entry.values;
  return view;
}

// Edges that survived clipping, packed.
struct PackedEdges {
  static constexpr std::size_t stride = 48 + 2 * feature_lanes;
  alignas(32) float planes[box_planes * stride];
  alignas(32) std::int32_t vertices[2 * stride];
  std::uint8_t slots[stride];
  std::size_t count = 0;
};

// Pairs of a row and a column within one pair of clusters.
struct LocalPairs {
  static constexpr std::size_t capacity = 48 * 48 + 2 * feature_lanes;
  std::uint8_t row[capacity];
  std::uint8_t column[capacity];

  // At `end`; returns the new end. (Kept by the caller in a register.)
  HWY_INLINE std::size_t add(std::size_t end, std::size_t of_row, std::size_t first_column,
                             std::uint64_t bits) {
    const std::uint64_t columns = compress_table.bytes[bits] + every_byte * first_column;
    const std::uint64_t rows = every_byte * of_row;
    std::memcpy(column + end, &columns, sizeof columns);
    std::memcpy(row + end, &rows, sizeof rows);
    return end + static_cast<std::size_t>(std::popcount(bits));
  }
};

template <bool Relative, bool Grow>
class Collector {
 public:
  Collector(const KernelContext& context, RowScratch& scratch, PairBuffers& out)
      : context_(context),
        scratch_(scratch),
        out_(out),
        spread_threshold_(context.thresholds.spread.data()),
        threshold_(context.thresholds.cardinal),
        // Rows grown without end meet everything: the test is then off.
        row_threshold_(context.stages.row_axes ? threshold_ : std::numeric_limits<float>::infinity()) {}

  void run(IndexPair pair) {
    const bool same_block = pair.first / node_width == pair.second / node_width;
    const View a = make_view(context_, pair.first, scratch_.first);
    if (pair.first == pair.second) {
      vertices_faces(a, a, first_bits(a.cluster->owned_count));
      edges_edges_self(a);
      if (a.cluster->kind == ClusterKind::Points) points_points(a, a, true);
      return;
    }
    const View b = make_view(context_, pair.second, same_block ? scratch_.first : scratch_.second);
    const Row row_a = make_row<Relative, Grow>(a.box, 1, threshold_);
    const Row row_b = make_row<Relative, Grow>(b.box, 1, threshold_);
    vertices_faces(a, b, clipped_points(a, row_b));
    vertices_faces(b, a, clipped_points(b, row_a));
    const std::uint64_t edges_a = clipped_edges(a, row_b), edges_b = clipped_edges(b, row_a);
    if (edges_a != 0 && edges_b != 0) {
      // Columns come in eights: fewer vectors one way than the other.
      const auto m = static_cast<std::size_t>(std::popcount(edges_a));
      const auto n = static_cast<std::size_t>(std::popcount(edges_b));
      if (m * ((n + 7) / 8) <= n * ((m + 7) / 8)) {
        edges_edges(a, edges_a, b, edges_b);
      } else {
        edges_edges(b, edges_b, a, edges_a);
      }
    }
    const bool points_a = a.cluster->kind == ClusterKind::Points;
    const bool points_b = b.cluster->kind == ClusterKind::Points;
    if (points_a && points_b) points_points(a, b, false);
    if (points_a && b.cluster->kind == ClusterKind::Wires) points_wires(a, b);
    if (points_b && a.cluster->kind == ClusterKind::Wires) points_wires(b, a);
  }

 private:
  // Owned vertices, or edges, that may meet the other cluster's box.
  std::uint64_t clipped_points(const View& a, const Row& box) const {
    std::uint64_t separated = 0;
    if (context_.stages.feature_clip) {
      for (std::size_t s = 0; s < a.owned_slots; s += float_lanes) {
        separated |= mask_bits(separated_points<Relative>(box, a.owned + s, a.owned_slots)) << s;
      }
    }
    return first_bits(a.cluster->owned_count) & ~separated;
  }

  std::uint64_t clipped_edges(const View& a, const Row& box) const {
    std::uint64_t separated = 0;
    if (context_.stages.feature_clip) {
      for (std::size_t s = 0; s < a.edge_slots; s += float_lanes) {
        separated |= mask_bits(separated_boxes<Relative>(box, a.edges + s, a.edge_slots)) << s;
      }
    }
    return first_bits(a.cluster->edge_count) & ~separated;
  }

  void pack(const View& b, std::uint64_t edges) {
    std::size_t count = 0;
    for (std::size_t s = 0; s < b.edge_slots; s += float_lanes) {
      const std::uint64_t bits = (edges >> s) & first_bits(float_lanes);
      if (bits == 0) continue;
      const auto index = hn::SetTableIndices(float_tag, compress_table.lane[bits]);
      for (std::size_t plane = 0; plane < box_planes; ++plane) {
        const auto x = hn::LoadU(float_tag, b.edges + plane * b.edge_slots + s);
        hn::StoreU(hn::TableLookupLanes(x, index), float_tag,
                   packed_.planes + plane * PackedEdges::stride + count);
      }
      for (std::size_t end = 0; end < 2; ++end) {
        const auto v = hn::LoadU(int_tag, b.edge_vertices + end * b.edge_slots + s);
        store_compressed(int_tag, v, bits, packed_.vertices + end * PackedEdges::stride + count);
      }
      const std::uint64_t slots = compress_table.bytes[bits] + every_byte * s;
      std::memcpy(packed_.slots + count, &slots, sizeof slots);
      count += static_cast<std::size_t>(std::popcount(bits));
    }
    packed_.count = count;
  }

  // Extent of a feature's corners.
  template <std::size_t Corners>
  static HWY_INLINE Extent corner_extent(const float* projections, const std::uint8_t* corners,
                                         std::size_t stride) {
    Extent e;
    HWY_UNROLL(2)
    for (std::size_t h = 0; h < halves; ++h) {
      const auto at = [&](std::size_t c, std::size_t end) HWY_ATTR {
        return hn::LoadU(
            float_tag,
            projections + (2 * std::size_t{corners[c * stride]} + end) * spread_axis_count + h * float_lanes);
      };
      e.lower_t0[h] = e.upper_t0[h] = at(0, 0);
      e.lower_t1[h] = e.upper_t1[h] = at(0, 1);
      HWY_UNROLL(2)
      for (std::size_t c = 1; c < Corners; ++c) {
        const auto x0 = at(c, 0);
        const auto x1 = at(c, 1);
        e.lower_t0[h] = hn::Min(e.lower_t0[h], x0);
        e.upper_t0[h] = hn::Max(e.upper_t0[h], x0);
        e.lower_t1[h] = hn::Min(e.lower_t1[h], x1);
        e.upper_t1[h] = hn::Max(e.upper_t1[h], x1);
      }
    }
    return e;
  }

  // The extent of a row's feature, grown by the thresholds, kept for all its pairs.
  template <std::size_t Corners>
  HWY_INLINE void keep_extent(std::size_t row, const float* projections, const std::uint8_t* corners,
                              std::size_t stride) {
    Extent e = corner_extent<Corners>(projections, corners, stride);
    grow(e, spread_threshold_);
    store_extent(e, extents_ + 4 * spread_axis_count * row);
  }

  // The pairs that no spread axis separates go out by their ids.
  template <std::size_t Corners, bool Symmetric>
  HWY_INLINE void emit(std::size_t count, const std::int32_t* ids_a, const View& b, const std::int32_t* ids_b,
                       const std::uint8_t* corners_b, std::size_t stride, const std::uint8_t* columns,
                       FeaturePairKind kind) {
    PairBuffer& pairs = out_.kinds[static_cast<std::size_t>(kind)];
    pairs.before_spread_axes += static_cast<std::int64_t>(count);
    const bool all = !context_.stages.pair_axes;
    std::size_t size = pairs.size;
    for (std::size_t n = 0; n < count; ++n) {
      const std::size_t row = pairs_.row[n];
      const std::size_t slot = columns ? columns[pairs_.column[n]] : pairs_.column[n];
      const Extent x = load_extent(extents_ + 4 * spread_axis_count * row);
      const bool separated =
          is_separated<Relative>(x, corner_extent<Corners>(b.projections, corners_b + slot, stride));
      const std::int32_t first = ids_a[row], second = ids_b[slot];
      pairs.first[size] = Symmetric && first > second ? second : first;
      pairs.second[size] = Symmetric && first > second ? first : second;
      size += static_cast<std::size_t>(all || !separated);
    }
    pairs.size = size;
  }

  void vertices_faces(const View& a, const View& b, std::uint64_t vertices) {
    if (vertices == 0 || b.face_slots == 0) return;
    const std::uint64_t present = first_bits(b.cluster->face_count);
    std::size_t end = 0;
    for (; vertices != 0; vertices &= vertices - 1) {
      const auto v = static_cast<std::size_t>(std::countr_zero(vertices));
      const Row row = make_point_row<Relative, Grow>(a.owned + v, a.owned_slots, row_threshold_);
      const auto id = hn::Set(int_tag, a.owned_ids[v]);
      const auto local = static_cast<std::uint8_t>(v);  // owned vertices are the first local ones
      keep_extent<1>(v, a.projections, &local, 0);
      for (std::size_t s = 0; s < b.face_slots; s += float_lanes) {
        auto shared = hn::Eq(id, hn::LoadU(int_tag, b.face_vertices + s));
        shared = hn::Or(shared, hn::Eq(id, hn::LoadU(int_tag, b.face_vertices + b.face_slots + s)));
        shared = hn::Or(shared, hn::Eq(id, hn::LoadU(int_tag, b.face_vertices + 2 * b.face_slots + s)));
        const auto dropped = hn::Or(separated_boxes<Relative>(row, b.faces + s, b.face_slots),
                                    hn::RebindMask(float_tag, shared));
        end = pairs_.add(end, v, s, ~mask_bits(dropped) & (present >> s) & first_bits(float_lanes));
      }
    }
    emit<3, false>(end, a.owned_ids, b, b.face_ids, b.face_corners, b.face_slots, nullptr,
                   FeaturePairKind::VertexFace);
  }

  // Lanes whose edge has an end in common with the row's edge.
  static HWY_INLINE FloatMask share_end(const View& a, std::size_t e, const std::int32_t* vertices,
                                        std::size_t stride) {
    const auto a0 = hn::Set(int_tag, a.edge_vertices[e]);
    const auto a1 = hn::Set(int_tag, a.edge_vertices[a.edge_slots + e]);
    const auto b0 = hn::LoadU(int_tag, vertices);
    const auto b1 = hn::LoadU(int_tag, vertices + stride);
    return hn::RebindMask(
        float_tag, hn::Or(hn::Or(hn::Eq(a0, b0), hn::Eq(a0, b1)), hn::Or(hn::Eq(a1, b0), hn::Eq(a1, b1))));
  }

  void edges_edges(const View& a, std::uint64_t rows, const View& b, std::uint64_t edges_b) {
    pack(b, edges_b);
    const std::size_t columns = packed_.count;
    const std::uint64_t present = first_bits(columns);
    std::size_t end = 0;
    for (; rows != 0; rows &= rows - 1) {
      const auto e = static_cast<std::size_t>(std::countr_zero(rows));
      const Row row = make_row<Relative, Grow>(a.edges + e, a.edge_slots, row_threshold_);
      keep_extent<2>(e, a.projections, a.edge_ends + e, a.edge_slots);
      for (std::size_t s = 0; s < columns; s += float_lanes) {
        const auto dropped = hn::Or(separated_boxes<Relative>(row, packed_.planes + s, PackedEdges::stride),
                                    share_end(a, e, packed_.vertices + s, PackedEdges::stride));
        end = pairs_.add(end, e, s, ~mask_bits(dropped) & (present >> s) & first_bits(float_lanes));
      }
    }
    emit<2, true>(end, a.edge_ids, b, b.edge_ids, b.edge_ends, b.edge_slots, packed_.slots,
                  FeaturePairKind::EdgeEdge);
  }

  // Slots below and at the row belong to pairs that were, or are not, to be looked at.
  void edges_edges_self(const View& a) {
    std::size_t end = 0;
    for (std::size_t e = 0; e + 1 < a.cluster->edge_count; ++e) {
      const Row row = make_row<Relative, Grow>(a.edges + e, a.edge_slots, row_threshold_);
      keep_extent<2>(e, a.projections, a.edge_ends + e, a.edge_slots);
      const std::uint64_t later = first_bits(a.cluster->edge_count) & ~first_bits(e + 1);
      for (std::size_t s = (e + 1) / float_lanes * float_lanes; s < a.edge_slots; s += float_lanes) {
        const auto dropped = hn::Or(separated_boxes<Relative>(row, a.edges + s, a.edge_slots),
                                    share_end(a, e, a.edge_vertices + s, a.edge_slots));
        end = pairs_.add(end, e, s, ~mask_bits(dropped) & (later >> s) & first_bits(float_lanes));
      }
    }
    if (a.cluster->edge_count == 0) return;
    emit<2, true>(end, a.edge_ids, a, a.edge_ids, a.edge_ends, a.edge_slots, nullptr,
                  FeaturePairKind::EdgeEdge);
  }

  void points_points(const View& a, const View& b, bool self) {
    std::size_t end = 0;
    for (std::size_t v = 0; v < a.cluster->owned_count; ++v) {
      const Row row = make_point_row<Relative, Grow>(a.owned + v, a.owned_slots, row_threshold_);
      const auto local = static_cast<std::uint8_t>(v);
      keep_extent<1>(v, a.projections, &local, 0);
      std::uint64_t present = first_bits(b.cluster->owned_count);
      if (self) present &= ~first_bits(v + 1);
      for (std::size_t s = 0; s < b.owned_slots; s += float_lanes) {
        const auto dropped = separated_points<Relative>(row, b.owned + s, b.owned_slots);
        end = pairs_.add(end, v, s, ~mask_bits(dropped) & (present >> s) & first_bits(float_lanes));
      }
    }
    emit<1, true>(end, a.owned_ids, b, b.owned_ids, every_local(), 0, nullptr, FeaturePairKind::VertexVertex);
  }

  void points_wires(const View& a, const View& b) {
    std::size_t end = 0;
    const std::uint64_t present = first_bits(b.cluster->edge_count);
    for (std::size_t v = 0; v < a.cluster->owned_count; ++v) {
      const Row row = make_point_row<Relative, Grow>(a.owned + v, a.owned_slots, row_threshold_);
      const auto local = static_cast<std::uint8_t>(v);
      keep_extent<1>(v, a.projections, &local, 0);
      for (std::size_t s = 0; s < b.edge_slots; s += float_lanes) {
        const auto dropped = separated_boxes<Relative>(row, b.edges + s, b.edge_slots);
        end = pairs_.add(end, v, s, ~mask_bits(dropped) & (present >> s) & first_bits(float_lanes));
      }
    }
    emit<2, false>(end, a.owned_ids, b, b.edge_ids, b.edge_ends, b.edge_slots, nullptr,
                   FeaturePairKind::VertexEdge);
  }

  // Owned vertices are the first local ones: slot i is local vertex i.
  static const std::uint8_t* every_local() {
    static constexpr auto table = [] {
      std::array<std::uint8_t, 64> t{};
      for (std::size_t i = 0; i < t.size(); ++i) t[i] = static_cast<std::uint8_t>(i);
      return t;
    }();
    return table.data();
  }

  const KernelContext& context_;
  RowScratch& scratch_;
  PairBuffers& out_;
  const float* spread_threshold_;
  float threshold_, row_threshold_;
  PackedEdges packed_;
  LocalPairs pairs_;
  alignas(64) float extents_[48 * 4 * spread_axis_count];  // by row
};

// Asks the memory for what make_view and the rows will read of a cluster: all of it together is beyond the
// second-level cache, and one pair of clusters takes about as long as the answer.
HWY_INLINE void prefetch_range(const void* from, std::size_t bytes) {
  const char* p = static_cast<const char*>(from);
  for (std::size_t i = 0; i < bytes; i += 64) hwy::Prefetch(p + i);
}

void prefetch_cluster(const KernelContext& context, std::int32_t position, const ProjectionCache& cache) {
  const std::int32_t index = context.boxes->order[position];
  const Cluster& c = context.mesh->clusters[index];
  const auto faces = static_cast<std::size_t>(c.face_slots()),
             edges = static_cast<std::size_t>(c.edge_slots());
  const auto owned = static_cast<std::size_t>(c.owned_slots());
  prefetch_range(context.boxes->features.data() + c.box_begin,
                 4 * (box_planes * (faces + edges) + box_planes / 2 * owned));
  prefetch_range(context.boxes->cardinal.data() + box_planes * index, 4 * box_planes);
  prefetch_range(context.mesh->edge_vertices.data() + 2 * c.edge_begin, 8 * edges);
  prefetch_range(context.mesh->face_vertices.data() + 3 * c.face_begin, 12 * faces);
  prefetch_range(context.mesh->edges.data() + c.edge_begin, 4 * edges);
  prefetch_range(context.mesh->faces.data() + c.face_begin, 4 * faces);
  prefetch_range(context.mesh->owned.data() + c.slot_begin, 4 * owned);
  prefetch_range(context.mesh->face_corners.data() + 3 * c.face_begin, 3 * faces);
  prefetch_range(context.mesh->edge_ends.data() + 2 * c.edge_begin, 2 * edges);
  if (cache.entries[position % node_width].cluster == index) return;
  const std::int32_t* ids = context.mesh->vertices.data() + c.vertex_begin;
  for (std::size_t i = 0; i < c.vertex_count; ++i) {
    hwy::Prefetch(context.boxes->points.data() + 8 * static_cast<std::size_t>(ids[i]));
  }
}

template <bool Relative, bool Grow>
std::size_t collect(const KernelContext& context, const IndexPair* pairs, std::size_t count,
                    RowScratch& scratch, PairBuffers& out) {
  Collector<Relative, Grow> collector(context, scratch, out);
  std::size_t i = 0;
  for (; i < count && !out.is_nearly_full(); ++i) {
    if (i + 1 < count && pairs[i + 1].second != pairs[i].second) {
      const bool same_block = pairs[i + 1].first / node_width == pairs[i + 1].second / node_width;
      prefetch_cluster(context, pairs[i + 1].second, same_block ? scratch.first : scratch.second);
    }
    collector.run(pairs[i]);
  }
  return i;
}

}  // namespace

std::size_t collect_pairs(const KernelContext& context, const IndexPair* pairs, std::size_t count,
                          RowScratch& scratch, PairBuffers& out) {
  if (!context.stages.relative_motion) return collect<false, true>(context, pairs, count, scratch, out);
  return context.thresholds.cardinal == 0 && context.stages.row_axes
             ? collect<true, false>(context, pairs, count, scratch, out)
             : collect<true, true>(context, pairs, count, scratch, out);
}

}  // namespace toccata::deformable::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::deformable {

HWY_EXPORT(collect_pairs);

std::size_t collect_feature_pairs(const KernelContext& context, const IndexPair* pairs, std::size_t count,
                                  RowScratch& scratch, PairBuffers& out) {
  return HWY_DYNAMIC_DISPATCH(collect_pairs)(context, pairs, count, scratch, out);
}

}  // namespace toccata::deformable
#endif
