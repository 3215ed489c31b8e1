// The search for the first contact of candidates that the filters leave, in SIMD lanes: what
// lane_roots-inl.hpp proves about roots, put together for two vectors of candidates side by side. One
// vector's steps towards a root wait for each other, so that two take hardly longer than one.
//
// Each lane does the same operations whatever the others are. (Why this is not the search of the single call:
// root_bracket-inl.hpp.)
//
// Included once per Highway target (no #pragma once).
#include <hwy/highway.h>

#include "impact/lane_roots-inl.hpp"

#if defined(TOCCATA_IMPACT_LANE_SEARCH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_IMPACT_LANE_SEARCH_INL
#undef TOCCATA_IMPACT_LANE_SEARCH_INL
#else
#define TOCCATA_IMPACT_LANE_SEARCH_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::impact::HWY_NAMESPACE {

// Lanes that are neither separated nor a contact: `touching` ones touch at a root in [lower, upper], the
// first, but the cubic is too flat there for a narrow bracket; the others are asked of the single call.
struct SearchAnswer {
  LaneMask separated, contact, touching;
  Lane lower, upper;
};

HWY_INLINE LaneMask no_lane() {
  return hn::Lt(lane(1.0), lane(0.0));
}

// The part of a step in which a lane's cubic has one root, and the way to it.
template <bool Rising>
struct RootSearch {
  const SignedCubic<Lane>* f;
  LaneMask active;
  RootHint<Rising, Lane> hint;
  Enclosure<Lane> root;

  HWY_INLINE RootSearch(const SignedCubic<Lane>& cubic, LaneMask lanes_with_root, Lane low, Lane high,
                        Lane value_low, Lane value_high)
      : f(&cubic), active(lanes_with_root), hint(cubic.g, low, high, value_low, value_high) {}
  HWY_INLINE bool is_open() const { return !hn::AllFalse(LaneTag(), hn::AndNot(root.proven, active)); }
};

// Encloses the roots of two vectors, in four steps, and in four more if a lane is open. A lane that is proven
// is not touched again, so that its answer does not depend on its neighbours.
template <bool Rising>
HWY_INLINE void enclose_both(RootSearch<Rising>& a, RootSearch<Rising>& b) {
  const auto approach = [&]() HWY_ATTR {
    for (int i = 0; i < 4; ++i) {
      a.hint.template refine<1>();
      b.hint.template refine<1>();
    }
  };
  const auto again = [](RootSearch<Rising>& s) HWY_ATTR {
    const Enclosure<Lane> second = enclose<Rising, Lane>(*s.f, s.hint);
    s.root.left = hn::IfThenElse(s.root.proven, s.root.left, second.left);
    s.root.right = hn::IfThenElse(s.root.proven, s.root.right, second.right);
    s.root.proven = hn::Or(s.root.proven, second.proven);
  };
  approach();
  a.root = enclose<Rising, Lane>(*a.f, a.hint);
  b.root = enclose<Rising, Lane>(*b.f, b.hint);
  if (!a.is_open() && !b.is_open()) return;
  approach();
  again(a);
  again(b);
}

// What the weights say at an enclosed root of the lanes `known`: contacts and lanes that touch go into the
// answer; returns those whose root is no contact.
template <bool edge_edge>
HWY_INLINE LaneMask decide_at(const Weights<Lane>& weights, const Enclosure<Lane>& root, LaneMask known,
                              bool boolean_only, SearchAnswer& answer) {
  // Over the whole enclosure: weights of opposite signs, apart at this root; all of one sign, touching.
  const auto [outside, inside] = side_on<edge_edge>(weights, root.left, root.right);
  const LaneMask touching = hn::And(known, inside);
  LaneMask found = touching;
  if (!boolean_only) {
    found = hn::And(found, hn::Le(root.right - root.left, lane(impact::bracket_width)));
  }
  answer.contact = hn::Or(answer.contact, found);
  answer.touching = hn::Or(answer.touching, hn::AndNot(found, touching));
  answer.lower = hn::IfThenElse(touching, root.left, answer.lower);
  answer.upper = hn::IfThenElse(touching, root.right, answer.upper);
  return hn::And(known, outside);
}

HWY_INLINE SearchAnswer no_answer() {
  return {no_lane(), no_lane(), no_lane(), hn::Zero(LaneTag()), lane(1.0)};
}

