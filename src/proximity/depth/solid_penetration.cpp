#include "proximity/depth/solid_penetration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hierarchy/shape_data.hpp"
#include "proximity/depth/compound_depth.hpp"
#include "proximity/depth/deepest_point.hpp"
#include "proximity/depth/hull_way_out.hpp"
#include "proximity/point_distance/asked_shape.hpp"
#include "proximity/world_triangle.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/proximity/containment.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/proximity/intersects.hpp"

namespace toccata::depth {

using proximity::placement_error;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double usual_error = 1e-3;
// Along each direction out: steps, each of them one distance.
constexpr int most_steps = 24;

PenetrationResult failed(std::string why) {
  PenetrationResult result;
  result.status = Status::Failed;
  result.failure = std::move(why);
  return result;
}

std::string failure_of(const PlacedShape& a, const PlacedShape& b, const PenetrationOptions& options) {
  if (!(options.absolute_error >= 0.0)) return "absolute_error must be at least 0";
  if (std::string failure = toccata::failure_of(options.stop); !failure.empty()) return failure;
  for (const PlacedShape* shape : {&a, &b}) {
    const char* which = shape == &a ? "the first" : "the second";
    if (!is_compound(*shape) && shape->shape.data().sets.size() > 1)
      return std::string(which) + " shape is a " + std::string(kind_of(shape->shape.geometry())) +
             ", whose parts may cover each other's surfaces. Ask them one by one";
    if (shape->shape.piece_count() == 0) return std::string(which) + " shape is empty";
    if (const auto open = shape->shape.open_edges())
      return std::string(which) + " mesh is not closed: " + *open;
  }
  return {};
}

// b moved along a direction until it is apart from a, and back as far as that stays proven.
class WaysOut {
 public:
  // tolerance: how near to touching is near enough.
  WaysOut(const PlacedShape& a, const PlacedShape& b, double tolerance, const StopWatch& watch)
      : a_(a), b_(b), watch_(watch), close_(tolerance), error_(placement_error(a, b)) {}

  bool stopped() const { return stopped_; }

  // normal: unit, world. Where the hulls are apart so are the bodies, and neither is inside the other. On the
  // way back they are apart as long as their surfaces do not meet: a step by their distance is free.
  void follow(const Vector3& normal, PenetrationResult& result) {
    if (stopped_) return;
    const double outside = hull_way_along(a_, b_, b_.pose.rotation.transpose() * normal) + 4.0 * error_;
    // Where they meet the way back ends before: nothing is gained.
    if (outside >= result.upper_depth && meets_at(result.upper_depth * normal)) return;
    double way = outside, least = outside;
    Vector3 touching = Vector3::Zero();
    bool has_point = false;
    for (int step = 0; step < most_steps && way > 0.0; ++step) {
      PlacedShape moved = b_;
      moved.pose.translation += way * normal;
      const DistanceResult apart = distance(a_, moved, {.relative_error = 0.5, .stop = watch_.rest()});
      ++result.stats.node_pairs;
      stopped_ = stopped_ || apart.stopped;
      const double free = apart.lower_distance - 4.0 * error_;
      if (apart.distance < infinite) {
        touching = apart.contact.point_a;
        has_point = true;
      }
      if (!(free > 0.0)) break;
      least = way;
      way -= free;
      if (free < close_ || stopped_) break;
    }
    if (!(least < result.upper_depth)) return;
    result.upper_depth = std::max(result.lower_depth, least);
    result.contact.normal = normal;
    if (has_point) result.contact.point_a = touching;
    result.contact.point_b = result.contact.point_a - result.upper_depth * normal;
    result.contact.distance = result.upper_depth;
  }

 private:
  bool meets_at(const Vector3& way) {
    PlacedShape moved = b_;
    moved.pose.translation += way;
    const IntersectsResult there = intersects(a_, moved, {.stop = watch_.rest()});
    stopped_ = stopped_ || there.stopped;
    return there.intersects;
  }

