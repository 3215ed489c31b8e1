// The batch: the first two filters in SIMD lanes, the survivors packed again, searched and described in
// lanes, the rest one by one. Lanes and single call run the same kernels, so the answers are the same bits.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impact/linear_impact_batch.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstring>

#include "impact/coplanarity-inl.hpp"
#include "impact/filter_bounds.hpp"
#include "impact/lane_verdicts.hpp"
#include "impact/plain_contact-inl.hpp"
#include "impact/root_bracket-inl.hpp"
#include "toccata/impact/linear_impact.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::impact_filter {
namespace HWY_NAMESPACE {

static_assert(static_cast<int>(ImpactStage::Axis) == 0 && static_cast<int>(ImpactStage::Bernstein) == 1);

// A vector of queries in columns that are `stride` apart.
template <std::size_t stride>
struct ColumnQueries {
  const double* x;
  HWY_INLINE Lane operator[](int i) const {
    return hn::Load(LaneTag(), x + static_cast<std::size_t>(i) * stride);
  }
};

// Fetches columns of the next part into the second-level cache while this one is worked on: a few lines at a
// time, so that memory is never idle, in the order in which it is quickest: column after column.
class Prefetcher {
 public:
  Prefetcher(const LinearMotionBatch& batch, std::size_t next, std::size_t first_column)
      : batch_(batch), next_(next), useful_(next + part_size <= batch.size), line_(first_column * lines) {}

  template <std::size_t count>
  HWY_INLINE void fetch() {
    static_assert(lines % count == 0);
    if (!useful_) return;
    const double* from = batch_.coordinates[line_ / lines] + next_ + line_ % lines * 8;
    for (std::size_t j = 0; j < count; ++j) __builtin_prefetch(from + 8 * j, 0, 2);
    line_ += count;
  }

 private:
  static constexpr std::size_t lines = part_size / 8;  // a column
  const LinearMotionBatch& batch_;
  std::size_t next_;
  bool useful_;
  std::size_t line_;
};

constexpr std::size_t tile_size = 64;    // queries: eight cache lines of each column
constexpr std::size_t tile_stride = 72;  // different cache sets for the columns

// Some queries in the first-level cache. They are copied column by column: 24 columns read side by side are
// often at the same place of a page and evict each other.
struct Tile {
  alignas(64) double columns[24][tile_stride];

