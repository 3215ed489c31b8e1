#include "impact/distance_kernels.hpp"

#include <cassert>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impact/distance_kernels.cpp"
#include <hwy/foreach_target.h>
// after foreach_target
#include <hwy/highway.h>

#include "impact/distance_lanes-inl.hpp"
#include "impact/vertex_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::impact::HWY_NAMESPACE {
namespace {

// From this step on directions turn along with the features: steps_with_fixed_directions of the single call.
constexpr int first_turning_step = 16;
// Nearly all end much sooner.
constexpr int steps_in_lanes = 256;

// What one step does to the candidates of the lanes, a bit each.
struct StepBits {
  std::uint32_t touches, is_free, goes_on;
};

HWY_INLINE std::uint32_t bits_of(LaneMask mask) {
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(LaneTag(), mask, bits);
  return bits[0];
}

// One step from t, which becomes the time of the next. In the order of distance_impact: close enough, free
// until the end, or on, unless rounding leaves no way forward. Turning steps keep their stride.
template <bool edge_edge, bool turning>
HWY_INLINE StepBits distance_step(const Lane* x, const LinearImpactOptions& options, Lane& t, Lane& stride) {
  LaneHull<edge_edge> hull;
  lane_hull(x, hull);
  const Lane d = lane(options.minimum_distance) * hull.scale, end = lane(options.t_max);
  const Lane reach =
      d * lane(1.0 + options.relative_distance_tolerance) + lane(16.0 * unit_roundoff) * hull.magnitude;
  const LaneMoment<edge_edge> now(hull, t);
  const LaneClosest closest(now.points);
  const LaneMask touches = hn::Le(closest.squared_norm(), reach * reach);
  const LaneInterval interval = {t, end};
  const Lane along_normal = free_along(hull, closest.direction(), d, interval);
  const Lane along_gap = free_along(hull, closest.point(), d, interval);
  Lane next = hn::IfThenElse(hn::Lt(along_normal, along_gap), along_gap, along_normal);
  LaneMask is_free = hn::Ge(next, end), goes_on = hn::Gt(next, t);
  if constexpr (turning) {
    stride = hn::Max(stride + stride, lane(4.0) * (next - t));
    const Lane later_t = hn::Min(t + stride, end);
    const LaneMoment<edge_edge> later(hull, later_t);
    const LaneClosest later_closest(later.points);
    const LaneMask leaps =
        hn::And(hn::Gt(later_t, next),
                free_between(now, later, closest.direction(), later_closest.direction(), d, hull.magnitude));
    is_free = hn::Or(is_free, hn::And(leaps, hn::Ge(later_t, end)));
    stride = hn::IfThenElse(leaps, stride, stride * lane(0.125));
    goes_on = hn::Or(hn::Or(goes_on, leaps), hn::Gt(stride, lane(2.0 * unit_roundoff)));
    next = hn::IfThenElse(leaps, later_t, next);
  }
  t = next;
  const std::uint32_t usual = bits_of(hull.is_usual), touching = bits_of(touches) & usual;
  const std::uint32_t free = bits_of(is_free) & usual & ~touching;
  return {touching, free, bits_of(goes_on) & usual & ~(touching | free)};
}

// Candidates that are not decided yet, and how far they are.
struct DistanceFront {
  std::size_t count = 0;
  std::array<std::uint32_t, candidate_block> candidate;
  std::array<double, candidate_block> time, stride;
};

// One step of all of them; those that are left move to the front.
template <bool edge_edge, bool turning>
HWY_NOINLINE void distance_steps(const MovingFeatures& features, const Candidates& candidates,
                                 const LinearImpactOptions& options, DistanceFront& front,
                                 DistanceVerdicts& out) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < front.count; i += lane_count) {
    const std::size_t used = front.count - i < lane_count ? front.count - i : lane_count;
    std::uint32_t index[lane_count];
    HWY_ALIGN double from[lane_count], to[lane_count], strides[lane_count];
    for (std::size_t l = 0; l < lane_count; ++l) {
      const std::size_t at = i + (l < used ? l : 0);
      index[l] = front.candidate[at];
      from[l] = front.time[at];
      strides[l] = front.stride[at];
    }
    Lane x[24];
    load_motion<edge_edge>(features, candidates, index, x);
    Lane t = hn::Load(LaneTag(), from), stride = hn::Load(LaneTag(), strides);
    const StepBits bits = distance_step<edge_edge, turning>(x, options, t, stride);
    hn::Store(t, LaneTag(), to);
    hn::Store(stride, LaneTag(), strides);
    for (std::size_t l = 0; l < used; ++l) {
      if ((bits.is_free >> l) & 1U) {
        ++out.separated;
      } else if ((bits.goes_on >> l) & 1U) {
        front.candidate[kept] = index[l];
        front.stride[kept] = strides[l];
        front.time[kept++] = to[l];
      } else if ((bits.touches >> l) & 1U) {
        out.contact[out.contact_count] = index[l];
        out.time[out.contact_count++] = from[l];
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
  for (std::size_t i = 0; i < front.count; ++i) {
    front.candidate[i] = static_cast<std::uint32_t>(i);
    front.time[i] = front.stride[i] = 0.0;
  }
  for (int step = 0; step < steps_in_lanes && front.count > 0; ++step) {
    if (step < first_turning_step) {
      distance_steps<edge_edge, false>(features, candidates, options, front, out);
    } else {
      distance_steps<edge_edge, true>(features, candidates, options, front, out);
    }
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
