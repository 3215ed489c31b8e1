// Rounding. Of boxes it is that of the general path (docs/notes/convex_bounds.md), which is asked in b's
// coordinates. Segments are asked along the axes of the world, about b's place: their ends are a product and
// a sum from the poses, fewer roundings than a change of frame has. pose_error is that of world_triangle.hpp,
// with sizes of the shapes that are found from their cores and lengths of places without roots; radii take
// one rounding for their sum and one for the difference.
#include "proximity/closed_pairs.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "hierarchy/shape_data.hpp"
#include "toccata/base/rounding.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "proximity/closed_pairs.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "proximity/convex/box_cores-inl.hpp"
#include "proximity/convex/box_overlap-inl.hpp"
#include "proximity/convex/segment_cores-inl.hpp"
#include "proximity/pair_lanes-inl.hpp"

#ifndef TOCCATA_PROXIMITY_CLOSED_ANSWERS
#define TOCCATA_PROXIMITY_CLOSED_ANSWERS
namespace toccata::proximity {

// What comes out of each lane beside the contact; of those apart not their distances.
template <std::size_t lanes>
struct ClosedAnswers {
  double is_closed[lanes];
  double lower[lanes];
  double upper[lanes];
  double features[lanes];
};

}  // namespace toccata::proximity
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::proximity {
namespace HWY_NAMESPACE {
using namespace convex::HWY_NAMESPACE;

constexpr double roundings_of_reach = 1.0 + 8.0 * unit_roundoff;

template <typename V>
struct LaneCore {
  V radius;
  V size[3];
};

template <typename V>
HWY_INLINE LaneCore<V> load_core(const double* const* from) {
  LaneCore<V> core;
  load_four(from, 0, core.radius, core.size[0], core.size[1], core.size[2]);
  return core;
}

// A bound on the spectral norm of R^T R - I, as rotation_defect gives it.
template <typename V>
HWY_INLINE V defect_of(const LanePose<V>& pose) {
  V sum = number<V>(16.0 * unit_roundoff);
  for (int i = 0; i < 3; ++i) {
    sum = sum + magnitude(dot(pose.r[i], pose.r[i]) - number<V>(1.0));
    sum = sum + number<V>(2.0) * magnitude(dot(pose.r[i], pose.r[(i + 1) % 3]));
  }
  return sum;
}

template <typename V>
HWY_INLINE V length_of(const V* v) {
  return square_root(dot(v, v));
}

// Not below the length, and above it by a quarter at most: without a root, for bounds of errors.
template <typename V>
HWY_INLINE V length_above(const V* v) {
  const V x = magnitude(v[0]), y = magnitude(v[1]), z = magnitude(v[2]);
  return number<V>(0.5) * (larger(larger(x, y), z) + ((x + y) + z));
}

template <typename V>
struct PoseBounds {
  V defects, places;  // of both, in sum
};

template <typename V>
HWY_INLINE PoseBounds<V> bounds_of(const LanePose<V>& a, const LanePose<V>& b) {
  return {defect_of(a) + defect_of(b), length_above(a.t) + length_above(b.t)};
}

#if HWY_TARGET != HWY_SCALAR
// Of one pair both poses go side by side, which gives the same bits.
HWY_INLINE PoseBounds<double> bounds_side_by_side(const double* a, const double* b) {
  using V = hn::Vec<hn::FixedTag<double, 2>>;
  const hn::FixedTag<double, 2> tag;
  V at[12];
  for (std::size_t k = 0; k < 12; k += 2) {
    const V of_a = hn::LoadU(tag, a + k), of_b = hn::LoadU(tag, b + k);
    at[k] = hn::InterleaveLower(tag, of_a, of_b);
    at[k + 1] = hn::InterleaveUpper(tag, of_a, of_b);
  }
  LanePose<V> both;
  for (std::size_t k = 0; k < 9; ++k) both.r[k / 3][k % 3] = at[k];
  for (std::size_t k = 0; k < 3; ++k) both.t[k] = at[9 + k];
  const V defects = defect_of(both), places = length_above(both.t);
  return {hn::GetLane(defects) + hn::GetLane(hn::InterleaveUpper(tag, defects, defects)),
          hn::GetLane(places) + hn::GetLane(hn::InterleaveUpper(tag, places, places))};
}
#endif

// `sizes`: of both shapes from their origins.
template <typename V, std::size_t lanes>
HWY_INLINE V pose_error_of([[maybe_unused]] const ClosedPairs<lanes>& in, const LanePose<V>& a,
                           const LanePose<V>& b, V sizes) {
#if HWY_TARGET != HWY_SCALAR
  PoseBounds<V> bounds;
  if constexpr (std::is_same_v<V, double>) {
    bounds = bounds_side_by_side(in.pose_a[0], in.pose_b[0]);
  } else {
    bounds = bounds_of(a, b);
  }
#else
  const PoseBounds<V> bounds = bounds_of(a, b);
#endif
  return (number<V>(32.0 * unit_roundoff) + number<V>(2.0) * bounds.defects) * (sizes + bounds.places);
}

// Squares and cubes neither overflow nor vanish.
template <typename V>
HWY_INLINE MaskOf<V> are_ordinary(V scale, V radius_a, V radius_b) {
  const V largest = larger(scale, larger(radius_a, radius_b));
  return both(above(largest, number<V>(0x1p-200)), above(number<V>(0x1p+200), largest));
}

// The radii taken off. False: the pair is open. So are pairs that are apart by less than the poses leave to
// doubt, four times over: the other questions look at them in another way and must say the same.
template <typename V, typename Bracket>
HWY_INLINE MaskOf<V> take_radii(V radii, V pose_error, Bracket& bracket) {
  const V zero = number<V>(0.0);
  const V roundings = choose(above(radii, zero), number<V>(2.0 * unit_roundoff), zero);
  bracket.lower = (bracket.lower - radii) - roundings * (radii + magnitude(bracket.lower));
  bracket.upper = (bracket.upper - radii) + roundings * (radii + bracket.upper);
  return both(bracket.is_proven, above(bracket.lower, number<V>(4.0) * pose_error));
}

// Of the pair in the world.
template <typename V>
struct LanePoints {
  V point_a[3], point_b[3], normal[3];
};

template <typename V, typename Bracket, std::size_t lanes>
HWY_INLINE void store_answer(MaskOf<V> closed, V pose_error, const Bracket& bracket, V features,
                             const LanePoints<V>& points, double* const* to, std::size_t at,
                             ClosedAnswers<lanes>& out) {
  store(choose(closed, number<V>(1.0), number<V>(0.0)), out.is_closed + at);
  store(features, out.features + at);
  store_distance(bracket.lower - pose_error, points.point_a, points.point_b, points.normal, bracket.upper,
                 to);
}

// Two boxes from their poses and sizes, in b's coordinates.
template <typename V>
struct PlacedBoxes {
  LanePose<V> a, b;
  V radius_a, radius_b;
  BoxCores<V> cores;
  V scale;       // no length that enters is larger, but for the radii
  V pose_error;  // of both poses
};

template <typename V, std::size_t lanes>
HWY_INLINE PlacedBoxes<V> boxes_of(const ClosedPairs<lanes>& in, std::size_t at) {
  PlacedBoxes<V> p;
  p.a = load_pose<V>(in.pose_a + at);
  p.b = load_pose<V>(in.pose_b + at);
  const LaneCore<V> core_a = load_core<V>(in.core_a + at), core_b = load_core<V>(in.core_b + at);
  p.radius_a = core_a.radius;
  p.radius_b = core_b.radius;
  V between[3];
  for (int k = 0; k < 3; ++k) {
    between[k] = p.a.t[k] - p.b.t[k];
    p.cores.h[k] = core_a.size[k];
    p.cores.g[k] = core_b.size[k];
  }
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 3; ++i) p.cores.c[i][j] = dot(p.b.r[j], p.a.r[i]);
    p.cores.t[j] = dot(p.b.r[j], between);
  }
  const V reach = (length_of(p.cores.h) + length_of(p.cores.g)) * number<V>(roundings_of_reach);
  p.scale = reach + length_above(p.cores.t);
  p.cores.height_error = number<V>(40.0 * unit_roundoff) * p.scale;
  p.cores.point_error = number<V>(16.0 * unit_roundoff) * p.scale;
  const V sizes = (reach + (p.radius_a + p.radius_b)) * number<V>(roundings_of_reach);
  p.pose_error = pose_error_of(in, p.a, p.b, sizes);
  return p;
}

