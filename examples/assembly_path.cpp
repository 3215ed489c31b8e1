// Can a part be taken along a path without touching its surroundings, and how close does it come?
#include <cstdio>
#include <vector>

#include "box.hpp"
#include "toccata/ccd/rigid/closest_approach.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace {

using namespace toccata;

// Two walls with a gap of 1.2 between them.
TriangleMesh gate() {
  TriangleMesh mesh;
  for (const double side : {-1.0, 1.0}) {
    const TriangleMesh wall = box(0.2, 2, 2);
    const auto first = static_cast<std::int32_t>(mesh.vertices.size());
    for (const Vector3& v : wall.vertices) mesh.vertices.push_back(v + Vector3(0, 1.6 * side, 0));
    for (const Face& f : wall.faces) mesh.faces.push_back({f[0] + first, f[1] + first, f[2] + first});
  }
  return mesh;
}

Pose at(double x, double y) {
  return {Matrix3::Identity(), {x, y, 0}};
}

void check(const char* name, const Shape& part, const Shape& around, const std::vector<TimedPose>& path) {
  const PiecewiseMotion motion(path);
  const RigidMotion rest;
  const ClosestApproachResult closest = closest_approach({part, motion}, {around, rest});
  if (closest.status == Status::Separated) {
    std::printf("%s: free, clearance %.4f\n", name, closest.distance);
  } else {
    std::printf("%s: blocked at t = %.4f\n", name, first_contact({part, motion}, {around, rest}).time);
  }
}

}  // namespace

int main() {
  const Shape part(box(1, 1, 1));
  const Shape around(gate());
  check("straight through", part, around, {{0.0, at(-3, 0.05)}, {1.0, at(3, 0.05)}});
  check("off the middle", part, around, {{0.0, at(-3, 0.3)}, {1.0, at(3, 0.3)}});
  check("around a corner", part, around, {{0.0, at(-3, 2)}, {0.4, at(-1.5, 0)}, {1.0, at(3, 0)}});
  return 0;
}
// Output:
// straight through: free, clearance 0.0500
// off the middle: blocked at t = 0.4000
// around a corner: free, clearance 0.1000