  HWY_INLINE void load(const LinearMotionBatch& batch, std::size_t begin, Prefetcher& ahead) {
    const LaneTag d;
    const std::size_t n = hn::Lanes(d);
    for (std::size_t i = 0; i < 24; ++i) {
      const double* from = batch.coordinates[i] + begin;
      ahead.fetch<tile_size / 16>();
      for (std::size_t j = 0; j < tile_size; j += 4 * n) {
        double* to = columns[i] + j;
        const Lane v0 = hn::LoadU(d, from + j), v1 = hn::LoadU(d, from + j + n);
        const Lane v2 = hn::LoadU(d, from + j + 2 * n), v3 = hn::LoadU(d, from + j + 3 * n);
        hn::Store(v0, d, to);
        hn::Store(v1, d, to + n);
        hn::Store(v2, d, to + 2 * n);
        hn::Store(v3, d, to + 3 * n);
      }
    }
  }
};

template <bool edge_edge, typename Source>
HWY_INLINE void filter_lanes(const Source& x, unsigned& apart, unsigned& one_sided) {
  RelativeMotion<Lane> m;
  AxisRange<Lane> range;
  relative_motion<edge_edge>(x, m, range);
  const auto a = axis_separates(range);
  const Cubic<Lane> f = coplanarity(m);
  const auto b = both(magnitudes_in_range(range.magnitude), keeps_one_sign(f, range.magnitude));
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(LaneTag(), a, bits);
  apart = bits[0];
  hn::StoreMaskBits(LaneTag(), b, bits);
  one_sided = bits[0];
}

// Sets the stage of the queries [begin, end) that the filters decide and hands on the others. Whole tiles
// only: returns the first query that was not looked at.
template <bool edge_edge>
HWY_NOINLINE std::size_t filter_part(const LinearMotionBatch& batch, std::size_t begin, std::size_t end,
                                     ImpactStage* stages, Survivors& out) {
  const LaneTag d;
  const std::size_t lanes = hn::Lanes(d);
  constexpr std::size_t group = HWY_MIN(4, hn::MaxLanes(LaneTag()));
  constexpr unsigned group_mask = (1u << group) - 1u;
  Tile tile;
  // A tile fetches 192 lines of the next part: half while it is loaded, half while it is filtered.
  Prefetcher first_half(batch, begin + part_size, 0), second_half(batch, begin + part_size, 12);
  std::size_t found = 0, q = begin;
  for (; q + tile_size <= end; q += tile_size) {
    tile.load(batch, q, first_half);
    const std::size_t first = found;
    for (std::size_t j = 0; j < tile_size; j += lanes) {
      for (int i = 0; i < 3; ++i) second_half.fetch<(hn::MaxLanes(LaneTag()) + 1) / 2>();
      unsigned apart = 0, one_sided = 0;
      filter_lanes<edge_edge>(ColumnQueries<tile_stride>{tile.columns[0] + j}, apart, one_sided);
      // Without branches: which queries survive is not predictable.
      const unsigned bernstein = one_sided & ~apart, survives = ~(apart | one_sided);
      for (std::size_t l = 0; l < lanes; l += group) {
        const LaneGroup& g = lane_groups[(survives >> l) & group_mask];
        std::memcpy(stages + q + j + l, lane_groups[(bernstein >> l) & group_mask].bits, group);
        for (std::size_t i = 0; i < group; ++i) {
          out.queries[found + i] = static_cast<std::uint32_t>(q + j + l) + g.places[i];
        }
        found += g.count;
      }
    }
    for (std::size_t s = first; s < found; ++s) {
      const std::size_t place = out.queries[s] - q;
      for (std::size_t i = 0; i < 24; ++i) out.columns[i][s] = tile.columns[i][place];
    }
  }
  out.count = found;
  return q;
}

// Searches the survivors, in vectors of lanes, and describes their contacts unless boolean_only.
template <bool edge_edge>
HWY_NOINLINE void search_part(Survivors& survivors, bool boolean_only, LaneVerdicts& out) {
  const LaneTag d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t s = survivors.count; s % lanes != 0; ++s) {
    for (std::size_t i = 0; i < 24; ++i) survivors.columns[i][s] = survivors.columns[i][0];
  }
  for (std::size_t s = 0; s < survivors.count; s += lanes) {
    const ColumnQueries<lane_capacity> x{survivors.columns[0] + s};
    RelativeMotion<Lane> m;
    AxisRange<Lane> range;
    relative_motion<edge_edge>(x, m, range);
    SearchTerms<Lane> terms;
    make_terms<edge_edge>(m, coplanarity(m), range.magnitude, terms);
    const auto in_range = magnitudes_in_range(range.magnitude);
    const auto outside = side<edge_edge>(terms.weights.q, terms.weights.error).outside;
    const RootBracket<Lane> bracket = bracket_root<edge_edge>(terms);
    const auto separated = both(in_range, either(outside, bracket.separated));
    const auto contact = both(in_range, bracket.contact);
    hn::StoreU(bracket.lower, d, out.lower + s);
    hn::StoreU(bracket.upper, d, out.upper + s);
    std::uint8_t separated_bits[8] = {}, contact_bits[8] = {};
    hn::StoreMaskBits(d, separated, separated_bits);
    hn::StoreMaskBits(d, contact, contact_bits);
    if (!boolean_only && contact_bits[0] != 0) {
      PlainContact<Lane> plain;
      plain_contact<edge_edge>(x, bracket.lower, plain);
      hn::StoreMaskBits(d, both(contact, plain.valid), contact_bits);  // the others: by the single call
      double* to = out.description[0] + s;
      constexpr std::size_t stride = lane_capacity;
      for (std::size_t k = 0; k < 4; ++k) hn::StoreU(plain.weights[k], d, to + k * stride);
      for (std::size_t k = 0; k < 3; ++k) hn::StoreU(plain.point[k], d, to + (4 + k) * stride);
      for (std::size_t k = 0; k < 3; ++k) hn::StoreU(plain.normal[k], d, to + (7 + k) * stride);
    }
    for (std::size_t l = 0; l < lanes; ++l) {
      const unsigned free = (separated_bits[0] >> l) & 1u, touch = (contact_bits[0] >> l) & 1u;
      out.verdict[s + l] = static_cast<LaneVerdict>(free + 2 * touch);
    }
  }
}

void search_vertex_face(Survivors& survivors, bool boolean_only, LaneVerdicts& out) {
  search_part<false>(survivors, boolean_only, out);
}

void search_edge_edge(Survivors& survivors, bool boolean_only, LaneVerdicts& out) {
  search_part<true>(survivors, boolean_only, out);
}

std::size_t filter_vertex_face(const LinearMotionBatch& batch, std::size_t begin, std::size_t end,
                               ImpactStage* stages, Survivors& out) {
  return filter_part<false>(batch, begin, end, stages, out);
}

