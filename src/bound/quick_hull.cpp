// Every point that is still outside waits at one face that sees it (strictly, by the exact sign). A face
// with waiting points takes the farthest of them as a new corner; the faces that see it go, and their rim
// and the corner make new ones. Why this needs no tolerance:
// - Faces of one plane see the same points, so what a point p sees is whole facets. It is what a point a
//   little nearer to the middle sees, for which no plane is a tie; hence it is a disc and its rim one cycle.
// - p is not on the line of a rim edge, or it would lie in the plane of the face that sees it. So new
//   triangles have area.
// - A point that waited at a face that went and is outside the new hull sees a new face. What it saw is
//   connected; if it sees an old face that stays, it saw both faces at some rim edge, and the plane
//   of the new face there is between theirs. So only the new faces need be asked.
// "Farthest" is rounded. That is all right: any point that sees the face would do.
#include "bound/quick_hull.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <limits>

#include "toccata/base/rounding.hpp"
#include "toccata/elementary/orientation.hpp"

namespace toccata::bound {
namespace {

constexpr std::int32_t none = -1;

struct Facet {
  HullTriangle triangle = {};
  Vector3 origin = Vector3::Zero();
  Vector3 normal = Vector3::Zero();  // rounded, of any length
  double error = 0.0;                // heights above the plane, times |normal|, are off by at most this
  std::int32_t first_waiting = none;
  std::int32_t farthest = none;
  double farthest_height = 0.0;
  bool is_alive = false;
  bool is_seen = false;
};

class QuickHull {
 public:
  explicit QuickHull(std::span<const Vector3> points)
      : points_(points), next_waiting_(points.size(), none), rim_from_(points.size(), none) {
    Vector3 lower = points[0], upper = points[0];
    for (const Vector3& p : points) lower = lower.cwiseMin(p), upper = upper.cwiseMax(p);
    extent_ = upper - lower;
  }

  std::vector<HullTriangle> build(std::array<std::int32_t, 4> c) {
    if (orientation_3d(points_[c[0]], points_[c[1]], points_[c[2]], points_[c[3]]) > 0) std::swap(c[1], c[2]);
    const HullTriangle first[4] = {{{c[0], c[1], c[2]}, {1, 2, 3}},
                                   {{c[0], c[3], c[1]}, {3, 2, 0}},
                                   {{c[1], c[3], c[2]}, {1, 3, 0}},
                                   {{c[2], c[3], c[0]}, {2, 1, 0}}};
    for (const HullTriangle& triangle : first) fresh_.push_back(add(triangle));
    for (std::int32_t p = static_cast<std::int32_t>(points_.size()); p-- > 0;) {
      if (p != c[0] && p != c[1] && p != c[2] && p != c[3]) wait_at_fresh(p);
    }
    while (!pending_.empty()) {
      const std::int32_t facet = pending_.back();
      pending_.pop_back();
      if (facets_[facet].is_alive && facets_[facet].farthest != none) grow(facet);
    }
    return survivors();
  }

 private:
  // The height of a point above the plane, times the length of the normal.
  static double height(const Facet& facet, const Vector3& p) { return facet.normal.dot(p - facet.origin); }

  bool sees(const Facet& facet, std::int32_t p, double rounded) const {
    if (rounded > facet.error) return true;
    if (rounded < -facet.error) return false;
    const auto& v = facet.triangle.vertices;
    return orientation_3d(points_[v[0]], points_[v[1]], points_[v[2]], points_[p]) > 0;
  }

  std::int32_t add(const HullTriangle& triangle) {
    std::int32_t slot = static_cast<std::int32_t>(facets_.size());
    if (free_.empty()) {
      facets_.emplace_back();
    } else {
      slot = free_.back();
      free_.pop_back();
    }
    Facet& facet = facets_[slot];
    facet = Facet{};
    facet.triangle = triangle;
    facet.is_alive = true;
    set_plane(facet);
    return slot;
  }

  // As in the filter of orientation_3d, with the differences p - origin replaced by their largest magnitudes:
  // eight roundings a term, six in the magnitudes, 16 in all.
  void set_plane(Facet& facet) const {
    const auto& v = facet.triangle.vertices;
    facet.origin = points_[v[0]];
    const Vector3 b = points_[v[1]] - facet.origin, c = points_[v[2]] - facet.origin;
    facet.normal = b.cross(c);
    const Vector3 s = b.cwiseAbs(), t = c.cwiseAbs();
    const double magnitude = extent_.x() * (s.y() * t.z() + s.z() * t.y()) +
                             extent_.y() * (s.z() * t.x() + s.x() * t.z()) +
                             extent_.z() * (s.x() * t.y() + s.y() * t.x());
    // Where products underflow or overflow, only the exact sign is asked.
    const bool is_in_range = magnitude > 1e-250 && magnitude < 1e300;
    facet.error = is_in_range ? 16.0 * unit_roundoff * magnitude : std::numeric_limits<double>::infinity();
  }

