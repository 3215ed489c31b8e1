// The batch: the first two filters in SIMD lanes, the survivors one by one. A lane performs the operations
// of the single call in the same order, so the answers are the same bits.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impact/linear_impact_batch.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "impact/coplanarity-inl.hpp"
#include "impact/filter_bounds.hpp"
#include "toccata/impact/linear_impact.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::impact_filter {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Sets the stage of the queries [begin, end) that the filters decide and writes the others to `survivors`.
// Whole vectors only: returns the first query that was not looked at.
template <bool edge_edge>
HWY_NOINLINE std::size_t filter_block(const LinearMotionBatch& batch, std::size_t begin, std::size_t end,
                                      ImpactStage* stages, std::uint32_t* survivors, std::size_t& count) {
  const hn::ScalableTag<double> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t lanes = hn::Lanes(d);
  const V zero = hn::Zero(d);
  std::size_t q = begin;
  for (; q + lanes <= end; q += lanes) {
    V x[24];
    for (int i = 0; i < 24; ++i) x[i] = hn::LoadU(d, batch.coordinates[static_cast<std::size_t>(i)] + q);
    RelativeMotion<V> m;
    AxisRange<V> range;
    if constexpr (edge_edge) {
      edge_edge_relative(x, m, range);
    } else {
      vertex_face_relative(x, m, range);
    }
    auto apart = hn::Or(hn::Gt(range.low[0], zero), hn::Lt(range.high[0], zero));
    for (int k = 1; k < 3; ++k) {
      apart = hn::Or(apart, hn::Or(hn::Gt(range.low[k], zero), hn::Lt(range.high[k], zero)));
    }
    if (hn::AllTrue(d, apart)) continue;  // stages are Axis from the start
    const Cubic<V> f = coplanarity(m);
    const V* r = range.magnitude;
    const V lowest = smaller(smaller(r[0], r[1]), r[2]);
    const V highest = larger(larger(r[0], r[1]), r[2]);
    const auto in_range = hn::And(hn::Gt(lowest, hn::Set(d, smallest_magnitude)),
                                  hn::Lt(highest, hn::Set(d, largest_magnitude)));
    const V product = (r[0] * r[1]) * r[2];
    const V ends = hn::Set(d, cubic_end_error) * product;
    const V inner = hn::Set(d, cubic_inner_error) * product;
    const auto positive = hn::And(hn::And(hn::Gt(f.c[0], ends), hn::Gt(f.c[3], ends)),
                                  hn::And(hn::Gt(f.c[1], inner), hn::Gt(f.c[2], inner)));
    const V minus_ends = hn::Neg(ends), minus_inner = hn::Neg(inner);
    const auto negative = hn::And(hn::And(hn::Lt(f.c[0], minus_ends), hn::Lt(f.c[3], minus_ends)),
                                  hn::And(hn::Lt(f.c[1], minus_inner), hn::Lt(f.c[2], minus_inner)));
    const auto one_sided = hn::And(in_range, hn::Or(positive, negative));
    HWY_ALIGN std::uint8_t apart_bits[8] = {}, one_sided_bits[8] = {};
    hn::StoreMaskBits(d, apart, apart_bits);
    hn::StoreMaskBits(d, one_sided, one_sided_bits);
    const unsigned a = apart_bits[0], b = one_sided_bits[0];
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      if ((a >> lane) & 1u) continue;
      if ((b >> lane) & 1u) {
        stages[q + lane] = ImpactStage::Bernstein;
      } else {
        survivors[count++] = static_cast<std::uint32_t>(q + lane);
      }
    }
  }
  return q;
}

std::size_t filter_vertex_face(const LinearMotionBatch& batch, std::size_t begin, std::size_t end,
                               ImpactStage* stages, std::uint32_t* survivors, std::size_t& count) {
  return filter_block<false>(batch, begin, end, stages, survivors, count);
}

