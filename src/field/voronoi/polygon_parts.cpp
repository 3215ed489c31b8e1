#include "field/voronoi/polygon_parts.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "toccata/elementary/orientation.hpp"
#include "toccata/elementary/triangle_intersection.hpp"

namespace toccata::voronoi {
namespace {

// Three points on a line: whether both ends are on the same side of the middle one.
bool turns_back(const Vector2& before, const Vector2& corner, const Vector2& after) {
  const int axis = before.x() != corner.x() ? 0 : 1;
  return (before[axis] > corner[axis]) == (after[axis] > corner[axis]);
}

class Ring {
 public:
  Ring(std::span<const Vector3> points, std::span<const std::int32_t> corners)
      : points_(points), left_(corners.begin(), corners.end()) {}

  Expected<bool> check() const;
  Expected<std::vector<Face>> triangles();

 private:
  Vector2 place(std::size_t i) const {
    const Vector3& p = points_[static_cast<std::size_t>(left_[i])];
    return {p.x(), p.y()};
  }
  std::size_t before(std::size_t i) const { return i == 0 ? left_.size() - 1 : i - 1; }
  std::size_t after(std::size_t i) const { return i + 1 == left_.size() ? 0 : i + 1; }
  int turn(std::size_t i) const { return orientation_2d(place(before(i)), place(i), place(after(i))); }

  void drop(std::size_t i) { left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(i)); }
  // A corner on the line between its neighbours: the polygon is the same without it.
  bool is_level(std::size_t i) const { return left_.size() > 2 && turn(i) == 0; }
  bool is_ear(std::size_t i, int way) const;

  std::span<const Vector3> points_;
  std::vector<std::int32_t> left_;
};

// Edges that meet though they are not next to each other, or lie on each other.
Expected<bool> Ring::check() const {
  const std::size_t n = left_.size();
  if (n < 3) return Error{"it has fewer than three corners"};
  const auto corner = [&](std::size_t i) { return points_[static_cast<std::size_t>(left_[i])]; };
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto low = [&](std::size_t i) { return std::min(corner(i).x(), corner(after(i)).x()); };
  const auto high = [&](std::size_t i) { return std::max(corner(i).x(), corner(after(i)).x()); };
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return low(i) < low(j); });
  for (std::size_t i = 0; i < n; ++i) {
    if (corner(i).z() != corner(0).z()) return Error{"its corners have different z"};
    if (place(i) == place(after(i)))
      return Error{"its corners " + std::to_string(i) + " and " + std::to_string(after(i)) +
                   " are at one place"};
    if (turn(i) == 0 && turns_back(place(before(i)), place(i), place(after(i))))
      return Error{"it turns back at corner " + std::to_string(i)};
  }
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t i = order[k];
    for (std::size_t m = k + 1; m < n && low(order[m]) <= high(i); ++m) {
      const std::size_t j = order[m];
      if (after(i) == j || after(j) == i) continue;
      if (segment_segment_intersect({corner(i), corner(after(i))}, {corner(j), corner(after(j))}))
        return Error{"its edges " + std::to_string(std::min(i, j)) + " and " +
                     std::to_string(std::max(i, j)) + " meet"};
    }
  }
  return true;
}

// Whether the triangle at the corner is in the polygon, and nothing else of it touches its third side.
bool Ring::is_ear(std::size_t i, int way) const {
  if (turn(i) != way) return false;
  const Vector2 a = place(before(i)), b = place(i), c = place(after(i));
  const Vector2 lower = a.cwiseMin(b).cwiseMin(c), upper = a.cwiseMax(b).cwiseMax(c);
  for (std::size_t k = 0; k < left_.size(); ++k) {
    if (k == i || k == before(i) || k == after(i)) continue;
    const Vector2 p = place(k);
    if ((p.array() < lower.array()).any() || (p.array() > upper.array()).any()) continue;
    const auto is_within = [&](const Vector2& from, const Vector2& to) {
      return orientation_2d(from, to, p) != -way;
    };
    if (is_within(a, b) && is_within(b, c) && is_within(c, a)) return false;
  }
  return true;
}

// Meisters' two ears: a simple polygon of more than three corners, none of them level, has one, and what is
// left without it is a simple polygon again.
Expected<std::vector<Face>> Ring::triangles() {
  std::vector<Face> faces;
  for (std::size_t i = left_.size(); i-- > 0;)
    if (is_level(i)) drop(i);
  std::size_t leftmost = 0;
  for (std::size_t i = 1; i < left_.size(); ++i) {
    const Vector2 p = place(i), q = place(leftmost);
    if (p.x() < q.x() || (p.x() == q.x() && p.y() < q.y())) leftmost = i;
  }
  const int way = turn(leftmost);
  std::size_t at = 0;
  while (left_.size() > 3) {
    std::size_t i = at % left_.size(), tried = 0;
    for (; tried < left_.size() && !is_ear(i, way); ++tried) i = after(i);
    if (tried == left_.size()) return Error{"it cannot be filled"};
    faces.push_back({left_[before(i)], left_[i], left_[after(i)]});
    drop(i);
    // Its neighbours may be level now: the one after, which is in its place, and the one before.
    at = i % left_.size();
    if (is_level(at)) drop(at);
    at %= left_.size();
    if (is_level(before(at))) drop(before(at));
  }
  if (left_.size() == 3) faces.push_back({left_[0], left_[1], left_[2]});
  return faces;
}

}  // namespace

Expected<std::vector<Face>> polygon_triangles(std::span<const Vector3> points,
                                              std::span<const std::int32_t> ring) {
  Ring corners(points, ring);
  if (const Expected<bool> good = corners.check(); !good) return good.error();
  return corners.triangles();
}

Expected<SiteParts> parts_of(const VoronoiSites& sites, const std::vector<VoronoiSite>& list,
                             const std::vector<double>& weights) {
  if (sites.polygons.empty()) return SiteParts{list, {}, weights};
  SiteParts parts;
  const auto add = [&](const VoronoiSite& part, std::size_t owner) {
    parts.list.push_back(part);
    parts.owner.push_back(static_cast<std::int32_t>(owner));
    if (!weights.empty()) parts.weights.push_back(weights[owner]);
  };
  for (std::size_t s = 0; s < list.size(); ++s) {
    if (!list[s].is_polygon()) {
      add(list[s], s);
      continue;
    }
    const Expected<std::vector<Face>> triangles =
        polygon_triangles(sites.points, sites.polygons[static_cast<std::size_t>(list[s].index)]);
    if (!triangles)
      return Error{"polygon " + std::to_string(list[s].index) + ": " + triangles.error().message};
    for (const Face& triangle : *triangles) add({FeatureKind::Face, triangle, list[s].index}, s);
  }
  return parts;
}

}  // namespace toccata::voronoi