std::size_t filter_edge_edge(const LinearMotionBatch& batch, std::size_t begin, std::size_t end,
                             ImpactStage* stages, Survivors& out) {
  return filter_part<true>(batch, begin, end, stages, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::impact_filter
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <memory>
#include <vector>

#include "toccata/base/parallel.hpp"

namespace toccata {
namespace impact_filter {

HWY_EXPORT(filter_vertex_face);
HWY_EXPORT(filter_edge_edge);
HWY_EXPORT(search_vertex_face);
HWY_EXPORT(search_edge_edge);

}  // namespace impact_filter

namespace {

using impact_filter::LaneVerdict;
using impact_filter::LaneVerdicts;
using impact_filter::part_size;

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

// The answer of a contact that the lanes have bracketed and, unless only the Boolean counts, described.
void append_contact(const LaneVerdicts& lanes, std::size_t i, const LinearImpactOptions& options,
                    BlockResult& result) {
  Impact& impact = result.impacts.emplace_back();
  impact.status = Status::Contact;
  impact.stage = ImpactStage::Bisection;
  if (options.boolean_only) {
    impact.time = impact.lower = 0.0;
    impact.upper = options.t_max;
    return;
  }
  impact.time = impact.lower = lanes.lower[i];
  impact.upper = lanes.upper[i];
  for (std::size_t k = 0; k < 4; ++k) impact.weights[k] = lanes.description[k][i];
  for (std::size_t k = 0; k < 3; ++k) impact.point[static_cast<int>(k)] = lanes.description[4 + k][i];
  for (std::size_t k = 0; k < 3; ++k) impact.normal[static_cast<int>(k)] = lanes.description[7 + k][i];
}

// What the parts of a block use in turn.
struct Workspace {
  impact_filter::Survivors survivors;
  LaneVerdicts lanes;
};

// Answers the queries [begin, end), at most a part.
template <bool edge_edge>
void answer_part(const LinearMotionBatch& batch, const LinearImpactOptions& options, std::size_t begin,
                 std::size_t end, ImpactStage* stages, Workspace& work, BlockResult& result) {
  using namespace impact_filter;
  Survivors& survivors = work.survivors;
  survivors.count = 0;
  std::size_t q = begin;
  if (options.minimum_distance == 0.0) {
    q = edge_edge ? HWY_DYNAMIC_DISPATCH(filter_edge_edge)(batch, begin, end, stages, survivors)
                  : HWY_DYNAMIC_DISPATCH(filter_vertex_face)(batch, begin, end, stages, survivors);
  }
  const bool plain = options.minimum_distance == 0.0 && options.t_max == 1.0 && options.budget == 0;
  const std::size_t searched = plain ? survivors.count : 0;
  if (searched > 0 && edge_edge) {
    HWY_DYNAMIC_DISPATCH(search_edge_edge)(survivors, options.boolean_only, work.lanes);
  } else if (searched > 0) {
    HWY_DYNAMIC_DISPATCH(search_vertex_face)(survivors, options.boolean_only, work.lanes);
  }
  for (; q < end; ++q) survivors.queries[survivors.count++] = static_cast<std::uint32_t>(q);
  for (std::size_t i = 0; i < survivors.count; ++i) {
    const std::uint32_t query = survivors.queries[i];
    const LaneVerdict verdict = i < searched ? work.lanes.verdict[i] : LaneVerdict::Ask;
    if (verdict == LaneVerdict::Separated) {
      stages[query] = ImpactStage::Bisection;
      continue;
    }
    if (verdict == LaneVerdict::Contact) {
      stages[query] = ImpactStage::Bisection;
      result.indices.push_back(query);
      append_contact(work.lanes, i, options, result);
      continue;
    }
    const LinearMotion4 motion = gather(batch, query);
    const Impact impact = edge_edge ? edge_edge_impact(motion, options) : vertex_face_impact(motion, options);
    stages[query] = impact.stage;
    if (impact.status == Status::Separated) continue;
    result.indices.push_back(query);
    result.impacts.push_back(impact);
  }
}

template <bool edge_edge>
void answer_block(const LinearMotionBatch& batch, const LinearImpactOptions& options, std::size_t begin,
                  std::size_t end, ImpactStage* stages, BlockResult& result) {
  const auto work = std::make_unique_for_overwrite<Workspace>();
  for (std::size_t first = begin; first < end; first += part_size) {
    answer_part<edge_edge>(batch, options, first, std::min(end, first + part_size), stages, *work, result);
  }
}

template <bool edge_edge>
LinearImpactBatchResult answer(const LinearMotionBatch& batch, const LinearImpactOptions& options,
                               int threads) {
  const std::size_t block = threads == 1 ? std::max<std::size_t>(batch.size, 1) : 8 * part_size;
  LinearImpactBatchResult result;
  result.stages.resize(batch.size, ImpactStage::Axis);
  std::vector<BlockResult> blocks((batch.size + block - 1) / block);
  if (blocks.size() == 1) {  // room for the usual share of contacts; memory that is not written costs nothing
    blocks[0].indices.reserve(batch.size / 16);
    blocks[0].impacts.reserve(batch.size / 16);
  }
  parallel_blocks(batch.size, block, threads, [&](std::size_t begin, std::size_t end) {
    answer_block<edge_edge>(batch, options, begin, end, result.stages.data(), blocks[begin / block]);
  });
  if (blocks.size() == 1) {
    result.indices = std::move(blocks[0].indices);
    result.impacts = std::move(blocks[0].impacts);
    return result;
  }
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
