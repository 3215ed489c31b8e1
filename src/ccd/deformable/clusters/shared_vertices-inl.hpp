// The vertices that two clusters have in common: features that share one are no contacts of each other.
//
// Included once per Highway target (no #pragma once).
#include <hwy/highway.h>

#include "ccd/deformable/clusters/cluster_view-inl.hpp"

#if defined(TOCCATA_DEFORMABLE_SHARED_VERTICES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_DEFORMABLE_SHARED_VERTICES_INL
#undef TOCCATA_DEFORMABLE_SHARED_VERTICES_INL
#else
#define TOCCATA_DEFORMABLE_SHARED_VERTICES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::deformable::clusters::HWY_NAMESPACE {

// The edges and faces of one cluster that have a vertex of the other, by that one's local vertices.
struct Sharing {
  std::uint64_t edges[max_local_vertices] = {};
  std::uint32_t faces[max_local_vertices] = {};
};

class SharedVertices {
 public:
  Sharing a_in_b, b_in_a;

  // Of two clusters; those of the last two must have been forgotten.
  HWY_INLINE void find(const ClusterMesh& mesh, const View& a, const View& b) {
    const bool in_order = a.index < b.index;
    const std::int32_t lesser = in_order ? a.index : b.index, greater = in_order ? b.index : a.index;
    const Neighbour* n = mesh.neighbours.data() + mesh.neighbour_begin[lesser];
    const Neighbour* const last = mesh.neighbours.data() + mesh.neighbour_begin[lesser + 1];
    while (n != last && n->cluster < greater) ++n;
    if (n != last && n->cluster == greater) {
      for (std::int32_t s = n[0].shared_begin; s < n[1].shared_begin; ++s) {
        const SharedVertex v = mesh.shared[s];
        add(a, b, in_order ? v.lesser : v.greater, in_order ? v.greater : v.lesser);
      }
    }
    if (a.cluster->crowded && b.cluster->crowded) find_every(a, b);
  }

  HWY_INLINE void forget() {
    for (std::size_t n = 0; n < count_; ++n) {
      const auto [i, j] = places_[n];
      a_in_b.edges[i] = b_in_a.edges[j] = 0;
      a_in_b.faces[i] = b_in_a.faces[j] = 0;
    }
    count_ = 0;
  }

 private:
  HWY_INLINE void add(const View& a, const View& b, std::size_t i, std::size_t j) {
    a_in_b.edges[i] = b.vertex_edges[j];
    a_in_b.faces[i] = b.vertex_faces[j];
    b_in_a.edges[j] = a.vertex_edges[i];
    b_in_a.faces[j] = a.vertex_faces[i];
    places_[count_++] = {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(j)};
  }

  // Also those that are in too many clusters to be listed.
  void find_every(const View& a, const View& b) {
    forget();
    for (std::size_t i = 0; i < a.cluster->vertex_count; ++i) {
      for (std::size_t j = 0; j < b.cluster->vertex_count; ++j) {
        if (a.vertices[i] == b.vertices[j]) add(a, b, i, j);
      }
    }
  }

  struct Place {
    std::uint8_t a, b;
  };
  std::size_t count_ = 0;
  Place places_[max_local_vertices];
};

}  // namespace toccata::deformable::clusters::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
