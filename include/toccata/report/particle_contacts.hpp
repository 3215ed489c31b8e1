#pragma once
// The answer to "when do these particles, or strands, first touch the body".
#include <cstdint>
#include <string>
#include <vector>

#include "toccata/base/status.hpp"
#include "toccata/base/vector.hpp"
#include "toccata/report/feature.hpp"

namespace toccata {

// Fields that hold, by status:
//   Separated       time = 1
//   Contact         everything
//   OverlapAtStart  everything, time = 0; `distance` is negative inside
//   OutOfBudget     time: proven free before it
struct ParticleContact {
  Status status = Status::Separated;
  double time = 1.0;      // never later than the true first contact
  double distance = 0.0;  // from the body's surface at `time`, without the minimum distance; -depth inside
  Vector3 point = Vector3::Zero();       // of the particle or strand at `time`; world
  Vector3 body_point = Vector3::Zero();  // of the body's surface, nearest to it; world
  // Unit, out of the body: the pseudonormal of the nearest feature. Of a surface that is not full, towards
  // the particle. World. Zero if it is not defined.
  Vector3 normal = Vector3::Zero();
  Feature feature;           // of the body; of a mesh that deforms its own vertex, edge or face, part 0
  std::int32_t segment = 0;  // of a strand: from its point `segment` to the next
  double parameter = 0.0;    // along that, in [0, 1]
};

struct ParticleContacts {
  std::vector<ParticleContact> paths;  // of each particle, or of each strand its first
  std::int64_t contacts = 0;           // how many are Contact or OverlapAtStart
  std::int64_t steps = 0;              // moments looked at, all together
  std::string failure;                 // what was wrong with the question; if not empty, nothing else holds
};

}  // namespace toccata
