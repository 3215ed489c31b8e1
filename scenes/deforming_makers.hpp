#pragma once
// One function per deforming scene; see deforming_scene.hpp.
#include <memory>

#include "scenes/deforming_scene.hpp"

namespace toccata::scenes {

std::unique_ptr<DeformingScene> make_cloth_on_ball(int triangles, std::uint64_t seed);
std::unique_ptr<DeformingScene> make_smooth_cloth(int triangles, std::uint64_t seed);
std::unique_ptr<DeformingScene> make_skirt(int triangles, std::uint64_t seed);
std::unique_ptr<DeformingScene> make_ruffles(int triangles, std::uint64_t seed);
std::unique_ptr<DeformingScene> make_balls(int triangles, std::uint64_t seed);
std::unique_ptr<DeformingScene> make_letters(int triangles, std::uint64_t seed);
std::unique_ptr<DeformingScene> make_breaking(int triangles, std::uint64_t seed);

}  // namespace toccata::scenes
