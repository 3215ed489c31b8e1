#pragma once
// An engine that is told where all polytopes are, and finds the overlapping ones with their depths.
#include <memory>

#include "polytopes.hpp"

namespace toccata::bench {

struct Hits {
  std::size_t near = 0;  // pairs of boxes
  std::size_t hits = 0;
  double depth = 0.0;  // the sum
};

class FramePeer {
 public:
  virtual ~FramePeer() = default;
  virtual Hits frame(const Polytopes& polytopes) = 0;
};

// How an engine finds the pairs of boxes that overlap.
enum class PeerPairs {
  Tree,   // its tree of boxes
  World,  // Bullet alone: all it does in performDiscreteCollisionDetection, contacts kept from frame to frame
  All,    // every pair is looked at
};

std::unique_ptr<FramePeer> bullet_frames(const Polytopes& polytopes, PeerPairs kind);
std::unique_ptr<FramePeer> fcl_frames(const Polytopes& polytopes, PeerPairs kind);

}  // namespace toccata::bench
