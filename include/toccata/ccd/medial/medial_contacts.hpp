#pragma once
// Which primitives of deforming medial meshes touch during a step, and when? Centres and radii are given at
// both ends of the step and go straight in between.
// All contacts of the step, self-collision included: every pair of primitives that touches is in the list,
// with a time that is never later than its first contact.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "toccata/base/status.hpp"
#include "toccata/geometry/medial_mesh.hpp"
#include "toccata/impact/ball_hull_impact.hpp"

namespace toccata {

// The same primitives at both ends.
struct MovingMedialMesh {
  MedialMesh t0;
  MedialMesh t1;
};

struct MedialContactsOptions {
  double tolerance = 0.0;   // how close counts as touching; 0: 1e-9 of the lengths that enter
  bool self = true;         // primitives of one mesh, too, unless they share a ball
  bool between = true;      // primitives of different meshes
  bool first_only = false;  // only the earliest contact
  bool boxes = true;        // false: every pair is tested, as in the paper; the answer is the same
  int threads = 0;          // 0 = all cores; the answer does not depend on it
};

struct MedialContact {
  std::int32_t object_a = 0, primitive_a = 0;  // as medial_primitives counts them
  std::int32_t object_b = 0, primitive_b = 0;
  BallHullImpact impact;
};

struct MedialContactsResult {
  Status status = Status::Separated;  // Contact, OverlapAtStart, OutOfBudget or Failed otherwise
  // By time, then by object and primitive. Pairs of one mesh that overlap at the start are neighbours on it:
  // they are counted, and are no contacts.
  std::vector<MedialContact> contacts;
  std::int64_t primitives = 0;
  std::int64_t possible_pairs = 0;       // without boxes
  std::int64_t tested_pairs = 0;         // elementary tests
  std::int64_t neighbours_at_start = 0;  // of one mesh
  std::string failure;
};

MedialContactsResult medial_contacts(std::span<const MovingMedialMesh> objects,
                                     const MedialContactsOptions& options = {});

}  // namespace toccata
