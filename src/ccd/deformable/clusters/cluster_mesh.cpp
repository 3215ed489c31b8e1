#include "ccd/deformable/clusters/cluster_mesh.hpp"

#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>

#include "ccd/deformable/clusters/cluster_assembly.hpp"
#include "ccd/deformable/clusters/cluster_neighbours.hpp"
#include "ccd/deformable/clusters/face_patches.hpp"
#include "toccata/base/parallel.hpp"

namespace toccata::deformable::clusters {
namespace {

struct Item {
  std::array<float, 3> center;
  std::int32_t id;
};

// Where a run of items starts, by its number.
using Runs = std::vector<std::size_t>;

// Items in the order in which they are parted along an axis.
struct Before {
  std::size_t axis;
  bool operator()(const Item& a, const Item& b) const {
    return a.center[axis] != b.center[axis] ? a.center[axis] < b.center[axis] : a.id < b.id;
  }
};

// Which of `slices` of equal width along an axis an item is in: the numbers rise with the order above.
struct Slices {
  std::size_t axis;
  float lower, scale;
  std::int32_t last;

  std::int32_t of(const Item& item) const {
    return std::min(static_cast<std::int32_t>((item.center[axis] - lower) * scale), last);
  }
};

// Moves the items below slice `cut` to the front and those above it to the back; returns where its own are.
// spare: as much memory again.
std::array<std::size_t, 2> gather_slice(std::span<Item> items, const Slices& slices, std::int32_t cut,
                                        std::span<Item> spare) {
  // Each item is written to three places, and one of them goes on: which one is not predictable. Those of the
  // slice fill the spare memory from the front, those above it from the back.
  std::size_t below = 0, within = 0, above = items.size();
  for (const Item item : items) {
    const std::int32_t s = slices.of(item);
    items[below] = spare[within] = spare[above - 1] = item;
    below += s < cut;
    within += s == cut;
    above -= s > cut;
  }
  std::copy_n(spare.begin(), within, items.begin() + static_cast<std::ptrdiff_t>(below));
  std::copy(spare.begin() + static_cast<std::ptrdiff_t>(above), spare.end(),
            items.begin() + static_cast<std::ptrdiff_t>(above));
  return {below, below + within};
}

// Puts items[begin, end) in order so that the one at `middle` and those before and after it are so along the
// axis on which they are farthest apart.
void part(std::vector<Item>& all, std::vector<Item>& spare, std::size_t begin, std::size_t middle,
          std::size_t end) {
  std::array<float, 3> lower = all[begin].center;
  std::array<float, 3> upper = lower;
  for (std::size_t i = begin; i < end; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      lower[k] = std::min(lower[k], all[i].center[k]);
      upper[k] = std::max(upper[k], all[i].center[k]);
    }
  }
  std::size_t axis = 0;
  for (std::size_t k = 1; k < 3; ++k) {
    if (upper[k] - lower[k] > upper[axis] - lower[axis]) axis = k;
  }
  // First the slice that holds the middle, by counting; then only its items are sorted.
  std::span<Item> items(all.data() + begin, end - begin);
  std::size_t place = middle - begin;
  constexpr std::int32_t most_slices = 256;
  std::array<std::int32_t, most_slices> count{};
  const auto slice_count =
      static_cast<std::int32_t>(std::min<std::size_t>(most_slices, items.size() / 8 + 1));
  const float scale = static_cast<float>(slice_count) / (upper[axis] - lower[axis]);
  if (slice_count > 1 && std::isfinite(scale)) {
    const Slices slices{axis, lower[axis], scale, slice_count - 1};
    for (const Item& item : items) ++count[static_cast<std::size_t>(slices.of(item))];
    std::int32_t cut = 0;
    for (auto left = static_cast<std::int32_t>(place); left >= count[static_cast<std::size_t>(cut)]; ++cut) {
      left -= count[static_cast<std::size_t>(cut)];
    }
    const auto [first, last] = gather_slice(items, slices, cut, {spare.data() + begin, end - begin});
    items = items.subspan(first, last - first);
    place -= first;
  }
  std::nth_element(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(place), items.end(),
                   Before{axis});
}

// Splits items[begin, end) into `count` runs of nearly equal size.
void split(std::vector<Item>& items, std::vector<Item>& spare, std::size_t begin, std::size_t end,
           std::size_t count, std::size_t first_run, Runs& runs) {
  if (count == 1) {
    runs[first_run] = begin;
    return;
  }
  // Runs are full but for rounding: a cluster that is half empty costs as much as a full one.
  const std::size_t left = count / 2, middle = begin + (end - begin) * left / count;
  part(items, spare, begin, middle, end);
  const auto run_left = [&] { split(items, spare, begin, middle, left, first_run, runs); };
  const auto run_right = [&] { split(items, spare, middle, end, count - left, first_run + left, runs); };
  if (end - begin > 8192) {
    tbb::parallel_invoke(run_left, run_right);
  } else {
    run_left();
    run_right();
  }
}

// Whether faces fit into one cluster. Each edge, and each vertex, goes with the first face that has it.
class FaceLimits {
 public:
  explicit FaceLimits(const Topology& topology)
      : topology_(&topology),
        edges_(topology.faces.size(), 0),
        seen_(static_cast<std::size_t>(topology.vertex_count), 0) {
    std::vector<std::uint8_t> taken(topology.edges.size(), 0);
    for (std::size_t f = 0; f < edges_.size(); ++f) {
      for (const std::int32_t e : topology.face_edges[f]) {
        if (e < 0 || taken[e]) continue;
        taken[e] = 1;
        ++edges_[f];
      }
    }
  }

