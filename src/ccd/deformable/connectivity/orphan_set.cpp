#include "ccd/deformable/connectivity/orphan_set.hpp"

#include <algorithm>
#include <mutex>

#include "toccata/base/parallel.hpp"

namespace toccata::deformable::connectivity {
namespace {

using Pair = std::array<std::int32_t, 2>;

bool contains(const Face& f, std::int32_t v) {
  return f[0] == v || f[1] == v || f[2] == v;
}

// No pair of elements that are not adjacent holds the two features: nobody else would test them.
bool is_vertex_face_orphan(const ElementMesh& mesh, std::int32_t vertex, std::int32_t face) {
  const auto fan = mesh.around_vertex(vertex);
  return std::all_of(fan.begin(), fan.end(), [&](std::int32_t t) { return mesh.adjacent(t, face); });
}

bool is_edge_edge_orphan(const ElementMesh& mesh, std::int32_t e1, std::int32_t e2) {
  for (const std::int32_t a : mesh.around_edge(e1)) {
    for (const std::int32_t b : mesh.around_edge(e2)) {
      if (!mesh.adjacent(a, b)) return false;
    }
  }
  return true;
}

// The faces of an orphan with `vertex` hold a vertex of the first element of its fan.
void vertex_orphans(const ElementMesh& mesh, std::int32_t vertex, std::vector<Pair>& out) {
  const auto fan = mesh.around_vertex(vertex);
  if (fan.empty()) return;
  const std::size_t first = out.size();
  const Face& corners = mesh.corners(fan[0]);
  for (int k = 0; k < 3; ++k) {
    // A hub makes no two elements adjacent.
    if (corners[k] == vertex || mesh.is_hub(corners[k])) continue;
    for (const std::int32_t face : mesh.around_vertex(corners[k])) {
      if (!mesh.is_face(face) || contains(mesh.corners(face), vertex)) continue;
      if (is_vertex_face_orphan(mesh, vertex, face)) out.push_back({vertex, face});
    }
  }
  std::sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end());
  out.erase(std::unique(out.begin() + static_cast<std::ptrdiff_t>(first), out.end()), out.end());
}

// The elements beside an orphan's other edge hold a vertex of the first element of this edge.
// both: also those whose other edge has the smaller id.
void edge_orphans(const ElementMesh& mesh, const Topology& topology, std::int32_t edge, bool both,
                  std::vector<Pair>& out) {
  const auto fan = mesh.around_edge(edge);
  if (fan.empty()) return;
  const std::size_t first = out.size();
  const Edge& ends = topology.edges[edge];
  const Face& corners = mesh.corners(fan[0]);
  for (int k = 0; k < 3; ++k) {
    if (mesh.is_hub(corners[k])) continue;
    if (k > 0 && (corners[k] == corners[0] || (k > 1 && corners[k] == corners[1]))) continue;
    for (const std::int32_t t : mesh.around_vertex(corners[k])) {
      for (const std::int32_t other : mesh.edges(topology, t)) {
        if (other < 0 || other == edge || (!both && other < edge)) continue;
        const Edge& o = topology.edges[other];
        if (o[0] == ends[0] || o[0] == ends[1] || o[1] == ends[0] || o[1] == ends[1]) continue;
        if (is_edge_edge_orphan(mesh, edge, other))
          out.push_back({std::min(edge, other), std::max(edge, other)});
      }
    }
  }
  std::sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end());
  out.erase(std::unique(out.begin() + static_cast<std::ptrdiff_t>(first), out.end()), out.end());
}

