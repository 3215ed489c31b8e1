#include "toccata/proximity/penetration.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "proximity/contact_of.hpp"
#include "proximity/piece_bracket.hpp"
#include "proximity/world_triangle.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/proximity/intersects.hpp"

namespace toccata {

using namespace proximity;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
// Directions around the best one are tried in rounds, each half as far from it as the last.
constexpr int rounds = 12;
constexpr int around = 6;
constexpr int most_tries = 64;

// The farthest point of the whole shape along a unit direction, about its centre, and an upper bound of its
// height.
struct Farthest {
  double height = -infinite;
  Vector3 point = Vector3::Zero();
};
Farthest farthest_of(const ShapeData& shape, const Vector3& direction) {
  Farthest best;
  for (const Face& face : shape.mesh->faces) {
    for (const std::int32_t v : face) {
      const Vector3 point = shape.mesh->vertices[static_cast<std::size_t>(v)] - shape.center;
      const double height = direction.dot(point);
      if (height > best.height) best = {height, point};
    }
  }
  for_each_set(shape, [&](const ConvexSet& set) {
    const Support s = support(set, direction);
    const double height = s.value + set.radius + support_error(set);
    if (height > best.height) best = {height, s.point + set.radius * direction};
  });
  best.height += 16.0 * unit_roundoff * (shape.radius + shape.center.norm());
  return best;
}

class Depth {
 public:
  Depth(const PlacedShape& a, const PlacedShape& b)
      : a_(a),
        b_(b),
        a_to_b_(between_trees(a, b)),
        b_to_world_{b.pose.rotation, b.pose.apply(b.shape.data().center)},
        error_(pose_error(a, b)) {}

  // Of two pieces, which are all there are.
  PenetrationResult of_pieces() {
    const Piece a(a_.shape.data(), 0), b(b_.shape.data(), 0);
    ++result_.stats.piece_pairs;
    take(a, 0, b, 0, true);
    return result_;
  }

  PenetrationResult of_pairs(const IntersectsResult& meeting) {
    result_.stats = meeting.stats;
    for (const TrianglePair& pair : meeting.pairs) {
      const Piece a(a_.shape.data(), pair.a), b(b_.shape.data(), pair.b);
      ++result_.stats.piece_pairs;
      take(a, pair.a, b, pair.b, false);
    }
    // Only one direction leads out of a half space.
    if (a_.shape.data().is_half_space() || b_.shape.data().is_half_space()) return result_;
    find_way_out();
    return result_;
  }

 private:
  void take(const Piece& a, std::int32_t number_a, const Piece& b, std::int32_t number_b, bool is_whole) {
    const convex::ConvexDepth depth = piece_depth(a, a_to_b_, b);
    if (is_whole && !is_touching(depth.distance)) return;
    const bool is_deeper = result_.status == Status::Separated || depth.lower_depth > deepest_;
    if (is_deeper) {
      deepest_ = depth.lower_depth;
      result_.lower_depth = std::max(0.0, depth.lower_depth - error_);
      result_.contact.feature_a = feature_of(a, depth.distance.features, 0, number_a);
      result_.contact.feature_b = feature_of(b, depth.distance.features, 1, number_b);
    }
    const bool has_plane = a.plane() != nullptr || b.plane() != nullptr;
    if (is_whole || (has_plane && is_deeper)) {
      result_.upper_depth = depth.upper_depth + error_;
      set_points(depth.normal, depth.point_a, depth.point_b);
    }
    result_.status = Status::OverlapAtStart;
    if (is_deeper) way_ = depth.normal;
  }

  // In b's coordinates.
  void set_points(const Vector3& normal, const Vector3& point_a, const Vector3& point_b) {
    result_.contact.normal = b_to_world_.rotation * normal;
    result_.contact.point_a = b_to_world_.apply(point_a);
    result_.contact.point_b = b_to_world_.apply(point_b);
    result_.contact.distance = (result_.contact.point_b - result_.contact.point_a).norm();
  }

  // How far b has to go along n (b's coordinates) until it is apart from all of a.
  double way_along(const Vector3& n) const {
    const Farthest a = farthest_of(a_.shape.data(), a_to_b_.rotation.transpose() * n);
    const Farthest b = farthest_of(b_.shape.data(), -n);
    return a.height + n.dot(a_to_b_.translation) + b.height;
  }

  void find_way_out() {
    const Vector3 between = -a_to_b_.translation;
    Vector3 best = way_.norm() > 0.5 ? way_ : Vector3(Vector3::UnitZ());
    double least = way_along(best);
    const auto consider = [&](const Vector3& direction) {
      const double length = direction.norm();
      if (!(length > 0.0)) return false;
      const Vector3 n = direction / length;
      const double way = way_along(n);
      if (!(way < least)) return false;
      least = way;
      best = n;
      return true;
    };
    consider(between);
    for (int axis = 0; axis < 3; ++axis) {
      for (const double sign : {-1.0, 1.0}) {
        consider(sign * Vector3::Unit(axis));
        consider(sign * a_to_b_.rotation.col(axis));
      }
    }
    double far = 0.5;
    for (int round = 0, tries = 0; round < rounds && tries < most_tries; ++tries) {
      const Vector3 x = best.unitOrthogonal(), y = best.cross(x), middle = best;
      bool better = false;
      for (int k = 0; k < around; ++k) {
        const double angle = 2.0 * std::numbers::pi * k / around;
        better = consider(middle + far * (std::cos(angle) * x + std::sin(angle) * y)) || better;
      }
      if (better) continue;
      far *= 0.5;
      ++round;
    }
    const Farthest a = farthest_of(a_.shape.data(), a_to_b_.rotation.transpose() * best);
    const Farthest b = farthest_of(b_.shape.data(), -best);
    result_.upper_depth = std::max(result_.lower_depth, least * (1.0 + 16.0 * unit_roundoff) + error_);
    const Vector3 point_a = a_to_b_.apply(a.point);
    // Heights along the way out are what counts: both points on one line of it.
    set_points(best, point_a, point_a + best.dot(b.point - point_a) * best);
  }

  const PlacedShape& a_;
  const PlacedShape& b_;
  Pose a_to_b_;
  Pose b_to_world_;
  double error_;
  double deepest_ = 0.0;
  Vector3 way_ = Vector3::Zero();
  PenetrationResult result_;
};

}  // namespace

PenetrationResult penetration(const PlacedShape& a, const PlacedShape& b) {
  if (are_single_pieces(a.shape.data(), b.shape.data())) return Depth(a, b).of_pieces();
  IntersectsOptions options;
  options.all_pairs = true;
  const IntersectsResult meeting = intersects(a, b, options);
  if (meeting.intersects) return Depth(a, b).of_pairs(meeting);
  PenetrationResult apart;
  apart.stats = meeting.stats;
  return apart;
}

}  // namespace toccata
