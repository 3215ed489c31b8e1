#include <algorithm>
#include <bit>
#include <cstring>

#include "ccd/deformable/clusters/cluster_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ccd/deformable/clusters/row_kernel.cpp"
#include <hwy/foreach_target.h>
// after foreach_target
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "ccd/deformable/clusters/compress_table.hpp"
#include "ccd/deformable/clusters/row_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::deformable::HWY_NAMESPACE {
namespace {

constexpr std::uint64_t every_byte = 0x0101010101010101u;

HWY_INLINE std::uint64_t first_bits(std::size_t n) {
  return n == 0 ? 0 : ~std::uint64_t{0} >> (64 - n);
}

// The features of a cluster as the kernels see them.
struct View {
  std::int32_t index;
  const Cluster* cluster;
  const ClusterFrame* frame;
  const std::int16_t *faces, *edges, *owned;            // boxes and points, in groups
  const std::int16_t* projections;                      // by local vertex: [t0, t1][spread axis], or swept
  const std::int32_t *face_ids, *edge_ids, *owned_ids;  // by slot
  const std::uint8_t *face_corners, *edge_ends;         // local vertices, [corner][slot]
  const std::int32_t* vertices;                         // by local vertex, as the next two
  const std::uint64_t* vertex_edges;
  const std::uint32_t* vertex_faces;
  const std::uint64_t* disjoint_edges;
  std::size_t face_slots, edge_slots, owned_slots;
};

template <bool Relative>
HWY_INLINE View make_view(const KernelContext& context, std::int32_t position) {
  const std::int32_t index = context.boxes->order[position];
  View view;
  const Cluster& c = context.mesh->clusters[index];
  view.index = index;
  view.cluster = &c;
  view.frame = context.boxes->frames.data() + index;
  view.face_slots = static_cast<std::size_t>(c.face_slots());
  view.edge_slots = static_cast<std::size_t>(c.edge_slots());
  view.owned_slots = static_cast<std::size_t>(c.owned_slots());
  view.faces = context.boxes->features.data() + c.box_begin[Relative ? 0 : 1];
  constexpr std::size_t numbers = box_group<Relative> / feature_lanes;  // of a box
  view.edges = view.faces + numbers * view.face_slots;
  view.owned = view.edges + numbers * view.edge_slots;
  view.projections = view.owned + point_group / feature_lanes * view.owned_slots;
  view.face_ids = context.mesh->faces.data() + c.face_begin;
  view.edge_ids = context.mesh->edges.data() + c.edge_begin;
  view.owned_ids = context.mesh->owned.data() + c.slot_begin;
  view.face_corners = context.mesh->face_corners.data() + 3 * c.face_begin;
  view.edge_ends = context.mesh->edge_ends.data() + 2 * c.edge_begin;
  view.vertices = context.mesh->vertices.data() + c.vertex_begin;
  view.vertex_edges = context.mesh->vertex_edges.data() + c.vertex_begin;
  view.vertex_faces = context.mesh->vertex_faces.data() + c.vertex_begin;
  view.disjoint_edges = context.mesh->disjoint_edges.data() + c.disjoint_begin;
  return view;
}

// Pairs of a row and a column within one pair of clusters.
struct LocalPairs {
  static constexpr std::size_t capacity = max_local_vertices * max_local_vertices + 2 * feature_lanes;
  std::uint8_t row[capacity];
  std::uint8_t column[capacity];

  // Sixteen columns at `end`; returns the new end. (Kept by the caller in a register.)
  HWY_INLINE std::size_t add(std::size_t end, std::size_t of_row, std::size_t first_column,
                             std::uint64_t bits) {
    end = add_eight(end, of_row, first_column, bits & 255);
    return add_eight(end, of_row, first_column + 8, bits >> 8);
  }

