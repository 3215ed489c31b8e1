// Many moving bodies: every first contact, in order. A rod of two metres turns at 40 radians a second, in one
// step of a sixtieth of a second, through a post that engines let it pass; boxes fly past and into each
// other.
#include <toccata/toccata.hpp>

#include <cstdio>

#include "box.hpp"

int main() {
  using namespace toccata;
  const double step = 1.0 / 60.0;
  const auto flying = [&](const Pose& pose, const Vector3& velocity, const Vector3& spin = {0, 0, 0}) {
    return RigidMotion::with_velocity(pose, velocity * step, spin * step);
  };
  const Shape rod(box(2, 0.02, 0.02)), post(box(0.04, 0.04, 2)), crate(box(0.1, 0.1, 0.1));

  World world;
  world.insert({rod, flying({}, {0, 0, 0}, {0, 0, 40})});                            // 0
  world.insert({post, Pose(Matrix3::Identity(), {0.7, 0.3, 0})});                    // 1
  world.insert({crate, flying({Matrix3::Identity(), {3, 0, 0}}, {200, 0, 0})});      // 2
  world.insert({crate, flying({Matrix3::Identity(), {6, 0.05, 0}}, {-200, 0, 0})});  // 3

  const WorldEventsResult found = world.events();
  for (const WorldEvent& event : found.events) {
    const Vector3& p = event.contact.point_a;
    std::printf("bodies %d and %d touch at t = %.6f, at (%.3f, %.3f, %.3f)\n", event.body_a, event.body_b,
                event.time, p[0], p[1], p[2]);
  }
  const NearestBody nearest = world.at(0.0).nearest(Vector3(0, 1, 0));
  std::printf("nearest to (0, 1, 0) at the start: body %d, %.3f away\n", nearest.body, nearest.distance);
}
// Output:
// bodies 2 and 3 touch at t = 0.435000, at (4.500, 0.000, -0.050)
// bodies 0 and 1 touch at t = 0.536920, at (0.720, 0.280, -0.010)
// nearest to (0, 1, 0) at the start: body 1, 0.962 away
