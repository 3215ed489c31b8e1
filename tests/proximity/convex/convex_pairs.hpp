#pragma once
// Random convex sets of every kind, and pairs of them at a wanted gap.
#include <Eigen/Geometry>
#include <cmath>
#include <memory>
#include <vector>

#include "proximity/convex/convex_distance.hpp"
#include "toccata/base/random.hpp"

namespace toccata {

struct OwnedSet {
  std::shared_ptr<std::vector<Vector3>> points = std::make_shared<std::vector<Vector3>>();
  ConvexSet set;
};

enum class SetKind { Ball, Capsule, Triangle, Box, RoundedBox, Hull, RoundedHull, Cylinder, Cone, Ellipsoid };
inline constexpr int set_kind_count = 10;
inline constexpr int last_polytope_kind = 6;

inline OwnedSet random_set(Random& random, SetKind kind, double size = 1.0) {
  OwnedSet owned;
  const auto extent = [&] { return size * random.uniform(0.2, 1.0); };
  const auto of_points = [&](int count, double radius) {
    for (int i = 0; i < count; ++i) owned.points->push_back(size * random.on_sphere());
    owned.set = set_of_points(*owned.points, radius);
  };
  const Vector3 half(extent(), extent(), extent());
  switch (kind) {
    case SetKind::Ball:
      owned.points->push_back(Vector3::Zero());
      owned.set = set_of_points(*owned.points, extent());
      break;
    case SetKind::Capsule:
      *owned.points = {{0.0, 0.0, -half.z()}, {0.0, 0.0, half.z()}};
      owned.set = set_of_points(*owned.points, 0.5 * extent());
      break;
    case SetKind::Triangle:
      of_points(3, 0.0);
      break;
    case SetKind::Box:
      owned.set = set_of_core(Core::Box, half);
      break;
    case SetKind::RoundedBox:
      owned.set = set_of_core(Core::Box, half, 0.2 * extent());
      break;
    case SetKind::Hull:
      of_points(random.integer(4, 40), 0.0);
      break;
    case SetKind::RoundedHull:
      of_points(random.integer(4, 20), 0.2 * extent());
      break;
    case SetKind::Cylinder:
      owned.set = set_of_core(Core::Cylinder, {half.x(), half.x(), half.z()});
      break;
    case SetKind::Cone:
      owned.set = set_of_core(Core::Cone, {half.x(), half.x(), half.z()});
      break;
    case SetKind::Ellipsoid:
      owned.set = set_of_core(Core::Ellipsoid, half);
      break;
  }
  return owned;
}

inline Matrix3 random_rotation(Random& random) {
  Eigen::Quaterniond q(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
                       random.uniform(-1, 1));
  return q.normalized().toRotationMatrix();
}

// Six sizes apart in a random direction, then moved along the normal until the gap is the wanted one, below
// zero for an overlap.
inline Pose pose_at_gap(Random& random, const ConvexSet& a, const ConvexSet& b, double gap,
                        double size = 1.0) {
  Pose pose(random_rotation(random), 6.0 * size * random.on_sphere());
  const convex::ConvexDistance far = convex::convex_distance(a, pose, b);
  pose.translation += (0.5 * (far.lower + far.upper) - gap) * far.direction;
  return pose;
}

}  // namespace toccata
