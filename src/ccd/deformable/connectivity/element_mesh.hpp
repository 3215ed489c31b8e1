#pragma once
// The scene as the Connectivity pipeline sees it: elements (faces, then wires, then free points), and for
// every vertex and edge the elements that hold it, in a fixed order. On these rest the procedural
// representative triangles (Tang et al., ICCD, V.B) and the orphan sets (V.D).
#include <cstdint>
#include <span>
#include <vector>

#include "ccd/deformable/topology.hpp"

namespace toccata::deformable::connectivity {

inline constexpr std::int32_t largest_fan = 16;  // elements of a vertex that is no hub

class ElementMesh {
 public:
  ElementMesh() = default;
  explicit ElementMesh(const Topology& topology);

  std::int32_t element_count() const { return static_cast<std::int32_t>(corners_.size()); }
  std::span<const Face> elements() const { return corners_; }  // (a, b, b) for wires, (a, a, a) for points
  const Face& corners(std::int32_t element) const { return corners_[element]; }
  // Edge ids of an element; -1 where it has none.
  std::array<std::int32_t, 3> edges(const Topology& topology, std::int32_t element) const;
  bool is_face(std::int32_t element) const { return element < face_count_; }
  bool is_wire(std::int32_t element) const { return element >= face_count_ && element < first_point_; }
  bool is_point(std::int32_t element) const { return element >= first_point_; }
  std::int32_t wire_edge(std::int32_t element) const { return topology_wires_[element - face_count_]; }
  std::int32_t wire_element(std::int32_t edge) const;     // -1 if the edge is no wire
  std::int32_t point_element(std::int32_t vertex) const;  // -1 if the vertex is in an edge

  std::span<const std::int32_t> around_vertex(std::int32_t vertex) const {
    return list(vertex_start_, vertex_elements_, vertex);
  }
  std::span<const std::int32_t> around_edge(std::int32_t edge) const {
    return list(edge_start_, edge_elements_, edge);
  }

  bool share_vertex(std::int32_t a, std::int32_t b) const {
    const Face &x = corners_[a], &y = corners_[b];
    bool shared = false;
    for (const std::int32_t v : x) shared = shared || v == y[0] || v == y[1] || v == y[2];
    return shared;
  }
  // A vertex of many elements, like the tip of a cone. It makes no two of them adjacent: their orphans would
  // grow with the square of their number.
  bool is_hub(std::int32_t vertex) const {
    return vertex_start_[vertex + 1] - vertex_start_[vertex] > largest_fan;
  }
  // Elements that share a vertex that is no hub.
  bool adjacent(std::int32_t a, std::int32_t b) const {
    if (!share_vertex(a, b)) return false;
    const Face &x = corners_[a], &y = corners_[b];
    for (const std::int32_t v : x) {
      if ((v == y[0] || v == y[1] || v == y[2]) && !is_hub(v)) return true;
    }
    return false;
  }

  // Is (t1, t2) the pair of elements that stands for the test of vertex v of t1 with face t2? The first
  // non-adjacent pair in the fixed order does (Algorithm 1); with none, the first pair.
  bool represents_vertex_face(std::int32_t t1, std::int32_t vertex, std::int32_t t2) const {
    const auto fan = around_vertex(vertex);
    for (const std::int32_t t : fan) {
      if (!adjacent(t, t2)) return t == t1;
    }
    return fan[0] == t1;
  }
  // The same for edge e1 of t1 and edge e2 of t2 (Algorithm 2).
  bool represents_edge_edge(std::int32_t t1, std::int32_t e1, std::int32_t t2, std::int32_t e2) const {
    if (e2 < e1) return represents_edge_edge(t2, e2, t1, e1);
    const auto fan1 = around_edge(e1), fan2 = around_edge(e2);
    for (const std::int32_t a : fan1) {
      for (const std::int32_t b : fan2) {
        if (!adjacent(a, b)) return a == t1 && b == t2;
      }
    }
    return fan1[0] == t1 && fan2[0] == t2;
  }

  std::size_t memory_bytes() const;

 private:
  static std::span<const std::int32_t> list(const std::vector<std::int32_t>& start,
                                            const std::vector<std::int32_t>& items, std::int32_t i) {
    return std::span(items).subspan(start[i], start[i + 1] - start[i]);
  }

  std::int32_t face_count_ = 0;
  std::int32_t first_point_ = 0;
  std::vector<Face> corners_;
  std::vector<std::int32_t> topology_wires_, topology_points_;
  std::vector<std::int32_t> vertex_start_, vertex_elements_;
  std::vector<std::int32_t> edge_start_, edge_elements_;
};

// The new index of each element after a change, -1 where it is gone.
std::vector<std::int32_t> map_elements(const ElementMesh& before, const ElementMesh& after,
                                       const TopologyChange& change);

}  // namespace toccata::deformable::connectivity
