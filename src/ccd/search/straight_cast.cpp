// b moves by `velocity` against a, so that the sets share a point at t where t velocity is in the difference
// of a and b as they are now: the ray starts at the origin. Along an outward normal m of the difference, with
// m . velocity < 0, they are apart until h(m) / (m . velocity), h being the support height of the difference.
#include "ccd/search/straight_cast.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "elementary/hull_index.hpp"

namespace toccata::search {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
// Of corners that are asked for: more are for those who step.
constexpr int most_corners = 48;
// A face, as far as it is told from a corner that is higher by this share of the lengths.
constexpr double flat_share = 1e-13;
constexpr double least_area = 1e-12;
// Of the sum of reaches: the ball that the ray is first cast at, and how far about where it enters corners
// are looked for.
constexpr double ball_share = 0.95;
constexpr double lean = 0.35;
constexpr double half_root_3 = 0.8660254037844386;

struct Corner {
  Vector3 at;  // of the difference
  std::int32_t vertex_a = -1;
  std::int32_t vertex_b = -1;
};

double triple(const Vector3& a, const Vector3& b, const Vector3& c) {
  return a.x() * (b.y() * c.z() - b.z() * c.y()) + a.y() * (b.z() * c.x() - b.x() * c.z()) +
         a.z() * (b.x() * c.y() - b.y() * c.x());
}

// A corner at least near the farthest: a climb is not closed by a proof.
std::int32_t corner_along(const ConvexSet& set, const Vector3& d, std::int32_t hint) {
  if (set.core == Core::Box) return (d.x() > 0.0 ? 1 : 0) | (d.y() > 0.0 ? 2 : 0) | (d.z() > 0.0 ? 4 : 0);
  if (set.index != nullptr) return farthest_vertex(*set.index, d, hint);
  return core_support(set, d).vertex;
}

bool is_scanned(const ConvexSet& set) {
  return set.index != nullptr && set.index->is_scanned();
}

class Portal {
 public:
  Portal(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b, const Vector3& velocity, double span)
      : a_(a), b_(b), at_(a_to_b), v_(velocity), span_(span) {
    size_ = core_reach(a) + core_reach(b);
    if (!is_scanned(a) || !is_scanned(b)) return;
    scan_ = scan_two_corners();
    corners_a_ = a.index->scanned_corners();
    corners_b_ = b.index->scanned_corners();
  }

  StraightCast cast() {
    StraightCast found;
    if (!open() || !(refine() || is_late_)) {
      set_normal(passing_, found);
      return found;
    }
    set_normal(normal_, found);
    if (is_late_) return found;
    found.corners.are_known = true;
    for (std::size_t i = 0; i < 3; ++i) {
      found.corners.vertex_a[i] = p_[i].vertex_a;
      found.corners.vertex_b[i] = p_[i].vertex_b;
      found.corners.of_a[i] = corner_of(a_, p_[i].vertex_a);
      found.corners.of_b[i] = corner_of(b_, p_[i].vertex_b);
    }
    return found;
  }

 private:
  static void set_normal(const Vector3& direction, StraightCast& found) {
    const double length = direction.norm();
    if (length > 0.0 && length < infinite) found.normal = direction / length;
  }

  Corner farthest(const Vector3& d) {
    ++asked_;
    Corner c;
    const Vector3 along_a = at_.rotation.transpose() * d;
    if (scan_ != nullptr) {
      const double directions[6] = {along_a.x(), along_a.y(), along_a.z(), -d.x(), -d.y(), -d.z()};
      const VertexPair found = scan_(corners_a_, corners_b_, directions);
      c.vertex_a = found.a;
      c.vertex_b = found.b;
      c.at = at_.apply(corners_a_.point(found.a)) - corners_b_.point(found.b);
      return c;
    }
    c.vertex_a = last_a_ = corner_along(a_, along_a, last_a_);
    c.vertex_b = last_b_ = corner_along(b_, -d, last_b_);
    c.at = at_.apply(corner_of(a_, c.vertex_a)) - corner_of(b_, c.vertex_b);
    return c;
  }

  // Whether the difference lies beside the line of the ray, all on one side of it.
  bool passes(const Vector3& d, const Corner& c) {
    if (!(d.dot(c.at) < 0.0)) return false;
    passing_ = d;
    return true;
  }

  enum class Place { Inside, Outside, Nowhere };

