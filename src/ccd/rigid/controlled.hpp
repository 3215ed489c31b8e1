#pragma once
// C2A: conservative advancement of the whole pair with a controlled front (Tang, Kim, Manocha 2009).
#include "ccd/rigid/advancement.hpp"

namespace toccata {

// Builds the tree of the method now; it is built at the first query otherwise.
void prepare_controlled(const RigidShapeData& shape);

AdvancementAnswer controlled_to_contact(const AdvancementQuestion& question);

}  // namespace toccata
