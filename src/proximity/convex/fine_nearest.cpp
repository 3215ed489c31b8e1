// Rounding. One operation on pairs errs by less than 2^-100 of its result (elementary/double_pair.hpp). From
// a direction to the corner found along it, its place and its height there are fewer than 64 of them, on
// numbers of at most the scale: 2^-90 of the scale covers them, twice over. Nothing here is scaled near where
// products would vanish, except short directions across a core, which are brought to about 1 first.
#include "proximity/convex/fine_nearest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "elementary/double_pair.hpp"

namespace toccata::convex {
namespace {

using elementary::DoublePair;

constexpr int most_iterations = 256;
constexpr double share_of_scale = 0x1p-90;

struct PairVector {
  DoublePair x, y, z;
};

DoublePair pair_of(double value) {
  return {value, 0.0};
}
PairVector pairs_of(const Vector3& v) {
  return {pair_of(v.x()), pair_of(v.y()), pair_of(v.z())};
}
Vector3 rounded(const PairVector& v) {
  return {v.x.high, v.y.high, v.z.high};
}
PairVector operator+(const PairVector& a, const PairVector& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
PairVector operator-(const PairVector& a, const PairVector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
PairVector operator-(const PairVector& a) {
  return {-a.x, -a.y, -a.z};
}
PairVector operator*(const DoublePair& s, const PairVector& a) {
  return {s * a.x, s * a.y, s * a.z};
}
DoublePair dot(const PairVector& a, const PairVector& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
PairVector cross(const PairVector& a, const PairVector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
bool is_less(const DoublePair& a, const DoublePair& b) {
  return a.high < b.high || (a.high == b.high && a.low < b.low);
}
bool is_positive(const DoublePair& a) {
  return a.high > 0.0;
}

// Times a power of two, such that the largest coordinate is about 1. Exact.
PairVector near_one(const PairVector& v) {
  const double largest = std::max({std::abs(v.x.high), std::abs(v.y.high), std::abs(v.z.high)});
  if (!(largest > 0.0)) return v;
  const double factor = std::ldexp(1.0, -std::ilogb(largest));
  const auto scaled = [&](const DoublePair& p) { return DoublePair{factor * p.high, factor * p.low}; };
  return {scaled(v.x), scaled(v.y), scaled(v.z)};
}

// The farthest point of the rim of a disc about the z axis, and its height.
PairVector on_rim(double radius, double z, const PairVector& d) {
  const PairVector across = near_one({d.x, d.y, pair_of(0.0)});
  const DoublePair squared = dot(across, across);
  if (!is_positive(squared)) return {pair_of(radius), pair_of(0.0), pair_of(z)};
  const DoublePair share = pair_of(radius) / square_root(squared);
  return {share * across.x, share * across.y, pair_of(z)};
}

struct FineSupport {
  PairVector point;
  std::int32_t vertex = -1;
};

// Candidates by heights in doubles, compared in pairs.
FineSupport of_points(std::span<const Vector3> points, const PairVector& d) {
  const Vector3 direction = rounded(d);
  double best = -std::numeric_limits<double>::infinity(), largest = 0.0;
  for (const Vector3& p : points) {
    best = std::max(best, direction.dot(p));
    largest = std::max(largest, p.cwiseAbs().maxCoeff());
  }
  // Four roundings of each of two heights, whose products sum to less than 2 * 3 * sqrt(3) of the largest.
  const double slack = 128.0 * unit_roundoff * largest;
  FineSupport found;
  DoublePair highest = pair_of(0.0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (direction.dot(points[i]) < best - slack) continue;
    const PairVector p = pairs_of(points[i]);
    const DoublePair height = dot(d, p);
    if (found.vertex >= 0 && !is_less(highest, height)) continue;
    highest = height;
    found = {p, static_cast<std::int32_t>(i)};
  }
  return found;
}

// The ball by heights in pairs; its point along the direction, which need not be of unit length.
FineSupport of_balls(const ConvexSet& set, const PairVector& d) {
  const PairVector direction = near_one(d);
  const DoublePair squared = dot(direction, direction);
  if (!is_positive(squared)) return {pairs_of(set.points[0])};
  const DoublePair length = square_root(squared);
  std::size_t best = 0;
  DoublePair highest = pair_of(0.0);
  for (std::size_t i = 0; i < set.points.size(); ++i) {
    const DoublePair height =
        dot(direction, pairs_of(set.points[i])) + length * pair_of(set.half[static_cast<Eigen::Index>(i)]);
    if (i > 0 && !is_less(highest, height)) continue;
    highest = height;
    best = i;
  }
  const DoublePair share = pair_of(set.half[static_cast<Eigen::Index>(best)]) / length;
  const PairVector center = pairs_of(set.points[best]);
  return {{center.x + share * direction.x, center.y + share * direction.y, center.z + share * direction.z}};
}

FineSupport fine_support(const ConvexSet& set, const PairVector& d) {
  const Vector3& half = set.half;
  switch (set.core) {
    case Core::Points:
      return of_points(set.points, d);
    case Core::Box: {
      const std::int32_t vertex =
          (d.x.high < 0.0 ? 0 : 1) | (d.y.high < 0.0 ? 0 : 2) | (d.z.high < 0.0 ? 0 : 4);
      return {pairs_of(corner_of(set, vertex)), vertex};
    }
    case Core::Cylinder:
      return {on_rim(half.x(), d.z.high < 0.0 ? -half.z() : half.z(), d)};
    case Core::Cone: {
      const PairVector tip = pairs_of({0.0, 0.0, half.z()}), base = on_rim(half.x(), -half.z(), d);
      return {is_less(dot(tip, d), dot(base, d)) ? base : tip};
    }
    case Core::Balls:
      return of_balls(set, d);
    case Core::Ellipsoid:
      break;
  }
  const PairVector radii = pairs_of(half);
  const PairVector scaled = near_one({radii.x * d.x, radii.y * d.y, radii.z * d.z});
  const DoublePair squared = dot(scaled, scaled);
  if (!is_positive(squared)) return {pairs_of(Vector3::Zero())};
  const DoublePair share = pair_of(1.0) / square_root(squared);
  return {{share * (radii.x * scaled.x), share * (radii.y * scaled.y), share * (radii.z * scaled.z)}};
}

struct FineCorner {
  PairVector difference, of_a, of_b;
  std::int32_t vertex_a, vertex_b;
};

// A part of the simplex: weights of the corners (0: not in it) and the nearest point they make.
struct FinePart {
  DoublePair weight[4];
  PairVector nearest;
  DoublePair squared;
};

class FineWalk {
 public:
  FineWalk(const Difference& difference, double width, const ConvexLimits& limits)
      : difference_(difference),
        width_(width),
        limits_(limits),
        error_(share_of_scale * difference.scale),
        shift_(pairs_of(difference.a_to_b.translation)) {
    for (int i = 0; i < 3; ++i) column_[i] = pairs_of(difference.a_to_b.rotation.col(i));
    if (!is_polytope(*difference.a)) return;
    // Polytopes are what their corners are rounded to, here as in the exact stage.
    for (std::int32_t i = 0; i < corner_count(*difference.a); ++i)
      corners_of_a_.push_back(difference.a_to_b.apply(corner_of(*difference.a, i)));
  }

  FineNearest run(const Vector3& hint) {
    result_.lower = -std::numeric_limits<double>::infinity();
    result_.upper = std::numeric_limits<double>::infinity();
    PairVector direction = pairs_of(hint);
    do {
      const FineCorner found = farthest_against(direction);
      if (note_heights(direction, found) || is_known(found)) break;
      corner_[count_++] = found;
      if (!reduce()) break;
      direction = direction_on();
    } while (++result_.iterations < most_iterations);
    write_simplex();
    return result_;
  }

 private:
  FineCorner farthest_against(const PairVector& d) const {
    const FineSupport p = support_of_a(-d), q = fine_support(*difference_.b, d);
    FineCorner corner;
    corner.of_a = p.point;
    corner.of_b = q.point;
    corner.difference = corner.of_a - corner.of_b;
    corner.vertex_a = p.vertex;
    corner.vertex_b = q.vertex;
    return corner;
  }

  // In b's coordinates.
  FineSupport support_of_a(const PairVector& d) const {
    if (!corners_of_a_.empty()) return of_points(corners_of_a_, d);
    const PairVector in_a = {dot(column_[0], d), dot(column_[1], d), dot(column_[2], d)};
    const PairVector p = fine_support(*difference_.a, in_a).point;
    return {((p.x * column_[0] + p.y * column_[1]) + p.z * column_[2]) + shift_};
  }

  bool is_done() const {
    if (result_.lower > limits_.enough || result_.upper <= limits_.within) return true;
    const double gap = result_.upper - result_.lower;
    if (gap <= width_ && result_.lower > 0.0) return true;
    return gap <= std::max(limits_.absolute_error, limits_.relative_error * result_.upper);
  }

  // True if the bracket is narrow enough, or the corner leads no nearer.
  bool note_heights(const PairVector& d, const FineCorner& found) {
    const DoublePair length = square_root(dot(d, d));
    const double height = (dot(d, found.difference) / length).high;
    const double lower = height - error_ - 2.0 * unit_roundoff * std::abs(height);
    if (lower > result_.lower) {
      result_.lower = lower;
      result_.direction = rounded(d) / length.high;
    }
    return is_done();
  }

  bool is_known(const FineCorner& found) const {
    for (int i = 0; i < count_; ++i) {
      const PairVector apart = corner_[i].difference - found.difference;
      if (apart.x.high == 0.0 && apart.y.high == 0.0 && apart.z.high == 0.0) return true;
    }
    return false;
  }

  // The nearest point of the simplex, which is on a part that has the corner added last. False if the walk
  // ends there.
  bool reduce() {
    FinePart best;
    best.squared = pair_of(std::numeric_limits<double>::infinity());
    try_parts(best);
    const bool is_inside = count_ == 4 && is_positive(best.weight[0]) && is_positive(best.weight[1]) &&
                           is_positive(best.weight[2]) && is_positive(best.weight[3]);
    // A far corner may bring it nearer by less than doubles tell, and still turn the direction.
    if (!is_inside && !is_less(best.squared, nearest_squared_)) {
      --count_;
      return false;
    }
    const double length = square_root(best.squared).high;
    nearest_squared_ = best.squared;
    nearest_ = best.nearest;
    if (is_inside && is_deep_inside(best)) {
      result_.meets = true;
      result_.lower = result_.upper = 0.0;
    } else {
      result_.upper = std::min(result_.upper, length * (1.0 + 2.0 * unit_roundoff) + error_);
    }
    int kept = 0;
    for (int i = 0; i < count_; ++i) {
      if (!is_positive(best.weight[i])) continue;
      weight_[kept] = best.weight[i].high;
      corner_[kept++] = corner_[i];
    }
    count_ = kept;
    return !is_inside && !is_done() && length > 4.0 * error_;
  }

  // All parts that have the corner added last, by the edges from it.
  void try_parts(FinePart& best) const {
    const int last = count_ - 1;
    const PairVector& p = corner_[last].difference;
    PairVector e[3];
    for (int j = 0; j < last; ++j) e[j] = corner_[j].difference - p;
    for (int set = 0; set < 1 << last; ++set) {
      DoublePair share[3] = {pair_of(0.0), pair_of(0.0), pair_of(0.0)};
      if (!solve(set, last, p, e, share)) continue;
      FinePart part;
      part.nearest = p;
      part.weight[last] = pair_of(1.0);
      bool is_part = true;
      for (int j = 0; j < last; ++j) {
        part.weight[j] = share[j];
        if ((set >> j & 1) == 0) continue;
        is_part = is_part && is_positive(share[j]);
        part.weight[last] = part.weight[last] - share[j];
        part.nearest = part.nearest + share[j] * e[j];
      }
      for (int j = count_; j < 4; ++j) part.weight[j] = pair_of(0.0);
      if (!is_part || !is_positive(part.weight[last])) continue;
      part.squared = dot(part.nearest, part.nearest);
      if (is_less(part.squared, best.squared)) best = part;
    }
  }

  // Shares of the edges in `set` for the nearest point of the plane they span. False if they span none. By
  // areas and volumes: those of products of edges would be squares, and lose flat parts.
  static bool solve(int set, int last, const PairVector& p, const PairVector e[3], DoublePair share[3]) {
    int in[3], n = 0;
    for (int j = 0; j < last; ++j) {
      if ((set >> j & 1) != 0) in[n++] = j;
    }
    if (n == 0) return true;
    const int i = in[0];
    if (n == 1) {
      const DoublePair squared = dot(e[i], e[i]);
      if (!is_positive(squared)) return false;
      share[i] = -(dot(e[i], p) / squared);
      return true;
    }
    const int j = in[1];
    const PairVector normal = cross(e[i], e[j]);
    if (n == 2) {
      const DoublePair squared = dot(normal, normal);
      if (!is_positive(squared)) return false;
      share[i] = dot(cross(e[j], p), normal) / squared;
      share[j] = dot(cross(p, e[i]), normal) / squared;
      return true;
    }
    const DoublePair volume = dot(normal, e[2]);
    if (volume.high == 0.0) return false;
    share[0] = -(dot(p, cross(e[1], e[2])) / volume);
    share[1] = -(dot(p, cross(e[2], e[0])) / volume);
    share[2] = -(dot(p, normal) / volume);
    return true;
  }

  // Whether the origin is farther inside all faces of the tetrahedron than the corners are off.
  bool is_deep_inside(const FinePart& part) const {
    const PairVector& p = corner_[0].difference;
    const double volume = std::abs(
        dot(corner_[1].difference - p, cross(corner_[2].difference - p, corner_[3].difference - p)).high);
    for (int i = 0; i < 4; ++i) {
      const PairVector& q = corner_[(i + 1) % 4].difference;
      const PairVector area = cross(corner_[(i + 2) % 4].difference - q, corner_[(i + 3) % 4].difference - q);
      if (!(part.weight[i].high * volume > 4.0 * error_ * rounded(area).norm())) return false;
    }
    return true;
  }

  // Towards the nearest point; across a triangle, which says it better.
  PairVector direction_on() const {
    if (count_ == 3) {
      const PairVector& p = corner_[0].difference;
      const PairVector normal =
          near_one(cross(near_one(corner_[1].difference - p), near_one(corner_[2].difference - p)));
      const double along = dot(normal, p).high;
      if (along != 0.0) return along < 0.0 ? -normal : normal;
    }
    return near_one(nearest_);
  }

  void write_simplex() {
    for (int i = 0; i < count_; ++i) {
      const FineCorner& c = corner_[i];
      result_.simplex.add({rounded(c.difference), rounded(c.of_a), rounded(c.of_b), c.vertex_a, c.vertex_b});
      result_.simplex.weight[static_cast<std::size_t>(i)] = weight_[i];
    }
  }

  const Difference& difference_;
  double width_;
  const ConvexLimits& limits_;
  double error_;
  PairVector column_[3], shift_;
  std::vector<Vector3> corners_of_a_;  // of a polytope
  FineCorner corner_[4];
  double weight_[4] = {1.0, 0.0, 0.0, 0.0};
  int count_ = 0;
  PairVector nearest_ = {};
  DoublePair nearest_squared_ = pair_of(std::numeric_limits<double>::infinity());
  FineNearest result_;
};

}  // namespace

FineNearest fine_nearest(const Difference& difference, const Vector3& hint, double width,
                         const ConvexLimits& limits) {
  return FineWalk(difference, width, limits).run(hint);
}

}  // namespace toccata::convex
