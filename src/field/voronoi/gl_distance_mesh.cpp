#include "field/voronoi/gl_distance_mesh.hpp"

#include <algorithm>
#include <cmath>

#include "toccata/elementary/point_triangle.hpp"

namespace toccata::voronoi {
namespace {

double turn(const Vector2& a, const Vector2& b, const Vector2& p) {
  return (b.x() - a.x()) * (p.y() - a.y()) - (b.y() - a.y()) * (p.x() - a.x());
}

bool comes_before(const Vector2& a, const Vector2& b) {
  return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y();
}

// Where a side of a polygon crosses a line; the same number for both polygons that have the side.
Vector2 crossing(const Vector2& a, const Vector2& b, double turn_a, double turn_b) {
  if (!comes_before(a, b)) return crossing(b, a, turn_b, turn_a);
  return a + (b - a) * (turn_a / (turn_a - turn_b));
}

}  // namespace

double ConvexSite::value(const Vector3& point) const {
  double squared = 0.0;
  if (corners == 1) {
    squared = (point - corner[0]).squaredNorm();
  } else if (corners == 2) {
    squared = point_segment_distance(point, corner[0], corner[1]).squared_distance;
  } else {
    squared = point_triangle_distance(point, Triangle{corner[0], corner[1], corner[2]}).squared_distance;
  }
  return scale * std::sqrt(squared) - shift;
}

MeshPoint DistanceMesh::at(const Vector2& place) const {
  return {place, site_->value({place.x(), place.y(), z_})};
}

void DistanceMesh::build(const ConvexSite& site, double z, const PlaneBox& box) {
  site_ = &site;
  z_ = z;
  points_.clear();
  apexes_.clear();
  pieces_.assign(1, {box.lower, {box.upper.x(), box.lower.y()}, box.upper, {box.lower.x(), box.upper.y()}});
  lay_creases(site, z);
  for (const Polygon& piece : pieces_) {
    std::vector<std::array<Vector2, 3>> fan;
    for (std::size_t i = 2; i < piece.size(); ++i) fan.push_back({piece[0], piece[i - 1], piece[i]});
    // Where the distance has a peak, the mesh has a corner.
    for (const Vector2& p : apexes_) {
      std::vector<std::array<Vector2, 3>> finer;
      for (const auto& t : fan) {
        const double area = turn(t[0], t[1], t[2]);
        const double parts[3] = {turn(t[1], t[2], p), turn(t[2], t[0], p), turn(t[0], t[1], p)};
        const double least = -1e-12 * std::abs(area);
        const bool is_corner = p == t[0] || p == t[1] || p == t[2];
        if (is_corner || !(parts[0] > least && parts[1] > least && parts[2] > least)) {
          finer.push_back(t);
          continue;
        }
        for (std::size_t k = 0; k < 3; ++k)
          if (parts[k] > 1e-12 * std::abs(area)) finer.push_back({t[(k + 1) % 3], t[(k + 2) % 3], p});
      }
      fan = std::move(finer);
    }
    for (const auto& t : fan) refine({at(t[0]), at(t[1]), at(t[2])}, 0);
  }
}

// The distance has a crease along what the site and the plane have in common, and a peak at its ends.
void DistanceMesh::lay_creases(const ConvexSite& site, double z) {
  std::vector<Vector2> common;
  for (int i = 0; i < site.corners; ++i) {
    const Vector3 &p = site.corner[static_cast<std::size_t>(i)],
                  &q = site.corner[static_cast<std::size_t>((i + 1) % site.corners)];
    if (p.z() == z) include(p.head<2>());
    if (p.z() == z) common.push_back(p.head<2>());
    // Each line once: cut along again, pieces would get slivers of nothing.
    const bool is_new = site.corners == 3 || i == 0;
    if (is_new && p.z() == z && q.z() == z) cut_along(p.head<2>(), q.head<2>());
    if ((p.z() < z && q.z() > z) || (p.z() > z && q.z() < z)) {
      const Vector3 &low = p.z() < q.z() ? p : q, &high = p.z() < q.z() ? q : p;
      common.push_back((low + (high - low) * ((z - low.z()) / (high.z() - low.z()))).head<2>());
      include(common.back());
    }
  }
  if (site.corners == 3 && common.size() == 2) cut_along(common[0], common[1]);
  // Elsewhere it helps to begin below the nearest point.
  if (common.empty()) {
    Vector3 middle = Vector3::Zero();
    for (int i = 0; i < site.corners; ++i) middle += site.corner[static_cast<std::size_t>(i)] / site.corners;
    include(middle.head<2>());
  }
}

void DistanceMesh::include(const Vector2& p) {
  if (std::find(apexes_.begin(), apexes_.end(), p) == apexes_.end()) apexes_.push_back(p);
}

void DistanceMesh::cut_along(const Vector2& p, const Vector2& q) {
  if (p == q) return;
  std::vector<Polygon> cut;
  for (const Polygon& piece : pieces_) {
    Polygon sides[2];
    for (std::size_t i = 0; i < piece.size(); ++i) {
      const Vector2 &a = piece[i], &b = piece[(i + 1) % piece.size()];
      const double turn_a = turn(p, q, a), turn_b = turn(p, q, b);
      if (turn_a >= 0.0) sides[0].push_back(a);
      if (turn_a <= 0.0) sides[1].push_back(a);
      if ((turn_a > 0.0 && turn_b < 0.0) || (turn_a < 0.0 && turn_b > 0.0)) {
        const Vector2 on = crossing(a, b, turn_a, turn_b);
        sides[0].push_back(on);
        sides[1].push_back(on);
      }
    }
    for (Polygon& side : sides)
      if (side.size() > 2) cut.push_back(std::move(side));
  }
  pieces_ = std::move(cut);
}

bool DistanceMesh::is_off(const MeshPoint& a, const MeshPoint& b) const {
  return 0.5 * (a.value + b.value) - at(0.5 * (a.place + b.place)).value > 0.5 * error_;
}

void DistanceMesh::refine(const Corners& t, int depth) {
  constexpr int deepest = 60;  // no distance needs that: edges shorter than the error are never cut
  const auto middle = [&](const MeshPoint& p, const MeshPoint& q) { return at(0.5 * (p.place + q.place)); };
  const bool ab = depth < deepest && is_off(t.a, t.b), bc = depth < deepest && is_off(t.b, t.c),
             ca = depth < deepest && is_off(t.c, t.a);
  const int cuts = static_cast<int>(ab) + static_cast<int>(bc) + static_cast<int>(ca);
  if (cuts == 0) {
    const MeshPoint center = at((t.a.place + t.b.place + t.c.place) / 3.0);
    if (depth < deepest && (t.a.value + t.b.value + t.c.value) / 3.0 - center.value > error_ / 3.0) {
      refine({t.a, t.b, center}, depth + 1);
      refine({t.b, t.c, center}, depth + 1);
      refine({t.c, t.a, center}, depth + 1);
      return;
    }
    points_.insert(points_.end(), {t.a, t.b, t.c});
    return;
  }
  if (cuts == 3) {
    const MeshPoint p = middle(t.a, t.b), q = middle(t.b, t.c), r = middle(t.c, t.a);
    refine({t.a, p, r}, depth + 1);
    refine({p, t.b, q}, depth + 1);
    refine({r, q, t.c}, depth + 1);
    refine({p, q, r}, depth + 1);
    return;
  }
  // Turned so that ab is cut; with two cuts bc as well.
  if (cuts == 2 ? !(ab && bc) : !ab) {
    const bool once = cuts == 2 ? bc && ca : bc;
    const Corners turned = once ? Corners{t.b, t.c, t.a} : Corners{t.c, t.a, t.b};
    return refine(turned, depth);
  }
  const MeshPoint p = middle(t.a, t.b);
  if (cuts == 1) {
    refine({t.a, p, t.c}, depth + 1);
    refine({p, t.b, t.c}, depth + 1);
    return;
  }
  const MeshPoint q = middle(t.b, t.c);
  refine({p, t.b, q}, depth + 1);
  refine({t.a, p, q}, depth + 1);
  refine({t.a, q, t.c}, depth + 1);
}

}  // namespace toccata::voronoi
