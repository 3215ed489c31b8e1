// The batch: the first two filters in SIMD lanes of single precision, the survivors packed again, filtered,
// searched and described in lanes of double precision, the rest one by one. Lanes and single call run the
// same kernels, and what single precision decides double precision decides alike
// (docs/notes/impact_bounds.md), so the answers are the same bits.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impact/linear_impact_batch.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <bit>
#include <cstring>

#include "impact/coplanarity-inl.hpp"
#include "impact/filter_bounds.hpp"
#include "impact/impact_input.hpp"
#include "impact/lane_verdicts.hpp"
#include "impact/plain_contact-inl.hpp"
#include "impact/root_bracket-inl.hpp"
#include "toccata/impact/linear_impact.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::impact {
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
  Prefetcher(const LinearMotionBatch& batch, std::size_t next)
      : batch_(batch), next_(next), end_(next + part_size <= batch.size ? 24 * lines : 0) {}

  template <std::size_t count>
  HWY_INLINE void fetch() {
    static_assert(lines % count == 0);
    if (line_ >= end_) return;
    const double* from = batch_.coordinates[line_ / lines] + next_ + line_ % lines * 8;
    for (std::size_t j = 0; j < count; ++j) __builtin_prefetch(from + 8 * j, 0, 2);
    line_ += count;
  }

 private:
  static constexpr std::size_t lines = part_size / 8;  // a column
  const LinearMotionBatch& batch_;
  std::size_t next_;
  std::size_t end_;  // how many there are; none where the next part is not whole
  std::size_t line_ = 0;
};

constexpr std::size_t tile_size = 64;  // queries: eight cache lines of each column, the bits of a word

using SingleTag = hn::ScalableTag<float>;
using Single = hn::Vec<SingleTag>;

// The relative motions of some queries in single precision, in the first-level cache. The columns are read
// four at a time: 24 side by side are often at the same place of a page and evict each other.
template <bool edge_edge>
struct Tile {
  static constexpr int rows = edge_edge ? 5 : 3;  // the differences of one end on one axis
  alignas(64) float differences[6 * rows][tile_size];

  HWY_INLINE void load(const LinearMotionBatch& batch, std::size_t begin, Prefetcher& ahead) {
    const LaneTag d;
    const hn::Rebind<float, LaneTag> f;
    for (int part = 0; part < 6; ++part) {
      const std::size_t column = static_cast<std::size_t>(12 * (part % 2) + part / 2);
      const double* x0 = batch.coordinates[column] + begin;
      const double* x1 = batch.coordinates[column + 3] + begin;
      const double* x2 = batch.coordinates[column + 6] + begin;
      const double* x3 = batch.coordinates[column + 9] + begin;
      float(*to)[tile_size] = differences + rows * part;
      for (std::size_t j = 0; j < tile_size; j += hn::Lanes(d)) {
        ahead.fetch<(hn::MaxLanes(LaneTag()) + 1) / 2>();
        const Differences<Lane> v = impact::HWY_NAMESPACE::differences<edge_edge, Lane>(
            hn::LoadU(d, x0 + j), hn::LoadU(d, x1 + j), hn::LoadU(d, x2 + j), hn::LoadU(d, x3 + j));
        hn::StoreU(hn::DemoteTo(f, v.a), f, to[0] + j);
        hn::StoreU(hn::DemoteTo(f, v.b), f, to[1] + j);
        hn::StoreU(hn::DemoteTo(f, v.c), f, to[2] + j);
        if constexpr (edge_edge) {
          hn::StoreU(hn::DemoteTo(f, v.d), f, to[3] + j);
          hn::StoreU(hn::DemoteTo(f, v.e), f, to[4] + j);
        }
      }
    }
  }

  HWY_INLINE Differences<Single> end(std::size_t j, int part) const {
    const SingleTag d;
    const float(*from)[tile_size] = differences + rows * part;
    Differences<Single> v;
    v.a = hn::Load(d, from[0] + j);
    v.b = hn::Load(d, from[1] + j);
    v.c = hn::Load(d, from[2] + j);
    if constexpr (edge_edge) {
      v.d = hn::Load(d, from[3] + j);
      v.e = hn::Load(d, from[4] + j);
    }
    return v;
  }

