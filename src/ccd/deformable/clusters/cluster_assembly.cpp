#include "ccd/deformable/clusters/cluster_assembly.hpp"

#include <array>

namespace toccata::deformable::clusters {

std::uint8_t ClusterWriter::local(std::int32_t vertex) {
  if (stamp_[vertex] != now_) {
    stamp_[vertex] = now_;
    local_[vertex] = cluster_.vertex_count++;
    mesh_.vertices.push_back(vertex);
  }
  return static_cast<std::uint8_t>(local_[vertex]);
}

void ClusterWriter::begin_vertices(std::span<const std::int32_t> owned) {
  cluster_.vertex_begin = static_cast<std::int32_t>(mesh_.vertices.size());
  cluster_.slot_begin = static_cast<std::int32_t>(mesh_.owned.size());
  ++now_;
  for (const std::int32_t v : owned) {
    local(v);
    mesh_.owned.push_back(v);
  }
  cluster_.owned_count = cluster_.vertex_count;
  mesh_.owned.resize(static_cast<std::size_t>(cluster_.slot_begin + cluster_.owned_slots()), -1);
}

void ClusterWriter::add_faces(std::span<const std::int32_t> faces) {
  cluster_.face_begin = static_cast<std::int32_t>(mesh_.faces.size());
  cluster_.face_count = static_cast<std::uint8_t>(faces.size());
  const auto slots = static_cast<std::size_t>(cluster_.face_slots());
  const std::size_t corners = 3 * static_cast<std::size_t>(cluster_.face_begin);
  mesh_.face_corners.resize(corners + 3 * slots, empty_local);
  for (std::size_t i = 0; i < faces.size(); ++i) {
    mesh_.faces.push_back(faces[i]);
    for (std::size_t k = 0; k < 3; ++k) {
      mesh_.face_corners[corners + k * slots + i] = local(topology_.faces[faces[i]][k]);
    }
  }
  mesh_.faces.resize(static_cast<std::size_t>(cluster_.face_begin) + slots, -1);
}

void ClusterWriter::add_edges(std::span<const std::int32_t> edges) {
  cluster_.edge_begin = static_cast<std::int32_t>(mesh_.edges.size());
  cluster_.edge_count = static_cast<std::uint8_t>(edges.size());
  const auto slots = static_cast<std::size_t>(cluster_.edge_slots());
  const std::size_t ends = 2 * static_cast<std::size_t>(cluster_.edge_begin);
  mesh_.edge_ends.resize(ends + 2 * slots, empty_local);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    mesh_.edges.push_back(edges[i]);
    for (std::size_t k = 0; k < 2; ++k) {
      mesh_.edge_ends[ends + k * slots + i] = local(topology_.edges[edges[i]][k]);
    }
  }
  mesh_.edges.resize(static_cast<std::size_t>(cluster_.edge_begin) + slots, -1);
}

// Which of the cluster's edges and faces have which of its vertices.
void ClusterWriter::find_incidence() {
  const auto begin = static_cast<std::size_t>(cluster_.vertex_begin);
  mesh_.vertex_edges.resize(begin + cluster_.vertex_count, 0);
  mesh_.vertex_faces.resize(begin + cluster_.vertex_count, 0);
  const std::uint8_t* ends = mesh_.edge_ends.data() + 2 * cluster_.edge_begin;
  for (std::size_t e = 0; e < cluster_.edge_count; ++e) {
    for (int k = 0; k < 2; ++k) {
      mesh_.vertex_edges[begin + ends[k * cluster_.edge_slots() + static_cast<int>(e)]] |= std::uint64_t{1}
                                                                                           << e;
    }
  }
  const std::uint8_t* corners = mesh_.face_corners.data() + 3 * cluster_.face_begin;
  for (std::size_t f = 0; f < cluster_.face_count; ++f) {
    for (int k = 0; k < 3; ++k) {
      mesh_.vertex_faces[begin + corners[k * cluster_.face_slots() + static_cast<int>(f)]] |= 1u << f;
    }
  }
}

namespace {

// Bit j of word i becomes bit i of word j: ever smaller squares are exchanged across the diagonal.
void transpose_bits(std::array<std::uint64_t, 64>& words) {
  std::uint64_t lower = 0x00000000ffffffffu;
  for (std::size_t size = 32; size > 0; size /= 2, lower ^= lower << size) {
    for (std::size_t i = 0; i < 64; i = (i + size + 1) & ~size) {
      const std::uint64_t exchanged = ((words[i] >> size) ^ words[i + size]) & lower;
      words[i] ^= exchanged << size;
      words[i + size] ^= exchanged;
    }
  }
}

}  // namespace

void ClusterWriter::find_disjoint_edges() {
  cluster_.disjoint_begin = static_cast<std::int32_t>(mesh_.disjoint_edges.size());
  const std::size_t count = cluster_.edge_count;
  const std::uint8_t* const ends = mesh_.edge_ends.data() + 2 * cluster_.edge_begin;
  const std::uint64_t* const edges_at = mesh_.vertex_edges.data() + cluster_.vertex_begin;
  std::array<std::uint64_t, 64> touched{};  // by edge: the edges it meets, counted from itself
  for (std::size_t e = 0; e < count; ++e) {
    const std::uint64_t met =
        edges_at[ends[e]] | edges_at[ends[static_cast<std::size_t>(cluster_.edge_slots()) + e]];
    touched[e] = e == 0 ? met : (met >> e) | (met << (count - e));
  }
  transpose_bits(touched);
  for (std::size_t k = 1; k <= count / 2; ++k) {
    const std::size_t rows = 2 * k == count ? k : count;
    mesh_.disjoint_edges.push_back(~touched[k] & (~std::uint64_t{0} >> (64 - rows)));
  }
}

Cluster ClusterWriter::write(ClusterKind kind, std::span<const std::int32_t> owned,
                             std::span<const std::int32_t> faces, std::span<const std::int32_t> edges) {
  cluster_ = Cluster{};
  cluster_.kind = kind;
  begin_vertices(owned);
  add_faces(faces);
  add_edges(edges);
  find_membership(topology_, mesh_, cluster_);
  find_incidence();
  find_disjoint_edges();
  return cluster_;
}

void find_membership(const Topology& topology, const ClusterMesh& mesh, Cluster& cluster) {
  for (std::int32_t i = 0; i < cluster.vertex_count; ++i) {
    const std::int32_t v = mesh.vertices[cluster.vertex_begin + i];
    const std::int32_t component = topology.vertex_component[v];
    const std::int32_t object = topology.vertex_object[v];
    if (i == 0) {
      cluster.component = component;
      cluster.object = object;
    }
    if (cluster.component != component) cluster.component = -1;
    if (cluster.object != object) cluster.object = -1;
  }
}

void place_boxes(ClusterMesh& mesh) {
  for (const int swept : {0, 1}) mesh.feature_shorts[swept] = 0;
  for (Cluster& cluster : mesh.clusters) {
    for (const int swept : {0, 1}) {
      cluster.box_begin[swept] = mesh.feature_shorts[swept];
      // Of an even number of vertices, so that the next cluster starts with a line of the cache, too.
      mesh.feature_shorts[swept] += (swept ? 6 : 12) * (cluster.face_slots() + cluster.edge_slots()) +
                                    6 * cluster.owned_slots() + 32 * ((cluster.vertex_count + 1) / 2);
    }
  }
}

}  // namespace toccata::deformable::clusters
