// Candidates in single precision: what their coplanarity cubic F does over the step, and where it vanishes,
// whether the features meet there. Proves most candidates apart; the rest is decided in double precision.
#include <bit>
#include <cstring>

#include "ccd/deformable/clusters/cluster_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ccd/deformable/clusters/coplanarity_kernel.cpp"
#include <hwy/foreach_target.h>
// after foreach_target
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "ccd/deformable/clusters/compress_table.hpp"
#include "ccd/deformable/clusters/point_columns-inl.hpp"
#include "impact/lane_roots-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::deformable::clusters::HWY_NAMESPACE {
namespace {

namespace lanes = toccata::impact::HWY_NAMESPACE;

// Errors in units of the roundoff u (docs/notes/deformable_bounds.md): polar values of the cubic and of the
// weights, by the sizes x, y, z of the relative positions on the axes.
constexpr double u = 0x1p-24;
constexpr double cubic_rounding = 128 * u, cubic_input = 12.5 * u;  // times xyz, times xy + yz + zx
constexpr double size_error = 4 * u;
constexpr double normal_rounding = 48 * u, normal_input = 34 * u;  // times (x + y + z)^2, times x + y + z

// A hint need not be good, only cheap: enclose() proves the root or does not, and double precision decides.
constexpr int hint_steps = 4;

struct SingleWeightErrors {
  HWY_INLINE Single of_one(Single x, Single y) const {
    return lanes::number<Single>(25 * u) * (x * y) + lanes::number<Single>(4.2 * u) * (x + y);
  }
  HWY_INLINE Single of_sum(Single x, Single y) const {
    return lanes::number<Single>(83 * u) * (x * y) + lanes::number<Single>(12.5 * u) * (x + y);
  }
};

// Some candidates of a list.
struct Look {
  lanes::RelativeMotion<Single> motion;
  Single size[3];   // what no relative position exceeds, true or computed
  Single cubic[4];  // Bernstein coefficients, the inner ones three times
  Single error;     // of polar values of the cubic

  template <bool edge_edge>
  HWY_INLINE void load(const KernelContext& context, const std::int32_t* firsts,
                       const std::int32_t* seconds) {
    const std::int32_t *first[width], *second[width];  // the vertices of both features
    HWY_UNROLL(16)
    for (std::size_t l = 0; l < width; ++l) {
      first[l] = edge_edge ? context.topology->edges[firsts[l]].data() : firsts + l;
      second[l] =
          edge_edge ? context.topology->edges[seconds[l]].data() : context.topology->faces[seconds[l]].data();
    }
    const float* const points = context.boxes->points.data();
    constexpr std::size_t count = edge_edge ? 2 : 1;  // of the first feature
    Single x[4][6];
    HWY_UNROLL(4)
    for (std::size_t k = 0; k < 4; ++k) {
      const float* rows[width];
      HWY_UNROLL(16)
      for (std::size_t l = 0; l < width; ++l) {
        rows[l] = points + 8 * static_cast<std::size_t>(k < count ? first[l][k] : second[l][k - count]);
      }
      load_columns(rows, x[k]);
    }
    // Positions relative to the first point: off by 2.002 u from the inputs, and by one rounding.
    for (std::size_t k = 0; k < 3; ++k) {
      motion.a0[k] = x[1][k] - x[0][k];
      motion.b0[k] = x[2][k] - x[0][k];
      motion.c0[k] = x[3][k] - x[0][k];
      motion.a1[k] = x[1][3 + k] - x[0][3 + k];
      motion.b1[k] = x[2][3 + k] - x[0][3 + k];
      motion.c1[k] = x[3][3 + k] - x[0][3 + k];
      const Single a = hn::Max(hn::Abs(motion.a0[k]), hn::Abs(motion.a1[k]));
      const Single b = hn::Max(hn::Abs(motion.b0[k]), hn::Abs(motion.b1[k]));
      const Single c = hn::Max(hn::Abs(motion.c0[k]), hn::Abs(motion.c1[k]));
      size[k] = hn::Max(hn::Max(a, b), c) + lanes::number<Single>(size_error);
    }
    const auto f = lanes::coplanarity(motion);
    for (std::size_t i = 0; i < 4; ++i) cubic[i] = f.c[i];
    set_error();
  }

  HWY_INLINE void set_error() {
    const Single xy = size[0] * size[1], xyz = xy * size[2], z = (size[0] + size[1]) * size[2];
    error = lanes::number<Single>(cubic_rounding) * xyz + lanes::number<Single>(cubic_input) * (xy + z);
  }

