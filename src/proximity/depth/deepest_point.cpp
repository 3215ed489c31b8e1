#include "proximity/depth/deepest_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "hierarchy/box_pair.hpp"
#include "proximity/point_distance/nearest_triangle.hpp"
#include "proximity/world_triangle.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/proximity/containment.hpp"
#include "toccata/proximity/signed_distance.hpp"

namespace toccata::depth {

using proximity::placement_error;
using proximity::world_triangle;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
// Beyond that many distances the memory of the queue would be felt.
constexpr std::int64_t most_distances = 4'000'000;
// Distances need not be found to rounding: of the reach of a box, and of the tolerance.
constexpr double box_slack = 0.1;
constexpr double point_slack = 0.1;

// A point of the solid's surface nearest to a point, or nearly so.
struct Nearest {
  double lower = 0.0;  // proven bounds of the distance
  double upper = 0.0;
  double error = 0.0;  // how far the point may be from the surface
  Vector3 point = Vector3::Zero();
  Feature feature;
};

// The surface of a mesh.
class MeshTarget {
 public:
  explicit MeshTarget(const PlacedShape& shape) : shape_(shape), search_(shape) {}

  Nearest at(const Vector3& point, std::int32_t hint, double slack) {
    if (hint >= 0) search_.start_at(hint);
    const point_distance::NearestTriangle found = search_.almost(point, slack);
    Nearest nearest{found.lower, found.upper, 0.0, found.nearest.point, found.nearest.feature};
    nearest.feature.part = found.triangle;
    triangle_ = world_triangle(shape_, found.triangle);
    return nearest;
  }
  // How far a point is from the triangle that was nearest last.
  double from_last(const Vector3& point) const {
    return std::sqrt(point_triangle_distance(point, triangle_).squared_distance);
  }
  Vector3 place_on_last(const Vector3& point) const {
    return point_triangle_distance(point, triangle_).point;
  }
  Containment side(const Vector3& point) const { return point_containment(point, shape_); }

 private:
  const PlacedShape& shape_;
  point_distance::NearestTriangleSearch search_;
  Triangle triangle_;
};

// The surface of a convex kind.
class ConvexTarget {
 public:
  explicit ConvexTarget(const PlacedShape& shape) : shape_(shape) {}

  Nearest at(const Vector3& point, std::int32_t, double) {
    const SignedDistance found = signed_distance(point, shape_);
    last_ = found.point;
    // The point is the surface's up to the width of the bracket.
    error_ = found.upper - found.lower;
    const bool is_inside = found.side == Containment::Inside;
    return {is_inside ? -found.upper : std::max(0.0, found.lower), is_inside ? -found.lower : found.upper,
            error_, found.point, found.feature};
  }
  double from_last(const Vector3& point) const { return (point - last_).norm() + error_; }
  Vector3 place_on_last(const Vector3&) const { return last_; }
  Containment side(const Vector3& point) const { return signed_distance(point, shape_).side; }

 private:
  const PlacedShape& shape_;
  Vector3 last_ = Vector3::Zero();
  double error_ = 0.0;
};

// A ball that the solid's surface does not enter: all of it is on one side.
struct OneSided {
  Vector3 center = Vector3::Zero();
  double radius = 0.0;
  bool is_inside = false;

  bool holds(const Vector3& point, double reach) const {
    return (point - center).norm() + reach < radius * (1.0 - 1e-14);
  }
};

// A part of the surface that is still to be looked at.
struct Open {
  double bound = 0.0;       // no point of it is deeper
  std::int32_t box = -1;    // a child of the tree, or -1: a patch
  std::int32_t hint = -1;   // a feature of the solid near it
  std::int32_t patch = -1;  // number of a patch
  std::int32_t number = 0;  // in the order of coming: equal bounds are taken in that
  bool is_inside = false;   // all of it, proven
  OneSided known;           // what is known of the place around it

  bool operator<(const Open& other) const {
    return bound != other.bound ? bound < other.bound : number > other.number;
  }
};

struct Patch {
  Triangle corners;
  std::int32_t triangle = -1;
  bool is_whole = false;  // the triangle itself, not a piece of it
};

template <typename Target>
class Search {
 public:
  Search(const SurfaceCover& inner, const PlacedShape& outer, const DeepestLimits& limits)
      : cover_(inner),
        data_(inner.mesh.shape.data()),
        target_(outer),
        look_(limits.watch, 16),
        error_(placement_error(inner.mesh, outer)),
        tolerance_(std::max(limits.tolerance, 4.0 * error_)),
        to_world_{inner.mesh.pose.rotation, inner.mesh.pose.apply(data_.center)} {
    const ShapeData& other = outer.shape.data();
    if (other.is_half_space()) return;
    around_ = {outer.pose.apply(other.center), other.radius + error_, false};
    has_ball_ = true;
  }

