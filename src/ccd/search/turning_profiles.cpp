#include "ccd/search/turning_profiles.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
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
// Pairs between two looks at the watch.
constexpr int looks_at_watch = 64;

// The half-plane of a point: its distance from the axis, its height along it.
using ProfileVector = Vector2;

struct Axis {
  Vector3 point;
  Vector3 along;  // unit
};

// A convex set by its corners, seen from the axis.
template <std::size_t N>
struct Profile {
  std::array<double, N> radius;
  std::array<double, N> height;
  // Along the radial direction of the middle: linear, and never above the radius.
  std::array<double, N> shadow;
  ProfileVector middle = ProfileVector::Zero();
  std::array<ProfileVector, 3> directions;  // that may tell it from others
};

template <std::size_t N, std::size_t M>
Profile<N> profile_of(const Axis& axis, const std::array<Vector3, N>& corners,
                      const std::array<Vector3, M>& normals) {
  Profile<N> profile;
  std::array<Vector3, N> across;
  Vector3 sum = Vector3::Zero();
  for (std::size_t i = 0; i < N; ++i) {
    const Vector3 d = corners[i] - axis.point;
    profile.height[i] = axis.along.dot(d);
    across[i] = d - profile.height[i] * axis.along;
    profile.radius[i] = across[i].norm();
    sum += across[i];
    profile.middle.y() += profile.height[i] / static_cast<double>(N);
  }
  const double length = sum.norm();
  // The axis runs through the middle: the radius is at least zero.
  const Vector3 radial = length > 0.0 ? Vector3(sum / length) : Vector3(Vector3::Zero());
  for (std::size_t i = 0; i < N; ++i) profile.shadow[i] = radial.dot(across[i]);
  profile.middle.x() = length / static_cast<double>(N);
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector3& n = normals[std::min(k, M - 1)];
    profile.directions[k] = {radial.dot(n), axis.along.dot(n)};
  }
  return profile;
}

// A point's place in the half-plane moves by no more than the point, so that the gap of two profiles along a
// direction of that plane is a lower bound of the distance at all angles. What is convex takes its largest
// value at a corner; where the radius would have to be bounded the other way, its shadow does that.
template <std::size_t N>
double gap_along(const Profile<N>& from, const Profile<N>& to, const ProfileVector& direction) {
  const double length = direction.norm();
  if (!(length > 1e-100)) return -1.0;
  const double c = direction.x() / length, s = direction.y() / length;
  const std::array<double, N>& from_radius = c >= 0.0 ? from.radius : from.shadow;
  const std::array<double, N>& to_radius = c >= 0.0 ? to.shadow : to.radius;
  double high = c * from_radius[0] + s * from.height[0], low = c * to_radius[0] + s * to.height[0];
  for (std::size_t i = 1; i < N; ++i) {
    high = std::max(high, c * from_radius[i] + s * from.height[i]);
    low = std::min(low, c * to_radius[i] + s * to.height[i]);
  }
  return low - high;
}

