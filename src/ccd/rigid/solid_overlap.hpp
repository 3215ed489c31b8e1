#pragma once
// Solids at one time: is one inside the other, without their surfaces meeting?
#include "ccd/search/search_question.hpp"
#include "toccata/ccd/body.hpp"
#include "toccata/report/contact.hpp"
#include "toccata/report/first_contact_result.hpp"

namespace toccata::rigid {

using namespace search;

// The bodies at their poses at t, on world coordinates rounded to double; a part of one inside the other
// counts. Surfaces that meet count as inside, too: whoever asks knows them to be apart up to rounding.
Inside inside_at(const Shape& shape_a, const Pose& pose_a, bool solid_a, const Shape& shape_b,
                 const Pose& pose_b, bool solid_b);

}  // namespace toccata::rigid
