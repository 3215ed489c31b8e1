// A cluster as the row kernel sees it.
//
// Included once per Highway target (no #pragma once).
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "ccd/deformable/clusters/cluster_kernels.hpp"
#include "ccd/deformable/clusters/row_lanes-inl.hpp"

#if defined(TOCCATA_DEFORMABLE_CLUSTER_VIEW_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_DEFORMABLE_CLUSTER_VIEW_INL
#undef TOCCATA_DEFORMABLE_CLUSTER_VIEW_INL
#else
#define TOCCATA_DEFORMABLE_CLUSTER_VIEW_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::deformable::clusters::HWY_NAMESPACE {

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

// Asks the memory for what the rows will read of a cluster: all of it together is beyond the second-level
// cache, and one pair of clusters takes about as long as the answer. Inlined always, as all that only
// prefetch: g++ leaves out calls of functions that do nothing else.
HWY_INLINE void prefetch_range(const void* from, std::size_t bytes) {
  const char* p = static_cast<const char*>(from);
  for (std::size_t i = 0; i < bytes; i += 64) hwy::Prefetch(p + i);
}

HWY_INLINE void prefetch_cluster(const KernelContext& context, std::int32_t position) {
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
  prefetch_range(context.mesh->vertex_edges.data() + c.vertex_begin, 8 * vertices);
  prefetch_range(context.mesh->vertex_faces.data() + c.vertex_begin, 2 * vertices);
}

// What says where the rest of it is.
HWY_INLINE void prefetch_head(const KernelContext& context, std::int32_t position) {
  prefetch_range(context.mesh->clusters.data() + context.boxes->order[position], sizeof(Cluster));
}

// What says which vertices the clusters of a pair have in common, and where that is.
HWY_INLINE const Neighbour* first_neighbour(const KernelContext& context, const IndexPair* pair) {
  const std::int32_t a = context.boxes->order[pair->first], b = context.boxes->order[pair->second];
  return context.mesh->neighbours.data() + context.mesh->neighbour_begin[a < b ? a : b];
}

HWY_INLINE void prefetch_neighbours(const KernelContext& context, const IndexPair* pair) {
  prefetch_range(first_neighbour(context, pair), 128);
}

HWY_INLINE void prefetch_shared(const KernelContext& context, const IndexPair* pair) {
  prefetch_range(context.mesh->shared.data() + first_neighbour(context, pair)->shared_begin, 128);
}

// A pair after one whose first cluster is `first`.
HWY_INLINE void prefetch_pair(const KernelContext& context, const IndexPair* pair, std::int32_t first) {
  if (pair->first != first) prefetch_cluster(context, pair->first);
  if (pair->second != pair->first) prefetch_cluster(context, pair->second);
}

}  // namespace toccata::deformable::clusters::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
