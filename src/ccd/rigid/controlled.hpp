#pragma once
// C2A: conservative advancement of the whole pair with a controlled front (Tang, Kim, Manocha 2009).
#include "ccd/rigid/advancement.hpp"

namespace toccata {

AdvancementAnswer controlled_to_contact(const AdvancementQuestion& question);

}  // namespace toccata
