#pragma once
// Is a motion made of finite numbers? Nothing can be proven about others.
#include "toccata/motion/motion.hpp"

namespace toccata {

// Looks at the expansion at the begin of every piece, and at the begin and the end of the whole.
bool is_finite(const Motion& motion);

}  // namespace toccata
