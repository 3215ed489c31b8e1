#pragma once
// Fewer balls for a cover: one is taken out, and balls are exchanged until all samples are held again, or the
// budget of work is spent. Samples that stay open for long weigh more and more, so that the search does not
// go in circles. No randomness and no clock: the same question has the same answer.
#include <cstdint>
#include <span>
#include <vector>

#include "toccata/geometry/medial_mesh.hpp"

namespace toccata::medial {

struct ExchangeQuestion {
  std::size_t balls = 0;
  std::size_t samples = 0;
  std::span<const MedialPrimitive> primitives;      // of the balls
  std::span<const std::vector<std::int32_t>> held;  // samples that each primitive holds
  std::size_t wanted = 0;                           // so few are enough
  std::int64_t work = 0;                            // samples that may be looked at
};

// precondition: `is_in` says which balls are in the cover, and all their primitives together hold all
// samples. They still do so afterwards, and there are not more of them.
void exchange_balls(const ExchangeQuestion& question, std::vector<bool>& is_in);

}  // namespace toccata::medial
