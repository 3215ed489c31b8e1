#include "ccd/deformable/clusters/cluster_mesh.hpp"

#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <unordered_map>

namespace toccata::deformable {
namespace {

struct Item {
  std::array<float, 3> center;
  std::int32_t id;
};

// Splits items[begin, end) into `clusters` runs of nearly equal size and labels each run with its number.
void split(std::vector<Item>& items, std::size_t begin, std::size_t end, std::int32_t clusters,
           std::int32_t first_cluster, std::vector<std::int32_t>& cluster_of) {
  if (clusters == 1) {
    for (std::size_t i = begin; i < end; ++i) cluster_of[items[i].id] = first_cluster;
    return;
  }
  std::array<float, 3> lower = items[begin].center;
  std::array<float, 3> upper = lower;
  for (std::size_t i = begin; i < end; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      lower[k] = std::min(lower[k], items[i].center[k]);
      upper[k] = std::max(upper[k], items[i].center[k]);
    }
  }
  std::size_t axis = 0;
  for (std::size_t k = 1; k < 3; ++k) {
    if (upper[k] - lower[k] > upper[axis] - lower[axis]) axis = k;
  }
  const std::int32_t left = clusters / 2;
  const std::size_t middle =
      begin + (end - begin) * static_cast<std::size_t>(left) / static_cast<std::size_t>(clusters);
  const auto first = items.begin();
  std::nth_element(first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(middle),
                   first + static_cast<std::ptrdiff_t>(end), [axis](const Item& a, const Item& b) {
                     return a.center[axis] != b.center[axis] ? a.center[axis] < b.center[axis] : a.id < b.id;
                   });
  const auto run_left = [&] { split(items, begin, middle, left, first_cluster, cluster_of); };
  const auto run_right = [&] {
    split(items, middle, end, clusters - left, first_cluster + left, cluster_of);
  };
  if (end - begin > 8192) {
    tbb::parallel_invoke(run_left, run_right);
  } else {
    run_left();
    run_right();
  }
}

std::int32_t clusters_for(std::size_t items) {
  return static_cast<std::int32_t>((items + cluster_capacity - 1) / cluster_capacity);
}

// Labels items (one label per id) component by component; small components are pooled. Returns the next free
// label.
std::int32_t label(std::vector<Item> items, const std::vector<std::int32_t>& component,
                   std::int32_t first_cluster, std::vector<std::int32_t>& cluster_of) {
  const std::int32_t components =
      component.empty() ? 0 : *std::max_element(component.begin(), component.end()) + 1;
  std::vector<std::int32_t> size(static_cast<std::size_t>(components), 0);
  for (const Item& item : items) ++size[component[item.id]];
  constexpr std::int32_t small = cluster_capacity / 2;
  const auto group = [&](const Item& item) {
    const std::int32_t c = component[item.id];
    return size[c] < small ? -1 : c;
  };
  std::stable_sort(items.begin(), items.end(),
                   [&](const Item& a, const Item& b) { return group(a) < group(b); });
  for (std::size_t begin = 0; begin < items.size();) {
    std::size_t end = begin;
    while (end < items.size() && group(items[end]) == group(items[begin])) ++end;
    const std::int32_t clusters = clusters_for(end - begin);
    split(items, begin, end, clusters, first_cluster, cluster_of);
    first_cluster += clusters;
    begin = end;
  }
  return first_cluster;
}

template <std::size_t N>
Item make_item(const Step& step, const std::array<std::int32_t, N>& vertices, std::int32_t id) {
  Item item{{0, 0, 0}, id};
  for (const std::int32_t v : vertices) {
    for (std::size_t k = 0; k < 3; ++k) {
      // Scaled down first: the largest coordinates exceed the range of float.
      const double x = step.vertices[v].t0[k] - step.lower[static_cast<int>(k)];
      const double extent = (step.upper - step.lower).maxCoeff();
      item.center[k] += extent > 0 ? static_cast<float>(x / extent) : 0.0f;
    }
  }
  return item;
}

// Lays the clusters out from the labels: faces by cluster, owned edges and vertices, local indices.
class Assembly {
 public:
  Assembly(const Topology& topology, ClusterMesh& mesh) : topology_(topology), mesh_(mesh) {}

  void run(const std::vector<std::int32_t>& point_cluster, std::int32_t face_clusters,
           std::int32_t wire_clusters, std::int32_t cluster_count);

