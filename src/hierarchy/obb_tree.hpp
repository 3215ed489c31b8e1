#pragma once
// A binary tree of oriented boxes in double precision, one triangle per leaf: what the interval and the screw
// method walk.
#include "hierarchy/shape_data.hpp"
#include "toccata/bound/obb.hpp"
#include "toccata/hierarchy/hierarchy.hpp"

namespace toccata {

struct ObbTree {
  Topology topology;
  Hierarchy<Obb> boxes;

  explicit ObbTree(const TriangleMesh& mesh) : topology(build_topology(mesh)), boxes(mesh, topology) {}
};

// Built on first use.
inline const ObbTree& obb_tree_of(const ShapeData& shape) {
  return shape.boxes.get<ObbTree>([&] { return ObbTree(*shape.mesh); });
}

}  // namespace toccata