// The points that were found and the normal, from b's coordinates to the world, with the radii added.
template <typename V>
HWY_INLINE LanePoints<V> points_of(const PlacedBoxes<V>& p, const V* n) {
  LanePoints<V> points;
  V on_a[3], on_b[3];
  for (int k = 0; k < 3; ++k) {
    on_a[k] = p.cores.y[k] + p.radius_a * n[k];
    on_b[k] = p.cores.x[k] - p.radius_b * n[k];
  }
  for (int k = 0; k < 3; ++k) {
    const V row[3] = {p.b.r[0][k], p.b.r[1][k], p.b.r[2][k]};
    points.normal[k] = dot(row, n);
    points.point_a[k] = dot(row, on_a) + p.b.t[k];
    points.point_b[k] = dot(row, on_b) + p.b.t[k];
  }
  return points;
}

template <typename V, std::size_t lanes>
HWY_INLINE void boxes_apart(const ClosedPairs<lanes>& in, std::size_t at, ClosedAnswers<lanes>& out) {
  PlacedBoxes<V> p = boxes_of<V>(in, at);
  BoxBracket<V> bracket = nearest_of_boxes(p.cores);
  const auto closed = both(take_radii(p.radius_a + p.radius_b, p.pose_error, bracket),
                           are_ordinary(p.scale, p.radius_a, p.radius_b));
  store_answer(closed, p.pose_error, bracket, features_of(p.cores), points_of(p, bracket.n), in.answer + at,
               at, out);
}

