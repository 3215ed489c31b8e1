// The common kind of change, done in place: some faces of a scene of many are replaced, or added at the end,
// and vertices are added at the end, as tearing and splitting do. Nothing is copied, and where no edge is
// gone from the middle nothing is renumbered either.
#include <algorithm>
#include <numeric>

#include "ccd/deformable/topology_parts.hpp"

namespace toccata::deformable {
namespace {

using Ids = std::vector<std::int32_t>;

// A little more than needed where more memory must be taken, not twice as much.
template <typename List>
void make_room(List& list, std::size_t size) {
  if (list.capacity() < size) list.reserve(size + size / 32);
}

class Patch {
 public:
  Patch(Topology& topology, const std::vector<DeformableObject>& objects)
      : topology_(topology), objects_(objects) {}

  // false: not that kind of change, and nothing was done.
  bool compare();
  TopologyChange apply();

 private:
  bool same_layout() const;
  bool compare_faces(std::size_t object);
  void replace_faces();
  std::vector<Edge> sides_of_new_faces() const;
  Ids find_loose_edges() const;
  void renumber_edges(const std::vector<Edge>& added, const Ids& removed);
  void find_points();
  void find_components_again();

  std::int32_t edge_id(const Edge& e) const {
    const auto it = std::lower_bound(topology_.edges.begin(), topology_.edges.end(), e, edge_less);
    return it != topology_.edges.end() && *it == e ? static_cast<std::int32_t>(it - topology_.edges.begin())
                                                   : -1;
  }

