// Notation: side 0 is a, side 1 is b. A position holds of each side a feature and the point of it that is
// nearest to the other side's, in the side's own coordinates; the feature is the smallest that has the point
// (an edge has it strictly between its ends). So only planes towards larger features can be violated: those
// of a vertex towards its edges, of an edge towards its faces, none of a face. Two edges, or a vertex and
// anything, are all that can stand for long: an edge over a face slides down to its end or over the face's
// border.
#include "proximity/convex/feature_walk.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "elementary/hull_index.hpp"
#include "proximity/convex/box_pair.hpp"
#include "proximity/convex/difference.hpp"
#include "toccata/report/feature.hpp"

namespace toccata::convex {
namespace {

struct Standing {
  FeatureKind kind = FeatureKind::Vertex;
  std::int32_t index = 0;
  Vector3 point = Vector3::Zero();
};

class Walker {
 public:
  Walker(const HullFeatures& a, const Pose& a_to_b, const HullFeatures& b)
      : hull_{&a, &b}, rotation_(a_to_b.rotation), shift_(a_to_b.translation) {}

  void start_at(const Standing& a, const Standing& b) {
    at_[0] = a;
    at_[1] = b;
    measure();
  }

  double squared_gap() const { return squared_; }

  // From remembered corners: the features that they span, where they are some of the hull's.
  void start_at(const ConvexFeatures& features) {
    const Standing a = spanned(0, features.vertex_a, features.count);
    const Standing b = spanned(1, features.vertex_b, features.count);
    if (a.kind == FeatureKind::Vertex && b.kind == FeatureKind::Vertex) {
      start_at(a, b);
    } else if (a.kind == FeatureKind::Edge && b.kind == FeatureKind::Edge) {
      at_[0] = a;
      at_[1] = b;
      stand_on_edges(0, a.index, b.index);
      measure();
    } else {  // a vertex over an edge or a face
      const int larger = a.kind == FeatureKind::Vertex ? 1 : 0;
      at_[0] = a;
      at_[1] = b;
      const Standing& feature = at_[larger];
      if (feature.kind == FeatureKind::Edge) {
        stand_on_edge(larger, feature.index, seen_from(larger, at_[1 - larger].point));
      } else {
        stand_on_face(larger, feature.index);
      }
      measure();
    }
  }

  bool run(std::int32_t& steps) {
    while (steps < most_walk_steps) {
      const Violation worst = worst_violation();
      if (worst.side < 0) return true;
      ++steps;
      const Standing kept[2] = {at_[0], at_[1]};
      const double before = squared_;
      const bool is_apart = cross(worst);
      if (is_apart) measure();
      if (is_apart && squared_ < before) continue;
      at_[0] = kept[0];
      at_[1] = kept[1];
      measure();
      return false;
    }
    return false;
  }

  ConvexFeatures features() const {
    ConvexFeatures found;
    const auto add = [&](std::int32_t vertex_a, std::int32_t vertex_b) {
      found.vertex_a[static_cast<std::size_t>(found.count)] = vertex_a;
      found.vertex_b[static_cast<std::size_t>(found.count++)] = vertex_b;
    };
    if (at_[0].kind == FeatureKind::Edge && at_[1].kind == FeatureKind::Edge) {
      // The difference of two edges is a parallelogram: the half of it that holds the nearest point.
      const Edge &a = edge(0, at_[0].index), &b = edge(1, at_[1].index);
      const double along_a = a.way.dot(at_[0].point - corner(0, a.tail)) / a.length;
      const double along_b = b.way.dot(at_[1].point - corner(1, b.tail)) / b.length;
      along_a + along_b <= 1.0 ? add(a.tail, b.tail) : add(a.head, b.head);
      add(a.tail, b.head);
      add(a.head, b.tail);
      return found;
    }
    std::int32_t corners[2][3];
    int count[2];
    for (int side = 0; side < 2; ++side) count[side] = corners_at(side, corners[side]);
    for (int i = 0; i < count[0]; ++i) {
      for (int k = 0; k < count[1] && found.count < 4; ++k) add(corners[0][i], corners[1][k]);
    }
    return found;
  }

 private:
  using Edge = HullFeatures::Edge;
  using Face = HullFeatures::Face;
  struct Violation {
    double depth;  // how far beyond the plane
    int side;      // whose plane
    std::int32_t neighbour;
  };

