#pragma once
// One first-contact question with its options resolved, as every method receives it, and the methods.
#include "toccata/ccd/rigid/first_contact.hpp"

namespace toccata {

struct RigidQuery {
  const RigidShape& shape_a;
  const Motion& motion_a;
  const RigidShape& shape_b;
  const Motion& motion_b;
  double tolerance;  // an absolute distance, > 0
  const RigidContactOptions& options;
};

// Every method fills status, time, lower, contact (and contacts), distance, poses and stats;
// InitialContact::Skip is handled by the caller. Each lives in the file of its name.
FirstContactResult advancement_first_contact(const RigidQuery& query);

}  // namespace toccata
