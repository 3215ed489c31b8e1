#include "ccd/rigid/screw.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>

#include "ccd/rigid/rigid_shape_data.hpp"
#include "ccd/rigid/screw_equation.hpp"
#include "ccd/rigid/subdivision.hpp"
#include "toccata/bound/sphere.hpp"
#include "toccata/elementary/point_triangle.hpp"
#include "toccata/hierarchy/hierarchy.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata {
namespace {

constexpr double u = 0x1p-53;

// The motion of a relative to b over a span, seen from b's frame turned so that the axis is z through the
// origin: x(s) = turn(angle s) x(0) + s slide, s in [0, 1]; slide is along z unless angle = 0.
struct ScrewSegment {
  TimeSpan span{};
  Pose a_to_frame;  // a's body coordinates at span.begin
  Pose b_to_frame;
  double angle = 0.0;
  Vector3 slide = Vector3::Zero();
  double scale = 0.0;      // lengths that were rounded on the way
  double deviation = 0.0;  // bounds the distance of the true relative motion from the screw, for points of a
  double padding = 0.0;    // and the rounding of positions
};

struct SphereTree {
  Topology topology;
  Hierarchy<Sphere> spheres;

  explicit SphereTree(const TriangleMesh& mesh) : topology(build_topology(mesh)), spheres(mesh, topology) {}
};

const SphereTree& tree_of(const MovingShape& body) {
  return body.shape->screw.get<SphereTree>([&] { return SphereTree(body.shape->mesh); });
}

// Upper bounds over the points of body a: speed and acceleration as a motion gives them.
struct MotionSize {
  double speed;
  double acceleration;
  double slack;
};

MotionSize size_of(const MotionExpansion& e, const Vector3& center, double radius) {
  const double arm = (center - e.center).norm() + radius, spin = e.angular_velocity.norm();
  return {e.velocity.norm() + spin * arm, e.acceleration + (e.spin_acceleration + e.axial_acceleration) * arm,
          e.speed_slack + e.spin_slack * arm};
}

// The screw between the ends is the shorter one: not the motion's own beyond half a turn.
bool is_exact_screw(const AdvancementQuestion& q, const PairAtTime& at, double duration) {
  if ((at.motion_a.angular_velocity.norm() + at.motion_b.angular_velocity.norm()) * duration > 3.1)
    return false;
  const auto* screw_a = dynamic_cast<const ScrewMotion*>(q.a.motion);
  const auto* screw_b = dynamic_cast<const ScrewMotion*>(q.b.motion);
  return (screw_a != nullptr && q.b.motion->is_fixed()) || (screw_b != nullptr && q.a.motion->is_fixed());
}

// Both motions agree at the ends of the span, so their difference is at most (sum of accelerations)
// duration^2 / 8. In b's frame the acceleration of a point of a has the parts of a, of b, and Coriolis' 2 w_b
// x (v_a - v_b).
double deviation_of(const AdvancementQuestion& question, const PairAtTime& at, const ScrewSegment& s) {
  const double duration = s.span.end - s.span.begin;
  if (is_exact_screw(question, at, duration)) return 0.0;
  const Vector3 center = at.pose_a.apply(question.a.shape->center);
  // a's points move while b does: take everything they can reach.
  const double travelled = displacement(at.motion_a, {&center, 1}, question.a.shape->radius, duration) +
                           displacement(at.motion_b, {&center, 1}, question.a.shape->radius, duration);
  const double radius = question.a.shape->radius + travelled;
  const MotionSize a = size_of(at.motion_a, center, radius), b = size_of(at.motion_b, center, radius);
  const double spin_b = at.motion_b.angular_velocity.norm();
  const double real = a.acceleration + b.acceleration + 2.0 * spin_b * (a.speed + b.speed);
  const double arm = s.a_to_frame.apply(question.a.shape->center).norm() + question.a.shape->radius;
  const double screw = s.angle * s.angle * arm;
  return (0.125 * (real * duration * duration + screw) + 2.0 * (a.slack + b.slack) * duration) * (1.0 + 1e-9);
}

ScrewSegment segment_of(const AdvancementQuestion& question, const TimeSpan& span) {
  const PairAtTime at(question, span.begin, span.end);
  ScrewSegment s;
  s.span = span;
  const Pose relative_t0 = at.pose_b.inverse() * at.pose_a;
  const Pose relative_t1 = question.b.motion->pose(span.end).inverse() * question.a.motion->pose(span.end);
  const Pose step = relative_t1 * relative_t0.inverse();
  const Eigen::AngleAxisd turn(Eigen::Quaterniond(step.rotation).normalized());
  Vector3 axis = turn.axis(), point = Vector3::Zero();
  s.angle = turn.angle();
  if (s.angle > 1e-6) {
    const double along = axis.dot(step.translation);
    const Vector3 across = step.translation - along * axis;
    point = 0.5 * (across + axis.cross(across) / std::tan(0.5 * s.angle));
    s.slide = {0.0, 0.0, along};
  } else {
    s.angle = 0.0;
  }
  const Matrix3 frame =
      Eigen::Quaterniond::FromTwoVectors(Vector3::UnitZ(), axis).normalized().toRotationMatrix().transpose();
  if (s.angle == 0.0) s.slide = frame * step.translation;
  const Pose to_frame = {frame, -(frame * point)};
  s.a_to_frame = to_frame * relative_t0;
  s.b_to_frame = to_frame;
  const double reach = question.a.shape->center.norm() + question.a.shape->radius +
                       question.b.shape->center.norm() + question.b.shape->radius;
  s.scale = reach + point.norm() + relative_t0.translation.norm() + relative_t1.translation.norm() +
            at.pose_a.translation.norm() + at.pose_b.translation.norm();
  // The poses are rounded, and so is the screw fitted to them; a turn below 1e-6 that is left out moves
  // points by as much as its chord, which the deviation of a straight segment must carry.
  const double left_out = s.angle == 0.0 ? turn.angle() * s.scale : 0.0;
  s.padding = 2.0 * at.padding + 256.0 * u * s.scale + 4.0 * left_out;
  s.deviation = deviation_of(question, at, s);
  return s;
}

Vector3 turned(double angle, const Vector3& v) {
  const double c = std::cos(angle), d = std::sin(angle);
  return {c * v.x() - d * v.y(), d * v.x() + c * v.y(), v.z()};
}

double radial(const Vector3& v) {
  return std::hypot(v.x(), v.y());
}

// Smallest distance between a point that follows the segment from x and a point that rests at y, from below.
double helix_lower_distance(const ScrewSegment& s, const Vector3& x, const Vector3& y) {
  if (s.angle == 0.0) return std::sqrt(point_segment_distance(y, x, x + s.slide).squared_distance);
  const double low = std::min(x.z(), x.z() + s.slide.z()), high = std::max(x.z(), x.z() + s.slide.z());
  const double height = std::max({0.0, low - y.z(), y.z() - high});  // cylinder ends
  const double rx = radial(x), ry = radial(y);
  double across = std::abs(rx - ry);  // annulus
  if (s.angle < 3.14 && rx > 0.0 && ry > 0.0) {
    // Angle of y past x, against the sector that is swept.
    double past = std::atan2(x.x() * y.y() - x.y() * y.x(), x.x() * y.x() + x.y() * y.y());
    if (past < 0.0) past += 2.0 * 3.14159265358979324;
    const double outside = past <= s.angle ? 0.0 : std::min(past - s.angle, 2.0 * 3.14159265358979324 - past);
    across = std::sqrt(std::max(across * across, rx * rx + ry * ry - 2.0 * rx * ry * std::cos(outside)));
  }
  return std::hypot(height, across) * (1.0 - 1e-14);
}

struct Span1 {
  double low = INFINITY;
  double high = -INFINITY;
  void add(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
  bool misses(const Span1& other, double margin) const {
    return low > other.high + margin || other.low > high + margin;
  }
};

// Distances from the axis over a segment or triangle: the nearest from the projection to the plane z = 0.
Span1 radial_span(const Triangle& t) {
  const auto flat = [](const Vector3& p) { return Vector3(p.x(), p.y(), 0.0); };
  Span1 span;
  span.add(std::sqrt(
      point_triangle_distance(Vector3::Zero(), {flat(t[0]), flat(t[1]), flat(t[2])}).squared_distance));
  for (const Vector3& p : t) span.add(radial(p));
  return span;
}

Span1 height_span(const Triangle& t, double slide) {
  Span1 span;
  for (const Vector3& p : t) {
    span.add(p.z());
    span.add(p.z() + slide);
  }
  return span;
}

// Are all corners outside the half-plane through the axis that holds the sector swept by q? (angle up to pi)
bool outside_sector(const Vector3& q, double angle, const Triangle& t, double margin) {
  const double sign = angle < 0.0 ? -1.0 : 1.0;
  if (std::abs(angle) > 3.0) return false;
  const Vector3 last = turned(angle, q);
  bool before = true, behind = true;
  for (const Vector3& v : t) {
    const double room = margin * (radial(q) + radial(v) + margin);
    before = before && sign * (q.x() * v.y() - q.y() * v.x()) < -room;
    behind = behind && sign * (last.x() * v.y() - last.y() * v.x()) > room;
  }
  return before || behind;
}

// Rounding of the coefficients: below 64 roundings of the lengths that enter, times the size of the normal.
ScrewEquation vertex_face_equation(const ScrewSegment& s, double direction, const Vector3& q,
                                   const Triangle& t) {
  const Vector3 e1 = t[1] - t[0], e2 = t[2] - t[0], n = e1.cross(e2);
  const Vector3 slide = direction * s.slide;
  ScrewEquation f;
  f.angle = direction * s.angle;
  f.k = {n.z() * q.z() - n.dot(t[0]),
         n.x() * q.x() + n.y() * q.y(),
         n.y() * q.x() - n.x() * q.y(),
         0.0,
         0.0,
         n.dot(slide)};
  f.band = n.norm() * (s.deviation + s.padding + 64.0 * u * s.scale) * (1.0 + 1e-9) +
           64.0 * u * e1.norm() * e2.norm() * s.scale;
  return f;
}

ScrewEquation edge_edge_equation(const ScrewSegment& s, const Vector3& a, const Vector3& la, const Vector3& b,
                                 const Vector3& lb) {
  const Vector3 m = a.cross(la), w = lb.cross(b), g = lb.cross(s.slide);
  ScrewEquation f;
  f.angle = s.angle;
  f.k[0] = lb.z() * m.z() - w.z() * la.z();
  f.k[1] = lb.x() * m.x() + lb.y() * m.y() - w.x() * la.x() - w.y() * la.y();
  f.k[2] = lb.y() * m.x() - lb.x() * m.y() - w.y() * la.x() + w.x() * la.y();
  f.k[3] = g.x() * la.x() + g.y() * la.y();
  f.k[4] = g.y() * la.x() - g.x() * la.y();
  f.k[5] = g.z() * la.z();
  f.band = la.norm() * lb.norm() * (s.deviation + s.padding + 128.0 * u * s.scale) * (1.0 + 1e-9);
  return f;
}

class ScrewMethod final : public SubdivisionMethod {
 public:
  explicit ScrewMethod(const AdvancementQuestion& question)
      : question_(question), a_(tree_of(question.a)), b_(tree_of(question.b)) {}

