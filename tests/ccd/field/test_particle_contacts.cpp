// Particles and strands against moving bodies: times against samples of the motion in long double.
#include "toccata/ccd/field/particle_contacts.hpp"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <Eigen/Geometry>
#include <cmath>
#include <vector>

#include "effort.hpp"
#include "oracle/long_distance.hpp"
#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"
#include "toccata/ccd/deformable/particle_contacts.hpp"
#include "toccata/geometry/display_mesh.hpp"

namespace toccata {
namespace {

using oracle::is_inside;
using oracle::Real;
using oracle::true_distance;

TriangleMesh knot() {
  scenes::TorusKnotOptions options;
  options.along = 40;
  options.around = 6;
  return scenes::torus_knot(options);
}

RigidMotion turning() {
  return RigidMotion::with_velocity({Matrix3::Identity(), {0.1, 0.0, -0.1}}, {0.3, -0.2, 0.4},
                                    {0.5, 1.5, -1.0});
}

struct Paths {
  std::vector<Vector3> from, to;
};

Paths random_paths(std::uint64_t seed, int count, double size) {
  Random random(seed);
  Paths paths;
  for (int i = 0; i < count; ++i) {
    paths.from.push_back(random.in_box(size));
    paths.to.push_back(random.in_box(size));
  }
  return paths;
}

// The body is nowhere met before the time, and nearly at it.
void check(const ParticleContact& found, const Vector3& from, const Vector3& to, const Shape& shape,
           const Motion& motion, double reach, int samples) {
  const auto seen = [&](double t) { return PlacedShape(shape, motion.pose(t)); };
  const auto place = [&](double t) { return Vector3(from + t * (to - from)); };
  if (found.status == Status::OverlapAtStart) {
    const Real distance = true_distance(from, seen(0.0));
    if (found.distance < 0.0) {
      // A field's value alone is within its error of the distance, on either side.
      EXPECT_TRUE(is_inside(from, seen(0.0)) || (reach > 1e-3 && static_cast<double>(distance) <= reach));
      EXPECT_NEAR(-found.distance, static_cast<double>(distance), reach < 1e-3 ? 1e-9 : reach);
    } else {
      EXPECT_LE(static_cast<double>(distance), reach);
    }
    return;
  }
  const double free = found.status == Status::Separated ? 1.0 : found.time;
  for (int k = 0; k < samples; ++k) {
    const double t = free * (k + 0.5) / samples;
    EXPECT_FALSE(shape.is_closed() && is_inside(place(t), seen(t)))
        << "inside at " << t << " before " << free;
  }
  if (found.status != Status::Contact) return;
  // Steps near the surface are long: nothing is met just before the time either.
  for (const double before : {1e-12, 1e-10, 1e-8, 1e-6}) {
    const double t = std::max(0.0, free - before);
    EXPECT_FALSE(shape.is_closed() && is_inside(place(t), seen(t))) << before << " before " << free;
  }
  EXPECT_LE(static_cast<double>(true_distance(place(free), seen(free))), reach);
  EXPECT_NEAR((found.point - place(free)).norm(), 0.0, 1e-9);
  EXPECT_NEAR(found.normal.norm(), 1.0, 1e-9);
}

TEST(ParticleContacts, MovingBodyIsNeverMet) {
  const Shape shape(knot());
  const RigidMotion motion = turning();
  const Paths paths = random_paths(1, with_effort(120), 1.6);
  const PointPaths asked{paths.from, paths.to};
  const DistanceField field = build_distance_field(shape, {.error = 0.01}).value();
  const double tolerance = 1e-6 * shape.size();
  const ParticleContacts by_mesh = first_contacts(asked, Body{shape, motion});
  const ParticleContacts by_field = first_contacts(asked, FieldBody{field, motion});
  ParticleOptions coarse;
  coarse.refine = false;
  const ParticleContacts unrefined = first_contacts(asked, FieldBody{field, motion}, coarse);
  ASSERT_TRUE(by_mesh.failure.empty()) << by_mesh.failure;
  int contacts = 0;
  for (std::size_t i = 0; i < paths.from.size(); ++i) {
    check(by_mesh.paths[i], paths.from[i], paths.to[i], shape, motion, 1.01 * tolerance, 40);
    check(unrefined.paths[i], paths.from[i], paths.to[i], shape, motion, 0.05, 10);
    EXPECT_EQ(by_mesh.paths[i].status, by_field.paths[i].status);
    EXPECT_NEAR(by_mesh.paths[i].time, by_field.paths[i].time, 1e-4);
    EXPECT_LE(unrefined.paths[i].time, by_mesh.paths[i].time + 1e-4);
    contacts += by_mesh.paths[i].status == Status::Contact;
  }
  EXPECT_GT(contacts, 10);
}

TEST(ParticleContacts, DoesNotDependOnThreads) {
  const Shape shape(knot());
  const Paths paths = random_paths(2, 300, 1.6);
  ParticleOptions one, two;
  one.threads = 1;
  two.threads = 2;
  const ParticleContacts x = first_contacts(PointPaths{paths.from, paths.to}, Body{shape, turning()}, one);
  const ParticleContacts y = first_contacts(PointPaths{paths.from, paths.to}, Body{shape, turning()}, two);
  EXPECT_EQ(x.contacts, y.contacts);
  for (std::size_t i = 0; i < paths.from.size(); ++i) EXPECT_EQ(x.paths[i].time, y.paths[i].time);
}

TEST(ParticleContacts, SameBitsOnAllInstructionSets) {
  const Shape shape(knot());
  const Paths paths = random_paths(9, 400, 1.6);
  const PointPaths asked{paths.from, paths.to};
  ParticleContacts first;
  for (std::int64_t targets = hwy::SupportedTargets(); targets != 0; targets &= targets - 1) {
    hwy::SetSupportedTargetsForTest(targets & -targets);
    hwy::GetChosenTarget().DeInit();
    const DistanceField field = build_distance_field(shape, {.error = 0.05}).value();
    const ParticleContacts found = first_contacts(asked, FieldBody{field, turning()});
    if (first.paths.empty()) first = found;
    for (std::size_t i = 0; i < found.paths.size(); ++i) {
      EXPECT_EQ(found.paths[i].time, first.paths[i].time);
      EXPECT_EQ(found.paths[i].distance, first.paths[i].distance);
      EXPECT_EQ(found.paths[i].normal, first.paths[i].normal);
    }
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
  EXPECT_GT(first.contacts, 50);
}

TEST(ParticleContacts, BoxByHand) {
  const Shape box(display_mesh(Box{Vector3(2.0, 2.0, 2.0)}));
  const std::vector<Vector3> from = {{3, 0, 0}, {0, 0, 0.5},    {3, 0, 0}, {3, 1.0 + 1e-3, 0.2},
                                     {5, 5, 5}, {0.0, 0.0, 4.0}};
  const std::vector<Vector3> to = {{0, 0, 0}, {0, 0, 0.5},    {3, 0, 0}, {-3, 1.0 + 1e-3, 0.2},
                                   {5, 5, 5}, {0.3, 0.4, 1.0}};
  const ParticleContacts found = first_contacts(PointPaths{from, to}, Body{box});
  EXPECT_EQ(found.paths[0].status, Status::Contact);
  EXPECT_NEAR(found.paths[0].time, 2.0 / 3.0, 1e-5);
  EXPECT_LE(found.paths[0].time, 2.0 / 3.0);
  EXPECT_NEAR((found.paths[0].normal - Vector3::UnitX()).norm(), 0.0, 1e-9);
  EXPECT_EQ(found.paths[1].status, Status::OverlapAtStart);
  EXPECT_NEAR(found.paths[1].distance, -0.5, 1e-12);
  EXPECT_NEAR((found.paths[1].normal - Vector3::UnitZ()).norm(), 0.0, 1e-9);
  EXPECT_EQ(found.paths[2].status, Status::Separated);
  EXPECT_EQ(found.paths[3].status, Status::Separated);  // passes by at a thousandth
  EXPECT_EQ(found.paths[4].status, Status::Separated);
  EXPECT_EQ(found.paths[5].status, Status::Contact);  // ends on it
  ParticleOptions ball;
  ball.minimum_distance = 0.5;
  EXPECT_NEAR(first_contacts(PointPaths{from, to}, Body{box}, ball).paths[0].time, 0.5, 1e-5);
  ParticleOptions hollow;
  hollow.solid = false;
  EXPECT_EQ(first_contacts(PointPaths{from, to}, Body{box}, hollow).paths[1].status, Status::Separated);
  // The same box as a convex kind.
  EXPECT_NEAR(first_contacts(PointPaths{from, to}, Body{Shape(Box{Vector3(2.0, 2.0, 2.0)})}).paths[0].time,
              2.0 / 3.0, 1e-5);
}

TEST(ParticleContacts, StrandsMeetBetweenTheirPoints) {
  const Shape box(display_mesh(Box{Vector3(2.0, 2.0, 2.0)}));
  // Over an edge of the box, whose points are all outside; and one that hangs beside it.
  const PolylineSet strands =
      PolylineSet::even({{3, -1, 0}, {0, 3, 0}, {2, 4, 0}, {1.5, 0, 0}, {1.5, 0, 1}, {1.5, 0, 2}}, 3);
  std::vector<Vector3> to = strands.points;
  for (std::size_t i = 0; i < 3; ++i) to[i] -= Vector3(1, 1, 0);
  const ParticleContacts found = first_contacts(StrandPaths{strands, to}, Body{box});
  ASSERT_TRUE(found.failure.empty());
  // The line 4 x + 3 y = 9 meets the corner (1, 1) when 4 + 3 = 9 - 7 t.
  EXPECT_EQ(found.paths[0].status, Status::Contact);
  EXPECT_NEAR(found.paths[0].time, 2.0 / 7.0, 1e-5);
  EXPECT_LE(found.paths[0].time, 2.0 / 7.0);
  EXPECT_EQ(found.paths[0].segment, 0);
  EXPECT_EQ(found.paths[1].status, Status::Separated);
  PolylineSet broken = strands;
  broken.first.back() = 2;
  EXPECT_FALSE(first_contacts(StrandPaths{broken, to}, Body{box}).failure.empty());
}

TEST(ParticleContacts, StrandsAgainstSamples) {
  const Shape shape(knot());
  const RigidMotion motion = turning();
  Random random(3);
  std::vector<Vector3> from, to;
  for (int i = 0; i < with_effort(40); ++i) {
    const Vector3 root = random.in_box(1.5), drift = random.in_box(0.8);
    for (int k = 0; k < 3; ++k) {
      from.push_back(root + 0.2 * k * Vector3::UnitX() + random.in_box(0.05));
      to.push_back(from.back() + drift + random.in_box(0.1));
    }
  }
  const PolylineSet strands = PolylineSet::even(from, 3);
  const DistanceField field = build_distance_field(shape, {.error = 0.01}).value();
  const ParticleContacts by_mesh = first_contacts(StrandPaths{strands, to}, Body{shape, motion});
  const ParticleContacts by_field = first_contacts(StrandPaths{strands, to}, FieldBody{field, motion});
  int contacts = 0;
  for (std::size_t i = 0; i < strands.size(); ++i) {
    const ParticleContact& found = by_mesh.paths[i];
    EXPECT_EQ(found.status, by_field.paths[i].status);
    EXPECT_NEAR(found.time, by_field.paths[i].time, 1e-4);
    if (found.status == Status::OverlapAtStart) continue;
    contacts += found.status == Status::Contact;
    for (int k = 0; k < 12; ++k) {
      const double t = found.time * (k + 0.5) / 12;
      const PlacedShape seen(shape, motion.pose(t));
      for (int s = 0; s < 10; ++s) {
        const std::size_t a = 3 * i + static_cast<std::size_t>(s / 5);
        const double w = (s % 5) / 5.0;
        const Vector3 p0 = (1 - w) * from[a] + w * from[a + 1], p1 = (1 - w) * to[a] + w * to[a + 1];
        EXPECT_FALSE(is_inside(p0 + t * (p1 - p0), seen));
      }
    }
  }
  EXPECT_GT(contacts, 5);
}

TEST(ParticleContacts, DeformingMeshes) {
  const TriangleMesh mesh = knot();
  const Shape shape(mesh);
  const Vector3 shift(0.4, -0.3, 0.2);
  std::vector<Vector3> moved = mesh.vertices;
  for (Vector3& v : moved) v += shift;
  const Paths paths = random_paths(4, with_effort(150), 1.5);
  const RigidMotion motion({Matrix3::Identity(), Vector3::Zero()}, {Matrix3::Identity(), shift});
  const ParticleContacts rigid = first_contacts(PointPaths{paths.from, paths.to}, Body{shape, motion});
  const ParticleContacts soft =
      first_contacts(PointPaths{paths.from, paths.to}, DeformingMesh{mesh.vertices, moved, mesh.faces});
  ASSERT_TRUE(soft.failure.empty()) << soft.failure;
  int contacts = 0;
  for (std::size_t i = 0; i < paths.from.size(); ++i) {
    // A graze within the tolerance counts for the rigid question only.
    if (soft.paths[i].status == Status::Contact) {
      EXPECT_LE(rigid.paths[i].time, soft.paths[i].time + 1e-11);
    }
    if (soft.paths[i].status == Status::OverlapAtStart) {
      EXPECT_EQ(rigid.paths[i].status, Status::OverlapAtStart);
      EXPECT_NEAR(soft.paths[i].distance, rigid.paths[i].distance, 1e-9);
    }
    contacts += soft.paths[i].status == Status::Contact;
    if (rigid.paths[i].status == Status::Contact && soft.paths[i].status == Status::Contact) {
      EXPECT_NEAR(rigid.paths[i].time, soft.paths[i].time, 1e-3);
    }
  }
  EXPECT_GT(contacts, 10);
  EXPECT_EQ(rigid.contacts, soft.contacts);
  // Strands of two points.
  const PolylineSet strands = PolylineSet::even(paths.from, 2);
  const ParticleContacts tied = first_contacts(StrandPaths{strands, paths.to}, Body{shape, motion});
  const ParticleContacts tied_soft =
      first_contacts(StrandPaths{strands, paths.to}, DeformingMesh{mesh.vertices, moved, mesh.faces});
  for (std::size_t i = 0; i < strands.size(); ++i) {
    EXPECT_EQ(tied.paths[i].status, tied_soft.paths[i].status);
    EXPECT_NEAR(tied.paths[i].time, tied_soft.paths[i].time, 1e-3);
  }
}

// When a straight line through a mesh that only shifts first crosses a triangle, in long double.
Real crossing_time(const TriangleMesh& mesh, const Vector3& from, const Vector3& way) {
  using Long = Eigen::Matrix<Real, 3, 1>;
  Real first = 2;
  for (const Face& f : mesh.faces) {
    const Long a = mesh.vertices[static_cast<std::size_t>(f[0])].cast<Real>(),
               b = mesh.vertices[static_cast<std::size_t>(f[1])].cast<Real>(),
               c = mesh.vertices[static_cast<std::size_t>(f[2])].cast<Real>();
    const Long normal = (b - a).cross(c - a), d = way.cast<Real>(), p = from.cast<Real>() - a;
    const Real slope = normal.dot(d), t = slope == 0 ? Real(-1) : -normal.dot(p) / slope;
    if (t < 0 || t >= first) continue;
    const Long x = p + a + t * d;
    const bool is_in = (b - a).cross(x - a).dot(normal) >= 0 && (c - b).cross(x - b).dot(normal) >= 0 &&
                       (a - c).cross(x - c).dot(normal) >= 0;
    if (is_in) first = t;
  }
  return first;
}

TEST(ParticleContacts, IsNeverLateAndHardlyEarly) {
  const Shape shape(knot());
  const DistanceField field = build_distance_field(shape, {.error = 0.01}).value();
  const Vector3 shift(0.5, -0.25, 0.125);  // no rounding in what the two move relative to each other
  const RigidMotion motion({Matrix3::Identity(), Vector3::Zero()}, {Matrix3::Identity(), shift});
  const Paths paths = random_paths(6, with_effort(400), 1.5);
  const PointPaths asked{paths.from, paths.to};
  ParticleOptions fine;
  fine.tolerance = 0.0;  // a billionth of the lengths
  int contacts = 0;
  for (const ParticleContacts& found : {first_contacts(asked, Body{shape, motion}, fine),
                                        first_contacts(asked, FieldBody{field, motion}, fine)}) {
    for (std::size_t i = 0; i < paths.from.size(); ++i) {
      const ParticleContact& contact = found.paths[i];
      if (contact.status == Status::OverlapAtStart) continue;
      const Real exact = crossing_time(shape.mesh(), paths.from[i], paths.to[i] - paths.from[i] - shift);
      EXPECT_LE(contact.time, exact);
      if (exact > 1 || contact.status != Status::Contact) continue;
      // Only where it passes by the surface before it crosses does it touch sooner.
      EXPECT_LE(contact.distance, 1e-7);
      contacts += exact - contact.time < Real(1e-6);
    }
  }
  EXPECT_GT(contacts, with_effort(400) / 10);
}

TEST(ParticleContacts, RefusesWhatCannotBe) {
  const Shape shape(knot());
  const std::vector<Vector3> two(2, Vector3::Zero()), one(1, Vector3::Zero()), bad(1, Vector3::Constant(NAN));
  EXPECT_FALSE(first_contacts(PointPaths{two, one}, Body{shape}).failure.empty());
  EXPECT_FALSE(first_contacts(PointPaths{bad, one}, Body{shape}).failure.empty());
  EXPECT_FALSE(first_contacts(PointPaths{one, one}, Body{shape}, {.minimum_distance = -1.0}).failure.empty());
  EXPECT_FALSE(first_contacts(PointPaths{one, one}, Body{shape}, {.tolerance = NAN}).failure.empty());
  EXPECT_TRUE(first_contacts(PointPaths{}, Body{shape}).paths.empty());
  // Nothing to touch.
  EXPECT_EQ(first_contacts(PointPaths{one, one}, Body{Shape(TriangleMesh())}).contacts, 0);
  const StopToken token = StopToken::create();
  token.request_stop();
  ParticleOptions options;
  options.stop.token = token;
  EXPECT_EQ(first_contacts(PointPaths{one, one}, Body{shape}, options).paths[0].status, Status::OutOfBudget);
}

}  // namespace
}  // namespace toccata
