// Rounding. Of boxes it is that of the general path (docs/notes/convex_bounds.md), which is asked in b's
// coordinates. Segments are asked along the axes of the world, about b's place: their ends are a product and
// a sum from the poses, fewer roundings than a change of frame has. pose_error is that of world_triangle.hpp,
// with sizes of the shapes that are found from their cores; radii take one rounding for their sum and one for
// the difference.
#include "proximity/closed_pairs.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "hierarchy/shape_data.hpp"
#include "toccata/base/rounding.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "proximity/closed_pairs.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "proximity/convex/box_cores-inl.hpp"
#include "proximity/convex/segment_cores-inl.hpp"

#ifndef TOCCATA_PROXIMITY_CLOSED_ANSWERS
#define TOCCATA_PROXIMITY_CLOSED_ANSWERS
namespace toccata::proximity {

// As they come out: of each lane, in this order.
template <std::size_t lanes>
struct ClosedAnswers {
  double is_closed[lanes];
  double lower[lanes];
  double upper[lanes];
  double normal[3][lanes];
  double point_a[3][lanes];
  double point_b[3][lanes];
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
struct LanePose {
  V r[3][3];  // columns
  V t[3];
};

template <typename V>
HWY_INLINE LanePose<V> load_pose(const double* const* from) {
  LanePose<V> pose;
  load_two(from, 0, pose.r[0][0], pose.r[0][1]);
  load_two(from, 2, pose.r[0][2], pose.r[1][0]);
  load_two(from, 4, pose.r[1][1], pose.r[1][2]);
  load_two(from, 6, pose.r[2][0], pose.r[2][1]);
  load_two(from, 8, pose.r[2][2], pose.t[0]);
  load_two(from, 10, pose.t[1], pose.t[2]);
  return pose;
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

// `sizes`: of both shapes from their origins.
template <typename V>
HWY_INLINE V pose_error_of(const LanePose<V>& a, const LanePose<V>& b, V sizes) {
  const V defects = defect_of(a) + defect_of(b);
  return (number<V>(32.0 * unit_roundoff) + number<V>(2.0) * defects) *
         (sizes + (length_of(a.t) + length_of(b.t)));
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

template <typename V, typename Bracket>
HWY_INLINE void store_bracket(MaskOf<V> closed, V pose_error, const Bracket& bracket, V features,
                              double* is_closed, double* lower, double* upper, double* code) {
  const V zero = number<V>(0.0);
  store(choose(closed, number<V>(1.0), zero), is_closed);
  store(bracket.lower - pose_error, lower);
  store(bracket.upper, upper);
  store(features, code);
}

template <typename V, std::size_t lanes>
HWY_INLINE void boxes_at(const ClosedPairs<lanes>& in, std::size_t at, ClosedAnswers<lanes>& out) {
  const LanePose<V> a = load_pose<V>(in.pose_a + at), b = load_pose<V>(in.pose_b + at);
  const V radius_a = load<V>(in.a[0] + at), radius_b = load<V>(in.b[0] + at);
  BoxCores<V> boxes;
  V between[3];
  for (int k = 0; k < 3; ++k) {
    between[k] = a.t[k] - b.t[k];
    boxes.h[k] = load<V>(in.a[1 + k] + at);
    boxes.g[k] = load<V>(in.b[1 + k] + at);
  }
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 3; ++i) boxes.c[i][j] = dot(b.r[j], a.r[i]);
    boxes.t[j] = dot(b.r[j], between);
  }
  const V reach = (length_of(boxes.h) + length_of(boxes.g)) * number<V>(roundings_of_reach);
  const V scale = reach + length_of(boxes.t);
  boxes.height_error = number<V>(40.0 * unit_roundoff) * scale;
  boxes.point_error = number<V>(16.0 * unit_roundoff) * scale;
  BoxBracket<V> bracket = nearest_of_boxes(boxes);
  const V radii = radius_a + radius_b;
  const V pose_error = pose_error_of(a, b, (reach + radii) * number<V>(roundings_of_reach));
  const auto closed = both(take_radii(radii, pose_error, bracket), are_ordinary(scale, radius_a, radius_b));
  store_bracket<V>(closed, pose_error, bracket, features_of(boxes), out.is_closed + at, out.lower + at,
                   out.upper + at, out.features + at);
  const V* const n = bracket.n;
  V on_a[3], on_b[3];
  for (int k = 0; k < 3; ++k) {
    on_a[k] = boxes.y[k] + radius_a * n[k];
    on_b[k] = boxes.x[k] - radius_b * n[k];
  }
  for (int k = 0; k < 3; ++k) {
    const V row[3] = {b.r[0][k], b.r[1][k], b.r[2][k]};
    store(dot(row, n), out.normal[k] + at);
    store(dot(row, on_a) + b.t[k], out.point_a[k] + at);
    store(dot(row, on_b) + b.t[k], out.point_b[k] + at);
  }
}

template <typename V, std::size_t lanes>
HWY_INLINE void segments_at(const ClosedPairs<lanes>& in, std::size_t at, ClosedAnswers<lanes>& out) {
  const LanePose<V> a = load_pose<V>(in.pose_a + at), b = load_pose<V>(in.pose_b + at);
  const V radius_a = load<V>(in.a[0] + at), radius_b = load<V>(in.b[0] + at);
  const V from_a = load<V>(in.a[1] + at), to_a = load<V>(in.a[2] + at);
  const V from_b = load<V>(in.b[1] + at), to_b = load<V>(in.b[2] + at);
  SegmentCores<V> segments;
  V between[3];
  for (int k = 0; k < 3; ++k) {
    between[k] = a.t[k] - b.t[k];
    segments.p[k] = between[k] + from_a * a.r[2][k];
    segments.p_end[k] = between[k] + to_a * a.r[2][k];
    segments.q[k] = from_b * b.r[2][k];
    segments.q_end[k] = to_b * b.r[2][k];
  }
  const V reach = (larger(magnitude(from_a), magnitude(to_a)) + larger(magnitude(from_b), magnitude(to_b))) *
                  number<V>(roundings_of_reach);
  const V scale = reach + length_of(between);
  segments.height_error = number<V>(40.0 * unit_roundoff) * scale;
  segments.point_error = number<V>(16.0 * unit_roundoff) * scale;
  SegmentBracket<V> bracket = nearest_of_segments(segments);
  const V radii = radius_a + radius_b;
  const V pose_error = pose_error_of(a, b, (reach + radii) * number<V>(roundings_of_reach));
  const auto closed = both(take_radii(radii, pose_error, bracket), are_ordinary(scale, radius_a, radius_b));
  store_bracket<V>(closed, pose_error, bracket, features_of(segments), out.is_closed + at, out.lower + at,
                   out.upper + at, out.features + at);
  for (int k = 0; k < 3; ++k) {
    store(bracket.n[k], out.normal[k] + at);
    store((segments.y[k] + radius_a * bracket.n[k]) + b.t[k], out.point_a[k] + at);
    store((segments.x[k] - radius_b * bracket.n[k]) + b.t[k], out.point_b[k] + at);
  }
}

using Pairs = ClosedPairs<ClosedDistances::most_lanes>;
using Answers = ClosedAnswers<ClosedDistances::most_lanes>;

void find_boxes(const Pairs& in, std::size_t count, Answers& out) {
  for (std::size_t i = 0; i < count; i += lane_count) boxes_at<Lane>(in, i, out);
}
void find_segments(const Pairs& in, std::size_t count, Answers& out) {
  for (std::size_t i = 0; i < count; i += lane_count) segments_at<Lane>(in, i, out);
}
void find_one(ClosedForm form, const ClosedPairs<1>& in, ClosedAnswers<1>& out) {
  form == ClosedForm::Boxes ? boxes_at<double>(in, 0, out) : segments_at<double>(in, 0, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::proximity
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::proximity {
namespace {

HWY_EXPORT(find_boxes);
HWY_EXPORT(find_segments);
HWY_EXPORT(find_one);

static_assert(offsetof(Pose, translation) == sizeof(Matrix3) && sizeof(Matrix3) == 9 * sizeof(double));

// The one set of a shape that has a closed form with its like; none of shapes of other kinds, or out of
// place. A set of its own middle is never moved to it.
const ConvexSet* closed_set(const ShapeData& shape, ClosedForm& form) {
  if (shape.other_pieces != 1 || shape.sets.size() != 1) return nullptr;
  const ConvexSet& set = shape.sets.front().set;
  if (set.is_placed) return nullptr;
  if (set.core == Core::Box) {
    form = ClosedForm::Boxes;
    return &set;
  }
  if (set.core != Core::Points || set.points.size() > 2) return nullptr;
  const Vector3 &from = set.points.front(), &to = set.points.back();
  if (from.x() != 0.0 || from.y() != 0.0 || to.x() != 0.0 || to.y() != 0.0) return nullptr;
  form = ClosedForm::Segments;
  return shape.center.isZero(0.0) ? &set : nullptr;
}

struct ClosedSets {
  ClosedForm form = ClosedForm::None;
  const ConvexSet* a = nullptr;
  const ConvexSet* b = nullptr;
};

ClosedSets closed_sets(const PlacedShape& a, const PlacedShape& b) {
  ClosedSets sets;
  ClosedForm form_b = ClosedForm::None;
  sets.a = closed_set(a.shape.data(), sets.form);
  if (sets.a != nullptr) sets.b = closed_set(b.shape.data(), form_b);
  if (sets.b == nullptr || sets.form != form_b) sets.form = ClosedForm::None;
  return sets;
}

template <std::size_t lanes>
void write_pair(const PlacedShape& a, const PlacedShape& b, const ClosedSets& sets, std::size_t lane,
                ClosedPairs<lanes>& pairs) {
  pairs.pose_a[lane] = a.pose.rotation.data();
  pairs.pose_b[lane] = b.pose.rotation.data();
  pairs.a[0][lane] = sets.a->radius;
  pairs.b[0][lane] = sets.b->radius;
  if (sets.form == ClosedForm::Boxes) {
    for (std::size_t k = 0; k < 3; ++k) {
      pairs.a[1 + k][lane] = sets.a->half.data()[k];
      pairs.b[1 + k][lane] = sets.b->half.data()[k];
    }
  } else {
    pairs.a[1][lane] = sets.a->points.front().z();
    pairs.a[2][lane] = sets.a->points.back().z();
    pairs.b[1][lane] = sets.b->points.front().z();
    pairs.b[2][lane] = sets.b->points.back().z();
    pairs.a[3][lane] = pairs.b[3][lane] = 0.0;
  }
}

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

// False if the pair is open.
template <std::size_t lanes>
bool read_answer(const ClosedAnswers<lanes>& out, std::size_t lane, ClosedForm form, double limit,
                 DistanceResult& result) {
  if (out.is_closed[lane] == 0.0) return false;
  result.stats.piece_pairs = 1;
  result.lower_distance = out.lower[lane];
  const double found = out.upper[lane];
  if (found > limit) return true;
  result.distance = result.contact.distance = found;
  for (std::size_t k = 0; k < 3; ++k) {
    result.contact.normal.data()[k] = out.normal[k][lane];
    result.contact.point_a.data()[k] = out.point_a[k][lane];
    result.contact.point_b.data()[k] = out.point_b[k][lane];
  }
  const auto code = static_cast<std::uint32_t>(static_cast<std::int32_t>(out.features[lane]));
  const bool is_boxes = form == ClosedForm::Boxes;
  result.contact.feature_a = is_boxes ? box_features[code & 63] : segment_features[code & 3];
  result.contact.feature_b = is_boxes ? box_features[code >> 6 & 63] : segment_features[code >> 2 & 3];
  return true;
}

}  // namespace

bool closed_distance(const PlacedShape& a, const PlacedShape& b, double limit, DistanceResult& result) {
  const ClosedSets sets = closed_sets(a, b);
  if (sets.form == ClosedForm::None) return false;
  ClosedPairs<1> in;
  ClosedAnswers<1> out;
  write_pair(a, b, sets, 0, in);
  HWY_DYNAMIC_DISPATCH(find_one)(sets.form, in, out);
  return read_answer(out, 0, sets.form, limit, result);
}

ClosedDistances::ClosedDistances(double limit, DistanceResult* results, std::size_t* open)
    : limit_(limit), results_(results), open_(open) {}

bool ClosedDistances::add(const PlacedShape& a, const PlacedShape& b, std::size_t number) {
  const ClosedSets sets = closed_sets(a, b);
  if (sets.form == ClosedForm::None) return false;
  Block& block = sets.form == ClosedForm::Boxes ? boxes_ : segments_;
  write_pair(a, b, sets, block.count, block.pairs);
  block.number[block.count++] = number;
  if (block.count == most_lanes) answer(sets.form, block);
  return true;
}

void ClosedDistances::answer(ClosedForm form, Block& block) {
  // What is left of the lanes repeats the first pair.
  ClosedPairs<most_lanes>& pairs = block.pairs;
  for (std::size_t i = block.count; i < most_lanes; ++i) {
    pairs.pose_a[i] = pairs.pose_a[0];
    pairs.pose_b[i] = pairs.pose_b[0];
    for (std::size_t k = 0; k < 4; ++k) {
      pairs.a[k][i] = pairs.a[k][0];
      pairs.b[k][i] = pairs.b[k][0];
    }
  }
  ClosedAnswers<most_lanes> out;
  form == ClosedForm::Boxes ? HWY_DYNAMIC_DISPATCH(find_boxes)(pairs, block.count, out)
                            : HWY_DYNAMIC_DISPATCH(find_segments)(pairs, block.count, out);
  for (std::size_t i = 0; i < block.count; ++i) {
    if (!read_answer(out, i, form, limit_, results_[block.number[i]])) open_[open_count_++] = block.number[i];
  }
  block.count = 0;
}

std::size_t ClosedDistances::finish() {
  if (boxes_.count > 0) answer(ClosedForm::Boxes, boxes_);
  if (segments_.count > 0) answer(ClosedForm::Segments, segments_);
  return open_count_;
}

}  // namespace toccata::proximity
#endif  // HWY_ONCE
