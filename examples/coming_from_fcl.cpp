// The questions that FCL answers, asked of Toccata. docs/coming_from/fcl.md has both side by side.
#include <Eigen/Geometry>
#include <toccata/toccata.hpp>

#include <cstdio>
#include <numbers>

#include "box.hpp"

int main() {
  using namespace toccata;
  const TriangleMesh bar_mesh = box(4, 0.1, 0.1), post_mesh = box(0.2, 0.2, 1);

  // A model, prepared once.
  const Shape bar(bar_mesh), post(post_mesh);

  // At rest: in collision? how far apart?
  const Pose start, there = {Matrix3::Identity(), {1, 1, 0}};
  std::printf("in collision: %s\n", intersects({bar, start}, {post, there}).intersects ? "yes" : "no");
  std::printf("distance: %.4f\n", distance({bar, start}, {post, there}).distance);

  // In motion: from a pose to a pose, rotation included.
  const Pose end = {Matrix3(Eigen::AngleAxisd(std::numbers::pi / 2, Vector3::UnitZ())), {0, 0, 0}};
  const FirstContactResult found = first_contact({bar, RigidMotion(start, end)}, {post, there});
  if (found.status == Status::Contact) {
    std::printf("touch at t = %.6f, certified in [%.6f, %.6f]\n", found.time, found.lower, found.upper);
    std::printf("normal (%.3f, %.3f, %.3f)\n", found.contact.normal.x(), found.contact.normal.y(),
                found.contact.normal.z());
  }

  // Many motions of one pair: all cores, the answers of single calls in their order.
  std::vector<BodyPair> pairs;
  for (int i = 0; i < 100; ++i) {
    const Pose away = {end.rotation, {0.02 * i, 0, 0}};
    pairs.push_back({{bar, RigidMotion(start, away)}, {post, there}});
  }
  int touch = 0;
  for (const FirstContactResult& result : first_contacts(pairs)) touch += result.status == Status::Contact;
  std::printf("%d of %zu motions touch\n", touch, pairs.size());
}
// Output:
// in collision: no
// distance: 0.8500
// touch at t = 0.414148, certified in [0.414148, 0.414148]
// normal (-0.606, 0.796, 0.000)
// 58 of 100 motions touch
