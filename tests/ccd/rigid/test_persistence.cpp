// Contact that is said to last lasts: at no time within a proven step are the triangles farther apart than
// the reach. And the proofs are good for something: sliding and turning contact is followed in few steps.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "ccd/search/contact_exit.hpp"
#include "ccd/search/persistence.hpp"
#include "hierarchy/shape_data.hpp"
#include "toccata/base/random.hpp"
#include "toccata/ccd/rigid/closest_approach.hpp"
#include "toccata/ccd/rigid/contact_intervals.hpp"
#include "toccata/ccd/rigid/contact_solver.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/elementary/triangle_triangle.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata {

using namespace search;

namespace {

using std::numbers::pi;

TriangleMesh triangle_mesh(const Triangle& t) {
  return {{t[0], t[1], t[2]}, {{0, 1, 2}}};
}

Matrix3 turned(double angle, const Vector3& axis) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

// A swing about a point: only its bounds are known, no steady velocity.
std::unique_ptr<Motion> swing(const Pose& start, const Vector3& axis, const Vector3& way) {
  const auto pose = [=](double t) {
    const double s = std::sin(3.0 * t);
    return Pose{turned(s, axis) * start.rotation, start.translation + s * way};
  };
  const double travel = way.norm();
  return std::make_unique<CustomMotion>(
      pose,
      [=](double t, double) {
        MotionExpansion e;
        e.center = pose(t).translation;
        e.velocity = 3.0 * std::cos(3.0 * t) * way;
        e.angular_velocity = 3.0 * std::cos(3.0 * t) * axis.normalized();
        e.speed_slack = 1e-12;
        e.spin_slack = 1e-12;
        e.acceleration = 9.0 * travel * 1.01;
        e.spin_acceleration = 18.0 * 1.01;
        return e;
      },
      PoseError{1e-14, 1e-14});
}

std::unique_ptr<Motion> random_motion(Random& random, const Pose& start) {
  // Axes and velocities along a coordinate axis now and then: sliding and turning in place.
  const auto vector = [&](double size) {
    const Vector3 v = random.in_box(size);
    return random.integer(0, 1) == 0 ? v : Vector3(v.cwiseProduct(Vector3::Unit(random.integer(0, 2))));
  };
  switch (random.integer(0, 5)) {
    case 0:
      return std::make_unique<RigidMotion>(RigidMotion::fixed(start));
    case 1:
      return std::make_unique<RigidMotion>(RigidMotion::with_velocity(start, vector(2.0), Vector3::Zero()));
    case 2:
      return std::make_unique<RigidMotion>(
          RigidMotion::with_velocity(start, vector(2.0), vector(8.0), vector(1.0)));
    case 3:
      return std::make_unique<ScrewMotion>(start, random.on_sphere(), vector(1.0), random.uniform(0.0, 9.0),
                                           random.uniform(-1.0, 1.0));
    case 4:
      return swing(start, random.on_sphere(), vector(1.0));
    default:
      return std::make_unique<RigidMotion>(RigidMotion::with_velocity(start, Vector3::Zero(), vector(20.0)));
  }
}

// Two triangles that touch, in one of the ways contact lasts.
struct Touching {
  Triangle a, b;
  Pose pose_a, pose_b;
};

Touching random_contact(Random& random, double reach) {
  Touching c;
  for (Triangle* t : {&c.a, &c.b}) {
    for (Vector3& v : *t) v = random.in_box(1.0);
  }
  const int kind = random.integer(0, 4);
  if (kind == 0 || kind == 1) {  // in one plane, or one corner of a on it
    for (Vector3& v : c.b) v.z() = 0.0;
    for (Vector3& v : c.a) v.z() = kind == 0 ? random.uniform(0.0, 0.9 * reach) : std::abs(v.z());
    if (kind == 1) c.a[0].z() = 0.5 * reach;
  } else if (kind == 2) {  // edges side by side along x
    c.a[0] = Vector3(random.uniform(-1, 0), 0.0, 0.3 * reach);
    c.a[1] = Vector3(random.uniform(0, 1), 0.0, 0.3 * reach);
    c.a[2] = Vector3(0, random.uniform(-1, 1), 1.0);
    c.b[0] = Vector3(-0.5, 0, 0);
    c.b[1] = Vector3(0.5, 0, 0);
    c.b[2] = Vector3(0, random.uniform(-1, 1), -1.0);
  } else if (kind == 3) {  // edges that cross
    c.a[0] = Vector3(-1, random.uniform(-0.2, 0.2), 0.2 * reach);
    c.a[1] = Vector3(1, 0, 0.2 * reach);
    c.a[2] = Vector3(0, 0, 1);
    c.b[0] = Vector3(random.uniform(-0.2, 0.2), -1, 0);
    c.b[1] = Vector3(0, 1, 0);
    c.b[2] = Vector3(0, 0, -1);
  }
  // Seen from bodies whose own frames are anywhere.
  const auto hide = [&](Triangle& t, Pose& pose) {
    pose = {turned(random.uniform(-3, 3), random.on_sphere()), random.in_box(2.0)};
    for (Vector3& v : t) v = pose.rotation.transpose() * (v - pose.translation);
  };
  if (random.integer(0, 1) == 0) {
    hide(c.a, c.pose_a);
    hide(c.b, c.pose_b);
  }
  return c;
}

TEST(Persistence, no_sample_within_a_step_is_out_of_reach) {
  Random random(701);
  int proven = 0, long_ones = 0;
  for (int trial = 0; trial < 6000; ++trial) {
    const double reach = std::pow(10.0, random.uniform(-8.0, -1.0));
    const Touching c = random_contact(random, reach);
    const Shape a(triangle_mesh(c.a)), b(triangle_mesh(c.b));
    const auto motion_a = random_motion(random, c.pose_a), motion_b = random_motion(random, c.pose_b);
    Persistence persistence({&a.data(), motion_a.get()}, {&b.data(), motion_b.get()});
    double t = 0.0;
    for (int round = 0; round < 4 && t < 1.0; ++round) {
      persistence.set(t, 1.0);
      const double step = persistence.step(0, 0, reach, random.integer(0, 1) == 0 ? 1.0 : 1e-3);
      if (step <= 0.0) break;
      ++proven;
      if (step > 0.05) ++long_ones;
      for (int k = 0; k <= 24; ++k) {
        const double s = std::min(1.0, t + step * (k < 20 ? k / 19.0 : random.unit()));
        const double d = triangle_triangle_distance(transformed(motion_a->pose(s), c.a),
                                                    transformed(motion_b->pose(s), c.b))
                             .distance;
        ASSERT_LE(d, reach + 1e-13) << "trial " << trial << " round " << round << " at " << s << " of " << t
                                    << " + " << step;
      }
      t = std::min(1.0, t + step);
    }
  }
  EXPECT_GT(proven, 4000);
  EXPECT_GT(long_ones, 400);
}

// Where a point is later, against what its path says.
TEST(RelativePath, holds_every_later_place) {
  Random random(702);
  double tightest = 0.0;
  for (int trial = 0; trial < 4000; ++trial) {
    const Pose start_a = {turned(random.uniform(-3, 3), random.on_sphere()), random.in_box(2.0)};
    const Pose start_b = {turned(random.uniform(-3, 3), random.on_sphere()), random.in_box(2.0)};
    const auto a = random_motion(random, start_a), b = random_motion(random, start_b);
    RelativePath relative(*a, *b);
    const double t = 0.7 * random.unit(), h = std::pow(10.0, random.uniform(-5.0, -0.6));
    relative.set(t, std::min(1.0, t + h));
    const Vector3 p = random.in_box(1.5), place = relative.pose().apply(p);
    const PointPath path = relative.of(place, relative.place_error(p.norm()));
    for (int k = 1; k <= 8; ++k) {
      const double s = std::min(1.0, t + h * k / 8.0) - t;
      const Vector3 there = (b->pose(t + s).inverse() * a->pose(t + s)).apply(p);
      const double off = (there - place - s * path.velocity - 0.5 * s * s * path.bend).norm();
      const double bound =
          s * path.slack + 0.5 * s * s * path.curvature + s * s * s / 6.0 * path.jerk + 2e-13;
      ASSERT_LE(off, bound) << "trial " << trial;
      if (bound > 1e-11) tightest = std::max(tightest, off / bound);
      const Vector3 n = random.on_sphere();
      const DisplacementRange range = displacement_range(path, n, s);
      ASSERT_LE(n.dot(there - place), range.high + 2e-13) << "trial " << trial;
      ASSERT_GE(n.dot(there - place), range.low - 2e-13) << "trial " << trial;
    }
  }
  EXPECT_GT(tightest, 0.9);
}

TriangleMesh box(const Vector3& half) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.vertices.push_back(
        {i & 1 ? half.x() : -half.x(), i & 2 ? half.y() : -half.y(), i & 4 ? half.z() : -half.z()});
  }
  mesh.faces = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