// A depth with the roundings of its radii, and what the poses leave to doubt. Open: hardly any.
template <typename V, std::size_t lanes>
HWY_INLINE void store_depth(MaskOf<V> is_known, V lower, V upper, V radii, V pose_error, std::size_t at,
                            ClosedAnswers<lanes>& out) {
  const V zero = number<V>(0.0);
  const V roundings = choose(above(radii, zero), number<V>(2.0 * unit_roundoff), zero);
  const V slack = roundings * (radii + magnitude(upper));
  const V least = (lower + radii) - slack, most = (upper + radii) + slack;
  const auto closed = both(is_known, above(least, number<V>(4.0) * pose_error));
  store(choose(closed, number<V>(1.0), zero), out.is_closed + at);
  store(least - pose_error, out.lower + at);
  store(most + pose_error, out.upper + at);
}

template <typename V>
HWY_INLINE void store_deepest(const LanePoints<V>& points, double* const* to) {
  store_contact(points.point_a, points.point_b, points.normal, number<V>(0.0), to);
}

template <typename V, std::size_t lanes>
HWY_INLINE void boxes_deep(const ClosedPairs<lanes>& in, std::size_t at, ClosedAnswers<lanes>& out) {
  PlacedBoxes<V> p = boxes_of<V>(in, at);
  const LeastOverlap<V> least = least_overlap(p.cores);
  place_deepest(p.cores, least);
  const V error = p.cores.height_error;
  const auto meet = both(above(least.lowest, number<V>(0.0)), above(least.overlap, number<V>(2.0) * error));
  // That of the cores alone must be beyond doubt.
  const auto is_known = both(both(meet, above(least.overlap - error, number<V>(4.0) * p.pose_error)),
                             are_ordinary(p.scale, p.radius_a, p.radius_b));
  store_depth<V>(is_known, least.overlap - error, least.overlap + error, p.radius_a + p.radius_b,
                 p.pose_error, at, out);
  store(number<V>(0.0), out.features + at);
  store_deepest(points_of(p, least.axis), in.answer + at);
}

// Two segments from their poses, along the axes of the world about b's place.
template <typename V>
struct PlacedSegments {
  LanePose<V> a, b;
  V radius_a, radius_b;
  SegmentCores<V> cores;
  SegmentBracket<V> bracket;
  V scale, pose_error;
};