  Topology& topology_;
  const std::vector<DeformableObject>& objects_;
  TopologyChange change_;
  std::vector<Face> new_corners_;  // beside change_.added_faces
  std::int32_t old_vertex_count_ = 0;
};

bool Patch::same_layout() const {
  const std::size_t count = objects_.size();
  if (count == 0 || static_cast<std::size_t>(topology_.object_count) != count || !topology_.wires.empty()) {
    return false;
  }
  for (std::size_t o = 0; o < count; ++o) {
    const DeformableObject& object = objects_[o];
    const std::int32_t vertices = topology_.object_vertices[o + 1] - topology_.object_vertices[o];
    const std::int32_t faces = topology_.object_faces[o + 1] - topology_.object_faces[o];
    const auto new_faces = static_cast<std::int32_t>(object.faces.size());
    const bool is_last = o + 1 == count;
    if (!object.wires.empty()) return false;
    if (is_last ? object.vertex_count < vertices : object.vertex_count != vertices) return false;
    if (is_last ? new_faces < faces : new_faces != faces) return false;
  }
  return true;
}

bool Patch::compare_faces(std::size_t o) {
  const DeformableObject& object = objects_[o];
  const std::int32_t offset = topology_.object_vertices[o], first = topology_.object_faces[o];
  const auto before = static_cast<std::size_t>(topology_.object_faces[o + 1] - first);
  for (std::size_t i = 0; i < object.faces.size(); ++i) {
    const Face &f = object.faces[i], moved = {f[0] + offset, f[1] + offset, f[2] + offset};
    const std::size_t id = static_cast<std::size_t>(first) + i;
    if (i < before) {
      const Face& old = topology_.faces[id];
      if (old[0] == moved[0] && old[1] == moved[1] && old[2] == moved[2]) continue;
      change_.removed_faces.push_back(static_cast<std::int32_t>(id));
    }
    for (const std::int32_t v : f) {
      if (v < 0 || v >= object.vertex_count) return false;
    }
    change_.added_faces.push_back(static_cast<std::int32_t>(id));
    new_corners_.push_back(moved);
  }
  return true;
}

bool Patch::compare() {
  if (!same_layout()) return false;
  for (std::size_t o = 0; o < objects_.size(); ++o) {
    if (!compare_faces(o)) return false;
  }
  // Faces that were erased or moved within the list look like many replaced ones.
  return 8 * change_.added_faces.size() <= topology_.faces.size();
}

void Patch::replace_faces() {
  const std::size_t count =
      topology_.faces.size() + change_.added_faces.size() - change_.removed_faces.size();
  make_room(topology_.faces, count);
  make_room(topology_.face_edges, count);
  topology_.faces.resize(count);
  topology_.face_edges.resize(count);
  for (std::size_t i = 0; i < new_corners_.size(); ++i) {
    topology_.faces[change_.added_faces[i]] = new_corners_[i];
  }
}

std::vector<Edge> Patch::sides_of_new_faces() const {
  std::vector<Edge> sides;
  for (const Face& c : new_corners_) {
    for (int k = 0; k < 3; ++k) {
      if (c[k] != c[(k + 1) % 3]) sides.push_back(ordered(c[k], c[(k + 1) % 3]));
    }
  }
  std::sort(sides.begin(), sides.end(), edge_less);
  sides.erase(std::unique(sides.begin(), sides.end()), sides.end());
  return sides;
}

// Edges of replaced faces that no other old face has, ascending.
Ids Patch::find_loose_edges() const {
  std::vector<std::uint8_t> loose(topology_.edges.size(), 0);
  Ids asked;
  for (const std::int32_t f : change_.removed_faces) {
    for (const std::int32_t e : topology_.face_edges[f]) {
      if (e >= 0 && !loose[e]) {
        loose[e] = 1;
        asked.push_back(e);
      }
    }
  }
  if (asked.empty()) return asked;
  auto replaced = change_.removed_faces.begin();
  for (std::size_t f = 0; f < change_.face_map.size(); ++f) {
    if (replaced != change_.removed_faces.end() && *replaced == static_cast<std::int32_t>(f)) {
      ++replaced;
      continue;
    }
    for (const std::int32_t e : topology_.face_edges[f]) {
      if (e >= 0) loose[e] = 0;
    }
  }
  std::erase_if(asked, [&](std::int32_t e) { return !loose[e]; });
  std::sort(asked.begin(), asked.end());
  return asked;
}

void Patch::renumber_edges(const std::vector<Edge>& added, const Ids& removed) {
  std::vector<Edge>& edges = topology_.edges;
  const bool at_end = added.empty() || edges.empty() || edge_less(edges.back(), added.front());
  if (removed.empty() && at_end) {
    make_room(edges, edges.size() + added.size());
    edges.insert(edges.end(), added.begin(), added.end());
    return;
  }
  std::vector<Edge> merged;
  merged.reserve(edges.size() + added.size());
  std::size_t next = 0;
  auto gone = removed.begin();
  for (std::size_t e = 0; e < edges.size(); ++e) {
    while (next < added.size() && edge_less(added[next], edges[e])) merged.push_back(added[next++]);
    if (gone != removed.end() && *gone == static_cast<std::int32_t>(e)) {
      change_.edge_map[e] = -1;
      ++gone;
      continue;
    }
    change_.edge_map[e] = static_cast<std::int32_t>(merged.size());
    change_.edges_keep_ids = change_.edges_keep_ids && change_.edge_map[e] == static_cast<std::int32_t>(e);
    merged.push_back(edges[e]);
  }
  merged.insert(merged.end(), added.begin() + static_cast<std::ptrdiff_t>(next), added.end());
  edges = std::move(merged);
  if (change_.edges_keep_ids) return;
  for (auto& of_face : topology_.face_edges) {
    for (std::int32_t& e : of_face) e = e < 0 ? -1 : change_.edge_map[e];
  }
}

// Vertices that are new, were points before or lost an edge.
void Patch::find_points() {
  Ids asked = topology_.points;
  for (const Edge& e : change_.removed_edges) asked.insert(asked.end(), e.begin(), e.end());
  for (std::int32_t v = old_vertex_count_; v < topology_.vertex_count; ++v) asked.push_back(v);
  if (asked.empty()) return;
  std::sort(asked.begin(), asked.end());
  asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
  std::vector<std::uint8_t> alone(static_cast<std::size_t>(topology_.vertex_count), 1);
  for (const Edge& e : topology_.edges) alone[e[0]] = alone[e[1]] = 0;
  std::erase_if(asked, [&](std::int32_t v) { return !alone[v]; });
  topology_.points = std::move(asked);
}

// Without removed edges components only grow: a new vertex joins that of the old vertices it is connected to.
void Patch::find_components_again() {
  const auto is_new = [&](std::int32_t v) { return v >= old_vertex_count_; };
  bool simple = change_.removed_edges.empty() && topology_.component_count > 0;
  std::vector<std::int32_t>& component = topology_.vertex_component;
  component.resize(static_cast<std::size_t>(topology_.vertex_count), -1);
  for (const Edge& e : change_.added_edges) {
    if (!simple) break;
    if (is_new(e[0])) {
      simple = false;  // two new vertices: their component may be one of its own
    } else if (is_new(e[1]) && component[e[1]] < 0) {
      component[e[1]] = component[e[0]];
    } else {
      simple = component[e[0]] == component[e[1]];
    }
  }
  const bool all_known =
      std::find(component.begin() + old_vertex_count_, component.end(), -1) == component.end();
  if (!simple || !all_known) find_components(topology_);
}

TopologyChange Patch::apply() {
  old_vertex_count_ = topology_.vertex_count;
  change_.vertex_map.resize(static_cast<std::size_t>(old_vertex_count_));
  change_.edge_map.resize(topology_.edges.size());
  change_.face_map.resize(topology_.faces.size());
  for (Ids* map : {&change_.vertex_map, &change_.edge_map, &change_.face_map}) {
    std::iota(map->begin(), map->end(), 0);
  }
  for (const std::int32_t f : change_.removed_faces) change_.face_map[f] = -1;

  const std::vector<Edge> sides = sides_of_new_faces();
  Ids removed = find_loose_edges();
  std::erase_if(removed, [&](std::int32_t e) {
    return std::binary_search(sides.begin(), sides.end(), topology_.edges[e], edge_less);
  });
  for (const std::int32_t e : removed) change_.removed_edges.push_back(topology_.edges[e]);
  for (const Edge& e : sides) {
    if (edge_id(e) < 0) change_.added_edges.push_back(e);
  }
  const auto last = static_cast<std::int32_t>(objects_.size()) - 1;
  topology_.vertex_count = topology_.object_vertices[last] + objects_.back().vertex_count;
  topology_.vertex_object.resize(static_cast<std::size_t>(topology_.vertex_count), last);
  topology_.object_vertices[last + 1] = topology_.vertex_count;
  replace_faces();
  topology_.object_faces[last + 1] = static_cast<std::int32_t>(topology_.faces.size());
  for (const std::int32_t f : change_.added_faces) topology_.face_edges[f] = {-1, -1, -1};
  renumber_edges(change_.added_edges, removed);
  for (const std::int32_t f : change_.added_faces) {
    const Face& c = topology_.faces[f];
    for (int k = 0; k < 3; ++k) {
      const std::int32_t a = c[k], b = c[(k + 1) % 3];
      topology_.face_edges[f][static_cast<std::size_t>(k)] = a == b ? -1 : edge_id(ordered(a, b));
    }
  }
  find_points();
  find_components_again();
  return std::move(change_);
}

}  // namespace

std::optional<TopologyChange> patch_topology(Topology& topology,
                                             const std::vector<DeformableObject>& objects) {
  Patch patch(topology, objects);
  if (!patch.compare()) return std::nullopt;
  return patch.apply();
}

}  // namespace toccata::deformable
