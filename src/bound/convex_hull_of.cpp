#include "toccata/bound/convex_hull_of.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "bound/quick_hull.hpp"
#include "toccata/elementary/orientation.hpp"

namespace toccata {
namespace {

using Index = std::int32_t;
constexpr Index none = -1;

// The polygon of one plane of the hull: its corners in order, counter-clockwise seen from outside.
using Polygon = std::vector<Index>;

struct Magnitudes {
  double largest = 0.0;
  double smallest = std::numeric_limits<double>::infinity();  // above zero
};

Magnitudes magnitudes_of(std::span<const Vector3> points) {
  Magnitudes m;
  for (const Vector3& p : points) {
    for (int k = 0; k < 3; ++k) {
      const double size = std::abs(p[k]);
      m.largest = std::max(m.largest, size);
      if (size > 0.0) m.smallest = std::min(m.smallest, size);
    }
  }
  return m;
}

std::optional<Error> failure_of_input(std::span<const Vector3> points, double radius) {
  if (points.empty()) return Error{"convex hull: there are no points"};
  if (points.size() > static_cast<std::size_t>(std::numeric_limits<Index>::max() / 4))
    return Error{"convex hull: more than 2^29 points"};
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].allFinite())
      return Error{"convex hull: point " + std::to_string(i) +
                   " has a coordinate that is not a finite number"};
  }
  if (!(radius >= 0.0 && std::isfinite(radius)))
    return Error{"convex hull: radius is " + std::to_string(radius) +
                 ", but must be a finite number that is not negative"};
  const Magnitudes m = magnitudes_of(points);
  if (m.largest > 0.0 && std::ilogb(m.largest) - std::ilogb(m.smallest) >= 600)
    return Error{
        "convex hull: the magnitudes of the coordinates span a factor of about 2^600 or more, beyond the "
        "range "
        "of exact signs"};
  return {};
}

// The points times a power of two that makes the largest coordinate about one, so that no difference or
// product of the quick tests overflows. Exact, because the magnitudes span less than 2^600.
std::vector<Vector3> scaled(std::span<const Vector3> points) {
  const double largest = magnitudes_of(points).largest;
  const int exponent = largest > 0.0 ? -std::ilogb(largest) : 0;
  // In two steps: the power that lifts the smallest doubles is not a double itself.
  const double first = std::ldexp(1.0, exponent / 2), second = std::ldexp(1.0, exponent - exponent / 2);
  std::vector<Vector3> result;
  result.reserve(points.size());
  for (const Vector3& p : points) result.emplace_back((first * p) * second);
  return result;
}

bool is_before(const Vector3& p, const Vector3& q) {
  return std::lexicographical_compare(p.data(), p.data() + 3, q.data(), q.data() + 3);
}

Vector2 without_axis(const Vector3& p, int axis) {
  return {p[(axis + 1) % 3], p[(axis + 2) % 3]};
}

// An axis along which the triangle is seen with area; none if it has none.
int axis_of_view(const Vector3& a, const Vector3& b, const Vector3& c) {
  for (int axis = 0; axis < 3; ++axis) {
    if (orientation_2d(without_axis(a, axis), without_axis(b, axis), without_axis(c, axis)) != 0) return axis;
  }
  return none;
}

// The first point with the largest size that passes the test, else the first that passes it, else none.
// Sizes are rounded and only a choice; the test is exact.
template <typename Size, typename Test>
Index best_of(std::span<const Vector3> points, Size size, Test passes) {
  Index best = 0;
  double largest = -1.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double s = size(points[i]);
    if (s > largest) largest = s, best = static_cast<Index>(i);
  }
  if (passes(points[best])) return best;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (passes(points[i])) return static_cast<Index>(i);
  }
  return none;
}

