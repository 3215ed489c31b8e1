// The batch: the first two filters in SIMD lanes, the survivors packed again and searched in lanes, the rest
// one by one. A lane performs the operations of the single call in the same order, so the answers are the
// same bits.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impact/linear_impact_batch.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "impact/coplanarity-inl.hpp"
#include "impact/filter_bounds.hpp"
#include "impact/lane_search-inl.hpp"
#include "impact/lane_verdicts.hpp"
#include "toccata/impact/linear_impact.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::impact_filter {
namespace HWY_NAMESPACE {

static_assert(static_cast<int>(ImpactStage::Axis) == 0 && static_cast<int>(ImpactStage::Bernstein) == 1);

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
    // Without branches: which lanes survive is not predictable.
    const unsigned survives = ~(a | b), bernstein = b & ~a;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      stages[q + lane] = static_cast<ImpactStage>((bernstein >> lane) & 1u);
      survivors[count] = static_cast<std::uint32_t>(q + lane);
      count += (survives >> lane) & 1u;
    }
  }
  return q;
}

// Searches the survivors in lanes; verdicts[i] = 0: ask the single call, 1: separated, 2: contact.
template <bool edge_edge>
HWY_NOINLINE void search_block(const LinearMotionBatch& batch, const std::uint32_t* survivors,
                               std::size_t count, bool boolean_only, LaneVerdicts& out) {
  const LaneTag d;
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN double packed[24][8];
  HWY_ALIGN double lower[8], upper[8];
  for (std::size_t begin = 0; begin < count; begin += lanes) {
    const std::size_t used = count - begin < lanes ? count - begin : lanes;
    for (std::size_t i = 0; i < 24; ++i) {
      const double* from = batch.coordinates[i];
      for (std::size_t l = 0; l < lanes; ++l) packed[i][l] = from[survivors[begin + (l < used ? l : 0)]];
    }
    Lane x[24];
    for (int i = 0; i < 24; ++i) x[i] = hn::Load(d, packed[i]);
    const LaneAnswer answer = lane_search<edge_edge>(x, boolean_only);
    std::uint8_t separated[8] = {}, contact[8] = {};
    hn::StoreMaskBits(d, answer.separated, separated);
    hn::StoreMaskBits(d, answer.contact, contact);
    hn::Store(answer.lower, d, lower);
    hn::Store(answer.upper, d, upper);
    for (std::size_t l = 0; l < used; ++l) {
      const unsigned bit = 1u << l;
      out.verdict[begin + l] = (separated[0] & bit) ? 1 : ((contact[0] & bit) ? 2 : 0);
      out.lower[begin + l] = lower[l];
      out.upper[begin + l] = upper[l];
    }
  }
}

void search_vertex_face(const LinearMotionBatch& batch, const std::uint32_t* survivors, std::size_t count,
                        bool boolean_only, LaneVerdicts& out) {
  search_block<false>(batch, survivors, count, boolean_only, out);
}

void search_edge_edge(const LinearMotionBatch& batch, const std::uint32_t* survivors, std::size_t count,
                      bool boolean_only, LaneVerdicts& out) {
  search_block<true>(batch, survivors, count, boolean_only, out);
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
#include <hwy/cache_control.h>

#include <algorithm>
#include <vector>

#include "toccata/base/parallel.hpp"

namespace toccata {
namespace impact_filter {

HWY_EXPORT(filter_vertex_face);
HWY_EXPORT(filter_edge_edge);
HWY_EXPORT(search_vertex_face);
HWY_EXPORT(search_edge_edge);

std::size_t run_filter(bool edge_edge, const LinearMotionBatch& batch, std::size_t begin, std::size_t end,
                       ImpactStage* stages, std::uint32_t* survivors, std::size_t& count) {
  if (edge_edge) return HWY_DYNAMIC_DISPATCH(filter_edge_edge)(batch, begin, end, stages, survivors, count);
  return HWY_DYNAMIC_DISPATCH(filter_vertex_face)(batch, begin, end, stages, survivors, count);
}

void run_search(bool edge_edge, const LinearMotionBatch& batch, const std::uint32_t* survivors,
                std::size_t count, bool boolean_only, LaneVerdicts& out) {
  if (edge_edge) {
    HWY_DYNAMIC_DISPATCH(search_edge_edge)(batch, survivors, count, boolean_only, out);
  } else {
    HWY_DYNAMIC_DISPATCH(search_vertex_face)(batch, survivors, count, boolean_only, out);
  }
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

// A part of a block small enough that its coordinates stay in the first-level cache. It is copied column by
// column first: 24 columns read side by side are often at the same place of a page and evict each other.
constexpr std::size_t part_size = impact_filter::LaneVerdicts::capacity;

struct Part {
  alignas(64) std::array<std::array<double, part_size + 8>, 24> columns;  // + 8: different cache sets
  LinearMotionBatch batch;

  void load(const LinearMotionBatch& from, std::size_t begin, std::size_t end) {
    batch.size = end - begin;
    const std::size_t ahead = std::min(from.size, end + part_size);
    for (std::size_t i = 0; i < 24; ++i) {
      for (std::size_t q = end; q < ahead; q += 8) hwy::Prefetch(from.coordinates[i] + q);
      std::copy(from.coordinates[i] + begin, from.coordinates[i] + end, columns[i].data());
      batch.coordinates[i] = columns[i].data();
    }
  }
};

// stages: of this part's first query on; first: its number in the whole batch.
template <bool edge_edge>
void answer_part(const LinearMotionBatch& batch, const LinearImpactOptions& options, ImpactStage* stages,
                 std::size_t first, BlockResult& result) {
  std::array<std::uint32_t, part_size + 1> survivors;  // + 1: written before it is known to count
  impact_filter::LaneVerdicts lanes;
  std::size_t count = 0;
  std::size_t q = 0;
  if (options.minimum_distance == 0.0) {
    q = impact_filter::run_filter(edge_edge, batch, 0, batch.size, stages, survivors.data(), count);
  }
  const bool plain = options.minimum_distance == 0.0 && options.t_max == 1.0 && options.budget == 0;
  const std::size_t searched = plain ? count : 0;
  impact_filter::run_search(edge_edge, batch, survivors.data(), searched, options.boolean_only, lanes);
  for (; q < batch.size; ++q) survivors[count++] = static_cast<std::uint32_t>(q);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t verdict = i < searched ? lanes.verdict[i] : std::uint8_t{0};
    if (verdict == 1) {
      stages[survivors[i]] = ImpactStage::Bisection;
      continue;
    }
    const LinearMotion4 motion = gather(batch, survivors[i]);
    const Impact impact =
        verdict == 2
            ? impact_filter::search_contact(edge_edge, motion, options, lanes.lower[i], lanes.upper[i])
            : (edge_edge ? edge_edge_impact(motion, options) : vertex_face_impact(motion, options));
    stages[survivors[i]] = impact.stage;
    if (impact.status == Status::Separated) continue;
    result.indices.push_back(static_cast<std::uint32_t>(first) + survivors[i]);
    result.impacts.push_back(impact);
  }
}

template <bool edge_edge>
void answer_block(const LinearMotionBatch& batch, const LinearImpactOptions& options, std::size_t begin,
                  std::size_t end, ImpactStage* stages, BlockResult& result) {
  Part part;
  for (std::size_t first = begin; first < end; first += part_size) {
    part.load(batch, first, std::min(end, first + part_size));
    answer_part<edge_edge>(part.batch, options, stages + first, first, result);
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
