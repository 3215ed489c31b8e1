#include "ccd/rigid/interval.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>

#include "ccd/rigid/obb_tree.hpp"
#include "ccd/rigid/subdivision.hpp"
#include "toccata/base/interval.hpp"

namespace toccata {
namespace {

// Derived in docs/rigid_bounds.md, each with room to spare.
constexpr double place_roundings = 1e-15;      // of x - center and its sums, relative to |x| + |center|
constexpr double turn_roundings = 1e-15;       // of a turned vector, relative to its length
constexpr double direction_roundings = 1e-14;  // of a vector moved by a pose, relative to its length
constexpr double angle_roundings = 4e-16;      // of spin times duration, relative
constexpr double box_slack = 1e-12;            // of reaches along axes orthonormal to 1e-13
constexpr double remainder_slack = 1e-12;      // relative, of sums of products of bounds

struct Interval3 {
  Interval x, y, z;
};

Interval3 operator-(const Interval3& a, const Interval3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Interval dot(const Interval3& a, const Interval3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
Interval3 cross(const Interval3& a, const Interval3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Interval3 around(const Vector3& v, double radius) {
  const auto wide = [radius](double x) { return Interval(x) + Interval(-radius, radius); };
  return {wide(v.x()), wide(v.y()), wide(v.z())};
}
Interval3 scaled(const Interval& s, const Vector3& v) {
  return {s * Interval(v.x()), s * Interval(v.y()), s * Interval(v.z())};
}
Interval3 operator+(const Interval3& a, const Interval3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

// Where the points and directions of one body can be during a span.
class BodyOverSpan {
 public:
  // rotation_error: of the pose's matrix, as its motion states it.
  BodyOverSpan(const Pose& pose, const MotionExpansion& e, double padding, double duration,
               double rotation_error)
      : pose_(pose),
        e_(e),
        padding_(padding),
        duration_(duration),
        rotation_error_(rotation_error),
        spin_(e.angular_velocity.norm()) {
    elapsed_ = Interval(0.0, next_up(duration));
    if (e.steady && spin_ > 0.0) {
      axis_ = e.angular_velocity / spin_;
      const Interval angle(0.0, next_up(next_up(duration * spin_ * (1.0 + angle_roundings))));
      cosine_ = cos(angle);
      sine_ = sin(angle);
    }
  }

  Interval3 point(const Vector3& body_point) const {
    const Vector3 x = pose_.apply(body_point), d = x - e_.center;
    return around(e_.center, 0.0) + scaled(elapsed_, e_.velocity) + turned(d, d.norm()) +
           around(Vector3::Zero(), padding_ + duration_ * e_.speed_slack +
                                       0.5 * duration_ * duration_ * e_.acceleration +
                                       place_roundings * (x.norm() + e_.center.norm()));
  }

  // A body vector: the same turn without the travel. The acceleration of the centre counts twice, since the
  // bound of a motion speaks of points and a vector is the difference of two of them.
  Interval3 direction(const Vector3& body_vector) const {
    const Vector3 d = pose_.rotation * body_vector;
    return turned(d, d.norm()) +
           around(Vector3::Zero(),
                  2.0 * (duration_ * e_.speed_slack + 0.5 * duration_ * duration_ * e_.acceleration) +
                      (direction_roundings + rotation_error_) * d.norm());
  }

 private:
  // d turned by the motion: by sine and cosine where the rotation is steady, else to first order with
  // remainder.
  Interval3 turned(const Vector3& d, double length) const {
    const double slack = duration_ * e_.spin_slack * length +
                         0.5 * duration_ * duration_ * e_.spin_acceleration * length +
                         turn_roundings * length;
    if (!(spin_ > 0.0))
      return around(d, (slack + 0.5 * duration_ * duration_ * e_.axial_acceleration * length) *
                           (1.0 + remainder_slack));
    if (e_.steady) {
      const Vector3 along = axis_.dot(d) * axis_;
      return around(along, 4.0 * slack + turn_roundings * length) + scaled(cosine_, d - along) +
             scaled(sine_, axis_.cross(d));
    }
    const double remainder = slack + 0.5 * duration_ * duration_ * e_.axial_acceleration * length;
    return around(d, remainder * (1.0 + remainder_slack)) + scaled(elapsed_, e_.angular_velocity.cross(d));
  }

  Pose pose_;
  const MotionExpansion& e_;
  double padding_;
  double duration_;
  double rotation_error_;
  double spin_;
  Vector3 axis_ = Vector3::UnitZ();
  Interval elapsed_, cosine_, sine_;
};

struct PairOverSpan {
  PairOverSpan(const AdvancementQuestion& question, const TimeSpan& s)
      : span(s),
        at(question, s.begin, s.end),
        a(at.pose_a, at.motion_a, at.padding, s.end - s.begin, question.a.motion->pose_error().rotation),
        b(at.pose_b, at.motion_b, at.padding, s.end - s.begin, question.b.motion->pose_error().rotation) {}
  TimeSpan span;
  PairAtTime at;
  BodyOverSpan a;
  BodyOverSpan b;
};

class IntervalMethod final : public SubdivisionMethod {
 public:
  explicit IntervalMethod(const AdvancementQuestion& question)
      : question_(question), a_(obb_tree_of(question.a)), b_(obb_tree_of(question.b)) {}

  double radius_a(std::int32_t node) const override { return radius_of(a_.boxes.nodes()[node].volume); }
  double radius_b(std::int32_t node) const override { return radius_of(b_.boxes.nodes()[node].volume); }

  double motion_of_nodes(std::int32_t i, std::int32_t j, const TimeSpan& span) override {
    const PairAtTime& at = over(span).at;
    const Vector3 pa = at.pose_a.apply(a_.boxes.nodes()[i].volume.center),
                  pb = at.pose_b.apply(b_.boxes.nodes()[j].volume.center);
    const double duration = span.end - span.begin;
    const double moved = displacement(at.motion_a, {&pa, 1}, radius_a(i), duration) +
                         displacement(at.motion_b, {&pb, 1}, radius_b(j), duration);
    return moved / (radius_a(i) + radius_b(j) + question_.tolerance);
  }

  // The 15 axes, each over the whole span: apart when the distance of the centres along it exceeds the reach
  // of both.
  bool nodes_apart(std::int32_t i, std::int32_t j, const TimeSpan& span) override {
    const PairOverSpan& pair = over(span);
    const Obb &box_a = a_.boxes.nodes()[i].volume, &box_b = b_.boxes.nodes()[j].volume;
    std::array<Interval3, 3> axis_a, axis_b;
    for (int k = 0; k < 3; ++k) {
      axis_a[k] = pair.a.direction(box_a.axes.col(k));
      axis_b[k] = pair.b.direction(box_b.axes.col(k));
    }
    const Interval3 offset = pair.b.point(box_b.center) - pair.a.point(box_a.center);
    std::array<std::array<Interval, 3>, 3> r;
    for (int p = 0; p < 3; ++p) {
      for (int q = 0; q < 3; ++q) r[p][q] = dot(axis_a[p], axis_b[q]);
    }
    // Boxes are slabs in axes orthonormal to 1e-13; the margin covers that.
    const double margin =
        question_.distance * (1.0 + remainder_slack) + box_slack * (box_a.half.sum() + box_b.half.sum());
    const auto apart = [&](const Interval& centers, const Interval& reach) {
      return centers.mignitude() > next_up(reach.upper + margin);
    };
    for (int p = 0; p < 3; ++p) {
      Interval reach_b = 0.0, reach_a = 0.0;
      for (int q = 0; q < 3; ++q) {
        reach_b += abs(r[p][q]) * Interval(box_b.half[q]);
        reach_a += abs(r[q][p]) * Interval(box_a.half[q]);
      }
      if (apart(dot(offset, axis_a[p]), reach_b + Interval(box_a.half[p]))) return true;
      if (apart(dot(offset, axis_b[p]), reach_a + Interval(box_b.half[p]))) return true;
    }
    for (int p = 0; p < 3; ++p) {
      const int p1 = (p + 1) % 3, p2 = (p + 2) % 3;
      for (int q = 0; q < 3; ++q) {
        const int q1 = (q + 1) % 3, q2 = (q + 2) % 3;
        const Interval reach =
            Interval(box_a.half[p1]) * abs(r[p2][q]) + Interval(box_a.half[p2]) * abs(r[p1][q]) +
            Interval(box_b.half[q1]) * abs(r[p][q2]) + Interval(box_b.half[q2]) * abs(r[p][q1]);
        if (apart(dot(offset, cross(axis_a[p], axis_b[q])), reach)) return true;
      }
    }
    return false;
  }

  double triangles_apart_until(std::int32_t triangle_a, std::int32_t triangle_b,
                               const TimeSpan& span) override {
    if (question_.distance > 0.0) return span.begin;  // the equations speak of touching only
    const Triangle a = triangle_of(question_.a.shape->mesh, static_cast<std::size_t>(triangle_a));
    const Triangle b = triangle_of(question_.b.shape->mesh, static_cast<std::size_t>(triangle_b));
    return first_root(a, b, span, 0);
  }

 private:
  const PairOverSpan& over(const TimeSpan& span) {
    std::unique_ptr<PairOverSpan>& slot = cache_[std::hash<double>()(span.begin) % cache_.size()];
    if (!slot || slot->span.begin != span.begin || slot->span.end != span.end)
      slot = std::make_unique<PairOverSpan>(question_, span);
    return *slot;
  }

  // The earliest time at which one of the elementary equations may vanish, to 2^-10 of the span.
  double first_root(const Triangle& a, const Triangle& b, const TimeSpan& span, int depth) {
    if (no_equation_vanishes(a, b, over(span))) return span.end;
    const double middle = span.begin + 0.5 * (span.end - span.begin);
    if (depth == 10 || !(middle > span.begin && middle < span.end)) return span.begin;
    const double root = first_root(a, b, {span.begin, middle}, depth + 1);
    return root < middle ? root : first_root(a, b, {middle, span.end}, depth + 1);
  }

  static bool no_equation_vanishes(const Triangle& a, const Triangle& b, const PairOverSpan& pair) {
    std::array<Interval3, 3> corner_a, corner_b, edge_a, edge_b;
    for (int k = 0; k < 3; ++k) {
      corner_a[k] = pair.a.point(a[k]);
      corner_b[k] = pair.b.point(b[k]);
      edge_a[k] = pair.a.direction(a[(k + 1) % 3] - a[k]);
      edge_b[k] = pair.b.direction(b[(k + 1) % 3] - b[k]);
    }
    const auto vanishes = [](const Interval& f) { return f.contains(0.0); };
    const Interval3 normal_a = cross(edge_a[0], edge_a[1]), normal_b = cross(edge_b[0], edge_b[1]);
    for (int i = 0; i < 3; ++i) {
      if (vanishes(dot(corner_a[i] - corner_b[0], normal_b)) ||
          vanishes(dot(corner_b[i] - corner_a[0], normal_a)))
        return false;
      for (int j = 0; j < 3; ++j) {
        if (vanishes(dot(corner_b[j] - corner_a[i], cross(edge_a[i], edge_b[j])))) return false;
      }
    }
    return true;
  }

  const AdvancementQuestion& question_;
  const ObbTree& a_;
  const ObbTree& b_;
  std::array<std::unique_ptr<PairOverSpan>, 64> cache_;
};

}  // namespace

AdvancementAnswer interval_to_contact(const AdvancementQuestion& question) {
  IntervalMethod method(question);
  const TreePair trees = {obb_tree_of(question.a).topology, obb_tree_of(question.b).topology};
  return subdivide_to_contact(question, trees, method);
}

}  // namespace toccata
