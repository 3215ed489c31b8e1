// A square cloth falls on a ball; the ball then turns and drags it into folds and layers.
#include <algorithm>
#include <cmath>

#include "scenes/cloth_particles.hpp"
#include "scenes/deforming_makers.hpp"
#include "toccata/base/random.hpp"

namespace toccata::scenes {
namespace {

constexpr double ball_radius = 0.5;
constexpr double frame_time = 1.0 / 60.0;

class ClothOnBall final : public DeformingScene {
 public:
  ClothOnBall(int triangles, std::uint64_t seed) {
    const int ball_around = std::max(8, static_cast<int>(std::sqrt(triangles * 0.04)));
    ball_ = round_ball(ball_radius, ball_around, ball_around);
    const int cells =
        std::max(4, static_cast<int>(std::sqrt((triangles - 2.0 * ball_around * ball_around) / 2.0)));
    TriangleMesh cloth = cloth_grid(cells, cells, 2.4);
    spacing_ = 2.4 / cells;
    cloth_ = ClothParticles(cloth, {.bend_stiffness = 0.05, .sweeps = 10});
    Random random(seed);
    for (Vector3& x : cloth_.positions)
      x += Vector3(0, 0, ball_radius + 2.0 * spacing_ + 0.1 * spacing_ * random.unit());
    objects_ = {{static_cast<std::int32_t>(cloth.vertices.size()), cloth.faces, {}},
                {static_cast<std::int32_t>(ball_.vertices.size()), ball_.faces, {}}};
    write();
    start_ = positions_;
  }

  bool advance() override {
    start_ = positions_;
    const double spin = frame_ < 30 ? 0.0 : std::min(3.0, 0.1 * (frame_ - 30));  // radians per second
    constexpr int substeps = 4;
    for (int s = 0; s < substeps; ++s) {
      const double dt = frame_time / substeps;
      angle_ += spin * dt;
      const double reach = ball_radius + 0.4 * spacing_;
      cloth_.step(dt, [&](Vector3& x, const Vector3& before) {
        if (x.norm() < reach) {
          x *= reach / std::max(x.norm(), 1e-9);
          const Vector3 carried = before + dt * spin * Vector3(-before[1], before[0], 0.0);
          x += 0.3 * (carried * (reach / std::max(carried.norm(), 1e-9)) - x);  // friction
        }
        const double floor = -1.2 * ball_radius;
        if (x[2] < floor) x = Vector3(0.5 * (x[0] + before[0]), 0.5 * (x[1] + before[1]), floor);
      });
      cloth_.keep_apart(0.7 * spacing_);
    }
    ++frame_;
    write();
    return false;
  }

 private:
  void write() {
    positions_ = cloth_.positions;
    const double c = std::cos(angle_), s = std::sin(angle_);
    for (const Vector3& x : ball_.vertices)
      positions_.push_back({c * x[0] - s * x[1], s * x[0] + c * x[1], x[2]});
  }

  TriangleMesh ball_;
  ClothParticles cloth_;
  double spacing_ = 0.0;
  double angle_ = 0.0;
  int frame_ = 0;
};

// Three standing and running waves of gentle slope: every step is small and nothing touches.
class SmoothCloth final : public DeformingScene {
 public:
  SmoothCloth(int triangles, std::uint64_t seed) {
    const int cells = std::max(2, static_cast<int>(std::lround(std::sqrt(triangles / 2.0))));
    cloth_ = cloth_grid(cells, cells, 2.0);
    objects_ = {{static_cast<std::int32_t>(cloth_.vertices.size()), cloth_.faces, {}}};
    Random random(seed);
    for (Wave& wave : waves_) {
      const double u = random.uniform(0.0, 6.28), k = random.uniform(2.0, 6.0);
      wave = {{k * std::cos(u), k * std::sin(u)},
              random.uniform(0.3, 0.5) / k,
              random.uniform(1.0, 2.0),
              random.uniform(0.0, 6.28)};
    }
    write();
    start_ = positions_;
  }

  bool advance() override {
    start_ = positions_;
    time_ += 1.0 / 240.0;
    write();
    return false;
  }

 private:
  struct Wave {
    Vector2 k = Vector2::Zero();
    double height = 0.0, speed = 0.0, phase = 0.0;
  };
  void write() {
    positions_ = cloth_.vertices;
    for (Vector3& x : positions_) {
      const Vector2 p(x[0], x[1]);
      for (const Wave& w : waves_) x[2] += w.height * std::sin(w.k.dot(p) + w.speed * time_ + w.phase);
    }
  }

  TriangleMesh cloth_;
  Wave waves_[3];
  double time_ = 0.0;
};

}  // namespace

std::unique_ptr<DeformingScene> make_cloth_on_ball(int triangles, std::uint64_t seed) {
  return std::make_unique<ClothOnBall>(triangles, seed);
}

std::unique_ptr<DeformingScene> make_smooth_cloth(int triangles, std::uint64_t seed) {
  return std::make_unique<SmoothCloth>(triangles, seed);
}

}  // namespace toccata::scenes
