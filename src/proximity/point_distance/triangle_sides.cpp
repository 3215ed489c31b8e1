#include "proximity/point_distance/triangle_sides.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "geometry/vertex_welder.hpp"
#include "hierarchy/shape_data.hpp"
#include "proximity/point_distance/nearest_triangle.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/elementary/triangle_intersection.hpp"
#include "toccata/proximity/containment.hpp"

namespace toccata::point_distance {
namespace {

constexpr std::size_t width = box_width;

// Of one pair of triangles: their corners, those that they share first, in the same order.
struct Pair {
  Triangle a, b;
  int shared = 0;
};

// All of b's own corners are off a's plane, on one side: what they share is all that they have in common.
bool is_beyond_plane(const Triangle& a, const Triangle& b, int shared) {
  int sides = 0;
  for (int k = shared; k < 3; ++k) sides += side_of_plane(b[static_cast<std::size_t>(k)], a[0], a[1], a[2]);
  return std::abs(sides) == 3 - shared;
}

// Whether a plane across `way` through the common corner, or between the triangles, has them on its sides.
// Heights are right to 8 u of the lengths.
bool is_parted(const Pair& pair, const Vector3& way) {
  constexpr double rounding = 0x1p-49;
  const Vector3& from = pair.a[0];
  const double length = way.cwiseAbs().sum();
  double least_a = INFINITY, most_b = -INFINITY, size = 0.0;
  const auto height = [&](const Vector3& corner) {
    const Vector3 arm = corner - from;
    size = std::max(size, arm.cwiseAbs().sum());
    return way.dot(arm);
  };
  for (auto k = static_cast<std::size_t>(pair.shared); k < 3; ++k) {
    least_a = std::min(least_a, height(pair.a[k]));
    most_b = std::max(most_b, height(pair.b[k]));
  }
  const double margin = rounding * length * size + 1e-290;
  if (pair.shared == 0) return least_a - most_b > 2.0 * margin;
  return least_a > margin && most_b < -margin;
}

// Of two that share an edge: they lie in different half planes at it if the ways across the edge, turned by a
// right angle, look away from each other, or if their planes are different. Eleven roundings of products of
// four lengths.
bool is_unfolded(const Pair& pair) {
  const Vector3 edge = pair.a[1] - pair.a[0], to_a = pair.a[2] - pair.a[0], to_b = pair.b[2] - pair.a[0];
  const double lengths = edge.cwiseAbs().sum() * to_a.cwiseAbs().sum() * edge.cwiseAbs().sum();
  const double product = edge.cross(to_a).dot(edge.cross(to_b));
  if (product < -(0x1p-48 * lengths * to_b.cwiseAbs().sum() + 1e-290)) return true;
  return side_of_plane(pair.b[2], pair.a[0], pair.a[1], pair.a[2]) != 0;
}

Vector3 unit(const Vector3& v) {
  const double squared = v.squaredNorm();
  return squared > 0.0 ? Vector3(v / std::sqrt(squared)) : v;
}

// Whether two triangles have nothing in common but the corners they share; not always found out.
bool are_bare(const Pair& pair) {
  if (pair.shared > 2) return false;
  if (pair.shared == 2) return is_unfolded(pair);
  if (is_beyond_plane(pair.a, pair.b, pair.shared) || is_beyond_plane(pair.b, pair.a, pair.shared))
    return true;
  if (pair.shared == 1) {
    const auto middle = [&](const Triangle& t) { return Vector3(unit(t[1] - t[0]) + unit(t[2] - t[0])); };
    return is_parted(pair, middle(pair.a) - middle(pair.b));
  }
  if (is_parted(pair, (pair.a[0] + pair.a[1] + pair.a[2]) - (pair.b[0] + pair.b[1] + pair.b[2]))) return true;
  return !triangle_triangle_intersect(pair.a, pair.b);
}

// Boxes of eight triangles.
struct LeafBoxes {
  float lower[3][width], upper[3][width];
};

struct FloatBounds {
  float lower[3], upper[3];
};

// A bit of each of eight boxes that a box meets; without branches, so that the compiler's vectors take it.
unsigned meeting(const float (*lower)[width], const float (*upper)[width], const FloatBounds& box) {
  constexpr std::int32_t bit[width] = {1, 2, 4, 8, 16, 32, 64, 128};
  std::int32_t bits = 0;
  for (std::size_t slot = 0; slot < width; ++slot) {
    const std::int32_t meets = static_cast<std::int32_t>(lower[0][slot] <= box.upper[0]) &
                               static_cast<std::int32_t>(box.lower[0] <= upper[0][slot]) &
                               static_cast<std::int32_t>(lower[1][slot] <= box.upper[1]) &
                               static_cast<std::int32_t>(box.lower[1] <= upper[1][slot]) &
                               static_cast<std::int32_t>(lower[2][slot] <= box.upper[2]) &
                               static_cast<std::int32_t>(box.lower[2] <= upper[2][slot]);
    bits |= -meets & bit[slot];
  }
  return static_cast<unsigned>(bits);
}

class Finder {
 public:
  Finder(const PlacedShape& placed, const hierarchy::RayTree& tree)
      : placed_(placed), mesh_(placed.shape.data().mesh), tree_(tree) {}

