#include "toccata/proximity/signed_distance.hpp"

#include <array>
#include <atomic>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

#include "base/stop_watch.hpp"
#include "hierarchy/surface_normals.hpp"
#include "proximity/point_distance/asked_shape.hpp"
#include "proximity/point_distance/curve_order.hpp"
#include "proximity/point_distance/nearest_triangle.hpp"
#include "proximity/point_distance/segment_parity.hpp"
#include "proximity/point_distance/triangle_sides.hpp"
#include "proximity/world_triangle.hpp"
#include "toccata/base/parallel.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/elementary/triangle_intersection.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/proximity/penetration.hpp"

namespace toccata {

using namespace point_distance;
using proximity::world_triangle;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double largest_length = 1e30;
constexpr std::size_t block = 256;

// A ball that no surface enters: all of it is on one side.
struct FreeBall {
  Vector3 center = Vector3::Zero();
  double radius = 0.0;
  Containment side = Containment::Undefined;

  // A ball of that radius about the point meets this one: no surface is between the two middles.
  bool meets(const Vector3& point, double free_radius) const {
    return (point - center).norm() < (radius + free_radius) * (1.0 - 1e-14);
  }
};

void set_side(Containment side, double lower, double upper, SignedDistance& result) {
  result.side = side;
  const bool is_inside = side == Containment::Inside;
  result.lower = is_inside ? -upper : lower;
  result.upper = is_inside ? -lower : upper;
  if (is_inside) result.distance = -result.distance;
}

class MeshAsked {
 public:
  MeshAsked(const PlacedShape& shape, const SignedDistanceOptions& options)
      : shape_(shape),
        limit_(options.limit),
        has_side_(options.with_sign && shape.shape.is_closed()),
        search_(shape),
        parity_(shape_, margin_) {}
  MeshAsked(const MeshAsked&) = delete;
  MeshAsked& operator=(const MeshAsked&) = delete;
  ~MeshAsked() {
    if (asked_ > 0) count_asked_sides(*search_.walked(), asked_);
  }

  SignedDistance operator()(const Vector3& point) {
    SignedDistance result;
    const NearestTriangle found = search_(point, limit_);
    const double distance = std::sqrt(found.nearest.squared_distance);
    const bool is_near = found.triangle >= 0 && distance <= limit_;
    const double lower = is_near ? std::min(found.lower, distance) : 0.0;
    const double upper = is_near ? found.upper : infinite;
    Containment side = Containment::Undefined;
    if (has_side_) {
      side = is_near && upper <= limit_ ? seen_from_nearest(point) : Containment::Undefined;
      if (side == Containment::Undefined)
        side = is_near && is_on(point, found) ? Containment::Crossing : side_of(point, lower);
    }
    const bool touches = side == Containment::Crossing;
    if (is_near) {
      const ShapeData& data = shape_.shape.data();
      result.distance = touches ? 0.0 : distance;
      result.point = touches ? point : found.nearest.point;
      result.feature = found.nearest.feature;
      result.feature.part = found.triangle;
      result.normal = found.normal;
      if (found.normal == Vector3::Zero())
        result.normal = shape_.pose.rotation * normal_at(data, result.feature);
      const double outwards = result.normal.dot(point - result.point);
      if ((side == Containment::Inside && outwards > 0.0) || (side == Containment::Outside && outwards < 0.0))
        result.normal = -result.normal;
    }
    set_side(side, touches ? 0.0 : lower, touches && is_near ? 0.0 : upper, result);
    return result;
  }

 private:
  // Exactly: the distance of a point beside the surface may round to zero, too.
  bool is_on(const Vector3& point, const NearestTriangle& found) const {
    if (found.lower > 0.0) return false;
    return triangle_triangle_intersect({point, point, point}, world_triangle(shape_, found.triangle));
  }

  // By the triangles that it may be nearest to: see triangle_sides.hpp.
  Containment seen_from_nearest(const Vector3& point) {
    const TriangleSides* const sides = triangle_sides();
    if (sides == nullptr) return Containment::Undefined;
    const MeshView& mesh = shape_.shape.data().mesh;
    InnerSide seen = InnerSide::Unknown;  // the same of all of them
    for (const std::int32_t i : search_.may_be_nearest()) {
      const InnerSide inner = sides->inner[static_cast<std::size_t>(i)];
      const Triangle t = triangle_of(mesh, static_cast<std::size_t>(i));
      const int side = inner == InnerSide::Unknown ? 0 : side_of_plane(point, t[0], t[1], t[2]);
      if (side == 0) return Containment::Undefined;
      const bool is_inner = (side > 0) == (inner == InnerSide::Normal);
      const InnerSide here = is_inner ? InnerSide::Normal : InnerSide::Back;
      if (seen != InnerSide::Unknown && seen != here) return Containment::Undefined;
      seen = here;
    }
    return seen == InnerSide::Normal ? Containment::Inside : Containment::Outside;
  }

  const TriangleSides* triangle_sides() {
    if (sides_ != nullptr || !is_in_place_ || search_.walked() == nullptr) return sides_;
    if (asked_++ == 0) sides_ = triangle_sides_of(shape_, *search_.walked());
    return sides_;
  }