  // Which of the queries from j on an axis separates, and which the cubic, where no axis does in double
  // precision. Both as bits. A difference keeps its sign when it is rounded, unless it becomes zero.
  HWY_INLINE void filter(std::size_t j, unsigned& axis, unsigned& bernstein) const {
    RelativeMotion<Single> m;
    AxisRange<Single> range;
    for (int k = 0; k < 3; ++k) {
      const Differences<Single> first = end(j, 2 * k), last = end(j, 2 * k + 1);
      set_axis(first, last, k, m);
      range_on_axis<edge_edge>(first, last, k, range);
    }
    const Single zero = number<Single>(0.0);
    const Single low = larger(larger(range.low[0], range.low[1]), range.low[2]);
    const Single high = smaller(smaller(range.high[0], range.high[1]), range.high[2]);
    const auto apart = either(above(low, zero), above(zero, high));
    const auto mixed = both(above(zero, low), above(high, zero));
    const auto in_range =
        magnitudes_between(range.magnitude, smallest_single_magnitude, largest_single_magnitude);
    const Cubic<Single> f = coplanarity(m);
    const auto one_sided = signs_agree(f, range.magnitude, single_end_error, single_inner_error);
    // Minima and maxima lose a NaN, so that an axis may separate features one of which is nowhere.
    // Bernstein needs no such care: the inner coefficients are NaN as soon as an end is.
    const auto finite = ends_are_finite(f);
    axis = bits(both(apart, finite));
    bernstein = bits(both(both(mixed, in_range), one_sided));
  }

  static HWY_INLINE unsigned bits(hn::Mask<SingleTag> mask) {
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(SingleTag(), mask, bytes);
    return bytes[0] | static_cast<unsigned>(bytes[1]) << 8;
  }
};

// Sets the stage of the queries [begin, end) that the filters decide and hands on the others. Whole tiles
// only: returns the first query that was not looked at.
template <bool edge_edge>
HWY_NOINLINE std::size_t filter_part(const LinearMotionBatch& batch, std::size_t begin, std::size_t end,
                                     ImpactStage* stages, Survivors& out) {
  const std::size_t lanes = hn::Lanes(SingleTag());
  constexpr std::size_t group = HWY_MIN(4, hn::MaxLanes(SingleTag()));
  constexpr unsigned group_mask = (1u << group) - 1u;
  Tile<edge_edge> tile;
  Prefetcher ahead(batch, begin + part_size);
  std::size_t found = 0, q = begin;
  for (; q + tile_size <= end; q += tile_size) {
    tile.load(batch, q, ahead);
    std::uint64_t decided = 0;
    for (std::size_t j = 0; j < tile_size; j += lanes) {
      unsigned axis = 0, bernstein = 0;
      tile.filter(j, axis, bernstein);
      decided |= static_cast<std::uint64_t>(axis | bernstein) << j;
      for (std::size_t l = 0; l < lanes; l += group) {
        std::memcpy(stages + q + j + l, &bits_as_bytes[(bernstein >> l) & group_mask], group);
      }
    }
    for (std::uint64_t left = ~decided; left != 0; left &= left - 1) {
      const std::size_t query = q + static_cast<std::size_t>(std::countr_zero(left));
      for (std::size_t i = 0; i < 24; ++i) out.columns[i][found] = batch.coordinates[i][query];
      out.queries[found++] = static_cast<std::uint32_t>(query);
    }
  }
  out.count = found;
  return q;
}