  // Sixteen rows from `first` on, each with the column `apart` further on in a ring of `count`.
  HWY_INLINE std::size_t add_around(std::size_t end, std::size_t first, std::size_t apart, std::size_t count,
                                    std::uint64_t bits) {
    end = add_eight_around(end, first, apart, count, bits & 255);
    return add_eight_around(end, first + 8, apart, count, bits >> 8);
  }

 private:
  HWY_INLINE std::size_t add_eight(std::size_t end, std::size_t of_row, std::size_t first_column,
                                   std::uint64_t bits) {
    const std::uint64_t columns = compress_table.bytes[bits] + every_byte * first_column;
    const std::uint64_t rows = every_byte * of_row;
    std::memcpy(column + end, &columns, sizeof columns);
    std::memcpy(row + end, &rows, sizeof rows);
    return end + static_cast<std::size_t>(std::popcount(bits));
  }

  HWY_INLINE std::size_t add_eight_around(std::size_t end, std::size_t first, std::size_t apart,
                                          std::size_t count, std::uint64_t bits) {
    const std::uint64_t rows = compress_table.bytes[bits] + every_byte * first;
    const std::uint64_t further = rows + every_byte * apart;  // bytes below 128
    const std::uint64_t beyond = ((further + every_byte * (128 - count)) >> 7) & every_byte;
    const std::uint64_t columns = further - beyond * count;
    std::memcpy(column + end, &columns, sizeof columns);
    std::memcpy(row + end, &rows, sizeof rows);
    return end + static_cast<std::size_t>(std::popcount(bits));
  }
};

// The edges and faces of one cluster that have a vertex of the other, by that one's local vertices.
struct Sharing {
  std::uint64_t edges[max_local_vertices] = {};
  std::uint32_t faces[max_local_vertices] = {};
};

template <bool Relative>
class Collector {
 public:
  Collector(const KernelContext& context, PairBuffers& out) : context_(context), out_(out) {}

  void run(IndexPair pair) {
    if (pair.first != position_a_) {
      position_a_ = pair.first;
      a_ = make_view<Relative>(context_, pair.first);
    }
    if (pair.first == pair.second) {
      set_wide(is_wide(a_));
      run_self(a_);
    } else {
      const View b = make_view<Relative>(context_, pair.second);
      set_wide(is_wide(a_) || is_wide(b));
      run_two(a_, b);
    }
  }

 private:
  bool is_wide(const View& a) const { return context_.boxes->wide[static_cast<std::size_t>(a.index)] != 0; }

  // The grid says nothing about this pair of clusters.
  void set_wide(bool wide) {
    wide_ = wide;
    all_rows_ = context_.stages.row_axes && !wide ? 0 : 0xffff;
  }

  void run_two(const View& a, const View& b) {
    make_shifts(*a.frame, *b.frame, context_.grid_thresholds, a_to_b_, b_to_a_);
    const auto row_b = cluster_row<Relative>(*b.frame, b_to_a_);
    const std::uint64_t points_a = clipped_points(a, row_b), edges_a = clipped_edges(a, row_b);
    const auto row_a = cluster_row<Relative>(*a.frame, a_to_b_);
    const std::uint64_t points_b = clipped_points(b, row_a), edges_b = clipped_edges(b, row_a);
    find_shared(a, b);
    vertices_faces(a, b, points_a, a_to_b_, a_in_b_.faces);
    vertices_faces(b, a, points_b, b_to_a_, b_in_a_.faces);
    if (edges_a != 0 && edges_b != 0) {
      if (std::popcount(edges_a) * groups(edges_b) <= std::popcount(edges_b) * groups(edges_a)) {
        edges_edges(a, edges_a, b, edges_b, a_to_b_, a_in_b_.edges);
      } else {
        edges_edges(b, edges_b, a, edges_a, b_to_a_, b_in_a_.edges);
      }
    }
    forget_shared();
    const bool is_points_a = a.cluster->kind == ClusterKind::Points;
    const bool is_points_b = b.cluster->kind == ClusterKind::Points;
    if (is_points_a && is_points_b) points_points(a, b, a_to_b_, false);
    if (is_points_a && b.cluster->kind == ClusterKind::Wires) points_wires(a, b, a_to_b_);
    if (is_points_b && a.cluster->kind == ClusterKind::Wires) points_wires(b, a, b_to_a_);
  }

