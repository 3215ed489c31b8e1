#pragma once
// The connectivity of a deformable scene, derived once from the objects and shared by every pipeline.
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "toccata/base/expected.hpp"
#include "toccata/geometry/deformable_object.hpp"

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
  // First vertex and first face of each object, and one more.
  std::vector<std::int32_t> object_vertices, object_faces;
  std::vector<std::int32_t> vertex_component;  // numbered by their smallest vertex
  std::int32_t object_count = 0;
  std::int32_t component_count = 0;

  std::size_t memory_bytes() const;
};

// The error names the object and the face or wire with an index out of range.
Expected<Topology> make_topology(const std::vector<DeformableObject>& objects, int threads = 1);

// What changed between two topologies. A vertex is the same as before when it has the same index within the
// same object; a face when its object has a face of the same three vertices in the same order, at any index.
struct TopologyChange {
  // New id of each old vertex, edge and face; -1 where it is gone. Those of vertices and edges rise.
  std::vector<std::int32_t> vertex_map, edge_map, face_map;
  std::vector<std::int32_t> removed_faces;  // ids before, ascending
  std::vector<std::int32_t> added_faces;    // ids after, ascending
  std::vector<Edge> removed_edges;          // by vertices before, sorted by (j, i)
  std::vector<Edge> added_edges;            // by vertices after
  // Nothing is renumbered: the maps hold -1 or the index itself.
  bool vertices_keep_ids = true, edges_keep_ids = true, faces_keep_ids = true;
};

// The topology of the new objects from that of the old ones: only edges, wires and points at changed faces
// and wires are looked for again, the rest is copied. Equal to make_topology(objects).
struct RepairedTopology {
  Topology topology;
  TopologyChange change;
};
Expected<RepairedTopology> repair_topology(const Topology& before,
                                           const std::vector<DeformableObject>& objects);

// The same in place, if only some faces were replaced or added at the end, and vertices added at the end;
// otherwise nothing is done.
std::optional<TopologyChange> patch_topology(Topology& topology,
                                             const std::vector<DeformableObject>& objects);

// First one change, then another: maps and added faces only.
TopologyChange compose(const TopologyChange& first, const TopologyChange& second);

}  // namespace toccata::deformable
