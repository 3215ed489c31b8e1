#include <algorithm>
#include <bit>

#include "ccd/deformable/clusters/cluster_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ccd/deformable/clusters/row_kernel.cpp"
#include <hwy/foreach_target.h>
// after foreach_target
#include <hwy/highway.h>

#include "ccd/deformable/clusters/cluster_view-inl.hpp"
#include "ccd/deformable/clusters/local_pairs-inl.hpp"
#include "ccd/deformable/clusters/row_lanes-inl.hpp"
#include "ccd/deformable/clusters/shared_vertices-inl.hpp"
#include "ccd/deformable/clusters/spread_boxes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::deformable::clusters::HWY_NAMESPACE {
namespace {

// The candidates of pairs of clusters. Features of one that the other's box does not rule out are rows; a row
// is compared with a vector of columns at a time on the grid, where order is exact
// (docs/notes/deformable_bounds.md, Features on a grid); what is left is compared on the spread axes, pair by
// pair.
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
    all_rows_ = context_.stages.row_axes && !wide ? 0 : ~std::uint64_t{0};
  }

  void run_two(const View& a, const View& b) {
    // Thresholds sit in the shifts, so one side of every comparison is grown and the other left as it is.
    make_shifts(*a.frame, *b.frame, context_.grid_thresholds, a_to_b_, b_to_a_);
    const auto box_b = cluster_box<Relative>(*b.frame, b_to_a_);
    const std::uint64_t points_a = clipped_points(a, box_b), edges_a = clipped_edges(a, box_b);
    const auto box_a = cluster_box<Relative>(*a.frame, a_to_b_);
    const std::uint64_t points_b = clipped_points(b, box_a), edges_b = clipped_edges(b, box_a);
    shared_.find(*context_.mesh, a, b);
    vertices_faces(a, b, points_a, a_to_b_, b_to_a_, shared_.a_in_b.faces);
    vertices_faces(b, a, points_b, b_to_a_, a_to_b_, shared_.b_in_a.faces);
    // The work is rows times vectors of columns: whichever side makes that smaller gives the rows.
    if (edges_a != 0 && edges_b != 0) {
      if (std::popcount(edges_a) * groups(edges_b) <= std::popcount(edges_b) * groups(edges_a)) {
        edges_edges(a, edges_a, b, edges_b, a_to_b_, b_to_a_, shared_.a_in_b.edges);
      } else {
        edges_edges(b, edges_b, a, edges_a, b_to_a_, a_to_b_, shared_.b_in_a.edges);
      }
    }
    shared_.forget();
    const bool is_points_a = a.cluster->kind == ClusterKind::Points;
    const bool is_points_b = b.cluster->kind == ClusterKind::Points;
    if (is_points_a && is_points_b) points_points(a, b, a_to_b_, false);
    if (is_points_a && b.cluster->kind == ClusterKind::Wires) points_wires(a, b, a_to_b_);
    if (is_points_b && a.cluster->kind == ClusterKind::Wires) points_wires(b, a, b_to_a_);
  }

  void run_self(const View& a) {
    make_shifts(*a.frame, *a.frame, context_.grid_thresholds, a_to_b_, b_to_a_);
    vertices_faces(a, a, first_bits(a.cluster->owned_count), a_to_b_, b_to_a_, a.vertex_faces);
    edges_edges_self(a);
    if (a.cluster->kind == ClusterKind::Points) points_points(a, a, a_to_b_, true);
  }

  // Vectors of columns that are not empty.
  static int groups(std::uint64_t bits) {
    int n = 0;
    for (std::size_t s = 0; s < 64; s += short_lanes) n += ((bits >> s) & all_lanes) != 0;
    return n;
  }

  // Owned vertices, or edges, that may meet the other cluster's box.
  std::uint64_t clipped_points(const View& a, const ShortBoxes<Relative>& box) const {
    const std::uint64_t all = first_bits(a.cluster->owned_count);
    if (!context_.stages.feature_clip || wide_) return all;
    std::uint64_t met = 0;
    for (std::size_t s = 0; s < a.owned_slots; s += short_lanes) {
      met |= boxes_met(box, load_points<Relative>(a.owned, s)) << s;
    }
    return all & met;
  }

  std::uint64_t clipped_edges(const View& a, const ShortBoxes<Relative>& box) const {
    const std::uint64_t all = first_bits(a.cluster->edge_count);
    if (!context_.stages.feature_clip || wide_) return all;
    std::uint64_t met = 0;
    for (std::size_t s = 0; s < a.edge_slots; s += short_lanes) {
      met |= boxes_met(box, load_boxes<Relative>(a.edges, s)) << s;
    }
    return all & met;
  }

  // The pairs that no spread axis separates go out by their ids. column_box: a column on the spread axes.
  template <typename ColumnBox>
  HWY_INLINE void emit(std::size_t count, const std::int32_t* ids_a, const std::int32_t* ids_b,
                       FeaturePairKind kind, const ColumnBox& column_box) {
    PairBuffer& pairs = out_.kinds[static_cast<std::size_t>(kind)];
    pairs.before_spread_axes += static_cast<std::int64_t>(count);
    // Every pair is written; the place only moves on for those that stay. Which do is not predictable.
    const std::size_t all = context_.stages.pair_axes ? 0 : 1;
    std::int32_t *firsts = pairs.first + pairs.size, *seconds = pairs.second + pairs.size;
    std::size_t kept = 0;
    const std::uint8_t *const rows = pairs_.row, *const columns = pairs_.column;
    for (std::size_t n = 0; n < count; ++n) {
      const std::size_t row = rows[n], column = columns[n];
      const bool separated = 0 != spread_separates(row_limits_[row], column_box(column));
      firsts[kept] = ids_a[row];
      seconds[kept] = ids_b[column];
      kept += all | static_cast<std::size_t>(!separated);
    }
    pairs.size += kept;
  }

  // Two features by their ids; not 0 if a spread axis separates them.
  struct Compared {
    std::int32_t first, second;
    std::uint32_t separated;
  };

  // Hands out what the rows have met, but for what a spread axis separates. compare: a row and a bit of what
  // it met. One loop over all of them: how many a row meets is not predictable.
  template <typename Compare>
  HWY_INLINE void emit_rows(FeaturePairKind kind, const Compare& compare) {
    PairBuffer& pairs = out_.kinds[static_cast<std::size_t>(kind)];
    pairs.before_spread_axes += static_cast<std::int64_t>(rows_.hits);
    if (context_.stages.pair_axes) {
      pairs.size = write_met<false>(pairs, compare);
    } else {
      pairs.size = write_met<true>(pairs, compare);
    }
  }

  template <bool all, typename Compare>
  HWY_INLINE std::size_t write_met(PairBuffer& pairs, const Compare& compare) {
    rows_.end[0].met = rows_.end[1].met = 0;  // ends the walk over the rows
    std::size_t size = pairs.size;
    const MetRow<Relative>* row = rows_.rows;
    std::uint64_t met = row[0].met, next = row[1].met;
    for (std::size_t left = rows_.hits; left > 0; --left) {
      const Compared pair = compare(*row, static_cast<std::size_t>(std::countr_zero(met)));
      // Every pair is written; the place only moves on for those that stay. Neither which do is predictable,
      // nor where a row ends.
      pairs.first[size] = pair.first;
      pairs.second[size] = pair.second;
      size += all || pair.separated < 1u ? 1 : 0;
      met &= met - 1;
      const std::uint64_t at_end = met < 1u ? 1 : 0;
      met |= next & (0 - at_end);
      row += at_end;
      next = row[1].met;
    }
    return size;
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
        // Test (1) on the floats themselves, one side grown: a wide cluster is not on the grid.
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
    row_limits_[v] = row_limits<Relative, 1>(at_slot(owned_corners(a), v), shift);
  }

  // shift: from a into b; back: from b into a; shared: the faces of b that have a vertex of a.
  void vertices_faces(const View& a, const View& b, std::uint64_t vertices, const Shift<Relative>& shift,
                      const Shift<Relative>& back, const std::uint32_t* shared) {
    if (vertices == 0 || b.face_slots == 0) return;
    const std::uint64_t columns = first_bits(b.cluster->face_count);
    if (wide_) {
      std::size_t end = 0;
      for (; vertices != 0; vertices &= vertices - 1) {
        const auto v = static_cast<std::size_t>(std::countr_zero(vertices));
        end = pairs_.add_row(end, v, columns & ~std::uint64_t{shared[v]});
      }
      return emit_wide<1, 3>(end, owned_corners(a), a.owned_ids, face_corners(b), b.face_ids,
                             FeaturePairKind::VertexFace);
    }
    const Corners corners_a = owned_corners(a), corners_b = face_corners(b);
    columns_.set(b.faces, b.face_slots, columns, back);
    rows_.clear();
    for (; vertices != 0; vertices &= vertices - 1) {
      const auto v = static_cast<std::size_t>(std::countr_zero(vertices));
      const std::uint64_t met = columns_.met(point_in_slot<Relative>(a.owned, v)) | all_rows_;
      rows_.add(a.owned_ids[v], met & columns & ~std::uint64_t{shared[v]},
                row_limits<Relative, 1>(at_slot(corners_a, v), shift));
    }
    emit_rows(FeaturePairKind::VertexFace, [&](const MetRow<Relative>& row, std::size_t column) HWY_ATTR {
      const auto box = spread_box<Relative, 3>(at_slot(corners_b, column));
      return Compared{row.id, b.face_ids[column], spread_separates(row.limit, box)};
    });
  }

  // The same for edges.
  void edges_edges(const View& a, std::uint64_t rows, const View& b, std::uint64_t columns,
                   const Shift<Relative>& shift, const Shift<Relative>& back, const std::uint64_t* shared) {
    const std::uint8_t *const first_ends = a.edge_ends, *const second_ends = first_ends + a.edge_slots;
    const auto wanted = [&](std::size_t e) {
      return columns & ~(shared[first_ends[e]] | shared[second_ends[e]]);
    };
    if (wide_) {
      std::size_t end = 0;
      for (; rows != 0; rows &= rows - 1) {
        const auto e = static_cast<std::size_t>(std::countr_zero(rows));
        end = pairs_.add_row(end, e, wanted(e));
      }
      return emit_wide<2, 2>(end, edge_corners(a), a.edge_ids, edge_corners(b), b.edge_ids,
                             FeaturePairKind::EdgeEdge);
    }
    const Corners corners_a = edge_corners(a), corners_b = edge_corners(b);
    columns_.set(b.edges, b.edge_slots, columns, back);
    rows_.clear();
    for (; rows != 0; rows &= rows - 1) {
      const auto e = static_cast<std::size_t>(std::countr_zero(rows));
      const std::uint64_t met = columns_.met(box_in_slot<Relative>(a.edges, e)) | all_rows_;
      rows_.add(a.edge_ids[e], met & wanted(e), row_limits<Relative, 2>(at_slot(corners_a, e), shift));
    }
    if (rows_.hits == 0) return;
    for (std::uint64_t left = columns; left != 0; left &= left - 1) {
      const auto e = static_cast<std::size_t>(std::countr_zero(left));
      column_boxes_[e] = spread_box<Relative, 2>(at_slot(corners_b, e));
    }
    emit_rows(FeaturePairKind::EdgeEdge, [&](const MetRow<Relative>& row, std::size_t column) HWY_ATTR {
      return Compared{row.id, b.edge_ids[column], spread_separates(row.limit, column_boxes_[column])};
    });
  }

  // Each edge with those up to half the list further on, around its end: every pair once, and full vectors.
  // A row is a distance in the list, its bits are the first edges.
  void edges_edges_self(const View& a) {
    const std::size_t count = a.cluster->edge_count;
    if (count < 2) return;
    const std::uint64_t* const disjoint = a.disjoint_edges;
    rows_.clear();
    if (!wide_) ring_.set(a.edges, count, context_.grid_thresholds.cardinal);
    for (std::size_t apart = 1; apart <= count / 2; ++apart) {
      std::uint64_t met = all_rows_;
      for (std::size_t s = 0; s < count && !wide_; s += short_lanes) met |= ring_.met(s, apart) << s;
      rows_.add_apart(apart, met & disjoint[apart - 1]);
    }
    if (rows_.hits == 0) return;
    const auto further = [count](std::size_t e, std::int32_t apart) {
      const std::size_t other = e + static_cast<std::size_t>(apart);
      return other < count ? other : other - count;
    };
    const Corners corners = edge_corners(a);
    if (wide_) {
      std::size_t end = 0;
      for (const MetRow<Relative>* row = rows_.rows; row != rows_.end; ++row) {
        for (std::uint64_t met = row->met; met != 0; met &= met - 1) {
          const auto e = static_cast<std::size_t>(std::countr_zero(met));
          pairs_.row[end] = static_cast<std::uint8_t>(e);
          pairs_.column[end++] = static_cast<std::uint8_t>(further(e, row->id));
        }
      }
      return emit_wide<2, 2>(end, corners, a.edge_ids, corners, a.edge_ids, FeaturePairKind::EdgeEdge);
    }
    for (std::size_t e = 0; e < count; ++e) {
      column_boxes_[e] = spread_box<Relative, 2>(at_slot(corners, e));
      row_limits_[e] = limits(column_boxes_[e], a_to_b_);
    }
    emit_rows(FeaturePairKind::EdgeEdge, [&](const MetRow<Relative>& row, std::size_t e) HWY_ATTR {
      const std::size_t other = further(e, row.id);
      return Compared{a.edge_ids[e], a.edge_ids[other],
                      spread_separates(row_limits_[e], column_boxes_[other])};
    });
  }

  void points_points(const View& a, const View& b, const Shift<Relative>& shift, bool self) {
    std::size_t end = 0;
    for (std::size_t v = 0; v < a.cluster->owned_count; ++v) {
      set_point_limits(a, v, shift);
      const auto row = moved(point_in_slot<Relative>(a.owned, v), shift);
      std::uint64_t wanted = first_bits(b.cluster->owned_count);
      if (self) wanted &= ~first_bits(v + 1);
      std::uint64_t met = all_rows_;
      for (std::size_t s = 0; s < b.owned_slots; s += short_lanes) {
        met |= boxes_met(row, load_points<Relative>(b.owned, s)) << s;
      }
      end = pairs_.add_row(end, v, met & wanted);
    }
    emit_few<1, 1>(end, owned_corners(a), a.owned_ids, owned_corners(b), b.owned_ids,
                   FeaturePairKind::VertexVertex);
  }

  void points_wires(const View& a, const View& b, const Shift<Relative>& shift) {
    std::size_t end = 0;
    const std::uint64_t present = first_bits(b.cluster->edge_count);
    for (std::size_t v = 0; v < a.cluster->owned_count; ++v) {
      set_point_limits(a, v, shift);
      const auto row = moved(point_in_slot<Relative>(a.owned, v), shift);
      std::uint64_t met = all_rows_;
      for (std::size_t s = 0; s < b.edge_slots; s += short_lanes) {
        met |= boxes_met(row, load_boxes<Relative>(b.edges, s)) << s;
      }
      end = pairs_.add_row(end, v, met & present);
    }
    emit_few<1, 2>(end, owned_corners(a), a.owned_ids, edge_corners(b), b.edge_ids,
                   FeaturePairKind::VertexEdge);
  }

  const KernelContext& context_;
  PairBuffers& out_;
  View a_;
  std::int32_t position_a_ = -1;
  std::uint64_t all_rows_ = 0;  // all bits: the row test is off
  bool wide_ = false;
  Shift<Relative> a_to_b_, b_to_a_;
  BoxRing<Relative> ring_;
  SharedVertices shared_;
  LocalPairs pairs_;
  Columns<Relative> columns_;
  MetRows<Relative> rows_;
  // On the spread axes, by slot: what columns must exceed, and columns.
  SpreadBox<Relative> row_limits_[max_local_vertices], column_boxes_[max_local_vertices];
};

template <bool Relative>
std::size_t collect(const KernelContext& context, const IndexPair* pairs, std::size_t count,
                    PairBuffers& out) {
  Collector<Relative> collector(context, out);
  std::size_t i = 0;
  for (; i < count && !out.is_nearly_full(); ++i) {
    if (i + 2 < count) {
      prefetch_head(context, pairs[i + 2].second);
      prefetch_neighbours(context, pairs + i + 2);
    }
    if (i + 1 < count) prefetch_shared(context, pairs + i + 1);
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

}  // namespace toccata::deformable::clusters::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::deformable::clusters {

HWY_EXPORT(collect_pairs);
HWY_EXPORT(prefetch_pairs);

std::size_t collect_feature_pairs(const KernelContext& context, const IndexPair* pairs, std::size_t count,
                                  PairBuffers& out) {
  return HWY_DYNAMIC_DISPATCH(collect_pairs)(context, pairs, count, out);
}

void prefetch_first_pairs(const KernelContext& context, const IndexPair* pairs, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(prefetch_pairs)(context, pairs, count);
}

}  // namespace toccata::deformable::clusters
#endif
