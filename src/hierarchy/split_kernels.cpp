#include "hierarchy/split_kernels.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "hierarchy/tree_surface.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hierarchy/split_kernels.cpp"
#include <hwy/foreach_target.h>
// after foreach_target
#include <hwy/highway.h>

#include "base/lane_ops-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::hierarchy::HWY_NAMESPACE {
namespace {
using namespace lanes::HWY_NAMESPACE;

// Up to eight floats, and up to four: moments are eight and four, places four.
using EightTag = hn::CappedTag<float, 8>;
using Eight = hn::Vec<EightTag>;
using FourTag = hn::CappedTag<float, 4>;
using Four = hn::Vec<FourTag>;
inline constexpr std::size_t eight = hn::MaxLanes(EightTag()), four = hn::MaxLanes(FourTag());

// Sums of moments. A row is sixteen floats, of which the first twelve are: where vectors are as long, one
// takes it whole, and what is behind them means nothing.
template <bool kWhole>
struct alignas(64) SumOf {
  using Tag = hn::CappedTag<float, 16>;
  hn::Vec<Tag> all;

  HWY_INLINE void clear() { all = hn::Zero(Tag()); }
  HWY_INLINE void load_row(const SplitRow& row) {
    all = hn::Load(Tag(), reinterpret_cast<const float*>(&row));
  }
  HWY_INLINE void store(float* to) const { hn::Store(all, Tag(), to); }
  HWY_INLINE void add(const SumOf& other) { all = all + other.all; }
};
template <>
struct alignas(64) SumOf<false> {
  Eight head[8 / eight];
  Four tail[4 / four];

  HWY_INLINE void clear() {
    for (Eight& v : head) v = hn::Zero(EightTag());
    for (Four& v : tail) v = hn::Zero(FourTag());
  }
  HWY_INLINE void load_row(const SplitRow& row) {
    const float* const from = row.moments.data();
    for (std::size_t i = 0; i < 8 / eight; ++i) head[i] = hn::LoadU(EightTag(), from + i * eight);
    for (std::size_t i = 0; i < 4 / four; ++i) tail[i] = hn::LoadU(FourTag(), from + 8 + i * four);
  }
  HWY_INLINE void store(float* to) const {
    for (std::size_t i = 0; i < 8 / eight; ++i) hn::StoreU(head[i], EightTag(), to + i * eight);
    for (std::size_t i = 0; i < 4 / four; ++i) hn::StoreU(tail[i], FourTag(), to + 8 + i * four);
  }
  HWY_INLINE void add(const SumOf& other) {
    for (std::size_t i = 0; i < 8 / eight; ++i) head[i] = head[i] + other.head[i];
    for (std::size_t i = 0; i < 4 / four; ++i) tail[i] = tail[i] + other.tail[i];
  }
};
using Sum = SumOf<hn::MaxLanes(hn::CappedTag<float, 16>()) == 16>;
static_assert(sizeof(Sum) == 64);

// A sum as numbers, with room for a row.
struct alignas(64) StoredSum {
  float moment[16];

  explicit HWY_INLINE StoredSum(const Sum& sum) { sum.store(moment); }
  SplitMoments moments() const {
    SplitMoments result;
    std::copy_n(moment, result.size(), result.data());
    return result;
  }
};

}  // namespace

SplitMoments lane_sum_of(const SplitSamples& samples) {
  Sum sum;
  sum.clear();
  for (std::size_t i = 0; i < samples.items.size(); i += samples.step) {
    Sum row;
    row.load_row(samples.rows[samples.items[i].number]);
    sum.add(row);
  }
  return StoredSum(sum).moments();
}

SplitRow lane_mean_row(std::span<const SplitRow> rows) {
  constexpr FourTag d;
  Sum sum;
  sum.load_row(rows[0]);
  Four place[4 / four];
  for (std::size_t v = 0; v < 4 / four; ++v) place[v] = hn::LoadU(d, rows[0].item.place + v * four);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    Sum row;
    row.load_row(rows[i]);
    sum.add(row);
    for (std::size_t v = 0; v < 4 / four; ++v)
      place[v] = place[v] + hn::LoadU(d, rows[i].item.place + v * four);
  }
  SplitRow mean;
  const Four share = hn::Set(d, 1.0F / static_cast<float>(rows.size()));
  mean.moments = StoredSum(sum).moments();
  for (std::size_t v = 0; v < 4 / four; ++v) hn::StoreU(place[v] * share, d, mean.item.place + v * four);
  return mean;
}

