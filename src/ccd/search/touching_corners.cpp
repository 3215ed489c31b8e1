#include "ccd/search/touching_corners.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>

#include "proximity/convex/xyz.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata::search {
namespace {

using convex::applied;
using convex::plain;
using convex::vector;
using convex::Xyz;

constexpr double u = unit_roundoff;

double length_of(const Xyz& x) {
  return std::sqrt(dot(x, x));
}

struct CornerPair {
  std::int32_t a, b;
};

// Three pairs. False if fewer are known.
bool find_pairs(const convex::ConvexFeatures& features, CornerPair (&pairs)[3]) {
  CornerPair found[4];
  std::int32_t as[4], bs[4];
  int count = 0, count_a = 0, count_b = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(features.count); ++i) {
    const CornerPair pair = {features.vertex_a[i], features.vertex_b[i]};
    if (pair.a < 0 || pair.b < 0) return false;
    bool is_new = true, is_new_a = true, is_new_b = true;
    for (int k = 0; k < count; ++k) {
      is_new = is_new && !(found[k].a == pair.a && found[k].b == pair.b);
      is_new_a = is_new_a && found[k].a != pair.a;
      is_new_b = is_new_b && found[k].b != pair.b;
    }
    if (is_new_a) as[count_a++] = pair.a;
    if (is_new_b) bs[count_b++] = pair.b;
    if (is_new) found[count++] = pair;
  }
  if (count == 3) {
    std::copy(found, found + 3, pairs);
    // Of two edges first the pair that shares a corner with each of the others, so that sides are edges.
    for (int i = 1; i < 3 && count_a == 2 && count_b == 2; ++i) {
      const CornerPair &p = found[i], &q = found[(i + 1) % 3], &r = found[(i + 2) % 3];
      if ((q.a == p.a && r.b == p.b) || (q.b == p.b && r.a == p.a)) std::swap(pairs[0], pairs[i]);
    }
    return true;
  }
  if (count_a != 2 || count_b != 2) return false;
  // Two edges: their difference is a parallelogram, of which the half next to the first corners counts.
  pairs[0] = {as[0], bs[0]};
  pairs[1] = {as[1], bs[0]};
  pairs[2] = {as[0], bs[1]};
  return true;
}

// Of a polytope: the middle of a box, the mean of four corners spread over the list of a hull.
Xyz inner_point(const ConvexSet& set) {
  if (set.core == Core::Box) return {};
  const std::size_t count = set.points.size();
  Xyz sum = plain(set.points[0]);
  for (std::size_t i = 1; i < 4; ++i) sum = sum + plain(set.points[i * count / 4]);
  return 0.25 * sum;
}

// Is the origin farther than `margin` behind the plane through p, q and r, seen from `inside`? No corner is
// farther from another, or from the origin, than `size`. The product of two sides is at most size^2 long and
// right to 8 u of that, its height at the origin to 16 u size^3.
bool is_behind(const Xyz& p, const Xyz& q, const Xyz& r, const Xyz& inside, double margin, double size) {
  const Xyz normal = cross(q - p, r - p);
  const double height = dot(normal, p), side = dot(normal, inside - p);
  const double least = (margin + 32.0 * u * size) * (size * size);
  return side > 0.0 ? -height > least : height > least;
}

}  // namespace

TouchingCorners touching_corners(const ConvexSet& a, const ConvexSet& b,
                                 const convex::ConvexFeatures& features) {
  TouchingCorners corners;
  CornerPair pairs[3];
  if (a.is_placed || b.is_placed || !is_polytope(a) || !is_polytope(b) || !find_pairs(features, pairs))
    return corners;
  corners.are_known = true;
  for (std::size_t i = 0; i < 3; ++i) {
    corners.vertex_a[i] = pairs[i].a;
    corners.vertex_b[i] = pairs[i].b;
    corners.of_a[i] = corner_of(a, pairs[i].a);
    corners.of_b[i] = corner_of(b, pairs[i].b);
  }
  return corners;
}

TouchingCorners::Kind TouchingCorners::kind() const {
  const auto distinct = [](const std::array<std::int32_t, 3>& v) {
    return 1 + (v[1] != v[0] ? 1 : 0) + (v[2] != v[0] && v[2] != v[1] ? 1 : 0);
  };
  const int count_a = distinct(vertex_a), count_b = distinct(vertex_b);
  if (count_b == 1) return Kind::FaceOfA;
  if (count_a == 1) return Kind::FaceOfB;
  return count_a == 2 && count_b == 2 ? Kind::Edges : Kind::Other;
}

TouchingPlane touching_plane(const TouchingCorners& corners, const Pose& a_to_b, const Vector3& towards) {
  // Edges without the translation, which would cost them digits.
  const Xyz a = plain(corners.of_a[0]), b = plain(corners.of_b[0]);
  const auto edge_to = [&](std::size_t i) {
    return convex::turned(a_to_b.rotation, plain(corners.of_a[i]) - a) - (plain(corners.of_b[i]) - b);
  };
  const Xyz e = edge_to(1), f = edge_to(2), across = cross(e, f);
  TouchingPlane plane;
  const double length = length_of(across);
  const double squared_e = dot(e, e), squared_f = dot(f, f);
  if (!(length > 1e-6 * (squared_e + squared_f))) return plane;  // a sliver tells nothing
  plane.area = length;
  plane.sides = std::sqrt(squared_e * squared_f);
  const Xyz normal = ((dot(across, plain(towards)) < 0.0 ? -1.0 : 1.0) / length) * across;
  plane.normal = vector(normal);
  plane.gap = dot(normal, b - applied(a_to_b, a));
  return plane;
}

