// Piercing: seen from the triangle's body only the edge pq moves, each of its points by at most e. Let hp, hq
// be the heights of its ends on either side of the plane, c the crossing point, beta its distance to the
// sides of the triangle. With e <= min(|hp|, |hq|) / 2 the edge still crosses, under a slope of at least
// (|hp| + |hq|) / (2 |pq|), so the crossing moves by at most e (1 + 2 |pq| / (|hp| + |hq|)).
#include "ccd/search/persistence.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "ccd/search/lasting_contact.hpp"
#include "hierarchy/shape_data.hpp"

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

double Persistence::step(std::int32_t triangle_a, std::int32_t triangle_b, double reach,
                         double enough) const {
  const double from_b = step_seen(1, {triangle_a, triangle_b}, reach, enough);
  return from_b >= enough ? from_b : std::max(from_b, step_seen(0, {triangle_a, triangle_b}, reach, enough));
}

double Persistence::step_seen(int onlooker, const std::array<std::int32_t, 2>& triangle, double reach,
                              double enough) const {
  const int other = 1 - onlooker;
  const auto corners = [&](int side) {
    return triangle_of(body_[side].shape->mesh, static_cast<std::size_t>(triangle[side]));
  };
  const RelativePath& path = path_[onlooker];
  LastingContact contact;
  contact.onlooker = corners(onlooker);
  const Triangle moving = corners(other);
  const double away =
      std::sqrt(std::max({moving[0].squaredNorm(), moving[1].squaredNorm(), moving[2].squaredNorm()}));
  contact.place_error = path.place_error(away);
  contact.moving = transformed(path.pose(), moving);
  contact.reach = reach;
  contact.horizon = horizon_;
  contact.enough = enough;
  return lasting_contact(contact, path);
}

}  // namespace toccata::search
