#pragma once
// The two bodies of a question, and whether one is inside the other without their surfaces meeting.
#include "toccata/ccd/body.hpp"
#include "toccata/report/inside.hpp"

namespace toccata::rigid {

struct RigidPair {
  const Shape& shape_a;
  const Motion& motion_a;
  bool solid_a;
  const Shape& shape_b;
  const Motion& motion_b;
  bool solid_b;

  bool any_solid() const { return solid_a || solid_b; }
};

inline RigidPair pair_of(const Body& a, const Body& b) {
  return {a.shape, *a.motion, a.solid, b.shape, *b.motion, b.solid};
}

// The bodies at their poses at t, on world coordinates rounded to double; a part of one inside the other
// counts. Whoever asks knows the surfaces to be apart, up to rounding: where a vertex lies on the other
// surface nevertheless, that counts as inside. None of surfaces.
Inside inside_at(const RigidPair& pair, double t);

}  // namespace toccata::rigid