  void run_self(const View& a) {
    make_shifts(*a.frame, *a.frame, context_.grid_thresholds, a_to_b_, b_to_a_);
    vertices_faces(a, a, first_bits(a.cluster->owned_count), a_to_b_, a.vertex_faces);
    edges_edges_self(a);
    if (a.cluster->kind == ClusterKind::Points) points_points(a, a, a_to_b_, true);
  }

  // Sixteens of columns that are not empty.
  static int groups(std::uint64_t bits) {
    int n = 0;
    for (; bits != 0; bits >>= feature_lanes) n += (bits & 0xffff) != 0;
    return n;
  }

  // Owned vertices, or edges, that may meet the other cluster's box.
  std::uint64_t clipped_points(const View& a, const ShortRow<Relative>& box) const {
    const std::uint64_t all = first_bits(a.cluster->owned_count);
    if (!context_.stages.feature_clip || wide_) return all;
    std::uint64_t met = 0;
    for (std::size_t s = 0; s < a.owned_slots; s += feature_lanes) {
      met |= std::uint64_t{points_met(box, a.owned + s / feature_lanes * point_group)} << s;
    }
    return all & met;
  }

  std::uint64_t clipped_edges(const View& a, const ShortRow<Relative>& box) const {
    const std::uint64_t all = first_bits(a.cluster->edge_count);
    if (!context_.stages.feature_clip || wide_) return all;
    std::uint64_t met = 0;
    for (std::size_t s = 0; s < a.edge_slots; s += feature_lanes) {
      met |= std::uint64_t{boxes_met(box, a.edges + s / feature_lanes * box_group<Relative>)} << s;
    }
    return all & met;
  }

  HWY_INLINE void share(const View& a, const View& b, std::size_t i, std::size_t j) {
    a_in_b_.edges[i] = b.vertex_edges[j];
    a_in_b_.faces[i] = b.vertex_faces[j];
    b_in_a_.edges[j] = a.vertex_edges[i];
    b_in_a_.faces[j] = a.vertex_faces[i];
    shared_[shared_count_++] = {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(j)};
  }

  // Which vertices a and b have in common.
  HWY_INLINE void find_shared(const View& a, const View& b) {
    shared_count_ = 0;
    const ClusterMesh& mesh = *context_.mesh;
    const bool in_order = a.index < b.index;
    const std::int32_t lesser = in_order ? a.index : b.index, greater = in_order ? b.index : a.index;
    const Neighbour* n = mesh.neighbours.data() + mesh.neighbour_begin[lesser];
    const Neighbour* const last = mesh.neighbours.data() + mesh.neighbour_begin[lesser + 1];
    while (n != last && n->cluster < greater) ++n;
    if (n != last && n->cluster == greater) {
      for (std::int32_t s = n[0].shared_begin; s < n[1].shared_begin; ++s) {
        const SharedVertex v = mesh.shared[s];
        share(a, b, in_order ? v.lesser : v.greater, in_order ? v.greater : v.lesser);
      }
    }
    if (a.cluster->crowded && b.cluster->crowded) find_every_shared(a, b);
  }

  // Also those that are in too many clusters to be listed.
  void find_every_shared(const View& a, const View& b) {
    forget_shared();
    shared_count_ = 0;
    for (std::size_t i = 0; i < a.cluster->vertex_count; ++i) {
      for (std::size_t j = 0; j < b.cluster->vertex_count; ++j) {
        if (a.vertices[i] == b.vertices[j]) share(a, b, i, j);
      }
    }
  }

  HWY_INLINE void forget_shared() {
    for (std::size_t n = 0; n < shared_count_; ++n) {
      const auto [i, j] = shared_[n];
      a_in_b_.edges[i] = b_in_a_.edges[j] = 0;
      a_in_b_.faces[i] = b_in_a_.faces[j] = 0;
    }
  }