namespace {

// As one vector, where a loop would be four numbers.
HWY_INLINE void copy_four(const float* from, float* to) {
  std::memcpy(to, from, 4 * sizeof(float));
}

// Sixteen cuts: of each three groups of four moments, so laid out that a vector holds one cut of every four
// per 128 bits.
struct alignas(64) SixteenCuts {
  float group[3][4][4][4];  // [group][cut % 4][cut / 4][moment]

  HWY_INLINE void put(std::size_t cut, const StoredSum& sum) {
    for (std::size_t g = 0; g < 3; ++g) copy_four(sum.moment + 4 * g, group[g][cut % 4][cut / 4]);
  }
};

using CutTag = hn::CappedTag<float, 16>;
using Cuts = hn::Vec<CutTag>;
using CutIndices = hn::Vec<hn::RebindToSigned<CutTag>>;
inline constexpr std::size_t cuts_at_once = hn::MaxLanes(CutTag());

// The moments of the cuts from `first` on, one per lane.
HWY_INLINE void load_cuts(const SixteenCuts& cuts, std::size_t first, Cuts (&column)[12]) {
  const CutTag d;
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t k = 0; k < 12; ++k)
    column[k] = hn::LoadU(d, &cuts.group[k / 4][first % 4][first / 4][k % 4]);
#else
  const hn::RepartitionToWide<CutTag> wide;
  for (std::size_t g = 0; g < 3; ++g) {
    Cuts row[4];
    for (std::size_t j = 0; j < 4; ++j) row[j] = hn::Load(d, cuts.group[g][j][first / 4]);
    const auto low_01 = hn::BitCast(wide, hn::InterleaveLower(d, row[0], row[1]));
    const auto low_23 = hn::BitCast(wide, hn::InterleaveLower(d, row[2], row[3]));
    const auto high_01 = hn::BitCast(wide, hn::InterleaveUpper(d, row[0], row[1]));
    const auto high_23 = hn::BitCast(wide, hn::InterleaveUpper(d, row[2], row[3]));
    column[4 * g] = hn::BitCast(d, hn::InterleaveLower(wide, low_01, low_23));
    column[4 * g + 1] = hn::BitCast(d, hn::InterleaveUpper(wide, low_01, low_23));
    column[4 * g + 2] = hn::BitCast(d, hn::InterleaveLower(wide, high_01, high_23));
    column[4 * g + 3] = hn::BitCast(d, hn::InterleaveUpper(wide, high_01, high_23));
  }
#endif
}

// The area of each set's box, up to a factor, times the square root of how many triangles it has: a cut that
// leaves nearly all on one side is no progress. Covariances are multiplied by scale. The square.
HWY_INLINE Cuts squared_cost(const Cuts (&s)[12], Cuts scale) {
  const Cuts inverse = hn::Set(CutTag(), 1.0F) / s[0];
  const Cuts x = s[1] * inverse, y = s[2] * inverse, z = s[3] * inverse;
  const Cuts xx = (s[4] * inverse - x * x) * scale, xy = (s[5] * inverse - x * y) * scale,
             xz = (s[6] * inverse - x * z) * scale, yy = (s[7] * inverse - y * y) * scale,
             yz = (s[8] * inverse - y * z) * scale, zz = (s[9] * inverse - z * z) * scale;
  const Cuts zero = hn::Zero(CutTag());
  const Cuts across = yy * zz - yz * yz;
  const Cuts pairs = across + xx * (yy + zz) - xy * xy - xz * xz;  // sum of l_i l_j
  const Cuts product = xx * across - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  const Cuts mixed = hn::Sqrt(hn::Max(product * (xx + yy + zz), zero));
  return hn::Max((pairs + (mixed + mixed)) * s[10], zero);
}

// The cheapest cut, and of those as cheap the first; -1 if each leaves a side empty.
struct BestCut {
  Cuts cost;
  CutIndices index;