 private:
  using Lists = std::vector<std::int32_t>;
  // Ids grouped by label: start[c] .. start[c + 1] of sorted.
  static void group(const Lists& label_of, std::int32_t labels, Lists& start, Lists& sorted);
  void find_owners(const Lists& point_cluster);
  std::uint8_t local(std::int32_t vertex);
  void begin_vertices(std::int32_t owned_begin, std::int32_t owned_end);
  void add_faces(std::int32_t begin, std::int32_t end);
  void add_edges(std::int32_t begin, std::int32_t end);
  void find_incidence();
  void find_disjoint_edges();
  void find_neighbours();
  void find_membership(Cluster& cluster) const;

  const Topology& topology_;
  ClusterMesh& mesh_;
  Lists edge_owner_, vertex_owner_;
  Lists face_start_, face_sorted_, edge_start_, edge_sorted_, vertex_start_, vertex_sorted_;
  Lists stamp_, local_;
  std::int32_t now_ = 0;
  Cluster cluster_;
};

void Assembly::group(const Lists& label_of, std::int32_t labels, Lists& start, Lists& sorted) {
  start.assign(static_cast<std::size_t>(labels) + 1, 0);
  for (const std::int32_t l : label_of) {
    if (l >= 0) ++start[static_cast<std::size_t>(l) + 1];
  }
  std::partial_sum(start.begin(), start.end(), start.begin());
  sorted.resize(static_cast<std::size_t>(start.back()));
  Lists cursor(start.begin(), start.end() - 1);
  for (std::size_t i = 0; i < label_of.size(); ++i) {
    if (label_of[i] >= 0) sorted[cursor[label_of[i]]++] = static_cast<std::int32_t>(i);
  }
}

// The first cluster that has a feature owns it. Points are owned by point clusters only.
void Assembly::find_owners(const Lists& point_cluster) {
  edge_owner_.assign(topology_.edges.size(), -1);
  vertex_owner_.assign(static_cast<std::size_t>(topology_.vertex_count), -1);
  for (std::size_t i = 0; i < topology_.points.size(); ++i)
    vertex_owner_[topology_.points[i]] = point_cluster[i];
  for (std::size_t f = 0; f < topology_.faces.size(); ++f) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t e = topology_.face_edges[f][k];
      if (e >= 0 && edge_owner_[e] < 0) edge_owner_[e] = mesh_.face_cluster[f];
      const std::int32_t v = topology_.faces[f][k];
      if (vertex_owner_[v] < 0) vertex_owner_[v] = mesh_.face_cluster[f];
    }
  }
  for (std::size_t w = 0; w < topology_.wires.size(); ++w) {
    const std::int32_t e = topology_.wires[w];
    edge_owner_[e] = mesh_.wire_cluster[w];
    for (const std::int32_t v : topology_.edges[e]) {
      if (vertex_owner_[v] < 0) vertex_owner_[v] = mesh_.wire_cluster[w];
    }
  }
}

std::uint8_t Assembly::local(std::int32_t vertex) {
  if (stamp_[vertex] != now_) {
    stamp_[vertex] = now_;
    local_[vertex] = cluster_.vertex_count++;
    mesh_.vertices.push_back(vertex);
  }
  return static_cast<std::uint8_t>(local_[vertex]);
}

void Assembly::begin_vertices(std::int32_t owned_begin, std::int32_t owned_end) {
  cluster_.vertex_begin = static_cast<std::int32_t>(mesh_.vertices.size());
  cluster_.slot_begin = static_cast<std::int32_t>(mesh_.owned.size());
  ++now_;
  for (std::int32_t i = owned_begin; i < owned_end; ++i) {
    local(vertex_sorted_[i]);
    mesh_.owned.push_back(vertex_sorted_[i]);
  }
  cluster_.owned_count = cluster_.vertex_count;
  mesh_.owned.resize(static_cast<std::size_t>(cluster_.slot_begin + cluster_.owned_slots()), -1);
}

