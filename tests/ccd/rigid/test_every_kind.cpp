// Every pair of kinds of geometry answers every question, and the answers agree with each other: times with
// distances at many times, brackets with what they bracket, one order of the bodies with the other.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "effort.hpp"
#include "oracle/every_kind.hpp"
#include "toccata/ccd/rigid/closest_approach.hpp"
#include "toccata/ccd/rigid/contact_intervals.hpp"
#include "toccata/ccd/rigid/contact_solver.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/ccd/rigid/shape_cast.hpp"
#include "toccata/proximity/containment.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/proximity/intersects.hpp"
#include "toccata/proximity/penetration.hpp"
#include "toccata/proximity/ray_cast.hpp"

namespace toccata {
namespace {

using oracle::every_kind;
using oracle::random_pose;

constexpr double infinite = std::numeric_limits<double>::infinity();

struct NamedShape {
  std::string name;
  Shape shape;
};

std::vector<NamedShape> every_shape(double scale = 1.0) {
  std::vector<NamedShape> shapes;
  for (const oracle::NamedGeometry& kind : every_kind(scale)) shapes.push_back({kind.name, kind.geometry});
  return shapes;
}

double distance_at(const Body& a, const Body& b, double t) {
  return distance({a.shape, a.motion->pose(t)}, {b.shape, b.motion->pose(t)}).distance;
}

bool are_planes(const Shape& a, const Shape& b) {
  return std::isinf(a.size()) && std::isinf(b.size());
}

// Sizes of about `scale`, `far` away from the origin.
struct Scene {
  double scale = 1.0;
  double far = 0.0;
};

// Rounding, of lengths and of what the poses lead astray.
double rounding(const Scene& scene) {
  return 1e-12 * scene.scale + 1e-14 * scene.far;
}

Pose near_pose(Random& random, const Scene& scene, double reach) {
  Pose pose = random_pose(random, reach * scene.scale);
  pose.translation += Vector3::Constant(scene.far);
  return pose;
}

RigidMotion near_motion(Random& random, const Scene& scene) {
  const Pose start = near_pose(random, scene, 2.5);
  switch (random.integer(0, 3)) {
    case 0:
      return RigidMotion::with_velocity(start, random.in_box(4.0 * scene.scale), Vector3::Zero());
    case 1:
      return RigidMotion::with_velocity(start, random.in_box(3.0 * scene.scale), random.in_box(3.0),
                                        random.in_box(0.5 * scene.scale));
    case 2:
      return RigidMotion::with_velocity(start, random.in_box(1.0 * scene.scale), random.in_box(20.0));
    default:
      return RigidMotion(start, near_pose(random, scene, 2.0));
  }
}

class EveryKind : public testing::Test {
 protected:
  template <typename Ask>
  void for_every_pair(const std::vector<NamedShape>& shapes, Ask&& ask) {
    for (const NamedShape& a : shapes) {
      for (const NamedShape& b : shapes) {
        SCOPED_TRACE(a.name + " and " + b.name);
        ask(a.shape, b.shape);
        if (HasFatalFailure()) return;
      }
    }
  }
};

void check_rest(const PlacedShape& a, const PlacedShape& b, const Scene& scene) {
  const DistanceResult there = distance(a, b), back = distance(b, a);
  const double error = rounding(scene) + 1e-8 * scene.scale;  // curved kinds
  ASSERT_FALSE(std::isnan(there.distance));
  EXPECT_NEAR(there.distance, back.distance, error);
  EXPECT_LE(there.lower_distance, there.distance);
  EXPECT_GE(there.lower_distance, there.distance - error);
  const bool meet = intersects(a, b).intersects;
  EXPECT_EQ(meet, there.distance == 0.0);
  const PenetrationResult deep = penetration(a, b);
  EXPECT_EQ(deep.status, meet ? Status::OverlapAtStart : Status::Separated);
  EXPECT_LE(deep.lower_depth, deep.upper_depth);
  if (meet) {
    EXPECT_TRUE(within(a, b, 0.0).within);
    if (std::isinf(deep.upper_depth)) return;
    // Out along the normal.
    const double way = deep.upper_depth * (1.0 + 1e-9) + 16.0 * rounding(scene) + 1e-9 * scene.scale;
    Pose out = b.pose;
    out.translation += way * deep.contact.normal;
    EXPECT_NEAR(deep.contact.normal.norm(), 1.0, 1e-9);
    EXPECT_GT(distance(a, {b.shape, out}).distance, 0.0) << deep.lower_depth << " " << deep.upper_depth;
    // Not out any earlier along it, if the bracket says so.
    if (deep.lower_depth > 4.0 * error) {
      Pose not_yet = b.pose;
      not_yet.translation += (deep.lower_depth - 2.0 * error) * deep.contact.normal;
      EXPECT_TRUE(intersects(a, {b.shape, not_yet}).intersects);
    }
    return;
  }
  EXPECT_TRUE(within(a, b, there.distance * (1.0 + 1e-12) + error).within);
  EXPECT_FALSE(within(a, b, there.distance * (1.0 - 1e-12) - error).within);
  EXPECT_NEAR((there.contact.point_b - there.contact.point_a).norm(), there.distance, error);
  EXPECT_NEAR(there.contact.normal.dot(there.contact.point_b - there.contact.point_a), there.distance,
              4.0 * error);
  if (!are_planes(a.shape, b.shape)) {
    // The points are of the shapes.
    EXPECT_LE(distance(a, {Ball{0.0}, Pose(Matrix3::Identity(), there.contact.point_a)}).distance,
              4.0 * error);
    EXPECT_LE(distance(b, {Ball{0.0}, Pose(Matrix3::Identity(), there.contact.point_b)}).distance,
              4.0 * error);
  }
}

TEST_F(EveryKind, at_rest) {
  for (const Scene scene : {Scene{1.0, 0.0}, Scene{1e-6, 0.0}, Scene{1e6, 0.0}, Scene{1.0, 1e5}}) {
    SCOPED_TRACE("scale " + std::to_string(scene.scale) + ", far " + std::to_string(scene.far));
    Random random(3);
    const std::vector<NamedShape> shapes = every_shape(scene.scale);
    for_every_pair(shapes, [&](const Shape& a, const Shape& b) {
      for (int trial = 0; trial < with_effort(scene.scale == 1.0 && scene.far == 0.0 ? 6 : 2); ++trial) {
        const double reach = random.uniform(0.0, 2.0);
        check_rest({a, near_pose(random, scene, reach)}, {b, near_pose(random, scene, reach)}, scene);
      }
    });
  }
}

void check_motion(const Body& a, const Body& b, const Scene& scene, int samples) {
  const double tolerance = resolved_tolerance(a.shape, b.shape);
  const double error = 8.0 * rounding(scene) + 1e-9 * scene.scale;
  const FirstContactResult first = first_contact(a, b);
  ASSERT_NE(first.status, Status::Failed) << first.failure;
  const FirstContactResult named_otherwise = first_contact(b, a);
  EXPECT_EQ(first.time, named_otherwise.time);
  EXPECT_EQ(first.status, named_otherwise.status);
  double least = infinite;
  for (int i = 0; i <= samples; ++i) {
    const double t = static_cast<double>(i) / samples;
    const double d = distance_at(a, b, t);
    least = std::min(least, d);
    if (t < first.time) {
      EXPECT_GT(d, 0.0) << "missed before " << first.time << " at " << t;
    }
  }
  if (first.status != Status::Separated) {
    EXPECT_LE(distance_at(a, b, first.time), tolerance + error);
    EXPECT_LE(first.distance, tolerance + error);
    EXPECT_LE(first.time, first.upper);
    if (first.upper < 1.0 && first.upper > 0.0) {
      EXPECT_EQ(distance_at(a, b, first.upper), 0.0);
    }
  }
  const ClosestApproachResult closest = closest_approach(a, b);
  ASSERT_NE(closest.status, Status::Failed);
  EXPECT_LE(closest.distance, least + 2.0 * tolerance + error);
  EXPECT_LE(closest.lower_distance, least + error);
  EXPECT_GE(closest.distance, closest.lower_distance);
  EXPECT_EQ(closest.status == Status::Separated, first.status == Status::Separated);

  const ContactIntervalsResult intervals = contact_intervals(a, b);
  ASSERT_NE(intervals.status, Status::Failed);
  EXPECT_EQ(intervals.intervals.empty(), first.status == Status::Separated);
  if (!intervals.intervals.empty()) {
    // Both are within the tolerance of the contact, in their own steps.
    EXPECT_LE(distance_at(a, b, intervals.intervals.front().begin_lower), tolerance + error);
  }
  for (int i = 0; i <= samples; ++i) {
    const double t = static_cast<double>(i) / samples;
    const double d = distance_at(a, b, t);
    bool surely_in = false, maybe_in = false;
    for (const ContactInterval& x : intervals.intervals) {
      surely_in = surely_in || (t >= x.begin_upper + 2e-6 && t <= x.end_lower - 2e-6);
      maybe_in = maybe_in || (t >= x.begin_lower - 1e-12 && t <= x.end_upper + 1e-12);
    }
    if (d == 0.0) {
      EXPECT_TRUE(maybe_in) << t;
    }
    // Gaps shorter than the resolution may be merged: what is far apart is no such gap.
    if (d > 1e-3 * scene.scale) {
      EXPECT_FALSE(surely_in) << t << " " << d;
    }
  }
}

TEST_F(EveryKind, in_motion) {
  Random random(11);
  const Scene scene;
  const std::vector<NamedShape> shapes = every_shape();
  for_every_pair(shapes, [&](const Shape& a, const Shape& b) {
    for (int trial = 0; trial < with_effort(1); ++trial) {
      const Body first = {a, near_motion(random, scene)};
      const Body second = {b, trial % 2 == 0 ? OwnedMotion(near_pose(random, scene, 2.0))
                                             : OwnedMotion(near_motion(random, scene))};
      check_motion(first, second, scene, 200);
    }
  });
}

TEST_F(EveryKind, at_any_scale_and_place) {
  Random random(13);
  for (const Scene scene : {Scene{1e-6, 0.0}, Scene{1e6, 0.0}, Scene{1.0, 1e4}}) {
    SCOPED_TRACE("scale " + std::to_string(scene.scale) + ", far " + std::to_string(scene.far));
    std::vector<NamedShape> shapes = every_shape(scene.scale);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const NamedShape &a = shapes[i], &b = shapes[(5 * i + 3) % shapes.size()];
      SCOPED_TRACE(a.name + " and " + b.name);
      // Far away a half space through the origin is everywhere or nowhere.
      if (scene.far > 0.0 && (std::isinf(a.shape.size()) || std::isinf(b.shape.size()))) continue;
      check_motion({a.shape, near_motion(random, scene)}, {b.shape, near_motion(random, scene)}, scene, 100);
    }
  }
}

// A solid is one however it is said: a convex kind, or the mesh of its surface.
TEST_F(EveryKind, boxes_and_their_meshes_agree) {
  Random random(5);
  int contacts = 0;
  for (int trial = 0; trial < with_effort(60); ++trial) {
    const Vector3 half = Vector3::Constant(0.1) + random.in_box(0.4).cwiseAbs();
    const Shape box(Box{2.0 * half}), mesh(oracle::box(half));
    const Shape hull(convex_hull_of(mesh.mesh().vertices).value());
    const Shape other(oracle::box({0.3, 0.5, 0.2})), ball(Ball{0.4});
    const RigidMotion motion = near_motion(random, {});
    const Pose place = random_pose(random, 1.0);
    for (const Shape& target : {other, ball}) {
      const FirstContactResult of_mesh = first_contact({mesh, motion}, {target, place});
      for (const Shape& same : {box, hull}) {
        const FirstContactResult r = first_contact({same, motion}, {target, place});
        const double apart = distance({mesh, motion.pose(0.3)}, {target, place}).distance;
        if (apart > 0.0 && of_mesh.time > 0.3) {
          EXPECT_NEAR(distance({same, motion.pose(0.3)}, {target, place}).distance, apart, 1e-9);
        }
        if (of_mesh.status == Status::OverlapAtStart) {
          EXPECT_EQ(r.status, Status::OverlapAtStart);
        } else if (r.status == Status::OverlapAtStart) {
          // Inside the box is inside the solid; the mesh is a surface.
          EXPECT_EQ(first_contact({mesh, motion, true}, {target, place, target.is_mesh()}).status,
                    Status::OverlapAtStart);
        } else {
          contacts += r.status == Status::Contact ? 1 : 0;
          EXPECT_EQ(r.status, of_mesh.status);
          EXPECT_NEAR(r.time, of_mesh.time, 1e-4);
        }
      }
    }
  }
  EXPECT_GT(contacts, 10);
}

TEST_F(EveryKind, casts_of_every_pair) {
  Random random(8);
  const std::vector<NamedShape> shapes = every_shape();
  int hits = 0;
  for_every_pair(shapes, [&](const Shape& a, const Shape& b) {
    const Vector3 from = 4.0 * random.on_sphere(), way = random.in_box(1.0) - 2.0 * from;
    const PlacedShape moving(a, Pose(random_pose(random, 1.0).rotation, from)),
        target(b, random_pose(random, 1.0));
    const FirstContactResult cast = shape_cast(moving, way, target);
    ASSERT_NE(cast.status, Status::Failed) << cast.failure;
    hits += cast.status == Status::Contact ? 1 : 0;
    const auto gap = [&](double t) {
      return distance({a, Pose(moving.pose.rotation, from + t * way)}, target).distance;
    };
    for (int i = 0; i < 16; ++i) {
      const double t = i / 16.0;
      if (t < cast.time) {
        EXPECT_GT(gap(t), 0.0) << t << " before " << cast.time;
      }
    }
    if (cast.status != Status::Separated) {
      EXPECT_LE(gap(cast.time), resolved_tolerance(a, b) + 1e-9);
    }
  });
  EXPECT_GT(hits, 30);
}

TEST_F(EveryKind, rays_and_casts) {
  Random random(7);
  const std::vector<NamedShape> shapes = every_shape();
  int hits = 0;
  for (const NamedShape& named : shapes) {
    SCOPED_TRACE(named.name);
    for (int trial = 0; trial < with_effort(40); ++trial) {
      const PlacedShape target(named.shape, random_pose(random, 1.0));
      const Vector3 origin = 4.0 * random.on_sphere();
      const Ray ray = {origin, random.in_box(1.5) - 2.0 * origin};
      const RayCastResult hit = ray_cast(target, ray);
      // A ray is the way of a point.
      const FirstContactResult cast = shape_cast({Ball{0.0}, Pose(Matrix3::Identity(), ray.origin)},
                                                 ray.direction, target, {.tolerance = 1e-10});
      if (hit.hit && hit.parameter <= 1.0) {
        ++hits;
        EXPECT_NE(cast.status, Status::Separated);
        EXPECT_NEAR(cast.time, hit.parameter, 1e-6);
        EXPECT_LE(distance(target, {Ball{0.0}, Pose(Matrix3::Identity(), hit.point)}).distance, 1e-8);
      } else {
        // What only grazes within the tolerance counts for the cast.
        if (cast.status == Status::Contact) {
          EXPECT_LE(cast.distance, 1e-10 + 1e-12);
        }
      }
    }
  }
  EXPECT_GT(hits, 100);
}

TEST_F(EveryKind, skip_minimum_distance_and_budget) {
  Random random(19);
  const std::vector<NamedShape> shapes = every_shape();
  for_every_pair(shapes, [&](const Shape& a, const Shape& b) {
    if (are_planes(a, b)) return;
    const Body moving = {a, near_motion(random, {})};
    const Body still = {b, random_pose(random, 1.0)};
    FirstContactOptions near;
    near.minimum_distance = 0.1;
    const FirstContactResult sooner = first_contact(moving, still, near),
                             first = first_contact(moving, still);
    EXPECT_LE(sooner.time, first.time);
    if (sooner.status == Status::Contact) {
      EXPECT_NEAR(distance_at(moving, still, sooner.time), 0.1, 1e-5);
    }
    FirstContactOptions skip;
    skip.at_start = AtStart::Skip;
    const FirstContactResult later = first_contact(moving, still, skip);
    if (first.status == Status::OverlapAtStart && later.status == Status::Contact) {
      EXPECT_GT(later.time, 0.0);
      EXPECT_LE(distance_at(moving, still, later.time), 1e-5);
    }
    FirstContactOptions all;
    all.all_contacts = true;
    EXPECT_EQ(first_contact(moving, still, all).contacts.empty(), first.status == Status::Separated);
    ContactSolver solver(a, b);
    for (int repeat = 0; repeat < 2; ++repeat) {
      const FirstContactResult warm = solver.first_contact(*moving.motion, *still.motion);
      EXPECT_EQ(warm.status, first.status);
      EXPECT_EQ(warm.time, first.time);
    }
  });
}

TEST_F(EveryKind, other_methods_take_meshes_only) {
  FirstContactOptions options;
  for (const RigidMethod method : {RigidMethod::Controlled, RigidMethod::Interval, RigidMethod::Screw}) {
    options.method = method;
    const FirstContactResult r = first_contact({Ball{1.0}}, {oracle::box({1, 1, 1})}, options);
    EXPECT_EQ(r.status, Status::Failed);
    EXPECT_NE(r.failure.find("takes meshes only"), std::string::npos) << r.failure;
  }
}

TEST_F(EveryKind, contents) {
  const PlacedShape room(Box{Vector3(4, 4, 4)}), ground(HalfSpace{Vector3::UnitZ(), 5.0});
  const PlacedShape hall(oracle::box({2, 2, 2}));
  for (const NamedShape& named : every_shape()) {
    SCOPED_TRACE(named.name);
    const bool is_plane = std::isinf(named.shape.size());
    const PlacedShape inside(named.shape, oracle::shifted(named.name == "height field" ? -1.0 : 0.0, 0, 0));
    const PlacedShape outside(named.shape, oracle::shifted(20, 0, 20));
    for (const PlacedShape& outer : {room, hall, ground}) {
      EXPECT_EQ(containment(inside, outer), is_plane ? Containment::Crossing : Containment::Inside);
      if (!is_plane) {
        EXPECT_EQ(containment(outside, outer), Containment::Outside);
      }
    }
    if (!is_plane) {
      EXPECT_EQ(point_containment(outside.pose.translation, inside), Containment::Outside);
    }
  }
}

}  // namespace
}  // namespace toccata
