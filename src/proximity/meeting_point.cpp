#include "proximity/meeting_point.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "toccata/base/rounding.hpp"
#include "toccata/elementary/point_triangle.hpp"

namespace toccata::proximity {

using namespace convex;

namespace {

// By closed forms, where the core has one: false if it is not seen.
bool is_in(const ConvexSet& set, const Vector3& point, double slack) {
  const Vector3 p =
      set.is_placed ? Vector3(set.place.rotation.transpose() * (point - set.place.translation)) : point;
  const Vector3& half = set.half;
  const std::span<const Vector3> points = set.points;
  const double reach = set.radius + slack;
  const auto across = [&] { return std::sqrt(p.x() * p.x() + p.y() * p.y()); };
  const auto beyond = [](double x) { return std::max(x, 0.0); };
  switch (set.core) {
    case Core::Box:
      return (p.cwiseAbs() - half).cwiseMax(0.0).squaredNorm() <= reach * reach;
    case Core::Cylinder:
      return Vector2(beyond(across() - half.x()), beyond(std::abs(p.z()) - half.z())).squaredNorm() <=
             reach * reach;
    case Core::Cone:
      return std::abs(p.z()) <= half.z() && across() * 2.0 * half.z() <= half.x() * (half.z() - p.z());
    case Core::Ellipsoid:
      return p.cwiseQuotient(half).squaredNorm() <= 1.0;  // false for NaN, of flat ones
    case Core::Points:
      if (points.size() > 2) return false;
      return point_segment_distance(p, points.front(), points.back()).squared_distance <= reach * reach;
    case Core::Balls:
      break;
  }
  return false;
}

// Of the line where they cross, or of the lower of two that face the same way; halfway between opposite ones.
Vector3 between_planes(const Plane& a, const Pose& a_to_b, const Plane& b) {
  const Vector3 normal = a_to_b.rotation * a.normal;
  const double offset = a.offset + normal.dot(a_to_b.translation);
  const double cosine = normal.dot(b.normal), squared_sine = normal.cross(b.normal).squaredNorm();
  if (offset * cosine <= b.offset) return offset * normal;
  if (b.offset * cosine <= offset) return b.offset * b.normal;
  if (!(squared_sine > 0.0)) return 0.5 * (offset * normal + b.offset * b.normal);
  return ((offset - cosine * b.offset) * normal + (b.offset - cosine * offset) * b.normal) / squared_sine;
}

// No coordinate that enters is larger.
double length_of(const Piece& piece) {
  if (piece.plane() != nullptr) return std::abs(piece.plane()->offset);
  const ConvexSet& set = piece.set();
  return core_reach(set) + set.radius + set.place.translation.norm();
}

}  // namespace

Vector3 meeting_point(const Piece& a, const Pose& a_to_b, const Piece& b, const ConvexDistance& d,
                      const ConvexDepth& depth) {
  if (a.plane() != nullptr && b.plane() != nullptr) return between_planes(*a.plane(), a_to_b, *b.plane());
  const double slack = 256.0 * unit_roundoff * (length_of(a) + length_of(b) + a_to_b.translation.norm());
  const Matrix3 back = a_to_b.rotation.transpose();
  const auto is_in_a = [&](const Vector3& point) {
    const Vector3 p = back * (point - a_to_b.translation);
    return a.plane() != nullptr ? a.plane()->height(p) <= slack : is_in(a.set(), p, slack);
  };
  const auto is_in_b = [&](const Vector3& point) {
    return b.plane() != nullptr ? b.plane()->height(point) <= slack : is_in(b.set(), point, slack);
  };
  const Vector3 middle = 0.5 * depth.point_a + 0.5 * depth.point_b;
  if (is_in_a(middle) && is_in_b(middle)) return middle;
  // A half space holds what is lowest of the other.
  if (a.plane() != nullptr) return depth.point_b;
  if (b.plane() != nullptr) return depth.point_a;
  if (is_in_a(depth.point_b) && is_in_b(depth.point_b)) return depth.point_b;
  if (is_in_b(depth.point_a) && is_in_a(depth.point_a)) return depth.point_a;
  // From the nearest points of the cores, D apart (0 where they meet), the radii lead past each other, and
  // this is between the two, r_a D / (r_a + r_b) from a's core and r_b D / (r_a + r_b) from b's: no more than
  // the radii.
  const double radii = a.set().radius + b.set().radius;
  return d.point_a + (radii > 0.0 ? a.set().radius / radii : 0.5) * (d.point_b - d.point_a);
}

}  // namespace toccata::proximity