template <typename V, std::size_t lanes>
HWY_INLINE PlacedSegments<V> segments_of(const ClosedPairs<lanes>& in, std::size_t at) {
  PlacedSegments<V> p;
  p.a = load_pose<V>(in.pose_a + at);
  p.b = load_pose<V>(in.pose_b + at);
  const LaneCore<V> core_a = load_core<V>(in.core_a + at), core_b = load_core<V>(in.core_b + at);
  p.radius_a = core_a.radius;
  p.radius_b = core_b.radius;
  const V from_a = core_a.size[0], to_a = core_a.size[1], from_b = core_b.size[0], to_b = core_b.size[1];
  V between[3];
  for (int k = 0; k < 3; ++k) {
    between[k] = p.a.t[k] - p.b.t[k];
    p.cores.p[k] = between[k] + from_a * p.a.r[2][k];
    p.cores.p_end[k] = between[k] + to_a * p.a.r[2][k];
    p.cores.q[k] = from_b * p.b.r[2][k];
    p.cores.q_end[k] = to_b * p.b.r[2][k];
  }
  const V reach = (larger(magnitude(from_a), magnitude(to_a)) + larger(magnitude(from_b), magnitude(to_b))) *
                  number<V>(roundings_of_reach);
  p.scale = reach + length_above(between);
  p.cores.height_error = number<V>(40.0 * unit_roundoff) * p.scale;
  p.cores.point_error = number<V>(16.0 * unit_roundoff) * p.scale;
  const V sizes = (reach + (p.radius_a + p.radius_b)) * number<V>(roundings_of_reach);
  p.pose_error = pose_error_of(in, p.a, p.b, sizes);
  return p;
}

template <typename V>
HWY_INLINE LanePoints<V> points_of(const PlacedSegments<V>& p) {
  LanePoints<V> points;
  for (int k = 0; k < 3; ++k) {
    const V n = p.bracket.n[k];
    points.normal[k] = n;
    points.point_a[k] = (p.cores.y[k] + p.radius_a * n) + p.b.t[k];
    points.point_b[k] = (p.cores.x[k] - p.radius_b * n) + p.b.t[k];
  }
  return points;
}

template <typename V, std::size_t lanes>
HWY_INLINE void store_apart(const ClosedPairs<lanes>& in, std::size_t at, PlacedSegments<V>& p,
                            ClosedAnswers<lanes>& out) {
  const auto closed = both(take_radii(p.radius_a + p.radius_b, p.pose_error, p.bracket),
                           are_ordinary(p.scale, p.radius_a, p.radius_b));
  store_answer(closed, p.pose_error, p.bracket, features_of(p.cores), points_of(p), in.answer + at, at, out);
}

template <typename V, std::size_t lanes>
HWY_INLINE void segments_apart(const ClosedPairs<lanes>& in, std::size_t at, ClosedAnswers<lanes>& out) {
  PlacedSegments<V> p = segments_of<V>(in, at);
  p.bracket = nearest_of_segments(p.cores);
  store_apart(in, at, p, out);
}

// Two vectors of pairs: what is a chain of divisions and a root in one of them leaves time for the other.
template <std::size_t lanes>
HWY_INLINE void two_segments_apart(const ClosedPairs<lanes>& in, std::size_t at, ClosedAnswers<lanes>& out) {
  PlacedSegments<Lane> p = segments_of<Lane>(in, at), q = segments_of<Lane>(in, at + lane_count);
  p.bracket = nearest_of_segments(p.cores);
  q.bracket = nearest_of_segments(q.cores);
  store_apart(in, at, p, out);
  store_apart(in, at + lane_count, q, out);
}

// Cores that are apart: their distance tells the depth.
template <typename V, std::size_t lanes>
HWY_INLINE void segments_deep(const ClosedPairs<lanes>& in, std::size_t at, ClosedAnswers<lanes>& out) {
  PlacedSegments<V> p = segments_of<V>(in, at);
  p.bracket = nearest_of_segments(p.cores);
  const auto is_known = both(p.bracket.is_proven, are_ordinary(p.scale, p.radius_a, p.radius_b));
  store_depth<V>(is_known, negated(p.bracket.upper), negated(p.bracket.lower), p.radius_a + p.radius_b,
                 p.pose_error, at, out);
  store(features_of(p.cores), out.features + at);
  store_deepest(points_of(p), in.answer + at);
}