  void wait_at_fresh(std::int32_t p) {
    for (const std::int32_t slot : fresh_) {
      Facet& facet = facets_[slot];
      const double rounded = height(facet, points_[p]);
      if (!sees(facet, p, rounded)) continue;
      if (facet.first_waiting == none) pending_.push_back(slot);
      next_waiting_[p] = facet.first_waiting;
      facet.first_waiting = p;
      if (facet.farthest == none || rounded > facet.farthest_height ||
          (rounded == facet.farthest_height && p < facet.farthest)) {
        facet.farthest = p;
        facet.farthest_height = rounded;
      }
      return;
    }
  }

  void grow(std::int32_t start) {
    const std::int32_t p = facets_[start].farthest;
    find_seen(start, p);
    // Two passes over the rim: new faces by the corner they start from, then each joined to the next.
    fresh_.clear();
    for (const std::int32_t slot : seen_) {
      const HullTriangle triangle = facets_[slot].triangle;
      for (int k = 0; k < 3; ++k) {
        if (!facets_[triangle.across[k]].is_seen) add_at_rim(slot, triangle, k, p);
      }
    }
    for (const std::int32_t slot : fresh_) {
      const std::int32_t next = rim_from_[facets_[slot].triangle.vertices[1]];
      facets_[slot].triangle.across[1] = next;
      facets_[next].triangle.across[2] = slot;
    }
    for (const std::int32_t slot : seen_) {
      for (std::int32_t q = facets_[slot].first_waiting; q != none;) {
        const std::int32_t following = next_waiting_[q];
        if (q != p) wait_at_fresh(q);
        q = following;
      }
      facets_[slot].is_alive = false;
      facets_[slot].is_seen = false;
    }
    free_.insert(free_.end(), seen_.begin(), seen_.end());
  }

  void find_seen(std::int32_t start, std::int32_t p) {
    seen_.assign(1, start);
    facets_[start].is_seen = true;
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      for (const std::int32_t next : facets_[seen_[i]].triangle.across) {
        Facet& facet = facets_[next];
        if (facet.is_seen || !sees(facet, p, height(facet, points_[p]))) continue;
        facet.is_seen = true;
        seen_.push_back(next);
      }
    }
  }

  void add_at_rim(std::int32_t gone, const HullTriangle& triangle, int edge, std::int32_t p) {
    const std::int32_t a = triangle.vertices[edge], b = triangle.vertices[(edge + 1) % 3];
    const std::int32_t outer = triangle.across[edge];
    const std::int32_t slot = add({{a, b, p}, {outer, none, none}});
    HullTriangle& beyond = facets_[outer].triangle;
    for (int k = 0; k < 3; ++k) {
      if (beyond.across[k] == gone && beyond.vertices[k] == b) beyond.across[k] = slot;
    }
    rim_from_[a] = slot;
    fresh_.push_back(slot);
  }

  std::vector<HullTriangle> survivors() const {
    std::vector<std::int32_t> number(facets_.size(), none);
    std::vector<HullTriangle> result;
    for (std::size_t i = 0; i < facets_.size(); ++i) {
      if (!facets_[i].is_alive) continue;
      number[i] = static_cast<std::int32_t>(result.size());
      result.push_back(facets_[i].triangle);
    }
    for (HullTriangle& triangle : result) {
      for (std::int32_t& across : triangle.across) across = number[across];
    }
    return result;
  }

  std::span<const Vector3> points_;
  Vector3 extent_;
  std::vector<Facet> facets_;
  std::vector<std::int32_t> free_;          // slots of faces that went
  std::vector<std::int32_t> pending_;       // faces with waiting points, perhaps gone since
  std::vector<std::int32_t> next_waiting_;  // of each point: the next one at its face
  std::vector<std::int32_t> rim_from_;      // of each rim corner: the new face at the edge that starts there
  std::vector<std::int32_t> seen_, fresh_;
};

}  // namespace

std::vector<HullTriangle> quick_hull(std::span<const Vector3> points,
                                     const std::array<std::int32_t, 4>& simplex) {
  return QuickHull(points).build(simplex);
}

}  // namespace toccata::bound
