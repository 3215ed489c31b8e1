#pragma once
// One shape of every kind, for tests that ask all of them.
#include <limits>
#include <string>
#include <vector>

#include "oracle/moving_bodies.hpp"
#include "toccata/base/random.hpp"
#include "toccata/bound/convex_hull_of.hpp"
#include "toccata/geometry/geometry.hpp"

namespace toccata::oracle {

struct NamedGeometry {
  std::string name;
  Geometry geometry;
};

// Of points on a sphere.
inline ConvexHull random_hull(Random& random, int count, double size, double radius) {
  std::vector<Vector3> points;
  for (int i = 0; i < count; ++i) points.push_back(size * random.on_sphere());
  return convex_hull_of(points, radius).value();
}

inline HeightField hills(int columns, int rows) {
  HeightField field;
  field.columns = columns;
  field.rows = rows;
  field.spacing = {0.5, 0.4};
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c)
      field.heights.push_back(0.2 * std::sin(1.3 * c) * std::cos(0.9 * r) - 0.3);
  }
  field.floor = -1.0;
  return field;
}

// All about the size of one, `scale` times.
inline std::vector<NamedGeometry> every_kind(double scale = 1.0) {
  Random random(77);
  const auto scaled_mesh = [&](TriangleMesh mesh) {
    for (Vector3& v : mesh.vertices) v *= scale;
    return mesh;
  };
  const ConvexHull hull = random_hull(random, 24, 0.9 * scale, 0.0);
  const ConvexHull rounded = random_hull(random, 9, 0.7 * scale, 0.2 * scale);
  HeightField field = hills(5, 4);
  field.spacing *= scale;
  for (double& height : field.heights) height *= scale;
  field.heights[3] = std::numeric_limits<double>::quiet_NaN();
  field.floor = -scale;
  Compound compound;
  compound.parts.push_back({Box{Vector3(0.4, 1.2, 0.3) * scale}, shifted(0.5 * scale, 0, 0)});
  compound.parts.push_back({scaled_mesh(box({0.3, 0.2, 0.4})), random_pose(random, 0.3 * scale)});
  compound.parts.push_back({Ball{0.35 * scale}, shifted(-0.5 * scale, 0.2 * scale, 0.1 * scale)});
  Compound inner;
  inner.parts.push_back({Cylinder{0.2 * scale, 0.9 * scale}, random_pose(random, 0.2 * scale)});
  compound.parts.push_back({inner, random_pose(random, 0.4 * scale)});
  return {{"mesh", scaled_mesh(box({0.5, 0.4, 0.6}))},
          {"ball", Ball{0.7 * scale}},
          {"capsule", Capsule{0.3 * scale, 1.1 * scale}},
          {"box", Box{Vector3(1.0, 0.6, 1.4) * scale}},
          {"rounded box", Box{Vector3(0.8, 0.5, 0.3) * scale, 0.2 * scale}},
          {"cylinder", Cylinder{0.6 * scale, 0.8 * scale}},
          {"cone", Cone{0.6 * scale, 1.1 * scale}},
          {"ellipsoid", Ellipsoid{Vector3(0.9, 0.5, 0.3) * scale}},
          {"hull", hull},
          {"rounded hull", rounded},
          {"half space", HalfSpace{{1.0, 2.0, -0.5}, -0.4 * scale}},
          {"height field", field},
          {"compound", compound}};
}

}  // namespace toccata::oracle
