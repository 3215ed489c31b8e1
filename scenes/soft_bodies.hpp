#pragma once
// Closed bodies that deform and are in each other: in kind like the scenes of Tables 1 and 2 of Hoff et al.
// (the course's proximity queries on a grid), made here.
#include <span>
#include <string_view>
#include <vector>

#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata::scenes {

// The bodies at a moment; a period is 1. Neighbours in the list are in each other.
// "cylinders" (2,000 triangles): two that bend; "tori" (5,000): two that are linked and swell; "hearts"
// (8,000): two that beat; "rings" (15,000): a rigid chain of five that turn. An unknown name gives none.
std::vector<TriangleMesh> soft_bodies(std::string_view name, double moment);
std::span<const std::string_view> soft_body_names();

}  // namespace toccata::scenes
