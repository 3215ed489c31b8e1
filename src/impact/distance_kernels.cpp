#include "impact/distance_kernels.hpp"

#include <cassert>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impact/distance_kernels.cpp"
#include <hwy/foreach_target.h>
// after foreach_target
#include <hwy/highway.h>

#include "impact/distance_search-inl.hpp"
#include "impact/vertex_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::impact::HWY_NAMESPACE {
namespace {

// Nearly all end much sooner.
constexpr int probes_in_lanes = 256;

template <bool edge_edge>
using LaneDifferences = MovingDifferences<Lane, edge_edge ? 4 : 3>;

// 2^-e, where the number is 2^e times one in [1/2, 1): not zero, not beyond 1e300 or below 1e-300.
HWY_INLINE Lane inverse_power(Lane number) {
  const hn::RebindToUnsigned<LaneTag> bits;
  const auto exponent = hn::And(hn::BitCast(bits, number), hn::Set(bits, 0x7ff0000000000000ULL));
  return hn::BitCast(LaneTag(), hn::Sub(hn::Set(bits, 2045ULL << 52U), exponent));
}

// Scaled so that the largest coordinate is below one; x[12 * end + 3 * point + axis].
template <bool edge_edge>
struct ScaledDifferences {
  LaneDifferences<edge_edge> hull;
  Lane scale;         // a power of two
  LaneMask is_usual;  // of a size whose squares and scale are in range

  HWY_INLINE explicit ScaledDifferences(const Lane* x) {
    Lane largest = hn::Zero(LaneTag());
    for (int i = 0; i < 24; ++i) largest = hn::Max(largest, hn::Abs(x[i]));
    is_usual = hn::And(hn::Gt(largest, lane(1e-60)), hn::Lt(largest, lane(1e60)));
    scale = inverse_power(hn::IfThenElse(is_usual, largest, lane(1.0)));
    constexpr int first = edge_edge ? 2 : 1;
    for (int i = 0, n = 0; i < first; ++i) {
      for (int j = first; j < 4; ++j, ++n) {
        for (int k = 0; k < 3; ++k) {
          hull.t0[n][k] = x[3 * j + k] * scale - x[3 * i + k] * scale;
          hull.t1[n][k] = x[12 + 3 * j + k] * scale - x[12 + 3 * i + k] * scale;
        }
      }
    }
    hull.measure();
  }
};

HWY_INLINE std::uint32_t bits_of(LaneMask mask) {
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(LaneTag(), mask, bits);
  return bits[0];
}

// Candidates that are not decided yet, and how far they are. (Vectors are read and written whole.)
struct DistanceFront {
  static constexpr std::size_t capacity = candidate_block + 8;
  std::size_t count = 0;
  std::array<std::uint32_t, capacity> candidate;
  double numbers[8][capacity];

  static HWY_INLINE void visit(DistanceSearch<Lane>& search, const auto& each) {
    each(0, search.t);
    each(1, search.probe);
    for (std::size_t k = 0; k < 3; ++k) each(2 + k, search.n[k]);
    each(5, search.lowest);
    each(6, search.leap);
    each(7, search.aim);
  }
  HWY_INLINE void load(std::size_t i, DistanceSearch<Lane>& search) const {
    visit(search, [&](std::size_t row, Lane& x) HWY_ATTR { x = hn::LoadU(LaneTag(), numbers[row] + i); });
  }
  // The lanes of the mask, packed.
  HWY_INLINE void store(std::size_t i, LaneMask mask, DistanceSearch<Lane>& search) {
    visit(search, [&](std::size_t row, Lane& x)
                      HWY_ATTR { hn::StoreU(hn::Compress(x, mask), LaneTag(), numbers[row] + i); });
  }
};

// One probe of all of them; those that are left move to the front.
template <bool edge_edge, bool first>
HWY_NOINLINE void probe_all(const MovingFeatures& features, const Candidates& candidates,
                            const LinearImpactOptions& options, DistanceFront& front, DistanceVerdicts& out) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < front.count; i += lane_count) {
    const std::size_t used = front.count - i < lane_count ? front.count - i : lane_count;
    std::uint32_t index[lane_count];
    for (std::size_t l = 0; l < lane_count; ++l) index[l] = front.candidate[i + (l < used ? l : 0)];
    Lane x[24];
    load_motion<edge_edge>(features, candidates, index, x);
    const ScaledDifferences<edge_edge> scaled(x);
    const auto question =
        distance_question(lane(options.minimum_distance) * scaled.scale, options.relative_distance_tolerance,
                          scaled.hull.extent, options.t_max);
    DistanceSearch<Lane> search;
    if constexpr (first) {
      start_search(search);
    } else {
      front.load(i, search);
    }
    const auto verdict = probe_distance<first>(scaled.hull, question, search);
    const LaneMask present = hn::And(scaled.is_usual, hn::FirstN(LaneTag(), used));
    const LaneMask goes_on = hn::And(verdict.goes_on, present);
    const std::uint32_t left = bits_of(goes_on), touches = bits_of(hn::And(verdict.touches, present));
    const std::uint32_t is_free = bits_of(hn::And(verdict.is_free, present));
    HWY_ALIGN double time[lane_count];
    hn::Store(search.t, LaneTag(), time);
    front.store(kept, goes_on, search);
    for (std::size_t l = 0; l < used; ++l) {
      if ((is_free >> l) & 1U) {
        ++out.separated;
      } else if ((left >> l) & 1U) {
        front.candidate[kept++] = index[l];
      } else if ((touches >> l) & 1U) {
        out.contact[out.contact_count] = index[l];
        out.time[out.contact_count++] = time[l];
      } else {
        out.open[out.open_count++] = index[l];
      }
    }
  }
  front.count = kept;
}

template <bool edge_edge>
void decide_distances(const MovingFeatures& features, const Candidates& candidates,
                      const LinearImpactOptions& options, DistanceVerdicts& out) {
  DistanceFront front;
  front.count = candidates.count;
  for (std::size_t i = 0; i < front.count; ++i) front.candidate[i] = static_cast<std::uint32_t>(i);
  probe_all<edge_edge, true>(features, candidates, options, front, out);
  for (int i = 1; i < probes_in_lanes && front.count > 0; ++i) {
    probe_all<edge_edge, false>(features, candidates, options, front, out);
  }
  for (std::size_t i = 0; i < front.count; ++i) out.open[out.open_count++] = front.candidate[i];
}

}  // namespace

void decide_distance_lanes(const MovingFeatures& features, const Candidates& candidates,
                           const LinearImpactOptions& options, DistanceVerdicts& verdicts) {
  if (candidates.edge_edge) {
    decide_distances<true>(features, candidates, options, verdicts);
  } else {
    decide_distances<false>(features, candidates, options, verdicts);
  }
}

}  // namespace toccata::impact::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::impact {

HWY_EXPORT(decide_distance_lanes);

void distances_in_lanes(const MovingFeatures& features, const Candidates& candidates,
                        const LinearImpactOptions& options, DistanceVerdicts& verdicts) {
  assert(candidates.count <= candidate_block);
  verdicts.separated = verdicts.contact_count = verdicts.open_count = 0;
  HWY_DYNAMIC_DISPATCH(decide_distance_lanes)(features, candidates, options, verdicts);
}

}  // namespace toccata::impact
#endif
