#include "ccd/rigid/contact_exit.hpp"

#include <algorithm>

#include "ccd/rigid/advancement.hpp"
#include "ccd/rigid/persistence.hpp"
#include "ccd/rigid/static_pair.hpp"

namespace toccata {
namespace {

// How many of the touching pairs are asked how long they last.
constexpr std::size_t most_witnesses = 64;

}  // namespace

ContactExit contact_exit(const MovingShape& a, const MovingShape& b, double begin, double tolerance,
                         double resolution, QueryStats& stats, std::int64_t budget) {
  PairStates states(a, b);
  const std::int64_t before = stats.node_pairs + stats.triangle_pairs;
  double t = begin;
  NearestTriangles witness;
  while (t < 1.0) {
    if (budget > 0 && stats.node_pairs + stats.triangle_pairs - before > budget) return {t, 1.0, true, true};
    const double end = std::min({1.0, a.motion->next_breakpoint(t), b.motion->next_breakpoint(t)});
    const PairState state = states.at(t, end);
    const auto lasting = [&](const NearestTriangles& pair) {
      ++stats.triangle_pairs;
      return contact_step(state, corners_of(*a.shape, pair.triangle_a), corners_of(*b.shape, pair.triangle_b),
                          tolerance);
    };
    double step = witness.triangle_a >= 0 ? lasting(witness) : 0.0;
    if (step < resolution) {
      const auto pairs = triangles_within(state, *a.shape, *b.shape, tolerance, stats);
      // Evenly spread over the contact.
      const std::size_t stride = 1 + pairs.size() / most_witnesses;
      for (std::size_t i = 0; i < pairs.size(); i += stride) {
        const double lasts = lasting(pairs[i]);
        if (lasts > step || witness.triangle_a < 0) {
          step = std::max(step, lasts);
          witness = pairs[i];
        }
      }
    }
    ++stats.steps;
    if (step >= resolution) {
      t = std::min(end, later(t, step));
      continue;
    }
    const double next = std::min(1.0, t + resolution);
    const double there = std::min(1.0, std::max(next, later(t, resolution)));
    const double window = std::min({1.0, a.motion->next_breakpoint(there), b.motion->next_breakpoint(there)});
    witness = nearest_triangles(states.at(there, window), *a.shape, *b.shape, tolerance, stats);
    if (witness.triangle_a < 0) return {t, there, false, false};
    t = there;
  }
  return {};
}

}  // namespace toccata
