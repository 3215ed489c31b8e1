#pragma once
// How deep two solids are in each other.
#include <optional>

#include "toccata/proximity/penetration.hpp"

namespace toccata::depth {

// `known`: status, bracket and contact, where they are known to rounding from elsewhere.
PenetrationResult solid_penetration(const PlacedShape& a, const PlacedShape& b,
                                    const PenetrationOptions& options,
                                    const std::optional<PenetrationResult>& known);

}  // namespace toccata::depth