  DeepestFound run() {
    if (!data_.tree.empty()) push({.bound = infinite, .box = 0, .known = {}});
    while (!open_.empty()) {
      if (open_.top().bound <= best_.lower + tolerance_) break;
      if (look_.is_over() || found_.stats.piece_pairs > most_distances) {
        found_.stopped = true;
        break;
      }
      const Open next = open_.top();
      open_.pop();
      if (next.box >= 0) {
        look_at_box(next);
      } else {
        look_at_patch(next);
      }
    }
    if (!open_.empty()) settled_ = std::max(settled_, open_.top().bound);
    const double deepest = std::max(settled_, best_.lower);
    best_.upper = deepest > 0.0 || any_near_ ? deepest + cover_.error : 0.0;
    best_.lower = std::max(0.0, best_.lower - cover_.error);
    found_.deepest = best_;
    return found_;
  }

 private:
  void push(Open open) {
    ++found_.stats.node_pairs;
    if (open.bound <= best_.lower + tolerance_) {
      settled_ = std::max(settled_, open.bound);
      return;
    }
    open.number = next_number_++;
    open_.push(open);
  }

  bool is_outside(const Vector3& point, OneSided& known, double free_radius) {
    if (known.holds(point, 0.0)) return !known.is_inside;
    bool inside = !has_ball_ || (point - around_.center).norm() <= around_.radius;
    if (inside) inside = target_.side(point) == Containment::Inside;
    known = {point, free_radius, inside};
    return !inside;
  }

  Nearest nearest_of(const Vector3& point, std::int32_t hint, double slack) {
    ++found_.stats.piece_pairs;
    return target_.at(point, hint, slack);
  }

  // Whether a part around `middle` is all outside and need not be looked at further; says in `open` if it is
  // all inside.
  bool leaves(Open& open, const Vector3& middle, double reach, double free_radius) {
    if (open.is_inside || free_radius - error_ <= reach) return false;
    open.is_inside = !is_outside(middle, open.known, free_radius);
    if (open.is_inside) return false;
    // The surface itself may still be inside by what the cover is off.
    any_near_ = any_near_ || free_radius - error_ <= reach + cover_.error;
    return true;
  }

  void look_at_box(Open open) {
    const BoxNode& node = data_.tree.node(static_cast<std::size_t>(open.box) / box_width);
    const auto slot = static_cast<std::size_t>(open.box) % box_width;
    const Box3 box = box_of(node, slot);
    const double reach = box.reach();
    const Nearest near = nearest_of(box.middle, open.hint, box_slack * reach);
    const double bound = std::min(open.bound, box.farthest_from(near.point) + near.error + error_);
    if (bound <= best_.lower + tolerance_) {
      settled_ = std::max(settled_, bound);
      return;
    }
    if (leaves(open, box.middle, reach, near.lower)) return;
    const std::int32_t child = node.child[slot];
    open.hint = near.feature.part;
    open.bound = bound;
    if (child < 0) return add_triangle(open, ~child);
    const BoxNode& opened = data_.tree.node(static_cast<std::size_t>(child));
    for (int k = 0; k < opened.count; ++k) {
      if (opened.child[k] < 0) {
        add_triangle(open, ~opened.child[k]);
        continue;
      }
      const Box3 part = box_of(opened, static_cast<std::size_t>(k));
      Open next = open;
      next.box = child * box_width + k;
      const Vector3 place = target_.place_on_last(part.middle);
      next.bound = std::min(bound, part.farthest_from(place) + near.error + error_);
      push(next);
    }
  }

  // A box in the world.
  struct Box3 {
    Vector3 middle;
    Vector3 arms[3];

    double reach() const {
      return std::sqrt(arms[0].squaredNorm() + arms[1].squaredNorm() + arms[2].squaredNorm());
    }
    double farthest_from(const Vector3& place) const {
      const Vector3 v = middle - place;
      double sum = v.squaredNorm();
      for (const Vector3& arm : arms) sum += 2.0 * std::abs(arm.dot(v)) + arm.squaredNorm();
      return std::sqrt(sum);
    }
  };