// As many points as the set has dimensions and one: the lowest and the highest in the order of their
// coordinates (the ends, if all are on one line), one off their line, one off the plane of these.
std::vector<Index> spanning_points(std::span<const Vector3> points) {
  Index low = 0, high = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (is_before(points[i], points[low])) low = static_cast<Index>(i);
    if (is_before(points[high], points[i])) high = static_cast<Index>(i);
  }
  std::vector<Index> found = {low};
  const Vector3& a = points[low];
  const Vector3& b = points[high];
  if (!is_before(a, b)) return found;
  found.push_back(high);
  const Index off_line = best_of(
      points, [&](const Vector3& p) { return (b - a).cross(p - a).squaredNorm(); },
      [&](const Vector3& p) { return axis_of_view(a, b, p) != none; });
  if (off_line == none) return found;
  found.push_back(off_line);
  const Vector3& c = points[off_line];
  const Vector3 normal = (b - a).cross(c - a);
  const Index off_plane = best_of(
      points, [&](const Vector3& p) { return std::abs(normal.dot(p - a)); },
      [&](const Vector3& p) { return orientation_3d(a, b, c, p) != 0; });
  if (off_plane != none) found.push_back(off_plane);
  return found;
}

// The corners of points of one plane, by Andrew's chains in the order of their coordinates, and the same
// from behind.
std::vector<Polygon> sides_of_plane(std::span<const Vector3> points, std::span<const Index> spanning) {
  const int axis = axis_of_view(points[spanning[0]], points[spanning[1]], points[spanning[2]]);
  std::vector<Vector2> seen;
  for (const Vector3& p : points) seen.push_back(without_axis(p, axis));
  std::vector<Index> order(points.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
  const auto before = [&](Index i, Index j) {
    if (seen[i].x() != seen[j].x()) return seen[i].x() < seen[j].x();
    if (seen[i].y() != seen[j].y()) return seen[i].y() < seen[j].y();
    return i < j;
  };
  std::sort(order.begin(), order.end(), before);
  const auto same = [&](Index i, Index j) { return seen[i] == seen[j]; };
  order.erase(std::unique(order.begin(), order.end(), same), order.end());

  Polygon polygon;
  const auto append = [&](Index i, std::size_t kept) {
    while (polygon.size() >= kept + 2 &&
           orientation_2d(seen[polygon[polygon.size() - 2]], seen[polygon.back()], seen[i]) <= 0)
      polygon.pop_back();
    polygon.push_back(i);
  };
  for (const Index i : order) append(i, 0);
  const std::size_t below = polygon.size() - 1;
  for (std::size_t i = order.size() - 1; i-- > 0;) append(order[i], below);
  polygon.pop_back();  // the first one again
  return {polygon, Polygon(polygon.rbegin(), polygon.rend())};
}

// The plane of each triangle: neighbours that see each other's corners at height zero share it. Facets are
// convex, so their triangles hang together and all are reached.
std::vector<Index> planes_of(std::span<const Vector3> points,
                             const std::vector<bound::HullTriangle>& triangles) {
  std::vector<Index> plane(triangles.size(), none);
  Index count = 0;
  std::vector<Index> open;
  for (std::size_t first = 0; first < triangles.size(); ++first) {
    if (plane[first] != none) continue;
    plane[first] = count;
    open.assign(1, static_cast<Index>(first));
    const auto& v = triangles[first].vertices;
    while (!open.empty()) {
      const Index here = open.back();
      open.pop_back();
      for (int k = 0; k < 3; ++k) {
        const Index next = triangles[here].across[k];
        if (plane[next] != none) continue;
        // Two corners of the neighbour are corners of this one.
        Index apex = none;
        for (const Index w : triangles[next].vertices) {
          if (w != triangles[here].vertices[k] && w != triangles[here].vertices[(k + 1) % 3]) apex = w;
        }
        if (orientation_3d(points[v[0]], points[v[1]], points[v[2]], points[apex]) != 0) continue;
        plane[next] = count;
        open.push_back(next);
      }
    }
    ++count;
  }
  return plane;
}

// The outlines of the planes, with true corners only: those in three planes or more.
std::vector<Polygon> sides_in_space(std::span<const Vector3> points,
                                    const std::vector<bound::HullTriangle>& triangles) {
  const std::vector<Index> plane = planes_of(points, triangles);
  const Index count = plane.empty() ? 0 : *std::max_element(plane.begin(), plane.end()) + 1;
  // Outline edges by plane; around a corner there are as many planes as outline edges start there.
  struct Step {
    Index plane, from, to;
  };
  std::vector<Step> steps;
  std::vector<Index> planes_at(points.size(), 0);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (int k = 0; k < 3; ++k) {
      if (plane[triangles[t].across[k]] == plane[t]) continue;
      const Index from = triangles[t].vertices[k];
      steps.push_back({plane[t], from, triangles[t].vertices[(k + 1) % 3]});
      ++planes_at[from];
    }
  }
  std::stable_sort(steps.begin(), steps.end(),
                   [](const Step& s, const Step& t) { return s.plane < t.plane; });
  std::vector<Polygon> sides(static_cast<std::size_t>(count));
  std::vector<Index> next(points.size(), none);
  for (std::size_t begin = 0, end = 0; begin < steps.size(); begin = end) {
    while (end < steps.size() && steps[end].plane == steps[begin].plane) ++end;
    for (std::size_t i = begin; i < end; ++i) next[steps[i].from] = steps[i].to;
    Polygon& polygon = sides[steps[begin].plane];
    const Index start = steps[begin].from;
    Index at = start;
    do {
      if (planes_at[at] >= 3) polygon.push_back(at);
      at = next[at];
    } while (at != start);
  }
  return sides;
}