  // The pairs that no spread axis separates go out by their ids. column_box: a column on the spread axes.
  template <typename ColumnBox>
  HWY_INLINE void emit(std::size_t count, const std::int32_t* ids_a, const std::int32_t* ids_b,
                       FeaturePairKind kind, const ColumnBox& column_box) {
    PairBuffer& pairs = out_.kinds[static_cast<std::size_t>(kind)];
    pairs.before_spread_axes += static_cast<std::int64_t>(count);
    const std::size_t all = context_.stages.pair_axes ? 0 : 1;
    std::int32_t *firsts = pairs.first + pairs.size, *seconds = pairs.second + pairs.size;
    std::size_t kept = 0;
    const std::uint8_t *const rows = pairs_.row, *const columns = pairs_.column;
    for (std::size_t n = 0; n < count; ++n) {
      const std::size_t row = rows[n], column = columns[n];
      const bool separated = spread_separates(row_limits_[row], column_box(column));
      firsts[kept] = ids_a[row];
      seconds[kept] = ids_b[column];
      kept += all | static_cast<std::size_t>(!separated);
    }
    pairs.size += kept;
  }

  // The lowest and the highest of a feature's points on an axis (0, 1, 2 at t0, 4, 5, 6 at t1).
  template <std::size_t N>
  void range_of(const std::int32_t* vertices, const std::uint8_t* local, std::size_t stride, std::size_t axis,
                float& low, float& high) const {
    low = high = context_.boxes->points[8 * static_cast<std::size_t>(vertices[local[0]]) + axis];
    for (std::size_t i = 1; i < N; ++i) {
      const auto v = static_cast<std::size_t>(vertices[local[i * stride]]);
      const float x = context_.boxes->points[8 * v + axis];
      low = std::min(low, x);
      high = std::max(high, x);
    }
  }

  // The pairs of features of a wide cluster that no cardinal axis separates at both ends.
  template <std::size_t N, std::size_t M>
  HWY_NOINLINE void emit_wide(std::size_t count, Corners a, const std::int32_t* ids_a, Corners b,
                              const std::int32_t* ids_b, FeaturePairKind kind) {
    PairBuffer& pairs = out_.kinds[static_cast<std::size_t>(kind)];
    const float t = context_.thresholds.cardinal;
    for (std::size_t n = 0; n < count; ++n) {
      const std::size_t row = pairs_.row[n], column = pairs_.column[n];
      bool separated = false;
      for (std::size_t k = 0; k < 3 && !separated && context_.stages.row_axes; ++k) {
        float low_a[2], high_a[2], low_b[2], high_b[2];
        for (std::size_t end = 0; end < 2; ++end) {
          range_of<N>(a.vertices, a.local + row, a.stride, 4 * end + k, low_a[end], high_a[end]);
          range_of<M>(b.vertices, b.local + column, b.stride, 4 * end + k, low_b[end], high_b[end]);
        }
        separated = (low_b[0] > high_a[0] + t && low_b[1] > high_a[1] + t) ||
                    (low_a[0] > high_b[0] + t && low_a[1] > high_b[1] + t);
      }
      if (separated) continue;
      pairs.first[pairs.size] = ids_a[row];
      pairs.second[pairs.size++] = ids_b[column];
      ++pairs.before_spread_axes;
    }
  }

  static Corners owned_corners(const View& a) { return {a.projections, every_local.data(), 0, a.vertices}; }
  static Corners edge_corners(const View& a) {
    return {a.projections, a.edge_ends, a.edge_slots, a.vertices};
  }
  static Corners face_corners(const View& a) {
    return {a.projections, a.face_corners, a.face_slots, a.vertices};
  }
  static HWY_INLINE Corners at_slot(const Corners& corners, std::size_t slot) {
    return {corners.points, corners.local + slot, corners.stride, corners.vertices};
  }