// Filters the survivors again, now in double precision, searches them, in vectors of lanes, and describes
// their contacts unless boolean_only.
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
    const Cubic<Lane> f = coplanarity(m);
    make_terms<edge_edge>(m, f, range.magnitude, terms);
    const auto finite = ends_are_finite(f);  // the others: by the single call
    const auto in_range = both(finite, magnitudes_in_range(range.magnitude));
    const auto axis = both(finite, axis_separates(range));
    const auto bernstein = both(in_range, keeps_one_sign(f, range.magnitude));
    const auto outside = side<edge_edge>(terms.weights.q, terms.weights.error).outside;
    const RootBracket<Lane> bracket = bracket_root<edge_edge>(terms);
    const auto separated = both(in_range, either(outside, bracket.separated));
    const auto contact = both(in_range, bracket.contact);
    hn::StoreU(bracket.lower, d, out.lower + s);
    hn::StoreU(bracket.upper, d, out.upper + s);
    auto decided = contact;
    if (!boolean_only && !hn::AllFalse(d, contact)) {
      PlainContact<Lane> plain;
      plain_contact<edge_edge>(x, bracket.lower, plain);
      decided = both(contact, plain.valid);  // the others: by the single call
      double* to = out.description[0] + s;
      constexpr std::size_t stride = lane_capacity;
      for (std::size_t k = 0; k < 4; ++k) hn::StoreU(plain.weights[k], d, to + k * stride);
      for (std::size_t k = 0; k < 3; ++k) hn::StoreU(plain.point[k], d, to + (4 + k) * stride);
      for (std::size_t k = 0; k < 3; ++k) hn::StoreU(plain.normal[k], d, to + (7 + k) * stride);
    }
    const auto code = [](LaneVerdict verdict) { return lane(static_cast<double>(verdict)); };
    const auto crossing = above(number<Lane>(0.0), f.c[0] * f.c[3]);
    Lane verdict = choose(crossing, code(LaneVerdict::AskCrossing), code(LaneVerdict::Ask));
    verdict = choose(decided, code(LaneVerdict::Contact), verdict);
    verdict = choose(separated, code(LaneVerdict::Separated), verdict);
    verdict = choose(bernstein, code(LaneVerdict::Bernstein), verdict);
    verdict = choose(axis, code(LaneVerdict::Axis), verdict);
    const hn::Rebind<std::int32_t, LaneTag> integers;
    hn::StoreU(hn::DemoteTo(integers, verdict), integers, out.verdict + s);
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
}  // namespace toccata::impact
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "base/large_pages.hpp"
#include "base/stop_watch.hpp"
#include "impact/indexed_filter.hpp"
#include "impact/open_search.hpp"
#include "toccata/base/parallel.hpp"
#include "toccata/impact/indexed_impact.hpp"

namespace toccata {
namespace impact {

HWY_EXPORT(filter_vertex_face);
HWY_EXPORT(filter_edge_edge);
HWY_EXPORT(search_vertex_face);
HWY_EXPORT(search_edge_edge);

}  // namespace impact

namespace {

using impact::LaneVerdict;
using impact::LaneVerdicts;
using impact::part_size;

// Single calls, of microseconds and rarely milliseconds, between two looks at the watch.
constexpr int queries_per_look = 8;

template <bool edge_edge>
void search_columns(impact::Survivors& survivors, bool boolean_only, LaneVerdicts& verdicts) {
  using namespace impact;
  if (edge_edge) {
    HWY_DYNAMIC_DISPATCH(search_edge_edge)(survivors, boolean_only, verdicts);
  } else {
    HWY_DYNAMIC_DISPATCH(search_vertex_face)(survivors, boolean_only, verdicts);
  }
}

// The queries of a batch, as the parts below see them.
class Columns {
 public:
  explicit Columns(const LinearMotionBatch& batch) : batch_(batch) {}

  std::size_t size() const { return batch_.size; }
  bool may_be_filtered(std::size_t, std::size_t) const { return true; }
  // The first query that was not looked at.
  template <bool edge_edge>
  std::size_t filter(std::size_t begin, std::size_t end, ImpactStage* stages, impact::Survivors& survivors,
                     LaneVerdicts&) const {
    using namespace impact;
    return edge_edge ? HWY_DYNAMIC_DISPATCH(filter_edge_edge)(batch_, begin, end, stages, survivors)
                     : HWY_DYNAMIC_DISPATCH(filter_vertex_face)(batch_, begin, end, stages, survivors);
  }
  // What the lanes say of the survivors.
  template <bool edge_edge>
  void search(impact::Survivors& survivors, bool boolean_only, LaneVerdicts& verdicts) const {
    search_columns<edge_edge>(survivors, boolean_only, verdicts);
    if (boolean_only) impact::decide_open(edge_edge, survivors, verdicts);
  }
  LinearMotion4 motion(std::size_t query) const {
    LinearMotion4 motion;
    double* to = motion.t0[0].data();
    for (std::size_t i = 0; i < 24; ++i) to[i] = batch_.coordinates[i][query];
    return motion;
  }

 private:
  const LinearMotionBatch& batch_;
};

// Where a query names a vertex that is not there, its motion is nowhere: Failed.
class Indexed {
 public:
  Indexed(const IndexedMotionBatch& batch, int threads) : batch_(batch) {
    if (batch.vertices_t0.size() != batch.vertices_t1.size()) return;
    vertices_.emplace(batch.vertices_t0, batch.vertices_t1, threads);
    queries_ = vertices_->queries(batch.points.data());
  }

