// The topology after a change, from the one before it.
#include <algorithm>
#include <numeric>

#include "ccd/deformable/topology_parts.hpp"

namespace toccata::deformable {
namespace {

using Lists = std::vector<std::int32_t>;

bool is_identity(const Lists& map) {
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (map[i] >= 0 && map[i] != static_cast<std::int32_t>(i)) return false;
  }
  return true;
}

class Repair {
 public:
  Repair(const Topology& before, Topology& after, TopologyChange& change)
      : before_(before), after_(after), change_(change) {}

  void run(std::vector<Edge> wires);

 private:
  void map_vertices();
  void map_faces();
  void match_faces(std::int32_t object);
  void match_by_content(Lists& old_faces, Lists& new_faces);
  Face moved(std::int32_t old_face) const;
  void find_edge_candidates();
  void merge_edges();
  void add_face_edges();
  void find_wires();
  void find_points();
  bool same_components() const;

  std::int32_t edge_before(const Edge& e) const { return find(before_.edges, e); }
  static std::int32_t find(const std::vector<Edge>& edges, const Edge& e) {
    const auto it = std::lower_bound(edges.begin(), edges.end(), e, edge_less);
    return it != edges.end() && *it == e ? static_cast<std::int32_t>(it - edges.begin()) : -1;
  }

