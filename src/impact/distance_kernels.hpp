#pragma once
// Vertex-face and edge-edge candidates of a step with a minimum distance, decided in SIMD lanes: the
// probes of distance_impact, each taken for all candidates before the next. The bits are those of the single
// call. All coordinates must be finite.
#include <array>
#include <cstddef>
#include <cstdint>

#include "impact/moving_features.hpp"
#include "impact/narrow_kernels.hpp"
#include "toccata/impact/linear_impact.hpp"

namespace toccata::impact {

struct DistanceVerdicts {
  std::size_t separated = 0;
  // Candidates that come within the distance, and when.
  std::size_t contact_count = 0;
  std::array<std::uint32_t, candidate_block> contact;
  std::array<double, candidate_block> time;
  // Candidates for the single call: many probes, coordinates of unusual size, or no progress.
  std::size_t open_count = 0;
  std::array<std::uint32_t, candidate_block> open;
};

// precondition: options.minimum_distance > 0 and options.budget == 0. Of the candidates only their ids count.
void distances_in_lanes(const MovingFeatures& features, const Candidates& candidates,
                        const LinearImpactOptions& options, DistanceVerdicts& verdicts);

}  // namespace toccata::impact
