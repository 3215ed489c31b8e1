// Piercing: seen from the triangle's body only the edge pq moves, each of its points by at most e. Let hp, hq
// be the heights of its ends on either side of the plane, c the crossing point, beta its distance to the
// sides of the triangle. With e <= min(|hp|, |hq|) / 2 the edge still crosses, under a slope of at least
// (|hp| + |hq|) / (2 |pq|), so the crossing moves by at most e (1 + 2 |pq| / (|hp| + |hq|)).
#include "ccd/search/persistence.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "ccd/search/lasting_contact.hpp"
#include "hierarchy/shape_data.hpp"
#include "proximity/piece_bracket.hpp"

namespace toccata::search {
namespace {

double edge_margin(const Vector3& p, const Vector3& q, const std::array<Vector3, 3>& t) {
  Vector3 normal = (t[1] - t[0]).cross(t[2] - t[0]);
  const double length = normal.norm();
  const double size =
      std::max({(t[1] - t[0]).norm(), (t[2] - t[0]).norm(), (p - t[0]).norm(), (q - t[0]).norm()});
  if (!(length > 1e-10 * size * size)) return 0.0;
  normal /= length;
  const double hp = normal.dot(p - t[0]);
  const double hq = normal.dot(q - t[0]);
  if (!(hp * hq < 0.0)) return 0.0;
  const double rise = std::abs(hp) + std::abs(hq);
  const Vector3 crossing = p + (hp / (hp - hq)) * (q - p);
  double inside = std::min(std::abs(hp), std::abs(hq));
  double beta = size;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vector3 edge = t[(i + 1) % 3] - t[i];
    beta = std::min(beta, normal.cross(edge).dot(crossing - t[i]) / edge.norm());
  }
  const double margin = std::min(0.5 * inside, beta / (1.0 + 2.0 * (q - p).norm() / rise));
  // A normal this well conditioned carries at most 1e-5 of relative error into heights and distances.
  return std::max(0.0, margin * (1.0 - 1e-4) - 1e-5 * 1e-10 * size);
}

}  // namespace

double piercing_margin(const std::array<Vector3, 3>& a, const std::array<Vector3, 3>& b) {
  double margin = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    margin = std::max({margin, edge_margin(a[i], a[(i + 1) % 3], b), edge_margin(b[i], b[(i + 1) % 3], a)});
  }
  return margin;
}

Persistence::Persistence(const MovingShape& a, const MovingShape& b)
    : body_{a, b}, path_{RelativePath(*b.motion, *a.motion), RelativePath(*a.motion, *b.motion)} {}

void Persistence::set(double t, double t_end) {
  horizon_ = t_end - t;
  for (RelativePath& path : path_) path.set(t, t_end);
}

double Persistence::step(std::int32_t piece_a, std::int32_t piece_b, double reach, double enough) const {
  const ShapeData &shape_a = *body_[0].shape, &shape_b = *body_[1].shape;
  const auto triangle = [](const ShapeData& shape, std::int32_t number) {
    return triangle_of(shape.mesh, static_cast<std::size_t>(number));
  };
  if (shape_a.has_only_triangles() && shape_b.has_only_triangles())
    return step_of({triangle(shape_a, piece_a), triangle(shape_b, piece_b)}, reach, enough);
  const Piece a(shape_a, piece_a), b(shape_b, piece_b);
  if (a.triangle() >= 0 && b.triangle() >= 0)
    return step_of({triangle(shape_a, a.triangle()), triangle(shape_b, b.triangle())}, reach, enough);
  return convex_step(a, b, reach, enough);
}

double Persistence::step_of(const std::array<Triangle, 2>& triangles, double reach, double enough) const {
  const double from_b = step_seen(1, triangles, reach, enough);
  return from_b >= enough ? from_b : std::max(from_b, step_seen(0, triangles, reach, enough));
}

double Persistence::step_seen(int onlooker, const std::array<Triangle, 2>& triangles, double reach,
                              double enough) const {
  const auto side = static_cast<std::size_t>(onlooker), other = 1 - side;
  const RelativePath& path = path_[onlooker];
  LastingContact contact;
  contact.onlooker = triangles[side];
  const Triangle& moving = triangles[other];
  const double away =
      std::sqrt(std::max({moving[0].squaredNorm(), moving[1].squaredNorm(), moving[2].squaredNorm()}));
  contact.place_error = path.place_error(away);
  contact.moving = transformed(path.pose(), moving);
  contact.reach = reach;
  contact.horizon = horizon_;
  contact.enough = enough;
  return lasting_contact(contact, path);
}

