#include "polytopes.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "toccata/base/random.hpp"
#include "toccata/bound/convex_hull_of.hpp"

namespace toccata::bench {

double volume_of(const Shape& shape) {
  const auto& hull = std::get<ConvexHull>(shape.geometry());
  double sum = 0.0;
  for (const Face& f : hull.faces) {
    const auto corner = [&](std::size_t k) { return hull.vertices[static_cast<std::size_t>(f[k])]; };
    sum += corner(0).dot(corner(1).cross(corner(2))) / 6.0;
  }
  return sum;
}

Polytopes::Polytopes(const PolytopeScene& scene) {
  Random random(scene.seed);
  for (int i = 0; i < 50; ++i) {
    std::vector<Vector3> points;
    for (int k = 0; k < scene.points; ++k) points.push_back(random.on_sphere());
    kinds_.emplace_back(convex_hull_of(points).value());
  }
  double volume = 0.0;
  for (std::size_t i = 0; i < scene.count; ++i) {
    kind_.push_back(i % kinds_.size());
    volume += volume_of(kinds_[kind_[i]]);
  }
  side_ = std::cbrt(volume / scene.density);
  const double turn = scene.turn * std::numbers::pi / 180.0;
  for (std::size_t i = 0; i < scene.count; ++i) {
    poses_.emplace_back(
        Eigen::AngleAxisd(random.uniform(0.0, 2.0 * std::numbers::pi), random.on_sphere()).toRotationMatrix(),
        random.in_box(0.5 * side_));
    velocity_.push_back(scene.travel * random.on_sphere());
    spin_.push_back(turn * random.on_sphere());
  }
}

void Polytopes::step() {
  for (std::size_t i = 0; i < size(); ++i) {
    poses_[i] = motion(i).pose(1.0);
    for (int k = 0; k < 3; ++k) {
      if (std::abs(poses_[i].translation[k]) > 0.5 * side_)
        velocity_[i][k] = -std::copysign(velocity_[i][k], poses_[i].translation[k]);
    }
  }
}

}  // namespace toccata::bench
