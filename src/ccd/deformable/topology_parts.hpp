#pragma once
// What building a topology and repairing one have in common.
#include <vector>

#include "ccd/deformable/topology.hpp"

namespace toccata::deformable {

inline bool edge_less(const Edge& a, const Edge& b) {
  return a[1] != b[1] ? a[1] < b[1] : a[0] < b[0];
}

inline Edge ordered(std::int32_t i, std::int32_t j) {
  return i < j ? Edge{i, j} : Edge{j, i};
}

// Faces, vertices and where each object begins; returns the wires, with their ends in order. The error names
// the object and the face or wire with an index out of range.
Expected<std::vector<Edge>> lay_out_objects(const std::vector<DeformableObject>& objects, Topology& topology);

// Components from the edges.
void find_components(Topology& topology);

}  // namespace toccata::deformable