// F changes its sign over the step: one root, or three (left to the single call).
template <bool edge_edge>
HWY_INLINE void search_crossing(const LaneQuery* queries, bool boolean_only, SearchAnswer* answers) {
  SignedCubic<Lane> f[2];
  const auto start = [&](std::size_t i) HWY_ATTR {
    f[i] = signed_cubic(queries[i]);
    const Lane* g = f[i].g;
    // Descartes: +, +, ?, - and +, ?, -, - have one variation of sign; else the halves may show it.
    const LaneMask ends = hn::And(hn::Gt(g[0], f[i].e), hn::Lt(g[3], f[i].minus_e));
    LaneMask one_root = hn::Or(hn::Gt(g[1], f[i].e), hn::Lt(g[2], f[i].minus_e));
    if (!hn::AllTrue(LaneTag(), one_root)) one_root = hn::Or(one_root, one_root_by_halves(f[i]));
    return RootSearch<false>(f[i], hn::And(queries[i].in_range, hn::And(ends, one_root)), hn::Zero(LaneTag()),
                             lane(1.0), g[0], g[3]);
  };
  RootSearch<false> a = start(0), b = start(1);
  enclose_both(a, b);
  const auto finish = [&](const RootSearch<false>& s, std::size_t i) HWY_ATTR {
    Weights<Lane> weights;
    make_weights<edge_edge>(queries[i].motion, queries[i].magnitude, weights);
    answers[i] = no_answer();
    answers[i].separated =
        decide_at<edge_edge>(weights, s.root, hn::And(s.active, s.root.proven), boolean_only, answers[i]);
  };
  finish(a, 0);
  finish(b, 1);
}

// F has the same sign at both ends.
template <bool edge_edge>
HWY_INLINE void search_returning(const LaneQuery* queries, bool boolean_only, SearchAnswer* answers) {
  using Split = SplitCubic<Lane>;
  const auto make_split = [](const LaneQuery& query)
                              HWY_ATTR { return Split(signed_cubic(query), query.in_range); };
  const Split split[2] = {make_split(queries[0]), make_split(queries[1])};
  for (std::size_t i = 0; i < 2; ++i) {
    answers[i] = no_answer();
    answers[i].separated = split[i].above;
  }
  // Left of the lowest place F falls through zero, right of it it rises: first the earlier root, then, where
  // that is no contact, the later one.
  if (hn::AllFalse(LaneTag(), hn::Or(split[0].two_roots, split[1].two_roots))) return;

  const auto left = [&](const Split& c) HWY_ATTR {
    return RootSearch<false>(c.f, c.two_roots, hn::Zero(LaneTag()), c.place, c.f.g[0], c.lowest);
  };
  RootSearch<false> first[2] = {left(split[0]), left(split[1])};
  enclose_both(first[0], first[1]);
  Weights<Lane> weights[2];
  LaneMask passed[2];
  for (std::size_t i = 0; i < 2; ++i) {
    make_weights<edge_edge>(queries[i].motion, queries[i].magnitude, weights[i]);
    // Both ends of an enclosure must lie on their side of the split for Descartes' rule to speak about them.
    const LaneMask known =
        hn::And(first[i].active, hn::And(first[i].root.proven, hn::Le(first[i].root.right, split[i].place)));
    passed[i] = hn::And(decide_at<edge_edge>(weights[i], first[i].root, known, boolean_only, answers[i]),
                        split[i].one_right);
  }
  if (hn::AllFalse(LaneTag(), hn::Or(passed[0], passed[1]))) return;
  const auto right = [&](const Split& c, LaneMask active) HWY_ATTR {
    return RootSearch<true>(c.f, active, c.place, lane(1.0), c.lowest, c.f.g[3]);
  };
  RootSearch<true> second[2] = {right(split[0], passed[0]), right(split[1], passed[1])};
  enclose_both(second[0], second[1]);
  for (std::size_t i = 0; i < 2; ++i) {
    const LaneMask known =
        hn::And(passed[i], hn::And(second[i].root.proven, hn::Ge(second[i].root.left, split[i].place)));
    answers[i].separated =
        hn::Or(answers[i].separated,
               decide_at<edge_edge>(weights[i], second[i].root, known, boolean_only, answers[i]));
  }
}

}  // namespace toccata::impact::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
