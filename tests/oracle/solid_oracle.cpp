#include "oracle/solid_oracle.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace toccata::oracle {
namespace {

LongVector extended(const Vector3& v) {
  return v.cast<long double>();
}

LongVector rim(long double radius, const LongVector& d, long double z) {
  const long double across = std::hypot(d.x(), d.y());
  if (!(across > 0.0L)) return {radius, 0.0L, z};
  return {radius * (d.x() / across), radius * (d.y() / across), z};
}

LongMatrix turned(const LongVector& spin, long double t, const LongMatrix& rotation) {
  const long double angle = spin.norm() * t;
  if (angle == 0.0L) return rotation;
  return Eigen::AngleAxis<long double>(angle, LongVector(spin.normalized())).toRotationMatrix() * rotation;
}

// Up to four points of the difference b - a.
struct LongSimplex {
  std::array<LongVector, 4> points = {LongVector::Zero(), LongVector::Zero(), LongVector::Zero(),
                                      LongVector::Zero()};
  int count = 0;
};

// The point of the hull of the simplex that is nearest to the origin, over all of its parts; the simplex
// becomes the part that holds it.
LongVector nearest_in(LongSimplex& simplex) {
  LongVector best = simplex.points[0];
  long double best_norm = std::numeric_limits<long double>::infinity();
  LongSimplex best_part;
  for (int mask = 1; mask < (1 << simplex.count); ++mask) {
    LongSimplex part;
    for (int i = 0; i < simplex.count; ++i) {
      if ((mask >> i) & 1)
        part.points[static_cast<std::size_t>(part.count++)] = simplex.points[static_cast<std::size_t>(i)];
    }
    // Weights of the point of its plane that is nearest to the origin, by the differences from the first one.
    const int n = part.count - 1;
    const LongVector p = -part.points[0];
    const LongVector d[3] = {part.points[1] - part.points[0], part.points[2] - part.points[0],
                             part.points[3] - part.points[0]};
    long double w[3] = {0.0L, 0.0L, 0.0L};
    if (n == 1) w[0] = p.dot(d[0]) / d[0].squaredNorm();
    if (n == 2) {
      const LongVector normal = d[0].cross(d[1]);
      w[0] = p.cross(d[1]).dot(normal) / normal.squaredNorm();
      w[1] = d[0].cross(p).dot(normal) / normal.squaredNorm();
    }
    if (n == 3) {
      const long double volume = d[0].dot(d[1].cross(d[2]));
      w[0] = p.dot(d[1].cross(d[2])) / volume;
      w[1] = d[0].dot(p.cross(d[2])) / volume;
      w[2] = d[0].dot(d[1].cross(p)) / volume;
    }
    long double first = 1.0L;
    bool is_inside = true;
    for (int i = 0; i < n; ++i) {
      first -= w[i];
      is_inside = is_inside && w[i] >= 0.0L && std::isfinite(w[i]);
    }
    if (!is_inside || first < 0.0L) continue;
    LongVector x = first * part.points[0];
    for (int i = 0; i < n; ++i) x += w[i] * part.points[static_cast<std::size_t>(i + 1)];
    if (x.norm() < best_norm) best_norm = x.norm(), best = x, best_part = part;
  }
  if (best_part.count > 0) simplex = best_part;
  return best;
}

}  // namespace

LongSolid::LongSolid(const Geometry& geometry, const Pose& pose)
    : LongSolid(geometry, pose.rotation.cast<long double>(), extended(pose.translation)) {}