  std::size_t size() const { return batch_.points.size(); }
  bool may_be_filtered(std::size_t begin, std::size_t end) const {
    if (!vertices_ || !vertices_->are_finite() || vertices_->vertices().empty()) return false;
    // The highest bit of a number, or of its way to the last one, says that there is no such vertex.
    constexpr auto greatest = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
    const auto last = static_cast<std::uint32_t>(std::min(vertices_->vertices().size() - 1, greatest));
    std::uint32_t signs = 0;
    for (std::size_t q = begin; q < end; ++q) {
      for (const std::int32_t v : batch_.points[q]) {
        signs |= static_cast<std::uint32_t>(v) | (last - static_cast<std::uint32_t>(v));
      }
    }
    return signs >> 31 == 0;
  }
  template <bool edge_edge>
  std::size_t filter(std::size_t begin, std::size_t end, ImpactStage* stages, impact::Survivors& survivors,
                     LaneVerdicts& verdicts) const {
    impact::filter_indexed(edge_edge, queries_, begin, end, stages, survivors, verdicts);
    return end;
  }
  // What the lanes say of the survivors.
  template <bool edge_edge>
  void search(impact::Survivors& survivors, bool boolean_only, LaneVerdicts& verdicts) const {
    if (boolean_only) {
      impact::decide_open(edge_edge, queries_, survivors, verdicts);
    } else {
      impact::collect_columns(queries_, survivors);
      search_columns<edge_edge>(survivors, false, verdicts);
    }
  }
  LinearMotion4 motion(std::size_t query) const {
    LinearMotion4 motion;
    for (std::size_t k = 0; k < 4; ++k) {
      const auto v = static_cast<std::uint32_t>(batch_.points[query][k]);
      const bool there = vertices_ && v < vertices_->vertices().size();
      constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
      for (int i = 0; i < 3; ++i) {  // from where the filters have just read them
        motion.t0[k][i] = there ? vertices_->vertices()[v].t0[i] : nowhere;
        motion.t1[k][i] = there ? vertices_->vertices()[v].t1[i] : nowhere;
      }
    }
    return motion;
  }