  double radius_a(std::int32_t node) const override { return a_.spheres.nodes()[node].volume.radius; }
  double radius_b(std::int32_t node) const override { return b_.spheres.nodes()[node].volume.radius; }

  double motion_of_nodes(std::int32_t i, std::int32_t j, const TimeSpan& span) override {
    const ScrewSegment& s = over(span);
    const double arm = radial(s.a_to_frame.apply(a_.spheres.nodes()[i].volume.center)) + radius_a(i);
    const double size = radius_a(i) + radius_b(j) + question_.tolerance;
    // The tests know the helix, so a long way costs nothing; what spoils them is the error of the screw.
    return std::max(4.0 * s.deviation / size, s.angle > 3.0 ? s.angle * arm / size : 0.0);
  }

  bool nodes_apart(std::int32_t i, std::int32_t j, const TimeSpan& span) override {
    const ScrewSegment& s = over(span);
    const Sphere &sa = a_.spheres.nodes()[i].volume, &sb = b_.spheres.nodes()[j].volume;
    const double gap = helix_lower_distance(s, s.a_to_frame.apply(sa.center), s.b_to_frame.apply(sb.center));
    return gap > (sa.radius + sb.radius + question_.distance + s.deviation + s.padding) * (1.0 + 1e-12);
  }