  Containment side_of(const Vector3& point, double free_radius) {
    for (const FreeBall& ball : free_) {
      if (ball.side != Containment::Undefined && ball.meets(point, free_radius))
        return remembered(point, free_radius, ball.side);
    }
    Containment side = seen_from_known(point, free_radius);
    if (side == Containment::Undefined) side = point_containment(point, shape_);
    return remembered(point, free_radius, side);
  }

  Containment remembered(const Vector3& point, double free_radius, Containment side) {
    free_[oldest_] = {point, free_radius, side};
    oldest_ = (oldest_ + 1) % free_.size();
    return side;
  }

  // By how often the segment from the nearest of the last points crosses the surface, which is nearer than
  // what a ray through all of the mesh meets. Both ends must be off the surface, and the mesh where its
  // numbers say.
  Containment seen_from_known(const Vector3& point, double free_radius) {
    const ShapeData& data = shape_.shape.data();
    const auto is_far = [&](const Vector3& p) { return (p - data.center).norm() > 2.0 * data.radius; };
    if (!is_in_place_ || !(free_radius > margin_) || is_far(point)) return Containment::Undefined;
    const FreeBall* nearest = nullptr;
    double least = infinite;
    for (const FreeBall& ball : free_) {
      const bool is_known = ball.side == Containment::Inside || ball.side == Containment::Outside;
      const double squared = (ball.center - point).squaredNorm();
      if (!is_known || !(ball.radius > margin_) || !(squared < least)) continue;
      least = squared;
      nearest = &ball;
    }
    if (nearest == nullptr || is_far(nearest->center)) return Containment::Undefined;
    const std::optional<bool> odd = parity_(nearest->center, point);
    if (!odd) return Containment::Undefined;
    return (nearest->side == Containment::Inside) != *odd ? Containment::Inside : Containment::Outside;
  }

  const PlacedShape& shape_;
  double limit_;
  bool has_side_;
  NearestTriangleSearch search_;
  std::array<FreeBall, 8> free_;  // about the last points
  std::size_t oldest_ = 0;        // of them
  // More than the rounding of where a segment crosses a triangle.
  double margin_ = 1e-11 * (shape_.shape.data().center.norm() + shape_.shape.data().radius);
  bool is_in_place_ =
      shape_.pose.rotation == Matrix3::Identity() && shape_.pose.translation == Vector3::Zero();
  SegmentParity parity_;
  const TriangleSides* sides_ = nullptr;  // once they are known
  std::int64_t asked_ = 0;                // points without them
};

class ConvexAsked {
 public:
  ConvexAsked(const PlacedShape& shape, const SignedDistanceOptions& options)
      : shape_(shape), options_(options), point_(Ball{0.0}) {}

  SignedDistance operator()(const Vector3& point) const {
    SignedDistance result;
    const PlacedShape here(point_, Pose(Matrix3::Identity(), point));
    const PenetrationResult depth = penetration(here, shape_);
    const bool meets = depth.status != Status::Separated;
    double lower = depth.lower_depth, upper = depth.upper_depth;
    Containment side = lower > 0.0 ? Containment::Inside : Containment::Crossing;
    if (meets) {
      result.distance = lower > 0.0 ? 0.5 * (lower + upper) : 0.0;
      result.normal = -depth.contact.normal;
      result.point = point + result.distance * result.normal;
      result.feature = depth.contact.feature_b;
    } else {
      const DistanceResult apart = distance(here, shape_);
      side = Containment::Outside;
      result.distance = apart.distance;
      lower = apart.lower_distance;
      upper = apart.distance * (1.0 + 8.0 * unit_roundoff);
      result.normal = -apart.contact.normal;
      result.point = apart.contact.point_b;
      result.feature = apart.contact.feature_b;
    }
    if (!options_.with_sign) side = Containment::Undefined;
    if (lower > options_.limit) {
      result = {};
      lower = 0.0;
      upper = infinite;
    }
    set_side(side, lower, upper, result);
    return result;
  }

 private:
  const PlacedShape& shape_;
  const SignedDistanceOptions& options_;
  Shape point_;
};

// The union of parts that may cover each other's surfaces.
class CompoundAsked {
 public:
  CompoundAsked(const PlacedShape& shape, const SignedDistanceOptions& options)
      : shape_(shape), with_sign_(options.with_sign), limit_(options.limit) {
    for (const CompoundPart& part : flattened(std::get<Compound>(shape.shape.geometry())))
      parts_.emplace_back(Shape(part.geometry), shape.pose * part.pose);
  }

  SignedDistance operator()(const Vector3& point) const {
    SignedDistance nearest;
    std::vector<SignedDistance> around;  // of the parts that the point is in
    std::vector<std::size_t> holders;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const SignedDistance d = signed_distance(point, parts_[i]);
      if (d.side != Containment::Outside) {
        around.push_back(d);
        holders.push_back(i);
      } else if (d.distance < nearest.distance) {
        const double lower =
            std::min(d.lower, nearest.side == Containment::Outside ? nearest.lower : d.lower);
        const double upper = std::min(d.upper, nearest.upper);
        nearest = d;
        nearest.lower = lower;
        nearest.upper = upper;
      } else {
        nearest.lower = std::min(nearest.lower, d.lower);
      }
    }
    if (!holders.empty()) nearest = covered(point, around, holders);
    return limited(nearest);
  }