 private:
  const IndexedMotionBatch& batch_;
  std::optional<impact::IndexedVertices> vertices_;
  impact::IndexedQueries queries_;
};

struct BlockResult {
  std::vector<std::uint32_t> indices;
  std::vector<Impact> impacts;
};

// Queries whose turn has not come when the batch is stopped.
void append_unanswered(std::uint32_t query, double t_max, ImpactStage* stages, BlockResult& result) {
  stages[query] = ImpactStage::Start;
  result.indices.push_back(query);
  Impact& impact = result.impacts.emplace_back();
  impact.status = Status::OutOfBudget;
  impact.stage = ImpactStage::Start;
  impact.time = impact.lower = 0.0;
  impact.upper = t_max;
}

// The answer of a contact that the lanes have bracketed and, unless only the Boolean counts, described. It is
// never one at the start: everything before `lower`, which is above 0, is free.
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

ImpactStage separating_stage(LaneVerdict verdict) {
  static_assert(static_cast<int>(LaneVerdict::Axis) == static_cast<int>(ImpactStage::Axis));
  static_assert(static_cast<int>(LaneVerdict::Bernstein) == static_cast<int>(ImpactStage::Bernstein));
  return verdict == LaneVerdict::Separated ? ImpactStage::Bisection : static_cast<ImpactStage>(verdict);
}

// What the parts of a block use in turn.
struct Workspace {
  impact::Survivors survivors;
  LaneVerdicts lanes;
};

// Answers the queries [begin, end), at most a part.
template <bool edge_edge, typename Batch>
void answer_part(const Batch& batch, const LinearImpactOptions& options, std::size_t begin, std::size_t end,
                 SparseLook& watch, ImpactStage* stages, Workspace& work, BlockResult& result) {
  impact::Survivors& survivors = work.survivors;
  survivors.count = 0;
  std::size_t q = begin;
  // What the lanes cannot answer is left to the single call: a distance, and options that are not usable.
  const bool usable = impact::is_usable(options) && options.minimum_distance == 0.0;
  if (usable && batch.may_be_filtered(begin, end)) {
    q = batch.template filter<edge_edge>(begin, end, stages, survivors, work.lanes);
  }
  const bool plain = usable && options.t_max == 1.0 && options.budget == 0;
  const std::size_t searched = plain ? survivors.count : 0;
  if (searched > 0) batch.template search<edge_edge>(survivors, options.boolean_only, work.lanes);
  for (; q < end; ++q) survivors.queries[survivors.count++] = static_cast<std::uint32_t>(q);
  for (std::size_t i = 0; i < survivors.count; ++i) {
    const std::uint32_t query = survivors.queries[i];
    const auto verdict = i < searched ? static_cast<LaneVerdict>(work.lanes.verdict[i]) : LaneVerdict::Ask;
    if (verdict < LaneVerdict::Contact) {
      stages[query] = separating_stage(verdict);
      continue;
    }
    if (verdict == LaneVerdict::Contact) {
      stages[query] = ImpactStage::Bisection;
      result.indices.push_back(query);
      append_contact(work.lanes, i, options, result);
      continue;
    }
    if (watch.is_over()) {
      append_unanswered(query, options.t_max, stages, result);
      continue;
    }
    const LinearMotion4 motion = batch.motion(query);
    const Impact impact = edge_edge ? edge_edge_impact(motion, options) : vertex_face_impact(motion, options);
    stages[query] = impact.stage;
    if (impact.status == Status::Separated) continue;
    result.indices.push_back(query);
    result.impacts.push_back(impact);
  }
}

template <bool edge_edge, typename Batch>
void answer_block(const Batch& batch, const LinearImpactOptions& options, std::size_t begin, std::size_t end,
                  const StopWatch* stop, ImpactStage* stages, BlockResult& result) {
  const auto work = std::make_unique_for_overwrite<Workspace>();
  SparseLook watch(stop, queries_per_look);
  for (std::size_t first = begin; first < end; first += part_size) {
    if (stop != nullptr && stop->is_over()) {
      for (; first < end; ++first)
        append_unanswered(static_cast<std::uint32_t>(first), options.t_max, stages, result);
      return;
    }
    answer_part<edge_edge>(batch, options, first, std::min(end, first + part_size), watch, stages, *work,
                           result);
  }
}

template <bool edge_edge, typename Batch>
LinearImpactBatchResult answer(const Batch& batch, const LinearImpactOptions& options, int threads,
                               const Stop& stop) {
  const StopWatch watch(stop);
  const std::size_t block = threads == 1 ? std::max<std::size_t>(batch.size(), 1) : 8 * part_size;
  LinearImpactBatchResult result;
  result.stages.reserve(batch.size());
  prefer_large_pages(result.stages.data(), batch.size());
  result.stages.resize(batch.size(), ImpactStage::Axis);
  std::vector<BlockResult> blocks((batch.size() + block - 1) / block);
  if (blocks.size() == 1) {  // room for the usual share of contacts; memory that is not written costs nothing
    blocks[0].indices.reserve(batch.size() / 16);
    blocks[0].impacts.reserve(batch.size() / 16);
    prefer_large_pages(blocks[0].impacts.data(), batch.size() / 16 * sizeof(Impact));
  }
  parallel_blocks(batch.size(), block, threads, [&](std::size_t begin, std::size_t end) {
    answer_block<edge_edge>(batch, options, begin, end, watch.or_null(), result.stages.data(),
                            blocks[begin / block]);
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
                                            const LinearImpactOptions& options, int threads,
                                            const Stop& stop) {
  return answer<false>(Columns(batch), options, threads, stop);
}

LinearImpactBatchResult edge_edge_impacts(const LinearMotionBatch& batch, const LinearImpactOptions& options,
                                          int threads, const Stop& stop) {
  return answer<true>(Columns(batch), options, threads, stop);
}

LinearImpactBatchResult indexed_vertex_face_impacts(const IndexedMotionBatch& batch,
                                                    const LinearImpactOptions& options, int threads,
                                                    const Stop& stop) {
  return answer<false>(Indexed(batch, threads), options, threads, stop);
}

LinearImpactBatchResult indexed_edge_edge_impacts(const IndexedMotionBatch& batch,
                                                  const LinearImpactOptions& options, int threads,
                                                  const Stop& stop) {
  return answer<true>(Indexed(batch, threads), options, threads, stop);
}

}  // namespace toccata
#endif  // HWY_ONCE