  const Edge& edge(int side, std::int32_t index) const {
    return hull_[side]->edges[static_cast<std::size_t>(index)];
  }
  const Face& face(int side, std::int32_t index) const {
    return hull_[side]->faces[static_cast<std::size_t>(index)];
  }
  const Vector3& corner(int side, std::int32_t index) const {
    return hull_[side]->points[static_cast<std::size_t>(index)];
  }

  // What the other side has, in this side's coordinates.
  Vector3 turned_to(int side, const Vector3& d) const {
    return side == 1 ? Vector3(rotation_ * d) : Vector3(rotation_.transpose() * d);
  }
  Vector3 seen_from(int side, const Vector3& p) const {
    return side == 1 ? Vector3(rotation_ * p + shift_) : Vector3(rotation_.transpose() * (p - shift_));
  }

  void measure() {
    gap_[1] = seen_from(1, at_[0].point) - at_[1].point;
    gap_[0] = rotation_.transpose() * -gap_[1];
    squared_ = gap_[1].squaredNorm();
  }

  void stand_at_vertex(int side, std::int32_t v) {
    at_[side].kind = FeatureKind::Vertex;
    at_[side].index = v;
    at_[side].point = corner(side, v);
  }

  // `along`: from the tail.
  void stand_along(int side, std::int32_t e, double along) {
    const Edge& own = edge(side, e);
    if (!(along > 0.0)) return stand_at_vertex(side, own.tail);
    if (!(along < own.length)) return stand_at_vertex(side, own.head);
    at_[side].kind = FeatureKind::Edge;
    at_[side].index = e;
    at_[side].point = corner(side, own.tail) + along * own.way;
  }

  // Nearest to a point in the side's coordinates.
  void stand_on_edge(int side, std::int32_t e, const Vector3& point) {
    const Edge& own = edge(side, e);
    stand_along(side, e, own.way.dot(point - corner(side, own.tail)));
  }

  // The nearest points of two edges: along one as if the other had no ends, then each clamped in turn.
  void stand_on_edges(int side, std::int32_t e, std::int32_t of_other) {
    const Edge &own = edge(side, e), &other = edge(1 - side, of_other);
    const Vector3 way = turned_to(side, other.way);
    const Vector3 between = seen_from(side, corner(1 - side, other.tail)) - corner(side, own.tail);
    const double cosine = own.way.dot(way), along_own = own.way.dot(between), along_other = way.dot(between);
    const double squared_sine = 1.0 - cosine * cosine;
    double t = squared_sine > 1e-14 ? (along_own - cosine * along_other) / squared_sine : along_own;
    t = std::clamp(t, 0.0, own.length);
    const double s = std::clamp(cosine * t - along_other, 0.0, other.length);
    t = std::clamp(along_own + cosine * s, 0.0, own.length);
    stand_along(side, e, t);
    stand_along(1 - side, of_other, s);
  }

  // From memory: the other side stands at a vertex.
  void stand_on_face(int side, std::int32_t f) {
    const Face& own = face(side, f);
    const Vector3 point = seen_from(side, at_[1 - side].point);
    double worst = 0.0;
    std::int32_t beyond = -1;
    for (const HullFeatures::Side& s : hull_[side]->sides_of(own)) {
      const double outside = s.offset - s.inward.dot(point);
      if (!(outside > worst)) continue;
      worst = outside;
      beyond = s.edge;
    }
    if (beyond >= 0) return stand_on_edge(side, beyond, point);
    at_[side].kind = FeatureKind::Face;
    at_[side].index = f;
    at_[side].point = point - (own.normal.dot(point) - own.offset) * own.normal;
  }

  Violation worst_violation() const {
    Violation worst = {0.0, -1, -1};
    for (int side = 0; side < 2; ++side) {
      const Standing& at = at_[side];
      const Vector3& gap = gap_[side];
      if (at.kind == FeatureKind::Vertex) {
        for (const HullFeatures::Ray& ray : hull_[side]->rays_of(at.index)) {
          const double depth = ray.way.dot(gap);
          if (depth > worst.depth) worst = {depth, side, ray.edge};
        }
      } else if (at.kind == FeatureKind::Edge) {
        const Edge& own = edge(side, at.index);
        for (int k = 0; k < 2; ++k) {
          const double depth = own.inward[k].dot(gap);
          if (depth > worst.depth && own.face[k] >= 0) worst = {depth, side, own.face[k]};
        }
      }
    }
    return worst;
  }

