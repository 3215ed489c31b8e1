#include "ccd/search/turning_profiles.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include "ccd/search/triangle_advance.hpp"
#include "hierarchy/box_pair.hpp"
#include "hierarchy/box_slabs.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata::search {
namespace {

// Of two pieces together. A shadow falls short by w^2 / 8r, w the width of a piece and r its distance from
// the axis; four halvings, two of each piece, quarter that. After forty little is left but what rounding
// hides, and only pairs that are as close as that are ever halved so often.
constexpr int most_halvings = 40;
constexpr int halvings_per_look = 4;
// Pairs between two looks at the watch.
constexpr int looks_at_watch = 64;

constexpr double full_turn = 2.0 * std::numbers::pi;

// The half-plane of a point: its distance from the axis, its height along it.
using ProfileVector = Vector2;

struct Axis {
  Vector3 point;
  Vector3 along;  // unit
};

// A convex set by its corners, seen from the axis. A set that drifts along the axis or across it has the
// corners of both ends of its way.
struct Profile {
  static constexpr std::size_t most = 16;
  std::size_t count = 0;
  std::array<double, most> radius;
  std::array<double, most> height;
  // Along the radial direction of the middle: linear, and never above the radius.
  std::array<double, most> shadow;
  ProfileVector middle = ProfileVector::Zero();
  Vector3 radial = Vector3::Zero();  // of the middle, unit; zero if the axis runs through it
  // The set between two planes, a direction n . x: of n the part across the axis and that along it.
  struct Slab {
    double across, along, low, high;
  };
  std::array<Slab, 3> slabs;
  std::size_t slab_count = 0;
};

struct Corners {
  std::array<Vector3, Profile::most> at;
  std::size_t count = 0;

