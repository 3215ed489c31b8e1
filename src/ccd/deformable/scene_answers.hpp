#pragma once
// From what the narrow phase kept to the answers of a DeformableScene, and from options that mean nothing to
// the sentence that says so.
#include <string>
#include <vector>

#include "ccd/deformable/pipeline.hpp"
#include "toccata/ccd/deformable/deformable_result.hpp"

namespace toccata::deformable {

// What is wrong with the options, and what to do; empty if nothing is.
std::string unusable_option(const DeformableOptions& options);
std::string negative_threads(int threads);

// Nothing is proven: not even the start of the step is free.
SafeStep failed_step(std::string failure);

// The question was stopped: everything is proven to be free before `free_until`, and no more.
FirstContactResult undecided_step(double free_until);

// The earliest of the contacts that a question in NarrowMode::First kept, sorted by pair.
// exact: no minimum distance was asked for. The contact is described here, since only its time was kept.
FirstContactResult first_among(const Topology& topology, const Step& step,
                               const std::vector<DeformableContact>& contacts, bool exact);

// [0, fraction] is free of contact, by what is proven of the first one.
double free_fraction(const FirstContactResult& first);

}  // namespace toccata::deformable
