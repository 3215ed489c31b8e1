#pragma once
// One first-contact question with its options resolved.
#include <string>

#include "ccd/rigid/solid_overlap.hpp"
#include "ccd/search/contact_search.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"

namespace toccata::rigid {

using namespace search;

struct RigidQuery : RigidPair {
  double tolerance;  // an absolute distance, >= 0
  const FirstContactOptions& options;
  const StopWatch* stop;  // null: nothing stops it
};

// The answer by the method asked for, solids and touching at the start included.
FirstContactResult answered(const RigidQuery& query, SearchMemory& memory);

// The same from `begin` on, as if it were the start; solids in each other are not looked for.
FirstContactResult answered_from(double begin, const RigidQuery& query, SearchMemory& memory);

// The answer to a question that ran out before it was begun.
FirstContactResult unanswered(const RigidQuery& query);

// The answer to a question that could not be asked.
FirstContactResult failed(std::string failure);

}  // namespace toccata::rigid