  // Pairs of N and M corners whose columns are few: each is projected where it is met.
  template <std::size_t N, std::size_t M>
  HWY_INLINE void emit_few(std::size_t count, Corners a, const std::int32_t* ids_a, Corners b,
                           const std::int32_t* ids_b, FeaturePairKind kind) {
    if (wide_) return emit_wide<N, M>(count, a, ids_a, b, ids_b, kind);
    emit(count, ids_a, ids_b, kind,
         [&](std::size_t column) HWY_ATTR { return spread_box<Relative, M>(at_slot(b, column)); });
  }

  HWY_INLINE void set_point_limits(const View& a, std::size_t v, const Shift<Relative>& shift) {
    row_limits_[v] = limits(spread_box<Relative, 1>(at_slot(owned_corners(a), v)), shift);
  }

  // shared: the faces of b that have a vertex of a.
  void vertices_faces(const View& a, const View& b, std::uint64_t vertices, const Shift<Relative>& shift,
                      const std::uint32_t* shared) {
    if (vertices == 0 || b.face_slots == 0) return;
    const auto present = static_cast<std::uint32_t>(first_bits(b.cluster->face_count));
    const std::int16_t *const owned = a.owned, *const faces = b.faces;
    const std::size_t slots = b.face_slots;
    const std::uint32_t all_rows = all_rows_;
    std::size_t end = 0;
    for (; vertices != 0; vertices &= vertices - 1) {
      const auto v = static_cast<std::size_t>(std::countr_zero(vertices));
      set_point_limits(a, v, shift);
      const auto row = point_row<Relative>(owned, v, shift);
      const std::uint32_t wanted = present & ~shared[v];
      const std::int16_t* group = faces;
      for (std::size_t s = 0; s < slots; s += feature_lanes, group += box_group<Relative>) {
        const std::uint32_t met = boxes_met(row, group) | all_rows;
        end = pairs_.add(end, v, s, met & (wanted >> s));
      }
    }
    emit_few<1, 3>(end, owned_corners(a), a.owned_ids, face_corners(b), b.face_ids,
                   FeaturePairKind::VertexFace);
  }

  // Rows of a, columns of b, in pairs_.
  HWY_INLINE void emit_edges(std::size_t count, const View& a, const View& b) {
    if (wide_) {
      return emit_wide<2, 2>(count, edge_corners(a), a.edge_ids, edge_corners(b), b.edge_ids,
                             FeaturePairKind::EdgeEdge);
    }
    emit(count, a.edge_ids, b.edge_ids, FeaturePairKind::EdgeEdge,
         [&](std::size_t column) HWY_ATTR -> const SpreadBox<Relative>& { return column_boxes_[column]; });
  }

  // shared: the edges of b that have a vertex of a.
  void edges_edges(const View& a, std::uint64_t rows, const View& b, std::uint64_t columns,
                   const Shift<Relative>& shift, const std::uint64_t* shared) {
    // Copies: what is written as bytes might be anything else to the compiler.
    const std::int16_t *const edges_a = a.edges, *const edges_b = b.edges;
    const std::uint8_t *const first_ends = a.edge_ends, *const second_ends = first_ends + a.edge_slots;
    const std::size_t slots = b.edge_slots;
    const std::uint32_t all_rows = all_rows_;
    const Corners corners_a = edge_corners(a), corners_b = edge_corners(b);
    std::size_t end = 0;
    for (; rows != 0; rows &= rows - 1) {
      const auto e = static_cast<std::size_t>(std::countr_zero(rows));
      row_limits_[e] = limits(spread_box<Relative, 2>(at_slot(corners_a, e)), shift);
      const auto row = box_row<Relative>(edges_a, e, shift);
      const std::uint64_t wanted = columns & ~(shared[first_ends[e]] | shared[second_ends[e]]);
      const std::int16_t* group = edges_b;
      for (std::size_t s = 0; s < slots; s += feature_lanes, group += box_group<Relative>) {
        if (((columns >> s) & 0xffff) == 0) continue;
        const std::uint32_t met = boxes_met(row, group) | all_rows;
        end = pairs_.add(end, e, s, met & (wanted >> s));
      }
    }
    if (end == 0) return;
    for (std::uint64_t left = columns; left != 0; left &= left - 1) {
      const auto e = static_cast<std::size_t>(std::countr_zero(left));
      column_boxes_[e] = spread_box<Relative, 2>(at_slot(corners_b, e));
    }
    emit_edges(end, a, b);
  }