namespace {

// Directions of the farthest points that span a piece's side towards the other lean this much: corners of a
// flat side are found although the direction is not quite across it.
constexpr double lean = 1e-3;
// A half space is as wide as this many times the other body and the way to it.
constexpr double plane_sides = 64.0;

// Three points of the core about the shape's centre, towards the direction; `turn` chooses among the corners
// of a side with more than three.
Triangle side_of(const Piece& piece, const Vector3& direction, double turn, double far) {
  const Vector3 x = direction.unitOrthogonal(), y = direction.cross(x);
  Triangle triangle;
  for (std::size_t k = 0; k < 3; ++k) {
    const double angle = turn + static_cast<double>(k) * 2.0 * std::numbers::pi / 3.0;
    const Vector3 across = std::cos(angle) * x + std::sin(angle) * y;
    if (const Plane* plane = piece.plane()) {
      // The normal is the direction, up to rounding; the plane is what counts.
      const Vector3 along = across - plane->normal.dot(across) * plane->normal;
      triangle[k] = plane->offset * plane->normal + far * along;
    } else {
      triangle[k] = support(piece.set(), direction + lean * across).point;
    }
  }
  return triangle;
}

}  // namespace

double Persistence::convex_step(const Piece& a, const Piece& b, double reach, double enough) const {
  const ShapeData &shape_a = *body_[0].shape, &shape_b = *body_[1].shape;
  const Pose& pose = path_[1].pose();  // of the bodies; pieces are about the centres of their shapes
  const Pose a_to_b = {pose.rotation, pose.apply(shape_a.center) - shape_b.center};
  const convex::ConvexDepth depth = proximity::piece_depth(a, a_to_b, b);
  if (depth.lower_depth > reach) {
    const double room = depth.lower_depth + reach;
    double step = 0.0;
    if (a.plane() == nullptr) step = depth_step(a, 1, room);
    if (b.plane() == nullptr && step < enough) step = std::max(step, depth_step(b, 0, room));
    return step;
  }
  const Vector3 n = depth.meets ? depth.normal : depth.distance.direction;
  if (!(n.norm() > 0.5)) return 0.0;
  const double radius =
      (a.plane() == nullptr ? a.set().radius : 0.0) + (b.plane() == nullptr ? b.set().radius : 0.0);
  const double far = plane_sides * (shape_a.radius + shape_b.radius + a_to_b.translation.norm());
  const Vector3 toward_b = pose.rotation.transpose() * n;
  double best = 0.0;
  // Half a turn apart, three corners of a side with four cover all of it.
  for (const double turn_a : {0.7, 0.7 + std::numbers::pi}) {
    for (const double turn_b : {0.7, 0.7 + std::numbers::pi}) {
      for (const std::size_t onlooker : {std::size_t{1}, std::size_t{0}}) {
        std::array<Triangle, 2> sides = {side_of(a, toward_b, turn_a, far), side_of(b, -n, turn_b, far)};
        // Radii are given to the one who looks on: fixed to it, its side is moved towards the other.
        for (Vector3& x : sides[0]) x += shape_a.center + (onlooker == 0 ? radius : 0.0) * toward_b;
        for (Vector3& x : sides[1]) x += shape_b.center - (onlooker == 1 ? radius : 0.0) * n;
        best = std::max(best, step_seen(static_cast<int>(onlooker), sides, reach - 1e-14 * radius, enough));
        if (best >= enough) return best;
      }
    }
  }
  return best;
}

// As long as no point of the moving piece gets `room` away from its place, they overlap.
double Persistence::depth_step(const Piece& moving, int onlooker, double room) const {
  const RelativePath& path = path_[onlooker];
  const Vector3 middle = body_[1 - onlooker].shape->center + moving.middle();
  const double error = path.place_error(middle.norm() + moving.reach());
  PointPath way = path.of(path.pose().apply(middle), error);
  way.slack += path.spin() * moving.reach() * (1.0 + 1e-12);
  return lasting(way, room - 4.0 * error, horizon_);
}

}  // namespace toccata::search
