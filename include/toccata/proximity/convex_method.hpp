#pragma once
// How the distance of two convex hulls or boxes is found.
#include <cstdint>
#include <string_view>

#include "toccata/hierarchy/shape.hpp"

namespace toccata {

// All give the same answer: what a method finds is a hint, and one evaluation proves it. Other kinds of
// shapes have no features to walk over and are asked by Gjk always.
enum class ConvexMethod : std::uint8_t {
  Gjk,          // from simplex to simplex of the Minkowski difference (Gilbert, Johnson, Keerthi)
  FeatureWalk,  // from feature to feature over the surfaces (Lin and Canny; V-Clip)
  Levels,       // from coarse hulls to fine ones, walking on each (SWIFT); pays where an error is allowed
};

constexpr std::string_view to_string(ConvexMethod method) {
  constexpr std::string_view names[] = {"gjk", "feature_walk", "levels"};
  return names[static_cast<int>(method)];
}

// Builds now what the method needs of the shape, which the first question does otherwise, once for all copies
// of the shape and all threads (others wait): about 10 microseconds per vertex for FeatureWalk, ten times
// that for Levels; nothing for Gjk.
void prepare(const Shape& shape, ConvexMethod method);

}  // namespace toccata
