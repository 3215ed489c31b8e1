#pragma once
// The bodies that are asked about, by id: those of a world, and the one that is cast into it, -1.
#include "world/world_state.hpp"

namespace toccata::world {

struct AskedBodies {
  const WorldState& state;
  const Body* cast = nullptr;

  SeenBody operator[](std::int32_t id) const {
    if (id < 0) return {cast->shape, *cast->motion, cast->solid};
    return state.bodies[static_cast<std::size_t>(id)].seen();
  }
  const DeformingBody* deforming(std::int32_t id) const { return state.deforming_of(id); }
  bool any_deforms(const IndexPair& pair) const {
    return deforming(pair.first) != nullptr || deforming(pair.second) != nullptr;
  }
};

}  // namespace toccata::world