  HWY_INLINE void take(const SixteenCuts& cuts, std::int32_t first, const SplitMoments& all, float scale) {
    const CutTag d;
    for (std::size_t i = 0; i < 16; i += cuts_at_once) {
      Cuts front[12], back[12];
      load_cuts(cuts, i, front);
      for (std::size_t k = 0; k < 11; ++k) back[k] = hn::Set(d, all[k]) - front[k];
      const Cuts scales = hn::Set(d, scale), half = hn::Set(d, 0.5F);
      const Cuts both = hn::Sqrt(squared_cost(front, scales)) + hn::Sqrt(squared_cost(back, scales));
      const auto better =
          hn::And(hn::Lt(both, cost), hn::And(hn::Gt(front[10], half), hn::Gt(back[10], half)));
      const hn::RebindToSigned<CutTag> integers;
      cost = hn::IfThenElse(better, both, cost);
      index = hn::IfThenElse(hn::RebindMask(integers, better),
                             hn::Iota(integers, first + static_cast<std::int32_t>(i)), index);
    }
  }

  HWY_INLINE std::int32_t first_of_best() const {
    HWY_ALIGN float costs[cuts_at_once];
    HWY_ALIGN std::int32_t indices[cuts_at_once];
    hn::Store(cost, CutTag(), costs);
    hn::Store(index, hn::RebindToSigned<CutTag>(), indices);
    std::size_t best = 0;
    for (std::size_t i = 1; i < cuts_at_once; ++i) {
      if (costs[i] < costs[best] || (costs[i] == costs[best] && indices[i] < indices[best])) best = i;
    }
    return indices[best];
  }
};

// Heights of a place along so many directions, in whole vectors.
template <std::size_t kAxes, typename Tag>
struct Heights {
  static constexpr Tag d = {};
  static constexpr std::size_t lanes = hn::MaxLanes(Tag()), vectors = (kAxes + lanes - 1) / lanes;
  using V = hn::Vec<Tag>;
  V column[3][vectors];

  HWY_INLINE void of(const SplitItem& item, V (&height)[vectors]) const {
    const V x = hn::Set(d, item.place[0]), y = hn::Set(d, item.place[1]), z = hn::Set(d, item.place[2]);
    for (std::size_t v = 0; v < vectors; ++v)
      height[v] = x * column[0][v] + y * column[1][v] + z * column[2][v];
  }
};

// Along the first axes of eight, [coordinate][axis], by so many bins each.
template <std::size_t kAxes, std::size_t kBins, typename Tag>
SplitCut look_along(const SplitSamples& samples, const float (&axes)[3][8]) {
  using H = Heights<kAxes, Tag>;
  constexpr std::size_t room = H::lanes * H::vectors;
  constexpr Tag d;
  H heights;
  typename H::V low[H::vectors], high[H::vectors], rate[H::vectors], height[H::vectors];
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t v = 0; v < H::vectors; ++v) heights.column[k][v] = hn::LoadU(d, axes[k] + v * H::lanes);
  }
  heights.of(samples.items[0], low);
  for (std::size_t v = 0; v < H::vectors; ++v) high[v] = low[v];
  for (std::size_t i = 0; i < samples.items.size(); i += samples.step) {
    heights.of(samples.items[i], height);
    for (std::size_t v = 0; v < H::vectors; ++v) {
      low[v] = hn::Min(low[v], height[v]);
      high[v] = hn::Max(high[v], height[v]);
    }
  }
  for (std::size_t v = 0; v < H::vectors; ++v) {
    const auto length = hn::Max(high[v] - low[v], hn::Set(d, 1e-30F));
    rate[v] = hn::Set(d, static_cast<float>(kBins) * (1.0F - 1e-5F)) / length;
  }
  Sum bins[kAxes][kBins];
  for (auto& along : bins) {
    for (Sum& bin : along) bin.clear();
  }
  for (std::size_t i = 0; i < samples.items.size(); i += samples.step) {
    const SplitItem& item = samples.items[i];
    HWY_ALIGN std::int32_t bin[room];
    heights.of(item, height);
    for (std::size_t v = 0; v < H::vectors; ++v) {
      const hn::RebindToSigned<Tag> integers;
      hn::Store(hn::ConvertTo(integers, (height[v] - low[v]) * rate[v]), integers, bin + v * H::lanes);
    }
    Sum own;
    own.load_row(samples.rows[item.number]);
    for (std::size_t k = 0; k < kAxes; ++k) bins[k][static_cast<std::size_t>(bin[k])].add(own);
  }
  constexpr std::size_t count = kAxes * kBins, blocks = (count + 15) / 16;
  SixteenCuts cuts[blocks];
  if constexpr (count < 16 * blocks) cuts[blocks - 1] = {};
  SplitMoments all;
  for (std::size_t k = 0; k < kAxes; ++k) {
    Sum before;
    before.clear();
    for (std::size_t b = 0; b < kBins; ++b) {
      before.add(bins[k][b]);
      cuts[(k * kBins + b) / 16].put((k * kBins + b) % 16, StoredSum(before));
    }
    all = StoredSum(before).moments();
  }
  const float spread = (all[4] + all[7] + all[9]) / all[0];
  BestCut best = {hn::Set(CutTag(), std::numeric_limits<float>::infinity()),
                  hn::Set(hn::RebindToSigned<CutTag>(), -1)};
  for (std::size_t i = 0; i < blocks; ++i)
    best.take(cuts[i], static_cast<std::int32_t>(16 * i), all, 1.0F / std::max(spread, 1e-30F));
  const std::int32_t found = best.first_of_best();
  SplitCut cut;
  if (found < 0) return cut;
  cut.is_found = true;
  HWY_ALIGN float lows[room], rates[room];
  for (std::size_t v = 0; v < H::vectors; ++v) {
    hn::Store(low[v], d, lows + v * H::lanes);
    hn::Store(rate[v], d, rates + v * H::lanes);
  }
  const std::size_t place = static_cast<std::size_t>(found), axis = place / kBins;
  cut.plane = {{axes[0][axis], axes[1][axis], axes[2][axis]},
               lows[axis],
               rates[axis],
               static_cast<float>(place % kBins + 1)};
  for (std::size_t k = 0; k < 12; ++k) {
    cut.before[k] = cuts[place / 16].group[k / 4][place % 4][place % 16 / 4][k % 4];
    cut.behind[k] = all[k] - cut.before[k];
  }
  return cut;
}

}  // namespace

