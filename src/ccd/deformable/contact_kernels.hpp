#pragma once
// Where and in which direction features touch, for several contacts at once: the formulas of
// impact/contact_geometry.cpp for points in the interior of well-shaped features.
#include <cstddef>
#include <cstdint>

#include "ccd/deformable/pipeline.hpp"
#include "toccata/report/deformable_contact.hpp"

namespace toccata::deformable {

inline constexpr std::size_t describe_width = 8;

// Fills weights, point and normal of contacts of one kind, vertex-face or edge-edge, at their time; at most
// describe_width. Returns the bits of those that were filled; the others are for describe_contact.
std::uint32_t describe_in_lanes(const Topology& topology, const Step& step, DeformableContact* contacts,
                                std::size_t count);

}  // namespace toccata::deformable
