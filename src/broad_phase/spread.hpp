#pragma once
// Where boxes are and how large they usually are, from a sample of them: what a grid is made for.
#include <cstdint>
#include <span>

#include "toccata/bound/aabb.hpp"

namespace toccata::broad_phase {

struct Spread {
  Vector3 middle = Vector3::Zero();
  Vector3 width = Vector3::Ones();  // of a region that holds most of the boxes' middles
  Vector3 size = Vector3::Zero();   // of a usual box
};

// precondition: there are ids.
Spread spread_of(std::span<const Aabb> boxes, std::span<const std::int32_t> ids);

}  // namespace toccata::broad_phase