  // The float axes are orthonormal to 2^-21: lengthened by 2^-19 the box holds what its node's does, and the
  // squares of the arms that are not quite at right angles.
  Box3 box_of(const BoxNode& node, std::size_t slot) const {
    Box3 box;
    Vector3 middle;
    for (int k = 0; k < 3; ++k)
      middle[k] = static_cast<double>(node.origin[k]) + static_cast<double>(node.center[k][slot]);
    box.middle = to_world_.apply(middle);
    for (int i = 0; i < 3; ++i) {
      const Vector3 axis(node.axis[i][0][slot], node.axis[i][1][slot], node.axis[i][2][slot]);
      box.arms[i] = to_world_.rotation * (static_cast<double>(node.half[i][slot]) * (1.0 + 0x1p-19) * axis);
    }
    return box;
  }

  void add_triangle(const Open& parent, std::int32_t triangle) {
    add_patch(parent, {world_triangle(cover_.mesh, triangle), triangle, true});
  }

  double patch_bound(const Triangle& corners) const {
    return std::max({target_.from_last(corners[0]), target_.from_last(corners[1]),
                     target_.from_last(corners[2])}) +
           error_;
  }

  void add_patch(const Open& parent, const Patch& patch) {
    Open next = parent;
    next.box = -1;
    next.patch = static_cast<std::int32_t>(patches_.size());
    next.bound = std::min(parent.bound, patch_bound(patch.corners));
    patches_.push_back(patch);
    push(next);
  }

  void look_at_patch(Open open) {
    const Patch patch = patches_[static_cast<std::size_t>(open.patch)];
    const Vector3 middle = (patch.corners[0] + patch.corners[1] + patch.corners[2]) / 3.0;
    double reach = 0.0;
    for (const Vector3& corner : patch.corners) reach = std::max(reach, (corner - middle).norm());
    const Nearest near = nearest_of(middle, open.hint, point_slack * tolerance_);
    open.hint = near.feature.part;
    open.bound = std::min(open.bound, patch_bound(patch.corners));
    if (leaves(open, middle, reach, near.lower)) return;
    Feature feature{FeatureKind::Face, 0, patch.triangle};
    take(open, middle, near, feature);
    if (open.bound <= best_.lower + tolerance_) {
      settled_ = std::max(settled_, open.bound);
      return;
    }
    // The deepest point is often a corner.
    std::size_t farthest = 0;
    for (std::size_t k = 1; k < 3; ++k) {
      if (target_.from_last(patch.corners[k]) > target_.from_last(patch.corners[farthest])) farthest = k;
    }
    const Vector3& corner = patch.corners[farthest];
    if (patch.is_whole) feature = {FeatureKind::Vertex, static_cast<std::int32_t>(farthest), patch.triangle};
    const Nearest at_corner = nearest_of(corner, open.hint, point_slack * tolerance_);
    take(open, corner, at_corner, feature);
    open.bound = std::min(open.bound, patch_bound(patch.corners));
    if (open.bound <= best_.lower + tolerance_) {
      settled_ = std::max(settled_, open.bound);
      return;
    }
    const Triangle& t = patch.corners;
    const Vector3 ab = 0.5 * (t[0] + t[1]), bc = 0.5 * (t[1] + t[2]), ca = 0.5 * (t[2] + t[0]);
    for (const Triangle& part :
         {Triangle{t[0], ab, ca}, Triangle{t[1], bc, ab}, Triangle{t[2], ca, bc}, Triangle{ab, bc, ca}})
      add_patch(open, {part, patch.triangle, false});
  }

  void take(Open& open, const Vector3& point, const Nearest& near, const Feature& feature) {
    const double lower = near.lower - error_;
    if (lower <= best_.lower) return;
    if (!open.is_inside && is_outside(point, open.known, near.lower)) return;
    best_.lower = lower;
    best_.point = point;
    best_.nearest = near.point;
    const Vector3 way = near.point - point;
    best_.direction = way / way.norm();
    best_.feature = feature;
    best_.nearest_feature = near.feature;
  }

  const SurfaceCover& cover_;
  const ShapeData& data_;
  Target target_;
  SparseLook look_;
  double error_;  // of world coordinates, and of all that is computed with them
  double tolerance_;
  Pose to_world_;    // from the tree
  OneSided around_;  // a ball that holds the solid
  bool has_ball_ = false;
  std::priority_queue<Open> open_;
  std::vector<Patch> patches_;
  std::int32_t next_number_ = 0;
  double settled_ = 0.0;   // the largest bound of what was left out
  bool any_near_ = false;  // something outside is within the cover's error of the solid
  DeepestPoint best_;
  DeepestFound found_;
};

}  // namespace

DeepestFound deepest_point(const SurfaceCover& inner, const PlacedShape& outer, const DeepestLimits& limits) {
  if (outer.shape.is_mesh()) return Search<MeshTarget>(inner, outer, limits).run();
  return Search<ConvexTarget>(inner, outer, limits).run();
}

}  // namespace toccata::depth
