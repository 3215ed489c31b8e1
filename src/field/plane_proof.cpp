#include "field/plane_proof.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "hierarchy/point_gaps.hpp"
#include "toccata/elementary/point_triangle.hpp"

namespace toccata::field {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
// A cell whose proof takes more triangles than that is cut instead.
constexpr int most_triangles = 64;
// What a bound grows by beyond what was found, in shares of what is allowed: fewer triangles come after it.
constexpr double growth = 0.03;

double least_along(const Vector3& direction, const Vector3& from, const Triangle& t) {
  return std::min({direction.dot(from - t[0]), direction.dot(from - t[1]), direction.dot(from - t[2])});
}

// Unit, or zero for one that is hardly a triangle.
Vector3 unit_normal(const Triangle& t) {
  const Vector3 e = t[1] - t[0], f = t[2] - t[0], n = e.cross(f);
  const double length = n.norm();
  return length > 1e-6 * e.norm() * f.norm() ? Vector3(n / length) : Vector3(Vector3::Zero());
}

double least_scale(double radius) {
  int exponent = 0;
  std::frexp(radius, &exponent);
  return std::ldexp(1.0, -exponent);
}

}  // namespace

PlaneProof::PlaneProof(const ShapeData& data, double rounding, std::span<const std::uint8_t> odd)
    : data_(data), rounding_(rounding), odd_(odd), scale_(least_scale(data.radius)) {}

// The least of three bounds, each of d_T(x) >= u . (x - middle) + min over T of u . (middle - y): u the
// plane's normal, the triangle's, and the way from the triangle to the middle. The first that is enough will
// do.
double PlaneProof::triangle_need(const FieldCell& cell, std::span<const FieldPlane> planes, const Triangle& t,
                                 double enough) const {
  double least = infinite;
  for (const FieldPlane& plane : planes)
    least = std::min(least, plane.value - least_along(plane.normal, cell.middle, t));
  if (least + rounding_ <= enough) return enough;
  const Vector3 normal = unit_normal(t);
  if (!normal.isZero()) {
    const double along = least_along(normal, cell.middle, t), against = least_along(-normal, cell.middle, t);
    for (const FieldPlane& plane : planes) {
      least = std::min({least, plane.value - along + cell.half * (plane.normal - normal).lpNorm<1>(),
                        plane.value - against + cell.half * (plane.normal + normal).lpNorm<1>()});
    }
  }
  return least + rounding_;
}

// The third.
double PlaneProof::way_need(const FieldCell& cell, std::span<const FieldPlane> planes, const Triangle& t,
                            Need& about) const {
  const Vector3 away = cell.middle - point_triangle_distance(cell.middle, t).point;
  about.gap = away.norm();
  if (!(about.gap > 1e3 * rounding_)) return infinite;
  about.way = away / about.gap;
  const double low = least_along(about.way, cell.middle, t);
  double least = infinite;
  for (const FieldPlane& plane : planes)
    least = std::min(least, plane.value - low + cell.half * (plane.normal - about.way).lpNorm<1>());
  return least + rounding_;
}

PlaneProof::Need PlaneProof::need(const FieldCell& cell, std::span<const FieldPlane> planes, double least,
                                  double allowed) {
  PlaneQuery query;
  query.cell = cell;
  query.scale = scale_;
  query.count = static_cast<int>(planes.size());
  std::copy(planes.begin(), planes.end(), query.planes);
  Need result;
  result.need = least;
  int looked_at = 0;
  stack_.assign(1, 0);
  while (!stack_.empty()) {
    const BoxNode& node = data_.tree.node(static_cast<std::size_t>(stack_.back()));
    stack_.pop_back();
    float needs[box_width];
    plane_needs(query, node, needs);
    for (int slot = 0; slot < node.count; ++slot) {
      const double bound = result.worst >= 0 ? allowed : result.need;
      if (static_cast<double>(needs[slot]) <= bound * scale_) continue;
      const std::int32_t child = node.child[slot];
      if (child >= 0) {
        stack_.push_back(child);
        continue;
      }
      if (++looked_at > most_triangles) {
        result.need = infinite;
        result.worst = -1;
        return result;
      }
      const Triangle t = corners_of(data_, ~child);
      double needed = triangle_need(cell, planes, t, bound);
      if (needed <= bound) continue;
      Need about;
      needed = std::min(needed, way_need(cell, planes, t, about));
      if (needed <= allowed) {
        if (needed > result.need) result.need = std::min(allowed, needed + growth * allowed);
      } else if (result.worst < 0 || about.gap < result.gap) {
        result.worst = ~child;
        result.way = about.way;
        result.gap = about.gap;
      }
    }
  }
  if (result.worst >= 0) result.need = infinite;
  return result;
}