  // Each edge with those up to half the list further on, around its end.
  void edges_edges_self(const View& a) {
    const std::size_t count = a.cluster->edge_count;
    if (count < 2) return;
    ring_.set(a.edges, count, context_.grid_thresholds.cardinal);
    const std::uint64_t* const disjoint = a.disjoint_edges;
    const std::uint32_t all_rows = all_rows_;
    std::size_t end = 0;
    for (std::size_t apart = 1; apart <= count / 2; ++apart) {
      for (std::size_t s = 0; s < count; s += feature_lanes) {
        const std::uint32_t met = ring_.met(s, apart) | all_rows;
        end = pairs_.add_around(end, s, apart, count, met & (disjoint[apart - 1] >> s));
      }
    }
    if (end == 0) return;
    const Corners corners = edge_corners(a);
    for (std::size_t e = 0; e < count; ++e) {
      column_boxes_[e] = spread_box<Relative, 2>(at_slot(corners, e));
      row_limits_[e] = limits(column_boxes_[e], a_to_b_);
    }
    emit_edges(end, a, a);
  }

  void points_points(const View& a, const View& b, const Shift<Relative>& shift, bool self) {
    std::size_t end = 0;
    for (std::size_t v = 0; v < a.cluster->owned_count; ++v) {
      set_point_limits(a, v, shift);
      const auto row = point_row<Relative>(a.owned, v, shift);
      std::uint64_t wanted = first_bits(b.cluster->owned_count);
      if (self) wanted &= ~first_bits(v + 1);
      for (std::size_t s = 0; s < b.owned_slots; s += feature_lanes) {
        const std::uint32_t met = points_met(row, b.owned + s / feature_lanes * point_group) | all_rows_;
        end = pairs_.add(end, v, s, met & (wanted >> s));
      }
    }
    emit_few<1, 1>(end, owned_corners(a), a.owned_ids, owned_corners(b), b.owned_ids,
                   FeaturePairKind::VertexVertex);
  }

  void points_wires(const View& a, const View& b, const Shift<Relative>& shift) {
    std::size_t end = 0;
    const std::uint64_t present = first_bits(b.cluster->edge_count);
    for (std::size_t v = 0; v < a.cluster->owned_count; ++v) {
      set_point_limits(a, v, shift);
      const auto row = point_row<Relative>(a.owned, v, shift);
      for (std::size_t s = 0; s < b.edge_slots; s += feature_lanes) {
        const std::uint32_t met =
            boxes_met(row, b.edges + s / feature_lanes * box_group<Relative>) | all_rows_;
        end = pairs_.add(end, v, s, met & (present >> s));
      }
    }
    emit_few<1, 2>(end, owned_corners(a), a.owned_ids, edge_corners(b), b.edge_ids,
                   FeaturePairKind::VertexEdge);
  }