Pose at(double x, double y, double z) {
  return {Matrix3::Identity(), Vector3(x, y, z)};
}

// Boxes that rest on each other, slide, and turn in place; `exit` is when they come apart, 1 if never.
struct Following {
  const char* name;
  RigidMotion a, b;
  double exit;
  int most_work;
};

std::vector<Following> followings() {
  const Vector3 none = Vector3::Zero();
  const auto moving = [](const Pose& pose, const Vector3& v, const Vector3& w) {
    return RigidMotion::with_velocity(pose, v, w);
  };
  const double tilted = std::sqrt(0.5);
  const Matrix3 on_edge = turned(pi / 4, Vector3::UnitX()), on_other_edge = turned(pi / 4, Vector3::UnitY());
  return {
      {"rests", moving(at(0.1, 0.2, 1), none, none), {}, 1.0, 500},
      {"slides", moving(at(0.1, 0.2, 1), {0.3, 0.1, 0}, none), {}, 1.0, 500},
      {"slides off", moving(at(0.1, 0.2, 1), {3, 1, 0}, none), {}, 0.3, 3000},
      {"flush, slides off", moving(at(0, 0, 1), {3, 0, 0}, none), {}, 1.0 / 3.0, 3000},
      {"turns in place", moving(at(0, 0, 1), none, {0, 0, 7}), {}, 1.0, 3000},
      {"ten turns in place", moving(at(0, 0, 1), none, {0, 0, 20 * pi}), {}, 1.0, 3000},
      {"turns and slides", moving(at(0, 0, 1), {0.1, 0.1, 0}, {0, 0, 20 * pi}), {}, 1.0, 20000},
      {"both turn alike", moving(at(0, 0, 1), none, {0, 0, 20 * pi}), moving({}, none, {0, 0, 20 * pi}), 1.0,
       20000},
      {"both turn against", moving(at(0, 0, 1), none, {0, 0, 7}), moving({}, none, {0, 0, -7}), 1.0, 5000},
      {"far away", moving(at(1e6, 1e6, 1e6 + 1), none, {0, 0, 7}), RigidMotion::fixed(at(1e6, 1e6, 1e6)), 1.0,
       5000},
      {"edge along edge", moving(at(0.1, 1, 1), {0.5, 0, 0}, none), {}, 1.0, 1000},
      {"edge along edge, off", moving(at(0.1, 1, 1), {3, 0, 0}, none), {}, 0.3, 3000},
      {"edge across edge", moving({on_edge, Vector3(0, 0, 2 * tilted)}, {0.3, 0.2, 0}, none),
       RigidMotion::fixed({on_other_edge, none}), 1.0, 1000},
      {"edge across edge, off", moving({on_edge, Vector3(0, 0, 2 * tilted)}, {3, 0.2, 0}, none),
       RigidMotion::fixed({on_other_edge, none}), 1.0 / 6.0, 3000},
      {"on its edge", moving({on_edge, Vector3(0, 0, 0.5 + tilted)}, {0.3, 0.2, 0}, none), {}, 1.0, 1000},
      {"sunk a little", moving(at(0.1, 0.2, 1 - 1e-4), none, {0, 0, 20 * pi}), {}, 1.0, 20000},
      {"tumbles inside", moving(at(0.1, 0.2, 0.7), none, {3, 4, 5}), {}, 1.0, 5000},
      {"lifts slowly and slides", moving(at(0.1, 0.2, 1), {0.5, 0, 1e-6}, none), {}, std::sqrt(0.75), 3000},
  };
}

