// Repairs the clusters around a change of the topology.
#include <algorithm>
#include <numeric>

#include "ccd/deformable/clusters/cluster_assembly.hpp"
#include "ccd/deformable/clusters/cluster_neighbours.hpp"

namespace toccata::deformable::clusters {
namespace {

using Lists = std::vector<std::int32_t>;

void renumber(Lists& ids, const Lists& map) {
  for (std::int32_t& id : ids) id = id < 0 ? -1 : map[id];
}

bool any(const std::vector<std::uint8_t>& flags) {
  return std::find(flags.begin(), flags.end(), std::uint8_t{1}) != flags.end();
}

// What a cluster that is written again will hold.
struct Content {
  Lists faces, edges, vertices;  // the last two: owned
};

class ClusterRepair {
 public:
  ClusterRepair(const Topology& topology, const TopologyChange& change, const Step& step, ClusterMesh& mesh)
      : topology_(topology), change_(change), step_(step), mesh_(mesh) {}

  bool run();

 private:
  enum : std::int32_t { Clean = -1 };

  void map_faces();
  Content& touch(std::int32_t cluster);
  bool is_touched(std::int32_t cluster) const { return content_of_[cluster] != Clean; }
  std::int32_t open_cluster();
  void place_new_faces();
  void cut_by_component();
  void halve_what_does_not_fit();
  void release_features();
  void release(const Cluster& cluster);
  void claim_features();
  void claim(Content& content, std::int32_t face);
  bool wires_or_points_changed() const;
  void make_wires_and_points();
  bool contents_fit() const;
  void rewrite();
  void close_gaps();
  bool is_fallow() const;