  struct LocalPair {
    std::uint8_t a, b;
  };
  const KernelContext& context_;
  PairBuffers& out_;
  View a_;
  std::int32_t position_a_ = -1;
  std::uint32_t all_rows_ = 0;  // all bits: the row test is off
  bool wide_ = false;
  Shift<Relative> a_to_b_, b_to_a_;
  BoxRing<Relative> ring_;
  Sharing a_in_b_, b_in_a_;
  LocalPair shared_[max_local_vertices];
  std::size_t shared_count_ = 0;
  LocalPairs pairs_;
  // On the spread axes, by slot: what columns must exceed, and columns.
  SpreadBox<Relative> row_limits_[max_local_vertices], column_boxes_[max_local_vertices];
};

// Asks the memory for what the rows will read of a cluster: all of it together is beyond the second-level
// cache, and one pair of clusters takes about as long as the answer.
inline void prefetch_range(const void* from, std::size_t bytes) {
  const char* p = static_cast<const char*>(from);
  for (std::size_t i = 0; i < bytes; i += 64) hwy::Prefetch(p + i);
}

inline void prefetch_cluster(const KernelContext& context, std::int32_t position) {
  const std::int32_t index = context.boxes->order[position];
  const Cluster& c = context.mesh->clusters[index];
  const auto faces = static_cast<std::size_t>(c.face_slots()),
             edges = static_cast<std::size_t>(c.edge_slots());
  const auto owned = static_cast<std::size_t>(c.owned_slots());
  const auto vertices = static_cast<std::size_t>(c.vertex_count);
  const std::size_t numbers = context.boxes->swept ? 6 : 12;
  prefetch_range(context.boxes->features.data() + c.box_begin[context.boxes->swept ? 1 : 0],
                 2 * (numbers * (faces + edges) + 6 * owned + 16 * vertices));
  prefetch_range(context.boxes->frames.data() + index, sizeof(ClusterFrame));
  prefetch_range(context.mesh->edges.data() + c.edge_begin, 4 * edges);
  prefetch_range(context.mesh->faces.data() + c.face_begin, 4 * faces);
  prefetch_range(context.mesh->owned.data() + c.slot_begin, 4 * owned);
  prefetch_range(context.mesh->face_corners.data() + 3 * c.face_begin, 3 * faces);
  prefetch_range(context.mesh->edge_ends.data() + 2 * c.edge_begin, 2 * edges);
  prefetch_range(context.mesh->vertices.data() + c.vertex_begin, 4 * vertices);
  prefetch_range(context.mesh->vertex_edges.data() + c.vertex_begin, 8 * vertices);
  prefetch_range(context.mesh->vertex_faces.data() + c.vertex_begin, 2 * vertices);
}

// A pair after one whose first cluster is `first`.
inline void prefetch_pair(const KernelContext& context, const IndexPair* pair, std::int32_t first) {
  if (pair->first != first) prefetch_cluster(context, pair->first);
  if (pair->second != pair->first) prefetch_cluster(context, pair->second);
}

template <bool Relative>
std::size_t collect(const KernelContext& context, const IndexPair* pairs, std::size_t count,
                    PairBuffers& out) {
  Collector<Relative> collector(context, out);
  std::size_t i = 0;
  for (; i < count && !out.is_nearly_full(); ++i) {
    if (i + 1 < count) prefetch_pair(context, pairs + i + 1, pairs[i].first);
    collector.run(pairs[i]);
  }
  return i;
}

}  // namespace

void prefetch_pairs(const KernelContext& context, const IndexPair* pairs, std::size_t count) {
  if (count > 0) prefetch_pair(context, pairs, -1);
}

std::size_t collect_pairs(const KernelContext& context, const IndexPair* pairs, std::size_t count,
                          PairBuffers& out) {
  return context.boxes->swept ? collect<false>(context, pairs, count, out)
                              : collect<true>(context, pairs, count, out);
}

}  // namespace toccata::deformable::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::deformable {

HWY_EXPORT(collect_pairs);
HWY_EXPORT(prefetch_pairs);

std::size_t collect_feature_pairs(const KernelContext& context, const IndexPair* pairs, std::size_t count,
                                  PairBuffers& out) {
  return HWY_DYNAMIC_DISPATCH(collect_pairs)(context, pairs, count, out);
}

void prefetch_first_pairs(const KernelContext& context, const IndexPair* pairs, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(prefetch_pairs)(context, pairs, count);
}

}  // namespace toccata::deformable
#endif
