#pragma once
// Bodies and motions that several tests of rigid queries share: plain shapes, soups and motions at random.
#include <Eigen/Geometry>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "toccata/base/random.hpp"
#include "toccata/geometry/triangle_mesh.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata::oracle {

inline TriangleMesh box(const Vector3& half, const Vector3& center = Vector3::Zero()) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.vertices.push_back(center + Vector3(i & 1 ? half.x() : -half.x(), i & 2 ? half.y() : -half.y(),
                                             i & 4 ? half.z() : -half.z()));
  }
  mesh.faces = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

// A globe of 4 rings^2 triangles, degenerate ones at the poles.
inline TriangleMesh sphere(double radius, int rings) {
  TriangleMesh mesh;
  const int around = 2 * rings;
  for (int i = 0; i <= rings; ++i) {
    for (int j = 0; j < around; ++j) {
      const double a = std::numbers::pi * i / rings, b = 2.0 * std::numbers::pi * j / around;
      mesh.vertices.push_back(radius *
                              Vector3(std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a)));
    }
  }
  for (int i = 0; i < rings; ++i) {
    for (int j = 0; j < around; ++j) {
      const int a = i * around + j, b = i * around + (j + 1) % around;
      mesh.faces.push_back({a, a + around, b});
      mesh.faces.push_back({b, a + around, b + around});
    }
  }
  return mesh;
}

// Triangles at random: soups, slivers, segments, points, duplicates.
inline TriangleMesh random_soup(Random& random, int count, double size) {
  TriangleMesh mesh;
  for (int i = 0; i < count; ++i) {
    const int at = static_cast<int>(mesh.vertices.size());
    const Vector3 p = random.in_box(size);
    mesh.vertices.push_back(p);
    const int kind = random.integer(0, 19);
    mesh.vertices.push_back(kind == 0 ? p : Vector3(p + random.in_box(size)));
    mesh.vertices.push_back(kind <= 1   ? p
                            : kind == 2 ? Vector3(0.5 * (p + mesh.vertices[static_cast<std::size_t>(at) + 1]))
                                        : Vector3(p + random.in_box(size)));
    mesh.faces.push_back({at, at + 1, at + 2});
    if (kind == 3) mesh.faces.push_back({at, at + 1, at + 2});
  }
  return mesh;
}

inline Pose shifted(double x, double y, double z) {
  return {Matrix3::Identity(), Vector3(x, y, z)};
}

inline Pose random_pose(Random& random, double reach) {
  return {Eigen::AngleAxisd(random.uniform(-3.1, 3.1), random.on_sphere()).toRotationMatrix(),
          random.in_box(reach)};
}

inline std::unique_ptr<Motion> random_motion(Random& random, double reach) {
  switch (random.integer(0, 5)) {
    case 0:
      return std::make_unique<ScrewMotion>(random_pose(random, reach), random_pose(random, reach));
    case 1:
      return std::make_unique<RigidMotion>(
          RigidMotion::with_velocity(random_pose(random, reach), random.in_box(reach), random.in_box(20.0)));
    case 2:
      return std::make_unique<RigidMotion>(RigidMotion::with_velocity(
          random_pose(random, reach), random.in_box(2.0 * reach), Vector3::Zero()));
    case 3:
      return std::make_unique<PiecewiseMotion>(std::vector<TimedPose>{{0.0, random_pose(random, reach)},
                                                                      {0.3, random_pose(random, reach)},
                                                                      {1.0, random_pose(random, reach)}});
    case 4:
      return std::make_unique<RigidMotion>(RigidMotion::fixed(random_pose(random, reach)));
    default:
      return std::make_unique<RigidMotion>(random_pose(random, reach), random_pose(random, reach),
                                           random.in_box(reach));
  }
}

}  // namespace toccata::oracle
