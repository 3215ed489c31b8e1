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
#include "proximity/convex/core_pair.hpp"
#include "toccata/report/feature.hpp"

namespace toccata::convex {
namespace {

constexpr int table_rounds = 2;

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

  const HullFeatures& hull(int side) const { return *hull_[side]; }

  // Whether the points are apart along the direction (unit, from a to b, b's coordinates) to about ten
  // degrees.
  bool faces_along(const Vector3& direction) const {
    const double along = -gap_[1].dot(direction);
    return along > 0.0 && along * along > 0.97 * squared_;
  }

  // True if the features are the nearest; false if they seem to overlap, rounding ends the walk, or the
  // limit.
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
      along_edge(0) + along_edge(1) <= 1.0 ? add(a.tail, b.tail) : add(a.head, b.head);
      add(a.tail, b.head);
      add(a.head, b.tail);
      return found;
    }
    const Corners a = corners_at(0), b = corners_at(1);
    for (int i = 0; i < a.count; ++i) {
      for (int k = 0; k < b.count && found.count < 4; ++k) add(a.vertex[i], b.vertex[k]);
    }
    return found;
  }

  // Corners of a side that span the point where it stands, and their weights there, which are not negative.
  struct Corners {
    int count = 1;
    std::int32_t vertex[3] = {-1, -1, -1};
    double weight[3] = {1.0, 0.0, 0.0};
  };
  Corners corners_at(int side) const {
    const Standing& at = at_[side];
    Corners corners;
    if (at.kind == FeatureKind::Vertex) {
      corners.vertex[0] = at.index;
    } else if (at.kind == FeatureKind::Edge) {
      const double along = along_edge(side);
      corners.count = 2;
      corners.vertex[0] = edge(side, at.index).tail;
      corners.vertex[1] = edge(side, at.index).head;
      corners.weight[0] = 1.0 - along;
      corners.weight[1] = along;
    } else {
      set_triangle(side, corners);
    }
    return corners;
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
    at.index = hull_[side]->corner_for(distinct[0]);
    at.point = corner(side, at.index);
    if (found < 2 || at.index != distinct[0]) return at;
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

  // Of the edge where a side stands: how far along its point is, as a share.
  double along_edge(int side) const {
    const Edge& own = edge(side, at_[side].index);
    return std::clamp(own.way.dot(at_[side].point - corner(side, own.tail)) / own.length, 0.0, 1.0);
  }

  // The triangle of the fan about the face's first corner that holds the point. The weights are the areas
  // opposite.
  void set_triangle(int side, Corners& corners) const {
    const Standing& at = at_[side];
    const Face& own = face(side, at.index);
    const auto sides = hull_[side]->sides_of(own);
    const Vector3 first = corner(side, sides[0].corner) - at.point;
    std::size_t k = 1;
    while (k + 2 < sides.size() &&
           own.normal.dot((corner(side, sides[k + 1].corner) - at.point).cross(first)) < 0.0)
      ++k;
    corners.count = 3;
    corners.vertex[0] = sides[0].corner;
    corners.vertex[1] = sides[k].corner;
    corners.vertex[2] = sides[k + 1].corner;
    const Vector3 second = corner(side, corners.vertex[1]) - at.point;
    const Vector3 third = corner(side, corners.vertex[2]) - at.point;
    corners.weight[0] = std::max(0.0, own.normal.dot(second.cross(third)));
    corners.weight[1] = std::max(0.0, own.normal.dot(third.cross(first)));
    corners.weight[2] = std::max(0.0, own.normal.dot(first.cross(second)));
    const double sum = corners.weight[0] + corners.weight[1] + corners.weight[2];
    if (!(sum > 0.0)) {
      corners.weight[0] = 1.0;
      return;
    }
    for (double& weight : corners.weight) weight /= sum;
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

Standing standing_at(const HullFeatures& features, std::int32_t point) {
  const std::int32_t vertex = features.corner_for(point);
  return {FeatureKind::Vertex, vertex, features.points[static_cast<std::size_t>(vertex)]};
}

// Two vertices from the tables, one along the line between the origins; then, once more, along the line
// between these two, if that leads nearer.
void start_at_table(Walker& walker, const ConvexSet& a, const HullFeatures& of_a, const Pose& a_to_b,
                    const ConvexSet& b, const HullFeatures& of_b) {
  Vector3 apart = a_to_b.translation;
  for (int round = 0; round < table_rounds; ++round) {
    const Vector3 before = apart;
    const Standing first = standing_at(of_a, vertex_towards(a, of_a, a_to_b.rotation.transpose() * -before));
    const Standing second = standing_at(of_b, vertex_towards(b, of_b, before));
    apart = a_to_b.apply(first.point) - second.point;
    if (!(apart.squaredNorm() < walker.squared_gap())) return;
    walker.start_at(first, second);
  }
}

// Walks to the nearest features. True if it got there. Where the sets have turned far about each other since
// they were remembered, the tables may know of a nearer start.
bool walk_to_nearest(Walker& walker, const ConvexSet& a, const HullFeatures& of_a, const Pose& a_to_b,
                     const ConvexSet& b, const HullFeatures& of_b, const ConvexMemory* memory,
                     std::int32_t& steps) {
  const bool remembers = memory != nullptr && memory->features.count > 0;
  if (remembers) walker.start_at(memory->features);
  if (!remembers || !walker.faces_along(memory->direction)) start_at_table(walker, a, of_a, a_to_b, b, of_b);
  return walker.run(steps);
}

// Whether one of the corners is the farthest along the direction: no neighbour of any of them is higher
// unless it is one of them, so that the highest of them has no higher neighbour, and no corner of a convex
// polytope is higher then. `way` is the difference of two corners to 2 u of each coordinate, but for its
// length; a product and two sums more are 5 u of terms that sum to `magnitude`, and 16 u has room. What is
// closer is decided without rounding. All must be corners of the hull, not points inside.
bool hold_farthest(const HullFeatures& features, const Vector3& direction, const Walker::Corners& corners) {
  for (int i = 0; i < corners.count; ++i) {
    if (features.corner_for(corners.vertex[i]) != corners.vertex[i]) return false;
    const Vector3& here = features.points[static_cast<std::size_t>(corners.vertex[i])];
    for (const HullFeatures::Ray& ray : features.rays_of(corners.vertex[i])) {
      const double x = direction.x() * ray.way.x(), y = direction.y() * ray.way.y(),
                   z = direction.z() * ray.way.z();
      const double magnitude = std::abs(x) + std::abs(y) + std::abs(z);
      if (x + y + z < -16.0 * unit_roundoff * magnitude && magnitude > 1e-250) continue;
      if (ray.to == corners.vertex[0] || ray.to == corners.vertex[1] || ray.to == corners.vertex[2]) continue;
      if (height_sign(direction, features.points[static_cast<std::size_t>(ray.to)], here) > 0) return false;
    }
  }
  return true;
}

// The points of a side's corners in b's coordinates, their weighted sum, and the farthest of them along a
// direction.
struct PlacedCorners {
  PlacedCorners(const Walker::Corners& corners, const HullFeatures& features, const Pose* place) {
    count = corners.count;
    for (int i = 0; i < count; ++i) {
      const Vector3& own = features.points[static_cast<std::size_t>(corners.vertex[i])];
      point[i] = place != nullptr ? place->apply(own) : own;
      sum += corners.weight[i] * point[i];
    }
  }
  const Vector3& farthest(const Vector3& direction) const {
    int best = 0;
    double height = direction.dot(point[0]);
    for (int i = 1; i < count; ++i) {
      const double next = direction.dot(point[i]);
      if (!(next > height)) continue;
      height = next;
      best = i;
    }
    return point[best];
  }

  int count;
  Vector3 point[3];
  Vector3 sum = Vector3::Zero();
};

// The bracket along the line between the points where the walk ended, with the bounds of Difference. False if
// it does not close: then there is more to find.
bool is_closed_at(const Walker& walker, const Difference& difference, ConvexDistance& core) {
  const Walker::Corners of_a = walker.corners_at(0), of_b = walker.corners_at(1);
  const PlacedCorners a(of_a, walker.hull(0), &difference.a_to_b), b(of_b, walker.hull(1), nullptr);
  const Vector3 nearest = a.sum - b.sum;
  const double length = nearest.norm();
  if (!(length > difference.point_error)) return false;
  const Vector3 farthest = a.farthest(-nearest) - b.farthest(nearest);
  core.lower_core = nearest.dot(farthest) / length - difference.height_error;
  core.upper_core = length * (1.0 + 4.0 * unit_roundoff) + difference.point_error;
  const double floor = 2.0 * (difference.height_error + difference.point_error);
  if (!(core.lower_core > 0.0) || core.upper_core - core.lower_core > floor) return false;
  if (!hold_farthest(walker.hull(0), difference.a_to_b.rotation.transpose() * -nearest, of_a) ||
      !hold_farthest(walker.hull(1), nearest, of_b))
    return false;
  core.direction = nearest * (-1.0 / length);
  core.point_a = a.sum;
  core.point_b = b.sum;
  return true;
}

}  // namespace

FeatureWalk walk_features(const ConvexSet& a, const HullFeatures& of_a, const Pose& a_to_b,
                          const ConvexSet& b, const HullFeatures& of_b, const ConvexMemory* memory) {
  FeatureWalk walk;
  Walker walker(of_a, a_to_b, of_b);
  walk.is_nearest = walk_to_nearest(walker, a, of_a, a_to_b, b, of_b, memory, walk.steps);
  walk.features = walker.features();
  return walk;
}

ConvexDistance distance_by_walk(const ConvexSet& a, const HullFeatures& of_a, const Pose& a_to_b,
                                const ConvexSet& b, const HullFeatures& of_b, ConvexMemory* memory,
                                const ConvexLimits& limits) {
  if (of_a.empty() || of_b.empty() || is_box_pair(a, b)) return convex_distance(a, a_to_b, b, memory, limits);
  const Difference difference(a, a_to_b, b);
  if (!is_ordinary(difference)) return convex_distance(a, a_to_b, b, memory, limits);
  Walker walker(of_a, difference.a_to_b, of_b);
  std::int32_t steps = 0;
  const bool is_nearest = walk_to_nearest(walker, a, of_a, difference.a_to_b, b, of_b, memory, steps);
  ConvexDistance result;
  if (is_nearest && is_closed_at(walker, difference, result)) {
    result.features = walker.features();
    result.iterations = steps + 1;
    if (memory != nullptr) {
      memory->features = result.features;
      memory->direction = result.direction;
    }
    add_radii(difference, true, result);
    return result;
  }
  ConvexMemory start;
  start.features = walker.features();
  result = convex_distance(a, a_to_b, b, &start, limits);
  result.iterations += steps;
  if (memory != nullptr) *memory = start;
  return result;
}

}  // namespace toccata::convex
