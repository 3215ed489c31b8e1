#pragma once
// The connectivity of a deformable scene, derived once from the objects and shared by every pipeline.
#include <cstdint>
#include <vector>

#include "toccata/base/expected.hpp"
#include "toccata/ccd/deformable/deformable_scene.hpp"

namespace toccata::deformable {

struct Topology {
  std::int32_t vertex_count = 0;
  std::vector<Face> faces;
  std::vector<Edge> edges;  // unique, i < j, sorted by (j, i): faces' sides and wires
  // Edge ids of the sides (0,1), (1,2), (2,0) of each face; -1 where a side has two equal corners.
  std::vector<std::array<std::int32_t, 3>> face_edges;
  std::vector<std::int32_t> wires;   // edges of no face, ascending
  std::vector<std::int32_t> points;  // vertices of no edge, ascending
  std::vector<std::int32_t> vertex_object;
  std::vector<std::int32_t> vertex_component;  // numbered by their smallest vertex
  std::int32_t object_count = 0;
  std::int32_t component_count = 0;

  std::size_t memory_bytes() const;
};

// The error names the object and the face or wire with an index out of range.
Expected<Topology> make_topology(const std::vector<DeformableObject>& objects);

// What changed between two topologies, by index. A face is unchanged when it has the same three vertices at
// the same index before and after.
struct TopologyChange {
  std::vector<std::int32_t> removed_faces;  // indices before, ascending: gone or replaced
  std::vector<std::int32_t> added_faces;    // indices after, ascending: new or replacing
  std::vector<Edge> removed_edges;          // by vertices, sorted by (j, i)
  std::vector<Edge> added_edges;
  // New id of each old edge, -1 where removed.
  std::vector<std::int32_t> edge_map;
};

TopologyChange compare_topologies(const Topology& before, const Topology& after);

}  // namespace toccata::deformable
