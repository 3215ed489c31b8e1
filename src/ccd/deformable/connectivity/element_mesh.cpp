#include "ccd/deformable/connectivity/element_mesh.hpp"

#include <algorithm>
#include <numeric>

namespace toccata::deformable::connectivity {
namespace {

// Lists of the elements around each feature, ascending. visit(emit) calls emit(feature, element) in the order
// of the elements.
template <typename Visit>
void make_lists(std::size_t feature_count, std::vector<std::int32_t>& start, std::vector<std::int32_t>& items,
                Visit&& visit) {
  start.assign(feature_count + 1, 0);
  visit([&](std::int32_t feature, std::int32_t) { ++start[feature + 1]; });
  std::partial_sum(start.begin(), start.end(), start.begin());
  items.resize(start.back());
  std::vector<std::int32_t> cursor(start.begin(), start.end() - 1);
  visit([&](std::int32_t feature, std::int32_t element) { items[cursor[feature]++] = element; });
}

std::int32_t position_in(const std::vector<std::int32_t>& sorted, std::int32_t value) {
  const auto it = std::lower_bound(sorted.begin(), sorted.end(), value);
  return it != sorted.end() && *it == value ? static_cast<std::int32_t>(it - sorted.begin()) : -1;
}

}  // namespace

ElementMesh::ElementMesh(const Topology& topology)
    : face_count_(static_cast<std::int32_t>(topology.faces.size())),
      first_point_(face_count_ + static_cast<std::int32_t>(topology.wires.size())),
      corners_(topology.faces),
      topology_wires_(topology.wires),
      topology_points_(topology.points) {
  for (const std::int32_t wire : topology.wires) {
    const Edge& e = topology.edges[wire];
    corners_.push_back({e[0], e[1], e[1]});
  }
  for (const std::int32_t point : topology.points) corners_.push_back({point, point, point});
  make_lists(static_cast<std::size_t>(topology.vertex_count), vertex_start_, vertex_elements_,
             [&](auto&& emit) {
               for (std::int32_t t = 0; t < element_count(); ++t) {
                 const Face& c = corners_[t];
                 emit(c[0], t);
                 if (c[1] != c[0]) emit(c[1], t);
                 if (c[2] != c[0] && c[2] != c[1]) emit(c[2], t);
               }
             });
  make_lists(topology.edges.size(), edge_start_, edge_elements_, [&](auto&& emit) {
    for (std::int32_t t = 0; t < first_point_; ++t) {
      const auto e = edges(topology, t);
      for (int k = 0; k < 3; ++k) {
        // A face with two equal corners has the same edge twice.
        if (e[k] >= 0 && (k < 1 || e[k] != e[0]) && (k < 2 || e[k] != e[1])) emit(e[k], t);
      }
    }
  });
}

std::array<std::int32_t, 3> ElementMesh::edges(const Topology& topology, std::int32_t element) const {
  if (is_face(element)) return topology.face_edges[element];
  if (is_wire(element)) return {wire_edge(element), -1, -1};
  return {-1, -1, -1};
}

std::int32_t ElementMesh::wire_element(std::int32_t edge) const {
  const std::int32_t i = position_in(topology_wires_, edge);
  return i < 0 ? -1 : face_count_ + i;
}

std::int32_t ElementMesh::point_element(std::int32_t vertex) const {
  const std::int32_t i = position_in(topology_points_, vertex);
  return i < 0 ? -1 : first_point_ + i;
}

std::size_t ElementMesh::memory_bytes() const {
  return corners_.capacity() * sizeof(Face) +
         (topology_wires_.capacity() + topology_points_.capacity() + vertex_start_.capacity() +
          vertex_elements_.capacity() + edge_start_.capacity() + edge_elements_.capacity()) *
             sizeof(std::int32_t);
}

std::vector<std::int32_t> map_elements(const ElementMesh& before, const ElementMesh& after,
                                       const TopologyChange& change) {
  std::vector<std::int32_t> map(before.element_count(), -1);
  for (std::int32_t t = 0; t < before.element_count(); ++t) {
    if (before.is_face(t)) {
      map[t] = change.face_map[t];
    } else if (before.is_wire(t)) {
      const std::int32_t edge = change.edge_map[before.wire_edge(t)];
      if (edge >= 0) map[t] = after.wire_element(edge);
    } else {
      const std::int32_t vertex = change.vertex_map[before.corners(t)[0]];
      if (vertex >= 0) map[t] = after.point_element(vertex);
    }
  }
  return map;
}

}  // namespace toccata::deformable::connectivity