  // To the neighbour beyond a violated plane. False if the polytopes seem to overlap.
  bool cross(const Violation& violation) {
    const int side = violation.side, other = 1 - side;
    if (at_[side].kind == FeatureKind::Edge) return enter_face(side, violation.neighbour);
    switch (at_[other].kind) {
      case FeatureKind::Vertex:
        stand_on_edge(side, violation.neighbour, seen_from(side, at_[other].point));
        return true;
      case FeatureKind::Edge:
        stand_on_edges(side, violation.neighbour, at_[other].index);
        return true;
      case FeatureKind::Face:
        break;
    }
    const Edge& own = edge(side, violation.neighbour);
    const bool forward = own.tail == at_[side].index;
    return slide(other, at_[other].index, violation.neighbour, at_[side].point, forward);
  }

  // From a border of the face, on which this side stands, towards the foot of the other side's point.
  bool enter_face(int side, std::int32_t f) {
    const Face& own = face(side, f);
    const Standing& other = at_[1 - side];
    const Vector3 point = seen_from(side, other.point);
    const double height = own.normal.dot(point) - own.offset;
    if (!(height > 0.0)) return false;
    const Vector3 foot = point - height * own.normal;
    const std::int32_t border = first_border(side, own, at_[side].point, foot - at_[side].point, 1.0).edge;
    if (other.kind == FeatureKind::Edge) {
      if (border >= 0) {
        stand_on_edges(side, border, other.index);
        return true;
      }
      const double slope = own.normal.dot(turned_to(side, edge(1 - side, other.index).way));
      return slide(side, f, other.index, other.point, slope < 0.0);
    }
    if (border >= 0) {
      stand_on_edge(side, border, point);
      return true;
    }
    at_[side].kind = FeatureKind::Face;
    at_[side].index = f;
    at_[side].point = foot;
    return true;
  }

  // The side of a face that a way over it crosses first within `most` of its length, and where.
  struct Border {
    std::int32_t edge;
    double share;
  };
  Border first_border(int side, const Face& own, const Vector3& from, const Vector3& way, double most) const {
    Border first = {-1, most};
    for (const HullFeatures::Side& s : hull_[side]->sides_of(own)) {
      const double rate = s.inward.dot(way);
      if (!(rate < 0.0)) continue;
      const double inside = s.inward.dot(from) - s.offset;
      if (inside < -rate * first.share) first = {s.edge, std::max(inside, 0.0) / -rate};
    }
    return first;
  }

  // The edge of the other side descends over the face, from its point `from` (own coordinates) towards its
  // head (forward) or tail: to its end, or over the border of the face. False if it comes to the face.
  bool slide(int side, std::int32_t f, std::int32_t e, const Vector3& from, bool forward) {
    const int other = 1 - side;
    const Face& own = face(side, f);
    const Edge& down = edge(other, e);
    const std::int32_t end = forward ? down.head : down.tail;
    const Vector3 point = seen_from(side, from), last = seen_from(side, corner(other, end));
    const double height = own.normal.dot(point) - own.offset, last_height = own.normal.dot(last) - own.offset;
    const Border border = first_border(side, own, point, last - point, 1.0);
    if (border.edge >= 0) {
      if (!((1.0 - border.share) * height + border.share * last_height > 0.0)) return false;
      stand_on_edges(side, border.edge, e);
      return true;
    }
    if (!(last_height > 0.0)) return false;
    stand_at_vertex(other, end);
    at_[side].kind = FeatureKind::Face;
    at_[side].index = f;
    at_[side].point = last - last_height * own.normal;
    return true;
  }

  // The feature with these corners; a vertex of them where there is none.
  Standing spanned(int side, const std::array<std::int32_t, 4>& corners, std::int32_t count) const {
    std::int32_t distinct[4] = {corners[0], -1, -1, -1};
    int found = 0;
    for (std::int32_t i = 0; i < count; ++i) {
      const std::int32_t v = corners[static_cast<std::size_t>(i)];
      if (std::find(distinct, distinct + found, v) == distinct + found) distinct[found++] = v;
    }
    Standing at;
    at.index = distinct[0];
    at.point = corner(side, at.index);
    if (found < 2) return at;
    for (const HullFeatures::Ray& ray : hull_[side]->rays_of(distinct[0])) {
      if (ray.to != distinct[1]) continue;
      at.kind = FeatureKind::Edge;
      at.index = ray.edge;
      if (found == 2) return at;
      for (const std::int32_t f : edge(side, ray.edge).face) {
        if (f < 0) continue;
        for (const HullFeatures::Side& s : hull_[side]->sides_of(face(side, f))) {
          if (s.corner != distinct[2]) continue;
          at.kind = FeatureKind::Face;
          at.index = f;
          return at;
        }
      }
      return at;
    }
    return at;
  }

