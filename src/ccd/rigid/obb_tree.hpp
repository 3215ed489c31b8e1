#pragma once
// A binary tree of oriented boxes in double precision, one triangle a leaf: what the interval and the screw
// method walk.
#include "ccd/rigid/pair_state.hpp"
#include "toccata/bound/obb.hpp"
#include "toccata/hierarchy/hierarchy.hpp"

namespace toccata {

struct ObbTree {
  Topology topology;
  Hierarchy<Obb> boxes;

  explicit ObbTree(const TriangleMesh& mesh) : topology(build_topology(mesh)), boxes(mesh, topology) {}
};

// Built on first use.
inline const ObbTree& obb_tree_of(const MovingShape& body) {
  return body.shape->boxes.get<ObbTree>([&] { return ObbTree(body.shape->mesh); });
}

}  // namespace toccata