constexpr std::size_t most_lanes = ClosedBatch<DistanceResult>::most_lanes;
using Pairs = ClosedPairs<most_lanes>;
using Answers = ClosedAnswers<most_lanes>;

void find_apart(ClosedForm form, const Pairs& in, std::size_t count, Answers& out) {
  static_assert(most_lanes % (2 * lane_count) == 0);
  if (form == ClosedForm::Segments) {
    for (std::size_t i = 0; i < count; i += 2 * lane_count) two_segments_apart(in, i, out);
  } else {
    for (std::size_t i = 0; i < count; i += lane_count) boxes_apart<Lane>(in, i, out);
  }
}
void find_deep(ClosedForm form, const Pairs& in, std::size_t count, Answers& out) {
  for (std::size_t i = 0; i < count; i += lane_count)
    form == ClosedForm::Boxes ? boxes_deep<Lane>(in, i, out) : segments_deep<Lane>(in, i, out);
}
void find_one_apart(ClosedForm form, const ClosedPairs<1>& in, ClosedAnswers<1>& out) {
  form == ClosedForm::Boxes ? boxes_apart<double>(in, 0, out) : segments_apart<double>(in, 0, out);
}
void find_one_deep(ClosedForm form, const ClosedPairs<1>& in, ClosedAnswers<1>& out) {
  form == ClosedForm::Boxes ? boxes_deep<double>(in, 0, out) : segments_deep<double>(in, 0, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::proximity
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::proximity {
namespace {

HWY_EXPORT(find_apart);
HWY_EXPORT(find_deep);
HWY_EXPORT(find_one_apart);
HWY_EXPORT(find_one_deep);

static_assert(offsetof(Pose, translation) == sizeof(Matrix3) && sizeof(Matrix3) == 9 * sizeof(double));
static_assert(offsetof(ClosedCore, size) == offsetof(ClosedCore, radius) + sizeof(double));
static_assert(offsetof(Contact, point_b) == offsetof(Contact, point_a) + sizeof(Vector3) &&
              offsetof(Contact, normal) == offsetof(Contact, point_b) + sizeof(Vector3) &&
              offsetof(Contact, distance) == offsetof(Contact, normal) + sizeof(Vector3));
static_assert(offsetof(DistanceResult, lower_distance) ==
                  offsetof(DistanceResult, distance) + sizeof(double) &&
              offsetof(DistanceResult, contact) == offsetof(DistanceResult, distance) + 2 * sizeof(double) &&
              offsetof(Contact, point_a) == 0);

// By the ends that a box's point is at (bits 0-2) and the sides it is on (3-5): the lowest of up to three
// corners that span its feature.
constexpr std::array<Feature, 64> features_of_box() {
  std::array<Feature, 64> table;
  for (int code = 0; code < 64; ++code) {
    const int corner = code >> 3;
    int free[3] = {0, 0, 0}, count = 0;
    for (int k = 0; k < 3; ++k) {
      if ((code & (1 << k)) == 0) free[count++] = 1 << k;
    }
    int lowest = corner;
    for (int k = 0; k < count && k < 2; ++k) lowest = std::min(lowest, corner ^ free[k]);
    const FeatureKind kind = count == 0   ? FeatureKind::Vertex
                             : count == 1 ? FeatureKind::Edge
                                          : FeatureKind::Face;
    table[static_cast<std::size_t>(code)] = {kind, lowest, 0};
  }
  return table;
}
constexpr std::array<Feature, 64> box_features = features_of_box();

// By whether a segment's point is not its first end (bit 0), and whether it is the other (1).
constexpr std::array<Feature, 4> segment_features = {{{FeatureKind::Vertex, 0, 0},
                                                      {FeatureKind::Edge, 0, 0},
                                                      {FeatureKind::Vertex, 1, 0},
                                                      {FeatureKind::Vertex, 1, 0}}};

// Of both sides, by both codes.
struct TwoFeatures {
  Feature a, b;
};
constexpr std::array<TwoFeatures, 16> features_of_segments() {
  std::array<TwoFeatures, 16> table;
  for (std::size_t code = 0; code < 16; ++code)
    table[code] = {segment_features[code & 3], segment_features[code >> 2]};
  return table;
}
constexpr std::array<TwoFeatures, 16> two_segment_features = features_of_segments();

// The rest of an answer whose distances and contact are in their places. False if the pair is open: as new
// then, but for its contact.
template <std::size_t lanes>
bool read_answer(const ClosedAnswers<lanes>& out, std::size_t lane, ClosedForm form, double limit,
                 DistanceResult& result) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (out.is_closed[lane] == 0.0) {
    result.distance = infinite;
    result.lower_distance = 0.0;
    return false;
  }
  result.stats.piece_pairs = 1;
  if (result.distance > limit) {
    result.distance = infinite;
    result.contact = {};
    return true;
  }
  const auto code = static_cast<std::uint32_t>(static_cast<std::int32_t>(out.features[lane]));
  if (form == ClosedForm::Boxes) {
    result.contact.feature_a = box_features[code & 63];
    result.contact.feature_b = box_features[code >> 6 & 63];
  } else {
    const TwoFeatures& features = two_segment_features[code & 15];
    result.contact.feature_a = features.a;
    result.contact.feature_b = features.b;
  }
  return true;
}

template <std::size_t lanes>
bool read_answer(const ClosedAnswers<lanes>& out, std::size_t lane, ClosedForm form, double,
                 PenetrationResult& result) {
  if (out.is_closed[lane] == 0.0) return false;
  result.stats.piece_pairs = 1;
  result.status = Status::OverlapAtStart;
  result.lower_depth = out.lower[lane];
  result.upper_depth = out.upper[lane];
  result.contact.distance = (result.contact.point_b - result.contact.point_a).norm();
  result.contact.feature_a.part = result.contact.feature_b.part = 0;
  if (form != ClosedForm::Segments) return true;
  const auto code = static_cast<std::uint32_t>(static_cast<std::int32_t>(out.features[lane]));
  result.contact.feature_a = segment_features[code & 3];
  result.contact.feature_b = segment_features[code >> 2 & 3];
  return true;
}

// Whether a point of the world is in one side of a pair, up to rounding.
bool is_in(const double* pose, const double* core, ClosedForm form, const Vector3& point) {
  const double d[3] = {point.x() - pose[9], point.y() - pose[10], point.z() - pose[11]};
  const double radius = core[0];
  double squared = 0.0, lengths = radius;
  for (std::size_t k = 0; k < 3; ++k) {
    const double x = pose[3 * k] * d[0] + pose[3 * k + 1] * d[1] + pose[3 * k + 2] * d[2];
    const double half = core[1 + k];
    double beyond = std::max(std::abs(x) - half, 0.0);
    if (form == ClosedForm::Segments) beyond = k < 2 ? x : std::max({core[1] - x, x - core[2], 0.0});
    squared += beyond * beyond;
    lengths += std::abs(half) + std::abs(pose[9 + k]);
  }
  const double reach = radius + 256.0 * unit_roundoff * lengths;
  return squared <= reach * reach;
}

// Of a pair that meets beyond doubt, from its depth, which is open no more: told as `world_contact` tells it.
// False if no point of the way between the deepest points is seen to be in both.
template <std::size_t lanes>
bool read_meeting(const ClosedPairs<lanes>& pairs, std::size_t lane, ClosedForm form, const Contact& deepest,
                  DistanceResult& result) {
  const auto is_in_both = [&](const Vector3& point) {
    return is_in(pairs.pose_a[lane], pairs.core_a[lane], form, point) &&
           is_in(pairs.pose_b[lane], pairs.core_b[lane], form, point);
  };
  Vector3 meeting = 0.5 * deepest.point_a + 0.5 * deepest.point_b;
  if (!is_in_both(meeting)) {
    meeting = deepest.point_b;
    if (!is_in_both(meeting)) meeting = deepest.point_a;
    if (!is_in_both(meeting)) return false;
  }
  result.stats.piece_pairs = 1;
  result.distance = result.lower_distance = 0.0;
  result.contact = deepest;
  result.contact.distance = 0.0;
  result.contact.point_a = result.contact.point_b = meeting;
  return true;
}

}  // namespace

bool closed_distance(const PlacedShape& a, const PlacedShape& b, double limit, DistanceResult& result) {
  const ClosedForm form = form_of(a, b);
  if (form == ClosedForm::None) return false;
  ClosedPairs<1> in;
  ClosedAnswers<1> out;
  write_pair(a, b, place_of(result), 0, in);
  HWY_DYNAMIC_DISPATCH(find_one_apart)(form, in, out);
  if (read_answer(out, 0, form, limit, result)) return true;
  PenetrationResult depth;
  write_pair(a, b, place_of(depth), 0, in);
  HWY_DYNAMIC_DISPATCH(find_one_deep)(form, in, out);
  return read_answer(out, 0, form, 0.0, depth) && read_meeting(in, 0, form, depth.contact, result);
}

bool closed_penetration(const PlacedShape& a, const PlacedShape& b, PenetrationResult& result) {
  const ClosedForm form = form_of(a, b);
  if (form == ClosedForm::None) return false;
  ClosedPairs<1> in;
  ClosedAnswers<1> out;
  write_pair(a, b, place_of(result), 0, in);
  HWY_DYNAMIC_DISPATCH(find_one_deep)(form, in, out);
  return read_answer(out, 0, form, 0.0, result);
}

template <typename Result>
ClosedBatch<Result>::ClosedBatch(double limit, Result* results, std::size_t* open)
    : limit_(limit), results_(results), open_(open) {}

template <typename Result>
void ClosedBatch<Result>::answer(ClosedForm form, Block& block) {
  // What is left of the lanes repeats the first pair.
  ClosedPairs<most_lanes>& pairs = block.pairs;
  for (std::size_t i = block.count; i < most_lanes; ++i) {
    pairs.pose_a[i] = pairs.pose_a[0];
    pairs.pose_b[i] = pairs.pose_b[0];
    pairs.core_a[i] = pairs.core_a[0];
    pairs.core_b[i] = pairs.core_b[0];
    pairs.answer[i] = pairs.answer[0];
  }
  ClosedAnswers<most_lanes> out;
  std::size_t left[most_lanes], left_count = 0;
  if constexpr (std::is_same_v<Result, DistanceResult>) {
    HWY_DYNAMIC_DISPATCH(find_apart)(form, pairs, block.count, out);
  } else {
    HWY_DYNAMIC_DISPATCH(find_deep)(form, pairs, block.count, out);
  }
  for (std::size_t i = 0; i < block.count; ++i) {
    if (!read_answer(out, i, form, limit_, results_[block.number[i]])) left[left_count++] = i;
  }
  if (left_count > 0) answer_open(form, block, left, left_count);
  block.count = 0;
}

// Of distances those that meet, from their depths.
template <typename Result>
void ClosedBatch<Result>::answer_open(ClosedForm form, Block& block, const std::size_t* left,
                                      std::size_t left_count) {
  if constexpr (std::is_same_v<Result, DistanceResult>) {
    ClosedPairs<most_lanes>& pairs = block.pairs;
    PenetrationResult depths[most_lanes];
    ClosedAnswers<most_lanes> out;
    for (std::size_t i = 0; i < most_lanes; ++i) pairs.answer[i] = place_of(depths[i]);
    HWY_DYNAMIC_DISPATCH(find_deep)(form, pairs, block.count, out);
    for (std::size_t k = 0; k < left_count; ++k) {
      const std::size_t lane = left[k], number = block.number[lane];
      if (!read_answer(out, lane, form, 0.0, depths[lane]) ||
          !read_meeting(pairs, lane, form, depths[lane].contact, results_[number]))
        open_[open_count_++] = number;
    }
  } else {
    for (std::size_t k = 0; k < left_count; ++k) open_[open_count_++] = block.number[left[k]];
  }
}

template <typename Result>
std::size_t ClosedBatch<Result>::finish() {
  if (boxes_.count > 0) answer(ClosedForm::Boxes, boxes_);
  if (segments_.count > 0) answer(ClosedForm::Segments, segments_);
  return open_count_;
}

template class ClosedBatch<DistanceResult>;
template class ClosedBatch<PenetrationResult>;

}  // namespace toccata::proximity
#endif  // HWY_ONCE