 private:
  // No surface is nearer than that of the part which holds the point deepest. A nearest point of a part is
  // one of the union if no other part holds it; failing that, the way out of the ball around all is a bound.
  SignedDistance covered(const Vector3& point, const std::vector<SignedDistance>& around,
                         const std::vector<std::size_t>& holders) const {
    SignedDistance result;
    double least = 0.0, most = infinite;
    for (std::size_t k = 0; k < holders.size(); ++k) {
      const SignedDistance& d = around[k];
      if (k == 0 || -d.upper > least) {
        least = std::max(0.0, -d.upper);
        if (most == infinite) result = d;
      }
      if (std::max(0.0, -d.lower) >= most || is_covered(d.point, holders[k])) continue;
      most = std::max(0.0, -d.lower);
      result = d;
    }
    const bool is_found = most < infinite;
    const ShapeData& data = shape_.shape.data();
    if (!is_found)
      most = std::max(least, data.radius - (point - shape_.pose.apply(data.center)).norm()) * (1.0 + 1e-12);
    result.side = least > 0.0 || !is_found ? Containment::Inside : result.side;
    result.distance = is_found ? result.distance : -least;
    result.lower = -most;
    result.upper = -least;
    return result;
  }

  bool is_covered(const Vector3& point, std::size_t by_others_than) const {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (i != by_others_than && point_containment(point, parts_[i]) != Containment::Outside) return true;
    }
    return false;
  }

  SignedDistance limited(SignedDistance result) const {
    const bool is_inside = result.side == Containment::Inside;
    if ((is_inside ? -result.upper : result.lower) > limit_) {
      const Containment side = result.side;
      result = {};
      result.side = side;
      if (is_inside) {
        result.lower = -infinite;
        result.upper = 0.0;
        result.distance = -infinite;
      }
    }
    if (with_sign_) return result;
    result.side = Containment::Undefined;
    if (!is_inside) return result;
    std::swap(result.lower, result.upper);
    result.lower = -result.lower;
    result.upper = -result.upper;
    result.distance = std::abs(result.distance);
    return result;
  }

  const PlacedShape& shape_;
  bool with_sign_;
  double limit_;
  std::vector<PlacedShape> parts_;
};

bool is_compound(const PlacedShape& shape) {
  if (!std::holds_alternative<Compound>(shape.shape.data().geometry)) return false;
  if (const auto open = shape.shape.open_edges())
    throw std::invalid_argument("a mesh of the compound is not closed: " + *open);
  return true;
}

void check(std::span<const Vector3> points) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].cwiseAbs().maxCoeff() <= largest_length) continue;  // false for NaN
    const std::string which = points.size() == 1 ? "the point" : "point " + std::to_string(i);
    throw std::invalid_argument(which + " is not finite, or farther than 1e30 from the origin");
  }
}

template <typename Asked>
bool answer(std::span<const Vector3> points, const PlacedShape& shape, const SignedDistanceOptions& options,
            std::span<SignedDistance> answers) {
  const StopWatch watch(options.stop);
  std::atomic<bool> stopped = false;
  const std::vector<std::uint32_t> order = order_along_curve(points);
  parallel_blocks(points.size(), block, options.threads, [&](std::size_t begin, std::size_t end) {
    Asked ask(shape, options);
    for (std::size_t i = begin; i < end; ++i) {
      if (i % 16 == 0 && watch.or_null() != nullptr && watch.is_over()) {
        stopped = true;
        return;
      }
      if (i + 4 < end) __builtin_prefetch(&points[order[i + 4]]);  // it may be anywhere
      answers[order[i]] = ask(points[order[i]]);
    }
  });
  return stopped;
}

}  // namespace

SignedDistances signed_distances(std::span<const Vector3> points, const PlacedShape& shape,
                                 const SignedDistanceOptions& options) {
  check(points);
  if (const std::string failure = failure_of(options.stop); !failure.empty())
    throw std::invalid_argument(failure);
  SignedDistances result;
  result.points.resize(points.size());
  if (is_compound(shape)) {
    result.stopped = answer<CompoundAsked>(points, shape, options, result.points);
    return result;
  }
  const PlacedShape asked = asked_shape(shape);
  result.stopped = asked.shape.is_mesh() ? answer<MeshAsked>(points, asked, options, result.points)
                                         : answer<ConvexAsked>(points, asked, options, result.points);
  return result;
}

SignedDistance signed_distance(const Vector3& point, const PlacedShape& shape,
                               const SignedDistanceOptions& options) {
  check({&point, 1});
  if (is_compound(shape)) return CompoundAsked(shape, options)(point);
  const PlacedShape asked = asked_shape(shape);
  return asked.shape.is_mesh() ? MeshAsked(asked, options)(point) : ConvexAsked(asked, options)(point);
}

}  // namespace toccata
