// b moves by `velocity` against a, so that the sets share a point at t where t velocity is in the difference
// of a and b as they are now: the ray starts at the origin.
#include "ccd/search/straight_cast.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace toccata::search {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
// Of the squares of its sides: a smaller parallelogram is no face.
constexpr double least_area = 1e-12;

// A ray from the origin and the sum of a parallelogram (or a segment, or a point) with a ball, which the
// origin is outside of.
class RoundCast {
 public:
  RoundCast(const Vector3& velocity, double radius) : v_(velocity), radius_(radius) {}

  // p + [0, 1] e + [0, 1] f. Every part is tried: what is entered first is entered there, or not at all by
  // the others, which are parts of the whole.
  void enter(const Vector3& p, const Vector3& e, const Vector3& f) {
    enter_face(p, e, f);
    enter_edge(p, e);
    enter_edge(p + f, e);
    enter_edge(p, f);
    enter_edge(p + e, f);
  }
  void enter_edge(const Vector3& p, const Vector3& e) {
    const double squared = e.squaredNorm();
    if (squared > 0.0) {
      const auto across = [&](const Vector3& x) { return Vector3(x - (x.dot(e) / squared) * e); };
      const double t = entry(across(p), across(v_));
      const double share = (t * v_ - p).dot(e) / squared;
      if (share >= 0.0 && share <= 1.0) take(t, p + share * e);
    }
    enter_point(p);
    enter_point(p + e);
  }
  void enter_point(const Vector3& p) { take(entry(p, v_), p); }

  // From the point of the cores' difference that is entered to where the ray is: from a to b.
  Vector3 normal() const {
    if (!(time_ < infinite)) return Vector3::Zero();
    const Vector3 n = time_ * v_ - nearest_;
    const double length = n.norm();
    return length > 0.0 ? Vector3(n / length) : Vector3(Vector3::Zero());
  }

 private:
  // Along a line: when is |t w - p| the radius for the first time?
  double entry(const Vector3& p, const Vector3& w) const {
    const double along = p.dot(w), squared = w.squaredNorm();
    const double root = along * along - squared * (p.squaredNorm() - radius_ * radius_);
    if (!(along > 0.0) || !(root >= 0.0)) return infinite;
    return (p.squaredNorm() - radius_ * radius_) / (along + std::sqrt(root));
  }

  void enter_face(const Vector3& p, const Vector3& e, const Vector3& f) {
    Vector3 m = e.cross(f);
    const double length = m.norm();
    if (!(length > least_area * (e.squaredNorm() + f.squaredNorm()))) return;
    m /= length;
    if (m.dot(v_) > 0.0) m = -m;
    const double rate = m.dot(v_);
    if (!(rate < 0.0)) return;
    const double t = (m.dot(p) + radius_) / rate;
    // Where the ray is then, less the radius, in shares of the sides.
    const Vector3 foot = t * v_ - radius_ * m;
    const Vector3 x = foot - p;
    const double ee = e.squaredNorm(), ff = f.squaredNorm(), ef = e.dot(f), xe = x.dot(e), xf = x.dot(f);
    const double area = ee * ff - ef * ef;
    const double k = (xe * ff - xf * ef) / area, l = (xf * ee - xe * ef) / area;
    if (k >= 0.0 && k <= 1.0 && l >= 0.0 && l <= 1.0) take(t, foot);
  }

  void take(double time, const Vector3& nearest) {
    if (!(time >= 0.0 && time < time_)) return;
    time_ = time;
    nearest_ = nearest;
  }

  const Vector3& v_;
  double radius_;
  double time_ = infinite;
  Vector3 nearest_ = Vector3::Zero();
};

}  // namespace

bool are_balls_or_capsules(const ConvexSet& a, const ConvexSet& b) {
  const auto is_one = [](const ConvexSet& set) {
    return set.core == Core::Points && !set.is_placed && set.radius > 0.0 && set.points.size() <= 2;
  };
  return is_one(a) && is_one(b);
}

StraightCast capsule_cast(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b, const Vector3& velocity,
                          double distance) {
  RoundCast cast(velocity, a.radius + b.radius + distance);
  const Vector3 p = a_to_b.apply(a.points.front()) - b.points.front();
  const Vector3 e = a_to_b.rotation * (a.points.back() - a.points.front());
  const Vector3 f = b.points.front() - b.points.back();
  if (a.points.size() == 2 && b.points.size() == 2) {
    cast.enter(p, e, f);
  } else if (a.points.size() == 2) {
    cast.enter_edge(p, e);
  } else if (b.points.size() == 2) {
    cast.enter_edge(p, f);
  } else {
    cast.enter_point(p);
  }
  StraightCast found;
  found.normal = cast.normal();
  return found;
}

}  // namespace toccata::search
