#pragma once
// Redon, Kheddar, Coquillart 2002: interval arithmetic over spans of time, on the continuous separating-axis
// test of oriented boxes and on the elementary contact equations.
#include "ccd/rigid/advancement.hpp"

namespace toccata {

AdvancementAnswer interval_to_contact(const AdvancementQuestion& question);

}  // namespace toccata