// For few items two axes and few cuts do.
SplitCut lane_best_cut(const SplitSamples& samples, const SplitAxes& principal) {
  float axes[3][8];
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < 3; ++i) {
      axes[k][i] = principal[i][k];
      axes[k][3 + i] = i == k ? 1.0F : 0.0F;
    }
    axes[k][6] = axes[k][7] = 0.0F;
  }
  const std::size_t count = samples.items.size();
  if (count <= 32) return look_along<2, 4, FourTag>(samples, axes);
  if (count <= 64) return look_along<6, 4, EightTag>(samples, axes);
  if (count <= 256) return look_along<6, 16, EightTag>(samples, axes);
  return look_along<6, 32, EightTag>(samples, axes);
}

namespace {

float longest_side(std::span<const SplitItem> items) {
  constexpr FourTag d;
  constexpr std::size_t vectors = 4 / four;
  Four lower[vectors], upper[vectors];
  for (std::size_t v = 0; v < vectors; ++v) lower[v] = upper[v] = hn::LoadU(d, items[0].place + v * four);
  for (const SplitItem& item : items) {
    for (std::size_t v = 0; v < vectors; ++v) {
      const Four place = hn::LoadU(d, item.place + v * four);
      lower[v] = hn::Min(lower[v], place);
      upper[v] = hn::Max(upper[v], place);
    }
  }
  HWY_ALIGN float sides[4];
  for (std::size_t v = 0; v < vectors; ++v) hn::Store(upper[v] - lower[v], d, sides + v * four);
  return std::max({sides[0], sides[1], sides[2]});
}

}  // namespace

SplitSides lane_put_before(const SplitPlane& plane, std::span<SplitItem> items, SplitItem* spare) {
  const SplitPlane own = plane;  // no item is stored into this one
  std::size_t kept = 0, moved = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const bool is_before = own.is_before(items[i]);
    spare[moved] = items[i];
    items[kept] = items[i];
    kept += is_before ? 1 : 0;
    moved += is_before ? 0 : 1;
  }
  std::copy_n(spare, moved, items.data() + kept);
  if (kept == 0 || moved == 0) kept = items.size() / 2;
  return {kept, longest_side(items.first(kept)), longest_side(items.subspan(kept))};
}

namespace {

using Single = hn::Vec<hn::Rebind<float, LaneTag>>;

HWY_INLINE Single single(Lane x) {
  return hn::DemoteTo(hn::Rebind<float, LaneTag>(), x);
}

}  // namespace

