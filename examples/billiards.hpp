#pragma once
// Balls and spinning regular solids that bounce in a room without friction and without loss: for the
// examples, and for the tests and benchmarks of World::play. A regular solid has the same inertia about every
// axis, so that it spins steadily between two bounces.
#include <toccata/base/random.hpp>
#include <toccata/toccata.hpp>

#include <Eigen/Geometry>
#include <cmath>
#include <vector>

class Billiards {
 public:
  // Seconds per step: times of events are shares of it.
  Billiards(int balls, int solids, double side, double seconds, std::uint64_t seed) : seconds_(seconds) {
    using namespace toccata;
    for (int k = 0; k < 3; ++k) {  // the walls: everything behind a plane
      for (const double sign : {-1.0, 1.0})
        add(HalfSpace{sign * Vector3::Unit(k), -0.5 * side}, {}, 0.0, 0.0);
    }
    Random random(seed);
    const Shape ball = Ball{0.5};
    const Shape kinds[] = {Box{Vector3::Constant(0.6)}, convex_hull_of(octahedron(0.5)).value(),
                           convex_hull_of(icosahedron(0.5)).value()};
    // One to a cell, so that none starts in another.
    const int cells = static_cast<int>(side / 1.1);
    int cell = 0;
    const int every = cells * cells * cells / (balls + solids);
    for (int i = 0; i < balls + solids; ++i, cell += every) {
      const Vector3 place(cell % cells, cell / cells % cells, cell / cells / cells);
      const Pose pose(Eigen::AngleAxisd(random.uniform(0, 3), random.on_sphere()).toRotationMatrix(),
                      1.1 * (place.array() + 0.5).matrix() - Vector3::Constant(0.55 * cells));
      const bool is_ball = i % (balls + solids) < balls;
      const Vector3 velocity = random.on_sphere(), spin = is_ball ? Vector3::Zero() : random.in_box(3.0);
      add(is_ball ? ball : kinds[i % 3], pose, 1.0, is_ball ? 10.0 : 20.0, velocity * seconds,
          spin * seconds);
    }
  }

  toccata::World& world() { return world_; }

  // Of all bodies, per mass: a bounce conserves it.
  double energy() const {
    double sum = 0.0;
    for (const Moving& m : moving_) {
      if (m.per_mass == 0.0) continue;
      sum += 0.5 * m.velocity.squaredNorm() / m.per_mass + 0.5 * m.spin.squaredNorm() / m.per_inertia;
    }
    return sum / (seconds_ * seconds_);
  }

  // An elastic impulse along the normal.
  bool bounce(const toccata::WorldEvent& event, toccata::WorldResponse& response) {
    using namespace toccata;
    Moving &a = moving_[static_cast<std::size_t>(event.body_a)],
           &b = moving_[static_cast<std::size_t>(event.body_b)];
    const Vector3& n = event.contact.normal;
    const Vector3 arm_a = event.contact.point_a - event.pose_a.translation;
    const Vector3 arm_b = event.contact.point_b - event.pose_b.translation;
    const double closing = n.dot(a.velocity + a.spin.cross(arm_a) - b.velocity - b.spin.cross(arm_b));
    if (closing <= 0.0) return true;  // on their way apart
    const Vector3 turn_a = arm_a.cross(n), turn_b = arm_b.cross(n);
    const double per_impulse =
        a.per_mass + b.per_mass + a.per_inertia * turn_a.squaredNorm() + b.per_inertia * turn_b.squaredNorm();
    const double impulse = 2.0 * closing / per_impulse;
    a.velocity -= impulse * a.per_mass * n;
    a.spin -= impulse * a.per_inertia * turn_a;
    b.velocity += impulse * b.per_mass * n;
    b.spin += impulse * b.per_inertia * turn_b;
    if (a.per_mass > 0.0)
      response.set_motion(event.body_a, RigidMotion::through(event.time, event.pose_a, a.velocity, a.spin));
    if (b.per_mass > 0.0)
      response.set_motion(event.body_b, RigidMotion::through(event.time, event.pose_b, b.velocity, b.spin));
    return true;
  }

  // Where the last step ended the next one starts.
  void next_step() {
    using namespace toccata;
    for (std::size_t i = 0; i < moving_.size(); ++i) {
      if (moving_[i].per_mass == 0.0) continue;
      const auto id = static_cast<std::int32_t>(i);
      world_.set_motion(id, RigidMotion::with_velocity(world_.body(id).motion->pose(1.0), moving_[i].velocity,
                                                       moving_[i].spin));
    }
  }

 private:
  struct Moving {
    double per_mass;
    double per_inertia;
    toccata::Vector3 velocity;  // per step
    toccata::Vector3 spin;
  };

  void add(const toccata::Shape& shape, const toccata::Pose& pose, double per_mass, double per_inertia,
           const toccata::Vector3& velocity = {0, 0, 0}, const toccata::Vector3& spin = {0, 0, 0}) {
    world_.insert({shape, toccata::RigidMotion::with_velocity(pose, velocity, spin)},
                  {.is_static = per_mass == 0.0});
    moving_.push_back({per_mass, per_inertia, velocity, spin});
  }

  static std::vector<toccata::Vector3> octahedron(double radius) {
    return {{radius, 0, 0},  {-radius, 0, 0}, {0, radius, 0},
            {0, -radius, 0}, {0, 0, radius},  {0, 0, -radius}};
  }

  static std::vector<toccata::Vector3> icosahedron(double radius) {
    std::vector<toccata::Vector3> points;
    const double golden = 0.5 * (1.0 + std::sqrt(5.0)), scale = radius / std::hypot(1.0, golden);
    for (int k = 0; k < 3; ++k) {
      for (const double x : {-scale, scale}) {
        for (const double y : {-golden * scale, golden * scale}) {
          toccata::Vector3 p = toccata::Vector3::Zero();
          p[(k + 1) % 3] = x;
          p[(k + 2) % 3] = y;
          points.push_back(p);
        }
      }
    }
    return points;
  }

  double seconds_;
  toccata::World world_;
  std::vector<Moving> moving_;
};
