#pragma once
// What closest_approach keeps from one question on a pair of bodies to the next.
#include "ccd/rigid/advancement.hpp"
#include "ccd/rigid/rigid_shape_data.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"

namespace toccata {

// Two triangles at a time.
struct PairAtMoment {
  std::int32_t triangle_a = -1;
  std::int32_t triangle_b = -1;
  double time = 0.0;

  bool known() const { return triangle_a >= 0; }
};

struct ApproachMemory {
  AdvancementMemory search;
  PairAtMoment nearest;  // of the last question: where the next one begins to look
};

ClosestApproachResult closest_approach(const RigidShape& shape_a, const Motion& motion_a,
                                       const RigidShape& shape_b, const Motion& motion_b,
                                       const ClosestApproachOptions& options, ApproachMemory& memory);

}  // namespace toccata