LongSolid::LongSolid(const Geometry& geometry, LongMatrix rotation, LongVector translation)
    : geometry_(geometry), rotation_(std::move(rotation)), translation_(std::move(translation)) {
  const LongVector x = LongVector::UnitX(), y = LongVector::UnitY(), z = LongVector::UnitZ();
  if (const auto* ball = std::get_if<Ball>(&geometry)) {
    radius_ = ball->radius;
    points_ = {LongVector::Zero()};
  } else if (const auto* capsule = std::get_if<Capsule>(&geometry)) {
    radius_ = capsule->radius;
    points_ = {0.5L * capsule->height * z, -0.5L * capsule->height * z};
  } else if (const auto* box = std::get_if<Box>(&geometry)) {
    radius_ = box->radius;
    for (int i = 0; i < 8; ++i) {
      const Vector3 signs((i & 1) ? 1 : -1, (i & 2) ? 1 : -1, (i & 4) ? 1 : -1);
      points_.push_back(0.5L * extended(box->size.cwiseProduct(signs)));
    }
    edges_ = normals_ = {x, y, z};
  } else if (const auto* hull = std::get_if<ConvexHull>(&geometry)) {
    radius_ = hull->radius;
    for (const Vector3& v : hull->vertices) points_.push_back(extended(v));
    for (const Face& f : hull->faces) {
      const LongVector& a = points_[static_cast<std::size_t>(f[0])];
      normals_.push_back((points_[static_cast<std::size_t>(f[1])] - a)
                             .cross(LongVector(points_[static_cast<std::size_t>(f[2])] - a)));
    }
    for (std::size_t v = 0; v < hull->vertices.size(); ++v) {
      for (auto k = hull->first_neighbour[v]; k < hull->first_neighbour[v + 1]; ++k) {
        const auto w = static_cast<std::size_t>(hull->neighbours[static_cast<std::size_t>(k)]);
        if (v < w) edges_.push_back(points_[w] - points_[v]);
      }
    }
  }
  for (const LongVector& p : points_) reach_ = std::max(reach_, p.norm());
  if (const auto* cylinder = std::get_if<Cylinder>(&geometry))
    reach_ = std::hypot(static_cast<long double>(cylinder->radius), 0.5L * cylinder->height);
  if (const auto* cone = std::get_if<Cone>(&geometry))
    reach_ = std::hypot(static_cast<long double>(cone->radius), 0.5L * cone->height);
  if (const auto* ellipsoid = std::get_if<Ellipsoid>(&geometry)) reach_ = ellipsoid->radii.maxCoeff();
  reach_ += radius_;
}

LongVector LongSolid::local_support(const LongVector& d) const {
  if (const auto* c = std::get_if<Cylinder>(&geometry_))
    return rim(c->radius, d, d.z() < 0.0L ? -0.5L * c->height : 0.5L * c->height);
  if (const auto* c = std::get_if<Cone>(&geometry_)) {
    const LongVector tip(0.0L, 0.0L, 0.5L * c->height), base = rim(c->radius, d, -0.5L * c->height);
    return tip.dot(d) >= base.dot(d) ? tip : base;
  }
  if (const auto* e = std::get_if<Ellipsoid>(&geometry_)) {
    const LongVector radii = extended(e->radii), scaled = radii.cwiseProduct(d);
    const long double norm = scaled.norm();
    return norm > 0.0L ? LongVector(radii.cwiseProduct(scaled) / norm) : LongVector(LongVector::Zero());
  }
  const LongVector* best = &points_[0];
  long double highest = best->dot(d);
  for (const LongVector& p : points_) {
    const long double height = p.dot(d);
    if (height > highest) highest = height, best = &p;
  }
  return *best;
}

LongVector LongSolid::support(const LongVector& direction) const {
  return rotation_ * local_support(rotation_.transpose() * direction) + translation_;
}

std::vector<LongVector> LongSolid::corners() const {
  std::vector<LongVector> result;
  for (const LongVector& p : points_) result.push_back(rotation_ * p + translation_);
  return result;
}

std::vector<LongVector> LongSolid::edges() const {
  std::vector<LongVector> result;
  for (const LongVector& e : edges_) result.push_back(rotation_ * e);
  return result;
}

std::vector<LongVector> LongSolid::normals() const {
  std::vector<LongVector> result;
  for (const LongVector& n : normals_) result.push_back(rotation_ * n);
  return result;
}

SolidGap solid_gap(const LongSolid& a, const LongSolid& b) {
  const long double radii = a.radius() + b.radius();
  const long double scale = a.reach() + b.reach() + (a.translation() - b.translation()).norm();
  LongVector v = b.translation() - a.translation();
  if (v.norm() == 0.0L) v = LongVector::UnitX();
  LongSimplex simplex;
  SolidGap gap;
  gap.lower = -std::numeric_limits<long double>::infinity();
  gap.upper = std::numeric_limits<long double>::infinity();
  for (int iteration = 0; iteration < 2000; ++iteration) {
    const LongVector w = b.support(-v) - a.support(v);
    const long double along = v.norm() > 0.0L ? w.dot(v) / v.norm() : 0.0L;
    if (along > gap.lower) gap.lower = along, gap.normal = v.normalized();
    if (simplex.count > 0 && (gap.upper - gap.lower <= 1e-19L * scale)) break;
    bool is_known = false;
    for (int i = 0; i < simplex.count; ++i)
      is_known = is_known || simplex.points[static_cast<std::size_t>(i)] == w;
    if (is_known) break;
    if (simplex.count == 4) break;
    simplex.points[static_cast<std::size_t>(simplex.count++)] = w;
    const LongVector next = nearest_in(simplex);
    if (simplex.count == 4 || next.norm() <= 1e-19L * scale) {
      gap.cores_meet = true;
      gap.lower = gap.upper = 0.0L;
      break;
    }
    if (!(next.norm() < gap.upper)) break;
    gap.upper = next.norm();
    v = next;
  }
  if (gap.lower < 0.0L) gap.lower = 0.0L;
  gap.lower -= radii;
  gap.upper -= radii;
  return gap;
}