template <std::size_t N>
bool are_apart(const Profile<N>& a, const Profile<N>& b, double distance) {
  const auto tells = [&](const ProfileVector& n) {
    return gap_along(a, b, n) > distance || gap_along(b, a, n) > distance;
  };
  if (tells(b.middle - a.middle)) return true;
  for (std::size_t k = 0; k < 3; ++k) {
    if (tells(a.directions[k]) || tells(b.directions[k])) return true;
  }
  return false;
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
    const bool a_stands = q_.a.motion->is_fixed();
    const MotionExpansion& e = a_stands ? at_.motion_b : at_.motion_a;
    const double duration = q_.end - q_.start, spin = e.angular_velocity.norm();
    if (!e.steady || !(spin > 0.0)) return false;
    axis_ = {e.center, e.angular_velocity / spin};
    const ShapeData& turning = a_stands ? *q_.b.shape : *q_.a.shape;
    const double arm =
        ((a_stands ? at_.pose_b : at_.pose_a).apply(turning.center) - e.center).norm() + turning.radius;
    const double moved = duration * (e.velocity.norm() + e.speed_slack + e.spin_slack * arm);
    if (!(moved < 0.1 * arm)) return false;
    // Corners carry two dozen roundings of the lengths they are made of, profiles and gaps two dozen more,
    // and the axis is a unit vector to eight.
    const double reach =
        e.center.norm() + length_of(*q_.a.shape, at_.pose_a) + length_of(*q_.b.shape, at_.pose_b);
    padding_ = at_.padding + (moved + 128.0 * unit_roundoff * reach) * (1.0 + 1e-12);
    return true;
  }

  bool are_always_apart() {
    const BoxTree &a = q_.a.shape->tree, &b = q_.b.shape->tree;
    std::vector<std::array<BoxId, 2>> open = {{0, 0}};
    while (!open.empty()) {
      if (left_-- <= 0 || watch_.is_over()) return false;
      const auto [box_a, box_b] = open.back();
      open.pop_back();
      ++stats_.node_pairs;
      if (boxes_are_apart(box_a, box_b)) continue;
      const std::int32_t child_a = child_of(a, box_a), child_b = child_of(b, box_b);
      if (child_a < 0 && child_b < 0) {
        if (!are_triangles_ ||
            !pieces_are_apart(piece_corners(*q_.a.shape, at_.pose_a, ~child_a),
                              piece_corners(*q_.b.shape, at_.pose_b, ~child_b), most_halvings))
          return false;
        continue;
      }
      const bool opens_a = opens_first(a, box_a, b, box_b);
      const auto node = static_cast<BoxId>(opens_a ? child_a : child_b);
      const std::int32_t count = (opens_a ? a : b).node(node).count;
      for (std::int32_t k = 0; k < count; ++k) {
        const BoxId child = node * box_width + static_cast<BoxId>(k);
        open.push_back(opens_a ? std::array<BoxId, 2>{child, box_b} : std::array<BoxId, 2>{box_a, child});
      }
    }
    return true;
  }

 private:
  static double length_of(const ShapeData& shape, const Pose& pose) {
    return pose.translation.norm() + 2.0 * shape.center.norm() + 4.0 * shape.radius;
  }

  Profile<8> box_profile(const ShapeData& shape, const Pose& pose, BoxId id) const {
    const hierarchy::WorldBox box = hierarchy::world_box(shape, pose, id);
    const std::array<Vector3, 3> normals = {box.axes.col(0), box.axes.col(1), box.axes.col(2)};
    return profile_of(axis_, box.corners, normals);
  }

  using Corners = std::array<Vector3, 3>;

  static Corners piece_corners(const ShapeData& shape, const Pose& pose, std::int32_t piece) {
    Corners corners = corners_of(shape, piece);
    for (Vector3& x : corners) x = pose.apply(shape.center + x);
    return corners;
  }

  Profile<3> piece_profile(const Corners& corners) const {
    const std::array<Vector3, 1> normal = {(corners[1] - corners[0]).cross(corners[2] - corners[0])};
    return profile_of(axis_, corners, normal);
  }

  bool boxes_are_apart(BoxId a, BoxId b) const {
    return are_apart(box_profile(*q_.a.shape, at_.pose_a, a), box_profile(*q_.b.shape, at_.pose_b, b),
                     q_.distance + padding_);
  }

  // Shadows fall short of what is wide for its distance from the axis: halves tell more.
  bool pieces_are_apart(const Corners& a, const Corners& b, int halvings) {
    if (left_-- <= 0 || watch_.is_over()) return false;
    ++stats_.piece_pairs;
    if (are_apart(piece_profile(a), piece_profile(b), q_.distance + padding_)) return true;
    if (halvings == 0) return false;
    const std::size_t edge_a = longest_edge(a), edge_b = longest_edge(b);
    if (squared_edge(a, edge_a) >= squared_edge(b, edge_b)) {
      const std::array<Corners, 2> half = halves(a, edge_a);
      return pieces_are_apart(half[0], b, halvings - 1) && pieces_are_apart(half[1], b, halvings - 1);
    }
    const std::array<Corners, 2> half = halves(b, edge_b);
    return pieces_are_apart(a, half[0], halvings - 1) && pieces_are_apart(a, half[1], halvings - 1);
  }

  static double squared_edge(const Corners& x, std::size_t i) {
    return (x[(i + 1) % 3] - x[i]).squaredNorm();
  }

  static std::size_t longest_edge(const Corners& x) {
    std::size_t longest = 0;
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
      if (squared_edge(x, i) > squared_edge(x, longest)) longest = i;
    }
    return longest;
  }

  static std::array<Corners, 2> halves(const Corners& x, std::size_t edge) {
    std::array<Corners, 2> half = {x, x};
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
  Axis axis_{};
  double padding_ = 0.0;
};

}  // namespace

bool apart_by_profile(const SearchQuestion& question, std::int64_t most_pairs, QueryStats& stats) {
  if (question.a.motion->is_fixed() == question.b.motion->is_fixed()) return false;
  if (question.a.shape->is_half_space() || question.b.shape->is_half_space()) return false;
  TurningPair pair(question, most_pairs, stats);
  return pair.turns_in_place() && pair.are_always_apart();
}

}  // namespace toccata::search