double PlaneProof::triangle_drop(const FieldCell& cell, const FieldPlane& plane, std::int32_t triangle,
                                 double radius, double enough) const {
  const Triangle t = corners_of(data_, triangle);
  const bool is_odd = !odd_.empty() && odd_[static_cast<std::size_t>(triangle)] != 0;
  // What is left of the height at the lowest corner.
  const double highest = -least_along(-plane.normal, cell.middle, t);
  double drop = highest - plane.value;
  if (!is_odd && drop + 16.0 * rounding_ <= enough) return enough;
  // Or where the triangle's plane leaves the column of the cell.
  Vector3 normal = unit_normal(t);
  double cosine = normal.dot(plane.normal);
  if (cosine < 0.0) {
    normal = -normal;
    cosine = -cosine;
  }
  if (cosine > 0.1) {
    const double sine = std::sqrt(std::max(0.0, 1.0 - cosine * cosine)) + 1e-8;
    double above = -infinite;
    for (const Vector3& corner : t) above = std::max(above, normal.dot(cell.middle - corner));
    drop = std::min(drop, (above + cell.reach() * sine) / cosine - plane.value);
    if (!is_odd && drop + 16.0 * rounding_ <= enough) return enough;
  }
  // All of the triangle is at least so far this way.
  const Vector3 foot = cell.middle - plane.value * plane.normal;
  const Vector3 to = point_triangle_distance(foot, t).point - foot;
  const double gap = to.norm();
  if (gap > radius && least_along(-to / gap, foot, t) > radius + rounding_) return -infinite;
  if (is_odd) return infinite;
  return drop + 16.0 * rounding_;
}

double PlaneProof::drop(const FieldCell& cell, const FieldPlane& plane, double least, double allowed) {
  PlaneQuery query;
  query.cell = cell;
  query.scale = scale_;
  query.count = 1;
  query.planes[0] = plane;
  const double radius = cell.reach() + allowed + rounding_;
  double result = least;
  int looked_at = 0;
  stack_.assign(1, 0);
  while (!stack_.empty()) {
    const BoxNode& node = data_.tree.node(static_cast<std::size_t>(stack_.back()));
    stack_.pop_back();
    float drops[box_width];
    plane_drops(query, radius * scale_, node, drops);
    for (int slot = 0; slot < node.count; ++slot) {
      // With odd edges about, every triangle near the foot is looked at.
      if (odd_.empty() ? static_cast<double>(drops[slot]) <= result * scale_ : drops[slot] == -INFINITY)
        continue;
      const std::int32_t child = node.child[slot];
      if (child >= 0) {
        stack_.push_back(child);
        continue;
      }
      if (++looked_at > most_triangles) return infinite;
      const double needed = triangle_drop(cell, plane, ~child, radius, result);
      if (needed > allowed) return infinite;
      if (needed > result) result = std::min(allowed, needed + growth * allowed);
    }
  }
  return result;
}

double PlaneProof::drop(const FieldCell& cell, const FieldPlane& plane, double least, double allowed,
                        std::span<const std::int32_t> triangles) const {
  const double radius = cell.reach() + allowed + rounding_;
  double result = least;
  for (const std::int32_t triangle : triangles) {
    result = std::max(result, triangle_drop(cell, plane, triangle, radius, result));
    if (result > allowed) return infinite;
  }
  return result;
}

template <typename Take>
bool PlaneProof::take_near(const Vector3& place, double reach, Take&& take) {
  stack_.assign(1, 0);
  while (!stack_.empty()) {
    const BoxNode& node = data_.tree.node(static_cast<std::size_t>(stack_.back()));
    stack_.pop_back();
    float gaps[box_width];
    hierarchy::point_gaps(place, node, static_cast<float>(1.01 * rounding_), gaps);
    for (int slot = 0; slot < node.count; ++slot) {
      if (static_cast<double>(gaps[slot]) > reach) continue;
      const std::int32_t child = node.child[slot];
      if (child >= 0) {
        stack_.push_back(child);
      } else if (!take(~child)) {
        return false;
      }
    }
  }
  return true;
}

bool PlaneProof::boxes_near(const Vector3& place, double reach, std::size_t most,
                            std::vector<std::int32_t>& found) {
  found.clear();
  return take_near(place, reach + rounding_, [&](std::int32_t triangle) {
    found.push_back(triangle);
    return found.size() <= most;
  });
}

bool PlaneProof::candidates(const FieldCell& cell, double nearest, std::size_t most,
                            std::vector<std::int32_t>& found) {
  found.clear();
  const double farthest = nearest + 2.0 * cell.reach() + rounding_;
  const bool is_whole = take_near(cell.middle, farthest, [&](std::int32_t triangle) {
    const Triangle t = corners_of(data_, triangle);
    const Vector3 away = cell.middle - point_triangle_distance(cell.middle, t).point;
    const double gap = away.norm();
    if (gap > 1e3 * rounding_ && least_along(away / gap, cell.middle, t) > farthest) return true;
    found.push_back(triangle);
    return found.size() <= most;
  });
  std::sort(found.begin(), found.end());
  return is_whole;
}

}  // namespace toccata::field
