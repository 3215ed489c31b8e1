#pragma once
// How long two triangles surely stay within reach of each other, seen from the body of one of them.
#include "motion/relative_path.hpp"
#include "toccata/elementary/triangle.hpp"

namespace toccata::search {

struct LastingContact {
  Triangle onlooker;  // does not move, exact
  Triangle moving;    // its corners are where `path` says, within place_error
  double place_error = 0.0;
  double reach = 0.0;
  double horizon = 0.0;  // the longest step of interest
  double enough = 0.0;   // no better proof is looked for
};

// The longest of the proofs found; 0 if there is none. `path` speaks of the moving triangle's body.
double lasting_contact(const LastingContact& contact, const RelativePath& path);

}  // namespace toccata::search