  // All but the error.
  static constexpr std::size_t row_count = 25;
  template <typename Visit>
  HWY_INLINE void visit_rows(const Visit& visit) {
    std::size_t row = 0;
    HWY_UNROLL(3)
    for (std::size_t k = 0; k < 3; ++k) {
      visit(row++, motion.a0[k]);
      visit(row++, motion.b0[k]);
      visit(row++, motion.c0[k]);
      visit(row++, motion.a1[k]);
      visit(row++, motion.b1[k]);
      visit(row++, motion.c1[k]);
      visit(row++, size[k]);
    }
    HWY_UNROLL(4)
    for (std::size_t i = 0; i < 4; ++i) visit(row++, cubic[i]);
  }

  // F or -F, so that it starts positive; the factor 1/3 adds the one rounding that cubic_rounding allows for.
  HWY_INLINE lanes::SignedCubic<Single> signed_cubic() const {
    const Single third = lanes::number<Single>(1.0 / 3.0), one = lanes::number<Single>(1.0);
    const Single sign = hn::CopySign(one, cubic[0]);
    return {{sign * cubic[0], sign * (third * cubic[1]), sign * (third * cubic[2]), sign * cubic[3]},
            error,
            hn::Neg(error)};
  }
};

HWY_INLINE unsigned bits(SingleMask mask) {
#if HWY_TARGET == HWY_AVX3
  return mask.raw;
#else
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(SingleTag(), mask, bytes);
  return bytes[0];
#endif
}

// Candidates are looked at in parts: what is kept of them should stay in the nearest cache.
constexpr std::size_t part_size = 256;
constexpr std::size_t row_size = part_size + 32;  // vectors are written and read whole

// Candidates of a part that the signs leave, packed.
struct Survivors {
  std::size_t count = 0;
  std::uint16_t place[row_size];  // in the part
  alignas(64) float rows[Look::row_count][row_size];

  // Those of the lanes that are set.
  HWY_INLINE void add(std::size_t first, unsigned bits, Look& look) {
    const SingleTag d;
    const hn::RebindToSigned<SingleTag> integers;
    const hn::Rebind<std::int16_t, SingleTag> shorts;
    float* const to = rows[0] + count;
    const auto start = hn::Set(integers, static_cast<std::int32_t>(first));
#if HWY_TARGET == HWY_AVX3
    const SingleMask kept{static_cast<__mmask16>(bits)};
    const auto places = hn::Compress(hn::Iota(integers, 0), hn::RebindMask(integers, kept));
    look.visit_rows([&](std::size_t row, Single& x)
                        HWY_ATTR { hn::StoreU(hn::Compress(x, kept), d, to + row * row_size); });
#else
    const hn::Rebind<std::uint8_t, SingleTag> bytes;
    const auto places = hn::PromoteTo(
        integers, hn::LoadU(bytes, reinterpret_cast<const std::uint8_t*>(compress_table.bytes + bits)));
    const auto indices = hn::IndicesFromVec(d, places);
    look.visit_rows([&](std::size_t row, Single& x)
                        HWY_ATTR { hn::StoreU(hn::TableLookupLanes(x, indices), d, to + row * row_size); });
#endif
    hn::StoreU(hn::DemoteTo(shorts, hn::Add(places, start)), shorts,
               reinterpret_cast<std::int16_t*>(place + count));
    count += static_cast<std::size_t>(std::popcount(bits));
  }