void Assembly::add_faces(std::int32_t begin, std::int32_t end) {
  cluster_.face_begin = static_cast<std::int32_t>(mesh_.faces.size());
  cluster_.face_count = static_cast<std::uint8_t>(end - begin);
  const auto slots = static_cast<std::size_t>(cluster_.face_slots());
  const std::size_t corners = 3 * static_cast<std::size_t>(cluster_.face_begin);
  mesh_.face_corners.resize(corners + 3 * slots, empty_local);
  for (std::int32_t i = begin; i < end; ++i) {
    mesh_.faces.push_back(face_sorted_[i]);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t at = corners + k * slots + static_cast<std::size_t>(i - begin);
      mesh_.face_corners[at] = local(topology_.faces[face_sorted_[i]][k]);
    }
  }
  mesh_.faces.resize(static_cast<std::size_t>(cluster_.face_begin) + slots, -1);
}

void Assembly::add_edges(std::int32_t begin, std::int32_t end) {
  cluster_.edge_begin = static_cast<std::int32_t>(mesh_.edges.size());
  cluster_.edge_count = static_cast<std::uint8_t>(end - begin);
  const auto slots = static_cast<std::size_t>(cluster_.edge_slots());
  const std::size_t ends = 2 * static_cast<std::size_t>(cluster_.edge_begin);
  mesh_.edge_ends.resize(ends + 2 * slots, empty_local);
  for (std::int32_t i = begin; i < end; ++i) {
    mesh_.edges.push_back(edge_sorted_[i]);
    for (std::size_t k = 0; k < 2; ++k) {
      const std::size_t at = ends + k * slots + static_cast<std::size_t>(i - begin);
      mesh_.edge_ends[at] = local(topology_.edges[edge_sorted_[i]][k]);
    }
  }
  mesh_.edges.resize(static_cast<std::size_t>(cluster_.edge_begin) + slots, -1);
}

// Which of the cluster's edges and faces have which of its vertices.
void Assembly::find_incidence() {
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
      std::uint16_t& faces =
          mesh_.vertex_faces[begin + corners[k * cluster_.face_slots() + static_cast<int>(f)]];
      faces = static_cast<std::uint16_t>(faces | (1u << f));
    }
  }
}

void Assembly::find_disjoint_edges() {
  cluster_.disjoint_begin = static_cast<std::int32_t>(mesh_.disjoint_edges.size());
  const std::size_t count = cluster_.edge_count;
  const std::uint8_t* const ends = mesh_.edge_ends.data() + 2 * cluster_.edge_begin;
  const std::uint64_t* const edges_at = mesh_.vertex_edges.data() + cluster_.vertex_begin;
  for (std::size_t k = 1; k <= count / 2; ++k) {
    std::uint64_t disjoint = 0;
    const std::size_t rows = 2 * k == count ? k : count;
    for (std::size_t e = 0; e < rows; ++e) {
      const std::uint64_t touched =
          edges_at[ends[e]] | edges_at[ends[static_cast<std::size_t>(cluster_.edge_slots()) + e]];
      disjoint |= std::uint64_t{((touched >> ((e + k) % count)) & 1) == 0} << e;
    }
    mesh_.disjoint_edges.push_back(disjoint);
  }
}