  TriangleSides run() {
    weld();
    put_boxes();
    put_planes();
    is_bare_.resize(mesh_.faces.size());
    for (std::size_t i = 0; i < mesh_.faces.size(); ++i) is_bare_[i] = has_three_places(i);
    for (std::size_t leaf = 0; leaf < tree_.leaves.size(); ++leaf) compare_with_later(leaf);
    return sides();
  }

 private:
  void weld() {
    std::vector<Vector3> places;
    VertexWelder welder(places, true);
    std::vector<std::int32_t> place;
    place.reserve(mesh_.vertices.size());
    for (const Vector3& v : mesh_.vertices) place.push_back(welder.index(v));
    places_.reserve(mesh_.faces.size());
    for (const Face& f : mesh_.faces)
      places_.push_back({place[static_cast<std::size_t>(f[0])], place[static_cast<std::size_t>(f[1])],
                         place[static_cast<std::size_t>(f[2])]});
  }
  std::int32_t place(std::size_t face, std::size_t corner) const { return places_[face][corner]; }
  bool has_three_places(std::size_t i) const {
    return place(i, 0) != place(i, 1) && place(i, 1) != place(i, 2) && place(i, 2) != place(i, 0);
  }
  const Vector3& vertex(std::size_t face, std::size_t corner) const {
    return mesh_.vertices[static_cast<std::size_t>(mesh_.faces[face][corner])];
  }

  void put_planes() {
    planes_.reserve(mesh_.faces.size());
    for (std::size_t i = 0; i < mesh_.faces.size(); ++i) {
      const Vector3 u = vertex(i, 1) - vertex(i, 0), v = vertex(i, 2) - vertex(i, 0);
      planes_.push_back({u.cross(v), u.cwiseAbs().sum() * v.cwiseAbs().sum()});
    }
  }

  void put_boxes() {
    const Vector3& center = placed_.shape.data().center;
    boxes_.resize(tree_.leaves.size());
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      for (std::size_t slot = 0; slot < width; ++slot) {
        const Triangle t = triangle_of(mesh_, static_cast<std::size_t>(tree_.leaves[i].triangle[slot]));
        for (std::size_t k = 0; k < 3; ++k) {
          const auto axis = static_cast<Eigen::Index>(k);
          // Differences are rounded in the order of what they are of.
          const double from = center[axis], a = t[0][axis] - from, b = t[1][axis] - from,
                       c = t[2][axis] - from;
          boxes_[i].lower[k][slot] = float_below(std::min(a, std::min(b, c)));
          boxes_[i].upper[k][slot] = float_above(std::max(a, std::max(b, c)));
        }
      }
    }
  }

  // Every pair of triangles whose boxes meet, once.
  void compare_with_later(std::size_t leaf) {
    const auto count = static_cast<std::size_t>(tree_.leaves[leaf].count);
    const LeafBoxes& own = boxes_[leaf];
    FloatBounds box;
    for (std::size_t k = 0; k < 3; ++k) {
      box.lower[k] = *std::min_element(own.lower[k], own.lower[k] + count);
      box.upper[k] = *std::max_element(own.upper[k], own.upper[k] + count);
    }
    stack_.assign(1, tree_.root);
    while (!stack_.empty()) {
      const std::int32_t child = stack_.back();
      stack_.pop_back();
      if (child < 0) {
        if (static_cast<std::size_t>(~child) >= leaf) compare(leaf, static_cast<std::size_t>(~child));
        continue;
      }
      const hierarchy::RayNode& node = tree_.nodes[static_cast<std::size_t>(child)];
      for (unsigned bits = meeting(node.bound, node.bound + 3, box); bits != 0; bits &= bits - 1)
        stack_.push_back(node.child[std::countr_zero(bits)]);
    }
  }

