// Stretches of time that are said to be free, against sampled distances.
#include <gtest/gtest.h>

#include <vector>

#include "ccd/field/free_windows.hpp"
#include "effort.hpp"
#include "oracle/long_distance.hpp"
#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"
#include "toccata/ccd/field/particle_contacts.hpp"
#include "toccata/geometry/display_mesh.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata {
namespace {

using namespace field;

std::vector<Moment> moments_of(const Motion& motion, int count) {
  std::vector<Moment> moments;
  for (int i = 0; i < count; ++i) moments.push_back(moment_at(motion, static_cast<double>(i) / count));
  return moments;
}

// Turns quickly at first, then not at all.
class Halting final : public Motion {
 public:
  explicit Halting(RigidMotion motion) : motion_(std::move(motion)) {}
  Pose pose(double t) const override { return motion_.pose(std::min(t, stop)); }
  PoseError pose_error() const override { return motion_.pose_error(); }
  MotionExpansion expansion(double t, double t_end) const override {
    if (t < stop) return motion_.expansion(t, t_end);
    MotionExpansion rest;
    rest.center = motion_.pose(stop).translation;
    return rest;
  }
  double next_breakpoint(double t) const override { return t < stop ? stop : 1.0; }

 private:
  static constexpr double stop = 0.4;
  RigidMotion motion_;
};

struct Tally {
  int free = 0, told = 0, met = 0;
};

void check(const Shape& shape, const Motion& motion, double shift, Random& random, Tally& tally) {
  const DistanceField field = build_distance_field(shape, {.error = 0.02 * shape.size()}).value();
  const FreeWindows windows(field, motion, moments_of(motion, 64));
  for (int i = 0; i < with_effort(60); ++i) {
    const double size = shape.size(), minimum = i % 3 == 0 ? 0.1 * size : 0.0;
    const Vector3 middle = Vector3::Constant(shift);
    const Vector3 from = middle + size * random.in_box(1.2), to = from + size * random.in_box(0.6);
    const std::uint32_t free = windows(from, to, minimum);
    for (int k = 0; k < FreeWindows::count; ++k) {
      ++tally.told;
      if ((free >> k & 1U) == 0) continue;
      ++tally.free;
      if (i % 4 != 0) continue;
      for (const double part : {0.0, random.uniform(0.0, 1.0), 1.0}) {
        const double t = (k + part) / FreeWindows::count;
        const PlacedShape there(shape, motion.pose(t));
        tally.met += !(static_cast<double>(oracle::true_distance(from + t * (to - from), there)) > minimum);
      }
    }
  }
}

TEST(FreeWindows, HoldNothingThatIsMet) {
  Random random(1);
  Tally tally;
  const Shape ball(display_mesh(Ball{0.5}));
  scenes::TorusKnotOptions options;
  options.along = 40;
  options.around = 6;
  const Shape knot(scenes::torus_knot(options));
  for (const double speed : {0.0, 0.5, 4.0, 40.0}) {
    const RigidMotion motion = RigidMotion::with_velocity({Matrix3::Identity(), {0.1, 0.0, -0.1}},
                                                          {0.3, -0.2, 0.4}, speed * Vector3(0.3, 0.8, -0.5));
    check(ball, motion, 0.0, random, tally);
    check(knot, motion, 0.0, random, tally);
    check(ball, Halting(motion), 0.0, random, tally);
  }
  // Far from the origin, where places are badly known.
  TriangleMesh distant = display_mesh(Ball{0.5});
  for (Vector3& v : distant.vertices) v += Vector3::Constant(1e6);
  check(Shape(distant), RigidMotion::with_velocity(Pose(), Vector3(0.2, 0.1, 0.0), Vector3::Zero()), 1e6,
        random, tally);
  EXPECT_EQ(tally.met, 0);
  EXPECT_GT(tally.free, tally.told / 5);
}

TEST(FreeWindows, OfTheMotionsBreakAreNotFree) {
  const Shape ball(display_mesh(Ball{0.5}));
  const DistanceField field = build_distance_field(ball, {.error = 0.02}).value();
  const Halting motion(RigidMotion::with_velocity(Pose(), Vector3::Zero(), Vector3(0.0, 0.0, 1.0)));
  const FreeWindows windows(field, motion, moments_of(motion, 64));
  const Vector3 away(3.0, 0.0, 0.0);
  EXPECT_EQ(windows(away, away, 0.0), ~(1U << 12U));  // 12 / 32 < 0.4 < 13 / 32
  EXPECT_EQ(FreeWindows()(away, away, 0.0), 0U);
}

TEST(FreeWindows, LeaveTheAnswersOfParticles) {
  scenes::TorusKnotOptions options;
  options.along = 40;
  options.around = 6;
  const Shape knot(scenes::torus_knot(options));
  const DistanceField field = build_distance_field(knot, {.error = 0.02}).value();
  const Halting motion(RigidMotion::with_velocity(Pose(), Vector3(0.3, -0.2, 0.4), Vector3(0.5, 1.5, -1.0)));
  Random random(3);
  std::vector<Vector3> from, to;
  for (int i = 0; i < with_effort(400); ++i) {
    from.push_back(random.in_box(1.6));
    to.push_back(random.in_box(1.6));
  }
  const ParticleContacts together = first_contacts(PointPaths{from, to}, FieldBody{field, motion});
  int contacts = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    // One alone is followed step by step.
    const ParticleContacts alone =
        first_contacts(PointPaths{{&from[i], 1}, {&to[i], 1}}, FieldBody{field, motion});
    EXPECT_EQ(alone.paths[0].status, together.paths[i].status);
    EXPECT_NEAR(alone.paths[0].time, together.paths[i].time, 1e-4);
    contacts += alone.paths[0].status == Status::Contact;
  }
  EXPECT_GT(contacts, 40);
}

}  // namespace
}  // namespace toccata
