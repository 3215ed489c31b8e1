// Every rounding constant of the rigid methods tries to be broken: what is computed in double is held against
// the same quantity in long double, on inputs of all scales, far from the origin and over many turns. The
// worst share of the claim that was used up is printed and must be neither above 1 nor next to nothing, which
// would mean that the test looks at something else than the claim speaks of.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "bound/box_gap.hpp"
#include "ccd/rigid/screw/screw_equation.hpp"
#include "ccd/rigid/screw/screw_features.hpp"
#include "ccd/search/pair_state.hpp"
#include "ccd/search/triangle_steps.hpp"
#include "motion/body_over_span.hpp"
#include "oracle/moving_bodies.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/hierarchy/shape.hpp"
#include "toccata/motion/relative_motion.hpp"

namespace toccata {

using namespace search;
using namespace screw;

namespace {

using oracle::random_pose;
using Long = long double;
using Long3 = Eigen::Matrix<Long, 3, 1>;
using LongMatrix = Eigen::Matrix<Long, 3, 3>;

Long3 wide(const Vector3& x) {
  return x.cast<Long>();
}
LongMatrix wide(const Matrix3& m) {
  return m.cast<Long>();
}
Long3 applied(const Pose& pose, const Vector3& p) {
  return wide(pose.rotation) * wide(p) + wide(pose.translation);
}

LongMatrix exponential(const Long3& w) {
  const Long angle = w.norm();
  if (angle == 0.0L) return LongMatrix::Identity();
  LongMatrix k;
  k << 0, -w.z(), w.y(), w.z(), 0, -w.x(), -w.y(), w.x(), 0;
  const Long half = std::sin(angle / 2.0L);
  return LongMatrix::Identity() + std::sin(angle) / angle * k + 2.0L * half * half / (angle * angle) * k * k;
}

// The share of a claim that errors have used up.
class Claim {
 public:
  explicit Claim(const char* name) : name_(name) {}

  void take(Long error, Long allowed) {
    ++count_;
    if (!(error <= allowed)) ++broken_;
    if (allowed > 0.0L) worst_ = std::max(worst_, error / allowed);
  }
  void expect_tight(double least = 1e-3) const {
    std::printf("%-24s %6d cases, at worst %.4f of the claim\n", name_, count_, static_cast<double>(worst_));
    EXPECT_EQ(broken_, 0) << name_;
    EXPECT_GT(static_cast<double>(worst_), least) << name_;
    EXPECT_GT(count_, 1000) << name_;
  }

