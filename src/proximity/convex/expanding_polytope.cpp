// Rounding. The corners are points of the difference up to point_error. A face's normal is the product of two
// edges, each coordinate right to 4 u |e||f|; its plane is therefore known to 8 u |p||e||f| / |n| at the
// origin, p its first corner. docs/notes/convex_bounds.md.
#include "proximity/convex/expanding_polytope.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace toccata::convex {
namespace {

constexpr int most_corners = 256;
constexpr int most_faces =
    2 * most_corners;  // Euler: 2 n - 4, and the ones that a step adds before it removes
constexpr int most_steps = 255;

struct PolytopeFace {
  int corner[3];
  int neighbour[3];  // across edge i, from corner i to corner i + 1
  Vector3 normal;    // unit, outward
  double height;     // of the plane along the normal
  double inverse;    // of the length of the product of two edges
  bool is_seen;
};

class Polytope {
 public:
  Polytope(const Difference& difference, double wanted, double wanted_share)
      : difference_(difference), wanted_(wanted), wanted_share_(wanted_share) {
    floor_ = 2.0 * (difference.height_error + difference.point_error);
  }

  CoreDepth run(const Simplex& start) {
    result_.upper = std::numeric_limits<double>::infinity();
    if (!make_tetrahedron(start)) return result_;
    int face = lowest_face();
    while (result_.iterations < most_steps && corner_count_ < most_corners) {
      const PolytopeFace& lowest = faces_[face];
      const DifferencePoint found = look_beyond(lowest);
      const double rise = lowest.normal.dot(found.difference) - lowest.height;
      const double open = result_.upper - std::max(lowest.height, 0.0);
      if (open <= std::max({floor_, wanted_, wanted_share_ * result_.upper})) break;
      if (!(rise > 0.0) || !expand(face, found)) break;
      face = lowest_face();
    }
    finish(face);
    return result_;
  }

 private:
  // The difference has no thickness to speak of along some direction: the depth is below rounding.
  bool make_tetrahedron(const Simplex& start) {
    corner_[0] = start.count > 0 ? start.corner[0] : look_along(Vector3::UnitX());
    for (corner_count_ = 1; corner_count_ < start.count; ++corner_count_)
      corner_[corner_count_] = start.corner[corner_count_];
    const Vector3 axes[3] = {Vector3::UnitX(), Vector3::UnitY(), Vector3::UnitZ()};
    if (corner_count_ == 1) {
      add_farthest(axes, 3, [&](const Vector3& x) { return x.norm(); });
    }
    if (corner_count_ == 1) return end_flat(start, Vector3::UnitZ());
    const Vector3 p = corner_[0].difference;
    if (corner_count_ == 2) {
      const Vector3 edge = (corner_[1].difference - p).normalized();
      int least = 0;
      edge.cwiseAbs().minCoeff(&least);
      const Vector3 side = edge.cross(axes[least]).normalized();
      const Vector3 across[2] = {side, edge.cross(side)};
      add_farthest(across, 2, [&](const Vector3& x) { return (x - x.dot(edge) * edge).norm(); });
      if (corner_count_ == 2) return end_flat(start, side);
    }
    if (corner_count_ == 3) {
      Vector3 normal = (corner_[1].difference - p).cross(corner_[2].difference - p);
      const double length = normal.norm();
      if (!(length > 0.0)) return end_flat(start, look_for_normal());
      normal /= length;
      add_farthest(&normal, 1, [&](const Vector3& x) { return std::abs(x.dot(normal)); });
      if (corner_count_ == 3) return end_flat(start, normal);
    }
    return close_tetrahedron();
  }

  // Adds the point that `how_far` likes best of those along and against the directions, if it is any use.
  template <typename HowFar>
  void add_farthest(const Vector3* directions, int count, HowFar&& how_far) {
    const Vector3 origin = corner_[0].difference;
    double best = floor_;
    for (int i = 0; i < count; ++i) {
      for (const double sign : {1.0, -1.0}) {
        const DifferencePoint found = look_along(sign * directions[i]);
        const double far = how_far(found.difference - origin);
        if (!(far > best)) continue;
        best = far;
        corner_[corner_count_] = found;
        has_candidate_ = true;
      }
    }
    if (has_candidate_) ++corner_count_;
    has_candidate_ = false;
  }