  HWY_INLINE Look load(std::size_t i) const {
    Look look;
    const float* const from = rows[0] + i;
    look.visit_rows([&](std::size_t row, Single& x)
                        HWY_ATTR { x = hn::LoadU(SingleTag(), from + row * row_size); });
    look.set_error();
    return look;
  }
};

// Part of a list of candidates.
struct Part {
  const std::int32_t *first, *second;
  std::size_t count;
  std::size_t rest;  // of the list, from the part's first on
};

// How many candidates ahead the memory is asked for points, and twice as many for what names them: about as
// many as are looked at while it answers.
constexpr std::size_t ahead = 32;

// For as many candidates as are looked at together.
template <bool edge_edge>
HWY_INLINE void prefetch_points(const KernelContext& context, const Part& part, std::size_t i) {
  if (i + 2 * ahead + width <= part.rest) {
    HWY_UNROLL(16)
    for (std::size_t n = i + 2 * ahead; n < i + 2 * ahead + width; ++n) {
      if (edge_edge) hwy::Prefetch(&context.topology->edges[part.first[n]]);
      if (edge_edge) hwy::Prefetch(&context.topology->edges[part.second[n]]);
      if (!edge_edge) hwy::Prefetch(&context.topology->faces[part.second[n]]);
    }
  }
  if (i + ahead + width > part.rest) return;
  const float* const points = context.boxes->points.data();
  const auto prefetch = [points](std::int32_t v)
                            HWY_ATTR { hwy::Prefetch(points + 8 * static_cast<std::size_t>(v)); };
  HWY_UNROLL(16)
  for (std::size_t n = i + ahead; n < i + ahead + width; ++n) {
    if constexpr (edge_edge) {
      const Edge &a = context.topology->edges[part.first[n]], &b = context.topology->edges[part.second[n]];
      prefetch(a[0]);
      prefetch(a[1]);
      prefetch(b[0]);
      prefetch(b[1]);
    } else {
      prefetch(part.first[n]);
      for (const std::int32_t v : context.topology->faces[part.second[n]]) prefetch(v);
    }
  }
}

HWY_INLINE void keep(const Part& part, const std::uint16_t* places, unsigned bits, MeetingPairs& out) {
  std::size_t n = out.count;
  for (std::size_t l = 0; l < width; ++l) {
    out.first[n] = part.first[places[l]];
    out.second[n] = part.second[places[l]];
    n += (bits >> l) & 1u;
  }
  out.count = n;
}

// By the signs of F's coefficients.
template <bool edge_edge>
HWY_NOINLINE void sort_by_signs(const KernelContext& context, const Part& part, Survivors& crossing,
                                Survivors& returning, MeetingPairs& unknown) {
  for (std::size_t i = 0; i < part.count; i += width) {
    Look look;
    const std::size_t used = part.count - i < width ? part.count - i : width;
    prefetch_points<edge_edge>(context, part, i);
    look.template load<edge_edge>(context, part.first + i, part.second + i);
    const Single* c = look.cubic;
    const Single e = look.error, minus = hn::Neg(e);
    const Single inner = lanes::number<Single>(3.0) * e, minus_inner = hn::Neg(inner);  // c[1], c[2]: 3 times
    // All four beyond the error on one side: F does not vanish, the features are never coplanar.
    const auto low = hn::Min(c[0], c[3]), high = hn::Max(c[0], c[3]);
    const auto up = hn::Gt(low, e), down = hn::Lt(high, minus);
    const auto apart = hn::Or(hn::And(up, hn::Gt(hn::Min(c[1], c[2]), inner)),
                              hn::And(down, hn::Lt(hn::Max(c[1], c[2]), minus_inner)));
    const auto crosses = hn::And(hn::Lt(low, minus), hn::Gt(high, e));
    const unsigned present = (1u << used) - 1u;
    const unsigned left = present & ~bits(apart), cross = left & bits(crosses);
    const unsigned turn = left & bits(hn::Or(up, down));
    if (cross != 0) crossing.add(i, cross, look);
    if (turn != 0) returning.add(i, turn, look);
    for (unsigned rest = left & ~(cross | turn); rest != 0; rest &= rest - 1) {
      const std::size_t at = i + static_cast<std::size_t>(std::countr_zero(rest));
      unknown.first[unknown.count] = part.first[at];
      unknown.second[unknown.count++] = part.second[at];
    }
  }
}

// Two vectors at a time: the steps of one towards a root wait for each other.
template <bool Rising>
HWY_INLINE void refine(lanes::RootHint<Rising, Single>& a, lanes::RootHint<Rising, Single>& b) {
  for (int i = 0; i < hint_steps; ++i) {
    a.template refine<1>();
    b.template refine<1>();
  }
}

template <bool edge_edge>
HWY_INLINE lanes::Weights<Single> weights_of(const Look& look) {
  lanes::Weights<Single> weights;
  lanes::make_weights<edge_edge>(look.motion, look.size, weights, SingleWeightErrors());
  return weights;
}

// The weights say that the features do not meet where F vanishes.
template <bool edge_edge>
HWY_INLINE SingleMask outside(const lanes::Weights<Single>& weights, const lanes::Enclosure<Single>& root) {
  return lanes::side_on<edge_edge>(weights, root.left, root.right).outside;
}

HWY_INLINE unsigned first_lanes(std::size_t count) {
  return count < width ? (1u << count) - 1u : (1u << width) - 1u;
}

// F changes its sign: pairs go for which it has one root, proven, and the weights say no there.
template <bool edge_edge>
HWY_NOINLINE void drop_crossing(const Part& part, const Survivors& crossing, MeetingPairs& out) {
  const Single zero = hn::Zero(SingleTag()), one = lanes::number<Single>(1.0);
  for (std::size_t i = 0; i < crossing.count; i += 2 * width) {
    const Look look[2] = {crossing.load(i), crossing.load(i + width)};
    const lanes::SignedCubic<Single> f[2] = {look[0].signed_cubic(), look[1].signed_cubic()};
    lanes::RootHint<false, Single> a(f[0].g, zero, one, f[0].g[0], f[0].g[3]);
    lanes::RootHint<false, Single> b(f[1].g, zero, one, f[1].g[0], f[1].g[3]);
    refine(a, b);
    const auto finish = [&](std::size_t v, const lanes::RootHint<false, Single>& hint) HWY_ATTR {
      // One variation of sign for certain: one root (Descartes). Then the weights there speak for the step.
      const Single* g = f[v].g;
      auto one_root = hn::Or(hn::Gt(g[1], f[v].e), hn::Lt(g[2], f[v].minus_e));
      if (!hn::AllTrue(SingleTag(), one_root)) one_root = hn::Or(one_root, lanes::one_root_by_halves(f[v]));
      const auto root = lanes::enclose<false>(f[v], hint);
      const auto no = outside<edge_edge>(weights_of<edge_edge>(look[v]), root);
      return bits(hn::And(hn::And(one_root, root.proven), no));
    };
    const unsigned apart_a = finish(0, a), apart_b = finish(1, b);
    const std::size_t left = crossing.count - i;
    keep(part, crossing.place + i, first_lanes(left) & ~apart_a, out);
    if (left > width) keep(part, crossing.place + i + width, first_lanes(left - width) & ~apart_b, out);
  }
}

// F has the same sign at both ends: a root on each side of its extremum, or none.
template <bool edge_edge>
HWY_NOINLINE void drop_returning(const Part& part, const Survivors& returning, MeetingPairs& out) {
  const Single zero = hn::Zero(SingleTag()), one = lanes::number<Single>(1.0);
  for (std::size_t i = 0; i < returning.count; i += width) {
    const Look look = returning.load(i);
    const lanes::SplitCubic<Single> split(look.signed_cubic(), hn::Eq(zero, zero));
    SingleMask apart = split.above;
    if (!hn::AllTrue(SingleTag(), apart)) {
      const Single* g = split.f.g;
      lanes::RootHint<false, Single> left(g, zero, split.place, g[0], split.lowest);
      lanes::RootHint<true, Single> right(g, split.place, one, split.lowest, g[3]);
      for (int step = 0; step < hint_steps; ++step) {
        left.template refine<1>();
        right.template refine<1>();
      }
      const auto first = lanes::enclose<false>(split.f, left), second = lanes::enclose<true>(split.f, right);
      // Either enclosure must lie on its side of the extremum, where the rule counted one root.
      const auto known = hn::And(hn::And(split.two_roots, split.one_right),
                                 hn::And(hn::And(first.proven, hn::Le(first.right, split.place)),
                                         hn::And(second.proven, hn::Ge(second.left, split.place))));
      const lanes::Weights<Single> weights = weights_of<edge_edge>(look);
      const auto no = hn::And(outside<edge_edge>(weights, first), outside<edge_edge>(weights, second));
      apart = hn::Or(apart, hn::And(known, no));
    }
    keep(part, returning.place + i, first_lanes(returning.count - i) & ~bits(apart), out);
  }
}

// What the normal of the plane that the features share where F vanishes is never longer than during the step:
// its three control vectors, and their errors.
template <bool edge_edge>
HWY_INLINE Single longest_normal(const Look& look) {
  const lanes::RelativeMotion<Single>& m = look.motion;
  Single e[2][3], f[2][3];
  HWY_UNROLL(3)
  for (std::size_t k = 0; k < 3; ++k) {
    e[0][k] = edge_edge ? m.a0[k] : m.b0[k] - m.a0[k];
    e[1][k] = edge_edge ? m.a1[k] : m.b1[k] - m.a1[k];
    f[0][k] = edge_edge ? m.c0[k] - m.b0[k] : m.c0[k] - m.a0[k];
    f[1][k] = edge_edge ? m.c1[k] - m.b1[k] : m.c1[k] - m.a1[k];
  }
  Single first[3], last[3], forth[3], back[3], middle[3];
  lanes::cross(e[0], f[0], first);
  lanes::cross(e[1], f[1], last);
  lanes::cross(e[0], f[1], forth);
  lanes::cross(e[1], f[0], back);
  for (std::size_t k = 0; k < 3; ++k) middle[k] = lanes::number<Single>(0.5) * (forth[k] + back[k]);
  const Single squared =
      hn::Max(hn::Max(lanes::dot(first, first), lanes::dot(last, last)), lanes::dot(middle, middle));
  const Single sum = (look.size[0] + look.size[1]) + look.size[2];
  return hn::Sqrt(squared) +
         (lanes::number<Single>(normal_input) * sum + lanes::number<Single>(normal_rounding) * (sum * sum));
}

// Candidates whose F, over the length of that normal, stays beyond the distance go: so do the planes, or the
// lines, that the features are on.
template <bool edge_edge>
HWY_NOINLINE void drop_far(const KernelContext& context, const PairBuffer& pairs, MeetingPairs& out) {
  const Single distance = hn::Set(SingleTag(), context.thresholds.cardinal);
  for (std::size_t i = 0; i < pairs.size; i += width) {
    Look look;
    look.template load<edge_edge>(context, pairs.first + i, pairs.second + i);
    const Single* c = look.cubic;
    const Single ends = look.error + distance * longest_normal<edge_edge>(look);
    const Single inner = lanes::number<Single>(3.0) * ends;  // c[1], c[2]: 3 times
    const auto above = hn::And(hn::Gt(hn::Min(c[0], c[3]), ends), hn::Gt(hn::Min(c[1], c[2]), inner));
    const auto below =
        hn::And(hn::Lt(hn::Max(c[0], c[3]), hn::Neg(ends)), hn::Lt(hn::Max(c[1], c[2]), hn::Neg(inner)));
    const unsigned left = first_lanes(pairs.size - i) & ~bits(hn::Or(above, below));
    for (std::size_t l = 0; l < width; ++l) {
      out.first[out.count] = pairs.first[i + l];
      out.second[out.count] = pairs.second[i + l];
      out.count += (left >> l) & 1u;
    }
  }
}

template <bool edge_edge>
void drop(const KernelContext& context, const PairBuffer& pairs, MeetingPairs* out) {
  if (context.at_distance) {
    return drop_far<edge_edge>(context, pairs, out[static_cast<int>(CubicKind::Unknown)]);
  }
  Survivors crossing, returning;
  for (std::size_t begin = 0; begin < pairs.size; begin += part_size) {
    const Part part{pairs.first + begin, pairs.second + begin,
                    pairs.size - begin < part_size ? pairs.size - begin : part_size, pairs.size - begin};
    crossing.count = returning.count = 0;
    sort_by_signs<edge_edge>(context, part, crossing, returning, out[static_cast<int>(CubicKind::Unknown)]);
    drop_crossing<edge_edge>(part, crossing, out[static_cast<int>(CubicKind::Crossing)]);
    drop_returning<edge_edge>(part, returning, out[static_cast<int>(CubicKind::Returning)]);
  }
}

}  // namespace

void drop_apart_pairs(const KernelContext& context, FeaturePairKind kind, const PairBuffer& pairs,
                      MeetingPairs* out) {
  if (kind == FeaturePairKind::EdgeEdge) {
    drop<true>(context, pairs, out);
  } else {
    drop<false>(context, pairs, out);
  }
}

}  // namespace toccata::deformable::clusters::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::deformable::clusters {

HWY_EXPORT(drop_apart_pairs);

void drop_apart(const KernelContext& context, FeaturePairKind kind, PairBuffer& pairs, MeetingPairs* out) {
  // The last vector is read whole.
  for (std::size_t i = 0; i < 16 && pairs.size > 0; ++i) {
    pairs.first[pairs.size + i] = pairs.first[0];
    pairs.second[pairs.size + i] = pairs.second[0];
  }
  for (int k = 0; k < cubic_kind_count; ++k) out[k].count = 0;
  if (pairs.size > 0) HWY_DYNAMIC_DISPATCH(drop_apart_pairs)(context, kind, pairs, out);
}

}  // namespace toccata::deformable::clusters
#endif
