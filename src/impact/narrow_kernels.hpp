#pragma once
// Vertex-face and edge-edge candidates of a step decided in SIMD lanes, straight from the vertices that they
// share: the relative-motion axes and the cubic's Bernstein coefficients first, then certified roots
// (lane_search-inl.hpp), and one by one those whose root is a contact but not enclosed narrowly enough
// (extended_bracket.hpp). The verdict on a pair depends on that pair alone, on any instruction set. All
// coordinates must be finite.
#include <array>
#include <cstddef>
#include <cstdint>

#include "impact/moving_features.hpp"
#include "toccata/report/impact.hpp"

namespace toccata::impact {

inline constexpr std::size_t candidate_block = 1024;

// What is known of the coplanarity cubic of a candidate over the whole step.
enum class CubicKind : std::uint8_t {
  Unknown,
  Crossing,   // it has different signs at the ends
  Returning,  // the same sign
};
inline constexpr int cubic_kind_count = 3;

// Candidates of one kind by their ids (as in FeaturePair), at most candidate_block.
struct Candidates {
  bool edge_edge = false;
  const std::int32_t* first = nullptr;
  const std::int32_t* second = nullptr;
  std::size_t count = 0;
  // Pairs that are proven not to touch in [0, limit] may be called separated; brackets are those of the whole
  // step all the same.
  double limit = 1.0;
  // The cardinal axes were tried before: trying again would not pay.
  bool axes_tested = false;
  CubicKind cubic = CubicKind::Unknown;
};

struct CandidateVerdicts {
  std::size_t separated_by_axis = 0, separated_by_bernstein = 0, separated_by_roots = 0;
  // Contacts: the candidate and a certified bracket of its time ([0, 1] if only asked whether). None of them
  // touches at the start: F is beyond its error there. (Eight more, since vectors are written whole.)
  std::size_t contact_count = 0;
  std::array<std::uint32_t, candidate_block + 8> contact;
  std::array<double, candidate_block + 8> lower, upper;
  std::array<ImpactStage, candidate_block + 8> stage;
  // Candidates for the single call.
  std::size_t open_count = 0;
  std::array<std::uint32_t, candidate_block> open;
};

void decide_in_lanes(const MovingFeatures& features, const Candidates& candidates, bool boolean_only,
                     CandidateVerdicts& verdicts);

}  // namespace toccata::impact