  // The corners that span the point where a side stands.
  int corners_at(int side, std::int32_t* corners) const {
    const Standing& at = at_[side];
    if (at.kind == FeatureKind::Vertex) {
      corners[0] = at.index;
      return 1;
    }
    if (at.kind == FeatureKind::Edge) {
      corners[0] = edge(side, at.index).tail;
      corners[1] = edge(side, at.index).head;
      return 2;
    }
    // The triangle of the fan about the first corner that holds the point.
    const Face& own = face(side, at.index);
    const auto sides = hull_[side]->sides_of(own);
    const Vector3& first = corner(side, sides[0].corner);
    std::size_t k = 1;
    while (k + 2 < sides.size() &&
           own.normal.dot((corner(side, sides[k + 1].corner) - first).cross(at.point - first)) > 0.0)
      ++k;
    corners[0] = sides[0].corner;
    corners[1] = sides[k].corner;
    corners[2] = sides[k + 1].corner;
    return 3;
  }

  const HullFeatures* hull_[2];
  Matrix3 rotation_;
  Vector3 shift_;
  Standing at_[2];
  Vector3 gap_[2] = {Vector3::Zero(), Vector3::Zero()};  // from the own point to the other's, own coordinates
  double squared_ = std::numeric_limits<double>::infinity();
};

// A vertex near the farthest along a direction, from the table where there is one.
std::int32_t vertex_towards(const ConvexSet& set, const HullFeatures& features, const Vector3& direction) {
  if (set.index != nullptr) return near_vertex(*set.index, direction);
  if (set.core == Core::Box) return core_support(set, direction).vertex;
  return features.some_vertex;
}

Standing standing_at(const HullFeatures& features, std::int32_t vertex) {
  return {FeatureKind::Vertex, vertex, features.points[static_cast<std::size_t>(vertex)]};
}

}  // namespace

FeatureWalk walk_features(const ConvexSet& a, const HullFeatures& of_a, const Pose& a_to_b,
                          const ConvexSet& b, const HullFeatures& of_b, const ConvexMemory* memory) {
  FeatureWalk walk;
  Walker table(of_a, a_to_b, of_b);
  const Vector3& apart = a_to_b.translation;
  table.start_at(standing_at(of_a, vertex_towards(a, of_a, a_to_b.rotation.transpose() * -apart)),
                 standing_at(of_b, vertex_towards(b, of_b, apart)));
  if (memory != nullptr && memory->features.count > 0) {
    Walker remembered(of_a, a_to_b, of_b);
    remembered.start_at(memory->features);
    if (remembered.squared_gap() <= table.squared_gap()) table = remembered;
  }
  walk.is_nearest = table.run(walk.steps);
  walk.features = table.features();
  return walk;
}

ConvexDistance distance_by_walk(const ConvexSet& a, const HullFeatures& of_a, const Pose& a_to_b,
                                const ConvexSet& b, const HullFeatures& of_b, ConvexMemory* memory,
                                const ConvexLimits& limits) {
  if (of_a.empty() || of_b.empty() || is_box_pair(a, b))
    return convex_distance(a, a_to_b, b, memory, limits);
  ConvexMemory start;
  if (memory != nullptr) start = *memory;
  const bool is_placed = a.is_placed || b.is_placed;
  const FeatureWalk walk =
      is_placed
          ? walk_features(a, of_a, *Difference::composed_pose(a, a_to_b, b), b, of_b, memory)
          : walk_features(a, of_a, a_to_b, b, of_b, memory);
  start.features = walk.features;
  ConvexDistance result = convex_distance(a, a_to_b, b, &start, limits);
  result.iterations += walk.steps;
  if (memory != nullptr) *memory = start;
  return result;
}

}  // namespace toccata::convex