// Fans. The two sides of a plane have neighbouring corners as their tips, so that no diagonal is in both.
void add_faces(const std::vector<Polygon>& sides, ConvexHull& hull) {
  for (std::size_t plane = 0; plane < sides.size(); ++plane) {
    const Polygon& polygon = sides[plane];
    for (std::size_t i = 2; i < polygon.size(); ++i) {
      hull.faces.push_back({polygon[0], polygon[i - 1], polygon[i]});
      hull.planes.push_back(static_cast<Index>(plane));
    }
  }
}

// Every edge of the hull is passed in both directions, once by each of its two sides.
void add_neighbours(const std::vector<Polygon>& sides, ConvexHull& hull) {
  hull.first_neighbour.assign(hull.vertices.size() + 1, 0);
  if (hull.vertices.size() == 1) return;  // its outline leads back to itself
  for (const Polygon& polygon : sides) {
    for (const Index v : polygon) ++hull.first_neighbour[v + 1];
  }
  for (std::size_t v = 0; v < hull.vertices.size(); ++v)
    hull.first_neighbour[v + 1] += hull.first_neighbour[v];
  hull.neighbours.resize(static_cast<std::size_t>(hull.first_neighbour.back()));
  std::vector<Index> filled(hull.first_neighbour.begin(), hull.first_neighbour.end() - 1);
  for (const Polygon& polygon : sides) {
    for (std::size_t i = 0; i < polygon.size(); ++i)
      hull.neighbours[filled[polygon[i]]++] = polygon[(i + 1) % polygon.size()];
  }
  for (std::size_t v = 0; v < hull.vertices.size(); ++v)
    std::sort(hull.neighbours.begin() + hull.first_neighbour[v],
              hull.neighbours.begin() + hull.first_neighbour[v + 1]);
}

// From outlines over the points given to a hull over its corners, which are numbered in the order of points.
ConvexHull assembled(std::span<const Vector3> points, std::vector<Polygon> sides, double radius) {
  ConvexHull hull;
  hull.radius = radius;
  std::vector<Index> number(points.size(), none);
  for (const Polygon& polygon : sides) {
    for (const Index p : polygon) number[p] = 0;
  }
  for (std::size_t p = 0; p < points.size(); ++p) {
    if (number[p] == none) continue;
    number[p] = static_cast<Index>(hull.vertices.size());
    hull.vertices.push_back(points[p]);
    hull.sources.push_back(static_cast<Index>(p));
  }
  for (Polygon& polygon : sides) {
    for (Index& p : polygon) p = number[p];
  }
  add_faces(sides, hull);
  add_neighbours(sides, hull);
  return hull;
}

}  // namespace

Expected<ConvexHull> convex_hull_of(std::span<const Vector3> points, double radius) {
  if (const auto failure = failure_of_input(points, radius)) return *failure;
  const std::vector<Vector3> scaled_points = scaled(points);
  const std::vector<Index> spanning = spanning_points(scaled_points);
  if (spanning.size() <= 2) return assembled(points, {spanning}, radius);  // an outline without a side
  if (spanning.size() == 3) return assembled(points, sides_of_plane(scaled_points, spanning), radius);
  const auto triangles =
      bound::quick_hull(scaled_points, {spanning[0], spanning[1], spanning[2], spanning[3]});
  return assembled(points, sides_in_space(scaled_points, triangles), radius);
}

}  // namespace toccata
