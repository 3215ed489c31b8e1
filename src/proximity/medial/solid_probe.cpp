#include "proximity/medial/solid_probe.hpp"

#include <cmath>
#include <limits>

#include "toccata/proximity/containment.hpp"

namespace toccata::medial {
namespace {

constexpr std::size_t most_kept = 16;

}  // namespace

Probed SolidProbe::distance(const Vector3& point) {
  const point_distance::NearestTriangle found = search_(point, std::numeric_limits<double>::infinity());
  return {std::min(found.lower, std::sqrt(found.nearest.squared_distance)), found.upper, found.nearest.point,
          found.triangle};
}

Probed SolidProbe::operator()(const Vector3& point) {
  Probed at = distance(point);
  for (const FreeBall& ball : free_) {
    if (!((point - ball.center).norm() < ball.radius * (1.0 - 1e-14))) continue;
    if (ball.is_inside) return {-at.upper, -at.lower, at.nearest, at.triangle};
    return at;
  }
  const Containment side = point_containment(point, solid_);
  const bool is_inside = side == Containment::Inside;
  if (at.lower > 0.0) {
    const FreeBall ball = {point, at.lower, is_inside};
    if (free_.size() < most_kept) {
      free_.push_back(ball);
    } else {
      free_[oldest_] = ball;
      oldest_ = (oldest_ + 1) % most_kept;
    }
  }
  if (is_inside) return {-at.upper, -at.lower, at.nearest, at.triangle};
  return at;
}

}  // namespace toccata::medial