bool touching_points(const ConvexSet& a, const ConvexSet& b, const TouchingCorners& corners,
                     const Pose& a_to_b, const TouchingPlane& plane, double lower,
                     convex::ConvexDistance& nearest) {
  Xyz at_a[3], at_b[3], w[3];
  for (std::size_t i = 0; i < 3; ++i) {
    at_a[i] = applied(a_to_b, plain(corners.of_a[i]));
    at_b[i] = plain(corners.of_b[i]);
    w[i] = at_a[i] - at_b[i];
  }
  const Xyz e = w[1] - w[0], f = w[2] - w[0];
  const Xyz across = cross(e, f);
  const double area = dot(across, across);
  const double share_e = dot(across, cross(f, w[0])) / area, share_f = dot(across, cross(w[0], e)) / area;
  if (!(share_e >= 0.0 && share_f >= 0.0 && share_e + share_f <= 1.0)) return false;
  const double share = 1.0 - share_e - share_f;
  const Xyz point_a = share * at_a[0] + share_e * at_a[1] + share_f * at_a[2];
  const Xyz point_b = share * at_b[0] + share_e * at_b[1] + share_f * at_b[2];
  nearest.point_a = vector(point_a);
  nearest.point_b = vector(point_b);
  // Weighted sums with weights of sum 1 to 3 u: as the points of a simplex, docs/notes/convex_bounds.md.
  const double point_error =
      16.0 * u * (core_reach(a) + core_reach(b) + length_of(plain(a_to_b.translation)));
  nearest.upper_core = length_of(point_b - point_a) * (1.0 + 4.0 * u) + point_error;
  nearest.lower_core = std::min(lower, nearest.upper_core);
  nearest.direction = plane.normal;
  nearest.meets = false;
  nearest.features.count = 3;
  std::copy(corners.vertex_a.begin(), corners.vertex_a.end(), nearest.features.vertex_a.begin());
  std::copy(corners.vertex_b.begin(), corners.vertex_b.end(), nearest.features.vertex_b.begin());
  const double radii = a.radius + b.radius;
  nearest.upper = nearest.upper_core;
  nearest.lower = nearest.lower_core;
  if (radii == 0.0) return true;
  nearest.lower_core += radii;
  nearest.upper = nearest.upper_core - radii * (1.0 - 4.0 * u);
  nearest.lower = std::min(nearest.lower, nearest.upper);
  nearest.point_a += a.radius * nearest.direction;
  nearest.point_b -= b.radius * nearest.direction;
  return true;
}

bool surely_overlap(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b,
                    const TouchingCorners& corners, const Vector3& direction, double margin) {
  const double lengths = core_reach(a) + core_reach(b) + length_of(plain(a_to_b.translation));
  Xyz w[4];
  for (std::size_t i = 0; i < 3; ++i) w[i] = applied(a_to_b, plain(corners.of_a[i])) - plain(corners.of_b[i]);
  // Corners of the difference are in place to 16 u of the lengths, means of some likewise.
  const double size = 2.0 * lengths, more = margin + 16.0 * u * lengths;
  const auto holds_origin = [&] {
    return is_behind(w[0], w[1], w[2], w[3], more, size) && is_behind(w[0], w[1], w[3], w[2], more, size) &&
           is_behind(w[0], w[2], w[3], w[1], more, size) && is_behind(w[1], w[2], w[3], w[0], more, size);
  };
  // A tetrahedron about the origin: the three and a point behind them. First one inside, which need not be
  // looked for, then what is farthest behind.
  w[3] = applied(a_to_b, inner_point(a)) - inner_point(b);
  if (holds_origin()) return true;
  if (a.core == Core::Box && b.core == Core::Box) return false;
  const Support far_a = core_support(a, a_to_b.rotation.transpose() * -direction);
  const Support far_b = core_support(b, direction);
  w[3] = applied(a_to_b, plain(far_a.point)) - plain(far_b.point);
  return holds_origin();
}

bool surely_overlap(const Vector3& half_a, const Pose& a_to_b, const Vector3& half_b, const Vector3& point_a,
                    const Vector3& point_b, double margin) {
  // A point of its own box to the last bit, in place to a dozen u of the lengths.
  const auto inside = [](const Vector3& x, const Vector3& half) -> Vector3 {
    return x.cwiseMax(-half).cwiseMin(half);
  };
  const auto is_within = [](const Vector3& x, const Vector3& half, double less) {
    return std::abs(x.x()) + less < half.x() && std::abs(x.y()) + less < half.y() &&
           std::abs(x.z()) + less < half.z();
  };
  const double lengths = half_a.lpNorm<1>() + half_b.lpNorm<1>() + a_to_b.translation.lpNorm<1>();
  const double less = margin + 32.0 * u * lengths;
  if (is_within(a_to_b.apply(inside(point_a, half_a)), half_b, less)) return true;
  return is_within(a_to_b.rotation.transpose() * (inside(point_b, half_b) - a_to_b.translation), half_a,
                   less);
}

bool surely_overlap(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b, const Vector3& core_a,
                    const Vector3& core_b, double margin) {
  const double lengths = core_reach(a) + core_reach(b) + a_to_b.translation.norm() + a.radius + b.radius;
  // The points are of the cores to 32 u of the lengths, and in place to 8 u.
  const double apart = (a_to_b.apply(core_a) - core_b).norm();
  return apart + margin + 64.0 * u * lengths < a.radius + b.radius;
}

}  // namespace toccata::search
