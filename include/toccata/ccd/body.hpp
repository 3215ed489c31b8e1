#pragma once
// What moves: a shape and how it moves over t in [0, 1].
//
//   const Body blade = {load_mesh("blade.stl").value(), RigidMotion(from, to)};
//   const Body post = {post_mesh};               // stands still
//   const Body crate = {crate_mesh, pose, true};  // stands at a pose, and is full inside
#include "toccata/hierarchy/shape.hpp"
#include "toccata/motion/owned_motion.hpp"

namespace toccata {

struct Body {
  Shape shape;
  OwnedMotion motion = {};
  // A surface (false): one body strictly inside the other is apart from it. A solid (true): that is an
  // overlap. The mesh of a solid must be closed; a query on one that is not ends Failed and says where.
  bool solid = false;
};

// Two bodies of a batch.
struct BodyPair {
  Body a;
  Body b;
};

}  // namespace toccata