long double gap_along(const LongSolid& a, const LongSolid& b, const LongVector& direction) {
  return direction.dot(b.support(-direction) - a.support(direction)) - a.radius() - b.radius();
}

std::optional<long double> solid_depth(const LongSolid& a, const LongSolid& b) {
  const std::vector<LongVector> corners_a = a.corners(), corners_b = b.corners();
  if (corners_a.empty() || corners_b.empty()) return {};
  long double least = std::numeric_limits<long double>::infinity();
  const auto try_axis = [&](const LongVector& axis) {
    const long double length = axis.norm();
    if (!(length > 1e-12L)) return;
    long double low_a = std::numeric_limits<long double>::infinity(), high_a = -low_a, low_b = low_a,
                high_b = -low_a;
    for (const LongVector& p : corners_a) {
      const long double h = p.dot(axis);
      low_a = std::min(low_a, h), high_a = std::max(high_a, h);
    }
    // No sooner left than it cannot be the least any more.
    for (const LongVector& p : corners_b) {
      const long double h = p.dot(axis);
      low_b = std::min(low_b, h), high_b = std::max(high_b, h);
      if (std::min(high_a - low_b, high_b - low_a) > least * length) return;
    }
    least = std::min(least, std::min(high_a - low_b, high_b - low_a) / length);
  };
  for (const LongVector& n : a.normals()) try_axis(n);
  for (const LongVector& n : b.normals()) try_axis(n);
  for (const LongVector& e : a.edges()) {
    for (const LongVector& f : b.edges()) try_axis(e.normalized().cross(f.normalized()));
  }
  return least + a.radius() + b.radius();
}

LongSolid LongMotion::at(long double t) const {
  return {geometry, turned(extended(spin), t, pose.rotation.cast<long double>()),
          extended(pose.translation) + t * extended(velocity)};
}

// Along the normal n of the gap, at time t: the gap closes by at most v . n + h(n x w) now, h the support of
// a about its own origin, and that grows by at most |w|^2 reach.
long double safe_step(const LongMotion& moving, const LongSolid& here, const SolidGap& gap,
                      long double tolerance) {
  const LongVector spin = extended(moving.spin), velocity = extended(moving.velocity);
  const LongVector turning = gap.normal.cross(spin);
  const long double rate = velocity.dot(gap.normal) +
                           turning.dot(here.support(turning) - here.translation()) +
                           here.radius() * turning.norm();
  const long double bend = spin.squaredNorm() * here.reach();
  // d - rate s - bend s^2 / 2 = 0
  const long double d = gap.lower - tolerance;
  if (bend > 0.0L) {
    const long double root = std::sqrt(rate * rate + 2.0L * bend * d);
    return rate >= 0.0L ? 2.0L * d / (rate + root) : (root - rate) / bend;
  }
  return rate > 0.0L ? d / rate : 2.0L;
}

CastTruth first_contact_truth(const LongMotion& a, const LongSolid& b, long double tolerance) {
  CastTruth truth;
  truth.least_gap = std::numeric_limits<long double>::infinity();
  for (long double t = 0.0L; t <= 1.0L;) {
    const LongSolid here = a.at(t);
    const SolidGap gap = solid_gap(here, b);
    truth.least_gap = std::min(truth.least_gap, gap.lower);
    if (gap.lower <= tolerance) {
      truth.hit = true;
      truth.time = t;
      return truth;
    }
    t += safe_step(a, here, gap, 0.5L * tolerance);
  }
  return truth;
}

}  // namespace toccata::oracle