  void add(const Vector3& x) { at[count++] = x; }
};

Profile profile_of(const Axis& axis, const Corners& corners, std::span<const Vector3> normals) {
  Profile profile;
  profile.count = corners.count;
  std::array<Vector3, Profile::most> across;
  Vector3 sum = Vector3::Zero();
  const double share = 1.0 / static_cast<double>(corners.count);
  for (std::size_t i = 0; i < corners.count; ++i) {
    const Vector3 d = corners.at[i] - axis.point;
    profile.height[i] = axis.along.dot(d);
    across[i] = d - profile.height[i] * axis.along;
    profile.radius[i] = across[i].norm();
    sum += across[i];
    profile.middle.y() += profile.height[i] * share;
  }
  const double length = sum.norm();
  // The axis runs through the middle: the radius is at least zero.
  if (length > 0.0) profile.radial = sum / length;
  for (std::size_t i = 0; i < corners.count; ++i) profile.shadow[i] = profile.radial.dot(across[i]);
  profile.middle.x() = length * share;
  for (const Vector3& n : normals) {
    const double along = axis.along.dot(n);
    Profile::Slab& slab = profile.slabs[profile.slab_count++];
    slab = {(n - along * axis.along).norm(), along, 0.0, 0.0};
    for (std::size_t i = 0; i < corners.count; ++i) {
      const double x = n.dot(across[i]) + along * profile.height[i];
      slab.low = i == 0 ? x : std::min(slab.low, x);
      slab.high = i == 0 ? x : std::max(slab.high, x);
    }
  }
  return profile;
}

// A point's place in the half-plane moves by no more than the point, so that the gap of two profiles along a
// direction of that plane is a lower bound of the distance at all angles. What is convex takes its largest
// value at a corner; where the radius would have to be bounded the other way, its shadow does that.
double gap_along(const Profile& from, const Profile& to, const ProfileVector& direction) {
  const double length = direction.norm();
  if (!(length > 1e-100)) return -std::numeric_limits<double>::infinity();
  const double c = direction.x() / length, s = direction.y() / length;
  const auto& from_radius = c >= 0.0 ? from.radius : from.shadow;
  const auto& to_radius = c >= 0.0 ? to.shadow : to.radius;
  double high = c * from_radius[0] + s * from.height[0], low = c * to_radius[0] + s * to.height[0];
  for (std::size_t i = 1; i < from.count; ++i) high = std::max(high, c * from_radius[i] + s * from.height[i]);
  for (std::size_t i = 1; i < to.count; ++i) low = std::min(low, c * to_radius[i] + s * to.height[i]);
  return low - high;
}

// A plane of one set, and the other turned until it comes nearest to it.
double gap_across(const Profile::Slab& slab, const Profile& other) {
  double above = 0.0, below = 0.0;
  for (std::size_t i = 0; i < other.count; ++i) {
    const double radial = slab.across * other.radius[i], axial = slab.along * other.height[i];
    above = i == 0 ? radial + axial : std::max(above, radial + axial);
    below = i == 0 ? radial - axial : std::max(below, radial - axial);
  }
  return std::max(slab.low - above, -slab.high - below);
}

// A lower bound of the distance at all angles, as good as is needed to tell that it is more than `enough`.
double gap_between(const Profile& a, const Profile& b, double enough) {
  const ProfileVector line = b.middle - a.middle;
  double gap = std::max(gap_along(a, b, line), gap_along(b, a, line));
  for (const auto& [of, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    for (std::size_t k = 0; k < of->slab_count && !(gap > enough); ++k) {
      gap = std::max(gap, gap_across(of->slabs[k], *other));
    }
  }
  return gap;
}

class TurningPair {
 public:
  TurningPair(const SearchQuestion& question, std::int64_t most_pairs, QueryStats& stats)
      : q_(question),
        at_(question, question.start, question.end),
        left_(most_pairs),
        watch_(question.stop, looks_at_watch),
        stats_(stats) {}

  bool turns_in_place() {
    turning_ = q_.a.motion->is_fixed() ? 1 : 0;
    const MotionExpansion& e = turning_ == 1 ? at_.motion_b : at_.motion_a;
    const double duration = q_.end - q_.start;
    spin_ = e.angular_velocity.norm();
    if (!e.steady || !(spin_ > 0.0)) return false;
    axis_ = {e.center, e.angular_velocity / spin_};
    drift_ = e.velocity;
    speed_ = drift_.norm();
    const ShapeData& shape = turning_ == 1 ? *q_.b.shape : *q_.a.shape;
    const double arm =
        ((turning_ == 1 ? at_.pose_b : at_.pose_a).apply(shape.center) - e.center).norm() + shape.radius;
    const double unknown = duration * (e.speed_slack + e.spin_slack * arm);
    if (!(unknown < 0.1 * arm) || !(speed_ * full_turn < arm * spin_)) return false;
    // Corners carry two dozen roundings of the lengths they are made of, profiles and gaps two dozen more,
    // and the axis is a unit vector to eight.
    const double reach = e.center.norm() + duration * speed_ + length_of(*q_.a.shape, at_.pose_a) +
                         length_of(*q_.b.shape, at_.pose_b);
    padding_ = at_.padding + (unknown + 128.0 * unit_roundoff * reach) * (1.0 + 1e-12);
    return true;
  }

  bool are_always_apart() {
    tolerance_ = 0.0;
    nearest_.distance = q_.distance;
    return search();
  }

  // Every angle is passed.
  bool turns_whole() const { return spin_ * (q_.end - q_.start) > full_turn * (1.0 - 1e-9); }

  bool find_closest(const MomentLook& look, NearestMoment& nearest) {
    tolerance_ = q_.tolerance;
    look_ = &look;
    nearest_ = nearest;
    const bool proven = search();
    nearest = nearest_;
    return proven;
  }

 private:
  // Two boxes over a part of the time, at least `gap` apart.
  struct Open {
    BoxId box[2];
    double begin, end, gap;
  };
  using Triangle = std::array<Vector3, 3>;
  // Two triangles, or parts of them.
  struct Parts {
    Triangle part[2];
    double begin, end;
  };

  static double length_of(const ShapeData& shape, const Pose& pose) {
    return pose.translation.norm() + 2.0 * shape.center.norm() + 4.0 * shape.radius;
  }

  // Further apart than this is far enough.
  double enough() const { return nearest_.distance - tolerance_ + padding_; }

  bool search() {
    const BoxTree* const tree[2] = {&q_.a.shape->tree, &q_.b.shape->tree};
    std::vector<Open> open = {{{0, 0}, q_.start, q_.end, -1.0}};
    while (!open.empty()) {
      const Open top = open.back();
      open.pop_back();
      if (top.gap > enough()) continue;
      const std::int32_t child[2] = {child_of(*tree[0], top.box[0]), child_of(*tree[1], top.box[1])};
      const std::size_t first = open.size();
      if (splits_time(top.begin, top.end, extent_of_larger(tree, top.box))) {
        const double middle = top.begin + 0.5 * (top.end - top.begin);
        push({{top.box[0], top.box[1]}, top.begin, middle, 0.0}, open);
        push({{top.box[0], top.box[1]}, middle, top.end, 0.0}, open);
      } else if (child[0] < 0 && child[1] < 0) {
        piece_[0] = ~child[0];
        piece_[1] = ~child[1];
        if (!are_triangles_ ||
            !parts_are_apart({{piece_corners(0), piece_corners(1)}, top.begin, top.end}, most_halvings))
          return false;
      } else {
        const int side = opens_first(*tree[0], top.box[0], *tree[1], top.box[1]) ? 0 : 1;
        const auto node = static_cast<BoxId>(child[side]);
        const std::int32_t count = tree[side]->node(node).count;
        for (std::int32_t k = 0; k < count; ++k) {
          Open next = top;
          next.box[side] = node * box_width + static_cast<BoxId>(k);
          push(next, open);
        }
      }
      // The nearest is looked at next.
      std::sort(open.begin() + static_cast<std::ptrdiff_t>(first), open.end(),
                [](const Open& x, const Open& y) { return x.gap > y.gap; });
      if (left_ <= 0 || watch_.is_over()) return false;
    }
    return true;
  }

  void push(Open next, std::vector<Open>& open) {
    --left_;
    ++stats_.node_pairs;
    next.gap = gap_between(box_profile(0, next), box_profile(1, next), enough());
    if (!(next.gap > enough())) open.push_back(next);
  }

  // Shorter parts of the time tell more where the way is longer than what drifts, as long as each part has
  // whole turns.
  bool splits_time(double begin, double end, double size) const {
    return speed_ * (end - begin) > size && spin_ * (end - begin) >= 2.0 * full_turn;
  }

  static double extent_of_larger(const BoxTree* const tree[2], const BoxId box[2]) {
    return 2.0 * static_cast<double>(std::max(extent_of(*tree[0], box[0]), extent_of(*tree[1], box[1])));
  }

  const ShapeData& shape(int side) const { return side == 0 ? *q_.a.shape : *q_.b.shape; }
  const Pose& pose(int side) const { return side == 0 ? at_.pose_a : at_.pose_b; }

  // What stands still drifts, seen from the axis of what turns.
  template <std::size_t N>
  Corners drifting(int side, const std::array<Vector3, N>& corners, double begin, double end) const {
    Corners all;
    if (side == turning_ || speed_ == 0.0) {
      for (const Vector3& x : corners) all.add(x);
      return all;
    }
    for (const double t : {begin, end}) {
      const Vector3 moved = (t - q_.start) * drift_;
      for (const Vector3& x : corners) all.add(x - moved);
    }
    return all;
  }

  Profile box_profile(int side, const Open& open) const {
    const hierarchy::WorldBox box = hierarchy::world_box(shape(side), pose(side), open.box[side]);
    const std::array<Vector3, 3> normals = {box.axes.col(0).normalized(), box.axes.col(1).normalized(),
                                            box.axes.col(2).normalized()};
    return profile_of(axis_, drifting(side, box.corners, open.begin, open.end), normals);
  }

  Triangle piece_corners(int side) const {
    Triangle corners = corners_of(shape(side), piece_[side]);
    for (Vector3& x : corners) x = pose(side).apply(shape(side).center + x);
    return corners;
  }

  Profile part_profile(int side, const Parts& parts) const {
    const Triangle& x = parts.part[side];
    const Vector3 normal = (x[1] - x[0]).cross(x[2] - x[0]);
    const double length = normal.norm();
    const Vector3 unit = length > 1e-100 ? Vector3(normal / length) : axis_.along;
    return profile_of(axis_, drifting(side, x, parts.begin, parts.end), {&unit, 1});
  }

  // Shadows fall short of what is wide for its distance from the axis: halves tell more.
  bool parts_are_apart(const Parts& parts, int halvings) {
    if (left_-- <= 0 || watch_.is_over()) return false;
    ++stats_.piece_pairs;
    const Profile a = part_profile(0, parts), b = part_profile(1, parts);
    const double gap = gap_between(a, b, enough());
    if (gap > enough()) return true;
    if (look_ != nullptr && halvings % halvings_per_look == 0 && look_at_meeting(parts, a, b, gap) &&
        gap > enough())
      return true;
    if (halvings == 0) return false;
    const std::size_t edge[2] = {longest_edge(parts.part[0]), longest_edge(parts.part[1])};
    const double squared[2] = {squared_edge(parts.part[0], edge[0]), squared_edge(parts.part[1], edge[1])};
    Parts half[2] = {parts, parts};
    if (splits_time(parts.begin, parts.end, std::sqrt(std::max(squared[0], squared[1])))) {
      half[0].end = half[1].begin = parts.begin + 0.5 * (parts.end - parts.begin);
      ++halvings;  // of the time: they end by themselves
    } else {
      const int side = squared[0] >= squared[1] ? 0 : 1;
      const std::array<Triangle, 2> halved = halves(parts.part[side], edge[side]);
      for (std::size_t k = 0; k < 2; ++k) half[k].part[side] = halved[k];
    }
    return parts_are_apart(half[0], halvings - 1) && parts_are_apart(half[1], halvings - 1);
  }

  // When the middles are at one angle, about the middle of the time. True: the pieces were nearer then than
  // all that was seen before.
  bool look_at_meeting(const Parts& parts, const Profile& a, const Profile& b, double gap) {
    const Profile &turning = turning_ == 0 ? a : b, &standing = turning_ == 0 ? b : a;
    const double cosine = turning.radial.dot(standing.radial);
    const double sine = axis_.along.dot(turning.radial.cross(standing.radial));
    const double angle = std::atan2(sine, cosine);
    const double middle = 0.5 * (parts.begin + parts.end) - q_.start;
    const double turns = std::round((spin_ * middle - angle) / full_turn);
    const double t = q_.start + (angle + turns * full_turn) / spin_;
    if (!(t >= q_.start && t <= q_.end)) return false;
    // To follow a pair may take milliseconds, where looks at the watch are sparse.
    if (q_.stop != nullptr && q_.stop->is_over()) return false;
    const NearestMoment seen = (*look_)({gap, piece_[0], piece_[1], t});
    if (!(seen.distance < nearest_.distance)) return false;
    nearest_ = seen;
    return true;
  }

  static double squared_edge(const Triangle& x, std::size_t i) {
    return (x[(i + 1) % 3] - x[i]).squaredNorm();
  }

  static std::size_t longest_edge(const Triangle& x) {
    std::size_t longest = 0;
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
      if (squared_edge(x, i) > squared_edge(x, longest)) longest = i;
    }
    return longest;
  }

  static std::array<Triangle, 2> halves(const Triangle& x, std::size_t edge) {
    std::array<Triangle, 2> half = {x, x};
    half[0][edge] = half[1][(edge + 1) % 3] = 0.5 * (x[edge] + x[(edge + 1) % 3]);
    return half;
  }

  const SearchQuestion& q_;
  PairAtTime at_;
  // Other pieces are told apart by their boxes only.
  bool are_triangles_ = q_.a.shape->has_only_triangles() && q_.b.shape->has_only_triangles();
  std::int64_t left_;  // pairs that may still be looked at
  SparseLook watch_;
  QueryStats& stats_;
  int turning_ = 0;  // the side that turns
  Axis axis_{};      // at the start
  Vector3 drift_ = Vector3::Zero();
  double speed_ = 0.0;  // of the drift
  double spin_ = 0.0;
  double padding_ = 0.0;
  double tolerance_ = 0.0;
  NearestMoment nearest_;
  const MomentLook* look_ = nullptr;
  std::int32_t piece_[2] = {-1, -1};
};

bool one_turns(const SearchQuestion& question) {
  if (question.a.motion->is_fixed() == question.b.motion->is_fixed()) return false;
  return !question.a.shape->is_half_space() && !question.b.shape->is_half_space();
}

}  // namespace

bool apart_by_profile(const SearchQuestion& question, std::int64_t most_pairs, QueryStats& stats) {
  if (!one_turns(question)) return false;
  TurningPair pair(question, most_pairs, stats);
  return pair.turns_in_place() && pair.are_always_apart();
}

bool closest_by_profile(const SearchQuestion& question, std::int64_t most_pairs, const MomentLook& look,
                        NearestMoment& nearest, QueryStats& stats) {
  if (!one_turns(question)) return false;
  TurningPair pair(question, most_pairs, stats);
  return pair.turns_in_place() && pair.turns_whole() && pair.find_closest(look, nearest);
}

}  // namespace toccata::search