  double triangles_apart_until(std::int32_t triangle_a, std::int32_t triangle_b,
                               const TimeSpan& span) override {
    if (question_.distance > 0.0) return span.begin;  // the equations speak of touching only
    const ScrewSegment& s = over(span);
    if (s.deviation + s.padding > 0.25 * question_.tolerance) {
      // The screw is not good enough to argue from; half the span is four times better.
      const double middle = span.begin + 0.5 * (span.end - span.begin);
      return middle > span.begin && middle < span.end
                 ? triangles_apart_until(triangle_a, triangle_b, {span.begin, middle})
                 : span.begin;
    }
    const Triangle a =
        transformed(s.a_to_frame, triangle_of(question_.a.shape->mesh, static_cast<std::size_t>(triangle_a)));
    const Triangle b =
        transformed(s.b_to_frame, triangle_of(question_.b.shape->mesh, static_cast<std::size_t>(triangle_b)));
    const double root = first_root(s, a, b);
    if (root >= 1.0) return span.end;
    return span.begin + root * (span.end - span.begin) * (1.0 - 4.0 * u);
  }

  std::int64_t feature_pairs = 0;
  std::int64_t rejected_pairs = 0;

 private:
  const ScrewSegment& over(const TimeSpan& span) {
    std::unique_ptr<ScrewSegment>& slot = cache_[std::hash<double>()(span.begin) % cache_.size()];
    if (!slot || slot->span.begin != span.begin || slot->span.end != span.end)
      slot = std::make_unique<ScrewSegment>(segment_of(question_, span));
    return *slot;
  }