  const PlacedShape& a_;
  const PlacedShape& b_;
  const StopWatch& watch_;
  double close_;
  double error_;
  bool stopped_ = false;
};

// The features of the deepest points, which a contact is named after.
void name_features(PenetrationResult& result) {
  const DeepestPoint& deeper = result.a_in_b.lower >= result.b_in_a.lower ? result.a_in_b : result.b_in_a;
  result.contact.feature_a = &deeper == &result.a_in_b ? deeper.feature : deeper.nearest_feature;
  result.contact.feature_b = &deeper == &result.a_in_b ? deeper.nearest_feature : deeper.feature;
}

void find_way_out(const PlacedShape& a, const PlacedShape& b, double tolerance, const StopWatch& watch,
                  PenetrationResult& result) {
  name_features(result);
  // b has to go against the way out of a's point, and along that of its own.
  const Vector3 first = result.a_in_b.lower >= result.b_in_a.lower ? Vector3(-result.a_in_b.direction)
                                                                   : result.b_in_a.direction;
  const WayOut hull = hull_way_out(a, b, b.pose.rotation.transpose() * first);
  WaysOut ways(a, b, 0.5 * tolerance, watch);
  ways.follow(b.pose.rotation * hull.normal, result);
  if (result.a_in_b.lower > 0.0) ways.follow(-result.a_in_b.direction, result);
  if (result.b_in_a.lower > 0.0) ways.follow(result.b_in_a.direction, result);
  result.stopped = result.stopped || ways.stopped();
}

// Polytopes as their triangles: depths below a face are bounded by the whole face, those of a convex set only
// point by point, which takes long where a face is parallel to another one.
PlacedShape measured_solid(const PlacedShape& shape, const SurfaceCover& cover) {
  const bool is_surface = cover.error == 0.0 && !shape.shape.data().is_half_space();
  return is_surface ? cover.mesh : point_distance::asked_shape(shape);
}

// The surface of one half space in another one. Where they are not parallel it gets as deep as one likes.
DeepestPoint plane_in_half_space(const PlacedShape& inner, const PlacedShape& outer, bool are_opposite) {
  const ShapeData &of_inner = inner.shape.data(), &of_outer = outer.shape.data();
  const Plane &plane = *of_inner.tree.plane, &other = *of_outer.tree.plane;
  const Vector3 foot = inner.pose.apply(of_inner.center + plane.offset * plane.normal);
  const Vector3 seen = outer.pose.rotation.transpose() * (foot - outer.pose.translation) - of_outer.center;
  const Vector3 direction = outer.pose.rotation * other.normal;
  const double depth = -other.height(seen);
  const double error =
      64.0 * unit_roundoff *
      (std::abs(plane.offset) + std::abs(other.offset) + of_inner.center.norm() + of_outer.center.norm() +
       inner.pose.translation.norm() + outer.pose.translation.norm());
  DeepestPoint deepest;
  deepest.lower = std::max(0.0, depth - error);
  if (are_opposite || direction == inner.pose.rotation * plane.normal) {
    deepest.upper = std::max(0.0, depth + error);
  } else {
    deepest.upper = infinite;
  }
  deepest.point = foot;
  deepest.nearest = foot + depth * direction;
  deepest.direction = direction;
  deepest.feature.kind = deepest.nearest_feature.kind = FeatureKind::Face;
  return deepest;
}

bool has_inside(Containment c) {
  return c == Containment::Inside || c == Containment::Mixed;
}

}  // namespace

PenetrationResult solid_penetration(const PlacedShape& a, const PlacedShape& b,
                                    const PenetrationOptions& options,
                                    const std::optional<PenetrationResult>& known) {
  if (std::string failure = failure_of(a, b, options); !failure.empty()) return failed(std::move(failure));
  PenetrationResult result = known.value_or(PenetrationResult());
  if (known && known->status != Status::OverlapAtStart) return result;
  if (a.shape.data().is_half_space() && b.shape.data().is_half_space()) {
    if (!known) return result;
    result.a_in_b = plane_in_half_space(a, b, result.upper_depth < infinite);
    result.b_in_a = plane_in_half_space(b, a, result.upper_depth < infinite);
    return result;
  }
  const StopWatch watch(options.stop);
  const double tolerance = options.absolute_error > 0.0
                               ? options.absolute_error
                               : usual_error * std::min(a.shape.size(), b.shape.size());
  if (is_compound(a) || is_compound(b)) {
    PenetrationResult deep = compound_depth(a, b, options);
    if (known && deep.status == Status::OverlapAtStart) {
      result.a_in_b = deep.a_in_b;
      result.b_in_a = deep.b_in_a;
      result.upper_depth = std::max(result.upper_depth, result.lower_depth);
      return result;
    }
    if (deep.status == Status::OverlapAtStart && options.with_way_out)
      find_way_out(a, b, tolerance, watch, deep);
    return deep;
  }
  const Expected<SurfaceCover> cover_a = surface_cover(a, b), cover_b = surface_cover(b, a);
  if (!cover_a) return failed(cover_a.error().message);
  if (!cover_b) return failed(cover_b.error().message);
  const PlacedShape solid_a = measured_solid(a, *cover_a), solid_b = measured_solid(b, *cover_b);

  const DeepestLimits limits{tolerance, watch.or_null()};
  const DeepestFound a_in_b = deepest_point(*cover_a, solid_b, limits);
  const DeepestFound b_in_a = deepest_point(*cover_b, solid_a, limits);
  result.a_in_b = a_in_b.deepest;
  result.b_in_a = b_in_a.deepest;
  result.stopped = a_in_b.stopped || b_in_a.stopped;
  result.stats.node_pairs += a_in_b.stats.node_pairs + b_in_a.stats.node_pairs;
  result.stats.piece_pairs += a_in_b.stats.piece_pairs + b_in_a.stats.piece_pairs;
  const double deepest = std::max(result.a_in_b.lower, result.b_in_a.lower);
  result.lower_depth = std::max(result.lower_depth, deepest);
  if (known) {
    result.upper_depth = std::max(result.upper_depth, result.lower_depth);
    return result;
  }

  const bool overlaps = deepest > 0.0 || intersects(a, b).intersects || has_inside(containment(a, solid_b)) ||
                        has_inside(containment(b, solid_a));
  if (!overlaps) {
    PenetrationResult apart;
    apart.stats = result.stats;
    return apart;
  }
  result.status = Status::OverlapAtStart;
  result.upper_depth = infinite;
  if (options.with_way_out) {
    find_way_out(a, b, tolerance, watch, result);
  } else {
    name_features(result);
  }
  return result;
}

}  // namespace toccata::depth
