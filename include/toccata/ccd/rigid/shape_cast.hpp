#pragma once
// How far can a shape go straight ahead until it touches another?
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/proximity/placed_shape.hpp"

namespace toccata {

// The first contact of `cast`, moved along `way` without turning, with `target`, which stands still: `time`
// is the share of the way, all else as first_contact says. Meshes are surfaces, other kinds solids.
FirstContactResult shape_cast(const PlacedShape& cast, const Vector3& way, const PlacedShape& target,
                              const FirstContactOptions& options = {});

}  // namespace toccata
