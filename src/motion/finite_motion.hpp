#pragma once
// Is a motion made of finite numbers? Nothing can be proven about others.
#include "toccata/motion/motion.hpp"

namespace toccata {

// Looks at the expansion at the start of every piece, and at the start and the end of the whole.
bool is_finite(const Motion& motion);

}  // namespace toccata
