#include "proximity/depth/hull_way_out.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "hierarchy/piece.hpp"
#include "proximity/world_triangle.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata::depth {
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

// Of a mesh by its tree: boxes that reach no higher than the best vertex are left out.
class FarthestVertex {
 public:
  FarthestVertex(const ShapeData& shape, const Vector3& direction) : shape_(shape), direction_(direction) {
    if (!shape.tree.empty()) open(0);
  }

  const Farthest& found() const { return found_; }

 private:
  struct Child {
    double height;
    std::int32_t child;
  };

  void open(std::int32_t index) {
    const BoxNode& node = shape_.tree.node(static_cast<std::size_t>(index));
    Child children[box_width];
    for (int slot = 0; slot < node.count; ++slot) children[slot] = {height_of(node, slot), node.child[slot]};
    std::sort(children, children + node.count,
              [](const Child& x, const Child& y) { return x.height > y.height; });
    for (int i = 0; i < node.count && children[i].height > found_.height; ++i) {
      if (children[i].child >= 0) {
        open(children[i].child);
        continue;
      }
      for (const Vector3& corner : corners_of(shape_, ~children[i].child)) {
        const double height = direction_.dot(corner);
        if (height > found_.height) found_ = {height, corner};
      }
    }
  }

  double height_of(const BoxNode& node, int slot) const {
    double height = 0.0, size = 0.0;
    for (int k = 0; k < 3; ++k) {
      const double place = static_cast<double>(node.origin[k]) + static_cast<double>(node.center[k][slot]);
      height += direction_[k] * place;
      size += std::abs(place);
      const double along = direction_.x() * static_cast<double>(node.axis[k][0][slot]) +
                           direction_.y() * static_cast<double>(node.axis[k][1][slot]) +
                           direction_.z() * static_cast<double>(node.axis[k][2][slot]);
      height += std::abs(along) * static_cast<double>(node.half[k][slot]);
      size += static_cast<double>(node.half[k][slot]);
    }
    return height + 1e-14 * size;
  }

  const ShapeData& shape_;
  const Vector3& direction_;
  Farthest found_;
};

Farthest farthest_of(const ShapeData& shape, const Vector3& direction) {
  Farthest best;
  if (shape.has_only_triangles()) {
    best = FarthestVertex(shape, direction).found();
  } else {
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
  }
  best.height += 16.0 * unit_roundoff * (shape.radius + shape.center.norm());
  return best;
}

class Hulls {
 public:
  Hulls(const PlacedShape& a, const PlacedShape& b)
      : a_(a.shape.data()), b_(b.shape.data()), a_to_b_(proximity::between_trees(a, b)) {}

  double way_along(const Vector3& n) const {
    const Farthest a = farthest_of(a_, a_to_b_.rotation.transpose() * n);
    const Farthest b = farthest_of(b_, -n);
    return a.height + n.dot(a_to_b_.translation) + b.height;
  }

  WayOut found(const Vector3& first) const {
    const Vector3 between = -a_to_b_.translation;
    Vector3 best = first.norm() > 0.5 ? first : Vector3(Vector3::UnitZ());
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
    const Farthest a = farthest_of(a_, a_to_b_.rotation.transpose() * best);
    const Farthest b = farthest_of(b_, -best);
    const Vector3 point_a = a_to_b_.apply(a.point);
    // Heights along the way out are what counts: both points on one line of it.
    return {least * (1.0 + 16.0 * unit_roundoff), best, point_a,
            point_a + best.dot(b.point - point_a) * best};
  }

 private:
  const ShapeData& a_;
  const ShapeData& b_;
  Pose a_to_b_;
};

}  // namespace

WayOut hull_way_out(const PlacedShape& a, const PlacedShape& b, const Vector3& first) {
  return Hulls(a, b).found(first);
}

double hull_way_along(const PlacedShape& a, const PlacedShape& b, const Vector3& normal) {
  return Hulls(a, b).way_along(normal) * (1.0 + 16.0 * unit_roundoff);
}

}  // namespace toccata::depth
