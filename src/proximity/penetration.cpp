#include "toccata/proximity/penetration.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/number_text.hpp"
#include "hierarchy/length_limits.hpp"
#include "proximity/closed_pairs.hpp"
#include "proximity/contact_of.hpp"
#include "proximity/depth/hull_way_out.hpp"
#include "proximity/depth/solid_penetration.hpp"
#include "proximity/piece_bracket.hpp"
#include "proximity/world_triangle.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/proximity/intersects.hpp"

namespace toccata {

using namespace proximity;

namespace {

class Depth {
 public:
  Depth(const PlacedShape& a, const PlacedShape& b, PenetrationResult& result)
      : result_(result),
        a_(a),
        b_(b),
        a_to_b_(between_trees(a, b)),
        b_to_world_{b.pose.rotation, b.pose.apply(b.shape.data().center)},
        error_(pose_error(a, b)) {}

  // Of two pieces, which are all there are.
  void of_pieces() {
    const Piece a(a_.shape.data(), 0), b(b_.shape.data(), 0);
    ++result_.stats.piece_pairs;
    take(a, 0, b, 0, true);
  }

  void of_pairs(const IntersectsResult& meeting) {
    result_.stats = meeting.stats;
    for (const TrianglePair& pair : meeting.pairs) {
      const Piece a(a_.shape.data(), pair.a), b(b_.shape.data(), pair.b);
      ++result_.stats.piece_pairs;
      take(a, pair.a, b, pair.b, false);
    }
    // Only one direction leads out of a half space.
    if (a_.shape.data().is_half_space() || b_.shape.data().is_half_space()) return;
    find_way_out();
  }

 private:
  void take(const Piece& a, std::int32_t number_a, const Piece& b, std::int32_t number_b, bool is_whole) {
    convex::ConvexLimits limits;
    limits.enough = 0.0;  // of those that are apart nothing else is asked
    const convex::ConvexDepth depth = piece_depth(a, a_to_b_, b, nullptr, limits);
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

  void find_way_out() {
    const depth::WayOut way = depth::hull_way_out(a_, b_, way_);
    result_.upper_depth = std::max(result_.lower_depth, way.length + error_);
    set_points(way.normal, way.point_a, way.point_b);
  }

  PenetrationResult& result_;
  const PlacedShape& a_;
  const PlacedShape& b_;
  Pose a_to_b_;
  Pose b_to_world_;
  double error_;
  double deepest_ = 0.0;
  Vector3 way_ = Vector3::Zero();
};

}  // namespace

namespace {

// Whether the balls that hold the shapes are apart, by more than anybody could take for a touch: all lengths
// that enter are right to 256 u, rotations included.
bool are_balls_apart(const PlacedShape& a, const PlacedShape& b) {
  const ShapeData &of_a = a.shape.data(), &of_b = b.shape.data();
  if (of_a.is_half_space() || of_b.is_half_space()) return false;
  const Vector3 between = a.pose.apply(of_a.center) - b.pose.apply(of_b.center);
  const double radii = of_a.radius + of_b.radius;
  const double lengths = radii + of_a.center.lpNorm<1>() + of_b.center.lpNorm<1>() +
                         a.pose.translation.lpNorm<1>() + b.pose.translation.lpNorm<1>();
  const double reach = radii + 256.0 * unit_roundoff * lengths;
  return between.squaredNorm() > reach * reach;
}

// Boxes of trees are in single precision, and squares of lengths must not overflow, where solids are asked
// nor vanish. One convex piece against another one, as surfaces, has no such limits.
std::string failure_of_lengths(const PlacedShape& a, const PlacedShape& b, bool solid) {
  for (const PlacedShape* placed : {&a, &b}) {
    const ShapeData& data = placed->shape.data();
    const std::string which = placed == &a ? "the first shape" : "the second shape";
    const bool is_large = !(data.center.norm() + data.radius <= largest_length);
    if (!data.is_half_space() && (is_large || solid)) {
      if (std::string failure = toccata::failure_of_lengths(data, which); !failure.empty()) return failure;
    }
    if (!(placed->pose.translation.norm() <= largest_length))
      return which + " stands farther than " + number_text(largest_length) +
             " from the origin: choose a larger unit of length";
  }
  return {};
}

bool fails(const PlacedShape& a, const PlacedShape& b, bool solid, PenetrationResult& result) {
  std::string failure = failure_of_lengths(a, b, solid);
  if (failure.empty()) return false;
  result.status = Status::Failed;
  result.failure = std::move(failure);
  return true;
}

// `result`: as new.
void find_surface_depth(const PlacedShape& a, const PlacedShape& b, PenetrationResult& result) {
  if (are_single_pieces(a.shape.data(), b.shape.data())) {
    if (are_balls_apart(a, b)) {
      ++result.stats.piece_pairs;
      return;
    }
    return Depth(a, b, result).of_pieces();
  }
  if (fails(a, b, false, result)) return;
  IntersectsOptions options;
  options.all_pairs = true;
  const IntersectsResult meeting = intersects(a, b, options);
  if (meeting.intersects) return Depth(a, b, result).of_pairs(meeting);
  result.stats = meeting.stats;
}

}  // namespace

PenetrationResult penetration(const PlacedShape& a, const PlacedShape& b, const PenetrationOptions& options) {
  if (!options.solid) {
    PenetrationResult result;
    if (!closed_penetration(a, b, result)) find_surface_depth(a, b, result);
    return result;
  }
  if (PenetrationResult refused; fails(a, b, true, refused)) return refused;
  // Where one is a half space, or both are one convex piece, the bracket closes already.
  const bool is_closed_form = are_single_pieces(a.shape.data(), b.shape.data()) ||
                              a.shape.data().is_half_space() || b.shape.data().is_half_space();
  if (!is_closed_form) return depth::solid_penetration(a, b, options, std::nullopt);
  PenetrationResult known;
  find_surface_depth(a, b, known);
  return depth::solid_penetration(a, b, options, known);
}

}  // namespace toccata
