#include "proximity/depth/hull_way_out.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <vector>

#include "hierarchy/node_heights.hpp"
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

// Of points equally far one is taken, in whichever order boxes were opened.
bool is_before(const Vector3& p, const Vector3& q) {
  return std::lexicographical_compare(p.data(), p.data() + 3, q.data(), q.data() + 3);
}

// Of a mesh by its tree: boxes that reach no higher than the best vertex are left out.
class FarthestVertex {
 public:
  // known: some vertices, of which the farthest is where to begin.
  FarthestVertex(const ShapeData& shape, const Vector3& direction, std::span<const Vector3> known)
      : shape_(shape), direction_(direction) {
    for (const Vector3& point : known) take(point);
    if (!shape.tree.empty()) open(0);
  }

  const Farthest& found() const { return found_; }

 private:
  struct Child {
    double height;
    std::int32_t child;
  };

  void take(const Vector3& point) {
    const double height = direction_.dot(point);
    if (height < found_.height) return;
    if (height > found_.height || is_before(point, found_.point)) found_ = {height, point};
  }

  void open(std::int32_t index) {
    const BoxNode& node = shape_.tree.node(static_cast<std::size_t>(index));
    double heights[box_width];
    hierarchy::node_heights(direction_, node, heights);
    Child children[box_width];
    int count = 0;
    for (int slot = 0; slot < node.count; ++slot) {
      if (!(heights[slot] > found_.height)) continue;
      int at = count++;  // the highest first
      for (; at > 0 && children[at - 1].height < heights[slot]; --at) children[at] = children[at - 1];
      children[at] = {heights[slot], node.child[slot]};
    }
    for (int i = 0; i < count && children[i].height > found_.height; ++i) {
      if (children[i].child >= 0) {
        open(children[i].child);
        continue;
      }
      for (const Vector3& corner : corners_of(shape_, ~children[i].child)) take(corner);
    }
  }

  const ShapeData& shape_;
  const Vector3& direction_;
  Farthest found_;
};

// known: of a mesh, vertices found before; the new one is added.
Farthest farthest_of(const ShapeData& shape, const Vector3& direction, std::vector<Vector3>& known) {
  Farthest best;
  if (shape.has_only_triangles()) {
    best = FarthestVertex(shape, direction, known).found();
    if (std::find(known.begin(), known.end(), best.point) == known.end()) known.push_back(best.point);
  } else {
    for (const Face& face : shape.mesh.faces) {
      for (const std::int32_t v : face) {
        const Vector3 point = shape.mesh.vertices[static_cast<std::size_t>(v)] - shape.center;
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

  double way_along(const Vector3& n) {
    const Farthest a = farthest_of(a_, a_to_b_.rotation.transpose() * n, known_a_);
    const Farthest b = farthest_of(b_, -n, known_b_);
    return a.height + n.dot(a_to_b_.translation) + b.height;
  }

  // No more than that along any direction, by the vertices found so far.
  double known_way(const Vector3& n) const {
    if (known_a_.empty() || known_b_.empty()) return -infinite;
    const Vector3 in_a = a_to_b_.rotation.transpose() * n;
    double highest = -infinite, lowest = infinite;
    for (const Vector3& point : known_a_) highest = std::max(highest, in_a.dot(point));
    for (const Vector3& point : known_b_) lowest = std::min(lowest, n.dot(point));
    return highest + n.dot(a_to_b_.translation) - lowest;
  }

  WayOut found(const Vector3& first) {
    const Vector3 between = -a_to_b_.translation;
    Vector3 best = first.norm() > 0.5 ? first : Vector3(Vector3::UnitZ());
    double least = way_along(best);
    const auto consider = [&](const Vector3& direction) {
      const double length = direction.norm();
      if (!(length > 0.0)) return false;
      const Vector3 n = direction / length;
      if (known_way(n) >= least) return false;
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
    const Farthest a = farthest_of(a_, a_to_b_.rotation.transpose() * best, known_a_);
    const Farthest b = farthest_of(b_, -best, known_b_);
    const Vector3 point_a = a_to_b_.apply(a.point);
    // Heights along the way out are what counts: both points on one line of it.
    return {least * (1.0 + 16.0 * unit_roundoff), best, point_a,
            point_a + best.dot(b.point - point_a) * best};
  }

 private:
  const ShapeData& a_;
  const ShapeData& b_;
  Pose a_to_b_;
  std::vector<Vector3> known_a_, known_b_;
};

}  // namespace

WayOut hull_way_out(const PlacedShape& a, const PlacedShape& b, const Vector3& first) {
  return Hulls(a, b).found(first);
}

double hull_way_along(const PlacedShape& a, const PlacedShape& b, const Vector3& normal) {
  return Hulls(a, b).way_along(normal) * (1.0 + 16.0 * unit_roundoff);
}

}  // namespace toccata::depth