void lane_make_rows(const RowSource& source, std::span<const std::int32_t* const> corners, SplitRow* rows) {
  constexpr hn::Rebind<float, LaneTag> d;
  const Lane unit = lane(source.unit), half = lane(0.5), third = lane(1.0 / 3.0);
  for (std::size_t first = 0; first < corners.size(); first += lane_count) {
    const std::size_t used = std::min(lane_count, corners.size() - first);
    Lane corner[3][3];
    for (std::size_t j = 0; j < 3; ++j) {
      const double* p[lane_count];
      Lane unused;
      for (std::size_t l = 0; l < lane_count; ++l)
        p[l] = source.points[corners[first + (l < used ? l : 0)][j]].x;
      load_two(p, 0, corner[j][0], corner[j][1]);
      load_two(p, 2, corner[j][2], unused);
    }
    Single middle[3], g[3], p[3][3];
    for (std::size_t k = 0; k < 3; ++k) {
      const Lane a = corner[0][k] * unit, b = corner[1][k] * unit, c = corner[2][k] * unit;
      const Lane from = lane(static_cast<double>(source.origin[k]));
      middle[k] = single(half * (hn::Min(hn::Min(a, b), c) + hn::Max(hn::Max(a, b), c)) - from);
      const Lane centroid = ((a + b) + c) * third;
      // Single precision does from here: about the centroid nothing cancels.
      p[0][k] = single(a - centroid);
      p[1][k] = single(b - centroid);
      p[2][k] = single(c - centroid);
      g[k] = single(centroid - from);
    }
    Single e[3], f[3], normal[3];
    for (std::size_t k = 0; k < 3; ++k) {
      e[k] = p[1][k] - p[0][k];
      f[k] = p[2][k] - p[0][k];
    }
    cross(e, f, normal);
    // Degenerate ones still count a little.
    const Single area = hn::Sqrt(dot(normal, normal)) + hn::Set(d, 1e-12F);
    const Single share = area * hn::Set(d, 1.0F / 12.0F);
    const Single ax[3] = {area * g[0], area * g[1], area * g[2]};
    const auto second = [&](std::size_t j, std::size_t k) {
      return share * ((p[0][j] * p[0][k] + p[1][j] * p[1][k]) + p[2][j] * p[2][k]) + ax[j] * g[k];
    };
    HWY_ALIGN float group[4][4 * lane_count];
    hn::StoreInterleaved4(area, ax[0], ax[1], ax[2], d, group[0]);
    hn::StoreInterleaved4(second(0, 0), second(0, 1), second(0, 2), second(1, 1), d, group[1]);
    hn::StoreInterleaved4(second(1, 2), second(2, 2), hn::Set(d, 1.0F), hn::Zero(d), d, group[2]);
    hn::StoreInterleaved4(middle[0], middle[1], middle[2], hn::Zero(d), d, group[3]);  // number 0
    for (std::size_t l = 0; l < used; ++l) {
      SplitRow& row = rows[first + l];
      for (std::size_t j = 0; j < 3; ++j) copy_four(group[j] + 4 * l, row.moments.data() + 4 * j);
      std::memcpy(&row.item, group[3] + 4 * l, sizeof(SplitItem));
    }
  }
}

}  // namespace toccata::hierarchy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::hierarchy {

HWY_EXPORT(lane_sum_of);
HWY_EXPORT(lane_mean_row);
HWY_EXPORT(lane_best_cut);
HWY_EXPORT(lane_put_before);
HWY_EXPORT(lane_make_rows);

SplitMoments sum_of(const SplitSamples& samples) {
  return HWY_DYNAMIC_DISPATCH(lane_sum_of)(samples);
}

SplitRow mean_row(std::span<const SplitRow> rows) {
  return HWY_DYNAMIC_DISPATCH(lane_mean_row)(rows);
}

SplitCut best_cut(const SplitSamples& samples, const SplitAxes& principal) {
  return HWY_DYNAMIC_DISPATCH(lane_best_cut)(samples, principal);
}

SplitSides put_before(const SplitPlane& plane, std::span<SplitItem> items, SplitItem* spare) {
  return HWY_DYNAMIC_DISPATCH(lane_put_before)(plane, items, spare);
}

void make_rows(const RowSource& source, std::span<const std::int32_t* const> corners, SplitRow* rows) {
  HWY_DYNAMIC_DISPATCH(lane_make_rows)(source, corners, rows);
}

}  // namespace toccata::hierarchy
#endif
