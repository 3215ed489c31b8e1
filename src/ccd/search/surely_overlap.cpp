#include "ccd/search/surely_overlap.hpp"

#include <Eigen/Geometry>
#include <array>
#include <cmath>

#include "toccata/base/rounding.hpp"

namespace toccata::search {
namespace {

constexpr double u = unit_roundoff;

struct CornerPair {
  std::int32_t a, b;
};

// The corners that span the nearest part of the difference: three pairs. False if fewer are known.
bool find_pairs(const convex::ConvexFeatures& features, std::array<CornerPair, 3>& pairs) {
  std::array<std::int32_t, 4> as{}, bs{};
  int count = 0, count_a = 0, count_b = 0;
  std::array<CornerPair, 4> found{};
  for (std::int32_t i = 0; i < features.count; ++i) {
    const CornerPair pair = {features.vertex_a[static_cast<std::size_t>(i)],
                             features.vertex_b[static_cast<std::size_t>(i)]};
    if (pair.a < 0 || pair.b < 0) return false;
    bool is_new = true, is_new_a = true, is_new_b = true;
    for (int k = 0; k < count; ++k) {
      const CornerPair& other = found[static_cast<std::size_t>(k)];
      is_new = is_new && !(other.a == pair.a && other.b == pair.b);
      is_new_a = is_new_a && other.a != pair.a;
      is_new_b = is_new_b && other.b != pair.b;
    }
    if (is_new_a) as[static_cast<std::size_t>(count_a++)] = pair.a;
    if (is_new_b) bs[static_cast<std::size_t>(count_b++)] = pair.b;
    if (is_new) found[static_cast<std::size_t>(count++)] = pair;
  }
  if (count == 3) {
    pairs = {found[0], found[1], found[2]};
    return true;
  }
  if (count_a != 2 || count_b != 2) return false;
  // Two edges: their difference is a parallelogram, of which the half next to the first corners counts.
  pairs = {CornerPair{as[0], bs[0]}, CornerPair{as[1], bs[0]}, CornerPair{as[0], bs[1]}};
  return true;
}

// Is the origin farther than `margin` behind the plane through p, q and r, seen from `inside`? A plane
// through p with edges e and f is known at the origin to 8 u |p| (1 + |e||f| / |e x f|) + 16 u of the
// lengths.
bool is_behind(const Vector3& p, const Vector3& q, const Vector3& r, const Vector3& inside, double margin,
               double lengths) {
  const Vector3 e = q - p, f = r - p;
  Vector3 normal = e.cross(f);
  const double length = normal.norm();
  if (!(length > 0.0)) return false;
  if (normal.dot(inside - p) > 0.0) normal = -normal;
  const double rounding = 8.0 * u * p.norm() * (1.0 + e.norm() * f.norm() / length) + 16.0 * u * lengths;
  return normal.dot(p) / length > margin + rounding;
}

bool contains_origin(const std::array<Vector3, 4>& corner, double margin, double lengths) {
  for (std::size_t i = 0; i < 4; ++i) {
    if (!is_behind(corner[(i + 1) % 4], corner[(i + 2) % 4], corner[(i + 3) % 4], corner[i], margin, lengths))
      return false;
  }
  return true;
}

}  // namespace

bool surely_overlap(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b,
                    const TouchedFeatures& touched, double margin) {
  if (a.is_placed || b.is_placed) return false;
  const double lengths = core_reach(a) + core_reach(b) + a_to_b.translation.norm();
  const double radii = a.radius + b.radius;
  if (radii > 0.0) {
    // The points are of the cores to 32 u of the lengths, and in place to 8 u.
    const double apart = (a_to_b.apply(touched.core_a) - touched.core_b).norm();
    return apart + margin + 64.0 * u * (lengths + radii) < radii;
  }
  std::array<CornerPair, 3> pairs;
  if (!is_polytope(a) || !is_polytope(b) || !find_pairs(touched.features, pairs)) return false;
  std::array<Vector3, 4> corner;
  for (std::size_t i = 0; i < 3; ++i)
    corner[i] = a_to_b.apply(corner_of(a, pairs[i].a)) - corner_of(b, pairs[i].b);
  const Support far_a = core_support(a, a_to_b.rotation.transpose() * -touched.direction);
  const Support far_b = core_support(b, touched.direction);
  corner[3] = a_to_b.apply(far_a.point) - far_b.point;
  return contains_origin(corner, margin, lengths);
}

}  // namespace toccata::search