// Which clusters have which vertices in common.
void Assembly::find_neighbours() {
  struct Place {
    std::int32_t cluster;
    std::uint8_t local;
  };
  struct Entry {
    std::int32_t greater;
    SharedVertex vertex;
  };
  const std::size_t vertices = static_cast<std::size_t>(topology_.vertex_count), n = mesh_.clusters.size();
  Lists start;
  start.assign(vertices + 1, 0);
  for (const std::int32_t v : mesh_.vertices) ++start[static_cast<std::size_t>(v) + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<Place> places(mesh_.vertices.size());
  Lists cursor(start.begin(), start.end() - 1);
  for (std::size_t c = 0; c < n; ++c) {
    const Cluster& cluster = mesh_.clusters[c];
    for (std::uint8_t i = 0; i < cluster.vertex_count; ++i) {
      places[cursor[mesh_.vertices[cluster.vertex_begin + i]]++] = {static_cast<std::int32_t>(c), i};
    }
  }
  std::vector<std::vector<Entry>> entries(n);
  for (std::size_t v = 0; v < vertices; ++v) {
    const std::span<const Place> at(places.data() + start[v], places.data() + start[v + 1]);
    if (at.size() > most_sharing) {
      for (const Place& p : at) mesh_.clusters[p.cluster].crowded = true;
      continue;
    }
    for (std::size_t i = 0; i < at.size(); ++i) {
      for (std::size_t j = i + 1; j < at.size(); ++j) {
        entries[at[i].cluster].push_back({at[j].cluster, {at[i].local, at[j].local}});
      }
    }
  }
  for (std::vector<Entry>& of_cluster : entries) {
    mesh_.neighbour_begin.push_back(static_cast<std::int32_t>(mesh_.neighbours.size()));
    std::stable_sort(of_cluster.begin(), of_cluster.end(),
                     [](const Entry& a, const Entry& b) { return a.greater < b.greater; });
    for (std::size_t i = 0; i < of_cluster.size(); ++i) {
      if (i == 0 || of_cluster[i].greater != of_cluster[i - 1].greater) {
        mesh_.neighbours.push_back({of_cluster[i].greater, static_cast<std::int32_t>(mesh_.shared.size())});
      }
      mesh_.shared.push_back(of_cluster[i].vertex);
    }
  }
  mesh_.neighbour_begin.push_back(static_cast<std::int32_t>(mesh_.neighbours.size()));
  mesh_.neighbours.push_back({-1, static_cast<std::int32_t>(mesh_.shared.size())});
}

void Assembly::find_membership(Cluster& cluster) const {
  for (std::int32_t i = 0; i < cluster.vertex_count; ++i) {
    const std::int32_t v = mesh_.vertices[cluster.vertex_begin + i];
    const std::int32_t component = topology_.vertex_component[v];
    const std::int32_t object = topology_.vertex_object[v];
    if (i == 0) {
      cluster.component = component;
      cluster.object = object;
    }
    if (cluster.component != component) cluster.component = -1;
    if (cluster.object != object) cluster.object = -1;
  }
}

void Assembly::run(const Lists& point_cluster, std::int32_t face_clusters, std::int32_t wire_clusters,
                   std::int32_t cluster_count) {
  find_owners(point_cluster);
  group(mesh_.face_cluster, cluster_count, face_start_, face_sorted_);
  group(edge_owner_, cluster_count, edge_start_, edge_sorted_);
  group(vertex_owner_, cluster_count, vertex_start_, vertex_sorted_);
  stamp_.assign(static_cast<std::size_t>(topology_.vertex_count), 0);
  local_.assign(static_cast<std::size_t>(topology_.vertex_count), 0);
  mesh_.clusters.clear();
  mesh_.clusters.reserve(static_cast<std::size_t>(cluster_count));
  for (std::int32_t c = 0; c < cluster_count; ++c) {
    cluster_ = Cluster{};
    cluster_.kind = c < face_clusters                   ? ClusterKind::Faces
                    : c < face_clusters + wire_clusters ? ClusterKind::Wires
                                                        : ClusterKind::Points;
    begin_vertices(vertex_start_[c], vertex_start_[c + 1]);
    add_faces(face_start_[c], face_start_[c + 1]);
    add_edges(edge_start_[c], edge_start_[c + 1]);
    find_membership(cluster_);
    find_incidence();
    find_disjoint_edges();
    for (const int swept : {0, 1}) {
      cluster_.box_begin[swept] = mesh_.feature_shorts[swept];
      mesh_.feature_shorts[swept] += (swept ? 6 : 12) * (cluster_.face_slots() + cluster_.edge_slots()) +
                                     6 * cluster_.owned_slots() + 16 * cluster_.vertex_count;
    }
    mesh_.clusters.push_back(cluster_);
  }
  find_neighbours();
}

struct Labels {
  std::vector<std::int32_t> points;
  std::int32_t face_clusters = 0, wire_clusters = 0, total = 0;
};

// Wires and points are always labelled anew: they are few, and cheap.
void label_wires_and_points(const Topology& topology, const Step& step, ClusterMesh& mesh, Labels& labels) {
  std::vector<Item> items;
  std::vector<std::int32_t> component;
  for (std::size_t w = 0; w < topology.wires.size(); ++w) {
    const Edge& e = topology.edges[topology.wires[w]];
    items.push_back(make_item(step, e, static_cast<std::int32_t>(w)));
    component.push_back(topology.vertex_component[e[0]]);
  }
  mesh.wire_cluster.assign(topology.wires.size(), -1);
  std::int32_t next = label(std::move(items), component, labels.face_clusters, mesh.wire_cluster);
  labels.wire_clusters = next - labels.face_clusters;

  items.clear();
  component.assign(topology.points.size(), 0);
  for (std::size_t p = 0; p < topology.points.size(); ++p) {
    const std::array<std::int32_t, 1> v = {topology.points[p]};
    items.push_back(make_item(step, v, static_cast<std::int32_t>(p)));
  }
  labels.points.assign(topology.points.size(), -1);
  labels.total = label(std::move(items), component, next, labels.points);
}

std::vector<std::int32_t> face_components(const Topology& topology) {
  std::vector<std::int32_t> component(topology.faces.size());
  for (std::size_t f = 0; f < component.size(); ++f)
    component[f] = topology.vertex_component[topology.faces[f][0]];
  return component;
}

// Renumbers labels so that faces of one cluster are of one component, or all of small ones; closes gaps.
std::int32_t cut_by_component(const Topology& topology, std::vector<std::int32_t>& face_cluster) {
  const std::vector<std::int32_t> component = face_components(topology);
  std::unordered_map<std::int64_t, std::int32_t> number;
  for (std::size_t f = 0; f < face_cluster.size(); ++f) {
    const std::int64_t key = (static_cast<std::int64_t>(face_cluster[f]) << 32) | component[f];
    face_cluster[f] = number.try_emplace(key, static_cast<std::int32_t>(number.size())).first->second;
  }
  return static_cast<std::int32_t>(number.size());
}

}  // namespace

