// All roundings are those of one pair: of between_trees and Difference on the way in, of add_radii,
// tell_sets_apart and pose_error on the way out, operation by operation.
#include "proximity/hull_batch.hpp"

#include "elementary/hull_index.hpp"
#include "proximity/piece_bracket.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "proximity/hull_batch.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "proximity/convex/lane_walks-inl.hpp"
#include "proximity/pair_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::proximity {
namespace HWY_NAMESPACE {
using convex::HWY_NAMESPACE::LaneDifferences;
using convex::HWY_NAMESPACE::LaneEnd;
using convex::HWY_NAMESPACE::LaneWalks;
using convex::HWY_NAMESPACE::most_steps;

HWY_INLINE Lane length_of(const Lane* v) {
  return square_root(dot(v, v));
}

HWY_INLINE void turn(const LanePose<Lane>& pose, const Lane* v, Lane* turned) {
  for (int k = 0; k < 3; ++k) turned[k] = (v[0] * pose.r[0][k] + v[1] * pose.r[1][k]) + v[2] * pose.r[2][k];
}

// As rotation_defect.
HWY_INLINE Lane defect_of(const LanePose<Lane>& pose) {
  Lane sum = lane(0.0);
  for (int i = 0; i < 3; ++i) {
    sum = sum + magnitude(dot(pose.r[i], pose.r[i]) - lane(1.0));
    sum = sum + lane(2.0) * magnitude(dot(pose.r[i], pose.r[(i + 1) % 3]));
  }
  return sum + lane(16.0 * unit_roundoff);
}

// One side of the pairs: where the middle of the shape is in the world, and how far that is from its origin.
struct PlacedSide {
  LanePose<Lane> pose;
  Lane middle[3], size;
};

HWY_INLINE PlacedSide load_side(const double* const* pose, const double* const* ball) {
  PlacedSide side;
  side.pose = load_pose<Lane>(pose);
  Lane radius, center[3];
  load_four(ball, 0, radius, center[0], center[1], center[2]);
  turn(side.pose, center, side.middle);
  for (int k = 0; k < 3; ++k) side.middle[k] = side.middle[k] + side.pose.t[k];
  side.size = (radius + length_of(center)) + length_of(side.pose.t);
  return side;
}

// Returns where all lengths are ordinary.
HWY_INLINE LaneMask place(const HullPairs& in, std::size_t at, const PlacedSide& a, const PlacedSide& b,
                          LaneDifferences& cores) {
  Lane between[3];
  for (int k = 0; k < 3; ++k) between[k] = a.middle[k] - b.middle[k];
  for (int row = 0; row < 3; ++row) {
    for (int k = 0; k < 3; ++k) cores.column[k][row] = dot(b.pose.r[row], a.pose.r[k]);
    cores.shift[row] = dot(b.pose.r[row], between);
  }
  cores.a = in.a + at;
  cores.b = in.b + at;
  const Lane scale = (load<Lane>(in.reach_a + at) + load<Lane>(in.reach_b + at)) + length_of(cores.shift);
  cores.height_error = lane(40.0 * unit_roundoff) * scale;
  cores.point_error = lane(16.0 * unit_roundoff) * scale;
  const Lane largest = larger(scale, larger(load<Lane>(in.radius_a + at), load<Lane>(in.radius_b + at)));
  return both(above(largest, lane(0x1p-200)), above(lane(0x1p+200), largest));
}

// The bracket of the sets, from that of their cores, which are apart.
struct LaneBracket {
  Lane lower, upper;
  Lane n[3];  // unit, from a to b
  Lane of_a[3], of_b[3];
};

HWY_INLINE void take_radii(Lane radius_a, Lane radius_b, LaneBracket& d) {
  const Lane zero = lane(0.0), radii = radius_a + radius_b, two = lane(2.0 * unit_roundoff);
  const LaneMask is_rounded = above(radii, zero);
  if (!any(is_rounded)) return;
  const Lane slack = two * (radii + d.upper), lower_slack = two * (radii + magnitude(d.lower));
  d.lower = choose(is_rounded, larger((d.lower - radii) - lower_slack, zero), d.lower);
  d.upper = choose(is_rounded, larger((d.upper - radii) + slack, zero), d.upper);
  // Along the line between the points, where there is one.
  Lane between[3];
  for (int k = 0; k < 3; ++k) between[k] = d.of_b[k] - d.of_a[k];
  const Lane squared = dot(between, between), inverse = lane(1.0) / square_root(squared);
  const LaneMask has_line = above(squared, zero);
  for (int k = 0; k < 3; ++k) {
    const Lane way = choose(has_line, between[k] * inverse, d.n[k]);
    d.of_a[k] = choose(is_rounded, d.of_a[k] + radius_a * way, d.of_a[k]);
    d.of_b[k] = choose(is_rounded, d.of_b[k] - radius_b * way, d.of_b[k]);
  }
}

HWY_INLINE void store_apart(const LaneBracket& d, const PlacedSide& b, double* const* to) {
  Lane point_a[3], point_b[3], normal[3];
  turn(b.pose, d.of_a, point_a);
  turn(b.pose, d.of_b, point_b);
  turn(b.pose, d.n, normal);
  for (int k = 0; k < 3; ++k) {
    point_a[k] = point_a[k] + b.middle[k];
    point_b[k] = point_b[k] + b.middle[k];
  }
  store_contact(point_a, point_b, normal, d.upper, to);
}

// As many pairs as there are lanes, and their walks.
struct LanePairs {
  LanePairs(const HullPairs& in, std::size_t first, LaneMask are_there)
      : at(first),
        a(load_side(in.pose_a + at, in.ball_a + at)),
        b(load_side(in.pose_b + at, in.ball_b + at)),
        are_ordinary(place(in, at, a, b, cores)),
        walks(cores, both(are_there, are_ordinary)) {}
  LanePairs(const LanePairs&) = delete;  // walks refer to the cores
  LanePairs& operator=(const LanePairs&) = delete;