  double first_root(const ScrewSegment& s, const Triangle& a, const Triangle& b) {
    double root = 1.0;
    const double margin = s.deviation + s.padding + 64.0 * u * s.scale;
    const Span1 radial_a = radial_span(a), radial_b = radial_span(b);
    const Span1 heights_a = height_span(a, s.angle == 0.0 ? 0.0 : s.slide.z()),
                heights_b = height_span(b, 0.0);
    feature_pairs += 15;
    // Annulus and height of the whole triangles first: they hold for all their features.
    if (s.angle != 0.0 && (radial_a.misses(radial_b, margin) || heights_a.misses(heights_b, margin))) {
      rejected_pairs += 15;
      return root;
    }
    // A triangle of a against a corner of b is the corner on the reverse screw against the triangle where it
    // ends up never leaving: S(s) x = q exactly when x = S(s)^-1 q.
    for (int k = 0; k < 3; ++k) {
      vertex_face(s, 1.0, a[k], b, margin, root);
      vertex_face(s, -1.0, b[k], a, margin, root);
    }
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        edge_edge(s, {a[i], a[(i + 1) % 3], a[i]}, {b[j], b[(j + 1) % 3], b[j]}, margin, root);
    }
    return root;
  }

  void vertex_face(const ScrewSegment& s, double direction, const Vector3& q, const Triangle& t,
                   double margin, double& root) {
    if (s.angle != 0.0) {
      const Span1 on = radial_span({q, q, q}), heights = height_span({q, q, q}, direction * s.slide.z());
      if (on.misses(radial_span(t), margin) || heights.misses(height_span(t, 0.0), margin) ||
          outside_sector(q, direction * s.angle, t, margin)) {
        ++rejected_pairs;
        return;
      }
    }
    root = std::min(root, first_root_lower(vertex_face_equation(s, direction, q, t)));
  }

  void edge_edge(const ScrewSegment& s, const Triangle& a, const Triangle& b, double margin, double& root) {
    if (s.angle != 0.0 && (radial_span(a).misses(radial_span(b), margin) ||
                           height_span(a, s.slide.z()).misses(height_span(b, 0.0), margin))) {
      ++rejected_pairs;
      return;
    }
    root = std::min(root, first_root_lower(edge_edge_equation(s, a[0], a[1] - a[0], b[0], b[1] - b[0])));
  }

  const AdvancementQuestion& question_;
  const SphereTree& a_;
  const SphereTree& b_;
  std::array<std::unique_ptr<ScrewSegment>, 64> cache_;
};

}  // namespace

AdvancementAnswer screw_to_contact(const AdvancementQuestion& question, ScrewRejections* rejections) {
  ScrewMethod method(question);
  const TreePair trees = {tree_of(question.a).topology, tree_of(question.b).topology};
  AdvancementAnswer answer = subdivide_to_contact(question, trees, method);
  if (rejections != nullptr) *rejections = {method.feature_pairs, method.rejected_pairs};
  return answer;
}

}  // namespace toccata
