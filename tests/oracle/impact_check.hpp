#pragma once
// Judges the library's answer to an elementary motion by the exact oracle.
#include <string>

#include "oracle/impact_oracle.hpp"

namespace toccata::oracle {

Impact library_answer(FeaturePairKind pair, const LinearMotion4& motion,
                      const LinearImpactOptions& options = {});

// What is wrong with `impact` as an answer, as a text with the inputs in hexadecimal; empty when nothing is.
// Checks status and bracket, exactly, against the guarantees of linear_impact.hpp.
std::string fault_of(const Impact& impact, FeaturePairKind pair, const LinearMotion4& motion,
                     const LinearImpactOptions& options = {});
// The same for the library's own answer.
std::string fault_of_library(FeaturePairKind pair, const LinearMotion4& motion,
                             const LinearImpactOptions& options = {});

// What is wrong with the weights, the point and the normal of an answer: these are floating-point values at
// `time`, so they are judged by how far apart the two weighted points are beside the size of the scene.
std::string place_fault_of(const Impact& impact, FeaturePairKind pair, const LinearMotion4& motion,
                           const LinearImpactOptions& options = {});

// Every field equal, bit by bit.
bool is_identical(const Impact& a, const Impact& b);

}  // namespace toccata::oracle
