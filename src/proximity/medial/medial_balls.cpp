#include "proximity/medial/medial_balls.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "proximity/medial/solid_probe.hpp"
#include "toccata/base/parallel.hpp"
#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata::medial {
namespace {

constexpr int most_steps = 24;
constexpr std::size_t block = 256;

// Larger ones are as flat as a plane.
double largest_radius(const PlacedShape& solid) {
  return 2.0 * solid.shape.size();
}

class Shrinking {
 public:
  Shrinking(const PlacedShape& solid, double slack)
      : probe_(solid), largest_(largest_radius(solid)), slack_(slack) {}

  // The ball that touches at `point` and lies along `inward`: its centre; false if it vanishes.
  bool shrink(const Vector3& point, const Vector3& inward, Vector3& center, double& depth) {
    double radius = std::min(largest_, last_ * 4.0);
    for (int again = 0; again < 2; ++again) {
      for (int step = 0; step < most_steps; ++step) {
        center = point + radius * inward;
        const Probed at = probe_.distance(center);
        depth = at.lower;
        if (depth >= radius - slack_) {
          // The first guess may have been too small.
          if (step > 0 || radius >= largest_) {
            last_ = radius;
            return radius > 0.0;
          }
          radius = std::min(4.0 * radius, largest_);
          continue;
        }
        // Through the point and the nearest one.
        const Vector3 between = at.nearest - point;
        const double along = between.dot(inward), squared = between.squaredNorm();
        const double through = along > 0.0 ? squared / (2.0 * along) : 0.0;
        if (!(through < radius) || !(through > 0.0)) {
          radius *= 0.5;
        } else {
          radius = std::max(through, 0.05 * radius);
        }
        if (radius < 1e-6 * largest_) return false;
      }
    }
    return false;
  }

  SolidProbe& probe() { return probe_; }

 private:
  SolidProbe probe_;
  double largest_, slack_;
  double last_ = 1e300;
};

}  // namespace

std::vector<MedialBall> medial_balls(const PlacedShape& solid, std::span<const SurfaceSample> samples,
                                     double slack, int threads) {
  std::vector<MedialBall> balls(samples.size());
  const TriangleMesh& mesh = solid.shape.mesh();
  parallel_blocks(samples.size(), block, threads, [&](std::size_t begin, std::size_t end) {
    Shrinking shrinking(solid, slack);
    double sign = -1.0;  // of the normal: the way in, as it was for the last sample
    for (std::size_t i = begin; i < end; ++i) {
      const SurfaceSample& sample = samples[i];
      balls[i] = {sample.point, 0.0};
      const Face& f = mesh.faces[static_cast<std::size_t>(sample.triangle)];
      const Vector3& corner = mesh.vertices[static_cast<std::size_t>(f[0])];
      const Vector3 normal = (mesh.vertices[static_cast<std::size_t>(f[1])] - corner)
                                 .cross(mesh.vertices[static_cast<std::size_t>(f[2])] - corner);
      const double length = normal.norm();
      if (!(length > 0.0)) continue;
      for (int side = 0; side < 2; ++side, sign = -sign) {
        Vector3 center;
        double depth = 0.0;
        if (!shrinking.shrink(sample.point, (sign / length) * normal, center, depth)) continue;
        const Probed at = shrinking.probe()(center);
        if (!at.is_inside()) continue;
        balls[i] = {center, -at.upper};
        break;
      }
    }
  });
  return balls;
}

}  // namespace toccata::medial
