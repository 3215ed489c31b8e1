#pragma once
// A broad phase that is told of new boxes at every step.
#include <memory>
#include <span>

#include "toccata/bound/aabb.hpp"

namespace toccata::bench {

class Peer {
 public:
  virtual ~Peer() = default;
  // Moves all boxes and counts the pairs that it finds; a peer that fattens its boxes finds more.
  virtual std::size_t step(std::span<const Aabb> boxes) = 0;
};

std::unique_ptr<Peer> bullet_dbvt(std::span<const Aabb> boxes);
std::unique_ptr<Peer> fcl_tree(std::span<const Aabb> boxes);

}  // namespace toccata::bench