template <typename Find>
std::vector<Pair> gather(std::size_t count, int threads, Find&& find) {
  std::vector<Pair> all;
  std::mutex mutex;
  parallel_blocks(count, 4096, threads, [&](std::size_t begin, std::size_t end) {
    std::vector<Pair> some;
    for (std::size_t i = begin; i < end; ++i) find(static_cast<std::int32_t>(i), some);
    const std::lock_guard lock(mutex);
    all.insert(all.end(), some.begin(), some.end());
  });
  // Sorted: the order in which threads came must not show.
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// Vertices, after the change, of changed faces and edges, and all around those that became hubs or ceased to
// be: the fans of all others, and the adjacencies there, are as they were.
std::vector<std::uint8_t> changed_vertices(const ElementMesh& mesh_before, const Topology& after,
                                           const ElementMesh& mesh, const TopologyChange& change) {
  std::vector<std::uint8_t> near(static_cast<std::size_t>(after.vertex_count), 0);
  const auto mark_old = [&](std::int32_t v) {
    if (change.vertex_map[v] >= 0) near[change.vertex_map[v]] = 1;
  };
  for (const std::int32_t f : change.removed_faces) {
    for (const std::int32_t v : mesh_before.corners(f)) mark_old(v);
  }
  for (const Edge& e : change.removed_edges) {
    mark_old(e[0]);
    mark_old(e[1]);
  }
  for (const std::int32_t f : change.added_faces) {
    for (const std::int32_t v : after.faces[f]) near[v] = 1;
  }
  for (const Edge& e : change.added_edges) near[e[0]] = near[e[1]] = 1;
  std::vector<std::int32_t> turned;
  for (std::size_t v = 0; v < change.vertex_map.size(); ++v) {
    const std::int32_t now = change.vertex_map[v];
    if (now < 0 || !near[now]) continue;
    if (mesh_before.is_hub(static_cast<std::int32_t>(v)) != mesh.is_hub(now)) turned.push_back(now);
  }
  for (const std::int32_t v : turned) {
    for (const std::int32_t t : mesh.around_vertex(v)) {
      for (const std::int32_t w : mesh.corners(t)) near[w] = 1;
    }
  }
  return near;
}

void sort_unless_sorted(std::vector<Pair>& pairs) {
  if (!std::is_sorted(pairs.begin(), pairs.end())) std::sort(pairs.begin(), pairs.end());
}

// Both sorted; some of `some` may be in `all` already.
void merge_into(std::vector<Pair>& all, std::vector<Pair> some) {
  std::sort(some.begin(), some.end());
  const auto middle = static_cast<std::ptrdiff_t>(all.size());
  all.insert(all.end(), some.begin(), some.end());
  std::inplace_merge(all.begin(), all.begin() + middle, all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
}

}  // namespace

OrphanSet find_orphans(const ElementMesh& mesh, const Topology& topology, int threads) {
  OrphanSet orphans;
  orphans.vertex_face = gather(static_cast<std::size_t>(topology.vertex_count), threads,
                               [&](std::int32_t v, std::vector<Pair>& out) { vertex_orphans(mesh, v, out); });
  orphans.edge_edge = gather(topology.edges.size(), threads, [&](std::int32_t e, std::vector<Pair>& out) {
    edge_orphans(mesh, topology, e, false, out);
  });
  return orphans;
}

OrphanSet repair_orphans(const OrphanSet& before, const ElementMesh& mesh_before, const ElementMesh& mesh,
                         const Topology& topology, const TopologyChange& change, int threads) {
  const std::vector<std::uint8_t> near = changed_vertices(mesh_before, topology, mesh, change);
  // A pair's standing depends on the fans of its vertex, or of its edges, alone. A fan that changed has all
  // its vertices in `near`, the feature's own among them.
  OrphanSet orphans;
  orphans.vertex_face.reserve(before.vertex_face.size());
  orphans.edge_edge.reserve(before.edge_edge.size());
  for (const Pair& p : before.vertex_face) {
    const std::int32_t vertex = change.vertex_map[p[0]], face = change.face_map[p[1]];
    if (vertex >= 0 && face >= 0 && !near[vertex]) orphans.vertex_face.push_back({vertex, face});
  }
  const auto edge_near = [&](const Edge& e) { return near[e[0]] && near[e[1]]; };
  for (const Pair& p : before.edge_edge) {
    const std::int32_t a = change.edge_map[p[0]], b = change.edge_map[p[1]];
    if (a < 0 || b < 0 || edge_near(topology.edges[a]) || edge_near(topology.edges[b])) continue;
    orphans.edge_edge.push_back({a, b});  // the map rises: the smaller id stays first
  }
  sort_unless_sorted(orphans.vertex_face);
  sort_unless_sorted(orphans.edge_edge);
  merge_into(orphans.vertex_face, gather(static_cast<std::size_t>(topology.vertex_count), threads,
                                         [&](std::int32_t v, std::vector<Pair>& out) {
                                           if (near[v]) vertex_orphans(mesh, v, out);
                                         }));
  // Orphans of a vertex whose fan is as it was with a face that is new.
  std::vector<Pair> with_new_face;
  for (const std::int32_t face : change.added_faces) {
    for (const std::int32_t corner : topology.faces[face]) {
      if (mesh.is_hub(corner)) continue;
      for (const std::int32_t t : mesh.around_vertex(corner)) {
        for (const std::int32_t v : mesh.corners(t)) {
          if (contains(mesh.corners(face), v) || near[v]) continue;
          if (is_vertex_face_orphan(mesh, v, face)) with_new_face.push_back({v, face});
        }
      }
    }
  }
  merge_into(orphans.vertex_face, std::move(with_new_face));
  merge_into(orphans.edge_edge,
             gather(topology.edges.size(), threads, [&](std::int32_t e, std::vector<Pair>& out) {
               if (edge_near(topology.edges[e])) edge_orphans(mesh, topology, e, true, out);
             }));
  return orphans;
}

}  // namespace toccata::deformable::connectivity