TEST(ContactExit, follows_resting_sliding_and_turning_boxes_in_few_steps) {
  const Shape cube(box({0.5, 0.5, 0.5}));
  for (const Following& f : followings()) {
    SCOPED_TRACE(f.name);
    for (const bool swapped : {false, true}) {
      const RigidMotion &first = swapped ? f.b : f.a, &second = swapped ? f.a : f.b;
      const ContactIntervalsResult r = contact_intervals({cube, first}, {cube, second});
      ASSERT_EQ(r.status, Status::OverlapAtStart);
      ASSERT_EQ(r.intervals.size(), 1u);
      EXPECT_LE(r.stats.node_pairs + r.stats.piece_pairs, f.most_work);
      EXPECT_NEAR(r.intervals[0].end_upper, f.exit, f.exit < 1.0 ? 3e-6 : 0.0);
      FirstContactOptions options;
      options.at_start = AtStart::Skip;
      const FirstContactResult skipped = first_contact({cube, first}, {cube, second}, options);
      EXPECT_EQ(skipped.status, f.exit < 1.0 ? Status::Separated : Status::OverlapAtStart);
      EXPECT_LE(skipped.stats.node_pairs + skipped.stats.piece_pairs, 2 * f.most_work);
    }
  }
}

// Tolerances below what rounding can tell: still one contact, still in few steps.
TEST(ContactExit, tolerances_of_zero_and_below_rounding) {
  const Shape cube(box({0.5, 0.5, 0.5}));
  const RigidMotion slide =
      RigidMotion::with_velocity(at(0.1, 0.2, 1), Vector3(0.3, 0.1, 0), Vector3::Zero());
  for (const double tolerance : {0.0, 1e-15, 1e-12}) {
    ContactIntervalsOptions options;
    options.tolerance = tolerance;
    const ContactIntervalsResult r = contact_intervals({cube, slide}, {cube, RigidMotion()}, options);
    ASSERT_EQ(r.intervals.size(), 1u) << tolerance;
    EXPECT_EQ(r.intervals[0].end_lower, 1.0) << tolerance;
    EXPECT_LE(r.stats.node_pairs + r.stats.piece_pairs, 1000) << tolerance;
  }
}