  const Topology& before_;
  Topology& after_;
  TopologyChange& change_;
  std::vector<Edge> wires_;          // of the new objects, sorted, each once
  std::vector<Edge> new_sides_;      // edges of added faces, the same
  std::vector<std::uint8_t> loose_;  // edges before: 1 where no face that was kept has them, as far as asked
};

void Repair::map_vertices() {
  change_.vertex_map.assign(static_cast<std::size_t>(before_.vertex_count), -1);
  const std::int32_t objects = std::min(before_.object_count, after_.object_count);
  for (std::int32_t o = 0; o < objects; ++o) {
    const std::int32_t old_begin = before_.object_vertices[o], new_begin = after_.object_vertices[o];
    const std::int32_t count =
        std::min(before_.object_vertices[o + 1] - old_begin, after_.object_vertices[o + 1] - new_begin);
    std::iota(change_.vertex_map.begin() + old_begin, change_.vertex_map.begin() + old_begin + count,
              new_begin);
  }
  change_.vertices_keep_ids = is_identity(change_.vertex_map);
}

// An old face with its new vertices; -1 where one is gone.
Face Repair::moved(std::int32_t old_face) const {
  const Face& f = before_.faces[old_face];
  return {change_.vertex_map[f[0]], change_.vertex_map[f[1]], change_.vertex_map[f[2]]};
}

void Repair::map_faces() {
  change_.face_map.assign(before_.faces.size(), -1);
  const std::int32_t objects = std::min(before_.object_count, after_.object_count);
  for (std::int32_t o = 0; o < objects; ++o) match_faces(o);
  std::vector<std::uint8_t> kept(after_.faces.size(), 0);
  for (std::size_t f = 0; f < change_.face_map.size(); ++f) {
    if (change_.face_map[f] < 0) {
      change_.removed_faces.push_back(static_cast<std::int32_t>(f));
    } else {
      kept[change_.face_map[f]] = 1;
    }
  }
  for (std::size_t f = 0; f < kept.size(); ++f) {
    if (!kept[f]) change_.added_faces.push_back(static_cast<std::int32_t>(f));
  }
  change_.faces_keep_ids = is_identity(change_.face_map);
}

// Equal beginnings and equal ends of the lists first: edits in place, erased and inserted faces leave little
// between them.
void Repair::match_faces(std::int32_t object) {
  std::int32_t old_low = before_.object_faces[object], old_high = before_.object_faces[object + 1];
  std::int32_t new_low = after_.object_faces[object], new_high = after_.object_faces[object + 1];
  const auto same = [&](std::int32_t old_face, std::int32_t new_face) {
    const Face &x = before_.faces[old_face], &y = after_.faces[new_face];
    const auto& map = change_.vertex_map;
    return map[x[0]] == y[0] && map[x[1]] == y[1] && map[x[2]] == y[2];
  };
  while (old_low < old_high && new_low < new_high && same(old_low, new_low)) {
    change_.face_map[old_low++] = new_low++;
  }
  while (old_low < old_high && new_low < new_high && same(old_high - 1, new_high - 1)) {
    change_.face_map[--old_high] = --new_high;
  }
  Lists old_faces, new_faces;
  for (; old_low < old_high && new_low < new_high; ++old_low, ++new_low) {
    if (same(old_low, new_low)) {
      change_.face_map[old_low] = new_low;
    } else {
      old_faces.push_back(old_low);
      new_faces.push_back(new_low);
    }
  }
  for (; old_low < old_high; ++old_low) old_faces.push_back(old_low);
  for (; new_low < new_high; ++new_low) new_faces.push_back(new_low);
  match_by_content(old_faces, new_faces);
}

void Repair::match_by_content(Lists& old_faces, Lists& new_faces) {
  const auto old_less = [&](std::int32_t a, std::int32_t b) {
    const Face x = moved(a), y = moved(b);
    return x != y ? x < y : a < b;
  };
  const auto new_less = [&](std::int32_t a, std::int32_t b) {
    return after_.faces[a] != after_.faces[b] ? after_.faces[a] < after_.faces[b] : a < b;
  };
  std::sort(old_faces.begin(), old_faces.end(), old_less);
  std::sort(new_faces.begin(), new_faces.end(), new_less);
  for (std::size_t i = 0, j = 0; i < old_faces.size() && j < new_faces.size();) {
    const Face x = moved(old_faces[i]);
    const Face& y = after_.faces[new_faces[j]];
    if (x == y) {
      change_.face_map[old_faces[i++]] = new_faces[j++];
    } else if (x < y) {
      ++i;
    } else {
      ++j;
    }
  }
}

// Only sides of removed faces and old wires can be gone; which of them has a face that was kept?
void Repair::find_edge_candidates() {
  loose_.assign(before_.edges.size(), 0);
  for (const std::int32_t f : change_.removed_faces) {
    for (const std::int32_t e : before_.face_edges[f]) {
      if (e >= 0) loose_[e] = 1;
    }
  }
  if (!change_.removed_faces.empty()) {
    for (std::size_t f = 0; f < before_.faces.size(); ++f) {
      if (change_.face_map[f] < 0) continue;
      for (const std::int32_t e : before_.face_edges[f]) {
        if (e >= 0) loose_[e] = 0;
      }
    }
  }
  for (const std::int32_t e : before_.wires) loose_[e] = 1;
  for (const std::int32_t f : change_.added_faces) {
    const Face& c = after_.faces[f];
    for (int k = 0; k < 3; ++k) {
      if (c[k] != c[(k + 1) % 3]) new_sides_.push_back(ordered(c[k], c[(k + 1) % 3]));
    }
  }
  for (auto* list : {&new_sides_, &wires_}) {
    std::sort(list->begin(), list->end(), edge_less);
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
}

void Repair::merge_edges() {
  std::vector<Edge> wanted;  // by what is new, or given as wires
  std::set_union(new_sides_.begin(), new_sides_.end(), wires_.begin(), wires_.end(),
                 std::back_inserter(wanted), edge_less);
  change_.edge_map.assign(before_.edges.size(), -1);
  after_.edges.reserve(before_.edges.size() + wanted.size());
  std::size_t next = 0;
  const auto take_new = [&] {
    change_.added_edges.push_back(wanted[next]);
    after_.edges.push_back(wanted[next++]);
  };
  for (std::size_t e = 0; e < before_.edges.size(); ++e) {
    const Edge moved = {change_.vertex_map[before_.edges[e][0]], change_.vertex_map[before_.edges[e][1]]};
    const bool has_ends = moved[0] >= 0 && moved[1] >= 0;
    if (has_ends) {
      while (next < wanted.size() && edge_less(wanted[next], moved)) take_new();
    }
    const bool asked = has_ends && next < wanted.size() && wanted[next] == moved;
    if (asked) ++next;
    if (!has_ends || (loose_[e] && !asked)) {
      change_.removed_edges.push_back(before_.edges[e]);
      continue;
    }
    change_.edge_map[e] = static_cast<std::int32_t>(after_.edges.size());
    after_.edges.push_back(moved);
  }
  while (next < wanted.size()) take_new();
  change_.edges_keep_ids = is_identity(change_.edge_map);
}

void Repair::add_face_edges() {
  after_.face_edges.resize(after_.faces.size());
  for (std::size_t f = 0; f < before_.faces.size(); ++f) {
    if (change_.face_map[f] < 0) continue;
    auto& edges = after_.face_edges[change_.face_map[f]];
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t e = before_.face_edges[f][k];
      edges[k] = e < 0 ? -1 : change_.edge_map[e];
    }
  }
  for (const std::int32_t f : change_.added_faces) {
    const Face& c = after_.faces[f];
    for (int k = 0; k < 3; ++k) {
      const std::int32_t a = c[k], b = c[(k + 1) % 3];
      after_.face_edges[f][static_cast<std::size_t>(k)] = a == b ? -1 : find(after_.edges, ordered(a, b));
    }
  }
}

// Of the edges given as wires those that no face has.
void Repair::find_wires() {
  if (wires_.empty()) return;
  std::vector<std::uint8_t> in_kept_face(after_.edges.size(), 0);
  for (std::size_t e = 0; e < before_.edges.size(); ++e) {
    if (change_.edge_map[e] >= 0 && !loose_[e]) in_kept_face[change_.edge_map[e]] = 1;
  }
  for (const Edge& w : wires_) {
    const std::int32_t e = find(after_.edges, w);
    const bool in_new_face = std::binary_search(new_sides_.begin(), new_sides_.end(), w, edge_less);
    if (!in_kept_face[e] && !in_new_face) after_.wires.push_back(e);
  }
}

// Vertices that are new, were points before or lost an edge.
void Repair::find_points() {
  std::vector<std::uint8_t> alone(static_cast<std::size_t>(after_.vertex_count), 1);
  for (const std::int32_t v : change_.vertex_map) {
    if (v >= 0) alone[v] = 0;
  }
  bool any = !change_.vertices_keep_ids || after_.vertex_count > before_.vertex_count;
  const auto ask = [&](std::int32_t old_vertex) {
    any = true;
    if (change_.vertex_map[old_vertex] >= 0) alone[change_.vertex_map[old_vertex]] = 1;
  };
  for (const std::int32_t p : before_.points) ask(p);
  for (const Edge& e : change_.removed_edges) {
    ask(e[0]);
    ask(e[1]);
  }
  if (!any) return;
  for (const Edge& e : after_.edges) alone[e[0]] = alone[e[1]] = 0;
  for (std::int32_t v = 0; v < after_.vertex_count; ++v) {
    if (alone[v]) after_.points.push_back(v);
  }
}

// No edge is gone, and new ones join what was joined.
bool Repair::same_components() const {
  if (!change_.removed_edges.empty() || !change_.vertices_keep_ids) return false;
  if (after_.vertex_count != before_.vertex_count) return false;
  return std::all_of(change_.added_edges.begin(), change_.added_edges.end(), [&](const Edge& e) {
    return before_.vertex_component[e[0]] == before_.vertex_component[e[1]];
  });
}

void Repair::run(std::vector<Edge> wires) {
  wires_ = std::move(wires);
  map_vertices();
  map_faces();
  find_edge_candidates();
  merge_edges();
  add_face_edges();
  find_wires();
  find_points();
  if (same_components()) {
    after_.vertex_component = before_.vertex_component;
    after_.component_count = before_.component_count;
  } else {
    find_components(after_);
  }
}

Lists compose_maps(const Lists& first, const Lists& second) {
  Lists map(first.size());
  for (std::size_t i = 0; i < map.size(); ++i) map[i] = first[i] < 0 ? -1 : second[first[i]];
  return map;
}

}  // namespace

Expected<RepairedTopology> repair_topology(const Topology& before,
                                           const std::vector<DeformableObject>& objects) {
  RepairedTopology repaired;
  auto wires = lay_out_objects(objects, repaired.topology);
  if (!wires) return wires.error();
  Repair(before, repaired.topology, repaired.change).run(std::move(*wires));
  return repaired;
}

TopologyChange compose(const TopologyChange& first, const TopologyChange& second) {
  TopologyChange change;
  change.vertex_map = compose_maps(first.vertex_map, second.vertex_map);
  change.edge_map = compose_maps(first.edge_map, second.edge_map);
  change.face_map = compose_maps(first.face_map, second.face_map);
  change.added_faces = second.added_faces;
  for (const std::int32_t f : first.added_faces) {
    if (second.face_map[f] >= 0) change.added_faces.push_back(second.face_map[f]);
  }
  std::sort(change.added_faces.begin(), change.added_faces.end());
  change.vertices_keep_ids = first.vertices_keep_ids && second.vertices_keep_ids;
  change.edges_keep_ids = first.edges_keep_ids && second.edges_keep_ids;
  change.faces_keep_ids = first.faces_keep_ids && second.faces_keep_ids;
  return change;
}

}  // namespace toccata::deformable