  // Three corners on one line.
  Vector3 look_for_normal() const {
    const Vector3 edge = corner_[1].difference - corner_[0].difference;
    int least = 0;
    edge.cwiseAbs().minCoeff(&least);
    const Vector3 side = edge.cross(Vector3::Unit(least));
    return side.squaredNorm() > 0.0 ? Vector3(side.normalized()) : Vector3(Vector3::UnitZ());
  }

  bool end_flat(const Simplex& start, const Vector3& normal) {
    look_along(normal);
    look_along(-normal);
    result_.lower = 0.0;
    for (int i = 0; i < start.count; ++i) {
      result_.of_a += start.weight[i] * start.corner[i].of_a;
      result_.of_b += start.weight[i] * start.corner[i].of_b;
    }
    return false;
  }

  bool close_tetrahedron() {
    const Vector3& p = corner_[0].difference;
    const double volume =
        (corner_[1].difference - p).cross(corner_[2].difference - p).dot(corner_[3].difference - p);
    if (volume > 0.0) std::swap(corner_[1], corner_[2]);  // faces below are outward for a negative one
    const int of_face[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    const int next_to[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    for (int f = 0; f < 4; ++f) {
      const int face = new_face(of_face[f][0], of_face[f][1], of_face[f][2]);
      for (int e = 0; e < 3; ++e) faces_[face].neighbour[e] = next_to[f][e];
    }
    return true;
  }

  DifferencePoint look_along(const Vector3& normal) {
    const DifferencePoint found = difference_.farthest_against(-normal);
    note_farthest(normal, found);
    return found;
  }

  // From a corner of the face on; a hint is proven where it would be the last word.
  DifferencePoint look_beyond(const PolytopeFace& face) {
    DifferencePoint found;
    if (!difference_.find_against(-face.normal, corner_[face.corner[0]], found)) {
      const double height = face.normal.dot(found.difference);
      if (height > face.height && height + difference_.height_error >= result_.upper) {
        ++result_.iterations;
        return found;
      }
      difference_.prove_against(-face.normal, found);
    }
    note_farthest(face.normal, found);
    return found;
  }

  void note_farthest(const Vector3& normal, const DifferencePoint& found) {
    const double upper = std::max(normal.dot(found.difference) + difference_.height_error, 0.0);
    if (upper < result_.upper) {
      result_.upper = upper;
      result_.normal = normal;
    }
    ++result_.iterations;
  }

  int new_face(int i, int j, int k) {
    int id = face_count_;
    if (free_count_ > 0) {
      id = free_[--free_count_];
    } else {
      ++face_count_;
    }
    PolytopeFace& face = faces_[id];
    face.corner[0] = i;
    face.corner[1] = j;
    face.corner[2] = k;
    const Vector3& p = corner_[i].difference;
    const Vector3 e = corner_[j].difference - p, f = corner_[k].difference - p;
    const Vector3 normal = e.cross(f);
    const double squared = normal.squaredNorm();
    face.is_seen = false;
    if (!(squared > 0.0)) {  // three corners on a line: of no use, and in the way of none
      face.normal = Vector3::UnitZ();
      face.height = face.inverse = height_[id] = 0.0;
      is_broken_ = true;
      return id;
    }
    face.inverse = 1.0 / std::sqrt(squared);
    face.normal = face.inverse * normal;
    face.height = height_[id] = face.normal.dot(p);
    return id;
  }

  // The proven height of a face, if it is below `least`.
  double lower_of(const PolytopeFace& face, double least) const {
    const double unit = 8.0 * unit_roundoff * difference_.scale;
    // |e||f| is at most half the sum of their squares, each edge at most twice the scale.
    const double most = 4.0 * difference_.scale * difference_.scale * face.inverse;
    if (face.height - unit * (1.0 + most) - difference_.point_error >= least) return least;
    const Vector3& p = corner_[face.corner[0]].difference;
    const double squares = (corner_[face.corner[1]].difference - p).squaredNorm() +
                           (corner_[face.corner[2]].difference - p).squaredNorm();
    const double spread = 0.5 * squares * face.inverse;
    return std::min(least, face.height - unit * (1.0 + spread) - difference_.point_error);
  }

  int lowest_face() const {
    return static_cast<int>(std::min_element(height_, height_ + face_count_) - height_);
  }

  struct HorizonEdge {
    int from, to;
    int outer;       // the face that stays
    int outer_edge;  // its edge
  };

  // Replaces the faces that see the point by a fan around it. False, and nothing is changed, where rounding
  // makes them other than one patch.
  bool expand(int from_face, const DifferencePoint& point) {
    seen_count_ = horizon_count_ = 0;
    faces_[from_face].is_seen = true;
    seen_[seen_count_++] = from_face;
    bool is_patch = true;
    for (int e = 0; e < 3; ++e) is_patch = is_patch && walk(from_face, e, point.difference);
    const int n = horizon_count_;
    is_patch = is_patch && n >= 3;
    for (int i = 0; is_patch && i < n; ++i) is_patch = horizon_[i].to == horizon_[(i + 1) % n].from;
    if (!is_patch || face_count_ - free_count_ + n > most_faces) {
      for (int i = 0; i < seen_count_; ++i) faces_[seen_[i]].is_seen = false;
      return false;
    }
    for (int i = 0; i < seen_count_; ++i) {
      height_[seen_[i]] = std::numeric_limits<double>::infinity();
      free_[free_count_++] = seen_[i];
    }
    const int corner = corner_count_++;
    corner_[corner] = point;
    for (int i = 0; i < n; ++i) fan_[i] = new_face(horizon_[i].from, horizon_[i].to, corner);
    for (int i = 0; i < n; ++i) {
      PolytopeFace& face = faces_[fan_[i]];
      face.neighbour[0] = horizon_[i].outer;
      face.neighbour[1] = fan_[(i + 1) % n];
      face.neighbour[2] = fan_[(i + n - 1) % n];
      faces_[horizon_[i].outer].neighbour[horizon_[i].outer_edge] = fan_[i];
    }
    return true;
  }

  // Across edge e of a face that sees the point; edges of the horizon come out in the order of the fan.
  bool walk(int face, int e, const Vector3& point) {
    const int next = faces_[face].neighbour[e];
    PolytopeFace& other = faces_[next];
    if (other.is_seen) return true;
    const int from = faces_[face].corner[e], to = faces_[face].corner[(e + 1) % 3];
    int back = 0;
    while (back < 3 && other.corner[back] != to) ++back;
    if (back == 3) return false;
    if (!(other.normal.dot(point) > other.height)) {
      if (horizon_count_ == most_faces) return false;
      horizon_[horizon_count_++] = {from, to, next, back};
      return true;
    }
    other.is_seen = true;
    seen_[seen_count_++] = next;
    return walk(next, (back + 1) % 3, point) && walk(next, (back + 2) % 3, point);
  }

  // The surface bounds the depth from below if it is about the origin: every plane strictly beyond it.
  void finish(int face) {
    const PolytopeFace& lowest = faces_[face];
    double lower = is_broken_ ? 0.0 : result_.upper;
    for (int f = 0; f < face_count_; ++f) {
      if (std::isfinite(height_[f])) lower = lower_of(faces_[f], lower);
    }
    result_.lower = std::max(lower, 0.0);
    Simplex triangle;
    for (const int corner : lowest.corner) triangle.add(corner_[corner]);
    reduce_to_nearest(triangle);
    for (int i = 0; i < triangle.count; ++i) {
      result_.of_a += triangle.weight[i] * triangle.corner[i].of_a;
      result_.of_b += triangle.weight[i] * triangle.corner[i].of_b;
    }
  }

  const Difference& difference_;
  double wanted_, wanted_share_, floor_;
  DifferencePoint corner_[most_corners];
  int corner_count_ = 0;
  bool has_candidate_ = false;
  PolytopeFace faces_[most_faces];
  double height_[most_faces];  // of the faces; infinite: gone
  int face_count_ = 0;
  int free_[most_faces];
  int free_count_ = 0;
  bool is_broken_ = false;
  int seen_[most_faces], fan_[most_faces];
  HorizonEdge horizon_[most_faces];
  int seen_count_ = 0, horizon_count_ = 0;
  CoreDepth result_;
};

}  // namespace

CoreDepth core_depth(const Difference& difference, const Simplex& start, double wanted, double wanted_share) {
  return Polytope(difference, wanted, wanted_share).run(start);
}

}  // namespace toccata::convex
