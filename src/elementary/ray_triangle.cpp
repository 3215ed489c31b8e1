#include "toccata/elementary/ray_triangle.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <limits>

#include "toccata/base/rounding.hpp"
#include "toccata/elementary/orientation.hpp"

namespace toccata {
namespace {

Vector2 dropped(const Vector3& p, int axis) {
  return {p[(axis + 1) % 3], p[(axis + 2) % 3]};
}

constexpr double none = std::numeric_limits<double>::infinity();

RayTriangleResult coplanar_hit(double parameter) {
  if (parameter == none) return {};
  return {RayHit::Coplanar, std::max(parameter, 0.0)};
}

// Everything on one line: compare along the direction's largest component.
RayTriangleResult on_one_line(const Ray& ray, const Triangle& t) {
  Eigen::Index k = 0;
  ray.direction.cwiseAbs().maxCoeff(&k);
  const double sign = ray.direction[k] > 0.0 ? 1.0 : -1.0;
  double nearest = none, farthest = -none;
  for (const Vector3& corner : t) {
    const double along = sign * (corner[k] - ray.origin[k]);  // the sign of a rounded difference is exact
    nearest = std::min(nearest, along);
    farthest = std::max(farthest, along);
  }
  if (farthest < 0.0) return {};
  return coplanar_hit(std::max(nearest, 0.0) / std::abs(ray.direction[k]));
}

// The ray's line lies in the plane of the triangle; `axis` projects that plane without loss and `side` are
// the sides of the corners in the projection, not all zero.
RayTriangleResult in_plane(const Ray& ray, const Triangle& t, int axis, const std::array<int, 3>& side) {
  const Vector2 o = dropped(ray.origin, axis), d = dropped(ray.direction, axis);
  double nearest = none;
  int before = 0, behind = 0;  // crossings of the boundary on either side of the origin
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const Vector2 p = dropped(t[i], axis), q = dropped(t[j], axis);
    if (side[i] == side[j]) {
      if (side[i] != 0) continue;
      Eigen::Index k = 0;
      d.cwiseAbs().maxCoeff(&k);
      for (const Vector2& end : {p, q}) {
        const double along = d[k] > 0.0 ? end[k] - o[k] : o[k] - end[k];
        ++(along < 0.0 ? behind : before);
        if (along >= 0.0) nearest = std::min(nearest, along / std::abs(d[k]));
      }
      continue;
    }
    // p + r (q - p) is on the line; it is ahead of the origin when the origin is on the proper side of pq.
    const int ahead = orientation_2d(p, q, o) * (side[j] > side[i] ? 1 : -1);
    ++(ahead < 0 ? behind : before);
    if (ahead < 0) continue;
    const Vector2 edge = q - p;
    const double height = edge.x() * (o.y() - p.y()) - edge.y() * (o.x() - p.x());
    const double slope = d.x() * edge.y() - d.y() * edge.x();
    nearest = std::min(nearest, slope == 0.0 ? 0.0 : std::max(0.0, height / slope));
  }
  return coplanar_hit(before > 0 && behind > 0 ? 0.0 : nearest);
}

RayTriangleResult coplanar(const Ray& ray, const Triangle& t) {
  for (int axis = 0; axis < 3; ++axis) {
    const Vector2 o = dropped(ray.origin, axis), d = dropped(ray.direction, axis);
    std::array<int, 3> side;
    for (int i = 0; i < 3; ++i) side[i] = line_side_2d(o, d, dropped(t[i], axis));
    if (side[0] != 0 || side[1] != 0 || side[2] != 0) return in_plane(ray, t, axis, side);
  }
  return on_one_line(ray, t);
}

// Where the plane of a triangle is met.
struct Meeting {
  double speed;   // towards it
  double height;  // away from it

  Meeting(const Ray& ray, const Triangle& t) {
    const Vector3 normal = (t[1] - t[0]).cross(t[2] - t[0]);
    speed = normal.dot(ray.direction);
    height = normal.dot(t[0] - ray.origin);
  }
  double parameter() const { return speed == 0.0 ? 0.0 : std::max(0.0, height / speed); }
};

RayTriangleResult by_exact_signs(const Ray& ray, const Triangle& t) {
  const int bc = line_side_3d(ray.origin, ray.direction, t[1], t[2]);
  const int ca = line_side_3d(ray.origin, ray.direction, t[2], t[0]);
  if (bc * ca < 0) return {};
  const int ab = line_side_3d(ray.origin, ray.direction, t[0], t[1]);
  if (ab * bc < 0 || ab * ca < 0) return {};
  const int facing = ab != 0 ? ab : bc != 0 ? bc : ca;  // the sign of direction . normal
  if (facing == 0) return coplanar(ray, t);
  // The plane is ahead when the origin is not on the side the direction points to.
  if (orientation_3d(t[0], t[1], t[2], ray.origin) * facing > 0) return {};
  return {ab * bc * ca != 0 ? RayHit::Interior : RayHit::Boundary, Meeting(ray, t).parameter()};
}

// Three numbers by themselves, and the largest of their sizes.
struct Plain {
  double x, y, z;

  double size() const { return std::max({std::abs(x), std::abs(y), std::abs(z)}); }
};

Plain plain(const Vector3& v) {
  return {v.x(), v.y(), v.z()};
}
Plain difference(const Plain& a, const Plain& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
double triple_product(const Plain& u, const Plain& v, const Plain& w) {
  return u.x * (v.y * w.z - v.z * w.y) + u.y * (v.z * w.x - v.x * w.z) + u.z * (v.x * w.y - v.y * w.x);
}

// Each of the six terms of a triple product of rounded differences carries at most eight roundings, and is at
// most the product of the three largest coordinates, each within a rounding: 48 roundings, and some more of
// the bound's own.
constexpr double triple_bound = 50.0 * unit_roundoff;
// Of lengths: what products of three lose by underflow is less than a rounding then, and none overflows.
constexpr double least_size = 1e-80, largest_size = 1e80;

bool is_usual(double size) {
  return size > least_size && size < largest_size;
}

}  // namespace

RayTriangleResult ray_triangle(const Ray& ray, const Triangle& t) {
  // Nearly always rounded numbers tell the signs.
  const Plain origin = plain(ray.origin), direction = plain(ray.direction);
  const Plain a = difference(plain(t[0]), origin), b = difference(plain(t[1]), origin),
              c = difference(plain(t[2]), origin);
  const double size = std::max({a.size(), b.size(), c.size()}), speed = direction.size();
  const double bc = triple_product(direction, b, c), ca = triple_product(direction, c, a),
               ab = triple_product(direction, a, b);
  const double bound = triple_bound * speed * size * size;
  const double least = std::min({ab, bc, ca}), most = std::max({ab, bc, ca});
  if (!is_usual(size) || !is_usual(speed)) return by_exact_signs(ray, t);
  if (least < -bound && most > bound) return {};
  if (!(least > bound || most < -bound)) return by_exact_signs(ray, t);
  const Meeting meeting(ray, t);
  // Edges are at most twice as long.
  if (!(std::abs(meeting.height) > 4.0 * triple_bound * size * size * size)) return by_exact_signs(ray, t);
  // All sides have the sign of direction . normal.
  if ((meeting.height > 0.0) != (least > 0.0)) return {};
  return {RayHit::Interior, meeting.parameter()};
}

}  // namespace toccata
