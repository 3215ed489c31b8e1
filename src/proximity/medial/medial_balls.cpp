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
  explicit Shrinking(const PlacedShape& solid) : probe_(solid), largest_(largest_radius(solid)) {}

  // The ball that touches at `point` and lies along `inward`, from as large as may be: its radius. 0: it
  // vanishes.
  double shrunk(const Vector3& point, const Vector3& inward, double slack) {
    double radius = std::min(largest_, last_ * 4.0);
    while (radius < largest_ && fits(point, inward, radius, slack)) radius = std::min(4.0 * radius, largest_);
    radius = shrunk_from(radius, point, inward, slack);
    if (radius > 0.0) last_ = radius;
    return radius;
  }

  // The same from a radius that is known to be large enough.
  double shrunk_from(double radius, const Vector3& point, const Vector3& inward, double slack) {
    for (int step = 0; step < most_steps; ++step) {
      const Probed at = probe_.distance(point + radius * inward);
      if (at.lower >= radius - slack) return radius;
      // Through the point and the nearest one.
      const Vector3 between = at.nearest - point;
      const double along = between.dot(inward), squared = between.squaredNorm();
      const double through = along > 0.0 ? squared / (2.0 * along) : 0.0;
      if (!(through < radius) || !(through > 0.0)) {
        radius *= 0.5;
      } else {
        radius = std::max(through, 0.05 * radius);
      }
      if (radius < 1e-6 * largest_) return 0.0;
    }
    return 0.0;
  }

  SolidProbe& probe() { return probe_; }

 private:
  bool fits(const Vector3& point, const Vector3& inward, double radius, double slack) {
    return probe_.distance(point + radius * inward).lower >= radius - slack;
  }

  SolidProbe probe_;
  double largest_;
  double last_ = 1e300;
};

// Away from the surface's nearest point, until another one is as near: the ball that is found holds this one.
void push(Shrinking& shrinking, const Probed& at, double slack, MedialBall& ball) {
  constexpr double of_slack = 0.05;
  const Vector3 away = ball.center - at.nearest;
  const double length = away.norm();
  if (!(length > 0.0)) return;
  const Vector3 inward = away / length;
  const double radius =
      shrinking.shrunk_from(std::max(4.0 * ball.depth, 10.0 * slack), at.nearest, inward, of_slack * slack);
  if (!(radius > ball.depth)) return;
  const Vector3 center = at.nearest + radius * inward;
  const Probed pushed = shrinking.probe()(center);
  if (-pushed.upper > ball.depth) ball = {center, -pushed.upper};
}

}  // namespace

std::vector<MedialBall> medial_balls(const PlacedShape& solid, std::span<const SurfaceSample> samples,
                                     std::span<const double> slacks, bool are_pushed, int threads) {
  std::vector<MedialBall> balls(samples.size() * slacks.size());
  const TriangleMesh& mesh = solid.shape.mesh();
  parallel_blocks(samples.size(), block, threads, [&](std::size_t begin, std::size_t end) {
    Shrinking shrinking(solid);
    double sign = -1.0;  // of the normal: the way in, as it was for the last sample
    for (std::size_t i = begin; i < end; ++i) {
      const SurfaceSample& sample = samples[i];
      for (std::size_t k = 0; k < slacks.size(); ++k) balls[k * samples.size() + i] = {sample.point, 0.0};
      const Face& f = mesh.faces[static_cast<std::size_t>(sample.triangle)];
      const Vector3& corner = mesh.vertices[static_cast<std::size_t>(f[0])];
      const Vector3 normal = (mesh.vertices[static_cast<std::size_t>(f[1])] - corner)
                                 .cross(mesh.vertices[static_cast<std::size_t>(f[2])] - corner);
      const double length = normal.norm();
      if (!(length > 0.0)) continue;
      for (int side = 0; side < 2; ++side, sign = -sign) {
        const Vector3 inward = (sign / length) * normal;
        double radius = 0.0;
        bool is_outside = false;
        for (std::size_t k = 0; k < slacks.size() && !is_outside; ++k) {
          radius = k == 0 ? shrinking.shrunk(sample.point, inward, slacks[k])
                          : shrinking.shrunk_from(radius, sample.point, inward, slacks[k]);
          if (!(radius > 0.0)) break;
          const Vector3 center = sample.point + radius * inward;
          const Probed at = shrinking.probe()(center);
          is_outside = !at.is_inside();
          if (!is_outside) balls[k * samples.size() + i] = {center, -at.upper};
          if (!is_outside && are_pushed) push(shrinking, at, slacks[k], balls[k * samples.size() + i]);
        }
        if (radius > 0.0 && !is_outside) break;
      }
    }
  });
  return balls;
}

}  // namespace toccata::medial
