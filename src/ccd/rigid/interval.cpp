#include "ccd/rigid/interval.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
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
constexpr double gap_slack = 1e-11;            // of a gap along a unit axis, relative to all lengths
constexpr double worth_asking = 0.75;  // gaps below this share of what may close them are hardly ever proven

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

// The largest gap of two boxes along their 15 axes at one time, and that axis, from a to b, a unit vector;
// right to 1e-12 of the lengths that enter.
struct BoxGap {
  double gap = -std::numeric_limits<double>::infinity();
  Vector3 axis = Vector3::Zero();
  int of_a = 3, of_b = 3;  // which axis of a, of b; 3: none; both: their cross product
};

BoxGap largest_gap(const Pose& pose_a, const Obb& a, const Pose& pose_b, const Obb& b) {
  const Matrix3 axes_a = pose_a.rotation * a.axes, axes_b = pose_b.rotation * b.axes;
  const Vector3 offset = pose_b.apply(b.center) - pose_a.apply(a.center);
  const Matrix3 r = axes_a.transpose() * axes_b, size = r.cwiseAbs();
  const Vector3 along_a = axes_a.transpose() * offset, along_b = axes_b.transpose() * offset;
  double best = -std::numeric_limits<double>::infinity(), sign = 1.0;
  int best_p = 0, best_q = 0;  // 3: none
  const auto take = [&](double gap, int p, int q, double along) {
    if (!(gap > best)) return;
    best = gap;
    best_p = p;
    best_q = q;
    sign = along < 0.0 ? -1.0 : 1.0;
  };
  for (int p = 0; p < 3; ++p) {
    take(std::abs(along_a[p]) - a.half[p] - size.row(p).dot(b.half), p, 3, along_a[p]);
    take(std::abs(along_b[p]) - b.half[p] - size.col(p).dot(a.half), 3, p, along_b[p]);
  }
  for (int p = 0; p < 3; ++p) {
    const int p1 = (p + 1) % 3, p2 = (p + 2) % 3;
    for (int q = 0; q < 3; ++q) {
      const int q1 = (q + 1) % 3, q2 = (q + 2) % 3;
      const double squared = 1.0 - r(p, q) * r(p, q);
      if (!(squared > 1e-2)) continue;
      const double reach = a.half[p1] * size(p2, q) + a.half[p2] * size(p1, q) + b.half[q1] * size(p, q2) +
                           b.half[q2] * size(p, q1);
      // (a_p x b_q) . offset
      const double along = along_a[p2] * r(p1, q) - along_a[p1] * r(p2, q);
      take((std::abs(along) - reach) / std::sqrt(squared), p, q, along);
    }
  }
  const Vector3 axis = best_q == 3   ? Vector3(axes_a.col(best_p))
                       : best_p == 3 ? Vector3(axes_b.col(best_q))
                                     : Vector3(axes_a.col(best_p).cross(axes_b.col(best_q)));
  return {best, sign * axis.normalized(), best_p, best_q};
}

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

  // The axis that separates the boxes best at the begin, over the whole span: they are apart when the
  // distance of the centres along it exceeds the reach of both.
  bool nodes_apart(std::int32_t i, std::int32_t j, const TimeSpan& span) override {
    const PairOverSpan& pair = over(span);
    const Obb &box_a = a_.boxes.nodes()[i].volume, &box_b = b_.boxes.nodes()[j].volume;
    const BoxGap best = largest_gap(pair.at.pose_a, box_a, pair.at.pose_b, box_b);
    const Decision decision = decided_at_begin(pair, box_a, box_b, best);
    if (decision != Decision::Open) return decision == Decision::Apart;
    const auto axis_a = [&](int k) { return pair.a.direction(box_a.axes.col(k % 3)); };
    const auto axis_b = [&](int k) { return pair.b.direction(box_b.axes.col(k % 3)); };
    const auto share = [](const Interval3& x, const Interval3& y, double half) {
      return abs(dot(x, y)) * Interval(half);
    };
    const Interval3 offset = pair.b.point(box_b.center) - pair.a.point(box_a.center);
    // Boxes are slabs in axes orthonormal to 1e-13; the margin covers that.
    const double margin =
        question_.distance * (1.0 + remainder_slack) + box_slack * (box_a.half.sum() + box_b.half.sum());
    const auto apart = [&](const Interval& centers, const Interval& reach) {
      return centers.mignitude() > next_up(reach.upper + margin);
    };
    const int p = best.of_a, q = best.of_b;
    if (q == 3) {
      const Interval3 n = axis_a(p);
      Interval reach = box_a.half[p];
      for (int k = 0; k < 3; ++k) reach += share(n, axis_b(k), box_b.half[k]);
      return apart(dot(offset, n), reach);
    }
    if (p == 3) {
      const Interval3 n = axis_b(q);
      Interval reach = box_b.half[q];
      for (int k = 0; k < 3; ++k) reach += share(n, axis_a(k), box_a.half[k]);
      return apart(dot(offset, n), reach);
    }
    const Interval3 a = axis_a(p), b = axis_b(q);
    const Interval reach =
        share(axis_a(p + 2), b, box_a.half[(p + 1) % 3]) + share(axis_a(p + 1), b, box_a.half[(p + 2) % 3]) +
        share(axis_b(q + 2), a, box_b.half[(q + 1) % 3]) + share(axis_b(q + 1), a, box_b.half[(q + 2) % 3]);
    return apart(dot(offset, cross(a, b)), reach);
  }

  double triangles_apart_until(std::int32_t triangle_a, std::int32_t triangle_b,
                               const TimeSpan& span) override {
    if (question_.distance > 0.0) return span.begin;  // the equations speak of touching only
    const Triangle a = triangle_of(question_.a.shape->mesh, static_cast<std::size_t>(triangle_a));
    const Triangle b = triangle_of(question_.b.shape->mesh, static_cast<std::size_t>(triangle_b));
    return first_root(a, b, span, 0);
  }

 private:
  enum class Decision { Apart, Overlap, Open };

  // Boxes that overlap at the begin are not apart over the span, and those that do not close their gap are.
  // Whether the intervals are worth asking in between is a matter of speed alone.
  Decision decided_at_begin(const PairOverSpan& pair, const Obb& box_a, const Obb& box_b,
                            const BoxGap& box) const {
    const PairAtTime& at = pair.at;
    if (!(box.gap > question_.distance)) return Decision::Overlap;
    const double duration = pair.span.end - pair.span.begin;
    const Vector3 pa = at.pose_a.apply(box_a.center), pb = at.pose_b.apply(box_b.center);
    const double closed = directed_displacement(at.motion_a, {&pa, 1}, radius_of(box_a), box.axis, duration) +
                          directed_displacement(at.motion_b, {&pb, 1}, radius_of(box_b), -box.axis, duration);
    const double size = pa.cwiseAbs().sum() + pb.cwiseAbs().sum() + box_a.half.sum() + box_b.half.sum();
    const double room = box.gap - question_.distance - at.padding - gap_slack * size;
    if (room > closed) return Decision::Apart;
    return room > worth_asking * closed ? Decision::Open : Decision::Overlap;
  }

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
    if (depth == 6 || !(middle > span.begin && middle < span.end)) return span.begin;
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