// Two flat plates of many triangles on each other: more touching pairs than are worth looking at.
TEST(ContactExit, fine_plates_slide_and_turn_on_each_other) {
  TriangleMesh plate;
  constexpr int n = 60;
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j <= n; ++j) plate.vertices.push_back({2.0 * i / n - 1.0, 2.0 * j / n - 1.0, 0.0});
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const int k = i * (n + 1) + j;
      plate.faces.push_back({k, k + n + 1, k + 1});
      plate.faces.push_back({k + 1, k + n + 1, k + n + 2});
    }
  }
  const Shape shape(plate);
  for (const auto& [velocity, spin] : {std::pair<Vector3, Vector3>({1, 0.3, 0}, {0, 0, 0}),
                                       std::pair<Vector3, Vector3>({0, 0, 0}, {0, 0, 5})}) {
    const ContactIntervalsResult r = contact_intervals(
        {shape, RigidMotion::with_velocity(at(0.01, 0.02, 0), velocity, spin)}, {shape, RigidMotion()});
    ASSERT_EQ(r.intervals.size(), 1u);
    EXPECT_EQ(r.intervals[0].end_lower, 1.0);
    EXPECT_LE(r.stats.node_pairs + r.stats.piece_pairs, 200000);
  }
}

TEST(ContactExit, skipping_the_first_contact_respects_the_budget) {
  const Shape cube(box({0.5, 0.5, 0.5}));
  // Nothing but a speed is known, so contact that slides has to be looked at again and again.
  const CustomMotion slide([](double t) { return at(0.4 * t, 0, 1); }, CustomMotionBounds{0.41, 0.0, {}});
  FirstContactOptions options;
  options.at_start = AtStart::Skip;
  double last = 0.0;
  for (const std::int64_t budget : {300, 3000, 30000}) {
    options.budget = budget;
    const FirstContactResult r = first_contact({cube, slide}, {cube, RigidMotion()}, options);
    EXPECT_EQ(r.status, Status::OutOfBudget) << budget;
    EXPECT_LE(r.stats.node_pairs + r.stats.piece_pairs, budget + 2000) << budget;
    EXPECT_GT(r.time, last) << budget;
    EXPECT_LT(r.time, 1.0) << budget;
    EXPECT_EQ(r.time, r.lower) << budget;
    EXPECT_NEAR(r.pose_a.translation.x(), 0.4 * r.time, 1e-15) << budget;
    last = r.time;
  }
}

}  // namespace
}  // namespace toccata
