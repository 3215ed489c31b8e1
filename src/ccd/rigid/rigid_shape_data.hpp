#pragma once
// What a RigidShape holds.
#include "ccd/rigid/lazy_slot.hpp"
#include "hierarchy/box_tree.hpp"
#include "toccata/ccd/rigid/rigid_shape.hpp"

namespace toccata {

struct RigidShapeData {
  TriangleMesh mesh;
  Vector3 center = Vector3::Zero();  // of the bounding box
  double radius = 0.0;               // of the ball around it that holds every vertex, rounded up
  BoxTree tree;                      // for the default method
  // What the other methods prepare, each its own type, on first use:
  LazySlot controlled;
  LazySlot boxes;  // of the interval and the screw method
};

}  // namespace toccata