  std::size_t at;
  PlacedSide a, b;
  LaneDifferences cores;
  LaneMask are_ordinary;
  LaneWalks walks;
};

void answer_lanes(const HullPairs& in, LanePairs& pairs, HullAnswers& out) {
  LaneWalks& walks = pairs.walks;
  const PlacedSide &a = pairs.a, &b = pairs.b;
  const std::size_t at = pairs.at;
  const LaneMask are_apart = walks.finish();
  LaneEnd end;
  walks.read(are_apart, end);
  LaneBracket d = {walks.lower(), walks.upper(), {}, {}, {}};
  walks.direction(d.n);
  for (int k = 0; k < 3; ++k) {
    d.of_a[k] = end.of_a[k];
    d.of_b[k] = end.of_b[k];
  }
  take_radii(load<Lane>(in.radius_a + at), load<Lane>(in.radius_b + at), d);
  const Lane zero = lane(0.0);
  store(choose(both(are_apart, above(d.lower, zero)), lane(1.0), zero), out.is_closed + at);
  const Lane defect = defect_of(a.pose) + defect_of(b.pose);
  const Lane pose_error = (lane(32.0 * unit_roundoff) + lane(2.0) * defect) * (a.size + b.size);
  store(larger(zero, d.lower - pose_error), out.lower + at);
  store(d.upper, out.upper + at);
  store_apart(d, b, in.contact + at);
  for (std::size_t i = 0; i < lane_count; ++i) {
    out.count[at + i] = end.count[i];
    for (int k = 0; k < 3; ++k) {
      out.vertex_a[at + i][k] = end.vertex_a[i][k];
      out.vertex_b[at + i][k] = end.vertex_b[i][k];
    }
  }
}

// Steps of two vectors of pairs side by side: what is a chain of quotients and roots in one of them leaves
// time for the other.
void answer_hulls(const HullPairs& in, std::size_t count, HullAnswers& out) {
  static_assert(HullPairs::most % (2 * lane_count) == 0);
  alignas(64) double numbers[HullPairs::most];
  for (std::size_t i = 0; i < HullPairs::most; ++i) numbers[i] = static_cast<double>(i);
  const Lane end = lane(static_cast<double>(count));
  for (std::size_t i = 0; i < count; i += 2 * lane_count) {
    const std::size_t j = i + lane_count;
    LanePairs one(in, i, above(end, load<Lane>(numbers + i))),
        other(in, j, above(end, load<Lane>(numbers + j)));
    for (int step = 0; step < most_steps; ++step) {
      const bool one_walks = one.walks.is_walking(), other_walks = other.walks.is_walking();
      if (!one_walks && !other_walks) break;
      if (one_walks) one.walks.find();
      if (other_walks) other.walks.find();
      if (one_walks) one.walks.take_found(step == 0);
      if (other_walks) other.walks.take_found(step == 0);
    }
    answer_lanes(in, one, out);
    if (j < count) answer_lanes(in, other, out);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::proximity
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::proximity {
namespace {

HWY_EXPORT(answer_hulls);

static_assert(offsetof(ShapeData, center) == offsetof(ShapeData, radius) + sizeof(double));

// Whether the walk of the pair can go in a lane: hulls whose index finds the farthest corner without a proof.
bool can_walk_in_lane(const ConvexSet* set) {
  return set != nullptr && set->core == Core::Points && set->index != nullptr && set->index->is_exact() &&
         !set->is_placed;
}

Feature feature_of(const std::int32_t* corners, std::int32_t count) {
  return feature_of_corners({corners[0], corners[1], corners[2], corners[0]}, count);
}

}  // namespace

bool HullBatch::add(const PlacedShape& a, const PlacedShape& b, std::size_t number) {
  const ShapeData &shape_a = a.shape.data(), &shape_b = b.shape.data();
  const ConvexSet *set_a = shape_a.only_set, *set_b = shape_b.only_set;
  if (!can_walk_in_lane(set_a) || !can_walk_in_lane(set_b)) return false;
  const std::size_t i = count_++;
  pairs_.pose_a[i] = a.pose.rotation.data();
  pairs_.pose_b[i] = b.pose.rotation.data();
  pairs_.ball_a[i] = &shape_a.radius;
  pairs_.ball_b[i] = &shape_b.radius;
  pairs_.a[i] = set_a->index;
  pairs_.b[i] = set_b->index;
  pairs_.reach_a[i] = core_reach(*set_a);
  pairs_.reach_b[i] = core_reach(*set_b);
  pairs_.radius_a[i] = set_a->radius;
  pairs_.radius_b[i] = set_b->radius;
  pairs_.contact[i] = results_[number].contact.point_a.data();
  number_[i] = number;
  if (count_ == HullPairs::most) answer();
  return true;
}

void HullBatch::answer() {
  // What is left of the lanes repeats the first pair, and does not walk.
  for (std::size_t i = count_; i < HullPairs::most; ++i) {
    pairs_.pose_a[i] = pairs_.pose_a[0];
    pairs_.pose_b[i] = pairs_.pose_b[0];
    pairs_.ball_a[i] = pairs_.ball_a[0];
    pairs_.ball_b[i] = pairs_.ball_b[0];
    pairs_.a[i] = pairs_.a[0];
    pairs_.b[i] = pairs_.b[0];
    pairs_.reach_a[i] = pairs_.reach_b[i] = pairs_.radius_a[i] = pairs_.radius_b[i] = 0.0;
    pairs_.contact[i] = unused_.data();
  }
  HullAnswers found;
  HWY_DYNAMIC_DISPATCH(answer_hulls)(pairs_, count_, found);
  for (std::size_t i = 0; i < count_; ++i) {
    DistanceResult& result = results_[number_[i]];
    if (found.is_closed[i] == 0.0) {
      open_[open_count_++] = number_[i];
      continue;
    }
    result.stats.piece_pairs = 1;
    result.lower_distance = found.lower[i];
    result.distance = found.upper[i];
    result.contact.feature_a = feature_of(found.vertex_a[i], found.count[i]);
    result.contact.feature_b = feature_of(found.vertex_b[i], found.count[i]);
  }
  count_ = 0;
}

std::size_t HullBatch::finish() {
  if (count_ > 0) answer();
  return open_count_;
}

}  // namespace toccata::proximity
#endif  // HWY_ONCE