  void compare(std::size_t leaf, std::size_t other) {
    const hierarchy::RayLeaf &from = tree_.leaves[leaf], &to = tree_.leaves[other];
    const LeafBoxes &own = boxes_[leaf], &theirs = boxes_[other];
    for (std::size_t i = 0; i < static_cast<std::size_t>(from.count); ++i) {
      FloatBounds box;
      for (std::size_t k = 0; k < 3; ++k) {
        box.lower[k] = own.lower[k][i];
        box.upper[k] = own.upper[k][i];
      }
      unsigned bits =
          meeting(theirs.lower, theirs.upper, box) & ((1U << static_cast<unsigned>(to.count)) - 1U);
      if (other == leaf) bits &= ~0U << (i + 1);
      for (; bits != 0; bits &= bits - 1)
        compare_triangles(from.triangle[i], to.triangle[std::countr_zero(bits)]);
    }
  }

  void compare_triangles(std::int32_t first, std::int32_t second) {
    const auto a = static_cast<std::size_t>(first), b = static_cast<std::size_t>(second);
    const unsigned of_a = shared_of(a, b), of_b = shared_of(b, a);
    if (!is_beyond(a, b, of_b) && !is_beyond(b, a, of_a) && !are_bare(pair_of(a, b))) {
      is_bare_[a] = is_bare_[b] = false;
    } else if (is_edge(of_a) && is_edge(of_b)) {
      neighbours_.push_back({a, b});
    }
  }

  // Two of three bits.
  static bool is_edge(unsigned corners) { return corners == 3 || corners == 5 || corners == 6; }

  // A bit of each corner that is one of the other, too.
  unsigned shared_of(std::size_t face, std::size_t other) const {
    const Face &own = places_[face], &theirs = places_[other];
    unsigned bits = 0;
    const auto is = [&](std::size_t k, std::size_t j) { return static_cast<unsigned>(own[k] == theirs[j]); };
    for (std::size_t k = 0; k < 3; ++k) bits |= (is(k, 0) | is(k, 1) | is(k, 2)) << k;
    return bits;
  }

  // All of b's own corners are off a's plane, on one side, as in are_bare; by side_of_plane, whose products
  // are kept. Two that share an edge have different planes then.
  bool is_beyond(std::size_t a, std::size_t b, unsigned shared) const {
    const Plane& plane = planes_[a];
    int sides = 0, own = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      if ((shared >> k & 1U) != 0) continue;
      const Vector3 arm = vertex(b, k) - vertex(a, 0);
      const double height = plane.normal.dot(arm);
      const double error = 16.0 * unit_roundoff * (plane.lengths * arm.cwiseAbs().sum()) + 1e-290;
      sides += static_cast<int>(height > error) - static_cast<int>(height < -error);
      ++own;
    }
    return own > 0 && std::abs(sides) == own;
  }

  Pair pair_of(std::size_t a, std::size_t b) const {
    Pair pair;
    bool taken[3] = {};
    std::size_t own = 3;  // from the back
    for (std::size_t i = 0; i < 3; ++i) {
      std::size_t match = 3;
      for (std::size_t j = 0; j < 3; ++j) {
        if (place(a, i) == place(b, j)) match = j;
      }
      if (match == 3) {
        pair.a[--own] = vertex(a, i);
        continue;
      }
      taken[match] = true;
      pair.b[static_cast<std::size_t>(pair.shared)] = pair.a[static_cast<std::size_t>(pair.shared)] =
          vertex(a, i);
      ++pair.shared;
    }
    auto at = static_cast<std::size_t>(pair.shared);
    for (std::size_t j = 0; j < 3 && at < 3; ++j) {
      if (!taken[j]) pair.b[at++] = vertex(b, j);
    }
    return pair;
  }

  std::size_t root_of(std::size_t triangle) {
    while (root_[triangle] != triangle) triangle = root_[triangle] = root_[root_[triangle]];
    return triangle;
  }