std::size_t filter_edge_edge(const LinearMotionBatch& batch, std::size_t begin, std::size_t end,
                             ImpactStage* stages, std::uint32_t* survivors, std::size_t& count) {
  return filter_block<true>(batch, begin, end, stages, survivors, count);
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::impact_filter
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <vector>

#include "toccata/base/parallel.hpp"

namespace toccata {
namespace impact_filter {

HWY_EXPORT(filter_vertex_face);
HWY_EXPORT(filter_edge_edge);

std::size_t run_filter(bool edge_edge, const LinearMotionBatch& batch, std::size_t begin, std::size_t end,
                       ImpactStage* stages, std::uint32_t* survivors, std::size_t& count) {
  if (edge_edge) return HWY_DYNAMIC_DISPATCH(filter_edge_edge)(batch, begin, end, stages, survivors, count);
  return HWY_DYNAMIC_DISPATCH(filter_vertex_face)(batch, begin, end, stages, survivors, count);
}

}  // namespace impact_filter

namespace {

LinearMotion4 gather(const LinearMotionBatch& batch, std::size_t q) {
  LinearMotion4 motion;
  double* to = motion.t0[0].data();
  for (std::size_t i = 0; i < 24; ++i) to[i] = batch.coordinates[i][q];
  return motion;
}

struct BlockResult {
  std::vector<std::uint32_t> indices;
  std::vector<Impact> impacts;
};

template <bool edge_edge>
void answer_block(const LinearMotionBatch& batch, const LinearImpactOptions& options, std::size_t begin,
                  std::size_t end, ImpactStage* stages, BlockResult& result) {
  std::vector<std::uint32_t> survivors(end - begin);
  std::size_t count = 0;
  std::size_t q = begin;
  if (options.minimum_distance == 0.0) {
    q = impact_filter::run_filter(edge_edge, batch, begin, end, stages, survivors.data(), count);
  }
  for (; q < end; ++q) survivors[count++] = static_cast<std::uint32_t>(q);
  for (std::size_t i = 0; i < count; ++i) {
    const LinearMotion4 motion = gather(batch, survivors[i]);
    const Impact impact = edge_edge ? edge_edge_impact(motion, options) : vertex_face_impact(motion, options);
    stages[survivors[i]] = impact.stage;
    if (impact.status == Status::Separated) continue;
    result.indices.push_back(survivors[i]);
    result.impacts.push_back(impact);
  }
}

template <bool edge_edge>
LinearImpactBatchResult answer(const LinearMotionBatch& batch, const LinearImpactOptions& options,
                               int threads) {
  constexpr std::size_t block = 2048;
  LinearImpactBatchResult result;
  result.stages.resize(batch.size, ImpactStage::Axis);
  std::vector<BlockResult> blocks((batch.size + block - 1) / block);
  parallel_blocks(batch.size, block, threads, [&](std::size_t begin, std::size_t end) {
    answer_block<edge_edge>(batch, options, begin, end, result.stages.data(), blocks[begin / block]);
  });
  std::size_t total = 0;
  for (const BlockResult& b : blocks) total += b.indices.size();
  result.indices.reserve(total);
  result.impacts.reserve(total);
  for (const BlockResult& b : blocks) {
    result.indices.insert(result.indices.end(), b.indices.begin(), b.indices.end());
    result.impacts.insert(result.impacts.end(), b.impacts.begin(), b.impacts.end());
  }
  return result;
}

}  // namespace

LinearImpactBatchResult vertex_face_impacts(const LinearMotionBatch& batch,
                                            const LinearImpactOptions& options, int threads) {
  return answer<false>(batch, options, threads);
}

LinearImpactBatchResult edge_edge_impacts(const LinearMotionBatch& batch, const LinearImpactOptions& options,
                                          int threads) {
  return answer<true>(batch, options, threads);
}

}  // namespace toccata
#endif  // HWY_ONCE
