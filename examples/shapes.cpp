// Shapes of many kinds: how far apart, how deep, when they touch, what a cast meets.
#include <toccata/ccd/rigid/first_contact.hpp>
#include <toccata/ccd/rigid/shape_cast.hpp>
#include <toccata/proximity/distance.hpp>
#include <toccata/proximity/penetration.hpp>
#include <toccata/proximity/ray_cast.hpp>

#include <cstdio>

int main() {
  using namespace toccata;
  const Shape ground(HalfSpace{{0, 0, 1}, 0.0});          // everything below z = 0
  const Shape crate(Box{{1, 1, 1}});                      // sides of length 1, about the origin
  const Shape pill(Capsule{.radius = 0.2, .height = 1});  // along z
  const Pose above = {Matrix3::Identity(), {0, 0, 3}};

  std::printf("the crate is %.3f above the ground\n", distance({crate, above}, {ground}).distance);

  // It falls by 4 and turns a full turn about x on the way.
  const RigidMotion fall = RigidMotion::with_velocity(above, {0, 0, -4}, {6.283185307179586, 0, 0});
  const FirstContactResult landed = first_contact({crate, fall}, {ground});
  std::printf("it lands at t = %.4f on its %s\n", landed.time,
              to_string(landed.contact.feature_a.kind).data());

  const PenetrationResult deep = penetration({crate}, {pill, {Matrix3::Identity(), {0.6, 0, 0}}});
  std::printf("the pill is %.3f deep in the crate; out along (%.0f, %.0f, %.0f)\n", deep.upper_depth,
              deep.contact.normal.x(), deep.contact.normal.y(), deep.contact.normal.z());

  const FirstContactResult cast = shape_cast({pill, {Matrix3::Identity(), {-3, 0, 0}}}, {5, 0, 0}, {crate});
  std::printf("pushed from the left it stops after %.3f\n", 5 * cast.time);

  // Parts that move as one.
  Compound hammer;
  hammer.parts.push_back({Cylinder{.radius = 0.05, .height = 1}, {}});
  hammer.parts.push_back({Box{{0.4, 0.15, 0.15}}, {Matrix3::Identity(), {0, 0, 0.5}}});
  const Shape tool(hammer);
  const RayCastResult hit = ray_cast({tool}, {{0, -2, 0.5}, {0, 1, 0}});
  std::printf("a ray meets part %d of the hammer at y = %.3f\n", tool.part_of(hit.triangle).part,
              hit.point.y());
}
// Output:
// the crate is 2.500 above the ground
// it lands at t = 0.5802 on its vertex
// the pill is 0.100 deep in the crate; out along (1, 0, 0)
// pushed from the left it stops after 2.300
// a ray meets part 1 of the hammer at y = -0.075