  // Triangles that hang together have one answer, which is asked for where the largest of them is.
  TriangleSides sides() {
    root_.resize(mesh_.faces.size());
    std::iota(root_.begin(), root_.end(), std::size_t{0});
    for (const auto& [a, b] : neighbours_) {
      if (is_bare_[a] && is_bare_[b]) root_[root_of(a)] = root_of(b);
    }
    std::vector<double> largest(mesh_.faces.size(), -1.0);
    std::vector<std::size_t> which(mesh_.faces.size());
    for (std::size_t i = 0; i < mesh_.faces.size(); ++i) {
      if (!is_bare_[i]) continue;
      const Triangle t = triangle_of(mesh_, i);
      const double area = (t[1] - t[0]).cross(t[2] - t[0]).squaredNorm();
      const std::size_t root = root_of(i);
      if (!(area > largest[root])) continue;
      largest[root] = area;
      which[root] = i;
    }
    TriangleSides result;
    result.inner.assign(mesh_.faces.size(), InnerSide::Unknown);
    NearestTriangleSearch search(placed_, &tree_);
    for (std::size_t i = 0; i < mesh_.faces.size(); ++i) {
      if (is_bare_[i] && root_of(i) == i) result.inner[i] = inner_side(which[i], search);
    }
    for (std::size_t i = 0; i < mesh_.faces.size(); ++i) {
      if (is_bare_[i]) result.inner[i] = result.inner[root_of(i)];
    }
    return result;
  }

  // Of a point above its middle that sees nothing else.
  InnerSide inner_side(std::size_t triangle, NearestTriangleSearch& search) const {
    const Triangle t = triangle_of(mesh_, triangle);
    const Vector3 normal = unit((t[1] - t[0]).cross(t[2] - t[0]));
    const double size = std::sqrt((t[1] - t[0]).cross(t[2] - t[0]).norm());
    for (const double share : {0x1p-4, 0x1p-8, 0x1p-14, 0x1p-20}) {
      const Vector3 point = (t[0] + t[1] + t[2]) / 3.0 + share * size * normal;
      search.start_at(static_cast<std::int32_t>(triangle));
      search(point, INFINITY);
      const std::span<const std::int32_t> nearest = search.may_be_nearest();
      if (nearest.size() != 1 || nearest[0] != static_cast<std::int32_t>(triangle)) continue;
      if (side_of_plane(point, t[0], t[1], t[2]) != 1) continue;
      return point_containment(point, placed_) == Containment::Inside ? InnerSide::Normal : InnerSide::Back;
    }
    return InnerSide::Unknown;
  }

  const PlacedShape& placed_;
  const MeshView& mesh_;
  const hierarchy::RayTree& tree_;
  // Of a triangle: across it, and what its rounding is a share of.
  struct Plane {
    Vector3 normal;
    double lengths;
  };
  std::vector<Face> places_;      // of each triangle's corners
  std::vector<Plane> planes_;     // of each triangle
  std::vector<LeafBoxes> boxes_;  // of the leaves' triangles
  std::vector<char> is_bare_;     // of each triangle, so far
  std::vector<std::array<std::size_t, 2>> neighbours_;
  std::vector<std::size_t> root_;
  std::vector<std::int32_t> stack_;
};

}  // namespace

TriangleSides find_triangle_sides(const PlacedShape& mesh, const hierarchy::RayTree& tree) {
  return Finder(mesh, tree).run();
}

const TriangleSides* triangle_sides_of(const PlacedShape& mesh, const hierarchy::RayTree& tree) {
  const auto enough = static_cast<std::int64_t>(mesh.shape.data().mesh.faces.size());
  if (tree.sides->asked.load(std::memory_order_relaxed) < enough) return nullptr;
  return &tree.sides->found.get<TriangleSides>([&] { return find_triangle_sides(mesh, tree); });
}

void count_asked_sides(const hierarchy::RayTree& tree, std::int64_t points) {
  tree.sides->asked.fetch_add(points, std::memory_order_relaxed);
}

// Six products of three coordinates' differences, with eight roundings at most; 1e-290 for those that vanish.
int side_of_plane(const Vector3& point, const Vector3& a, const Vector3& b, const Vector3& c) {
  const Vector3 u = b - a, v = c - a, w = point - a;
  const double height = u.cross(v).dot(w);
  const double error =
      16.0 * unit_roundoff * (u.cwiseAbs().sum() * v.cwiseAbs().sum() * w.cwiseAbs().sum()) + 1e-290;
  return height > error ? 1 : height < -error ? -1 : 0;
}

}  // namespace toccata::point_distance