  const Topology& topology_;
  const TopologyChange& change_;
  const Step& step_;
  ClusterMesh& mesh_;
  Lists content_of_;               // by cluster: its place in contents_, or Clean
  std::vector<Content> contents_;  // of clusters that are written again
  Lists touched_;                  // those clusters
  Lists size_;                     // faces of each cluster
  std::vector<ClusterKind> kinds_;
  std::vector<std::uint8_t> free_edge_, free_vertex_;  // owned by no cluster yet
  std::vector<std::uint8_t> moved_;                    // clusters whose neighbours are looked for again
};

void ClusterRepair::map_faces() {
  Lists cluster_of(topology_.faces.size(), -1);
  content_of_.assign(mesh_.clusters.size(), Clean);
  size_.resize(mesh_.clusters.size());
  kinds_.resize(mesh_.clusters.size());
  for (std::size_t c = 0; c < mesh_.clusters.size(); ++c) {
    size_[c] = mesh_.clusters[c].face_count;
    kinds_[c] = mesh_.clusters[c].kind;
  }
  Lists shrunk;
  for (std::size_t f = 0; f < change_.face_map.size(); ++f) {
    const std::int32_t c = mesh_.face_cluster[f];
    if (change_.face_map[f] >= 0) {
      cluster_of[change_.face_map[f]] = c;
    } else {
      --size_[c];
      shrunk.push_back(c);
    }
  }
  mesh_.face_cluster = std::move(cluster_of);
  if (!shrunk.empty() || !change_.faces_keep_ids) renumber(mesh_.faces, change_.face_map);
  const auto& vertices = change_.vertex_map;
  if (!change_.vertices_keep_ids || std::find(vertices.begin(), vertices.end(), -1) != vertices.end()) {
    renumber(mesh_.vertices, vertices);
    renumber(mesh_.owned, vertices);
  }
  renumber(mesh_.edges, change_.edge_map);
  for (const std::int32_t c : shrunk) touch(c);
}

// The cluster is to be written again, with the faces it has.
Content& ClusterRepair::touch(std::int32_t cluster) {
  if (!is_touched(cluster)) {
    content_of_[cluster] = static_cast<std::int32_t>(contents_.size());
    contents_.emplace_back();
    touched_.push_back(cluster);
    const Cluster& c = mesh_.clusters[cluster];
    for (std::int32_t i = 0; i < c.face_count; ++i) {
      const std::int32_t f = mesh_.faces[c.face_begin + i];
      if (f >= 0) contents_.back().faces.push_back(f);
    }
  }
  return contents_[content_of_[cluster]];
}

std::int32_t ClusterRepair::open_cluster() {
  const auto cluster = static_cast<std::int32_t>(mesh_.clusters.size());
  mesh_.clusters.emplace_back();
  content_of_.push_back(Clean);
  size_.push_back(0);
  kinds_.push_back(ClusterKind::Faces);
  touch(cluster);
  return cluster;
}

void ClusterRepair::place_new_faces() {
  if (change_.added_faces.empty()) return;
  // By vertex of a new face: a cluster with room that has it.
  Lists hint(static_cast<std::size_t>(topology_.vertex_count), -2);
  for (const std::int32_t f : change_.added_faces) {
    for (const std::int32_t v : topology_.faces[f]) hint[v] = -1;
  }
  for (std::size_t f = 0; f < topology_.faces.size(); ++f) {
    const std::int32_t c = mesh_.face_cluster[f];
    if (c < 0 || size_[c] >= cluster_capacity) continue;
    for (const std::int32_t v : topology_.faces[f]) {
      if (hint[v] == -1) hint[v] = c;
    }
  }
  for (const std::int32_t f : change_.added_faces) {
    std::int32_t chosen = -1;
    for (const std::int32_t v : topology_.faces[f]) {
      if (hint[v] >= 0 && size_[hint[v]] < cluster_capacity) chosen = hint[v];
    }
    if (chosen < 0) chosen = open_cluster();
    touch(chosen).faces.push_back(f);
    ++size_[chosen];
    mesh_.face_cluster[f] = chosen;
    for (const std::int32_t v : topology_.faces[f]) hint[v] = chosen;
  }
}

// Clusters of one component that now lie in several; those that pooled small components stay.
void ClusterRepair::cut_by_component() {
  const auto component = [&](std::int32_t face) {
    return topology_.vertex_component[topology_.faces[face][0]];
  };
  const std::size_t count = mesh_.clusters.size();
  for (std::size_t i = 0; i < count; ++i) {
    const auto c = static_cast<std::int32_t>(i);
    Cluster& cluster = mesh_.clusters[i];
    const bool was_mixed = cluster.component < 0 && cluster.vertex_count > 0;
    if (!is_touched(c)) find_membership(topology_, mesh_, cluster);
    if (kinds_[i] != ClusterKind::Faces || was_mixed) continue;
    if (!is_touched(c) && cluster.component >= 0) continue;
    Lists faces = touch(c).faces;
    std::stable_sort(faces.begin(), faces.end(),
                     [&](std::int32_t a, std::int32_t b) { return component(a) < component(b); });
    for (std::size_t begin = 0; begin < faces.size();) {
      std::size_t end = begin;
      while (end < faces.size() && component(faces[end]) == component(faces[begin])) ++end;
      const std::int32_t target = begin == 0 ? c : open_cluster();
      Content& content = contents_[content_of_[target]];
      content.faces.assign(faces.begin() + static_cast<std::ptrdiff_t>(begin),
                           faces.begin() + static_cast<std::ptrdiff_t>(end));
      for (const std::int32_t f : content.faces) mesh_.face_cluster[f] = target;
      begin = end;
    }
  }
}

// Clusters whose faces have more edges or vertices than one can hold, even if it owned them all.
void ClusterRepair::halve_what_does_not_fit() {
  Lists vertices, edges;
  const auto distinct = [](Lists& list) {
    std::sort(list.begin(), list.end());
    return std::unique(list.begin(), list.end()) - list.begin();
  };
  for (std::size_t i = 0; i < touched_.size();) {
    Lists& faces = contents_[content_of_[touched_[i]]].faces;
    vertices.clear();
    edges.clear();
    for (const std::int32_t f : faces) {
      vertices.insert(vertices.end(), topology_.faces[f].begin(), topology_.faces[f].end());
      edges.insert(edges.end(), topology_.face_edges[f].begin(), topology_.face_edges[f].end());
    }
    if (distinct(vertices) <= max_local_vertices && distinct(edges) <= max_local_edges) {
      ++i;
      continue;
    }
    const auto middle = faces.begin() + static_cast<std::ptrdiff_t>(faces.size() / 2);
    Lists half(middle, faces.end());
    faces.erase(middle, faces.end());
    const std::int32_t opened = open_cluster();
    for (const std::int32_t f : half) mesh_.face_cluster[f] = opened;
    contents_[content_of_[opened]].faces = std::move(half);
  }
}

void ClusterRepair::release(const Cluster& cluster) {
  for (std::int32_t i = 0; i < cluster.edge_count; ++i) {
    const std::int32_t e = mesh_.edges[cluster.edge_begin + i];
    if (e >= 0) free_edge_[e] = 1;
  }
  for (std::int32_t i = 0; i < cluster.owned_count; ++i) {
    const std::int32_t v = mesh_.owned[cluster.slot_begin + i];
    if (v >= 0) free_vertex_[v] = 1;
  }
}

bool ClusterRepair::wires_or_points_changed() const {
  std::size_t wires = 0, points = 0;
  for (std::size_t c = 0; c < kinds_.size(); ++c) {
    if (kinds_[c] == ClusterKind::Faces) continue;
    const Cluster& cluster = mesh_.clusters[c];
    if (kinds_[c] == ClusterKind::Wires) {
      wires += cluster.edge_count;
      for (std::int32_t i = 0; i < cluster.edge_count; ++i) {
        const std::int32_t e = mesh_.edges[cluster.edge_begin + i];
        if (e < 0 || !std::binary_search(topology_.wires.begin(), topology_.wires.end(), e)) return true;
      }
    } else {
      points += cluster.owned_count;
      for (std::int32_t i = 0; i < cluster.owned_count; ++i) {
        const std::int32_t v = mesh_.owned[cluster.slot_begin + i];
        if (v < 0 || !std::binary_search(topology_.points.begin(), topology_.points.end(), v)) return true;
      }
    }
  }
  return wires != topology_.wires.size() || points != topology_.points.size();
}

// Features that are new, or were owned by a cluster that is written again.
void ClusterRepair::release_features() {
  free_edge_.assign(topology_.edges.size(), 1);
  free_vertex_.assign(static_cast<std::size_t>(topology_.vertex_count), 1);
  for (const std::int32_t e : change_.edge_map) {
    if (e >= 0) free_edge_[e] = 0;
  }
  for (const std::int32_t v : change_.vertex_map) {
    if (v >= 0) free_vertex_[v] = 0;
  }
  for (const std::int32_t c : touched_) release(mesh_.clusters[c]);
  // Owned by clusters of points, even where a face without sides has them.
  for (const std::int32_t p : topology_.points) free_vertex_[p] = 0;
}

void ClusterRepair::claim(Content& content, std::int32_t face) {
  for (const std::int32_t e : topology_.face_edges[face]) {
    if (e >= 0 && free_edge_[e]) {
      free_edge_[e] = 0;
      content.edges.push_back(e);
    }
  }
  for (const std::int32_t v : topology_.faces[face]) {
    if (free_vertex_[v]) {
      free_vertex_[v] = 0;
      content.vertices.push_back(v);
    }
  }
}

// First the clusters at hand take what they have; what is left goes to any other that has it.
void ClusterRepair::claim_features() {
  for (const std::int32_t c : touched_) {
    Content& content = contents_[content_of_[c]];
    for (const std::int32_t f : content.faces) claim(content, f);
  }
  if (!any(free_edge_) && !any(free_vertex_)) return;
  const auto is_free = [&](std::int32_t f) {
    const auto& e = topology_.face_edges[f];
    const Face& v = topology_.faces[f];
    return free_vertex_[v[0]] || free_vertex_[v[1]] || free_vertex_[v[2]] ||
           (e[0] >= 0 && free_edge_[e[0]]) || (e[1] >= 0 && free_edge_[e[1]]) ||
           (e[2] >= 0 && free_edge_[e[2]]);
  };
  for (std::size_t i = 0; i < topology_.faces.size(); ++i) {
    const auto f = static_cast<std::int32_t>(i);
    if (!is_free(f)) continue;
    const std::int32_t c = mesh_.face_cluster[f];
    if (!is_touched(c)) {
      Content& content = touch(c);
      const Cluster& cluster = mesh_.clusters[c];
      const auto edges = mesh_.edges.begin() + cluster.edge_begin;
      const auto owned = mesh_.owned.begin() + cluster.slot_begin;
      content.edges.assign(edges, edges + cluster.edge_count);
      content.vertices.assign(owned, owned + cluster.owned_count);
    }
    claim(contents_[content_of_[c]], f);
  }
}

// All of them again: they are few as a rule, and cheap.
void ClusterRepair::make_wires_and_points() {
  for (std::size_t c = 0; c < kinds_.size(); ++c) {
    if (kinds_[c] != ClusterKind::Faces) contents_[content_of_[c]] = {};
  }
  ClusterLabels labels;
  label_wires_and_points(topology_, step_, mesh_, labels);
  Lists place;  // by label
  for (std::int32_t label = 0; label < labels.total; ++label) {
    place.push_back(open_cluster());
    kinds_[place.back()] = label < labels.wire_clusters ? ClusterKind::Wires : ClusterKind::Points;
  }
  const auto content = [&](std::int32_t cluster) -> Content& { return contents_[content_of_[cluster]]; };
  for (std::size_t w = 0; w < topology_.wires.size(); ++w) {
    const std::int32_t c = place[mesh_.wire_cluster[w]];
    mesh_.wire_cluster[w] = c;
    content(c).edges.push_back(topology_.wires[w]);
    for (const std::int32_t v : topology_.edges[topology_.wires[w]]) {
      if (!free_vertex_[v]) continue;
      free_vertex_[v] = 0;
      content(c).vertices.push_back(v);
    }
  }
  for (std::size_t p = 0; p < topology_.points.size(); ++p) {
    content(place[labels.points[p]]).vertices.push_back(topology_.points[p]);
  }
}

// Too many edges or vertices for one cluster may have come together.
bool ClusterRepair::contents_fit() const {
  Lists vertices;
  for (const std::int32_t c : touched_) {
    const Content& content = contents_[content_of_[c]];
    if (content.edges.size() > static_cast<std::size_t>(max_local_edges)) return false;
    vertices = content.vertices;
    for (const std::int32_t f : content.faces) {
      vertices.insert(vertices.end(), topology_.faces[f].begin(), topology_.faces[f].end());
    }
    for (const std::int32_t e : content.edges) {
      vertices.insert(vertices.end(), topology_.edges[e].begin(), topology_.edges[e].end());
    }
    std::sort(vertices.begin(), vertices.end());
    const auto distinct = std::unique(vertices.begin(), vertices.end()) - vertices.begin();
    if (distinct > max_local_vertices) return false;
  }
  return true;
}

void ClusterRepair::rewrite() {
  ClusterWriter writer(topology_, mesh_);
  for (const std::int32_t c : touched_) {
    Content& content = contents_[content_of_[c]];
    for (Lists* list : {&content.faces, &content.edges, &content.vertices}) {
      std::sort(list->begin(), list->end());
    }
    mesh_.clusters[c] = writer.write(kinds_[c], content.vertices, content.faces, content.edges);
  }
}

// Clusters without features are dropped; the last ones take their places.
void ClusterRepair::close_gaps() {
  moved_.assign(mesh_.clusters.size(), 0);
  for (const std::int32_t c : touched_) moved_[c] = 1;
  Lists empty;
  for (const std::int32_t c : touched_) {
    if (mesh_.clusters[c].vertex_count == 0) empty.push_back(c);
  }
  std::sort(empty.begin(), empty.end());
  for (std::size_t next = 0; next < empty.size();) {
    const auto last = static_cast<std::int32_t>(mesh_.clusters.size()) - 1;
    if (empty.back() == last) {
      empty.pop_back();
    } else {
      const std::int32_t place = empty[next++];
      const Cluster& cluster = mesh_.clusters[place] = mesh_.clusters[last];
      for (std::int32_t i = 0; i < cluster.face_count; ++i) {
        mesh_.face_cluster[mesh_.faces[cluster.face_begin + i]] = place;
      }
      if (cluster.kind == ClusterKind::Wires) {
        std::replace(mesh_.wire_cluster.begin(), mesh_.wire_cluster.end(), last, place);
      }
      moved_[place] = 1;
    }
    mesh_.clusters.pop_back();
    moved_[last] = 1;  // whoever was its neighbour
  }
}

// More than a quarter of the entries belong to no cluster any more.
bool ClusterRepair::is_fallow() const {
  std::size_t live = 0;
  for (const Cluster& c : mesh_.clusters) live += c.vertex_count;
  return 4 * (mesh_.vertices.size() - live) > mesh_.vertices.size() + 4096;
}

bool ClusterRepair::run() {
  map_faces();
  place_new_faces();
  // More than a quarter: building all of them is as cheap, and packs them better.
  if (4 * touched_.size() > mesh_.clusters.size() + 64) return false;
  bool remake = wires_or_points_changed();
  const auto touch_wires_and_points = [&] {
    for (std::size_t c = 0; c < kinds_.size(); ++c) {
      if (kinds_[c] != ClusterKind::Faces) touch(static_cast<std::int32_t>(c));
    }
  };
  if (remake) touch_wires_and_points();
  cut_by_component();
  halve_what_does_not_fit();
  release_features();
  claim_features();
  if (!remake && any(free_vertex_)) {  // a vertex that is left lies in wires only
    remake = true;
    const std::size_t first = touched_.size();
    touch_wires_and_points();
    for (std::size_t i = first; i < touched_.size(); ++i) release(mesh_.clusters[touched_[i]]);
  }
  if (remake) make_wires_and_points();
  if (!contents_fit()) return false;
  rewrite();
  close_gaps();
  place_boxes(mesh_);
  repair_neighbours(topology_, moved_, mesh_);
  return !is_fallow();
}

}  // namespace

bool repair_clusters(const Topology& topology, const TopologyChange& change, const Step& step,
                     ClusterMesh& mesh) {
  return ClusterRepair(topology, change, step, mesh).run();
}

}  // namespace toccata::deformable::clusters
