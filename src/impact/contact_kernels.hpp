#pragma once
// Where and in which direction features touch, for several contacts at once: plain_contact-inl.hpp, straight
// from the vertices.
#include <cstddef>
#include <cstdint>

#include "impact/moving_features.hpp"
#include "toccata/report/deformable_contact.hpp"

namespace toccata::impact {

inline constexpr std::size_t describe_width = 8;

// Fills weights, point and normal of contacts of one kind, vertex-face or edge-edge, at their time; at most
// describe_width. Returns the bits of those that were filled; the others are for describe_contact.
std::uint32_t describe_in_lanes(const MovingFeatures& features, DeformableContact* contacts,
                                std::size_t count);

}  // namespace toccata::impact
