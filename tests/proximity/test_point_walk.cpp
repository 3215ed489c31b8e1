// Points in the tree of rays: what single precision leaves out is farther, and its bounds hold.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "effort.hpp"
#include "hierarchy/point_walk.hpp"
#include "oracle/long_distance.hpp"
#include "scenes/parts.hpp"
#include "toccata/base/random.hpp"

namespace toccata {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

struct Seen {
  std::vector<double> low;  // of every triangle; infinite: left out
};

void see(void* context, std::int32_t triangle, double low) {
  static_cast<Seen*>(context)->low[static_cast<std::size_t>(triangle)] = low;
}

// Needles, segments and points among them.
TriangleMesh scattered(Random& random, double scale) {
  TriangleMesh mesh;
  for (int i = 0; i < 150; ++i) {
    const Vector3 a = random.in_box(1.0), b = a + 0.2 * random.in_box(1.0);
    const double width = std::pow(10.0, random.uniform(-9.0, 0.0));
    const Vector3 c = i % 9 == 0 ? b : Vector3(a + 0.4 * (b - a) + 0.2 * width * random.in_box(1.0));
    for (const Vector3& corner : {a, i % 13 == 0 ? c : b, c}) mesh.vertices.push_back(scale * corner);
    mesh.faces.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return mesh;
}

void hold(const TriangleMesh& mesh, bool without_needles, Random& random, double scale, double slack) {
  const Shape shape(mesh);
  const ShapeData& data = shape.data();
  const hierarchy::RayTree tree = hierarchy::build_ray_tree(data);
  for (int i = 0; i < with_effort(60); ++i) {
    const auto face = static_cast<std::size_t>(random.integer(0, static_cast<int>(mesh.faces.size()) - 1));
    const Vector3 point =
        triangle_of(mesh, face)[0] + scale * std::pow(10.0, random.uniform(-8.0, 2.0)) * random.on_sphere();
    const Vector3 place = point - data.center;
    Seen seen{std::vector<double>(mesh.faces.size(), infinite)};
    const hierarchy::TreePoint asked = {{place.x(), place.y(), place.z()},
                                        1e-14 * (point.norm() + data.center.norm() + data.radius),
                                        std::exp2(-std::ilogb(data.radius))};
    const double limit = i % 3 == 0 ? scale : infinite;
    const double high = hierarchy::walk_point(tree, asked, {limit, slack}, {&seen, see});
    double nearest = infinite;
    for (std::size_t k = 0; k < mesh.faces.size(); ++k) {
      const double truth = static_cast<double>(oracle::true_distance(point, triangle_of(mesh, k)));
      nearest = std::min(nearest, truth);
      if (seen.low[k] == infinite) {
        EXPECT_GT(truth, high - slack) << "triangle " << k << " is left out";
      } else {
        EXPECT_LE(seen.low[k], truth);
        if (without_needles && truth > 1e-2 * scale) {  // bounds that say nothing would hold, too
          EXPECT_GE(seen.low[k], truth * (1.0 - 1e-3) - 1e-4 * scale);
        }
      }
    }
    if (nearest <= limit - slack) {
      EXPECT_GE(high, nearest);
      EXPECT_LE(high, nearest + slack + 1e-4 * (nearest + scale));
    } else {
      EXPECT_GE(high, std::min(limit, nearest));
    }
  }
}

TEST(PointWalk, leaves_out_what_is_farther) {
  Random random(31);
  for (const double scale : {1e-10, 1e-6, 1.0, 1e6, 1e10}) {
    for (const double slack : {0.0, 0.01, 0.5}) {
      hold(scattered(random, scale), false, random, scale, slack * scale);
      TriangleMesh blob = scenes::blob(12, 16);
      for (Vector3& v : blob.vertices) v = scale * (v + Vector3(0.3, -2.0, 1.0));
      hold(blob, true, random, scale, slack * scale);
    }
  }
}

}  // namespace
}  // namespace toccata