 private:
  const char* name_;
  int count_ = 0, broken_ = 0;
  Long worst_ = 0.0L;
};

double scale_of(Random& random) {
  return std::pow(10.0, random.uniform(-6, 6));
}

// How far the truth is outside of the middle of an interval, and half its width.
struct Place {
  Long off, half;
};
Place place_in(const Interval& i, Long truth) {
  const Long middle = (static_cast<Long>(i.lower) + static_cast<Long>(i.upper)) / 2.0L;
  return {std::abs(truth - middle), (static_cast<Long>(i.upper) - static_cast<Long>(i.lower)) / 2.0L};
}

RigidMotion turning_motion(Random& random, double scale, double far) {
  Pose pose = random_pose(random, scale);
  pose.translation += far * random.on_sphere();
  const double turns = std::pow(10.0, random.uniform(-3, 3));
  return RigidMotion::with_velocity(pose, random.in_box(scale), turns * random.on_sphere(),
                                    random.in_box(scale));
}

// place_roundings and turn_roundings: with no time elapsed, what is left of the enclosure is rounding.
TEST(RoundingClaims, points_and_directions_over_no_time) {
  Random random(901);
  Claim point("place and turn"), direction("direction");
  for (int i = 0; i < 20000; ++i) {
    const double scale = scale_of(random), far = i % 3 == 0 ? 1e6 * scale : 0.0;
    const RigidMotion motion = turning_motion(random, scale, far);
    const double t = random.unit();
    const Pose pose = motion.pose(t);
    MotionExpansion e = motion.expansion(t, t);
    e.speed_slack = e.spin_slack = e.acceleration = e.spin_acceleration = 0.0;
    const BodyOverSpan body(pose, e, 0.0, 0.0, 0.0);
    const Vector3 p = random.in_box(scale);
    const Interval3 where = body.point(p), along = body.direction(p);
    const Long3 truth = applied(pose, p), turned = wide(pose.rotation) * wide(p);
    for (const auto& [interval, k] : {std::pair{where.x, 0}, std::pair{where.y, 1}, std::pair{where.z, 2}}) {
      const Place place = place_in(interval, truth[k]);
      point.take(place.off, place.half);
    }
    for (const auto& [interval, k] : {std::pair{along.x, 0}, std::pair{along.y, 1}, std::pair{along.z, 2}}) {
      const Place place = place_in(interval, turned[k]);
      direction.take(place.off, place.half);
    }
  }
  point.expect_tight();
  direction.expect_tight();
}

// Over a span: the exact place at any time of it is inside; and for steady motions the angle is not short.
TEST(RoundingClaims, points_and_angles_over_a_span) {
  Random random(902);
  Claim angle("angle_roundings");
  for (int i = 0; i < 20000; ++i) {
    const double scale = scale_of(random);
    const RigidMotion motion = turning_motion(random, scale, i % 3 == 0 ? 1e6 * scale : 0.0);
    const double t = 0.5 * random.unit(), duration = std::pow(10.0, random.uniform(-9, -0.4));
    const Pose pose = motion.pose(t);
    const MotionExpansion e = motion.expansion(t, t + duration);
    const Vector3 p = random.in_box(scale);
    const PoseError error = motion.pose_error();
    const double padding = error.translation + error.rotation * p.norm() +
                           16.0 * unit_roundoff * (p.norm() + pose.translation.norm());
    const BodyOverSpan body(pose, e, padding, duration, error.rotation);
    const Interval3 where = body.point(p), along = body.direction(p);
    const Long3 w = wide(motion.angular_velocity());
    const Long3 c0 =
        wide(motion.pose_t0().rotation) * wide(motion.reference()) + wide(motion.pose_t0().translation);
    const Long3 d0 = applied(motion.pose_t0(), p) - c0;
    for (const double share : {0.0, 0.37, 1.0}) {
      const Long s = static_cast<Long>(t) + static_cast<Long>(share) * static_cast<Long>(duration);
      const LongMatrix turn = exponential(s * w);
      const Long3 x = c0 + s * wide(motion.velocity()) + turn * d0;
      const Long3 y = turn * (wide(motion.pose_t0().rotation) * wide(p));
      const Interval point[3] = {where.x, where.y, where.z}, vector[3] = {along.x, along.y, along.z};
      for (int k = 0; k < 3; ++k) {
        ASSERT_TRUE(static_cast<Long>(point[k].lower) <= x[k] && x[k] <= static_cast<Long>(point[k].upper))
            << i;
        ASSERT_TRUE(static_cast<Long>(vector[k].lower) <= y[k] && y[k] <= static_cast<Long>(vector[k].upper))
            << i;
      }
    }
    const Long exact = w.norm() * static_cast<Long>(duration);
    const Long rounded = static_cast<Long>(duration * e.angular_velocity.norm());
    angle.take(std::max(0.0L, exact - rounded), static_cast<Long>(body.longest_angle()) - rounded);
  }
  angle.expect_tight();
}

// gap_slack: boxes with axes as far from orthonormal as boxes may be.
TEST(RoundingClaims, gaps_of_boxes) {
  Random random(903);
  Claim claim("gap_slack");
  const auto box_of = [&](double scale) {
    Obb box;
    box.center = random.in_box(scale);
    box.axes = random_pose(random, 0.0).rotation;
    for (int k = 0; k < 9; ++k) box.axes(k / 3, k % 3) += random.uniform(-4e-14, 4e-14);
    box.half = random.in_box(0.5 * scale).cwiseAbs();
    return box;
  };
  for (int i = 0; i < 20000; ++i) {
    const double scale = scale_of(random);
    const Obb a = box_of(scale), b = box_of(scale);
    const Pose pose_a = random_pose(random, 3.0 * scale), pose_b = random_pose(random, 3.0 * scale);
    const BoxGap found = largest_gap(pose_a, a, pose_b, b);
    // Along the axis as returned, of the boxes {c + sum x_k axis_k} they are said to be.
    const Long3 n = wide(found.axis).normalized();
    Long gap = n.dot(applied(pose_b, b.center) - applied(pose_a, a.center));
    for (int k = 0; k < 3; ++k) {
      gap -= static_cast<Long>(a.half[k]) *
             std::abs(n.dot(wide(pose_a.rotation) * wide(Vector3(a.axes.col(k)))));
      gap -= static_cast<Long>(b.half[k]) *
             std::abs(n.dot(wide(pose_b.rotation) * wide(Vector3(b.axes.col(k)))));
    }
    const double size = pose_a.apply(a.center).cwiseAbs().sum() + pose_b.apply(b.center).cwiseAbs().sum() +
                        a.half.sum() + b.half.sum();
    claim.take(std::max(0.0L, static_cast<Long>(found.gap) - gap), gap_slack * static_cast<Long>(size));
  }
  claim.expect_tight();
}

// gap_padding, rate_padding: the distance of two corners, and how fast it changes, as the search has them.
TEST(RoundingClaims, places_and_speeds_of_a_pair) {
  Random random(904);
  Claim places("PairState::gap_padding"), speeds("PairState::rate_padding");
  for (int i = 0; i < 4000; ++i) {
    const double scale = scale_of(random), far = i % 2 == 0 ? 1e5 * scale : 0.0;
    const Shape a(oracle::random_soup(random, 1, scale)), b(oracle::random_soup(random, 1, scale));
    const Vector3 there = far * random.on_sphere();
    const auto motion_of = [&] {
      Pose pose = random_pose(random, scale);
      pose.translation += there;
      const double turns = std::pow(10.0, random.uniform(-3, 3));
      return RigidMotion::with_velocity(pose, random.in_box(scale), turns * random.on_sphere());
    };
    const RigidMotion ma = motion_of(), mb = motion_of();
    const double t = random.unit();
    PairStates states({&a.data(), &ma}, {&b.data(), &mb});
    const PairState state = states.at(t, 1.0);
    const TrianglePairState pair =
        triangle_pair_state(state, corners_of(a.data(), 0), corners_of(b.data(), 0));
    const auto truth = [&](const RigidMotion& m, const Vector3& p) {
      const Long3 w = wide(m.angular_velocity());
      const Long3 arm = exponential(static_cast<Long>(t) * w) * (wide(m.pose_t0().rotation) * wide(p));
      const Long3 x = wide(m.pose_t0().translation) + static_cast<Long>(t) * wide(m.velocity()) + arm;
      return std::pair<Long3, Long3>(x, wide(m.velocity()) + w.cross(arm));
    };
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [xa, va] = truth(ma, a.mesh().vertices[static_cast<std::size_t>(a.mesh().faces[0][k])]);
      const auto [xb, vb] = truth(mb, b.mesh().vertices[static_cast<std::size_t>(b.mesh().faces[0][k])]);
      const Long distance = (xb - xa).norm();
      const Long3 seen = wide(pair.b[k]) - wide(pair.a[k]);
      places.take(std::abs(distance - seen.norm()), static_cast<Long>(state.gap_padding));
      if (!(distance > 0.1L * static_cast<Long>(scale))) continue;
      // The direction is off by the error of places over the distance, the speed by that share of it.
      const Long exact = (xb - xa).dot(va - vb) / distance;
      const Long computed = seen.dot(wide(pair.velocity_a[k]) - wide(pair.velocity_b[k])) / seen.norm();
      const Long turned = 2.0L * static_cast<Long>(state.gap_padding) / distance * (va - vb).norm();
      speeds.take(std::abs(exact - computed), static_cast<Long>(state.rate_padding) + turned);
    }
  }
  places.expect_tight();
  speeds.expect_tight();
}

ScrewSegment random_segment(Random& random, double scale) {
  ScrewSegment s;
  s.angle = std::pow(10.0, random.uniform(-6, 0.17));
  s.slide = random.uniform(-1, 1) * scale;
  s.scale = 4.0 * scale;
  s.begin = 0.0;
  s.end = 1.0;
  return s;
}

// Moved by the screw about z.
Long3 screwed(const ScrewSegment& segment, const Long3& p, Long s) {
  const Long angle = s * static_cast<Long>(segment.angle), c = std::cos(angle), n = std::sin(angle);
  return {c * p.x() - n * p.y(), n * p.x() + c * p.y(), p.z() + s * static_cast<Long>(segment.slide)};
}

Long long_value(const ScrewEquation& f, Long s) {
  const auto k = [&](std::size_t i) { return static_cast<Long>(f.k[i]); };
  const Long angle = static_cast<Long>(f.angle) * s;
  return k(0) + k(5) * s + (k(1) + k(3) * s) * std::cos(angle) + (k(2) + k(4) * s) * std::sin(angle);
}

Long long_slope(const ScrewEquation& f, Long s) {
  const auto k = [&](std::size_t i) { return static_cast<Long>(f.k[i]); };
  const Long b = static_cast<Long>(f.angle), c = std::cos(b * s), n = std::sin(b * s);
  return k(5) + k(3) * c + k(4) * n - b * (k(1) + k(3) * s) * n + b * (k(2) + k(4) * s) * c;
}

// value_roundings: an equation and its slope, as computed. vertex_face_roundings, edge_edge_roundings: its
// coefficients, by what they stand for.
TEST(RoundingClaims, contact_equations_of_a_screw) {
  Random random(905);
  Claim values("value_roundings"), slopes("slope_error"), vertex_face("vertex_face_roundings"),
      edge_edge("edge_edge_roundings");
  for (int i = 0; i < 20000; ++i) {
    const double scale = scale_of(random);
    const ScrewSegment segment = random_segment(random, scale);
    Vector3 p[6];
    for (Vector3& x : p) x = random.in_box(scale);
    if (i % 4 == 0) p[1] = p[0] + 1e-3 * (p[1] - p[0]);  // small triangles far from the axis
    if (i % 4 == 0) p[2] = p[0] + 1e-3 * (p[2] - p[0]);
    const ScrewPlane plane = screw_plane(segment, {p[0], p[1], p[2]});
    const Vector3 la = p[4] - p[3], lb = p[1] - p[0];
    const ScrewEquation f = vertex_face_equation(segment, 1.0, p[5], plane, 0.0);
    const ScrewEquation back = vertex_face_equation(segment, -1.0, p[5], plane, 0.0);
    const ScrewEquation g = edge_edge_equation(segment, p[3], la, p[0], lb, 0.0);
    const Long3 normal = (wide(p[1]) - wide(p[0])).cross(wide(p[2]) - wide(p[0]));
    for (const double s : {0.0, random.unit(), 1.0}) {
      for (const ScrewEquation* e : {&f, &back, &g}) {
        const ScrewValue v = value_at(*e, s);
        values.take(std::abs(static_cast<Long>(v.value) - long_value(*e, s)),
                    static_cast<Long>(value_error(*e)));
        slopes.take(std::abs(static_cast<Long>(v.slope) - long_slope(*e, s)),
                    static_cast<Long>(slope_error(*e)));
      }
      const Long share = s;
      const Long3 moved = screwed(segment, wide(p[5]), share);
      vertex_face.take(std::abs(normal.dot(moved - wide(p[0])) - long_value(f, share)),
                       static_cast<Long>(f.band));
      const Long3 a0 = screwed(segment, wide(p[3]), share);
      const Long3 a1 = screwed(segment, wide(p[3]) + wide(la), share);
      // (b - a) . (la x lb), up to the sign, is f.
      const Long volume = (wide(p[0]) - a0).dot((a1 - a0).cross(wide(lb)));
      const Long value = long_value(g, share);
      edge_edge.take(std::min(std::abs(volume - value), std::abs(volume + value)), static_cast<Long>(g.band));
    }
  }
  values.expect_tight();
  slopes.expect_tight();
  vertex_face.expect_tight();
  edge_edge.expect_tight();
}

// angle_rounding, box_slack: corners and boxes about the axis.
TEST(RoundingClaims, bounds_about_the_axis) {
  Random random(906);
  Claim angles("angle_rounding");
  int inside = 0;
  for (int i = 0; i < 20000; ++i) {
    const double scale = scale_of(random);
    const ScrewSegment segment = random_segment(random, scale);
    const Vector3 middle = random.in_box(scale);
    const Triangle t = {middle, middle + random.in_box(0.2 * scale), middle + random.in_box(0.2 * scale)};
    const TriangleBounds bounds = triangle_bounds(segment, t, 0.0);
    for (std::size_t k = 0; k < 3; ++k) {
      const AxisBounds& b = bounds.corner[k];
      if (b.angle_high - b.angle_low >= 2.0 * std::numbers::pi) continue;
      const Long angle = std::atan2(static_cast<Long>(t[k].y()), static_cast<Long>(t[k].x()));
      const Long center = (static_cast<Long>(b.angle_low) + static_cast<Long>(b.angle_high)) / 2.0L;
      const Long off = std::abs(std::remainder(angle - center, 2.0L * std::numbers::pi_v<Long>));
      angles.take(off, (static_cast<Long>(b.angle_high) - static_cast<Long>(b.angle_low)) / 2.0L);
    }
    // A box with axes off by 1e-13: all of it is within its bounds.
    Matrix3 axes = random_pose(random, 0.0).rotation;
    for (int k = 0; k < 9; ++k) axes(k / 3, k % 3) += random.uniform(-4e-14, 4e-14);
    const Vector3 half = random.in_box(0.3 * scale).cwiseAbs();
    const Pose pose = random_pose(random, scale);
    const AxisBounds b = axis_bounds(segment, pose, middle, axes, half, 64.0 * unit_roundoff * segment.scale);
    for (int corner = 0; corner < 8; ++corner) {
      Long3 x = wide(middle);
      for (int k = 0; k < 3; ++k) {
        x += static_cast<Long>(corner >> k & 1 ? half[k] : -half[k]) * wide(Vector3(axes.col(k)));
      }
      x = wide(pose.rotation) * x + wide(pose.translation);
      const Long radius = std::hypot(x.x(), x.y());
      ASSERT_LE(static_cast<Long>(b.radius_low), radius) << i;
      ASSERT_GE(static_cast<Long>(b.radius_high), radius) << i;
      ASSERT_LE(static_cast<Long>(b.height_low), x.z()) << i;
      ASSERT_GE(static_cast<Long>(b.height_high), x.z()) << i;
      const Long center = (static_cast<Long>(b.angle_low) + static_cast<Long>(b.angle_high)) / 2.0L;
      const Long off =
          std::abs(std::remainder(std::atan2(x.y(), x.x()) - center, 2.0L * std::numbers::pi_v<Long>));
      ASSERT_LE(off, (static_cast<Long>(b.angle_high) - static_cast<Long>(b.angle_low)) / 2.0L) << i;
      ++inside;
    }
  }
  angles.expect_tight();
  EXPECT_EQ(inside, 160000);
}

// frame_roundings: points of a on a segment against the screw motion itself.
TEST(RoundingClaims, segments_of_a_screw) {
  Random random(907);
  Claim claim("ScrewSegment::error"), rounding("frame_roundings");
  for (int i = 0; i < 6000; ++i) {
    const double scale = scale_of(random), far = i % 2 == 0 ? 1e4 * scale : 0.0;
    const Pose start = {random_pose(random, 0.0).rotation, far * random.on_sphere() + random.in_box(scale)};
    const double turn = std::pow(10.0, random.uniform(-5, 0.17));
    const ScrewMotion motion(start, random.on_sphere(), start.translation + random.in_box(scale), turn,
                             random.uniform(-1, 1) * scale);
    const Vector3 half = Vector3::Constant(scale);
    const ScrewBodies bodies{motion, -half, half, 2.0 * scale, 2.0 * scale};
    const ScrewSegment segment = screw_segment(bodies, 0.0, 1.0);
    const Vector3 p = random.in_box(scale);
    for (const double s : {0.0, 0.5, 1.0}) {
      const Pose pose = motion.pose(s);  // within pose_error of the exact one
      const Long3 truth = applied(pose, p);
      const Long3 in_frame = wide(segment.b_to_axis.rotation) * truth + wide(segment.b_to_axis.translation);
      const Long3 start_in_frame =
          wide(segment.a_to_axis.rotation) * wide(p) + wide(segment.a_to_axis.translation);
      const Long off = (in_frame - screwed(segment, start_in_frame, s)).norm();
      const PoseError error = motion.pose_error();
      claim.take(off, static_cast<Long>(segment.error));
      rounding.take(off, static_cast<Long>(128.0 * unit_roundoff * segment.scale + error.translation +
                                           error.rotation * p.norm()));
    }
  }
  claim.expect_tight();
  rounding.expect_tight();
}

}  // namespace
}  // namespace toccata