  // Three corners around the line, as seen along it. False if it passes, or none are found.
  bool open() {
    const double squared = v_.squaredNorm();
    if (!(squared > 0.0)) return false;
    const Vector3& middle = at_.translation;
    Vector3 d = (middle.dot(v_) / squared) * v_ - middle;  // from the middle to the line
    const double beside = d.squaredNorm(), reach = ball_share * size_;
    Place place = Place::Nowhere;
    if (beside < reach * reach) {
      // Where the ray would enter a ball: three corners about there. How far the directions lean is a guess.
      const double back = std::sqrt((reach * reach - beside) / squared);
      const Vector3 entry = d - back * v_;
      const Vector3 e = lean * reach * entry.unitOrthogonal(), f = entry.cross(e) / entry.norm();
      p_[0] = farthest(entry + e);
      p_[1] = farthest(entry - 0.5 * e + half_root_3 * f);
      p_[2] = farthest(entry - 0.5 * e - half_root_3 * f);
      place = place_of_line();
      if (place == Place::Inside) return true;
    }
    if (place == Place::Nowhere) {
      // Beside the ball, or so few corners that two of them are one.
      if (!(d.squaredNorm() > 1e-20 * size_ * size_)) d = v_.unitOrthogonal();
      p_[0] = farthest(d);
      if (passes(d, p_[0])) return false;
      d = (p_[0].at.dot(v_) / squared) * v_ - p_[0].at;
      // Where the corner is on the line: to either side.
      if (!(d.squaredNorm() > 1e-20 * size_ * size_)) d = v_.unitOrthogonal();
      p_[1] = farthest(d);
      if (passes(d, p_[1])) return false;
    }
    while (asked_ < most_corners) {
      d = v_.cross(p_[1].at - p_[0].at);
      if (d.dot(p_[0].at) > 0.0) d = -d;
      p_[2] = farthest(d);
      if (passes(d, p_[2])) return false;
      place = place_of_line();
      if (place == Place::Inside) return true;
      if (place == Place::Nowhere) return false;
    }
    return false;
  }

  // Against the three corners, seen along it: inside, or outside of the side that is then the first. Inside,
  // the corners are in the order in which their normal faces the ray. Nowhere: the corners are on one line.
  Place place_of_line() {
    const double around[3] = {triple(v_, p_[0].at, p_[1].at), triple(v_, p_[1].at, p_[2].at),
                              triple(v_, p_[2].at, p_[0].at)};
    const double turn = around[0] + around[1] + around[2];
    if (turn == 0.0) return Place::Nowhere;
    const double side = turn < 0.0 ? -1.0 : 1.0;
    if (side * around[1] < 0.0) {
      p_[0] = p_[2];
    } else if (side * around[2] < 0.0) {
      p_[1] = p_[2];
    } else if (!(side * around[0] < 0.0)) {
      if (turn > 0.0) std::swap(p_[1], p_[2]);
      return Place::Inside;
    }
    return Place::Outside;
  }

  // Until the triangle is of a face. False if it is not found.
  bool refine() {
    while (asked_ < most_corners) {
      const Vector3 e = p_[1].at - p_[0].at, f = p_[2].at - p_[0].at;
      const Vector3 m = e.cross(f);
      const double length = m.norm(), rate = m.dot(v_);
      if (!(rate < 0.0) || !(length > least_area * (e.squaredNorm() + f.squaredNorm()))) return false;
      normal_ = m;
      const Corner next = farthest(m);
      const double height = m.dot(next.at);
      if (height < span_ * rate) {
        is_late_ = true;
        return false;
      }
      if (!(height - m.dot(p_[0].at) > flat_share * size_ * length)) return true;
      for (const Corner& c : p_) {
        if (c.vertex_a == next.vertex_a && c.vertex_b == next.vertex_b) return true;
      }
      // Which of the three triangles with the new corner does the ray pass through?
      const Vector3 across = next.at.cross(v_);  // v . (p x next) = p . across
      const double x[3] = {p_[0].at.dot(across), p_[1].at.dot(across), p_[2].at.dot(across)};
      if (x[0] >= 0.0 && x[1] <= 0.0) {
        p_[2] = next;
      } else if (x[1] >= 0.0 && x[2] <= 0.0) {
        p_[0] = next;
      } else {
        p_[1] = next;
      }
    }
    return false;
  }

  const ConvexSet& a_;
  const ConvexSet& b_;
  const Pose& at_;
  const Vector3& v_;
  double span_;
  double size_ = 0.0;
  std::array<Corner, 3> p_;
  std::int32_t last_a_ = -1, last_b_ = -1;
  ScanTwo* scan_ = nullptr;  // of two scanned hulls
  ScannedCorners corners_a_ = {}, corners_b_ = {};
  int asked_ = 0;
  bool is_late_ = false;
  Vector3 normal_ = Vector3::Zero();
  Vector3 passing_ = Vector3::Zero();
};

}  // namespace

StraightCast polytope_cast(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b,
                           const Vector3& velocity, double span) {
  return Portal(a, a_to_b, b, velocity, span).cast();
}

namespace {

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