  bool operator()(std::span<const Item> faces) {
    std::int32_t edges = 0, vertices = 0;
    ++now_;
    for (const Item& item : faces) {
      edges += edges_[item.id];
      for (const std::int32_t v : topology_->faces[item.id]) {
        vertices += seen_[v] != now_;
        seen_[v] = now_;
      }
    }
    return edges <= max_local_edges && vertices <= max_local_vertices;
  }

 private:
  const Topology* topology_;
  std::vector<std::uint8_t> edges_;  // by face: those that go with it
  std::vector<std::int32_t> seen_;   // by vertex: the last time
  std::int32_t now_ = 0;
};

// Labels items[begin, end) with `next`, or parts of them with that and the following numbers until they fit.
template <typename Fits>
void label_run(std::vector<Item>& items, std::vector<Item>& spare, std::size_t begin, std::size_t end,
               Fits& fits, std::int32_t& next, std::vector<std::int32_t>& cluster_of) {
  if (fits(std::span<const Item>(items).subspan(begin, end - begin))) {
    for (std::size_t i = begin; i < end; ++i) cluster_of[items[i].id] = next;
    ++next;
    return;
  }
  const std::size_t middle = begin + (end - begin) / 2;
  part(items, spare, begin, middle, end);
  label_run(items, spare, begin, middle, fits, next, cluster_of);
  label_run(items, spare, middle, end, fits, next, cluster_of);
}

// Labels items (one label per id) component by component; small components are pooled. Returns the next free
// label.
template <typename Fits>
std::int32_t label(std::vector<Item> items, const std::vector<std::int32_t>& component, Fits fits,
                   std::int32_t first_cluster, std::vector<std::int32_t>& cluster_of) {
  const std::int32_t components =
      component.empty() ? 0 : *std::max_element(component.begin(), component.end()) + 1;
  std::vector<std::int32_t> size(static_cast<std::size_t>(components), 0);
  for (const Item& item : items) ++size[component[item.id]];
  // A cluster per crumb would waste its lanes; those that mix components are rebuilt when they fly apart.
  constexpr std::int32_t small = cluster_capacity / 2;
  const auto group = [&](const Item& item) {
    const std::int32_t c = component[item.id];
    return size[c] < small ? -1 : c;
  };
  std::vector<std::size_t> place(static_cast<std::size_t>(components) + 2, 0);
  for (const Item& item : items) ++place[static_cast<std::size_t>(group(item) + 2)];
  std::partial_sum(place.begin(), place.end(), place.begin());
  std::vector<Item> sorted(items.size());
  for (const Item& item : items) sorted[place[static_cast<std::size_t>(group(item) + 1)]++] = item;
  items.swap(sorted);
  std::vector<Item>& spare = sorted;
  for (std::size_t begin = 0; begin < items.size();) {
    std::size_t end = begin;
    while (end < items.size() && group(items[end]) == group(items[begin])) ++end;
    constexpr auto capacity = static_cast<std::size_t>(cluster_capacity);
    Runs runs((end - begin + capacity - 1) / capacity + 1, end);
    split(items, spare, begin, end, runs.size() - 1, 0, runs);
    for (std::size_t r = 0; r + 1 < runs.size(); ++r) {
      label_run(items, spare, runs[r], runs[r + 1], fits, first_cluster, cluster_of);
    }
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

  void run(const ClusterLabels& labels, int threads);

 private:
  using Lists = std::vector<std::int32_t>;
  // Ids grouped by label: start[c] .. start[c + 1] of sorted.
  static void group(const Lists& label_of, std::int32_t labels, Lists& start, Lists& sorted);
  void find_edge_owners();
  void find_vertex_owners(const Lists& point_cluster);
  ClusterMesh written(const ClusterLabels& labels, std::size_t begin, std::size_t end) const;

  const Topology& topology_;
  ClusterMesh& mesh_;
  Lists edge_owner_, vertex_owner_;
  Lists face_start_, face_sorted_, edge_start_, edge_sorted_, vertex_start_, vertex_sorted_;
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

// The first cluster that has a feature owns it.
void Assembly::find_edge_owners() {
  edge_owner_.assign(topology_.edges.size(), -1);
  for (std::size_t f = 0; f < topology_.faces.size(); ++f) {
    for (const std::int32_t e : topology_.face_edges[f]) {
      if (e >= 0 && edge_owner_[e] < 0) edge_owner_[e] = mesh_.face_cluster[f];
    }
  }
  for (std::size_t w = 0; w < topology_.wires.size(); ++w) {
    edge_owner_[topology_.wires[w]] = mesh_.wire_cluster[w];
  }
}

// Points are owned by point clusters only.
void Assembly::find_vertex_owners(const Lists& point_cluster) {
  vertex_owner_.assign(static_cast<std::size_t>(topology_.vertex_count), -1);
  for (std::size_t i = 0; i < topology_.points.size(); ++i)
    vertex_owner_[topology_.points[i]] = point_cluster[i];
  const auto own = [&](std::int32_t v, std::int32_t cluster) {
    if (vertex_owner_[v] < 0) vertex_owner_[v] = cluster;
  };
  for (std::size_t f = 0; f < topology_.faces.size(); ++f) {
    for (const std::int32_t v : topology_.faces[f]) own(v, mesh_.face_cluster[f]);
  }
  for (std::size_t w = 0; w < topology_.wires.size(); ++w) {
    for (const std::int32_t v : topology_.edges[topology_.wires[w]]) own(v, mesh_.wire_cluster[w]);
  }
}

// The clusters [begin, end), in arrays of their own.
ClusterMesh Assembly::written(const ClusterLabels& labels, std::size_t begin, std::size_t end) const {
  ClusterMesh part;
  ClusterWriter writer(topology_, part);
  const auto listed = [](const Lists& start, const Lists& sorted, std::size_t c) {
    return std::span(sorted).subspan(start[c], start[c + 1] - start[c]);
  };
  const auto slots_of = [&](const Lists& start) {
    std::size_t slots = 0;
    for (std::size_t c = begin; c < end; ++c) {
      slots += static_cast<std::size_t>(Cluster::padded(start[c + 1] - start[c]));
    }
    return slots;
  };
  const std::size_t faces_slots = slots_of(face_start_), edge_slots = slots_of(edge_start_);
  part.clusters.reserve(end - begin);
  part.faces.reserve(faces_slots);
  part.face_corners.reserve(3 * faces_slots);
  part.edges.reserve(edge_slots);
  part.edge_ends.reserve(2 * edge_slots);
  part.owned.reserve(slots_of(vertex_start_));
  const auto wires = static_cast<std::size_t>(labels.face_clusters);
  const std::size_t points = wires + static_cast<std::size_t>(labels.wire_clusters);
  for (std::size_t c = begin; c < end; ++c) {
    const ClusterKind kind = c < wires    ? ClusterKind::Faces
                             : c < points ? ClusterKind::Wires
                                          : ClusterKind::Points;
    part.clusters.push_back(writer.write(kind, listed(vertex_start_, vertex_sorted_, c),
                                         listed(face_start_, face_sorted_, c),
                                         listed(edge_start_, edge_sorted_, c)));
  }
  return part;
}

// Appends the clusters of a part; the first one is not copied.
void append(ClusterMesh& part, ClusterMesh& mesh) {
  const auto join = [](auto& list, auto& more) {
    if (list.empty()) {
      list.swap(more);
    } else {
      list.insert(list.end(), more.begin(), more.end());
    }
  };
  for (Cluster cluster : part.clusters) {
    cluster.vertex_begin += static_cast<std::int32_t>(mesh.vertices.size());
    cluster.face_begin += static_cast<std::int32_t>(mesh.faces.size());
    cluster.edge_begin += static_cast<std::int32_t>(mesh.edges.size());
    cluster.slot_begin += static_cast<std::int32_t>(mesh.owned.size());
    cluster.disjoint_begin += static_cast<std::int32_t>(mesh.disjoint_edges.size());
    mesh.clusters.push_back(cluster);
  }
  join(mesh.vertices, part.vertices);
  join(mesh.vertex_edges, part.vertex_edges);
  join(mesh.vertex_faces, part.vertex_faces);
  join(mesh.faces, part.faces);
  join(mesh.edges, part.edges);
  join(mesh.owned, part.owned);
  join(mesh.face_corners, part.face_corners);
  join(mesh.edge_ends, part.edge_ends);
  join(mesh.disjoint_edges, part.disjoint_edges);
}

void Assembly::run(const ClusterLabels& labels, int threads) {
  parallel_blocks(3, 1, threads, [&](std::size_t i, std::size_t) {
    if (i == 0) {
      find_edge_owners();
      group(edge_owner_, labels.total, edge_start_, edge_sorted_);
    } else if (i == 1) {
      find_vertex_owners(labels.points);
      group(vertex_owner_, labels.total, vertex_start_, vertex_sorted_);
    } else {
      group(mesh_.face_cluster, labels.total, face_start_, face_sorted_);
    }
  });
  // Of equal parts, one for each thread: each takes memory for all vertices.
  const auto count = static_cast<std::size_t>(labels.total);
  const auto most = threads == 1 ? std::size_t{1} : static_cast<std::size_t>(usable_threads(threads));
  const std::size_t size = std::max<std::size_t>((count + most - 1) / most, 256);
  std::vector<ClusterMesh> parts((count + size - 1) / size);
  parallel_blocks(count, size, threads, [&](std::size_t begin, std::size_t end) {
    parts[begin / size] = written(labels, begin, end);
  });
  for (ClusterMesh& part : parts) append(part, mesh_);
  place_boxes(mesh_);
  find_neighbours(topology_, threads, mesh_);
}

}  // namespace

void label_wires_and_points(const Topology& topology, const Step& step, ClusterMesh& mesh,
                            ClusterLabels& labels) {
  const auto fits = [](std::span<const Item>) { return true; };  // two vertices each at most
  std::vector<Item> items;
  std::vector<std::int32_t> component;
  for (std::size_t w = 0; w < topology.wires.size(); ++w) {
    const Edge& e = topology.edges[topology.wires[w]];
    items.push_back(make_item(step, e, static_cast<std::int32_t>(w)));
    component.push_back(topology.vertex_component[e[0]]);
  }
  mesh.wire_cluster.assign(topology.wires.size(), -1);
  std::int32_t next = label(std::move(items), component, fits, labels.face_clusters, mesh.wire_cluster);
  labels.wire_clusters = next - labels.face_clusters;

  items.clear();
  component.assign(topology.points.size(), 0);
  for (std::size_t p = 0; p < topology.points.size(); ++p) {
    const std::array<std::int32_t, 1> v = {topology.points[p]};
    items.push_back(make_item(step, v, static_cast<std::int32_t>(p)));
  }
  labels.points.assign(topology.points.size(), -1);
  labels.total = label(std::move(items), component, fits, next, labels.points);
}

namespace {

// Faces that may share a cluster: grouped with one patch, or what is left of one component.
std::vector<std::int32_t> face_groups(const Topology& topology, const FacePatches& patches) {
  std::vector<std::int32_t> group(topology.faces.size());
  for (std::size_t f = 0; f < group.size(); ++f) {
    group[f] = !patches.any() || patches.group[f] < 0 ? topology.vertex_component[topology.faces[f][0]]
                                                      : topology.component_count + patches.group[f];
  }
  return group;
}

}  // namespace

std::size_t ClusterMesh::memory_bytes() const {
  return clusters.capacity() * sizeof(Cluster) + face_corners.capacity() + edge_ends.capacity() +
         (vertex_edges.capacity() + disjoint_edges.capacity()) * sizeof(std::uint64_t) +
         vertex_faces.capacity() * sizeof(std::uint32_t) + neighbours.capacity() * sizeof(Neighbour) +
         shared.capacity() * sizeof(SharedVertex) +
         (neighbour_begin.capacity() + vertices.capacity() + faces.capacity() + edges.capacity() +
          owned.capacity() + face_cluster.capacity() + wire_cluster.capacity() + patch_of.capacity()) *
             sizeof(std::int32_t);
}

ClusterMesh build_clusters(const Topology& topology, const Step& step, const FacePatches& patches,
                           int threads) {
  ClusterMesh mesh;
  ClusterLabels labels;
  std::vector<Item> items(topology.faces.size());
  std::vector<std::int32_t> groups;
  std::optional<FaceLimits> limits;
  parallel_blocks(3, 1, threads, [&](std::size_t i, std::size_t) {
    if (i == 0) {
      parallel_blocks(items.size(), 4096, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t f = begin; f < end; ++f) {
          items[f] = make_item(step, topology.faces[f], static_cast<std::int32_t>(f));
        }
      });
    } else if (i == 1) {
      limits.emplace(topology);
    } else {
      groups = face_groups(topology, patches);
    }
  });
  mesh.face_cluster.assign(topology.faces.size(), -1);
  tbb::task_arena arena(threads > 0 ? usable_threads(threads) : tbb::task_arena::automatic);
  arena.execute([&] {
    labels.face_clusters = label(std::move(items), groups, std::move(*limits), 0, mesh.face_cluster);
    label_wires_and_points(topology, step, mesh, labels);
  });
  Assembly(topology, mesh).run(labels, threads);
  if (!patches.any()) return mesh;
  mesh.patch_of.assign(mesh.clusters.size(), -1);
  for (std::size_t f = 0; f < topology.faces.size(); ++f) {
    mesh.patch_of[mesh.face_cluster[f]] = patches.group[f];
  }
  for (std::size_t f = 0; f < topology.faces.size(); ++f) {
    if (patches.patch[f] < 0) mesh.patch_of[mesh.face_cluster[f]] = -1;
  }
  return mesh;
}

}  // namespace toccata::deformable::clusters