std::size_t ClusterMesh::memory_bytes() const {
  return clusters.capacity() * sizeof(Cluster) + face_corners.capacity() + edge_ends.capacity() +
         (vertex_edges.capacity() + disjoint_edges.capacity()) * sizeof(std::uint64_t) +
         vertex_faces.capacity() * sizeof(std::uint16_t) + neighbours.capacity() * sizeof(Neighbour) +
         shared.capacity() * sizeof(SharedVertex) +
         (neighbour_begin.capacity() + vertices.capacity() + faces.capacity() + edges.capacity() +
          owned.capacity() + face_cluster.capacity() + wire_cluster.capacity()) *
             sizeof(std::int32_t);
}

ClusterMesh build_clusters(const Topology& topology, const Step& step, int threads) {
  ClusterMesh mesh;
  Labels labels;
  std::vector<Item> items;
  items.reserve(topology.faces.size());
  for (std::size_t f = 0; f < topology.faces.size(); ++f) {
    items.push_back(make_item(step, topology.faces[f], static_cast<std::int32_t>(f)));
  }
  mesh.face_cluster.assign(topology.faces.size(), -1);
  tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
  arena.execute([&] {
    labels.face_clusters = label(std::move(items), face_components(topology), 0, mesh.face_cluster);
    label_wires_and_points(topology, step, mesh, labels);
  });
  Assembly(topology, mesh).run(labels.points, labels.face_clusters, labels.wire_clusters, labels.total);
  return mesh;
}

ClusterMesh repair_clusters(const ClusterMesh& before, const Topology& topology, const TopologyChange& change,
                            const Step& step) {
  ClusterMesh mesh;
  mesh.face_cluster = before.face_cluster;
  mesh.face_cluster.resize(topology.faces.size(), -1);
  std::int32_t next = static_cast<std::int32_t>(before.clusters.size());
  for (const std::int32_t f : change.added_faces) mesh.face_cluster[f] = -1;
  std::vector<std::int32_t> size(static_cast<std::size_t>(next), 0);
  std::vector<std::int32_t> vertex_hint(static_cast<std::size_t>(topology.vertex_count), -1);
  for (std::size_t f = 0; f < topology.faces.size(); ++f) {
    const std::int32_t c = mesh.face_cluster[f];
    if (c < 0) continue;
    ++size[c];
    for (const std::int32_t v : topology.faces[f]) vertex_hint[v] = c;
  }
  for (const std::int32_t f : change.added_faces) {
    std::int32_t chosen = -1;
    for (const std::int32_t v : topology.faces[f]) {
      const std::int32_t c = vertex_hint[v];
      if (c >= 0 && size[c] < cluster_capacity) chosen = c;
    }
    if (chosen < 0) {
      chosen = next++;
      size.push_back(0);
    }
    mesh.face_cluster[f] = chosen;
    ++size[chosen];
    for (const std::int32_t v : topology.faces[f]) vertex_hint[v] = chosen;
  }
  Labels labels;
  labels.face_clusters = cut_by_component(topology, mesh.face_cluster);
  label_wires_and_points(topology, step, mesh, labels);
  Assembly(topology, mesh).run(labels.points, labels.face_clusters, labels.wire_clusters, labels.total);
  return mesh;
}

}  // namespace toccata::deformable
